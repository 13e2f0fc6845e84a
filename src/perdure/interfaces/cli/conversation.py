"""Conversation files for `add --file`: JSON, JSON lines, dialogue in plain text, LoCoMo."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from perdure.errors import InputError
from perdure.interfaces.cli.demo import dialogues

_TURN = re.compile(r"(?P<name>[^\W\d_][\w.'-]*(?: [\w.'-]+){0,2}): +(?P<text>\S.*)")
_ROLES = ("user", "assistant", "system", "tool")


def read(place: str) -> list[dict[str, Any]]:
    """Return the messages of a file as `Memory.add` takes them; `FILE:ID` names a conversation of a LoCoMo file.

    .json: a list of messages, {"messages": [...]}, or LoCoMo.  .jsonl: one message a line.
    Anything else: plain text, see `dialogue`.  "-": stdin, in whichever of these forms it is.
    """
    path, id = split(place)
    text = sys.stdin.read() if place == "-" else _text(path)
    if path.suffix == ".jsonl":
        return _lines(text, path)
    if path.suffix == ".json" or (place == "-" and text.lstrip().startswith(("[", "{"))):
        return _messages(_value(text, path), path, id)
    return dialogue(text)


def split(place: str) -> tuple[Path, str | None]:
    """Return the path and the conversation id of `FILE` or `FILE:ID`."""
    path = Path(place)
    name, colon, id = place.rpartition(":")
    if colon and id and not path.exists() and Path(name).is_file():
        return Path(name), id
    return path, None


def dialogue(text: str) -> list[dict[str, Any]]:
    r"""Return the messages of a plain text.

    If its first line is "Name: text", every such line begins a message by that name, and other lines go on with it;
    the names user, assistant, system and tool are roles.  Otherwise the whole text is one message.

    >>> dialogue("Ana: I moved\nto Lyon.\nassistant: When?")
    [{'role': 'user', 'content': 'I moved\nto Lyon.', 'name': 'Ana'}, {'role': 'assistant', 'content': 'When?'}]
    """
    lines = text.strip().splitlines()
    if not lines or not _TURN.fullmatch(lines[0].strip()):
        return [{"role": "user", "content": text.strip()}]
    turns: list[dict[str, Any]] = []
    for one in lines:
        found = _TURN.fullmatch(one.strip())
        if found is None:
            turns[-1]["content"] += "\n" + one
            continue
        name = found["name"]
        role = name.lower() if name.lower() in _ROLES else None
        turns.append({"role": role or "user", "content": found["text"], **({} if role else {"name": name})})
    return [{**turn, "content": turn["content"].rstrip()} for turn in turns]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")  # a byte order mark is no part of the text
    except OSError as err:
        raise InputError(f"cannot read {path}: {err.strerror}") from err
    except UnicodeDecodeError as err:
        raise InputError(f"{path} is not UTF-8 text: byte {err.start}") from err


def _value(text: str, path: Path) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as err:
        raise InputError(f"{path} is not JSON: {err}") from err


def _lines(text: str, path: Path) -> list[dict[str, Any]]:
    found = []
    for number, one in enumerate(text.splitlines(), start=1):
        if one.strip():
            try:
                found.append(json.loads(one))
            except (ValueError, RecursionError) as err:
                raise InputError(f"{path}, line {number} is not JSON: {err}") from err
    return found


def load_locomo(place: str) -> dialogues.Dialogue:
    """Return a conversation of a LoCoMo file, `FILE` or `FILE:ID`."""
    path, id = split(place)
    return dialogues.locomo(path, id)


def _messages(value: Any, path: Path, id: str | None) -> list[dict[str, Any]]:
    if isinstance(value, dict) and "messages" in value:
        value = value["messages"]
    if isinstance(value, list) and any(isinstance(one, dict) and "conversation" in one for one in value):
        return [dict(message) for message in dialogues.locomo(path, id).messages]
    if isinstance(value, list) and id is None:
        return value
    raise InputError(f"{path} must hold a list of messages, an object with `messages`, or LoCoMo conversations")
