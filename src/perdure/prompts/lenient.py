"""JSON as models write it: with comments, trailing commas, Python's literals, single quotes, or cut off.

A value is read only where it begins with { or [.  What was cut off is never completed: a string or number without its
end is dropped with its key, and an object without its end is dropped from the list that it stands in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_OPENING = re.compile(r"[{\[]")
_BLANK = re.compile(r"(?:\s+|//[^\n]*|#[^\n]*|/\*.*?(?:\*/|\Z))*", re.DOTALL)
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?=[\s,\]}/#]|\Z)")
_WORD = re.compile(r"[-+]?[^\W\d][\w.\-]*")
_SPACES = re.compile(r"\s*")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_CLOSERS = {'"': '"', "'": "'", "“": "”", "„": "“"}
_SPECIAL = {closing: re.compile(rf"[\\{closing}]") for closing in _CLOSERS.values()}
_LITERALS: Mapping[str, Any] = {
    "true": True, "false": False, "null": None, "none": None, "undefined": None, "nan": None, "infinity": None,
    "-infinity": None, "-nan": None,
}  # fmt: skip
_TRIES = 200  # openings looked at in a text (chosen: bounds the cost of a reply full of brackets)
_DEPTH = 40  # of nesting (chosen: a reply has five levels)
_LOOKS = 100_000  # quotes looked at in a text (chosen: bounds the cost of a reply full of quotes, about 0.05 s)


@dataclass(frozen=True, slots=True)
class Found:
    """A value that stands in a text.  `is_cut`: the text ended before the value did."""

    value: Any
    is_cut: bool = False


class _NoValueError(Exception):
    """What stands here is not JSON, however widely that is taken."""


class _CutError(Exception):
    """The text ended here.  `kept` is what can be told of the value that was being read; `is_kept` says if anything."""

    def __init__(self, kept: Any = None, *, is_kept: bool = False) -> None:
        super().__init__()
        self.kept = kept
        self.is_kept = is_kept


def loads(source: str) -> Any:
    """Return the JSON value of a whole, well-formed text; None for anything else.  NaN is None, numbers are finite."""
    try:
        return json.loads(source, object_pairs_hook=_object, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None


def values(said: str) -> Iterator[Found]:
    """Yield the objects and lists that stand in a text, in order, outermost only."""
    strict = json.JSONDecoder(object_pairs_hook=_object, parse_constant=lambda _: None)
    reader = _Reader(said)
    position = 0
    for _ in range(_TRIES):
        opening = _OPENING.search(said, position)
        if opening is None:
            return
        try:
            value, position = strict.raw_decode(said, opening.start())
        except (ValueError, RecursionError):
            found = reader.read(opening.start())
            if found is None and reader.is_at_end:
                return  # what is cut off may go on in a text, and a text may hold anything
            position = reader.position if found else opening.end()
            if found is not None:
                yield found
        else:
            yield Found(value)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; of a key that occurs twice the last value counts, but two lists are one."""
    made: dict[str, Any] = {}
    for key, value in pairs:
        known = made.get(key)
        made[key] = [*known, *value] if isinstance(known, list) and isinstance(value, list) else value
    return made


