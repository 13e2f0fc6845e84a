"""How a statement reads: a subject where chat leaves it out, the speaker named, one full stop."""

from __future__ import annotations

import re

from perdure.offline.entities import entities
from perdure.offline.kinds import is_bare_state
from perdure.offline.person import Cast, has_own_kin, third
from perdure.text import normal

FIRST = re.compile(
    r"\b(?:I|i['’]m|i['’]ve|[Mm]y|[Mm]e|[Mm]ine|[Ww]e|[Oo]urs?|[Uu]s|[Mm]yself|ourselves)\b|\bi (?=[a-z])"
)
_ADVERBS = (
    r"(?:(?:just|recently|finally|also|still|even|already|currently|really|actually|now|only|never|always|usually|once|both"
    r"|definitely|probably|mostly|absolutely|totally) )*"
)
_DONE = re.compile(
    rf"^{_ADVERBS}(?!made (?:me|us)\b)(?:been(?! (?:an?|so|too|quite|such|the|one)\b)|went|got|had|took|made|met|saw|came|bought|found|spent|did|wrote|left|gave|ran|drove|flew|ate|read|sold"
    r"|quit|lost|won|broke|hurt|cut|became|began|built|caught|chose|drew|fell|felt|forgot|grew|heard|hit|kept|knew|led|put|rode"
    r"|sang|sent|slept|spoke|swam|taught|threw|told|thought|woke|wore|used to|going to (?!be\b)(?!(?:[\w'’-]+ ){1,14}?(?:is|was|has|makes|made|helps|helped)\b)|need|want|plan|hope|miss|love(?! and\b)|loving|hate(?! and\b)|prefer|own|live in"
    r"|work (?:at|as|for|in|from|nights|days|shifts|part|full|remotely)|have (?:an?|two|three|four|no|to|been|never|always)|can['’]t|cannot|won['’]t|didn['’]t|don['’]t|haven['’]t|couldn['’]t|will (?!is|was|has|and|said|\w+ed\b)\w|would (?:love|like|rather)"
    r"|(?!(?:ahmed|mohamm?ed|muhamm?ed|alfred|jared|wilfred|mildred|winifred|hundred|indeed|speed|breed|sacred|naked|wicked|supposed|embed|exceed|succeed|proceed|agreed)\b)[a-z]{3,}ed)\b(?! by\b)",
    re.IGNORECASE,
)
_BEING = re.compile(
    rf"^(?!\w+ing\b[^.]*, (?:I|we|my|our|it|he|she|they)\b){_ADVERBS}(?:(?:planning|thinking|hoping|looking|trying|working|volunteering|studying|feeling|learning|reading|training|living|moving|starting|staying"
    r"|saving|considering|teaching|taking|getting|going|having|building|writing|making|playing|visiting|watching|preparing|practi[sc]ing|dealing|struggling|recovering|expecting|running)"
    r"\b(?!['’]s\b| (?:[\w'’-]+ ){0,14}?(?:isn['’]t|wasn['’]t|aren['’]t|can['’]t|doesn['’]t|is|was|are|were|makes?|helps?|keeps?|has|can|will|means|feels|gives|takes|must|would|could|sounds|seems|should|might|brings|requires|brightens?|reminds?|lets?|boosts?|beats?|made|helped|brought|gave|felt|reminded|meant|inspired|motivated)\b)"
    r"|(?:stoked|pumped|based|married|divorced|engaged|widowed|separated|excited|tired|interested|bored|stressed|exhausted|thrilled|worried|scared|obsessed|addicted|born|raised|scheduled|supposed|used to (?=\w+ing\b)|allowed|tempted|inspired|impressed|relieved|overwhelmed|blessed|pleased|delighted|amazed|surprised|hooked|determined|prepared|convinced|annoyed|disappointed|frustrated|confused|embarrassed|heartbroken|devastated|stuck|busy|proud|sick of|fond of|keen on)\b)",
    re.IGNORECASE,
)
_SHORT = re.compile(
    r"^(?P<name>[A-Z][\w-]*)['’]s (?=(?P<next>an?|the|not|been|got|gone|allergic|from|married|pregnant)\b)"
)
_TIME = re.compile(
    r"^(?:yesterday|today|tonight|this morning|(?:last|this) [a-z]+|(?:a|one|two|three|few|couple|some) (?:of )?(?:days?|weeks?|months?|years?) (?:ago|back)|on [A-Z][a-z]+day|in [A-Z][a-z]+|in \d{4}),? (?=[a-z])",
    re.IGNORECASE,
)
_DAY = re.compile(r"^(?:On|In) (?=\d[^,.]{3,20} (?:is|was|will be) )")  # "8 May 2024 is Ana's birthday"
_SUBJECT = re.compile(
    r"^(?P<name>[A-Z][\w'’-]*)(?: (?:and )?[A-Z][\w'’-]*){0,3}(?:['’]s (?:\w+ ){1,3}?(?=(?:is|was|has|\w+ed|\w+s)\b))?(?: (?:\w+ly|just|also|now|still|never|always|already|only|no longer|finally|recently|both))*"
    r" (?:is|was|are|were|has|have|had|does|did|can|can['’]t|will|won['’]t|would|isn['’]t|wasn['’]t|doesn['’]t|didn['’]t|hasn['’]t|\w+ed|(?!(?:times|things|days|games|photos|pics|vibes|goals|was|memories|friends|movies|books|plans|lessons|classes|news)\b)[a-z]+s"
    r"|went|got|came|took|made|met|gave|left|bought|began|said|told|ran|won|lost|ate|drank|drove|flew|wrote|spoke|taught|broke|chose|fell|grew|knew|spent|built|became|sold|sent|quit|put|set|cut|hit|hurt)\b"
    r"|^(?P<short>[A-Z][a-z]+)['’]s (?:an?|the|in|at|from|on|not|been|got|now|allergic|vegan|vegetarian|pregnant|married|deaf|ill|sick|\w+ing|\w+ed|\d+)\b"
)


