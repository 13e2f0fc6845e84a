"""The only door from a name to a backend: "openai:gpt-4o-mini" or "memory.db" becomes an object.

An object in place of a name passes, held to the contract of its port.  Backends are imported when they are named.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from perdure.checks.arguments import shown
from perdure.errors import SettingsError
from perdure.models import VectorSpace, Warning
from perdure.ports import LLM, Clock, Embedder, Ports, Reranker, Store
from perdure.providers.guarded import GuardedEmbedder, GuardedLLM, GuardedReranker
from perdure.providers.metered import MeteredLLM
from perdure.settings import Settings, data_home

T = TypeVar("T")

EMBEDDERS = (
    '"minilm", "multilingual", "openai:MODEL" such as "openai:text-embedding-3-small", "hash", "hash:DIMENSIONS", '
    '"none"'
)
_LOADED_LATER = (  # by a verb's first call
    "Stemmer", "numpy.ma", "perdure.offline.decide", "perdure.offline.extract", "perdure.offline.told",
)  # fmt: skip
REEMBEDDING = "reembedding"  # the code of the warning that the store holds vectors of two embedders
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]+)://")


def settings(given: Settings | Mapping[str, Any] | None) -> Settings:
    """Return the settings that are given, or those of the environment with what a mapping changes."""
    if isinstance(given, Settings):
        return given
    if given is not None and not (isinstance(given, Mapping) and all(isinstance(name, str) for name in given)):
        raise SettingsError(f"settings must be a Settings or a mapping of names to values, not {type(given).__name__}")
    return Settings.load(**(given or {}))


def held(given: T, name: str, method: str) -> T:
    """Return an object of the caller's, or None.  Raises SettingsError if it lacks the method of its port."""
    if given is not None and not callable(getattr(given, method, None)):
        raise SettingsError(f"{name} must be an object with {method}(), not {type(given).__name__}")
    return given


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
        "can_see": None if settings.llm_sees == "auto" else settings.llm_sees == "yes",
    }
    if model and provider == "anthropic":
        from perdure.providers.anthropic import AnthropicChat

        return AnthropicChat(model, **options)
    from perdure.providers.openai import VENDORS, OpenAIChat

    if model and provider in VENDORS:
        return OpenAIChat(model, vendor=provider, api_version=settings.llm_api_version, **options)
    known = ", ".join(f'"{name}:MODEL"' for name in ("anthropic", *VENDORS))
    raise SettingsError(
        f"unknown language model {shown(spec)}; expected one of {known}, "
        'such as "openai:gpt-4o-mini", or an object with complete()'
    )


def metered(llm: LLM, store: Store, clock: Clock, settings: Settings) -> MeteredLLM:
    """Return the model with the settings' budgets before it, its calls counted and remembered by the store."""
    return MeteredLLM(
        llm,
        store,
        clock,
        calls_at_most=settings.daily_call_budget,
        tokens_at_most=settings.daily_token_budget,
        remembered=settings.remembered_completions,
    )


def reranker(spec: str | Reranker | None, settings: Settings, llm: LLM | None) -> Reranker | None:
    """Return the reranker that `spec`, else `settings.reranker`, names; None where neither names one.

    "llm" is the language model that is configured.
    Raises SettingsError on an unknown name, or where an address, a key or the model is missing.
    """
    spec = settings.reranker if spec is None else spec
    if spec is None or spec == "none":
        return None
    if not isinstance(spec, str):
        return GuardedReranker(spec)
    from perdure.providers.reranking import VENDORS, EndpointReranker, ModelReranker

    if spec == "llm":
        if llm is None:
            raise SettingsError('the reranker "llm" is the configured language model, and there is none; set llm too')
        return ModelReranker(llm, prompts=settings.prompts)
    vendor, _, model = spec.partition(":")
    if vendor in VENDORS and model:
        return EndpointReranker(
            model,
            vendor=vendor,
            base_url=settings.reranker_base_url,
            timeout_s=settings.llm_timeout_s,
            retries=settings.llm_retries,
            connections=settings.llm_concurrency,
        )
    known = ", ".join(f'"{name}:MODEL"' for name in VENDORS)
    raise SettingsError(f'unknown reranker {shown(spec)}; expected "llm", {known}, or an object with score()')


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
    if spec is None:
        try:
            return _named_embedder("minilm", settings), []
        except SettingsError as err:
            return None, [Warning("no_embedder", f"{err}; until then memories are found by their words alone")]
    return _named_embedder(spec, settings), []


def _named_embedder(spec: str, settings: Settings) -> Embedder:
    name, _, rest = spec.partition(":")
    if spec == "minilm":
        from perdure.providers.local import MiniLM

        return MiniLM()
    if spec in ("multilingual", "e5"):
        from perdure.providers.multilingual import MultilingualE5

        return MultilingualE5()
    if name == "openai" and rest:
        from perdure.providers.openai_embeddings import OpenAIEmbedder

        return OpenAIEmbedder(
            rest,
            dimensions=settings.embedder_dimensions,
            base_url=settings.embedder_base_url,
            timeout_s=settings.llm_timeout_s,
            retries=settings.llm_retries,
            connections=settings.llm_concurrency,
        )
    if name == "hash" and re.fullmatch(r"([1-9]\d{0,3})?", rest, re.ASCII):
        from perdure.providers.fakes import HashEmbedder

        return HashEmbedder(int(rest or 256))
    raise SettingsError(f"unknown embedder {shown(spec)}; expected {EMBEDDERS}, or an object with embed()")


def embedding(ports: Ports, embedder: Embedder) -> tuple[Ports, Sequence[Warning]]:
    """Return the ports that embed by this one and search the older spaces that the store still holds too.

    A warning names each older space.
    """
    known = {one.model: one for one in (*ports.older, *([ports.embedder] if ports.embedder else []))}
    spaces = [space for space in ports.store.spaces() if not space.is_current]
    older = {space.model: known.get(space.model) or older_embedder(space) for space in spaces}
    found = replace(ports, embedder=embedder, older=tuple(one for one in older.values() if one))
    return found, [_unfinished(space, is_searched=older[space.model] is not None) for space in spaces]


def _unfinished(space: VectorSpace, *, is_searched: bool) -> Warning:
    detail = f"{space.rows} rows are still in the space of {space.model}"
    detail += "" if is_searched else ", which is not at hand, so that they are found by their words alone"
    return Warning(REEMBEDDING, f"{detail}; `perdure reembed` goes on")


def older_embedder(space: VectorSpace) -> Embedder | None:
    """Return the packaged embedder that gave a space its vectors; None if there is none here.

    An endpoint is not asked for: texts go only to one that is configured.
    """
    for spec in ("minilm", "multilingual", f"hash:{space.dimensions}"):
        try:
            found = _named_embedder(spec, Settings())
        except SettingsError:
            continue
        if (found.model, found.dimensions) == (space.model, space.dimensions):
            return found
    return None


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


def _finish_imports() -> None:
    """Import what a verb's first call would, before a fork of a process that keeps memories in a file: 0.1 s, once.

    A child that is forked while another thread imports waits for ever for the import's lock, which no thread of its own
    will give back (measured: 5 of 40 runs of threads beside forks).
    """
    if "perdure.stores.sqlite.store" in sys.modules:
        for name in _LOADED_LATER:
            importlib.import_module(name)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_finish_imports)
