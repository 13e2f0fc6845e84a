"""What a model said, read as the list that was asked for.

Models without tool calls answer in text: fenced, chatty, after <think>, as a bare list or a single object.  All of
that is read; what holds nothing in the asked form is a BadCompletion, and the model is shown its reply once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from perdure.errors import BadCompletion
from perdure.models import Completion, Prompt, Turn

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[\w-]*\s*\n?(.*?)```", re.DOTALL)
_OPENING = re.compile(r"[{\[]")
_SHOWN_CHARS = 4_000  # of a bad reply, in its repair (chosen)
_TRIES = 200  # openings of JSON looked at in a text (chosen: bounds the cost of a reply full of brackets)
_WRAPPERS = ("arguments", "parameters", "input")  # a tool call written out as text


def items(completion: Completion, *, tool: str, key: str, mark: str) -> list[Any]:
    """Return the items of the list `key` that the reply holds, in order, not yet checked.

    Calls of `tool` are read first, all of them; else the text.  `mark` is a key of every item: by it a single object
    stands for a list of one.  An empty list is an answer.
    Raises BadCompletion if nothing can be read as the asked form.
    """
    found = [_from_arguments(call.arguments, key, mark) for call in completion.calls if call.name == tool]
    if not found:
        found = [_from_text(completion.text, key, mark)]
    read = [item for part in found if part is not None for item in part]
    if all(part is None for part in found) or (read and not any(isinstance(i, Mapping | str) for i in read)):
        cut = ", and it was cut off" if completion.is_truncated else ""
        raise BadCompletion(f"the reply holds no call of {tool} and no JSON object with a list {key!r}{cut}")
    return read


def repair(prompt: Prompt, completion: Completion, error: BadCompletion) -> Prompt:
    """Return the prompt that shows the model its own reply and what was wrong with it."""
    said = completion.text or "\n".join(f"{call.name}({call.arguments})" for call in completion.calls) or "(nothing)"
    wanted = " or ".join(tool.name for tool in prompt.tools)
    ask = f"This could not be read: {error}. Answer again, only by calling {wanted}."
    turns = (*prompt.turns, Turn("assistant", said[:_SHOWN_CHARS]), Turn("user", ask))
    return replace(prompt, turns=turns)


def without_thoughts(said: str) -> str:
    """Return a text reply without what the model only thought aloud."""
    return _THOUGHT.sub("", said).strip()


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
    """Return a whole number, also one written as text ("[3]", "3"); None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, str):
        match = re.fullmatch(r"\s*[\[(#]?\s*(\d{1,6})\s*[\])]?\s*", value, re.ASCII)
        return int(match[1]) if match else None
    return value if isinstance(value, int) else None


def _loads(source: str) -> Any:
    """Return the JSON value of a whole text, or None."""
    try:
        return json.loads(source)
    except (ValueError, RecursionError):
        return None


def _from_arguments(arguments: str, key: str, mark: str) -> list[Any] | None:
    value = _loads(arguments)
    return _from_text(arguments, key, mark) if value is None else _read(value, key, mark)


def _from_text(said: str, key: str, mark: str) -> list[Any] | None:
    said = without_thoughts(said)
    for part in (*_FENCE.findall(said), said):
        value = _loads(part.strip())
        read = None if value is None else _read(value, key, mark)
        if read is not None:
            return read
    for value in _values(said):
        read = _read(value, key, mark)
        if read:  # an empty list in the middle of a text may be anything
            return read
        if read is not None and isinstance(value, Mapping):
            return read
    return None


def _values(said: str) -> Iterator[Any]:
    """Yield the JSON values that stand in a text, in order, outermost only."""
    decoder = json.JSONDecoder()
    position = 0
    for _ in range(_TRIES):
        opening = _OPENING.search(said, position)
        if opening is None:
            return
        try:
            value, position = decoder.raw_decode(said, opening.start())
        except (ValueError, RecursionError):
            position = opening.end()
        else:
            yield value


def _read(value: Any, key: str, mark: str, *, depth: int = 0) -> list[Any] | None:
    """Return the list that a JSON value stands for, or None."""
    if isinstance(value, str) and depth < 3:
        inner = _loads(value)
        return None if inner is None else _read(inner, key, mark, depth=depth + 1)
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], Mapping) and (key in value[0] or "arguments" in value[0]):
            return _read(value[0], key, mark, depth=depth + 1)
        return value if all(isinstance(item, Mapping | str) or item is None for item in value) else None
    if not isinstance(value, Mapping) or depth > 3:
        return None
    if key in value:
        inner = value[key]
        return [inner] if isinstance(inner, Mapping) else inner if isinstance(inner, list) else None
    if mark in value:
        return [value]
    wrapped = [value[name] for name in _WRAPPERS if name in value]
    wrapped += [inner for inner in value.values() if isinstance(inner, Mapping)]
    read = (_read(inner, key, mark, depth=depth + 1) for inner in wrapped)
    return next((found for found in read if found is not None), None)
