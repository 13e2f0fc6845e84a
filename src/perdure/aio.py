"""AsyncMemory: the verbs of Memory, awaited.

The core is synchronous (ARCHITECTURE.md says why); each verb runs on a worker thread, at most `threads` at a time.
Cancelling a reading verb returns at once and leaves its thread to finish; a writing verb always finishes first.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar

from perdure.memory import Memory

if TYPE_CHECKING:
    import anyio

P = ParamSpec("P")
R = TypeVar("R")


def _awaited(
    verb: Callable[Concatenate[Memory, P], R], *, abandon: bool
) -> Callable[Concatenate[AsyncMemory, P], Awaitable[R]]:
    """Return a verb that runs on a worker thread; with `abandon`, cancelling does not wait for the thread."""

    @functools.wraps(verb)
    async def run(self: AsyncMemory, /, *args: P.args, **kwargs: P.kwargs) -> R:
        import anyio.to_thread

        call = functools.partial(verb, self.memory, *args, **kwargs)
        return await anyio.to_thread.run_sync(call, abandon_on_cancel=abandon, limiter=self._limiter())

    return run


class AsyncMemory:
    """Memory for asyncio and trio: the same constructor arguments (and `threads`), the same verbs, awaited.

    `memory` is the Memory underneath.  It is an async context manager.
    """

    def __init__(self, *args: Any, threads: int = 64, **options: Any) -> None:  # Memory's arguments, checked there
        self.memory = Memory(*args, **options)
        self._threads = threads
        self._thread_limiter: anyio.CapacityLimiter | None = None

    def for_tenant(self, tenant: str) -> AsyncMemory:
        """Return this memory for another tenant, on the same store, models and worker; closing it closes nothing."""
        other = object.__new__(AsyncMemory)
        other.__dict__.update(self.__dict__)
        other.memory = self.memory.for_tenant(tenant)
        return other

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    add = _awaited(Memory.add, abandon=False)
    retry = _awaited(Memory.retry, abandon=False)
    update = _awaited(Memory.update, abandon=False)
    delete = _awaited(Memory.delete, abandon=False)
    delete_all = _awaited(Memory.delete_all, abandon=False)
    reembed = _awaited(Memory.reembed, abandon=False)
    undo = _awaited(Memory.undo, abandon=False)
    erase = _awaited(Memory.erase, abandon=False)
    merge = _awaited(Memory.merge, abandon=False)
    split = _awaited(Memory.split, abandon=False)
    export = _awaited(Memory.export, abandon=False)
    import_ = _awaited(Memory.import_, abandon=False)
    backup = _awaited(Memory.backup, abandon=False)
    restore = _awaited(Memory.restore, abandon=False)
    flush = _awaited(Memory.flush, abandon=False)
    close = _awaited(Memory.close, abandon=False)
    search = _awaited(Memory.search, abandon=True)
    context = _awaited(Memory.context, abandon=True)
    answer = _awaited(Memory.answer, abandon=True)
    get = _awaited(Memory.get, abandon=True)
    list = _awaited(Memory.list, abandon=True)
    history = _awaited(Memory.history, abandon=True)
    diff = _awaited(Memory.diff, abandon=True)
    timeline = _awaited(Memory.timeline, abandon=True)
    entities = _awaited(Memory.entities, abandon=True)
    relations = _awaited(Memory.relations, abandon=True)
    path = _awaited(Memory.path, abandon=True)
    graph = _awaited(Memory.graph, abandon=True)
    message = _awaited(Memory.message, abandon=True)
    messages = _awaited(Memory.messages, abandon=True)
    summary = _awaited(Memory.summary, abandon=True)
    operation = _awaited(Memory.operation, abandon=True)
    operations = _awaited(Memory.operations, abandon=True)
    stats = _awaited(Memory.stats, abandon=True)

    def _limiter(self) -> anyio.CapacityLimiter:
        import anyio

        if self._thread_limiter is None:
            self._thread_limiter = anyio.CapacityLimiter(self._threads)
        return self._thread_limiter
