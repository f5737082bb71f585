"""Tests on other machines: each worker records the run for itself, and replays it there.

A recording cannot travel: it owns processes and scratch copies.  What travels is the target;
the first test on a worker records it, and the worker answers only if it recorded the very
same run.  So the working directory must be there under the same path, with the same content,
and the interpreter too.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, replace

from stripe.backend import Probe, Recording, Target, backends
from stripe.checks import Criterion, parse_check
from stripe.dd import Outcome
from stripe.errors import NotReducible, UsageError
from stripe.reduce.fingerprint import fingerprint

IDLE_SECONDS = 60.0
"""A worker that has not been asked for so long ends its recordings: nobody will ask again."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Where to run tests, and what a worker must know to record the run itself."""

    executor: Executor
    backend: str
    target: Target
    probes: tuple[Probe, ...]

    def test(self, recording: Recording, criterion: Criterion, *, strict: bool) -> RemoteTest:
        """The test function of one criterion."""
        mark = fingerprint(recording, criterion, strict=strict)
        return RemoteTest(
            self.backend, self.target, self.probes, criterion.check.spec, strict, mark
        )


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
    fingerprint: str

    def __call__(self, events: Sequence[int]) -> Outcome:
        recording, criterion = STORE.get(self)
        with recording.replay(events, strict=self.strict) as observation:
            return criterion.judge(observation)

    def record(self) -> tuple[Recording, Criterion]:
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
            criterion = parse_check(self.check).reference(recording.recorded)
            if fingerprint(recording, criterion, strict=self.strict) != self.fingerprint:
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
        return recording, criterion


class Store:
    """The recordings of this worker process, ended when nobody asks for them any more."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: dict[RemoteTest, tuple[Recording, Criterion]] = {}
        self._timer: threading.Timer | None = None

    def get(self, test: RemoteTest) -> tuple[Recording, Criterion]:
        """The recording that a test replays, made when first asked for."""
        with self._lock:
            if self._timer is None:
                atexit.register(self.close)
            else:
                self._timer.cancel()
            self._timer = threading.Timer(IDLE_SECONDS, self.close)
            self._timer.daemon = True
            self._timer.start()
            if test not in self._found:
                self._found[test] = test.record()
            return self._found[test]

    def close(self) -> None:
        """End all recordings."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
                atexit.unregister(self.close)
            for recording, _ in self._found.values():
                with suppress(OSError):
                    recording.close()
            self._found.clear()


STORE = Store()


def close_recordings() -> None:
    """End what this worker process has recorded."""
    STORE.close()
