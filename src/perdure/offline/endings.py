"""What a new statement ends where no slot is known: it names the thing of an old one, and says that it is over.

"Stepped down from the council" → an end of what is said of a council.  Three claims are read: an ending, another figure
("the meeting is at 10 now"), another holder ("Ana is my landlady now").  All that a claim names must stand in the memory,
so that "sold my mountain bike" leaves an electric bike alone: what is missed costs a duplicate, what is guessed hides a
true fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, Literal

from perdure.models import Candidate, Effect, MemoryRecord
from perdure.offline import ending_cues as cues
from perdure.offline.figures import Figure, figures
from perdure.offline.held import Held, held, is_of, plain, tokens
from perdure.text import normal

_JOINT = re.compile(
    r"(?P<stop>[.;!?:]+\s+|\s[-–—]+\s)|,\s+(?:and |(?P<but>but )|so |then |because |since )?|\s(?:and(?! [A-TV-Z])|(?P<but2>but)|so|because|though|although|which|where|then)\s|\s(?:since|after|as)\s(?=U\b|the \w+ (?:is|was|has|had)\b|it\b|he\b|she\b|they\b)|[()]"
)
_LEAD = re.compile(
    r"^(?:(?:ok|okay|well|so|and|but|then|oh|yep|yes|yeah|nope|finally|sadly|unfortunately|luckily|thankfully|happily|anyway|btw|fyi|update|big news|news|guess what|you know what|also|actually|in the end|as it happens|well then|"
    r"officially|recently|just|now|never thought U would (?:say|see|admit) (?:it|this|that)(?: but)?)[ ,:]+|no, )+",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"^(?:after|since|following|in|on|at|from|as of|with|thanks to|due to|last|over|during|around|this|yesterday|today|\w+ (?:days|weeks|months|years) ago)\b[^,]{0,60}? (?=U\+? )",
    re.IGNORECASE,
)
_ADVERBS: Final = r"(?:(?:just|finally|recently|officially|now|actually|already|sadly|also|even|properly|formally|quietly|happily|reluctantly|eventually|since|only|all|both|then|long|well and truly|\w+ly) )*"
_SELF: Final = rf"(?:U\+? )?(?:has |have |had |'s )?(?:been )?{_ADVERBS}"
_DEFINITE = re.compile(r"^(?:all (?:of )?)?(?:U's|the|that|this|those|these|being (?:an?|the)|playing|using|doing) ?")
_NOT_MINE = re.compile(
    r"^(?:an?|some|another|one|two|three|any|every|each|his|her|their|your|other|more|no|it|him|them|me|\w+'s)\b",
    re.IGNORECASE,
)
_NP_END = re.compile(
    r" (?:in|on|at|to|for|from|with|because|since|so|when|while|last|this|yesterday|today|now|after|before|as|by|and|but|without|until|over|during|instead|altogether|completely|entirely|ages|years|months|weeks|a|an|two|three|"
    r"back|again|anymore|any|ago|early|late|too|once|permanently|forever|recently|already|though|of|into|there|here|that|which|who|where)\b"
)
_STRICT: Final = (
    r"(?:for good|altogether|completely|entirely|permanently|forever|for ever|once and for all|at (?:long )?last|any ?more|any longer|now|today|yesterday|already|recently|too|instead|in the end|though|cold turkey|for the last time|"
    r"(?:back )?in (?:the (?:week|month|spring|summer|autumn|fall|winter|morning|afternoon|evening|weekend|night) of )?(?:\d|[A-Z]).{0,20}|on (?:the (?:morning|afternoon|evening|weekend|night) of )?(?:\d|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day).{0,20}|"
    r"(?:last|this) (?:week|month|year|spring|summer|autumn|fall|winter|night|\w+day|january|february|march|april|may|june|july|august|september|october|november|december)|"
    r"(?:a|an|one|two|three|four|five|six|\d+|some|a few|several|a couple of|ages|years|months|weeks) ?(?:days?|weeks?|months?|years?)? ago|"
    r"at the (?:end|start|beginning) of .{1,25}|since (?:the )?[\w ]{3,20}|for (?:health|personal|medical|financial|money|family) reasons|as it happens|by (?:choice|mutual agreement)|of late|like that)"
)
_GIVEN: Final = r"(?:to|for|with|in favou?r of|on|via|through|by) .{1,60}"
_FORMER = frozenset(("do", "be", "have"))  # "used to love" may be said of what is loved still
_GONE_TO = frozenset(("have", "thing", "do"))
_WEAK: Final = frozenset(
    tokens(
        "work home house people friend money food water life world school town city room kid child night office day love may march time"
    )
)
_GROUPS: Final = frozenset(token for word in cues.GROUPS for token in tokens(word)) | cues.GROUPS
_BARE = re.compile(
    rf"^{_SELF}(?:quit|given up|gave up|stopped|packed it in|kicked the habit|kicked it|jacked it in|knocked it on the head|given it up|gave it up)(?: {_STRICT})*$"
)
_POINTS = re.compile(r"(?:it|they|that|the new one)\b", re.IGNORECASE)
_AGENT: Final = frozenset(
    "doctor gp consultant nurse boss manager council school landlord landlady vet dentist company client teacher coach organiser organizer publisher airline bank hospital clinic professor supervisor surgeon they".split()
)
_NEW_HOLDER: Final = (
    r"^(?:(?:an?|the) )?(?P<who>[^,]{2,40}?) (?:is|has become|became|has taken over as|took over as) (?:now )?U's (?:new |number one |current |main )?(?P<thing>[a-z][\w' -]*?(?: at [A-Z][\w ]+?)?)(?P<now> now| these days)?$|"
    r"^U's (?:new|current) (?P<thing2>[a-z][\w' -]*?) (?:is|'s) (?P<who2>.{2,40})$|^U's (?P<thing3>[a-z][\w' -]*?) (?:is|has become|became) (?:now (?P<who3>.{2,40})|(?P<who4>.{2,40}?) (?:now|these days))$"
)  # fmt: skip
_MANY: Final = frozenset(
    tokens(
        "sister brother son daughter child friend colleague cousin aunt uncle niece nephew cat dog pet student client neighbour hobby sibling twin roommate flatmate housemate problem goal hero fan"
    )
)


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that a statement says of whatever else speaks of the same."""

    owner: str
    does: Literal["ends", "moves", "corrects", "succeeds"]
    names: frozenset[str]  # what it names: all of it must stand in the memory
    kinds: frozenset[str] = cues.EVERY  # of memory that it can end
    about: frozenset[str] = frozenset()  # where it names nothing itself: what the statement speaks of
    figures: tuple[Figure, ...] = ()
    value: frozenset[str] = frozenset()


