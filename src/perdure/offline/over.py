"""Clauses that say something to be over: given up, sold, healed, gone off, no longer so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from perdure.offline import ending_cues as cues
from perdure.offline.claim import NOT_MINE, Claim, compiled
from perdure.offline.held import tokens

_ADVERBS: Final = r"(?:(?:just|finally|recently|officially|now|actually|already|sadly|also|even|properly|formally|quietly|happily|reluctantly|eventually|since|only|all|both|then|long|well and truly|\w+ly) )*"
_SELF: Final = rf"(?:U\+? )?(?:has |have |had |'s )?(?:been )?{_ADVERBS}"
_DEFINITE = re.compile(r"^(?:all (?:of )?)?(?:U's|the|that|this|those|these|being (?:an?|the)|playing|using|doing) ?")
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
_AGAIN = frozenset(("not",))
_BY_OTHERS = frozenset(("do", "be", "have", "thing"))
_GONE_TO = frozenset(("have", "thing", "do"))
_TAKEN_OFF: Final = (
    r"^(?:[\w.' ]{2,30} )?(?:has |have |had )?(?:took|taken|weaned|taking) U off (?P<x>(?:the|U's|all) .+)$"
)
_WITH_SOMEBODY = re.compile(r" (?:with|to|for|at) (?:her|him|them|you)\b")
_BARE = re.compile(
    rf"^{_SELF}(?:quit|given up|gave up|stopped|packed it in|kicked the habit|kicked it|jacked it in|knocked it on the head|given it up|gave it up)(?: {_STRICT})*$"
)


def ended(clause: str, owner: str, about: frozenset[str], *, is_open: bool) -> Iterator[Claim]:
    """Yield what a clause says to be over.  is_open: where it names no subject, the speaker is meant."""
    is_own = is_open or clause.startswith("U")
    if is_open and _BARE.match(clause):
        yield Claim(owner, "ends", frozenset(), about=about)
        return
    if is_own:
        for pattern, kinds, is_group in _done():
            match = pattern.match(clause)
            if match is not None:
                yield from _ends(match["x"], match.groupdict().get("after") or "", kinds, owner, is_group=is_group)
    yield from _said_of(clause, owner)
    if is_own or clause[:1].isupper() or clause.startswith(("the ", "they ")):
        yield from _denied(clause, owner)
    match = compiled(rf"^{cues.BY_OTHERS} (?P<x>.+)$").match(clause)
    if match is not None:
        yield from _ends(match["x"], "", _BY_OTHERS, owner)
    match = compiled(_TAKEN_OFF).match(clause) if " U off " in clause else None
    if match is not None:
        yield from _ends(match["x"], "", _BY_OTHERS | {"ail"}, owner)
    for source, kinds in cues.REPLACING:
        match = compiled(source).match(clause)
        if match is not None:
            yield from _ends(match["x"], "", kinds, owner)


def _said_of(clause: str, owner: str) -> Iterator[Claim]:
    for source, kinds in cues.SAID_OF:
        match = compiled(
            rf"^(?P<x>(?:(?:the|that|this|U's|both|all) )?[\w' -]{{2,40}}?) ?(?:{source})(?P<after>(?: .*)?)$"
        ).match(clause)
        if match is None or re.match(r"U\+?(?!')", match["x"]):
            continue
        if "over" not in source or _last(match["x"]) not in cues.EPISODES:
            yield from _ends(match["x"], match["after"], kinds, owner)


def _denied(clause: str, owner: str) -> Iterator[Claim]:
    match = compiled(rf"^(?:{cues.DENIED})(?: {_STRICT})*$").match(clause)
    if match is None:
        return
    x = next((group for group in match.groups() if group), "")
    noun = re.sub(r"^(?:(?:in|on|at|an?|with|for|have|has|need of|having|being) )+", "", x)
    if match["x9"] and " " not in match["x9"]:  # "stopped fishing" is no end of fish; a habit ends by its own verb
        return
    if _WITH_SOMEBODY.search(x):  # "not speaking German with her anymore" is no end of German
        return
    if tokens(x) and not NOT_MINE.match(noun):
        yield Claim(owner, "ends", tokens(x), _FORMER if match["x8"] else _AGAIN if match["x11"] else cues.EVERY)


@cache
def _done() -> tuple[tuple[re.Pattern[str], frozenset[str], bool], ...]:
    """Return the patterns of what somebody did to a thing, with the kinds of memory that it ends."""
    found = []
    for source, kinds in (*cues.DONE, (cues.LEFT, frozenset(("do", "be", "have")))):
        parts = [form for part in _alternatives(source) for form in (part, *_parted(part))]
        is_group = source is cues.LEFT
        straight = "|".join(part for part in sorted(parts, key=len, reverse=True) if "~" not in part)
        found.append((compiled(rf"^{_SELF}(?:{straight}) (?P<x>.+)$"), kinds, is_group))
        by_tail: dict[str, list[str]] = {}
        for part in parts:
            lead, split, tail = part.partition("~")
            if split:
                by_tail.setdefault(tail.strip(), []).append(lead.strip())
        for tail, leads in by_tail.items():
            apart = rf"^{_SELF}(?:{'|'.join(leads)}) (?P<x>\S.{{1,40}}?) (?:{tail})(?P<after>(?: .*)?)$"
            found.append((compiled(apart), kinds, is_group))
    return tuple(found)


def _parted(part: str) -> list[str]:
    """Return "cut ~ out" for "cut out": a particle may follow its thing."""
    match = re.fullmatch(r"([a-z]+) (up|out|off|away|back|down|in|on)", part)
    return [f"{match[1]} ~ {match[2]}"] if match else []


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
    if determiner is None and NOT_MINE.match(noun):
        return
    bound = _NP_END.search(noun)
    head, rest = (noun[: bound.start()], noun[bound.start() :]) if bound else (noun, "")
    rest = f"{rest} {after}".strip()
    names = tokens(head)
    if not names or re.match(r"(?:his|her|your|\w+'s(?= \w))\b", head):
        return
    if is_group and _last(head) not in cues.GROUPS:
        return
    if rest and not compiled(rf"(?:{_STRICT})(?: {_STRICT})*").fullmatch(rest):
        is_given_away = kinds & _GONE_TO and "be" not in kinds and compiled(_GIVEN).fullmatch(rest)
        names |= frozenset() if is_given_away else tokens(rest)
    yield Claim(owner, "ends", names, kinds)


def come_about(clause: str, owner: str) -> Iterator[Claim]:
    """Yield what has come about that something else waited for."""
    if not re.search(r"\bU\b", clause) and not re.match(r"(?:the|it|they)\b", clause, re.IGNORECASE):
        return
    for index, (_, source) in enumerate(cues.OUTCOMES):
        match = compiled(source).search(clause)
        if match is not None:
            what = match.groupdict().get("what")
            if what and not tokens(what):
                continue
            yield Claim(owner, "ends", frozenset(), outcome=(index, " ".join(tokens(what)) if what else ""))
