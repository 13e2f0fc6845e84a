"""What of a message is kept: its sentences that tell something, alone or with what they lean on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from perdure import when
from perdure.models import MessageRecord
from perdure.offline import (
    answers,
    asides,
    chatter,
    claims,
    correction,
    parting,
    passing,
    plain,
    reported,
    slots,
    small_talk,
    vague,
    wishes,
)
from perdure.offline.person import Cast
from perdure.offline.sentences import Sentence, is_english
from perdure.offline.verbs import is_joined
from perdure.offline.wording import capital, is_about_the_speaker, is_elided, opens_with_a_name, with_subject
from perdure.text import name_of, words

_ANAPHOR = re.compile(
    r"^[\"“]?(?:and |but |so )?(?:it|its|it['’]s|he|she|they|they['’]re|he['’]s|she['’]s|this"
    r"(?! (?:week|weekend|month|year|morning|evening|afternoon|spring|summer|autumn|fall|winter)\b)"
    r"|that|these(?! days\b)|those|his"
    r"|her|their|them|there|like (?:an?|the)|"
    r"(?:both|one|another|some|each|most|all)(?! of (?:my|our)\b| my\b| our\b)|which|such|the (?:one|other|first|second|last|latter|former)s?"
    r"(?= (?:is|was|are|were|has|had|one|ones|time|of|that|I|we|my|will|can)\b|,))\b"
    r"|^(?:makes|reminds|helps|keeps|gives|brings|means|takes|gets|lets|feels|looks|sounds|seems|a reminder)\b(?! sense)"
    r"|^(?:\w+ly |still )?one of (?:my|our) (?:\w+ ){0,2}(?:favou?rites?|ones)\W*$",
    re.IGNORECASE,
)
# "I haven't tried it yet": no sentence by itself, unless it names before what it points to.
_POINTS = re.compile(
    r"\b(?:it|that|this|them|these|those|him|her|one|there|so)(?: (?:yet|too|again|now|all|before|any ?more|soon|either|though|so much"
    r"|a lot|out|up|here|already|myself|well|through|together|someday|sometime|for sure|one day|back))*\W*$",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\b(?<!told )(?<!asked )(?:him|his|her|them|their|they|he|she|it(?!['’]s| is| was| when| would| will| takes| feels| seems| rains?\b| snows?\b| depends)|(?<!been )there(?! (?:is|are|was|were|will|has|have|had)\b|['’]s))\b"
)
# What points elsewhere whatever stands before it: "some of them", "doing that", "hearing this", "a similar car".
_ELSEWHERE = re.compile(
    r"\b(?:bunch|lots?|some|many|most|few|both|one|none|pictures?|photos?|kind|all|part) of (?:them|it|that|those|these)\b"
    r"|\b\w+s? like (?:that|this|these|those)\b(?! (?:of|in|on|at)\b)|\b(?:working|worked) on one\b|\bcheck (?:some|one|them|it) out\b|\bthat (?:fellow|same|other|very)\b|\b(?:thanks to|because of) (?:them|it|that|this|him|her)\b|"
    r"^(?!.*\b(?:at|in|to|from|of) (?:the )?(?-i:[A-Z])).*\w\w there(?: sometime| soon| someday| one day| again| too| yet)*\W*$|\b(?:got|made|have|had|bought|tried|want) one\b(?! of\b)"
    r"|\bdoing (?:it|that|this|so)\W*$|\b(?:this|that) one\b|\bwould (?:\w+ )?(?:love|like|enjoy|appreciate) (?:it|that|this)\W*$|\b(?:the|what|how|all|everything) (?:\w+ ){1,5}it (?:brings|gives|has|takes|offers|provides)\b|^\w+ing (?:that|this|them|it|him|her)\b|\b(?:a similar|the same) \w+\W*$",
    re.IGNORECASE,
)
_PLURAL = re.compile(r"\b(?!(?:is|was|has|does|this|his|its|always|yes)\b)[a-z]{3,}s\b")
_LIGHT_PART = 6  # and below which "The plot and the fights are great" is a reaction to what was shown; chosen
_NOUN = re.compile(
    r"\b(?:[Aa]n?|[Tt]he|[Mm]y|[Oo]ur|his|her|their|some|two|three|\w+['’]s)\s+\w|(?<=[a-z,] )[A-Z][a-z]|\d"
)
# Whom or what "they" and "she" may stand for, where it stands before them.
_THEY = re.compile(r"\b(?<!told )(?<!asked )(?:they|them|their)\b", re.IGNORECASE)
_MANY = re.compile(
    r"\b(?:people|children|men|women|folks?|family|fam|team|crew|band|group|company|police|friend|neighbou?r|partner|kid|student|mentee|system|network|audience|community|class|shelter|breed|bunch|couple|pair|two|three|four|five|six|everyone|everybody|someone|somebody|anyone|nobody|person|each|every|who|whoever|others|both|we|us|staff)\b"
    r"|\b(?!(?:is|was|has|does|this|his|its|always|yes|thus|us|outdoors|besides|perhaps|sometimes|as|makes|gives|takes|helps|keeps|brings|feels|means|puts|lets|needs|needless)\b)[a-z]\w+[^s\W]s\b|\b(?!\w+(?:ing|ed)\b)\w\w+ and (?:my |the |a |his |her |our )?(?!\w+(?:ing|ed)\b)\w\w+ ",
    re.IGNORECASE,
)
_SHE = re.compile(r"\b(?<!told )(?<!asked )(?:he|she|him|his|her)\b", re.IGNORECASE)
_OBJECT = re.compile(
    r"(?<=[a-z] )it\b(?!['’]| (?:is|was|would|will|takes|feels|seems|rains?|snows?|depends|made|makes|out)\b)"
)
_DIM = re.compile(r"\b(?:it|that|this|they|them|these|those|there|he|she|him|her|one|afterwards)\b", re.IGNORECASE)
_MUCH = re.compile(
    r"\b(?:a (?:lot|bit|ton)|lots|tons|all)(?: of (?:time|effort|work|love|thought))?\b|\b(?:my|our) (?:brother|sister|mother|mom|mum|father|dad|wife|husband|friend|son|daughter|girlfriend|boyfriend|family)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r".+?(?=\s(?:and|but|so|because)\b|[,;])")
_LIGHT = 2  # words of weight below which such a sentence is taken to lean on another; chosen
# Whose "they" is nobody that was named ("they moved my exam"), whose "it" is the day ("it's my birthday").
_NOBODY = re.compile(
    r"^they(?:['’]ve| have| had|['’]re| are| will|['’]ll)? (?:\w+ly |just |even |also )?(?:moved|changed|cancell?ed|postponed|rescheduled"
    r"|gave|given|offered|fired|hired|promoted|diagnosed|raised|approved|rejected|accepted|denied|delivered|charged|found|removed"
    r"|stole|broke into|cut|shut|closed|closing|moving|sending|sent|extended|delayed|towed|admitted|prescribed|told|asked|want|laid)\b.*\b(?:me|my|us|our)\b"
    r"|^it(?:['’]s| is| was) (?!being\b)\w+ing\b.*\b(?:my|I|our)\b.*\bthat\b"  # "it's knowing that I can help that keeps me going"
    r"|^there(?:['’]s| is| are| was| were) .*\b(?:my|our|me|I)\b"
    r"|^it(?:['’]s| is| was| will be) (?:my|our) (?:\w+ ){0,3}?(?:birthday|anniversary|wedding|graduation|day|turn|(?:first|last|second|third|final) \w+)\b",
    re.IGNORECASE,
)
_POINTER = re.compile(r"\b(?:it|he|she|they|him|her|them|there|that|this)\b", re.IGNORECASE)
_ASSISTANT = re.compile(
    r"^(?:I(?:['’]ve| have| will|['’]ll)? (?:booked|scheduled|ordered|reserved|saved|recommend(?:ed)?|suggested"
    r"|noted|remind)\b"
    r"|Your [\w -]{2,40} (?:is|are|was|were|has been|have been|will be) (?:booked|scheduled|confirmed|set|due"
    r"|reserved|cancelled|canceled|ordered)\b)"
)
_DETAIL = re.compile(r"\d|(?<=[a-z,] )[A-Z][a-z]|\b[Mm]y [a-z]+ (?:is|was|are|has)\b")
_STATES = re.compile(
    r"\b(?:is|are|was|were|has|have|starts?|ends?|closes?|opens?|leaves?|arrives?|costs?|expires?)\b|\w['’]s\b"
)
_NEAR = re.compile(
    r"the (?:kids|children|twins|baby|boys|girls|dogs?|cats?|doctor|dentist|vet|landlord|landlady|boss)\b",
    re.IGNORECASE,
)
_I_AM = re.compile(r"^I(?:['’]m| am) (?P<name>(?-i:[A-ZÀ-Þ])[\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)*)[.!]*$")
_PLAIN_SHORTEST = 4  # words of weight that a sentence about somebody else must have; chosen on dev, see runs/LOG.md
_NAMED_SHORTEST = 2  # and one that opens with a name, or states a number or a name; the same
_OWN_SHORTEST = 1  # and one in the first person; the same
_LONGEST_LEAD = 200  # characters of a sentence that another one leans on; chosen
_JOINED = 5  # sentences to a statement, at most; chosen


@dataclass(frozen=True, slots=True)
class Kept:
    """Sentences that make one statement: content[begin:stop], and each sentence as it is to be rewritten."""

    begin: int
    stop: int
    parts: tuple[str, ...]
    lead: str = ""  # what the first part leans on: 'Asked "..."', 'After "..."'
    wish: str = ""  # how a standing request reads; then the parts are not rewritten
    is_foreign: bool = False  # word for word: another language, or too long to be read


@dataclass(frozen=True, slots=True)
class Setting:
    """What a message is read in: who speaks, what was asked or told right before, whether an assistant listens."""

    message: MessageRecord
    cast: Cast
    asked: str
    told: str
    is_to_assistant: bool


def keep(sentences: Sequence[Sentence], setting: Setting) -> list[Kept]:
    """Return what is worth keeping; a sentence that points back joins the kept one right before it.

    Where nothing was kept before it, it may lean on the question that the message answers.
    """
    kept: list[Kept] = []
    is_open = False  # the sentence before was kept
    line = _Line(setting)
    sentences = _with_marks(sentences)
    for number, sentence in enumerate(sentences):
        if number == 0 and passing.is_pretence(sentence.text):
            return []
        if len(sentence.text) > when.LONGEST or not is_english(sentence.text):
            is_open = False
            if _is_foreign(sentence, setting):
                kept.append(Kept(sentence.begin, sentence.stop, (plain.unmarked(sentence.text),), is_foreign=True))
        elif setting.message.origin == "assistant":
            text = chatter.strip_ends(plain.unmarked(sentence.text))
            if _ASSISTANT.match(text):
                kept.append(Kept(sentence.begin, sentence.stop, (text,)))
        elif (quote := line.reported(sentence)) is not None:
            is_open = False
            if quote.who and chatter.weight(quote.words) > 0 and not chatter.is_question(quote.words):
                kept.append(Kept(sentence.begin, sentence.stop, (plain.unmarked(str(quote)),)))
        else:
            before = sentences[number - 1].text if number else ""
            is_open = _keep_english(sentence, setting, kept, is_open=is_open, before=before)
    return kept


def _with_marks(sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return the sentences, with "It was a mistake." in the place of the one that follows it, or else goes before."""
    found: list[Sentence] = []
    begin: int | None = None
    for sentence in sentences:
        if correction.is_only_a_mark(sentence.text):
            begin = sentence.begin if begin is None else begin
            continue
        found.append(sentence if begin is None else replace(sentence, begin=begin))
        begin = None
    if begin is not None and found:
        found[-1] = replace(found[-1], stop=sentences[-1].stop)
    return found


