"""The only door from a name to a backend: "openai:gpt-4o-mini" or "memory.db" becomes an object.

An object in place of a name passes, held to the contract of its port.  Backends are imported when they are named.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from perdure.errors import SettingsError
from perdure.models import Warning
from perdure.ports import LLM, Clock, Embedder, Store
from perdure.providers.guarded import GuardedEmbedder, GuardedLLM
from perdure.settings import Settings, data_home

EMBEDDERS = '"minilm", "hash", "hash:DIMENSIONS", "none"'
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]+)://")


def language_model(spec: str | LLM | None, settings: Settings) -> LLM | None:
    """Return the model that `spec`, else `settings.llm`, names; None where neither names one.

    Raises SettingsError on an unknown name, or where the model needs a key and none is set.
    """
    spec = settings.llm if spec is None else spec
    if spec is None:
        return None
    if not isinstance(spec, str):
        return GuardedLLM(spec)
    provider, _, model = spec.partition(":")
    options: dict[str, Any] = {
        "base_url": settings.llm_base_url,
        "timeout_s": settings.llm_timeout_s,
        "retries": settings.llm_retries,
        "concurrency": settings.llm_concurrency,
    }
    if model and provider == "anthropic":
        from perdure.providers.anthropic import AnthropicChat

        return AnthropicChat(model, **options)
    from perdure.providers.openai import VENDORS, OpenAIChat

    if model and provider in VENDORS:
        return OpenAIChat(model, vendor=provider, api_version=settings.llm_api_version, **options)
    known = ", ".join(f'"{name}:MODEL"' for name in ("anthropic", *VENDORS))
    raise SettingsError(
        f'unknown language model {spec!r}; expected one of {known}, such as "openai:gpt-4o-mini", or an object with '
        "complete()"
    )


def embedder(spec: str | Embedder | None, settings: Settings) -> tuple[Embedder | None, list[Warning]]:
    """Return the embedder that `spec`, else `settings.embedder`, names, else the packaged one.

    Where nothing is named and the packaged one is not installed, there is none, and a warning says why.
    Raises SettingsError on an unknown name, or where the one that is named is not installed.
    """
    spec = settings.embedder if spec is None else spec
    if spec is not None and not isinstance(spec, str):
        return GuardedEmbedder(spec), []
    if spec == "none":
        return None, []
    if spec in (None, "minilm"):
        from perdure.providers.local import MiniLM

        try:
            return MiniLM(), []
        except SettingsError as err:
            if spec is not None:
                raise
            return None, [Warning("no_embedder", f"{err}; until then memories are found by their words alone")]
    name, _, dimensions = spec.partition(":")
    if name == "hash" and re.fullmatch(r"([1-9]\d{0,3})?", dimensions, re.ASCII):
        from perdure.providers.fakes import HashEmbedder

        return HashEmbedder(int(dimensions or 256)), []
    raise SettingsError(f"unknown embedder {spec!r}; expected {EMBEDDERS}, or an object with embed()")


def store(spec: str | Path | Store | None, settings: Settings, clock: Clock) -> Store:
    """Return the store that `spec`, else `settings.store`, names; else memory.db in `data_home()`, made if need be.

    ":memory:" is kept by this process alone; anything else is the path of a file.
    Raises SettingsError on a URL, StoreError kinds where the file cannot be opened.
    """
    spec = settings.store if spec is None else spec
    if spec is not None and not isinstance(spec, str | Path):
        if not hasattr(spec, "commit"):
            raise SettingsError(
                f'a store is a file, ":memory:" or an object of the port Store, not {type(spec).__name__}'
            )
        return spec
    if spec == ":memory:":
        from perdure.stores.in_memory import InMemoryStore

        return InMemoryStore(clock=clock)
    path = _default_file() if spec is None else _file(spec)
    from perdure.stores.sqlite.store import SQLiteStore

    return SQLiteStore(
        path,
        clock=clock,
        durability=settings.durability,
        busy_timeout_s=settings.busy_timeout_s,
        cache_bytes=settings.cache_bytes,
    )


def _default_file() -> Path:
    folder = data_home()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as err:
        raise SettingsError(
            f"cannot make the folder {folder} of the default store: {err.strerror}; name a store file elsewhere"
        ) from err
    return folder / "memory.db"


def _file(spec: str | Path) -> Path:
    url = _URL.match(str(spec))
    if url and url[1] in ("postgresql", "postgres"):
        raise SettingsError("this version has no PostgreSQL store; name a file, such as memory.db")
    if url:
        raise SettingsError(f'{url[1]}:// names no store of perdure; name a file, such as memory.db, or ":memory:"')
    if any(mark == "\x00" or "\ud800" <= mark <= "\udfff" for mark in str(spec)):
        raise SettingsError("the store's name holds a NUL or a lone surrogate, which no file name can; check the path")
    if not str(spec).strip():
        raise SettingsError('the store has no name; expected a file, such as memory.db, or ":memory:"')
    return Path(spec).expanduser()
