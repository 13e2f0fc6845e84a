"""What somebody does or is, in any words, so that its own denial can end it: "plays tennis", "stopped playing tennis".

No table: the same verb with the same complement, compared by stems.
"""

from __future__ import annotations

import re
from functools import lru_cache

from perdure.models import Slot
from perdure.offline.clauses import Clause, clauses
from perdure.offline.slots import STRICT_END, Reading, of_clause
from perdure.offline.verbs import is_base
from perdure.text import stem

_WORD = re.compile(r"[\w'+#-]+|[,;:.!?()]")
_PREPOSITIONS = frozenset(
    "on in at with for from to by of about after before into over under near around against during as off up out".split()
)
_STOP = frozenset(
    """
    every each daily weekly monthly nightly twice once three a-lot when while because and but or so since until than that
    which who where if though although yesterday today tonight tomorrow now always often most , ; : . ! ? ( ) anymore
    again together alone these this last next either ago regularly sometimes much
    """.split()
)
_DETERMINERS = frozenset("the a an my his her their our its some any user's".split())
_POINTING = frozenset("it that this them there here him her you us they so".split())
_BE = {"is": "be", "are": "be", "being": "be", "has": "have", "having": "have", "does": "do", "goes": "go"}
_EMPTY = frozenset("be do have like get go want need feel think know say see take make use keep let seem look".split())
_LONGEST = 6  # words of a verb and its complement that are compared; chosen


@lru_cache(maxsize=16_384)
def habit(text: str, speaker: str | None = None) -> Reading | None:
    """Return what the first clause says somebody does, is or has at present, or no longer; None where it tells more.

    The value is the stems in order, the verb first ("play tennis").
    """
    if text.rstrip().endswith("?"):
        return None
    found: list[Clause] = []
    for clause in clauses(text, speaker):
        if not clause.is_first:
            return None  # it says more, which must not end along
        found.append(clause)
    for clause in reversed(found):  # the shortest subject last: "Ana's dog | barks" before "Ana | 's dog barks"
        if clause.predicate.startswith(" ") and not clause.predicate.startswith(" &") and not clause.is_hedged:
            value, rest = _parted(clause.predicate, is_denied=clause.is_denied)
            if value and (not clause.is_denied or STRICT_END.match(rest)):
                return of_clause(clause, Slot(clause.subject, "does", value, is_single=False), speaker)
    return None


def core(predicate: str, *, is_denied: bool) -> str:
    """Return the stems of a verb in the present and its complement; "" where there is none.

    >>> core(" plays chess with Tom on Sundays", is_denied=False), core(" played chess", is_denied=False)
    ('play chess', '')
    """
    return _parted(predicate, is_denied=is_denied)[0]


def _parted(predicate: str, *, is_denied: bool) -> tuple[str, str]:
    """Return the stems of verb and complement, and what follows them."""
    found = list(_WORD.finditer(predicate))
    words = [match.group().lower() for match in found]
    if len(words) > 2 and words[0] in ("is", "are") and words[1].endswith("ing"):
        words, found = words[1:], found[1:]
    elif words and not is_denied and not (words[0].endswith("s") or is_base(words[0]) or words[0] in _BE):
        return "", ""
    kept: list[str] = []
    rest = ""
    for place, word in enumerate(words):
        if place and (word in _STOP or (word in _PREPOSITIONS and len(kept) != 1)):
            rest = predicate[found[place].start() - 1 :]
            break
        if word in _POINTING:
            return "", ""
        if word not in _DETERMINERS:
            kept.append(_BE.get(word, stem(word)))
    is_empty = len(kept) == 1 and kept[0] in _EMPTY
    return ("", "") if is_empty or len(kept) > _LONGEST else (" ".join(kept), rest)


def complement(value: str) -> str:
    """Return a habit without its verb ("play tennis" → "tennis"; "listen to jazz" → "jazz")."""
    rest = value.split()[1:]
    return " ".join(rest[1:] if rest and rest[0] in _PREPOSITIONS else rest)