class _Reader:
    """Reads values by recursive descent.  `position` is where it stands."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._looks = 0
        self.position = 0

    def read(self, start: int) -> Found | None:
        """Return what stands at an opening, None if it cannot be read."""
        self.position = start
        try:
            return Found(self.value(_DEPTH))
        except _CutError as cut:
            self.position = len(self._text)
            return Found(cut.kept, is_cut=True) if cut.is_kept else None
        except _NoValueError:
            self.position = start
            return None

    @property
    def is_at_end(self) -> bool:
        return self.position == len(self._text)

    def value(self, depth: int, *, is_word_text: bool = True) -> Any:
        sign = self._next()
        if sign in "{[":
            if not depth:
                raise _NoValueError
            self.position += 1
            return self._object(depth - 1) if sign == "{" else self._list(depth - 1)
        if sign in _CLOSERS:
            return self._string(_CLOSERS[sign])
        if number := _NUMBER.match(self._text, self.position):
            self._step(number.end())
            return _number(number[0])
        return self._word(is_word_text=is_word_text)

    def _object(self, depth: int) -> dict[str, Any]:
        pairs: list[tuple[str, Any]] = []
        try:
            while self._next() != "}":
                key = self._key()
                if self._next() != ":":
                    raise _NoValueError
                self.position += 1
                pairs.append((key, self.value(depth)))
                self._comma("}")
        except _CutError as cut:
            if cut.is_kept:
                pairs.append((key, cut.kept))
            raise _CutError(_object(pairs), is_kept=bool(pairs)) from None
        self.position += 1
        return _object(pairs)

    def _list(self, depth: int) -> list[Any]:
        items: list[Any] = []
        try:
            while self._next() != "]":
                items.append(self.value(depth, is_word_text=False))  # [sic] is no list of texts
                self._comma("]")
        except _CutError as cut:
            if cut.is_kept and isinstance(cut.kept, list):
                items.append(cut.kept)
            raise _CutError(items, is_kept=bool(items)) from None
        self.position += 1
        return items

    def _key(self) -> str:
        sign = self._next()
        if sign in _CLOSERS:
            return self._string(_CLOSERS[sign])
        word = _WORD.match(self._text, self.position)
        if word is None:
            raise _NoValueError
        self._step(word.end())
        return word[0]

    def _comma(self, closing: str) -> None:
        """Step over a comma; one that is missing is no matter, as long as something readable follows."""
        sign = self._next()
        if sign == ",":
            self.position += 1
        elif sign != closing and sign not in "{[" and sign not in _CLOSERS:
            raise _NoValueError

    def _string(self, closing: str) -> str:
        """Return a quoted text; a quote inside that nothing of JSON's follows is taken as a part of it."""
        parts: list[str] = []
        position = self.position + 1
        special = _SPECIAL[closing]
        while found := special.search(self._text, position):
            parts.append(self._text[position : found.start()])
            if found[0] == "\\":
                read, position = _escape(self._text, found.end())
                parts.append(read)
            elif self._ends(found.end()):
                self.position = found.end()
                return "".join(parts).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            else:
                parts.append(closing)
                position = found.end()
        raise _CutError

    def _ends(self, position: int) -> bool:
        """True if what follows a quote can follow the end of a string."""
        self._looks += 1
        if self._looks > _LOOKS:
            raise _NoValueError
        blank = _SPACES.match(self._text, position)
        after = blank.end() if blank else position
        sign = self._text[after : after + 1]
        if sign in ",}]:#" or self._text.startswith(("//", "/*"), after):  # "" is in it too: the end of the text
            return True
        return sign in "\"'{[" and "\n" in self._text[position:after]

    def _word(self, *, is_word_text: bool) -> Any:
        """Return a literal, or a bare word as the text that it is."""
        word = _WORD.match(self._text, self.position)
        if word is None:
            raise _NoValueError
        self._step(word.end())
        known = word[0].lower()
        if known not in _LITERALS and not is_word_text:
            raise _NoValueError
        return _LITERALS[known] if known in _LITERALS else word[0]

    def _step(self, end: int) -> None:
        """Go on behind a number or word.  Raises _CutError at the end of the text, where more of it may be missing."""
        if end == len(self._text):
            raise _CutError
        self.position = end

    def _next(self) -> str:
        """Return the next sign that is neither blank nor comment.  Raises _CutError at the end of the text."""
        blank = _BLANK.match(self._text, self.position)
        self.position = blank.end() if blank else self.position
        if self.position >= len(self._text):
            raise _CutError
        return self._text[self.position]


def _escape(text: str, position: int) -> tuple[str, int]:
    """Return what an escape stands for, and where the text goes on; an unknown one stands for its own sign."""
    sign = text[position : position + 1]
    if sign == "u" and re.fullmatch(r"[0-9a-fA-F]{4}", text[position + 1 : position + 5]):
        return chr(int(text[position + 1 : position + 5], 16)), position + 5
    return _ESCAPES.get(sign, sign), position + 1


def _number(said: str) -> int | float | None:
    """Return a number; None for one that no float holds."""
    if re.fullmatch(r"[-+]?\d{1,18}", said):
        return int(said)
    value = float(said)
    return value if abs(value) != float("inf") else None
