"""A statement as clauses: who it is about, what is said of them, and whether it is denied, wished or past.

"Turns out Ana no longer lives in Lyon" → subject "Ana", predicate " lives in Lyon", denied.
Statements are read in the third person; with a speaker, "I live in Lyon" is read too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from perdure.offline.person import Cast, named, third

_KIN: Final = (
    r"(?:sister|brother|mother|mom|mum|father|dad|parents|wife|husband|partner|girlfriend|boyfriend|spouse|fianc[ée]e?|ex|"
    r"son|daughter|kids?|child|children|baby|twins?|friend|cousin|aunt|uncle|niece|nephew|grand(?:ma|pa|mother|father|son|"
    r"daughter|parents)|family|boss|manager|colleague|coworker|co-worker|neighbou?r|roommate|flatmate|housemate|landlord|"
    r"teacher|doctor|therapist|teammate|team|company|in-laws|step(?:mother|father|son|daughter|mom|dad)|"
    r"(?:mother|father|sister|brother)-in-law|dog|cat|client|student|ancestors?|bandmate|buddy)"
)
NAME: Final = (
    r"(?:Dr\.? |Mr\.? |Mrs\.? |Ms\.? )?[A-ZÀ-Þ][\w'’-]*(?: (?:de|van|von|der|la) )?(?: (?:& )?[A-ZÀ-Þ][\w'’-]*){0,2}"
)
NAMED: Final = r"(?:[Tt]he user|[Uu]ser|[A-ZÀ-Þ][\w-]*(?: [A-ZÀ-Þ][\w-]*)?)"
_REL: Final = rf"'s (?:[a-z-]+ )?{_KIN}(?!\w)(?: (?!(?:and|is|has)\b)[A-ZÀ-Þ][\w-]*)?"
_SUBJECT = (
    rf"(?P<before>(?:{NAMED}(?:'s (?:[a-z]+ )?[a-z]+)?|the (?:kids|family)) and )?(?P<base>{NAMED})(?P<rel>{_REL})?"
    rf"(?P<after> and (?:others\b|{NAMED}(?:'s (?:[a-z]+ )?[a-z]+)?(?= )))?(?P<rest>(?: |'s |').*)"
)
# What may open a statement without a bearing on whether it is so.
_LEAD = re.compile(
    r"(?:[\w',]+ ){0,5}(?:news|update|reminder|info|told you|for you|the assistant|fun fact|thing)(?: for (?:you|the assistant))?: |"
    r"(?:(?:it )?turns? out(?: that)?|it turned out(?: that)?|apparently|(?:big|good|bad|great|sad|quick|exciting|small|little|fun|huge|life"
    r"|more)? ?(?:news|update)(?: flash)?|fyi|btw|by the way|just so you know|just to let you know|for the record|guess what|heads up|note(?: that)?|correction"
    r"|scratch that|my mistake|my bad|oops|i misspoke|i was wrong|wait|hold on|to be (?:clear|precise|exact|honest)|actually|sorry|no|nope|well|so|ok|okay|oh|yes|yeah|also"
    r"|hey|hi|hello|anyway|finally|sadly|unfortunately|luckily|fortunately|happily|thankfully|honestly|currently|now|nowadays|these days|at the moment|recently|lately|today|yesterday"
    r"|as it happens|as you know|long story short|remember(?: that)?|surprise|it['’]?s official|(?:i|we) did it|not any ?more|plot twist|well then|in fact|believe it or not)"
    r"\s*(?:[,.:;!…-]+\s*|(?<=that)\s+|(?<=out)\s+|(?<=apparently)\s+|(?<=currently)\s+|(?<=recently)\s+|(?<=actually)\s+|(?<=now)\s+|(?<=finally)\s+|(?<=days)\s+|(?<=moment)\s+)"
    r"|(?:on|in|at|since|for|after|following|as of|from|starting|over|during|around|last|this|earlier|late|early)\b(?! (?:my|your|a|the) (?:dreams?|movie|film|book|novel|game|story|play|show|series)\b| (?:theory|case|paper)\b| an? (?:perfect|ideal)\b)"
    r"[^,.;!?\"]{1,50}, |(?:a|an|one|two|three|few|some) (?:[a-z]+ ){0,2}(?:days?|weeks?|months?|years?) (?:ago|later|back),? "
    r"|(?:both|all)(?: of)? (?=(?:the user|[A-Z][\w-]*)'s )"
    r"|(?:on|in|around) (?:the [a-z]+ of )?(?:\d{1,2} )?(?:[a-z]+ )?\d{4},? |(?:last|this) (?:week|month|year|weekend|spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august|september|october|november|december) ",
    re.IGNORECASE,
)
_ANNOUNCES = re.compile(
    rf"{NAMED} (?:(?:is|are) (?:happy|glad|excited|proud|pleased|sad|sorry|thrilled|delighted) to (?:say|report|announce|share)"
    rf"|(?:should|forgot to|wants? to|wanted to|has to|have to|must|can) (?:mention|add|report|announce|say|admit|confess|tell \w+|correct (?:myself|themselves))"
    rf"|(?:just )?realized|(?:just )?found out|(?:can|cannot|can't) believe)(?: that)?[,:]? (?=(?:the user|{NAMED})\b)",
)
_SINCE = re.compile(r"(?:as of|since|from|in|on|around|at|after) [\w ]+", re.IGNORECASE)
_CAME_BACK = re.compile(
    r"(?:[\w']+ ){0,3}(?:(?:came|moved|went|is|are) (?:right )?back|returned(?= home|$|,| to [A-Z]| after)|regretted)\b",
    re.IGNORECASE,
)
_ELIDED = re.compile(
    r"(?:(?:just|recently|finally|officially|already|also) )*(?:moved|relocated|started|quit|sold|turned|became|switched|broke|split|divorced|retired|"
    r"stopped|gave up|bought|adopted|joined|left|resigned|changed|traded|no longer|graduated|dropped out|lost|got (?:a|promoted|hired|fired|laid|married|engaged|divorced|rid))\b",
    re.IGNORECASE,
)
_RATHER = re.compile(r"\bwould (?:much |now )?rather (?:have |get |drink |eat |take |use |see |watch |read |do |be )?")
_SAYS = re.compile(
    r"^[^:\"]{1,40} says: |^(?![^:]*\b(?:said|says|told|tells|wrote|writes|texted)\b)[^:\"]{2,40} [^:\"]{2,40}: (?=the user\b)"
)
_ADVERBS: Final = (
    r"(?:now|currently|actually|really|still|already|just|recently|finally|officially|mostly|usually|always|only|lately|happily|"
    r"permanently|basically|completely|totally|fully|definitely|absolutely|both|all|even|since then|these days|nowadays|at the moment|at present|"
    r"at long last|as of (?:late|today|now|this week|last week|yesterday)|once and for all|for good|instead|sadly|unfortunately|truly|simply|then|eventually|suddenly|proudly|no doubt)"
)
_ADVERB = re.compile(rf",? (?:{_ADVERBS})(?=$|[ ,.;!])")
_NOW = re.compile(
    r"\b(?:now|these days|nowadays|as of (?:today|now|late|this week|last week|yesterday)|recently|finally|officially|at long last|for good|instead|from now on|lately)\b"
    r"|\b(?:not|no longer) \w+ any ?more\b",
    re.IGNORECASE,
)
_NO_MORE = re.compile(r",? (?:any ?more|any longer)(?=$|[ ,.;!])")
_ALSO = re.compile(
    r"\b(?:also|too|as well|part[- ]time|on the side|second job|side (?:job|gig|hustle)|another|in addition|besides|on weekends|at weekends|"
    r"weekends|evenings|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|occasionally|sometimes|freelances?|volunteers?|volunteering|seasonal|moonlights?|both)\b",
    re.IGNORECASE,
)
# Wished, planned, supposed, told by others: nothing that follows in the sentence is so.
_HEDGE = re.compile(
    r"\b(?:want(?:s|ed)?|wish(?:es|ed)?|hop(?:es|ed|ing)|would|['’]d|might|(?-i:may)|maybe|perhaps|if|unless|think(?:s|ing)?|thought|plan(?:s|ned|ning)?|will|['’]ll|"
    r"going to|gonna|dream(?:s|t|ed|ing)?|could|should|considering|almost|nearly|probably|possibly|imagin(?:e|es|ed|ing)|pretend(?:s|ed|ing)?|"
    r"wonder(?:s|ing)?|next (?:week|month|year)|tomorrow|says|said|told|claims?|supposed|suppose|tried|trying|temporarily|temporary|interview(?:ed|ing)|appl(?:ied|ying|ies)|"
    r"whether|(?:mostly|mainly|semi|half|part-time|weekday)[- ](?=vegan|vegetarian|pescatarian)|according to|as though|hypothetically|rumou?rs?|joke[sd]?|joking|soon)\b",
    re.IGNORECASE,
)
_TAKES_BACK = re.compile(r"(?:forget|ignore|disregard|scratch|delete|erase|never ?mind)\b", re.IGNORECASE)
# So for a while, or once: what is said afterwards takes the statement back.
_PASSING = re.compile(
    r"\bfor (?:an?|the|this|two|three|four|five|six|\d+|a few|a couple of|some|another)(?: \w+)? ?(?:nights?|days?|weeks?|months?|weekends?|summers?|winters?|semesters?|term|holidays?|season|while|time being)\b"
    r"|\b(?:for now|until|till|while|back then|back in|in (?:[\w']+ ){1,2}(?:childhood|youth|teens|twenties|thirties|past life|dreams?)|as (?:a|an) (?:\w+ )?(?:child|kid|boy|girl|teen\w*|student|baby|toddler|young \w+)"
    r"|when [\w' ]{1,30} (?:was|were)\b|years ago|ages ago|long ago|growing up|originally|formerly|once upon|in (?:the|a) (?:game|dream|book|story|play|movie|film|novel|show)|on paper"
    r"|during the (?:week|summer|winter|holidays|semester)|half (?:of )?the (?:week|year|time)|every (?:summer|winter|weekend|other)|in (?:the )?(?:summer|winter|summers|winters)"
    r"|on (?:vacation|holiday|business)|this (?:week|weekend|summer|month) only|to visit|by mistake|for (?:work|business) trips?)\b",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"^ (?:(?P<be>is|are|was|were) )?(?P<longer>no longer) (?P<a>.*)|^ (?:does|do) not (?:even )?(?P<b>.*)|^ (?P<be2>is|are) not (?P<c>.*)"
    r"|^ (?:stopped|quit|ceased|gave up|given up|swore off|got out of|got tired of|got sick of) (?P<d>\w+ing\b.*)|^ used to (?P<e>.*)|^ never (?P<f>\w+s\b.*)|^ (?:has|have) not (?P<h>(?:lived|worked) (?:in|at|for) .*)|^ (?:cannot|could not) (?P<g>(?!stand|bear|wait|help|live without)\w+ .*)"
)
_CONTRACTIONS = (
    (
        r"\b(?P<denied>(?:not|n't|no longer) (?:an? )?[\w-]+(?: any ?more| any longer)?), (?:just|only) (?=(?:an? )?[\w-]+\W*$)",
        r"\g<denied> but is ",
    ),
    (r"(?<=\blast day) (?P<at>(?:at|with|in) [\w .&-]{2,40}?) will be\b", r" \g<at> is"),
    (r"\bcan'?t\b|\bcan not\b", "cannot"),
    (r"\bwon't\b", "will not"),
    (r"(?<=\w)n't\b", " not"),
)
_HAD_TO = re.compile(r"^ (?:had to|managed to) (?P<verb>[a-z]+)")
_PAST = {
    "sell": "sold", "give": "gave", "stop": "stopped", "leave": "left", "move": "moved", "get": "got", "drop": "dropped",
    "cancel": "cancelled", "break": "broke", "switch": "switched", "change": "changed", "relocate": "relocated",
    "resign": "resigned", "rehome": "rehomed", "return": "returned",
}  # fmt: skip
_PERFECT = re.compile(
    r"^ (?:has|have) (?=(?:moved|relocated|pulled|backed|signed|entered|enrolled|registered|sold|quit|left|started|joined|become|became|gone|given|got|gotten|changed|switched|turned|traded|swapped|"
    r"replaced|stopped|adopted|bought|broken|split|divorced|separated|married|retired|dropped|finished|graduated|lost|transferred|settled|emigrated|"
    r"ditched|cancelled|canceled|upgraded|outgrown|converted|grown)\b)"
)
_JOINT = re.compile(
    r",? (?P<word>and|but|so|then|yet)(?: (?:also|now|then|so|instead))? |(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bSt)(?<!\bMrs)(?<!\bProf)[.;!] |, (?:now |and now |but now )?(?=[Tt]he user\b)|, (?=(?:sold|quit|left|moved|started|became|stopped|gave up|got rid of)\b)| (?=because |since |after )"
)
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”")
_MOST_CLAUSES = 6  # of a statement that are read; chosen
_LONGEST = 600  # characters of a statement that are read; chosen: what settles a fact stands early


@dataclass(frozen=True, slots=True)
class Clause:
    """One subject and what is said of it, in plain form: no adverbs, contractions written out, denial taken off."""

    subject: str
    predicate: str  # " lives in Lyon", "'s name is Bob", " &Tom broke up" (a companion stands behind the "&")
    whole: str  # the clause with its subject, for wordings whose subject comes last
    is_first: bool = True
    is_denied: bool = False  # " no longer lives in Lyon" is denied, and its predicate is " lives in Lyon"
    is_ended: bool = False  # "no longer", "any more", "used to": it was so before
    is_now: bool = False  # it speaks of the present as against before
    is_also: bool = False
    is_hedged: bool = False


@lru_cache(maxsize=1_024)  # several readers ask for the clauses of one text, one after the other
def clauses(text: str, speaker: str | None = None) -> tuple[Clause, ...]:
    """Return the clauses of a statement, each in every way to part its subject from its predicate.

    A later clause without a subject of its own takes the one before.  `speaker` is who "I" would be.
    """
    return tuple(_clauses(*_plain(text, speaker)))


def _clauses(statement: str, self_name: str | None) -> Iterator[Clause]:
    pieces = list(_pieces(statement))
    subject, held = self_name or "", ""
    is_hedged = any(_CAME_BACK.match(piece) for _, piece in pieces[1:])
    for number, (word, piece) in enumerate(pieces):
        if number == _MOST_CLAUSES:
            return
        if word in ("but", ";", "!", "yet"):
            is_hedged = False
        if re.match(r"(?:because|since|after) ", piece):
            continue
        held = _led(piece, self_name) if number else piece
        found = re.match(_SUBJECT, _capital(held)) if piece[:1].isupper() or piece.startswith("the user") else None
        is_hedged = is_hedged or (_HEDGE.search(held) is not None and not _TAKES_BACK.match(held))
        if found is None and number and subject:
            found = re.match(_SUBJECT, f"{subject} {held}")
        if found is None:
            if number == 0:
                yield Clause(self_name or "", "", held, is_hedged=is_hedged)
            continue
        subject = found["base"] + (found["rel"] or "") if number == 0 or found["base"] else subject
        yield from _splits(found, held, is_first=number == 0, is_hedged=is_hedged)


def _plain(text: str, speaker: str | None) -> tuple[str, str | None]:
    """Return the statement in the third person without its opening, and how its speaker is called."""
    plain = text.strip()[:_LONGEST].replace("’", "'")
    if speaker is None and re.search(r"\b(?:I|I'\w+|my|My|me|we|We|our|Our)\b", plain):
        speaker = "user"
    self_name = named(speaker) if speaker else None
    if self_name:
        plain = third(plain, Cast(self_name))
    for source, written in _CONTRACTIONS:
        plain = re.sub(source, written, plain)
    plain = _RATHER.sub("prefers ", plain)
    says = _SAYS.match(plain)
    plain = _led(plain[says.end() :] if says else plain, self_name)
    if self_name and _ELIDED.match(plain):
        plain = f"{self_name} {plain[0].lower()}{plain[1:]}"
    elif self_name:
        plain = re.sub(r"^[Tt]he (?=[a-z])(?!user\b|assistant\b|human\b)", f"{self_name}'s ", plain)
    return _capital(plain), self_name


def _led(plain: str, self_name: str | None) -> str:
    """Return the statement without what opens it; the speaker's name, spelt small, is spelt as a name."""
    lead_end = -1
    while lead_end:
        lead = _LEAD.match(plain) or _ANNOUNCES.match(plain)
        place = plain.find(f" {self_name} ", 0, 60) + 1 if self_name else 0
        lead_end = lead.end() if lead else place if place and _SINCE.fullmatch(plain[: place - 1]) else 0
        plain = plain[lead_end:]
    if self_name and not self_name.startswith("the ") and plain.startswith(self_name):
        plain = _capital(plain)
    return plain


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _pieces(statement: str) -> Iterator[tuple[str, str]]:
    """Yield the word or mark before each clause, and the clause; "Tom and the user" is no joint, nor what is quoted."""
    quoted = [match.span() for match in _QUOTED.finditer(statement)]
    begin, word = 0, ""
    for joint in _JOINT.finditer(statement):
        if any(low < joint.start() < high for low, high in quoted):
            continue
        if joint["word"] == "and" and _joins_names(statement[begin : joint.start()], statement[joint.end() :]):
            continue
        yield word, statement[begin : joint.start()]
        begin, word = joint.end(), joint["word"] or joint.group().strip()
    yield word, statement[begin:].rstrip(" .!…")