def settles(candidate: Candidate, memory: MemoryRecord, *, is_apart: bool = False) -> Effect | None:
    """Return what a candidate does to a memory: ends it ("change"), takes it back ("correction"), or nothing.

    is_apart: several speakers are known by name, so that one without a name may be any of them.
    """
    claims = claimed(candidate.text, candidate.attributed_to, candidate.quote)
    if not claims or memory.retired_at is not None or memory.valid_to is not None:
        return None
    if not _is_one_speaker(candidate.attributed_to, memory.attributed_to, is_apart=is_apart):
        return None
    old = held(memory.text, memory.attributed_to)
    if old is None:
        return None
    is_event = memory.event_from is not None
    is_past = memory.event_to is not None and memory.event_to <= candidate.at
    for claim in claims:
        if not is_of(claim.owner, old.owner) or (is_event and old.is_habit):
            continue
        if _meets(claim, old) and not (is_past and claim.does != "corrects"):
            return "correction" if claim.does == "corrects" else "change"
    return None


def fit(candidate: Candidate, memory: MemoryRecord) -> int:
    """Return how much of a memory the candidate names; of two that it may end, the one that it names more of is meant."""
    old = held(memory.text, memory.attributed_to)
    return 0 if old is None else len(old.every & tokens(plain(candidate.text, candidate.attributed_to)[0]))


def _is_one_speaker(mine: str | None, theirs: str | None, *, is_apart: bool) -> bool:
    if normal(mine or "user") == normal(theirs or "user"):
        return True
    return not is_apart and "user" in (normal(mine or "user"), normal(theirs or "user"))


def _meets(claim: Claim, old: Held) -> bool:
    if claim.does == "ends":
        return _is_ended(claim, old)
    if claim.does == "succeeds":
        is_same_thing = bool(claim.names & old.thing) and claim.names <= old.every and not claim.names & _MANY
        return is_same_thing and bool(claim.value) and not (claim.value <= old.value or old.value <= claim.value)
    return _is_refigured(claim, old)


def _is_ended(claim: Claim, old: Held) -> bool:
    if not claim.kinds & old.kinds:
        return False
    if not claim.names:  # "six weeks without a cigarette, quit for good"
        return "do" in old.kinds and bool((claim.about & old.core) - _WEAK)
    return claim.names <= old.every and bool((claim.names & old.core) - _WEAK)


