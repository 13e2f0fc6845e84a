"""What a question asks for, and what can be an answer: a question is none, nor is small talk.

A message that only asks or chats never counts as support.
A table of question words and of the wording in which an answer to them stands ("where … live", "moved to").  English;
what is not listed leaves the confidence as it is.
"""

# ruff: noqa: E501 - patterns

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from perdure.text import OPENERS, STOP_WORDS

SHORT = 240  # characters; a longer message says something; chosen

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")
_NAME = re.compile(r"(?<![.!?] )\b[A-Z][^\W\d_]+")
_FIRST = re.compile(r"\b(?:I|I'\w+|my|me|mine|we|our|us)\b", re.IGNORECASE)
_KIN = re.compile(
    r"\b(?:wife|husband|partner|girlfriend|boyfriend|fianc[ée]e?|spouse|sister|brother|mother|father|mom|mum|dad|son|daughter|aunt|"
    r"uncle|cousin|niece|nephew|grand\w+|boss|landlord|landlady|dog|cat|best friend)\b",
    re.IGNORECASE,
)
_SAME = {"mom": "mother", "mum": "mother", "dad": "father", "spouse": "husband"}
_SMALL_TALK = frozenset(
    """
    ok okay yes yeah yep yup no nope nah sure haha hehe lol hey hi hello bye thanks thank cheers noted understood got cool nice
    great good lovely wow oh ah right well fine awesome amazing sounds sorry welcome please morning evening night see you ya
    later know alright exactly indeed true absolutely definitely totally glad hear congrats congratulations cute done tell
    love that's it's i'll mind keep let
    """.split()
)

