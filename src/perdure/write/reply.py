"""What a model said, read as the list that was asked for.

Models without tool calls answer in text: fenced, chatty, after <think>, as a bare list, line by line, in another name's
call.  All of that is read item by item; what holds nothing in the asked form is a BadCompletion, and the model is shown
its reply once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from perdure.errors import BadCompletion
from perdure.models import Completion, Prompt, Turn
from perdure.prompts.lenient import loads, values
from perdure.prompts.thoughts import has_open_thought, without_thoughts

_FENCE = re.compile(r"```[\w-]*\s*\n?(.*?)```", re.DOTALL)
_SHOWN_CHARS = 4_000  # of a bad reply, in its repair (chosen)
_WRAPPERS = ("arguments", "parameters", "input", "function")  # a tool call written out as text
_KEYED, _MARKED, _BARE = 0, 1, 2  # how surely a list is the one that was asked for, surest first


@dataclass(frozen=True, slots=True)
class Reading:
    """The items of a reply, in order, not yet checked.  `is_cut`: it ended before its list did, or within an item."""

    items: list[Any]
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class _List:
    items: list[Any]
    rank: int
    is_cut: bool = False


def items(completion: Completion, *, tool: str, keys: Sequence[str], marks: Sequence[str]) -> Reading:
    """Return the items of the list under one of `keys` that the reply holds.

    Calls of `tool` are read first, all of them; else calls of any other name; else the text.  `marks` are keys of which
    an item has one: by them a single object stands for a list of one, and a list without a key is known.
    An empty list is an answer; of a reply that was cut off, whole items alone are given.
    Raises BadCompletion if nothing can be read as the asked form.
    """
    called = [call for call in completion.calls if call.name == tool] or completion.calls
    found = [_from_text(call.arguments, keys, marks) for call in called]
    if all(one is None for one in found):
        found = [_from_text(completion.text, keys, marks)]
    lists = [one for one in found if one is not None]
    read = [item for one in lists for item in one.items]
    if not lists or (read and not any(isinstance(item, Mapping | str) for item in read)):
        cut = ", and it was cut off" if completion.is_truncated else ""
        raise BadCompletion(f"the reply holds no call of {tool} and no JSON object with a list {keys[0]!r}{cut}")
    return Reading(read, any(one.is_cut for one in lists))


def repair(prompt: Prompt, completion: Completion, error: BadCompletion) -> Prompt:
    """Return the prompt that shows the model its own reply and what was wrong with it."""
    said = completion.text or "\n".join(f"{call.name}({call.arguments})" for call in completion.calls) or "(nothing)"
    wanted = " or ".join(tool.name for tool in prompt.tools)
    ask = f"This could not be read: {error}. Answer again, only by calling {wanted}."
    turns = (*prompt.turns, Turn("assistant", said[:_SHOWN_CHARS]), Turn("user", ask))
    return replace(prompt, turns=turns)


def text(value: object) -> str:
    """Return a text value with its spaces joined and without what no store can keep; "" for anything else."""
    if not isinstance(value, str):
        return ""
    whole = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return " ".join(whole.replace("\0", "").split())


def texts(value: object) -> tuple[str, ...]:
    """Return the distinct non-blank texts of a list, in order; of a single text, that one."""
    listed = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(one for one in map(text, listed) if one))


def whole(value: object) -> int | None:
    """Return a whole number, also one written as text ("[3]", "#3", "fact 3"); None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, list) and len(value) == 1:
        return None if isinstance(value[0], list) else whole(value[0])
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, str):
        match = re.fullmatch(
            r"\s*[a-z]{0,10}\s*[\[(#]?\s*(\d{1,6})(?:\.0+)?\s*[\])]?\s*", value, re.ASCII | re.IGNORECASE
        )
        return int(match[1]) if match else None
    return value if isinstance(value, int) else None


def truth(value: object) -> bool:
    """Return True for true, also written as text; False for anything else."""
    return value is True or (isinstance(value, str) and value.strip().lower() in ("true", "yes"))


def first(given: Mapping[str, Any], names: Sequence[str]) -> Any:
    """Return the value under the first of these names that the item has one under, None if under none."""
    return next((given[name] for name in names if given.get(name) is not None), None)