def _is_refigured(claim: Claim, old: Held) -> bool:
    """One figure of the memory has another of its sort in the claim."""
    if claim.names:
        if not claim.names <= old.every or not claim.names - _WEAK:
            return False
    elif not ((old.thing or old.core) & claim.about) - _WEAK:
        return False
    for mine in claim.figures:
        rivals = [figure for figure in old.figures if figure.is_like(mine)]
        if len(rivals) == 1 and not any(rivals[0].is_same(f) for f in claim.figures if f is mine):
            return True
    return False


@lru_cache(maxsize=16_384)
def claimed(text: str, speaker: str | None, quote: str = "") -> tuple[Claim, ...]:
    """Return what a statement says to be over, moved or corrected; nothing of what is asked, wished, joked or for a while."""
    if text.rstrip().endswith("?") or _found(cues.JOKE, quote) or _found(cues.JOKE, text):
        return ()
    said, owner = plain(text, speaker)
    return tuple(dict.fromkeys(_claims(said, owner, quote)))


def is_telling(sentence: str) -> bool:
    """Return True for a sentence of the speaker that says something to be over or moved, however short."""
    return any(claim.names for claim in claimed(sentence, "user"))


def _claims(said: str, owner: str, quote: str) -> Iterator[Claim]:
    about = tokens(said)
    is_hedged, is_wrong, is_mine, before = False, _found(cues.WRONG, quote), True, ""
    for number, (whole, is_new) in enumerate(_clauses(said)):
        is_hedged = (is_hedged and not is_new) or _found(cues.HEDGE, whole)
        clause = _BEFORE.sub("", whole, count=1)
        if not is_hedged and not _found(cues.ALSO, clause) and clause:
            is_open = is_mine or number == 0
            if not _found(cues.PASSING, clause):
                yield from _ended(clause, owner, about, is_open=is_open)
                yield from _succeeding(clause, owner)
            if not _found(r"\b(?:today|tonight|this \w+|for now|was|were)\b", clause):
                led = f"{before}, {clause}" if _POINTS.match(clause) else clause
                yield from _refigured(clause, owner, about, is_wrong=is_wrong, cue=led)
        before = clause
        is_mine = clause.startswith("U") or (is_mine and not re.match(r"(?:[Tt]he|they|it|he|she|[A-Z])\b", clause))


def _clauses(said: str) -> Iterator[tuple[str, bool]]:
    """Yield the clauses, without what opens them, and whether a sentence begins there."""
    begin, is_new = 0, True
    for joint in _JOINT.finditer(said):
        yield _LEAD.sub("", said[begin : joint.start()].strip()), is_new
        begin, is_new = joint.end(), any(joint[name] for name in ("stop", "but", "but2"))
    yield _LEAD.sub("", said[begin:].strip()), is_new


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


def _found(source: str, text: str) -> bool:
    return _compiled(source).search(text) is not None


# Endings


def _ended(clause: str, owner: str, about: frozenset[str], *, is_open: bool) -> Iterator[Claim]:
    if not (clause.startswith("U") or is_open or re.match(r"(?:[Tt]he|[Tt]hey|[A-Z])", clause)):
        return
    if is_open and _BARE.match(clause):
        yield Claim(owner, "ends", frozenset(), about=about)
        return
    for pattern, kinds, is_group in _done():
        match = pattern.match(clause) if is_open or clause.startswith("U") else None
        if match is not None:
            yield from _ends(match["x"], match.groupdict().get("after") or "", kinds, owner, is_group=is_group)
    for source, kinds in cues.SAID_OF:
        match = _compiled(
            rf"^(?P<x>(?:(?:the|that|this|U's|both|all) )?[\w' -]{{2,40}}?) ?(?:{source})(?P<after>(?: .*)?)$"
        ).match(clause)
        if match is not None and not re.match(r"U\+?(?!')", match["x"]):
            yield from _ends(match["x"], match["after"], kinds, owner)
    match = _compiled(rf"^(?:{cues.DENIED})(?: {_STRICT})*$").match(clause)
    if match is not None:
        x = next((group for group in match.groups() if group), "")
        names = tokens(x)
        if names and not _NOT_MINE.match(
            re.sub(r"^(?:(?:in|on|at|an?|with|for|have|has|need of|having|being) )+", "", x)
        ):
            yield Claim(owner, "ends", names, _FORMER if match["x8"] else cues.EVERY)
    match = _compiled(
        r"^they (?:have )?(?:let U go from|kicked U out of|threw U out of|fired U from|cut U from|dropped U from|sacked U from|laid U off from|laid U off at) (?P<x>.+)$"
    ).match(clause)
    if match is not None:
        yield from _ends(match["x"], "", frozenset(("do", "be", "have")), owner)