def is_about_the_speaker(text: str) -> bool:
    """Return True for a sentence in the first person, its subject said or left out."""
    return FIRST.search(text) is not None or has_own_kin(text) or is_elided(text)


def is_elided(text: str) -> bool:
    """Return True for a sentence that leaves out its "I": "moved to Lyon", "still living alone", "vegetarian btw"."""
    return _BEING.match(text) is not None or _DONE.match(text) is not None or is_bare_state(text)


def with_subject(text: str) -> str:
    """Return the sentence with "I" after the time that it opens with ("Last week took a course" → "Last week I took ...")."""
    time = _TIME.match(text)
    if time is None or not _DONE.match(text[time.end() :]):
        return text
    return f"{time.group()}I {text[time.end() :]}"


def opens_with_a_name(text: str) -> bool:
    """Return True if a sentence in the third person opens with a name and its verb, so that it stands by itself."""
    match = _SUBJECT.match(text)
    if match is None:
        return False
    name = match["name"] or match["short"]
    found = normal(" ".join(entities(text, speaker="")))
    return normal(re.sub(r"['’]s?$", "", name)) in found.split()


def statement(text: str, first: str, cast: Cast, lead: str) -> str:
    """Return an English statement with its speaker named, and its last mark a full stop.

    `first` is its first sentence as it was said, `lead` what it leans on, or "".
    """
    if lead:
        spoken = f"{lead}, {cast.speaker} says: {capital(third(text, cast))}"
    elif is_elided(first):
        spoken = third("I " + _with_auxiliary(text[0].lower() + text[1:]), cast)
    elif FIRST.search(first) or has_own_kin(first):
        spoken = third(text, cast)
    else:
        spoken = _SHORT.sub(_written_out, third(text, cast))
        if not opens_with_a_name(spoken):
            spoken = f"{capital(cast.speaker)} says: {capital(spoken)}"
    spoken = _DAY.sub("", spoken)
    spoken = re.sub(r"\s+", " ", spoken).strip().rstrip("!.… ")
    return capital(spoken if spoken.endswith(('."', '!"', ".”", "!”")) else spoken + ".")


def _written_out(match: re.Match[str]) -> str:
    """ "Bob's a vegan" → "Bob is a vegan"."""
    return f"{match['name']} {'has' if match['next'] in ('been', 'got', 'gone') else 'is'} "


def _with_auxiliary(clause: str) -> str:
    """ "been busy" → "have been busy"; "planning a trip" → "am planning a trip"."""
    if re.match(r"(?:\w+ )?been\b", clause):
        return "have " + clause
    if re.match(r"(?:born|raised)\b", clause):
        return "was " + clause
    if re.match(r"(?:\w+ )?going to\b", clause) or _BEING.match(clause) or is_bare_state(clause):
        return "am " + clause
    return clause


def capital(text: str) -> str:
    """Return the text with its first letter in upper case."""
    return text[:1].upper() + text[1:]
