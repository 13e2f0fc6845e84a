"""What Mem0 leaves: the JSON of its export or `get_all`, and its embedded Qdrant store.

An item is {id, memory, user_id, agent_id, run_id, created_at, updated_at, metadata, ...}; a point of the store has the
text under `data` and everything else beside it.  Only what is current comes: Mem0 keeps no more.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from perdure.errors import InputError, SettingsError
from perdure.models import MemoryRecord, Scope
from perdure.transfer import files
from perdure.when import to_utc

_ITEMS = ("results", "memories", "data")  # the keys that a list may stand under
_OURS = (
    "id", "memory", "data", "user_id", "agent_id", "run_id", "actor_id", "created_at", "updated_at", "expiration_date",
    "metadata", "categories", "attributed_to", "role", "hash", "score", "text_lemmatized", "owner", "organization",
)  # fmt: skip
_TIMEOUT_S = 600.0  # that reading an embedded store may take (chosen)
_ID = re.compile(r"[0-9a-z-]{1,64}")


@dataclass(frozen=True, slots=True)
class Item:
    """One memory of Mem0, checked."""

    id: str
    text: str
    user: str | None
    agent: str | None
    run: str | None
    at: datetime | None
    expires_at: datetime | None
    attributed_to: str | None
    categories: tuple[str, ...]
    metadata: Mapping[str, Any]

    def record(self, *, now: datetime) -> MemoryRecord:
        """Return the memory as a first version, said when Mem0 says so."""
        return MemoryRecord(
            id=self.id, text=self.text, version=1, user=self.user, agent=self.agent, run=self.run, kind="fact",
            metadata=self.metadata, categories=self.categories, attributed_to=self.attributed_to, origin="import",
            event_from=None, event_to=None, time_precision=None, valid_from=self.at, valid_to=None, recorded_at=now,
            retired_at=None, expires_at=self.expires_at, created_at=now, updated_at=now, sources=(), entities=(),
            supersedes=(), superseded_by=None, evidence_count=0,
        )  # fmt: skip


def read(path: Path, scope: Scope, *, collection: str) -> list[Item] | None:
    """Return what a file or folder of Mem0 holds, under the ids of `scope`; None for an export of perdure.

    Raises InputError where it is neither, SettingsError where reading a folder needs an extra.
    """
    if path.is_dir():
        if not is_store(path):
            raise InputError(f"the folder {path} is no embedded store of Mem0; name an export, or its JSON")
        return items(read_store(path, collection), scope)
    return None if files.is_export(path) else items(files.document(path), scope)


def items(document: Any, scope: Scope) -> list[Item]:
    """Return the memories of a JSON document; ids that the scope names stand in place of the items' own.

    Raises InputError where it is no list of memories, or one has no text or nobody it belongs to.
    """
    listed = document
    if isinstance(document, dict):
        listed = next((document[key] for key in _ITEMS if isinstance(document.get(key), list)), None)
    if not isinstance(listed, list):
        raise InputError('the file holds no memories of Mem0; expected a list, or one under "results" or "memories"')
    return [_item(value, place, scope) for place, value in enumerate(listed)]


def _item(value: Any, place: int, scope: Scope) -> Item:
    if not isinstance(value, dict):
        raise InputError(f"item {place} is no JSON object; nothing was imported")
    text = value.get("memory", value.get("data"))
    if not isinstance(text, str) or not text.strip():
        raise InputError(f'item {place} has no text under "memory"; nothing was imported')
    user, agent, run = (
        getattr(scope, name) or _text(value.get(f"{name}_id")) for name in ("user", "agent", "run")
    )  # fmt: skip
    if user is None and agent is None and run is None:
        raise InputError(f"item {place} belongs to nobody; import it with a user, agent or run")
    metadata = value.get("metadata")
    more = {key: one for key, one in value.items() if key not in _OURS}
    return Item(
        _id(value.get("id"), text, place), text, user, agent, run, _time(value, "created_at", place),
        _time(value, "expiration_date", place), _text(value.get("attributed_to")),
        tuple(str(each) for each in value.get("categories") or ()), {**(metadata or {}), **more},
    )  # fmt: skip


def _id(value: Any, text: str, place: int) -> str:
    """Return the item's own id, so that a second import finds it; a hash of it where it is none of ours."""
    own = _text(value)
    if own is not None and _ID.fullmatch(own):
        return own
    return hashlib.sha256((own or f"{place}\x00{text}").encode()).hexdigest()[:32]


def _text(value: Any) -> str | None:
    return None if value is None or value == "" else str(value)


def _time(value: Mapping[str, Any], name: str, place: int) -> datetime | None:
    """Return a time of an item; one without an offset is UTC, as Mem0 writes it."""
    given = value.get(name)
    if given in (None, ""):
        return None
    if isinstance(given, int | float):
        return datetime.fromtimestamp(given, UTC)
    try:
        return to_utc(str(given), timezone=UTC, name=name)
    except InputError as err:
        raise InputError(f"item {place}: {err}; nothing was imported") from err


# ---------------------------------------------------------------- the embedded store


def is_store(path: Path) -> bool:
    """True if a folder is an embedded Qdrant store."""
    return (path / "meta.json").is_file() and (path / "collection").is_dir()


def read_store(path: Path, collection: str) -> Sequence[Mapping[str, Any]]:
    """Return the points of a collection as items.

    Another process reads them: the store's files hold pickles, which may run anything; nothing of it but JSON comes
    back.  Import only a store that you trust.
    Raises SettingsError where qdrant-client is not installed, InputError where the store cannot be read.
    """
    import subprocess  # here: `import perdure` stays quick

    command = [sys.executable, "-m", "perdure.transfer.qdrant", str(path), collection]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)  # noqa: S603 - our own module, no shell
    except subprocess.TimeoutExpired as err:
        raise InputError(f"{path} was not read within {_TIMEOUT_S:g} s; is another process holding it?") from err
    if done.returncode == 3:
        raise SettingsError("reading Mem0's embedded store needs qdrant-client: pip install 'perdure[mem0-import]'")
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or ["no reason was given"]
        raise InputError(f"the Qdrant store {path} could not be read: {last[0]}")
    points: list[Mapping[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    return points
