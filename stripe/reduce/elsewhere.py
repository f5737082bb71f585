"""Tests on other machines: each worker records the run for itself, and replays it there.

A recording cannot travel: it owns processes and scratch copies.  What travels is the target;
the first test on a worker records it, and the worker answers only if it recorded the very
same run.  So the working directory must be there under the same path, with the same content,
and the interpreter too.
"""

from __future__ import annotations

import atexit
import math
import os
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Protocol

from stripe.backend import Probe, Recording, Target, backends
from stripe.checks import Criterion, parse_check
from stripe.dd import Outcome
from stripe.errors import NotReducible, UsageError
from stripe.reduce.faithful import judged
from stripe.reduce.fingerprint import fingerprint

IDLE_SECONDS = 60.0
"""A worker that has not been asked for so long ends its recordings: nobody will ask again."""

LATE_SECONDS = 1.0
"""The same when the search has ended, for tests that were on their way."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Where to run tests, and what a worker must know to record the run itself."""

    executor: Executor
    backend: str
    target: Target
    probes: tuple[Probe, ...]

    def test(
        self, recording: Recording, criterion: Criterion, *, strict: bool, same: bool
    ) -> RemoteTest:
        """The test function of one criterion."""
        mark = fingerprint(recording, criterion, strict=strict, same=same)
        return RemoteTest(
            self.backend, self.target, self.probes, criterion.check.spec, strict, same, mark
        )


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a worker has recorded, and the judge of what it replays."""

    recording: Recording
    criterion: Criterion

    def close(self) -> None:
        """End the recording."""
        self.recording.close()


@dataclass(frozen=True)
class RemoteTest:
    """A test function that can be sent to a worker.

    Raises, there and then here, what recording raises, and
    :class:`~stripe.errors.NotReducible` ``worker-differs``.
    """

    backend: str
    target: Target
    probes: tuple[Probe, ...]
    check: str
    strict: bool
    same: bool
    fingerprint: str

    def __call__(self, events: Sequence[int]) -> Outcome:
        with STORE.use(self, self.record) as recorded:
            outcome, _ = judged(
                recorded.recording,
                recorded.criterion,
                events,
                strict=self.strict,
                same=self.same,
            )
            return outcome

    def record(self) -> Recorded:
        """Record the run here, and make sure that it is the same one."""
        chosen = next((each for each in backends() if each.name == self.backend), None)
        if chosen is None:
            raise UsageError(
                "no-backend",
                f"The worker {os.uname().nodename} has no backend {self.backend!r}.",
                "Install the same version of STRIPE there.",
            )
        recording = chosen.record(replace(self.target, jobs=os.cpu_count() or 1), self.probes)
        try:
            check = parse_check(self.check, unsafe=self.target.unsafe)
            criterion = check.reference(recording.recorded)
            if (
                fingerprint(recording, criterion, strict=self.strict, same=self.same)
                != self.fingerprint
            ):
                raise NotReducible(
                    "worker-differs",
                    f"The worker {os.uname().nodename} recorded another run of "
                    f"{self.target.program!r} than this machine did.",
                    "Workers need the same interpreter, the same working directory under the "
                    "same path, and the same files in it.",
                )
        except BaseException:
            recording.close()
            raise
        return Recorded(recording, criterion)


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
            if key not in self._found:
                atexit.unregister(self.close)
                atexit.register(self.close)
                self._found[key] = make()
            found = self._found[key]
            self._users += 1
        try:
            yield found  # type: ignore[misc]
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

    def end(self) -> None:
        """End all of it, now and when a test comes late."""
        self._ended = time.monotonic()
        self.close()

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
    STORE.end()
