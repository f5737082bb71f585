"""Tests on other machines: each worker records the run for itself, and replays it there.

A recording cannot travel: it owns processes and scratch copies.  What travels is the target;
the first test on a worker records it, and the worker answers only if it recorded the very
same run.  So the working directory must be there under the same path, with the same content,
and the interpreter too.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stripe.backend import Probe, Recording, Target, backends
from stripe.campaign.workers import STORE
from stripe.checks import Criterion, parse_check
from stripe.dd import Outcome
from stripe.errors import NotReducible, UsageError
from stripe.reduce.fingerprint import fingerprint
from stripe.reduce.value_check import judged

if TYPE_CHECKING:
    from concurrent.futures import Executor


@dataclass(frozen=True, slots=True)
class Remote:
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
class WorkerRecording:
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

    def prepare(self) -> None:
        """Record the run here, before the first test."""
        with STORE.use(self, self.record):
            pass

    def cancel(self, events: Sequence[int]) -> None:
        """End the test of ``events`` if it runs here."""
        found = STORE.held(self)
        if isinstance(found, WorkerRecording):
            found.recording.cancel(events)

    def record(self) -> WorkerRecording:
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
        return WorkerRecording(recording, criterion)
