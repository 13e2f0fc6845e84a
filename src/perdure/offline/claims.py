"""What a statement says to be over, moved or wrong: its claims, before it is known which memory they meet.

Nothing is read of what is asked, wished, supposed, told by others, joked, or so for a while only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, Literal

from perdure.offline import ending_cues as cues
from perdure.offline.figures import Figure, figures
from perdure.offline.held import plain, tokens

_JOINT = re.compile(
    r"(?P<stop>[.;!?:]+\s+|\s[-–—]+\s)|,\s+(?:and |(?P<but>but )|so |then |because |since )?|\s(?:and(?! [A-TV-Z])|(?P<but2>but)|so|because|though|although|which|where|then)\s|\s(?:since|after|as)\s(?=U\b|the \w+ (?:is|was|has|had)\b|it\b|he\b|she\b|they\b)|[()]"
)
_LEAD = re.compile(
    r"^(?:(?:ok|okay|well|so|and|but|then|oh|yep|yes|yeah|nope|finally|sadly|unfortunately|luckily|thankfully|happily|anyway|btw|fyi|update|big news|news|guess what|you know what|also|actually|in the end|as it happens|well then|"
    r"officially|recently|just|now|never thought U would (?:say|see|admit) (?:it|this|that)(?: but)?)(?:[ ,:]+|$)|no, )+",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"^(?:after|since|following|in|on|at|from|as of|with|thanks to|due to|last|over|during|around|this|yesterday|today|\w+ (?:days|weeks|months|years) ago)\b[^,]{0,60}? (?=U\+? )",
    re.IGNORECASE,
)
_ADVERBS: Final = r"(?:(?:just|finally|recently|who'd have (?:guessed|thought)(?: it)?|who would have (?:guessed|thought)(?: it)?|who knew|believe it or not|to U's surprise|strangely enough|officially|now|actually|already|sadly|also|even|properly|formally|quietly|happily|reluctantly|eventually|since|only|all|both|then|long|well and truly|\w+ly) )*"
_SELF: Final = rf"(?:U\+? )?(?:has |have |had |'s )?(?:been )?{_ADVERBS}"
_DEFINITE = re.compile(r"^(?:all (?:of )?)?(?:U's|the|that|this|those|these|being (?:an?|the)|playing|using|doing) ?")
_NOT_MINE = re.compile(
    r"^(?:an?|some|another|one|two|three|any|every|each|his|her|their|your|other|more|no|it|him|them|me|\w+'s(?= \w))\b",
    re.IGNORECASE,
)
_NP_END = re.compile(
    r" (?:in|on|at|to|for|from|with|because|since|so|when|while|last|this|yesterday|today|now|after|before|as|by|and|but|without|until|over|during|instead|altogether|completely|entirely|ages|years|months|weeks|a|an|two|three|"
    r"back|again|anymore|any|ago|early|late|too|once|permanently|forever|recently|already|though|of|into|there|here|that|which|who|where)\b"
)
_STRICT: Final = (
    r"(?:for good|altogether|completely|entirely|permanently|forever|for ever|once and for all|at (?:long )?last|any ?more|any longer|now|today|yesterday|already|recently|too|instead|in the end|though|cold turkey|for the last time|"
    r"in (?:early |late |the )*(?:spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{4})?|(?:after|following|because of|due to|thanks to|when|once) .{1,60}|(?:back )?in (?:the (?:week|month|spring|summer|autumn|fall|winter|morning|afternoon|evening|weekend|night) of )?(?:\d|(?-i:[A-Z])).{0,20}|on (?:the (?:morning|afternoon|evening|weekend|night) of )?(?:\d|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day).{0,20}|"
    r"(?:last|this) (?:week|month|year|spring|summer|autumn|fall|winter|night|\w+day|january|february|march|april|may|june|july|august|september|october|november|december)|"
    r"(?:a|an|one|two|three|four|five|six|\d+|some|a few|several|a couple of|ages|years|months|weeks) ?(?:days?|weeks?|months?|years?)? ago|"
    r"at the (?:end|start|beginning) of .{1,25}|since (?:the )?[\w ]{3,20}|for (?:health|personal|medical|financial|money|family) reasons|as it happens|by (?:choice|mutual agreement)|of late|like that)"
)
_GIVEN: Final = r"(?:to|for|with|in favou?r of|on|via|through|by) .{1,60}"
_FORMER = frozenset(("do", "be", "have"))  # "used to love" may be said of what is loved still
_GONE_TO = frozenset(("have", "thing", "do"))
_BARE = re.compile(
    rf"^{_SELF}(?:quit|given up|gave up|stopped|packed it in|kicked the habit|kicked it|jacked it in|knocked it on the head|given it up|gave it up)(?: {_STRICT})*$"
)
_POINTS = re.compile(r"(?:it|they|that|the new one)\b", re.IGNORECASE)
_AGENT: Final = frozenset(
    "doctor gp consultant nurse boss manager council school landlord landlady vet dentist company client teacher coach organiser organizer publisher airline bank hospital clinic professor supervisor surgeon they".split()
)
_NOT_THIS = re.compile(
    r"(?P<new>[\w'-]+(?: [\w'-]+)?),? (?:and )?not (?:an? |the |in |on |at )?(?P<old>[\w'-]+(?: [\w'-]+)?)$"
)
_NEW_HOLDER: Final = (
    r"^(?:(?:an?|the) )?(?P<who>[^,]{2,40}?) (?:is|has become|became|has taken over as|took over as) (?:now )?U's (?:new |number one |current |main )?(?P<thing>[a-z][\w' -]*?(?: at [A-Z][\w ]+?)?)(?P<now> now| these days)?$|"
    r"^U's (?:new|current) (?P<thing2>[a-z][\w' -]*?) (?:is|'s) (?P<who2>.{2,40})$|^U's (?P<thing3>[a-z][\w' -]*?) (?:is|has become|became) (?:now (?P<who3>.{2,40})|(?P<who4>.{2,40}?) (?:now|these days))$"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that a statement says of whatever else speaks of the same."""

    owner: str
    does: Literal["ends", "moves", "corrects", "succeeds"]
    names: frozenset[str]  # what it names: all of it must stand in the memory
    kinds: frozenset[str] = cues.EVERY  # of memory that it can end
    about: frozenset[str] = frozenset()  # where it names nothing itself: what the statement speaks of
    figures: tuple[Figure, ...] = ()
    value: frozenset[str] = frozenset()  # of what succeeds
    denied: frozenset[str] = frozenset()  # of "the other one, not this"
    outcome: tuple[int, str] | None = None  # a row of the table of outcomes, and of what


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
    yield from _taken_back(said, owner, quote)
    is_hedged, is_wrong, is_mine, before = False, _found(cues.WRONG, f"{said} {quote}"), True, ""
    for number, (whole, is_new) in enumerate(_clauses(said)):
        is_hedged = (is_hedged and not is_new) or _found(cues.HEDGE, whole)
        clause = _BEFORE.sub("", whole, count=1)
        if not is_hedged and not _found(cues.ALSO, clause) and clause:
            is_open = is_mine or number == 0
            if not _found(cues.PASSING, clause):
                yield from _ended(clause, owner, about, is_open=is_open)
                yield from _succeeding(clause, owner)
                yield from _come_about(clause, owner)
            if not _found(r"\b(?:today|tonight|this \w+|for now|was|were)\b", clause):
                led = f"{before}, {clause}" if _POINTS.match(clause) else clause
                yield from _refigured(clause, owner, about, is_wrong=is_wrong, cue=led)
        before = clause
        is_mine = clause.startswith("U") or (is_mine and not re.match(r"(?:[Tt]he|they|it|he|she|[A-Z])\b", clause))