@cache
def _done() -> tuple[tuple[re.Pattern[str], frozenset[str], bool], ...]:
    """Return the patterns of what somebody did to a thing, with the kinds of memory that it ends."""
    found = []
    for source, kinds in (*cues.DONE, (cues.LEFT, frozenset(("do", "be", "have")))):
        parts = _alternatives(source)
        is_group = source is cues.LEFT
        straight = "|".join(part for part in parts if "~" not in part)
        found.append((_compiled(rf"^{_SELF}(?:{straight}) (?P<x>.+)$"), kinds, is_group))
        for part in parts:
            if "~" in part:
                lead, tail = part.split(" ~ ") if " ~ " in part else part.split("~")
                found.append(
                    (
                        _compiled(rf"^{_SELF}(?:{lead}) (?P<x>\S.{{1,40}}?) (?:{tail.strip()})(?P<after>(?: .*)?)$"),
                        kinds,
                        is_group,
                    )
                )
    return tuple(found)


def _alternatives(source: str) -> list[str]:
    """Split a pattern at the bars outside its parentheses."""
    parts, depth = [""], 0
    for char in source:
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts


def _ends(x: str, after: str, kinds: frozenset[str], owner: str, *, is_group: bool = False) -> Iterator[Claim]:
    """Yield the end of the thing that a phrase names, if nothing that follows narrows it."""
    determiner = _DEFINITE.match(x)
    noun = x[determiner.end() :] if determiner else x
    if determiner is None and _NOT_MINE.match(noun):
        return
    bound = _NP_END.search(noun)
    head, rest = (noun[: bound.start()], noun[bound.start() :]) if bound else (noun, "")
    rest = f"{rest} {after}".strip()
    names = tokens(head)
    if not names or re.match(r"(?:his|her|your|\w+'s)\b", head):
        return
    if is_group and not {word.casefold() for word in head.split()[-1:]} & _GROUPS:
        return
    if rest and not _compiled(rf"(?:{_STRICT})(?: {_STRICT})*").fullmatch(rest):
        is_given_away = kinds & _GONE_TO and "be" not in kinds and _compiled(_GIVEN).fullmatch(rest)
        names |= frozenset() if is_given_away else tokens(rest)
    yield Claim(owner, "ends", names, kinds)


# Other figures, other holders


def _refigured(clause: str, owner: str, about: frozenset[str], *, is_wrong: bool, cue: str) -> Iterator[Claim]:
    found = figures(clause)
    if not found:
        return
    is_denied = re.search(r"\bnot (?:on |in |at |the )*[\d\w]", clause) is not None and len(found) > 1
    is_moved, is_now = _found(cues.MOVED, cue), _found(cues.NOW, cue)
    if not (is_moved or is_now or is_wrong or is_denied):
        return
    does: Literal["moves", "corrects"] = "moves" if is_moved or (is_now and not is_wrong) else "corrects"
    fresh = tuple(
        f for f in found if not re.search(r"\b(?:not|from|than|was|of)(?: on| at| the| in)*\W*$", clause[: f.begin])
    )
    rest = clause
    for figure in reversed(found):
        rest = f"{rest[: figure.begin]} {rest[figure.stop :]}"
    yield Claim(owner, does, tokens(_without_agent(rest) if is_moved else rest), figures=fresh, about=about)


def _without_agent(clause: str) -> str:
    """Return the clause without who moved it: "the doctor upped" → "upped"."""
    match = re.match(r"^(?:[Tt]he |U's |[Aa] )?(?P<agent>\w+)(?: (?:has|have|just))* (?=\w)", clause)
    return clause[match.end() :] if match and match["agent"].casefold() in _AGENT else clause


def _succeeding(clause: str, owner: str) -> Iterator[Claim]:
    match = _compiled(_NEW_HOLDER).match(clause)
    if match is None:
        return
    thing = match["thing"] or match["thing2"] or match["thing3"]
    who = match["who"] or match["who2"] or match["who3"] or match["who4"]
    if (
        match["who"]
        and not match["now"]
        and not _found(r"\b(?:became|become|new|number one|took over|taken over|now)\b", clause)
    ):
        return
    if thing and who and not _NOT_MINE.match(who.removeprefix("a ")):
        yield Claim(owner, "succeeds", tokens(thing), value=tokens(who))
