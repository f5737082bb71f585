"""What a worker process on another machine keeps between the tests that are sent to it."""

from __future__ import annotations

import atexit
import math
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

IDLE_SECONDS = 60.0
"""A worker that has not been asked for so long ends its recordings: nobody will ask again."""

LATE_SECONDS = 1.0
"""The same when the search has ended, for tests that were on their way."""


class Closing(Protocol):
    """What has to be closed."""

    def close(self) -> None:
        """End all that belongs to it."""
        ...


class Store:
    """What this worker process keeps between tests, ended when nobody asks for it any more."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: dict[Hashable, Closing] = {}
        self._users = 0
        self._ended = -math.inf
        self._timer: threading.Timer | None = None

    @contextmanager
    def use[T: Closing](
        self, key: Hashable, make: Callable[[], T], idle: float = IDLE_SECONDS
    ) -> Iterator[T]:
        """What belongs to ``key``, made when first asked for.

        When nothing has been in use for ``idle`` seconds, all is closed, and made anew if it is
        asked for again.
        """
        with self._lock:
            self._calm()
            self._users += 1
        try:
            yield self._find(key, make)
        finally:
            with self._lock:
                self._users -= 1
                if not self._users and self._found:
                    self._calm()
                    late = time.monotonic() - self._ended < IDLE_SECONDS
                    delay = min(idle, LATE_SECONDS) if late else idle
                    self._timer = threading.Timer(delay, self._fade)
                    self._timer.daemon = True
                    self._timer.start()

    def _find[T: Closing](self, key: Hashable, make: Callable[[], T]) -> T:
        with self._lock:
            if key not in self._found:
                atexit.unregister(self.close)
                atexit.register(self.close)
                self._found[key] = make()
            return self._found[key]  # type: ignore[return-value]

    def held(self, key: Hashable) -> Closing | None:
        """What belongs to ``key``, if it has been made; nothing is waited for."""
        return self._found.get(key)

    def end_all(self) -> None:
        """End all of it, now and when a test comes late; who makes something is not waited for."""
        self._ended = time.monotonic()
        if self._lock.acquire(blocking=False):
            try:
                self._close()
            finally:
                self._lock.release()

    def close(self) -> None:
        """End all of it."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        self._calm()
        atexit.unregister(self.close)
        for each in self._found.values():
            with suppress(OSError):
                each.close()
        self._found.clear()

    def _calm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _fade(self) -> None:
        with self._lock:
            if not self._users:  # nobody came while we waited for the lock
                self._close()


STORE = Store()


def close_all() -> None:
    """End what this worker process keeps, for the search has ended."""
    STORE.end_all()
