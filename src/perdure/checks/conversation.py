"""The check of messages: a text, a mapping, or a list of mappings or (role, content) pairs."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Any, get_args

from perdure.checks import documents
from perdure.checks.arguments import choice, identifier, known_keys, moment, storable, text, type_name
from perdure.errors import InputError
from perdure.models import Json, Message, Origin, Warning

ORIGINS: tuple[Origin, ...] = get_args(Origin)
KEYS = ("role", "content", "name", "at", "id", "origin", "metadata")
CHAT_KEYS = ("tool_calls", "tool_call_id", "function_call", "refusal", "annotations")  # of chat APIs, kept as metadata
MAX_ROLE_CHARS = 64  # chosen
MAX_NAME_CHARS = 256  # chosen, as for ids
PARTS = "content_parts"  # the metadata key under which parts that are not text are kept
_FUTURE = timedelta(days=1)  # chosen: clocks and time zones differ by less
_ROLES: Mapping[str, Origin] = {
    "assistant": "assistant", "ai": "assistant", "model": "assistant", "bot": "assistant",
    "tool": "tool", "function": "tool",
    "system": "document", "developer": "document",
}  # fmt: skip
_TEXT_PARTS = ("text", "input_text", "output_text")


def messages(
    value: object,
    *,
    at: datetime,
    now: datetime,
    timezone: tzinfo | None,
    max_chars: int,
    metadata: Json | None = None,
    default_origin: Origin | None = None,
) -> tuple[list[Message], list[Warning]]:
    """Return messages, in order, and what their sender should know; a message without a time was said `at`.

    A text alone is said by the user.  A message without an origin has `default_origin`; if that is None, its role
    decides: assistant, tool, system (a document: instructions are nobody's memories); any other role is a person.
    `metadata`, checked before, is added to each message, whose own keys win.
    Content may be a list of parts: texts are joined by line ends; another part leaves "[image]" or the like in the
    text and is kept under PARTS in the metadata (warning `part_not_read`).
    A time more than a day after `now` is kept, since plans are data, with the warning `future_time`.
    Raises InputError, naming the message, on anything else; nothing is left out.
    """
    edge = _Edge(at, timezone, max_chars, metadata or {}, default_origin)
    checked = [_message(item, f"messages[{number}]", edge) for number, item in enumerate(_listed(value))]
    return checked, _warnings(checked, now)


@dataclass(frozen=True, slots=True)
class _Edge:
    """What all messages of one call share."""

    at: datetime
    timezone: tzinfo | None
    max_chars: int
    metadata: Json
    default_origin: Origin | None


def _warnings(checked: Sequence[Message], now: datetime) -> list[Warning]:
    found = []
    for number, message in enumerate(checked):
        item = message.external_id or f"messages[{number}]"
        if PARTS in message.metadata:
            count = len(message.metadata[PARTS])
            detail = f"{count} part(s) that are not text were kept in metadata.{PARTS} and not read"
            found.append(Warning("part_not_read", detail, item))
        if message.at - now > _FUTURE:
            detail = f"the message is dated {message.at:%Y-%m-%d}, after the present; it was kept as it is"
            found.append(Warning("future_time", detail, item))
    return found


def _listed(value: object) -> Sequence[object]:
    """Return the messages as a list of mappings."""
    if isinstance(value, str):
        return [{"role": "user", "content": value}]
    if isinstance(value, Mapping):
        return [value]
    if not isinstance(value, list | tuple):
        raise InputError(
            f"messages must be a str, a mapping, or a list of mappings or (role, content) pairs, not {type_name(value)}"
        )
    if not value:
        raise InputError("messages is empty; give at least one message")
    return [_mapping(item, f"messages[{number}]") for number, item in enumerate(value)]


def _mapping(item: object, name: str) -> object:
    if isinstance(item, str):
        raise InputError(f'{name} is a str; write ("user", content) or {{"role": "user", "content": content}}')
    if isinstance(item, list | tuple):
        if len(item) != 2:
            raise InputError(f"{name} has {len(item)} elements; a pair is (role, content)")
        return {"role": item[0], "content": item[1]}
    return item


def _message(item: object, name: str, edge: _Edge) -> Message:
    if not isinstance(item, Mapping):
        raise InputError(f"{name} must be a mapping or a (role, content) pair, not {type_name(item)}")
    known_keys(item, name, (*KEYS, *CHAT_KEYS))
    for required in ("role", "content"):
        if required not in item:
            raise InputError(f"{name} has no {required}; every message needs role and content")
    role = _role(item["role"], f"{name}.role")
    own = {**edge.metadata, **documents.metadata(item.get("metadata"), name=f"{name}.metadata")}
    said = {key: item[key] for key in CHAT_KEYS if item.get(key) is not None}
    own.update(documents.metadata(said, name=name))
    content, parts = _content(_called(said) if item["content"] is None else item["content"], name)
    if parts:
        if PARTS in own:
            raise InputError(f"the metadata of {name} has the key {PARTS}, which keeps parts of content; rename it")
        own.update(documents.metadata({PARTS: parts}, name=f"{name}.content"))
    origin, speaker, external_id = item.get("origin"), item.get("name"), item.get("id")
    return Message(
        role=role,
        content=text(content, f"{name}.content", edge.max_chars),
        at=moment(item.get("at"), timezone=edge.timezone, name=f"{name}.at") or edge.at,
        origin=_origin(role, edge.default_origin) if origin is None else choice(origin, f"{name}.origin", ORIGINS),
        name=None if speaker is None else text(speaker, f"{name}.name", MAX_NAME_CHARS),
        external_id=None if external_id is None else identifier(external_id, f"{name}.id"),
        metadata=own,
    )


def _role(value: object, name: str) -> str:
    role = text(value, name, MAX_ROLE_CHARS)
    if any(unicodedata.category(char) in ("Cc", "Zl", "Zp") for char in role):
        raise InputError(f"{name} holds a control character or a line end; give a word such as user or assistant")
    return role


def _origin(role: str, default: Origin | None) -> Origin:
    return default or _ROLES.get(role.strip().casefold(), "user")


def _content(value: object, name: str) -> tuple[object, list[Any]]:
    """Return the text of a content and its parts that are not text."""
    if not isinstance(value, list | tuple):
        return value, []
    lines: list[str] = []
    parts: list[Any] = []
    for number, part in enumerate(value):
        where = f"{name}.content[{number}]"
        if isinstance(part, str):
            lines.append(part)
            continue
        kind = part.get("type") if isinstance(part, Mapping) else None
        if not isinstance(part, Mapping) or not isinstance(kind, str):
            raise InputError(f"{where} must be a str or a mapping with a type such as text or image_url")
        if kind in _TEXT_PARTS:
            if not isinstance(part.get("text"), str):
                raise InputError(f"{where} has the type {kind} but no text")
            lines.append(part["text"])
        else:
            lines.append(f"[{_medium(storable(kind, where))}]")
            parts.append(part)
    return "\n".join(lines), parts


def _called(said: Json) -> object:
    """Return the tool calls of a message without content as text; None where there is none.

    >>> _called({"tool_calls": [{"function": {"name": "book", "arguments": "{}"}}]})
    '[called book({})]'
    """
    calls = said.get("tool_calls") or [{"function": said.get("function_call")}]
    functions = [call.get("function") for call in calls if isinstance(call, Mapping)]
    named = [f"[called {f.get('name')}({f.get('arguments')})]" for f in functions if isinstance(f, Mapping)]
    return "\n".join(named) or None


def _medium(kind: str) -> str:
    """Return the plain word for a part's type: "image" for image_url and input_image.

    >>> _medium("image_url")
    'image'
    """
    for medium in ("image", "audio", "video", "file", "document"):
        if medium in kind.casefold():
            return medium
    return "attachment"
