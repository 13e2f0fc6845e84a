"""What is asked of the memory, checked once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from perdure.errors import InputError
from perdure.models import Include, Selection
from perdure.ports import RowKind as RowKind  # what a search looks through, by the store's word

INCLUDABLE: tuple[Include, ...] = ("memories", "messages")  # what is looked through unless something else is asked for
KNOWN: tuple[Include, ...] = (*INCLUDABLE, "relations")

MAX_K = 10_000  # chosen: far beyond any prompt, and every store can count to it


@dataclass(frozen=True, slots=True)
class Query:
    """A question to the memory: what to look for, among which rows, and how many hits to return.

    Nothing said after `until` is read (None: after `selection.as_of`, else after `selection.known_at`).
    `threshold` acts on the returned score.  `explain` fills each hit's explanation.
    `diversity`, 0 to 1, is the share of `keep.diverse`.
    Raises InputError on anything that cannot be right.
    """

    text: str
    selection: Selection
    k: int = 10
    include: tuple[Include, ...] = INCLUDABLE
    threshold: float | None = None
    diversity: float = 0.0
    explain: bool = False
    until: datetime | None = None

    @property
    def cut(self) -> datetime | None:
        """The last moment of which anything said is read; None where all is."""
        return self.until or self.selection.as_of or self.selection.known_at

    def __post_init__(self) -> None:
        _check_text(self.text)
        if isinstance(self.k, bool) or not isinstance(self.k, int) or not 1 <= self.k <= MAX_K:
            raise InputError(f"k must be a whole number from 1 to {MAX_K}, not {self.k!r}")
        if not self.include or not all(name in KNOWN for name in self.include):
            raise InputError(f"include must name one or more of {', '.join(KNOWN)}, not {self.include!r}")
        if self.threshold is not None and not _is_share(self.threshold):
            raise InputError(
                f"threshold must be a number from 0 to 1, not {self.threshold!r}; scores are probabilities"
            )
        if not _is_share(self.diversity):
            raise InputError(f"diversity must be a number from 0 (off) to 1, not {self.diversity!r}")
        if not self.selection.scope.is_named and self.selection.within is None:
            raise InputError("a query needs at least one of user, agent and run")


def _check_text(text: str) -> None:
    if not isinstance(text, str):
        raise InputError(f"a query must be text, not {type(text).__name__}")
    if not text.strip():
        raise InputError("a query must not be blank; say what to look for")
    try:
        text.encode()
    except UnicodeEncodeError as err:
        raise InputError("a query must be valid Unicode; it holds a lone surrogate") from err


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