class _Line:
    """Whose words a sentence is: "Ana: I moved. I like it here." is Ana's to the end of its line."""

    def __init__(self, setting: Setting) -> None:
        self.content, self.speaker = setting.message.content, setting.cast.speaker
        self.quote: reported.Quote | None = None
        self.stop = 0

    def reported(self, sentence: Sentence) -> reported.Quote | None:
        """Return another's words that a sentence is, or None where the speaker's own stand."""
        before, is_new_line = self.quote, "\n" in self.content[self.stop : sentence.begin]
        self.stop = sentence.stop
        self.quote = reported.quote(sentence.text, self.speaker)
        if self.quote is None and before is not None and (before.goes_on or (before.is_line and not is_new_line)):
            self.quote = before.followed_by(sentence.text)
        return self.quote


def _is_foreign(sentence: Sentence, setting: Setting) -> bool:
    """True for a sentence that is kept word for word: in another language, or too long to be read."""
    text = sentence.text
    if len(text) > when.LONGEST:
        return setting.message.origin != "assistant" and _has_substance(text)
    if chatter.is_question(text) or text.lower().startswith("thank"):
        return False
    told = small_talk.told(text)
    if chatter.is_own(text):
        return told != "" and _has_substance(text)
    return _has_substance(told, words_wanted=4, signs_wanted=9)


