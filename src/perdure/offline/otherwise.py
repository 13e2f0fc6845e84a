"""Clauses that give a thing another figure, holder or place: "the call is at 4 now", "Ana is my landlady now"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from perdure.offline import ending_cues as cues
from perdure.offline.claim import NOT_MINE, Claim, clauses_of, compiled, found_in
from perdure.offline.figures import figures
from perdure.offline.held import heads_of, tokens

_AGENT: Final = frozenset(
    "doctor gp consultant nurse boss manager council school landlord landlady vet dentist company client teacher coach organiser organizer publisher airline bank hospital clinic professor supervisor surgeon they".split()
)
_NOT_THIS = re.compile(
    r"(?P<new>[\w'-]+(?: [\w'-]+)?),? (?:and )?not (?:an? |the |in |on |at )?(?P<old>[\w'-]+(?: [\w'-]+)?)(?: any ?more| any longer)?$"
)
_SAID_MEANT = re.compile(
    r"\bU (?:said|wrote|put) (?P<old>[^,;]{2,40}?),? (?:but |and )?U (?:really |actually )?means?t? (?:to say )?(?P<new>[^,;]{2,40})$"
)
_FROM = re.compile(
    r"^(?:from|as of|starting|effective)(?: in| on| from)? (?:the )?[\w ]{2,20}?,? (?=(?:[\w']+ ){1,4}(?:is|are|will be|meets?|starts?|begins?|runs?|opens?|closes?|takes place)\b)",
    re.IGNORECASE,
)
_DONE_TO = re.compile(
    r"^[\w.' ]{1,30}? (?:(?:has|have|had|just) )*(?:put|moved|pushed|shifted|changed|raised|lowered|cut|upped|dropped|extended|rescheduled|postponed|bumped|increased|reduced) (?=(?:the|U's) )"
)
_WROTE_WORDS = re.compile(r"\bU (?:said|wrote|put|typed) ")
_WROTE = re.compile(
    r"\bU (?:said|wrote|typed) (?!an? |the |U|to |that |about |it\b|down )(?P<old>[\w'-]+(?: [\w'-]+)?),? but (?:actually )?(?P<new>(?:U|it|he|she|they)\b[^,;]{2,60})$"
    r"|(?P<new2>[^,;]{2,60}),? (?:and U )?(?:does not know|do not know|no idea|not sure)(?: \w+)? why U (?:said|wrote|put|typed) (?P<old2>[^,;]{2,40})$"
)
_IS_NOT = re.compile(
    r"^(?P<thing>U's [^,;]{2,40}?) (?:is|are) not (?:(?:in|on|at|from|called|the|an?) )*(?P<old>[\w'-]+(?: [\w'-]+){0,2}),? (?:but|it is|they are|he is|she is) (?P<new>[^,;]{1,40})$"
)
_REWORDED: Final = r"^(?:it is|it should be|that should be|make that|U meant|U means?|U should have said) (?P<new>.+)$"
_SINGLE: Final = r"^U\+? (?:now )?(?P<verb>banks?|trains?|shops?|studies|study|swims?|sings?|commutes?|travels?|goes|go|deploys?|gets?|plays?|works out|drives?|supports?) (?:to \w+ )?(?:(?P<prep>with|at|in|for|by|via|from|on|to) )?(?:the )?(?P<value>[A-Z][\w'-]*(?: [A-Z\d][\w'-]*)*|(?<=by )[a-z]+)(?: \w+)? (?:now|these days|nowadays|instead|from now on)$"
_SAME_HEAD: Final = r"^(?:(?:U\+? )?(?:has |have )?(?:been )?(?:just |recently |finally |now )*(?:moved|transferred|switched|relocated|changed|gone over|promoted|moved up|moved over)|they (?:have )?(?:moved|transferred|switched|put|promoted) U(?: up| over)?) (?:on)?to (?:the |U's |an? )?(?P<value>[\w'-]+(?: [\w'-]+)?) (?P<head>[\w-]+)(?: (?:on|in|last|this|a) .{1,30})?$"
_NEWLY: Final = r"\b(?:became|become|new|number one|took over|taken over|now)\b"
_BETTER: Final = re.compile(r"(?:new|different|another|other|single|full|part|\w+er|\w+est)\b")
_NEW_HOLDER: Final = (
    r"^(?:(?:an?|the) )?(?P<who>[^,]{2,40}?) (?:is|has become|became|has taken over as|took over as) (?:now )?U's (?:new |number one |current |main )?(?P<thing>[a-z][\w' -]*?(?: at [A-Z][\w ]+?)?)(?P<now> now| these days)?$|"
    r"^U's (?:new|current) (?P<thing2>[a-z][\w' -]*?) (?:is|'s) (?P<who2>.{2,40})$|^U's (?P<thing3>[a-z][\w' -]*?) (?:is|has become|became) (?:now (?P<who3>(?:an? |the )?(?-i:[A-Z]).{1,40})|(?P<who4>(?:an? |the )?(?-i:[A-Z]).{1,40}?) (?:now|these days))$"
)  # fmt: skip


def refigured(clause: str, owner: str, about: frozenset[str], *, is_wrong: bool, cue: str) -> Iterator[Claim]:
    """Yield another figure in words of a change or a correction.  cue: where those words may stand."""
    if is_wrong:
        yield from _reworded(clause, owner)
    clause = _FROM.sub("", clause)
    found = figures(clause)
    if not found:
        return
    is_denied = re.search(r"\bnot (?:on |in |at |the )*[\d\w]", clause) is not None and len(found) > 1
    is_moved, is_now = found_in(cues.MOVED, cue), found_in(cues.NOW, cue)
    if not (is_moved or is_now or is_wrong or is_denied):
        return
    does: Literal["moves", "corrects"] = "moves" if is_moved or (is_now and not is_wrong) else "corrects"
    fresh = tuple(f for f in found if not re.search(r"\b(?:not|from|than)(?: on| at| the| in)*\W*$", clause[: f.begin]))
    rest = clause
    for figure in reversed(found):
        rest = f"{rest[: figure.begin]} {rest[figure.stop :]}"
    yield Claim(owner, does, tokens(_without_agent(rest) if is_moved else rest), figures=fresh, about=about)


def taken_back(said: str, owner: str, quote: str) -> Iterator[Claim]:
    """Yield "the other one, not this", of which the memory says this."""
    match = _SAID_MEANT.search(said)
    if match is not None:
        yield Claim(owner, "corrects", frozenset(), denied=tokens(match["old"]), value=tokens(match["new"]))
    match = _WROTE.search(said) if _WROTE_WORDS.search(said) else None
    if match is not None:
        value = tokens((match["new"] or match["new2"]).split()[-1])
        yield Claim(owner, "corrects", frozenset(), denied=tokens(match["old"] or match["old2"]), value=value)
    match = _IS_NOT.match(said) if " not " in said else None
    if match is not None and not found_in(cues.ALSO, said):
        is_now = found_in(cues.NOW, said)
        names, old, new = (tokens(match[name]) for name in ("thing", "old", "new"))
        yield Claim(owner, "moves" if is_now else "corrects", names, denied=old, value=new)
    match = _NOT_THIS.search(said)
    if match is None or found_in(cues.HEDGE, said) or found_in(cues.ALSO, said):
        return
    before = clauses_of(said[: match.start()])[-1]
    names = tokens(before) - tokens(match["new"])
    if names or found_in(cues.WRONG, f"{said} {quote}") or re.match(r"it is\b", before):
        does: Literal["moves", "corrects"] = "moves" if found_in(cues.NOW, said) else "corrects"
        yield Claim(owner, does, names, denied=tokens(match["old"]), value=tokens(match["new"]))


def _without_agent(clause: str) -> str:
    """Return the clause without who moved it: "the doctor upped" → "upped"."""
    done = _DONE_TO.match(clause)
    if done is not None:
        return clause[done.end() :]
    match = re.match(r"^(?:[Tt]he |U's |[Aa] )?(?P<agent>\w+)(?: (?:has|have|just))* (?=\w)", clause)
    return clause[match.end() :] if match and match["agent"].casefold() in _AGENT else clause


def _reworded(clause: str, owner: str) -> Iterator[Claim]:
    """Yield "it is O positive", which corrects what is so in part."""
    match = compiled(_REWORDED).match(clause)
    if match is not None and tokens(match["new"]):
        yield Claim(owner, "corrects", frozenset(), value=tokens(match["new"]))


def succeeding(clause: str, owner: str) -> Iterator[Claim]:
    """Yield who holds a place now, where something is done now, and what something of a kind was changed to."""
    match = compiled(_NEW_HOLDER).match(clause)
    if match is not None:
        thing = match["thing"] or match["thing2"] or match["thing3"]
        who = match["who"] or match["who2"] or match["who3"] or match["who4"]
        is_now = match["now"] or not match["who"] or found_in(_NEWLY, clause)
        if thing and who and is_now and not NOT_MINE.match(who.removeprefix("a ")):
            yield Claim(owner, "succeeds", tokens(thing), value=tokens(who))
    match = re.match(_SINGLE, clause)
    if match is not None:
        verb, value = tokens(match["verb"]), tokens(match["value"])
        yield Claim(owner, "goes_on", frozenset(), verb=verb, value=value, preposition=match["prep"] or "")
    match = compiled(_SAME_HEAD).match(clause)
    if match is not None and not _BETTER.match(match["value"]) and tokens(match["head"]) and tokens(match["value"]):
        yield Claim(owner, "goes_on", heads_of(match["head"]), value=tokens(match["value"]))
