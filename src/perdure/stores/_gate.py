"""The lock of a store that lives in memory: nobody comes in once it is closed."""

from __future__ import annotations

import threading

from perdure.errors import StoreError


class Gate:
    """A re-entrant lock.  Raises StoreError on entering a closed store."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._is_closed = False

    def __enter__(self) -> None:
        self._lock.acquire()
        if self._is_closed:
            self._lock.release()
            raise StoreError("the store was closed, and what it held in memory is gone; make a new one")

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def close(self) -> None:
        """Let nobody in any more."""
        with self._lock:
            self._is_closed = True