def _has_substance(text: str, *, words_wanted: int = 3, signs_wanted: int = 4) -> bool:
    """Enough words, or characters of a script that sets no spaces; chosen: "molto bello", "おめでとう" are no facts."""
    return len(words(text)) >= words_wanted or sum(not c.isascii() and c.isalpha() for c in text) >= signs_wanted


def _keep_english(sentence: Sentence, setting: Setting, kept: list[Kept], *, is_open: bool, before: str) -> bool:
    """Append what a sentence gives, and return True if the next one may point back to it."""
    begin, stop = sentence.begin, sentence.stop
    said = plain.spelled(plain.unmarked(sentence.text))
    said = _without_name(said, setting.cast.listener)
    said = asides.taken_back(said) if setting.is_to_assistant else said
    stated = answers.stated(setting.asked, said) if setting.asked and not before else None
    if stated is not None:
        kept.append(Kept(begin, stop, (stated,)))
        return True
    text, is_asked_for = _told(said)
    if passing.is_supposed(text):
        return False
    wish = wishes.standing(text, setting.cast) if setting.is_to_assistant else None
    if wish is not None:
        kept.append(Kept(begin, stop, (text,), wish=wish))
        return True
    text = with_subject(text)
    is_fact = claims.is_telling(text) or slots.read(text, "user") is not None
    if vague.is_empty(text) and not is_fact:
        return False
    is_pointing = vague.is_pointing(text) and not setting.is_to_assistant
    is_part = vague.is_part(text) and _NEAR.match(text) is None and not setting.is_to_assistant
    is_loose = _leans(text) or (_is_open(text) and not setting.is_to_assistant)
    is_back, is_leaning = _points_back(text), (is_loose or is_pointing or is_part) and not claims.is_telling(text)
    if is_open and (is_back or is_leaning) and len(kept[-1].parts) < _JOINED and not kept[-1].wish:
        whole = " ".join((kept[-1].lead, *kept[-1].parts, text))
        is_told = not (
            chatter.is_question(text)
            or vague.is_shown(text)
            or (not setting.is_to_assistant and _THEY.search(text) and _is_they_open(whole))
        )
        if is_told and chatter.weight(text) >= 2:
            last = kept.pop()
            kept.append(Kept(last.begin, stop, (*last.parts, capital(text)), last.lead))
        return True
    if _is_statement(text, is_back=is_back, is_asked_for=is_asked_for):
        lead = _lead(setting, kept, before, text) if is_leaning else ""
        is_reaction = is_part and chatter.weight(text) < _LIGHT_PART and not is_about_the_speaker(text)
        if is_leaning and not lead and (is_loose or is_reaction or chatter.weight(text) < _PLAIN_SHORTEST):
            return False
        facts = [text] if lead else parting.parted(vague.indefinite(text))
        told = [_introduced(fact, setting.cast.speaker) for fact in facts]
        kept.extend(Kept(begin, stop, (fact,), lead) for fact in told if fact)
        return True
    is_asked = chatter.weight(setting.asked) > 0 if is_back else setting.asked != ""
    is_first = not before or chatter.weight(chatter.strip_ends(before)) <= 1
    if is_asked and is_first and not kept and _is_answer(text) and not _is_only(text, setting.cast.listener):
        whole = f"{setting.asked} {text}"
        is_dim = chatter.weight(text) < _PLAIN_SHORTEST and _is_dim(setting.asked)
        if (
            is_back
            and not _DETAIL.search(text)
            and (is_dim or _is_they_open(whole) or _is_she_open(setting.asked, text))
        ):
            return False
        answer = capital(said) if answers.is_yes_or_no(said) else text
        kept.append(Kept(begin, stop, (answer,), f'Asked "{setting.asked}"'))
        return True
    return False