_NUMBER = r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty|thirty|forty|fifty)\b"
_TIME = (
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|june|july|august|september|october|"
    r"november|december|spring|summer|autumn|winter|morning|afternoon|evening|night|today|tonight|tomorrow|yesterday|week\w*|"
    r"month|year|noon|daily|every|christmas|easter)\b"
)
_LOOKS_UP = re.compile(
    r"\W*(?:(?i:what|which|who|whose|when|where|how (?:many|much|old|tall|long|far))\b"
    r"|(?i:do|does|did|am|was|were|have|has)\s+(?:I|[Ww]e|[Mm]y|[Oo]ur|[Hh]e|[Ss]he|[A-Z]\w+)\b)"
)
_ADVICE = re.compile(
    r"\b(?:should|shall|could|can|would|recommend\w*|suggest\w*|advice|advise|good|best|better|idea\w*|might|worth|bring|cook|order"
    r"|gift|present|wear|tonight|going to|next|some(?:where|thing)|thinking|fancy)\b",
    re.IGNORECASE,
)
# Question → (wording of an answer, whether the wording itself names what is asked for).
_TABLE: tuple[tuple[str, str, bool], ...] = (
    (
        r"where\b.*\b(?:live|living|home|house|based|reside)|(?:which|what) (?:city|town|country)\b.*\blive|\bhome address",
        r"\b(?:live[sd]?|living|moved? (?:in)?to|moving to|relocat\w+|based in|settled in|resid\w+|(?:house|flat|home) (?:in|on))\b",
        True,
    ),
    (
        r"\b(?:employer|workplace)\b|where\b.*\bwork|who\b.*\bwork for|(?:which|what) company",
        r"\b(?:work(?:s|ed|ing)? (?:\w+ ){0,5}(?:at|for)|employ\w+|joined|job at|started at|(?:is|am|'m) an? (?:\w+ ){1,3}(?:at|for|with|in) )",
        True,
    ),
    (
        r"\b(?:for (?:work|a living)|job|profession|occupation)\b|what does\b.*\bdo\?",
        r"\b(?:work(?:s|ed|ing)? (?:at|for|as|in)|job|teach\w*|employ\w+|run(?:s|ning)? an?|(?:is|am|'m|was|be) (?:\w+ )?an? \w+)",
        True,
    ),
    (r"\b(?:car|drive|vehicle)\b", r"\b(?:driv\w+|car)\b", True),
    (r"\bbirthday\b|\bborn\b", r"\bbirthday\b|\bborn\b|\bturn(?:ed|s)\b", True),
    (r"\bhow old\b", r"\bturn(?:ed|s|ing)\b|\byears?[ -]old\b|\bage[ds]?\b|\bborn\b", True),
    (r"\b(?:phone|passport|microchip|account|licen[cs]e) number", r"\d{4}", False),
    (r"\be-?mail address|\bemail\?", r"@", False),
    (r"\bhow tall|\bheight\b", r"\btall\b|\bheight\b|\bcm\b|\bfeet\b|\d\.\d+ ?m\b", False),
    (
        r"\bhow long\b|\bhow fast\b",
        rf"(?:{_NUMBER}).*\b(?:year|month|week|day|hour|minute|min)s?\b|\bsince\b|\d",
        False,
    ),
    (r"\bhow (?:many|much)\b|\bsalary\b|\brate\b|\bsize\b", _NUMBER, False),
    (r"\bwhen (?:is|are|do|does|will)\b|what (?:time|day)\b", _TIME, False),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks for: the wordings of an answer, and of whom: names, kin, the speaker."""

    wording: re.Pattern[str] | None
    is_slot: bool
    names: frozenset[str]
    kin: frozenset[str]
    is_own: bool

    def without(self, ids: frozenset[str]) -> Asked:
        """Return the same, the scope's own ids no longer names."""
        if self.names.isdisjoint(ids):
            return self
        return replace(self, names=self.names - ids, is_own=True)


@lru_cache(maxsize=1)
def _table() -> tuple[tuple[re.Pattern[str], re.Pattern[str], bool], ...]:
    return tuple((re.compile(q, re.IGNORECASE), re.compile(a, re.IGNORECASE), slot) for q, a, slot in _TABLE)


@lru_cache(maxsize=256)
def asked(text: str) -> Asked:
    """Return what a question asks for.

    >>> asked("Where does my sister live?").kin
    frozenset({'sister'})
    """
    found = next(((answer, slot) for question, answer, slot in _table() if question.search(text)), (None, False))
    names = frozenset(
        name.casefold() for name in _NAME.findall(text) if name.casefold() not in STOP_WORDS and name not in OPENERS
    )
    return Asked(found[0], found[1], names - OPENERS, kin(text), _FIRST.search(text) is not None)


def looks_up(text: str) -> bool:
    """True for a question after a fact, which asks for no advice.

    >>> looks_up("Which bank do I use?"), looks_up("What should I cook?"), looks_up("Where's somewhere warm?")
    (True, False, False)
    """
    return _LOOKS_UP.match(text) is not None and _ADVICE.search(text) is None


def kin(text: str) -> frozenset[str]:
    """Return the kin, pets and superiors that a text speaks of, by one word each."""
    return frozenset(_SAME.get(one.casefold(), one.casefold()) for one in _KIN.findall(text))


def is_bare(content: str) -> bool:
    """True for a short message that only asks or holds no word of weight.

    >>> is_bare("Haha ok."), is_bare("How old is Marek?"), is_bare("I moved. Did you?")
    (True, True, False)
    """
    return len(content) <= SHORT and _is_bare(content)


@lru_cache(maxsize=4_096)
def _is_bare(content: str) -> bool:
    sentences = [one.strip() for one in _SENTENCE.findall(content)]
    told = [one for one in sentences if not one.endswith("?")]
    is_asking = len(told) < len(sentences)
    return not any(
        word.casefold() not in STOP_WORDS and word.casefold() not in _SMALL_TALK and not (is_asking and word.istitle())
        for one in told
        for word in _WORD.findall(one)
    )


def holds(question: Asked, text: str) -> bool:
    """True if a text holds the wording of an answer, of whom the question asks."""
    return question.wording is not None and is_of(question, text) and question.wording.search(text) is not None


def is_of(question: Asked, text: str) -> bool:
    """True if a text names all whom the question names, or where it names none but the speaker, is the speaker's."""
    folded = text.casefold()
    if question.names or question.kin:
        return all(name in folded for name in question.names) and question.kin <= kin(text)
    return not question.is_own or folded.startswith(("the user", "user:"))