def _from_text(said: str, keys: Sequence[str], marks: Sequence[str]) -> _List | None:
    """Return the surest lists of a text, joined; equal items count once."""
    plain = without_thoughts(said)
    found = _joined([*_wholes(plain, keys, marks), *_inside(plain, keys, marks)])
    if found is None and has_open_thought(said) and said.rstrip().endswith(("}", "]", "```")):
        # A thought without an end that ends in the asked form: the model forgot to close it.
        last = [one for one in _inside(said, keys, marks) if one.rank == _KEYED][-1:]
        found = _joined(last)
    return found


def _wholes(said: str, keys: Sequence[str], marks: Sequence[str]) -> Iterator[_List]:
    """Yield what the text as a whole, and each of its fences, is: there even an empty list is an answer."""
    for part in (said, *_FENCE.findall(said)):
        read = _read(loads(part.strip()), keys, marks)
        if read is not None:
            yield read


def _inside(said: str, keys: Sequence[str], marks: Sequence[str]) -> Iterator[_List]:
    """Yield the lists that stand somewhere in a text.  An empty list without a key may be anything there."""
    for found in values(said):
        read = _read(found.value, keys, marks)
        if read is None or (not read.items and (read.rank != _KEYED or found.is_cut)):
            continue
        if found.is_cut and isinstance(found.value, Mapping) and read.rank == _MARKED:
            continue  # half of an item
        yield replace(read, is_cut=found.is_cut)


def _joined(lists: Sequence[_List]) -> _List | None:
    full = [one for one in lists if one.items]
    if not full:
        return lists[0] if lists else None
    rank = min(one.rank for one in full)
    joined: list[Any] = []
    for one in full:
        if one.rank == rank:
            joined.extend(item for item in one.items if item not in joined)
    return _List(joined, rank, any(one.is_cut for one in full))


def _read(value: Any, keys: Sequence[str], marks: Sequence[str], *, depth: int = 0) -> _List | None:
    """Return the list that a JSON value stands for, or None."""
    if depth > 4:
        return None
    if isinstance(value, str):
        inner = loads(value)
        return _read(inner, keys, marks, depth=depth + 1) if isinstance(inner, Mapping | list | str) else None
    if isinstance(value, list):
        return _listed(value, keys, marks, depth)
    if not isinstance(value, Mapping):
        return None
    for key in keys:
        read = _keyed(value.get(key), keys, marks, depth)
        if read is not None:
            return read
    if any(value.get(mark) is not None for mark in marks) and "role" not in value:
        return _List([value], _MARKED)
    wrapped = [value[name] for name in _WRAPPERS if name in value]
    wrapped += [inner for inner in value.values() if isinstance(inner, Mapping)]
    read_inside = (_read(inner, keys, marks, depth=depth + 1) for inner in wrapped)
    return next((found for found in read_inside if found is not None), None)


def _keyed(inner: Any, keys: Sequence[str], marks: Sequence[str], depth: int) -> _List | None:
    """Return what stands under the asked key: a list, one object, or objects under numbers; also written as text."""
    if isinstance(inner, list):
        return _List(inner, _KEYED)
    if isinstance(inner, str):
        read = _read(inner, keys, marks, depth=depth + 1)
        return None if read is None else replace(read, rank=_KEYED)
    if isinstance(inner, Mapping) and inner and not _is_schema(inner):
        are_items = all(isinstance(one, Mapping) for one in inner.values())
        return _List(list(inner.values()) if are_items else [inner], _KEYED)
    return None


def _listed(value: list[Any], keys: Sequence[str], marks: Sequence[str], depth: int) -> _List | None:
    """Return a list without a key: of items, of texts, or of calls whose lists are joined."""
    if not value:
        return _List([], _MARKED)
    if any(isinstance(item, Mapping) and {*keys, *_WRAPPERS} & set(item) for item in value):
        return _joined([one for item in value if (one := _read(item, keys, marks, depth=depth + 1)) is not None])
    if any(isinstance(item, Mapping) and any(item.get(mark) is not None for mark in marks) for item in value):
        return None if all(isinstance(item, Mapping) and "role" in item for item in value) else _List(value, _MARKED)
    return _List(value, _BARE) if any(isinstance(item, str) for item in value) else None


def _is_schema(value: Mapping[str, Any]) -> bool:
    """True for a JSON schema: some models say back what they were asked for."""
    return isinstance(value.get("properties"), Mapping) or (value.get("type") == "array" and "items" in value)
