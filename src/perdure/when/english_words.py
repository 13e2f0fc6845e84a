"""English words of time: names, numbers, and the cues of past and future."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from perdure.when.tense import Cues

WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
MONTHS = "january february march april may june july august september october november december".split()
_ONES = dict(zip("one two three four five six seven eight nine".split(), range(1, 10), strict=True))
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = dict(zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), range(20, 100, 10), strict=True))
COUNTS = {**_ONES, **{word: i for i, word in enumerate(_TEENS.split(), 10)}, **_TENS, "a": 1, "an": 1}

DAY_NAMES = r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|wed|thu(?:rs)?|fri"
MONTH_NAMES = "|".join(f"{m[:3]}(?:{m[3:]})?" if len(m) > 3 else m for m in MONTHS) + "|sept"
NUMBER = rf"\d{{1,3}}|(?:{'|'.join(_TENS)})(?:[-\s](?:{'|'.join(_ONES)}))?|" + "|".join(
    w for w in COUNTS if w not in _TENS
)
FEW = r"(?P<few>a\s+few|several|some|a\s+couple(?:\s+of)?|couple\s+of|many)"
UNIT = r"(?P<unit>day|night|weekend|week|fortnight|month|year|decade|" + "|".join(WEEKDAYS) + ")s?"


@dataclass(frozen=True, slots=True)
class Distance:
    """So many units, or between `count` and `most` of them."""

    unit: str
    count: float
    most: float = 0.0
    is_vague: bool = False

    @property
    def is_exact(self) -> bool:
        """True for a plain number of a unit that the calendar has."""
        return self.count == int(self.count) and not self.most and not self.is_vague and self.unit != "decade"


DISTANCE = (
    rf"(?:(?P<half>half)\s+an?|(?P<count>{NUMBER})(?:\s*(?:-|–|or|to)\s*(?P<most>{NUMBER}))?(?P<more>\.5|\s+and\s+a\s+half)?)"
    rf"\s+{UNIT}(?P<plus>\s+and\s+a\s+half)?(?P<or>\s+or\s+(?:so|two|more))?"
)


def number_of(word: str) -> int:
    """Return the number that a word or digits say.

    >>> number_of("twenty-five"), number_of("a"), number_of("12")
    (25, 1, 12)
    """
    if word.isdecimal():
        return int(word)
    return sum(COUNTS[part] for part in re.split(r"[-\s]+", word.lower()))


def distance_of(match: re.Match[str]) -> Distance:
    """Return what a match of DISTANCE says.

    >>> distance_of(re.match(DISTANCE, "two and a half years"))
    Distance(unit='year', count=2.5, most=0.0, is_vague=False)
    """
    unit = match["unit"].lower()
    if match["half"]:
        return Distance(unit, 0.5)
    count = number_of(match["count"]) + (0.5 if match["more"] or match["plus"] else 0.0)
    most = number_of(match["most"]) if match["most"] else 2.0 if match["or"] and match["or"].endswith("two") else 0.0
    return Distance(unit, count, most, is_vague=match["or"] is not None)


def weekday_of(name: str) -> int:
    """Return 0 for Monday by its name or its beginning."""
    return next(i for i, full in enumerate(WEEKDAYS) if full.startswith(name.lower()[:3]))


def month_of(name: str) -> int:
    """Return 1 for January by its name or its beginning."""
    return next(i for i, full in enumerate(MONTHS, 1) if full.startswith(name.lower()[:3]))


_SHIFTED = (
    r"moved|moving|postponed|rescheduled|pushed(?:\s+back)?|put\s+off|delayed|shifted|brought\s+forward|slip(?:s|ped)?|"
    r"extended|deferred|advanced|changed|switched|set\s+back|held\s+over"
)
MOVED_TO = re.compile(rf"\b(?:{_SHIFTED})(?:\s+[\w']+){{0,4}}?\s+(?:to|until|till|by|for)\s+$", re.IGNORECASE)
MOVED_FROM = re.compile(rf"\b(?:{_SHIFTED})(?:\s+[\w']+){{0,4}}?\s+from\s+$", re.IGNORECASE)
_PUNCTUAL = (  # verbs of what happens once, whose present tells what is planned
    "start begin open close launch leave depart arrive return graduate retire expire end finish land premiere ship move "
    "come get defend turn marry travel meet join fly"
).split()
IRREGULAR = (
    "was were wasn't weren't had went got saw came took made met gave found left bought began felt told said ran won lost "
    "ate drank drove flew wrote read spoke taught thought brought caught heard held kept led paid sent sold sang swam threw "
    "wore woke broke chose fell grew knew spent built became hung rode put set hurt cut hit been done gone quit slept sat "
    "stood seen taken eaten given driven flown written spoken broken chosen fallen grown known worn woken forgot forgotten "
    "lent dealt drew drawn fought froze frozen hid hidden shook stole stolen stuck struck swore tore torn understood dreamt "
    "learnt burnt begun sung swum thrown ridden bitten bit hung laid shot spun lit dug"
).split()


@cache
def cues() -> Cues:
    """Return the cues, compiled at first use."""
    state = r"set|scheduled|planned|booked|due|expected|postponed|rescheduled|delayed|closed|open|supposed|invited"
    punctual = "|".join(_PUNCTUAL)
    future = (
        r"\bgets?\s+(?:married|engaged|discharged|promoted)\b|(?:\b(?:will|won't|shall|must|should|can|to)|'ll)\s+(?:\w+ly\s+|also\s+|not\s+)?be\s+\w+"
        r"|\b(?:will|won't|shall|gonna|going\s+to|about\s+to|see\s+you|let's|let\s+me|tomorrow|upcoming|hopefully|soon)\b|'ll\b"
        r"|\b(?:plan(?:s|ning)?|hop(?:e|es|ing)|want(?:s)?|excited|ready|prepar\w+|look(?:s|ing)?\s+forward|can't\s+wait|would)\b"
        r"|\b(?:deadline|appointment|due|scheduled|must|have\s+to|has\s+to|need(?:s)?\s+to|should|can|remind)\b"
        rf"|\b(?:I|we|they|you|\w+s)\s+(?:also\s+|then\s+|only\s+)?(?:{punctual})\b|\b(?:{punctual})e?s\b|\b(?:flies|marries)\b"
        rf"|(?:\b(?:is|are|am)|'s|'re|'m)\s+(?:\w+ly\s+|now\s+)?(?:{state})\b|\bsupposed\s+to\b|\bmight\b|(?-i:\bmay\b)"
        r"|\b(?:agreed|promised|arranged|planned|invited|told|asked)(?:\s+\w+){0,2}?\s+to\s+\w+"
        r"|(?:\b(?:is|are)|'s)\s+(?=(?:on|this|in|from|at)\b)"
        r"|(?:\b(?:have|has)|'ve)\s+(?:got\s+)?(?:an?|another|my|our|the|two|three|some)\b|\bthere(?:'s|\s+is|\s+are)\b"
        r"|\b(?:'m|am|is|are|'re|'s)\s+(?:\w+ly\s+)?(?!going\s+to\b)\w{2,}ing\b(?:\s+(?:married|engaged|discharged|promoted)\b)?"
    )
    past = (
        rf"\b(?:(?:was|were)\s+due|did(?:n't)?(?:\s+not)?(?:\s+\w+)?|{'|'.join(IRREGULAR)}|(?!(?:need|indeed|bed|red|wed|excited|speed)\b)\w{{2,}}ed)\b"
        r"|\b(?:haven't|hasn't|hadn't)\b|'ve\b(?!\s+got)|'d\s+been\b"
    )
    recurring = (
        r"\b(?:born|birthdays?(?!\s+(?:party|parties|dinner|lunch|trip|celebration))|anniversary|every|each|always|usually|often|"
        r"never|annual(?:ly)?|yearly|typically|normally)\b"
    )
    event = r"interview|appointment|audition|exam|viewing|scan|operation|surgery|hearing|date"
    ahead = (  # what is got, or entered for, lies ahead of the getting
        r"\b(?:got|have|bought|booked)\s+(?:[\w']+\s+){0,2}?(?:tickets?|seats?|places?)\s+(?:for|to)\s+(?:[\w'-]+\s+){1,5}?(?:on\s+)?$"
        rf"|\bgot\s+(?:an?|my|the)\s+(?:[\w'-]+\s+){{0,2}}?(?:{event})\s+(?:on\s+)?$"
        r"|\b(?:signed\s+up|registered|enrolled|entered)\s+(?:for|in)\s+(?:[\w'-]+\s+){1,3}?(?:marathon|race|run|triathlon|course|"
        r"workshop|tournament|contest|competition|exam|conference|retreat|trip|tour)\s+(?:on\s+)?$"
        rf"|\b(?:day|deadline|wedding|flight|move|party|concert|trip|start|{event})\s+(?:is|are)\s+$"
    )
    return Cues(
        re.compile(future, re.IGNORECASE),
        re.compile(past, re.IGNORECASE),
        re.compile(recurring, re.IGNORECASE),
        before=re.compile(
            rf"{MOVED_TO.pattern}|\b(?:for|by|(?<!was )(?<!were )due)\s+(?:on\s+)?$|{ahead}", re.IGNORECASE
        ),
    )