def _lead(setting: Setting, kept: Sequence[Kept], before: str, text: str) -> str:
    """Return what a sentence leans on: the one before it, else what the other speaker said."""
    if before:
        quoted = before.replace('"', "'")
        return f'After "{quoted}"' if len(before) <= _LONGEST_LEAD and stands(before) else ""
    if kept or not (setting.asked or stands(setting.told)):
        return ""
    if _is_they_open(text) and _is_they_open(f"{setting.asked} {text}") and not stands(setting.told):
        return ""
    return f'Asked "{setting.asked}"' if setting.asked else f'After "{setting.told}"'


def stands(told: str) -> bool:
    """True for what another sentence may lean on, because it does not lean itself."""
    text = chatter.strip_ends(told)
    if chatter.weight(text) < _LIGHT or _ANAPHOR.match(text) or _leans(text) or _is_open(text):
        return False
    return not (chatter.is_talk(text) or vague.is_empty(text) or vague.is_pointing(text))


def _points_back(text: str) -> bool:
    if _ANAPHOR.match(text):
        return _NOBODY.match(text) is None and not claims.is_telling(text)
    pointer = _POINTS.search(text)
    if pointer is None or chatter.weight(text) > _LIGHT or _NOUN.search(text, 0, pointer.start()):
        return False
    if slots.read(text, "user") is not None:  # "I no longer work there"
        return False
    clause = _CLAUSE.match(text, 0, pointer.start())  # "I'm allergic to cats and can't be around them"
    return clause is None or chatter.weight(clause.group()) == 0 or _POINTER.search(clause.group()) is not None


