"""The figures in a statement: days, dates, clock times, how often, amounts, codes; so that one can stand for another."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from perdure.text import NUMBER_WORDS, normal, stem

Sort = Literal["date", "often", "clock", "day", "amount"]

_MONTH: Final = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_COUNT: Final = rf"(?:{'|'.join(word for word in NUMBER_WORDS if word not in ('zero', 'one'))})"
_FIGURE = re.compile(
    rf"(?P<date>(?<![\w-])(?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? \d{{4}})?|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?|\d{{4}}-\d\d-\d\d|\d{{1,2}}(?:st|nd|rd|th))(?!\w))"
    rf"|(?P<often>\b(?:once|twice|(?:{_COUNT}|\d+) (?:times|days|nights|evenings|mornings)) (?:a|per|each|every) (?:day|week|fortnight|month|year)\b|\b(?:daily|weekly|fortnightly|monthly|quarterly|yearly)\b"
    r"|\bevery (?:other |second )?(?:day|week|month|year|morning|evening|night)\b)"
    r"|(?P<clock>(?<![\w:.-])(?:\d{1,2}[:.]\d\d(?: ?[ap]\.?m\.?)?|\d{1,2} ?[ap]\.?m\.?|\d{1,2} o'clock|noon|midnight|(?<=at )\d{1,2}(?-i:(?! [A-Z])))(?![\w:]))"
    r"|(?P<day>\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b)"
    rf"|(?P<amount>(?<![\w-])(?:[£$€] ?)?(?:\d[\d,.]*(?![\w-])|[A-Za-z]+\d\w*|\w+(?:-\w+)*-\d+(?:-\w+)*|\d+(?:-\w+)+|\b{_COUNT}\b(?= [a-z]))(?: ?%)?(?: (?P<unit>[a-zA-Z]\w*))?)",
    re.IGNORECASE,
)
_NO_UNIT: Final = frozenset(
    "is was a an the now not and or in on at for to from of instead actually no per anymore these as with".split()
)


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: of what sort, its value in plain form, the stem of what it counts, and where it stands."""

    sort: Sort
    value: frozenset[str]
    unit: str
    begin: int
    stop: int

    def is_like(self, other: Figure) -> bool:
        """True if both say the same sort of thing, so that one could stand in the place of the other."""
        return self.sort == other.sort and self.unit in ("", other.unit)

    def is_same(self, other: Figure) -> bool:
        """True if one says the other with more or fewer words ("the 3rd", "3 May")."""
        return self.value <= other.value or other.value <= self.value


@lru_cache(maxsize=16_384)
def figures(text: str) -> tuple[Figure, ...]:
    """Return the figures of a statement in order.

    >>> [(f.sort, sorted(f.value)) for f in figures("two dogs, on Mondays at 9:30")]
    [('amount', ['2']), ('day', ['monday']), ('clock', ['30', '9'])]
    """
    found: list[Figure] = []
    for match in _FIGURE.finditer(text):
        sort: Sort = match.lastgroup if match.lastgroup != "unit" else "amount"  # type: ignore[assignment]
        unit = (match["unit"] or "").casefold()
        stop = match.start("unit") if unit else match.end()
        value = text[match.start() : stop]
        unit = "" if unit in _NO_UNIT else stem(unit)
        found.append(Figure(sort, _plain(value), unit, match.start(), stop))
    return tuple(found)


def _plain(value: str) -> frozenset[str]:
    words = [re.sub(r"^(\d+)(?:st|nd|rd|th)$", r"\1", word) for word in normal(value).split()]
    words = [word[:3] if re.fullmatch(_MONTH, word, re.IGNORECASE) else word.removesuffix("s") for word in words]
    return frozenset(NUMBER_WORDS.get(word, word) for word in words if word not in ("the", "of", "a", "at", "per"))