def _joins_names(head: str, tail: str) -> bool:
    """True for "Tom and the user broke up", "the user and Tom", "peanuts and shellfish"."""
    is_bare = re.fullmatch(rf"(?:{NAMED}|the (?:kids|family))(?:'s (?:[a-z]+ )?[a-z]+)?", head) is not None
    return is_bare or re.match(r"others\b", tail) is not None


def _splits(found: re.Match[str], held: str, *, is_first: bool, is_hedged: bool) -> Iterator[Clause]:
    base, rel, rest = found["base"], found["rel"] or "", found["rest"]
    companion = (found["before"] or "").removesuffix(" and ") or (found["after"] or "").removeprefix(" and ")
    companions = [""] if companion in ("", "others") else [f" &{companion}", ""]
    for subject, predicate in [(base + rel, rest), (base, rel + rest)] if rel else [(base, rest)]:
        for beside in companions:
            yield _clause(subject, beside, predicate, held, is_first=is_first, is_hedged=is_hedged)


def _clause(subject: str, beside: str, predicate: str, held: str, *, is_first: bool, is_hedged: bool) -> Clause:
    is_now = _NOW.search(predicate) is not None
    is_also = _ALSO.search(predicate) is not None
    predicate = _ADVERB.sub("", re.sub(r" (?:also|too|as well)(?=$|[ ,.;!])", "", predicate))
    plain = _NO_MORE.sub("", predicate)
    is_ended = plain != predicate
    plain = _HAD_TO.sub(lambda match: f" {_PAST.get(match['verb'], match['verb'])}", plain)
    plain = re.sub(r"^ (?:has|have) been(?= )", " is", _PERFECT.sub(" ", plain)).replace("  ", " ")
    denied = _NOT.match(plain)
    if denied:
        be = denied["be"] or denied["be2"]
        rest = next(group for group in (denied[g] for g in "abcdefgh") if group is not None)
        plain = f" {be} {rest}" if be else re.sub(r"^ (?:be|being) ", " is ", f" {rest}")
        plain = re.sub(r"^ (live|work)(?:e?d) ", r" \1 ", plain)
        is_ended = is_ended or denied["longer"] is not None or any(denied[g] is not None for g in "deh")
    elif is_ended:
        is_ended = False
    subject = re.sub(r"^(?:the )?user\b", "the user", subject, flags=re.IGNORECASE)
    is_passing = _PASSING.search(plain) is not None
    return Clause(
        subject, beside + plain, held, is_first, denied is not None, is_ended, is_now, is_also, is_hedged or is_passing
    )