def _clauses_of(said: str) -> list[str]:
    return [clause for clause, _ in _clauses(said)]


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
        is_episode = "over" in source and match is not None and _last(match["x"]) in cues.EPISODES
        if match is not None and not is_episode and not re.match(r"U\+?(?!')", match["x"]):
            yield from _ends(match["x"], match["after"], kinds, owner)
    match = _compiled(rf"^(?:{cues.DENIED})(?: {_STRICT})*$").match(clause)
    if match is not None:
        x = next((group for group in match.groups() if group), "")
        names = tokens(x)
        if names and not _NOT_MINE.match(
            re.sub(r"^(?:(?:in|on|at|an?|with|for|have|has|need of|having|being) )+", "", x)
        ):
            yield Claim(owner, "ends", names, _FORMER if match["x8"] else cues.EVERY)
    match = _compiled(rf"^{cues.BY_OTHERS} (?P<x>.+)$").match(clause)
    if match is not None:
        yield from _ends(match["x"], "", frozenset(("do", "be", "have", "thing")), owner)


@cache
def _done() -> tuple[tuple[re.Pattern[str], frozenset[str], bool], ...]:
    """Return the patterns of what somebody did to a thing, with the kinds of memory that it ends."""
    found = []
    for source, kinds in (*cues.DONE, (cues.LEFT, frozenset(("do", "be", "have")))):
        parts = _alternatives(source)
        is_group = source is cues.LEFT
        straight = "|".join(part for part in sorted(parts, key=len, reverse=True) if "~" not in part)
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


def _last(phrase: str) -> str:
    return phrase.split()[-1].casefold() if phrase.split() else ""


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
    if not names or re.match(r"(?:his|her|your|\w+'s(?= \w))\b", head):
        return
    if is_group and _last(head) not in cues.GROUPS:
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
    fresh = tuple(f for f in found if not re.search(r"\b(?:not|from|than)(?: on| at| the| in)*\W*$", clause[: f.begin]))
    rest = clause
    for figure in reversed(found):
        rest = f"{rest[: figure.begin]} {rest[figure.stop :]}"
    yield Claim(owner, does, tokens(_without_agent(rest) if is_moved else rest), figures=fresh, about=about)


def _taken_back(said: str, owner: str, quote: str) -> Iterator[Claim]:
    """Yield "the other one, not this", of which the memory says this."""
    match = _NOT_THIS.search(said)
    if match is None or _found(cues.HEDGE, said) or _found(cues.ALSO, said):
        return
    before = _clauses_of(said[: match.start()])[-1]
    names = tokens(before) - tokens(match["new"])
    if names or _found(cues.WRONG, f"{said} {quote}") or re.match(r"it is\b", before):
        does: Literal["moves", "corrects"] = "moves" if _found(cues.NOW, said) else "corrects"
        yield Claim(owner, does, names, denied=tokens(match["old"]), value=tokens(match["new"]))


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


def _come_about(clause: str, owner: str) -> Iterator[Claim]:
    """Yield what has come about that something else waited for."""
    if not re.search(r"\bU\b", clause) and not re.match(r"(?:the|it|they)\b", clause, re.IGNORECASE):
        return
    for index, (_, source) in enumerate(cues.OUTCOMES):
        match = _compiled(source).search(clause)
        if match is not None:
            what = match.groupdict().get("what")
            yield Claim(owner, "ends", frozenset(), outcome=(index, " ".join(tokens(what)) if what else ""))