def _leans(text: str) -> bool:
    """True for a sentence whose pronoun comes before any noun: it goes with what was said before, if anything was."""
    if _ELSEWHERE.search(text):
        return True
    pronoun = _PRONOUN.search(text)
    if pronoun is None or opens_with_a_name(text):
        return False
    before = text[: pronoun.start()]
    return chatter.weight(before) <= 1 and not any(noun.search(before) for noun in (_NOUN, _PLURAL))


def _is_open(text: str) -> bool:
    """True where a pronoun has nothing before it that it could mean, however much else the sentence says."""
    if vague.is_bare(text) or _is_they_open(text):
        return True
    she, it = _SHE.search(text), _OBJECT.search(text)
    if she is not None and not _NOUN.search(text, 0, she.start()) and not opens_with_a_name(text):
        return True
    before = _MUCH.sub("", text[: it.start()]) if it is not None else ""
    return bool(before) and chatter.weight(before) <= _LIGHT and _NOUN.search(before) is None


def _is_dim(asked: str) -> bool:
    """True for a question that points back and names nothing: "Was it hard to get there?"."""
    return _DIM.search(asked) is not None and _NOUN.search(asked) is None


def _is_she_open(asked: str, text: str) -> bool:
    """True for "She's so cute." after a question that names nobody."""
    return re.match(r"(?:and |but |so )?s?he\b", text, re.IGNORECASE) is not None and not (
        _SHE.search(asked) or re.search(r"(?<=[a-z,] )[A-Z][a-z]|\b(?:your|the|that|an?) \w", asked)
    )


