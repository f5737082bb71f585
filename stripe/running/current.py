"""The tests that are running now, so that they can be ended from another thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from stripe.sandbox.commands import Runner


class RunningTests:
    """What runs where, by the key of a test."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runners: dict[Runner, object] = {}
        self.closed = False

    @contextmanager
    def noted(self, runner: Runner, key: object) -> Iterator[None]:
        """While the test of ``key`` runs."""
        with self._lock:
            self._runners[runner] = key
            closed = self.closed
        if closed:
            runner.close()
        try:
            yield
        finally:
            with self._lock:
                del self._runners[runner]

    def drop(self, key: object) -> None:
        """End the test of ``key``, if there is one by now."""
        with self._lock:
            for runner, other in self._runners.items():
                if other == key:
                    runner.cancel()

    def close(self) -> None:
        """End all of them, and every one that is still to come."""
        with self._lock:
            self.closed = True
            runners = list(self._runners)
        for runner in runners:
            runner.close()
