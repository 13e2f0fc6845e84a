"""Every error perdure raises.

PerdureError
├── SettingsError        configuration that cannot work
├── InputError           an argument that cannot be right
├── NotFound             no such id within the scope that was given
├── Conflict             the same id or key with other content, or a change decided on what is no longer so
├── Forbidden            understood, and refused
├── ProviderError        a language model, embedder or reranker failed
│   ├── ProviderTimeout
│   ├── RateLimited
│   └── BadCompletion    the model answered, but not in the form that was asked for
└── StoreError           the store failed
    ├── SchemaMismatch   the file was written by another schema version
    ├── StoreBusy        another writer held the store for too long
    └── Corrupt          the file is damaged or is not a perdure store

A message says what happened, what was expected and what to do.
Messages never carry keys, and never carry message or memory text.
"""

from __future__ import annotations

from datetime import datetime

__all__ = [
    "BadCompletion",
    "Conflict",
    "Corrupt",
    "Forbidden",
    "InputError",
    "NotFound",
    "PerdureError",
    "ProviderError",
    "ProviderTimeout",
    "RateLimited",
    "SchemaMismatch",
    "SettingsError",
    "StoreBusy",
    "StoreError",
]


class PerdureError(Exception):
    """The root: catch it to catch everything that perdure raises on purpose."""


class SettingsError(PerdureError):
    """Configuration that cannot work: unknown key, wrong type, another embedder than the store's."""


class InputError(PerdureError):
    """An argument that cannot be right; nothing was written."""


class NotFound(PerdureError):
    """No such id within the scope that was given."""


class Conflict(PerdureError):
    """An external id or a key that is known with other content, or a decision overtaken by another writer."""


class Forbidden(PerdureError):
    """A request that is understood and refused.  `until` is when the same request may pass, where that is known."""

    def __init__(self, message: str, *, until: datetime | None = None) -> None:
        super().__init__(message)
        self.until = until


class ProviderError(PerdureError):
    """A model provider failed.  `status` is the HTTP status where there was one."""

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class ProviderTimeout(ProviderError):
    """No answer within the time-out."""


class RateLimited(ProviderError):
    """Refused for now.  `retry_after_s` is what the provider asked for, in seconds, if it did."""

    def __init__(self, message: str, *, status: int | None = None, retry_after_s: float | None = None) -> None:
        super().__init__(message, status=status)
        self.retry_after_s = retry_after_s


class BadCompletion(ProviderError):
    """The model answered, but not in the form that was asked for."""


class StoreError(PerdureError):
    """The store failed: disk full, read-only folder, input or output error."""


class SchemaMismatch(StoreError):
    """The store was written by another schema version."""


class StoreBusy(StoreError):
    """Another writer held the store longer than `settings.busy_timeout_s`."""


class Corrupt(StoreError):
    """The file is damaged, or is not a perdure store."""