def _is_they_open(text: str) -> bool:
    """True where nobody and nothing stands before the first "they" that it could mean."""
    they = _THEY.search(text)
    return they is not None and not _MANY.search(text, 0, they.start())


def _without_name(said: str, listener: str | None) -> str:
    """Return the sentence without the listener's name before or after it ("Bob, I moved")."""
    if not listener or listener.split()[0] not in said:
        return said
    name = re.escape(listener.split()[0])
    shorter = re.sub(rf"^(?:\w+,? )?{name}(?:,|[!.]+) (?=\w)|,? (?<=, ){name}(?=[.!?]*$)", "", said)
    return shorter or said


def _told(said: str) -> tuple[str, bool]:
    """Return a sentence without what leads up to it, and whether it was asked to be remembered."""
    text = asides.without_question(asides.without_lead(chatter.strip_ends(said)))
    rest = asides.to_keep(text)
    return (text, False) if rest is None else (capital(chatter.strip_ends(rest)), True)


def _is_answer(text: str) -> bool:
    """Short or pointing back, and yet it says something."""
    return not chatter.is_talk(text) and chatter.weight(text) >= (2 if _ANAPHOR.match(text) else 1)


def _is_only(text: str, name: str | None) -> bool:
    """True for "Yeah Bob!": a name apart, nothing is said."""
    return name is not None and not set(words(text)) - set(words(name)) - set(
        words("yes yeah yep sure no nope hey hi ok")
    )


def _is_statement(text: str, *, is_back: bool, is_asked_for: bool) -> bool:
    if claims.is_telling(text):  # "no longer in the choir"
        return True
    if is_back or chatter.is_talk(text) or (passing.is_task(text) and not is_asked_for):
        return False
    if slots.read(text, "user") is not None:  # "Nantes is home now", "Forget what I said about the tent"
        return True
    weight = chatter.weight(text)
    if is_asked_for:
        return weight > 0
    if vague.is_fragment(text) and not is_about_the_speaker(text):
        return False
    verb, _, rest = text.partition(" ")
    if is_joined(verb.lower(), rest.split(" ")[0]) and not is_elided(text) and not _STATES.match(rest):
        return False  # "hold onto those moments", "book a table"
    if is_about_the_speaker(text):
        return weight >= _OWN_SHORTEST or _DETAIL.search(text) is not None
    if weight >= _PLAIN_SHORTEST:
        return True
    is_firm = (
        opens_with_a_name(text)
        or _NEAR.match(text) is not None
        or (_DETAIL.search(text) is not None and _STATES.search(text) is not None)
    )
    return is_firm and weight >= _NAMED_SHORTEST


def _introduced(fact: str, speaker: str) -> str:
    """Return "I'm Tomasz." as "My name is Tomasz."; "" where the speaker is called so already."""
    match = _I_AM.match(fact)
    reading = slots.read(fact, "user") if match else None
    if match is None or reading is None or reading.slot.attribute != "name" or is_elided(match["name"].lower()):
        return fact
    return "" if name_of(match["name"]) == name_of(speaker) else f"My name is {match['name']}."
