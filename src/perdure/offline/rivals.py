"""Whether a new statement leaves no room for an old one, told by pairs of wordings and by words of a correction."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from perdure.models import Effect
from perdure.offline import ending_cues as cues
from perdure.offline.claim import compiled, found_in
from perdure.offline.held import tokens, written
from perdure.offline.rival_pairs import OTHERWISE, OVER, WRONG

_CUE: Final = (
    r"\b(?:typo|wrong about|misread|mis-?typed|misspelt|misspelled|misspoke|mis-?remembered|muddled|mixed up|mix-up|got (?:it|that|this) wrong|had (?:it|that|this) (?:wrong|muddled)|been (?:wrong|telling)|put U right|pointed out|"
    r"bad info|brain ?fart|autocorrect(?:ed)?|turns out|hang on|scratch that|correction|oops|sorry|my mistake|mistaken|U meant|should say|should have said|ignore what|forget what|by the way|says no|actually|never was|was never|keeps? saying|DNA|really|kidding)\b"
)
_REJECTED: Final = (
    r"\bnot (?:an? |the |in |on |at |with an? )?(?P<old>[\w'’-]+(?: [\w'’-]+)?)(?=$|[.,;!])"
    r"|\b(?:was never|never was) (?:an? |the |in |on |at |from )?(?P<old2>[\w'’-]+)"
    r"|\b(?:U said|keeps? saying|kept saying) (?:the |it is )?(?P<old3>[\w'’-]+(?: [\w'’-]+)?)(?=,? (?:but|and|when|before|earlier)\b|,)"
    r"|\b(?:mistaken about|what U said about|wrong about) (?:the )?(?P<old4>[\w'’-]+)(?=$|[.,;!])"
)
_UNSURE: Final = (
    r"\b(?:if|would|might|maybe|perhaps|thinks?|thought|wonder\w*|imagine|suppose|almost|reckons|rumou?r)\b"
)
_PAST: Final = r"\b(?:(?:years|ages) ago|back (?:then|in|when)|as an? (?:kid|child|teenager|student)|in U's (?:teens|twenties|youth)|used to|growing up|found (?:him|her|it|them)|came back|turned up)\b"
_OTHERS: Final = rf"\b(?:{'|'.join(sorted(cues.KIN - {'ex', 'boss', 'manager', 'mate'}))})\b(?!'s name)"
_STILL: Final = r"\b(?:not yet|not really|not only|not just|not sure|only)\b"
_CODE = re.compile(r"\b(?:[A-Z][\w'-]{3,}|(?=\w*\d)\w{6,})\b")
_ALIKE: Final = 0.75  # of two spellings of one name, by the share of letters in common; chosen
_NUMBER: Final = re.compile(r"^(\d+)(?:st|nd|rd|th|mg|ml|kg|g)$")


@lru_cache(maxsize=16_384)
def rival(new: str, quote: str, speaker: str | None, old: str, teller: str | None, is_soon: bool) -> Effect | None:
    """Return what a statement does to a memory: replaces or ends it ("change"), takes it back, or nothing.

    >>> rival("The user supports Hull now.", "", "user", "The user supports Leeds.", "user", False)
    'change'
    """
    if new.rstrip().endswith("?") or found_in(cues.JOKE, re.sub(r"\b(?:lol|haha)\b", "", f"{new} {quote}")):
        return None
    mine, theirs, is_laughed = written(new, speaker), written(old, teller), "haha" in f"{new} {quote}".casefold()
    for rows, effect in ((OVER, "change"), (OTHERWISE, "change")):
        if not is_laughed and any(_fits(one, other, mine, theirs) for one, other in rows):
            return effect  # type: ignore[return-value]
    is_wrong = found_in(_CUE, f"{mine} {quote}") and not found_in(_UNSURE, mine)
    if is_wrong and (
        any(_fits(one, other, mine, theirs, is_wrong=True) for one, other in WRONG)
        or _is_respelt(mine, theirs, is_soon=is_soon)
        or _is_rejected(mine, theirs, is_soon=is_soon)
    ):
        return "correction"
    return None


def is_cue(sentence: str) -> bool:
    """Return True for a sentence that only says that something said before was wrong."""
    return (
        found_in(
            r"^(?:oops|sorry|hang on|wait|oh|no|hm+|ah)?[, ]*(?:typo|i (?:misread|mistyped|misspoke|got (?:that|it) wrong|made a mistake)|correction|scratch that|my mistake|autocorrect)\b",
            sentence,
        )
        and len(sentence.split()) < 9
    )


def _fits(one: str, other: str, mine: str, theirs: str, *, is_wrong: bool = False) -> bool:
    """Return True if a memory and a statement are worded as a row of the table says, of one thing."""
    new = compiled(other).search(mine)
    if new is None:
        return False
    begin = max((mine.rfind(mark, 0, new.start()) for mark in ".;!?,"), default=-1) + 1
    clause = mine[begin : new.end()]
    if not is_wrong and (found_in(cues.HEDGE, clause) or found_in(cues.ALSO, clause) or found_in(_PAST, mine)):
        return False
    old = compiled(one).search(theirs)
    if old is None:
        return False
    if not is_wrong and not _kin(clause) <= _kin(theirs):  # what a brother switched to
        return False
    ours, others = _groups(new), _groups(old)
    if "v" in ours and ("v" not in others or _is_one(ours["v"], others["v"])):
        return False
    if "k" in ours and ours["k"].casefold() != others.get("k", "").casefold():
        return False
    return "x" not in ours or _names(ours["x"], others.get("x", theirs), is_own="x" in others)


def _kin(text: str) -> set[str]:
    return set(re.findall(_OTHERS, text.casefold()))


def _names(name: str, there: str, *, is_own: bool) -> bool:
    mine, theirs = _plain(name), _plain(there)
    if not mine:
        return False
    return mine <= theirs if not is_own else mine <= theirs or theirs <= mine


def _groups(match: re.Match[str]) -> dict[str, str]:
    return {name[0]: value for name, value in match.groupdict().items() if value}


def _is_one(mine: str, theirs: str) -> bool:
    one, other = (
        {word.rstrip("s") for word in re.findall(r"\d+|[^\W\d_]+", text.casefold())} for text in (mine, theirs)
    )
    one, other = one - {"foot", "ft", "feet"}, other - {"foot", "ft", "feet"}
    return one <= other or other <= one


def _plain(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.sub(r"\1", token) for token in tokens(text))


def _is_respelt(mine: str, theirs: str, *, is_soon: bool) -> bool:
    """Return True if a statement spells a name or a code of the memory otherwise ("Karin, with an i")."""
    if not is_soon and not (tokens(mine) & tokens(theirs)) and not found_in(r"\bwith an? \w\b", mine):
        return False
    held = set(_CODE.findall(theirs))
    fresh = {word for word in _CODE.findall(mine) if word not in held and word.casefold() not in theirs.casefold()}
    return any(
        SequenceMatcher(None, word.casefold(), old.casefold()).ratio() >= _ALIKE
        for word in fresh
        for old in held
        if word[0].isupper() == old[0].isupper() and old not in mine.split("U said")[0]
    )


def _is_rejected(mine: str, theirs: str, *, is_soon: bool) -> bool:
    """Return True if a value of the memory is said to have been wrong, and something else names the memory too."""
    if found_in(_STILL, mine) or found_in(cues.NOW.replace("it turns out|", ""), mine):
        return False
    every = _plain(theirs)
    for match in compiled(_REJECTED).finditer(mine):
        old = _plain(next(group for group in match.groups() if group))
        rest = _plain(mine[: match.start()] + " " + mine[match.end() :])
        is_near = is_soon or any(_held(word, every - old) for word in rest - old)
        if old and is_near and all(_held(word, every) for word in old) and not old & rest:
            return True
    return False


def _held(word: str, every: frozenset[str]) -> bool:
    return word in every or (len(word) >= 5 and any(other[:5] == word[:5] for other in every))
