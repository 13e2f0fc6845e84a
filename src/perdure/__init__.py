"""perdure: long-term memory for LLM agents.

>>> from perdure import Memory
>>> with Memory(":memory:", embedder="none") as memory:
...     _ = memory.add("I'm vegetarian.", user="ana")
...     memory.search("vegetarian", user="ana", include=["messages"])[0].text
"user: I'm vegetarian."
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from perdure.aio import AsyncMemory
    from perdure.errors import (
        BadCompletion,
        Conflict,
        Corrupt,
        Forbidden,
        InputError,
        NotFound,
        PerdureError,
        ProviderError,
        ProviderTimeout,
        RateLimited,
        SchemaMismatch,
        SettingsError,
        StoreBusy,
        StoreError,
    )
    from perdure.memory import Memory
    from perdure.models import (
        UNSET,
        Answer,
        Change,
        Context,
        EntityRecord,
        ErasureReceipt,
        Explanation,
        Graph,
        Hit,
        MemoryRecord,
        MessageRecord,
        OperationResult,
        Page,
        Reembedding,
        RelationChange,
        RelationRecord,
        SearchResult,
        Source,
        Stats,
        Summary,
        Support,
        Usage,
        Warning,
    )
    from perdure.settings import Settings

_HOMES = {
    "perdure.aio": "AsyncMemory",
    "perdure.errors": "BadCompletion Conflict Corrupt Forbidden InputError NotFound PerdureError ProviderError "
    "ProviderTimeout RateLimited SchemaMismatch SettingsError StoreBusy StoreError",
    "perdure.memory": "Memory",
    "perdure.models": "UNSET Answer Change Context EntityRecord ErasureReceipt Explanation Graph Hit MemoryRecord "
    "MessageRecord OperationResult Page Reembedding RelationChange RelationRecord SearchResult Source Stats Summary "
    "Support Usage VersionRecord Warning",
    "perdure.settings": "Settings",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "UNSET",
    "Answer",
    "AsyncMemory",
    "BadCompletion",
    "Change",
    "Conflict",
    "Context",
    "Corrupt",
    "EntityRecord",
    "ErasureReceipt",
    "Explanation",
    "Forbidden",
    "Graph",
    "Hit",
    "InputError",
    "Memory",
    "MemoryRecord",
    "MessageRecord",
    "NotFound",
    "OperationResult",
    "Page",
    "PerdureError",
    "ProviderError",
    "ProviderTimeout",
    "RateLimited",
    "Reembedding",
    "RelationChange",
    "RelationRecord",
    "SchemaMismatch",
    "SearchResult",
    "Settings",
    "SettingsError",
    "Source",
    "Stats",
    "StoreBusy",
    "StoreError",
    "Summary",
    "Support",
    "Usage",
    "VersionRecord",
    "Warning",
]


def __getattr__(name: str) -> Any:  # PEP 562: importing perdure loads nothing until a name is used
    if name not in _HOME_OF:
        raise AttributeError(f"module 'perdure' has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
