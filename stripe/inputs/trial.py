"""The test: does the program, run on a candidate input, still fail as it did?"""

from __future__ import annotations

import signal
import uuid
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from stripe.backend import End, Observation
from stripe.campaign.workers import STORE
from stripe.checks import Check, Criterion
from stripe.checks.command import UNRESOLVED_STATUS
from stripe.checks.crash import Signature, signature, uncaught
from stripe.dd import Outcome
from stripe.deadline import Deadline
from stripe.errors import NotReducible
from stripe.kit.refusals import require_own_denial
from stripe.running.command import OUTPUT, SECONDS, Command, not_started
from stripe.running.majority import majority
from stripe.running.pool import Pool
from stripe.running.slots import CommandSlot
from stripe.sandbox.commands import CannotStart, Limits, limits_explained
from stripe.sandbox.walls import Layer

PATIENCE = 10.0
"""A test may take so many times what the first run took..."""

LEAST_SECONDS = 5.0
"""...but always as long as this."""

IDLE_SECONDS = 5.0
"""Another process that was sent tests cleans up when it has had none for so long."""


@dataclass
class Trial:
    """Runs a program on candidates and judges what it did.

    May be called from several threads at once, and be sent to other processes: each makes scratch
    directories of its own, and looks at the original input once itself.

    - ``check`` is ``None`` for a script, whose exit status is the answer
    - ``repeat``: how many runs a test has at most; the majority counts
    - ``unsafe``: go on where the system has no sandbox
    - ``deadline``: the time for all runs together
    """

    command: Command
    original: bytes
    check: Check | None = None
    timeout: float | None = None
    memory: int = 0
    repeat: int = 1
    unsafe: bool = False
    deadline: Deadline = field(default_factory=Deadline)
    limits: Limits = field(init=False)

    def __post_init__(self) -> None:
        self.limits = Limits(self.timeout or SECONDS, self.memory, OUTPUT, most=self.timeout or 0.0)
        self.places = Pool(
            self._make,
            "Tests of an input run commands on what nobody has seen before",
            unsafe=self.unsafe,
        )
        self._criterion: Criterion | None = None
        self._mark = uuid.uuid4().hex

    def __reduce__(self) -> tuple[Any, ...]:
        names = ("command", "original", "check", "timeout", "memory", "repeat", "unsafe")
        facts = tuple(getattr(self, name) for name in names)
        return RemoteTrial, (self._mark, facts, self.limits)

    def __enter__(self) -> Trial:
        self.places.open()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End every process and remove every scratch directory."""
        self.places.close()

    def _make(self, scratch: Path, number: int, layer: Layer) -> CommandSlot:
        return CommandSlot(scratch, number, self.command.file, layer, reads=self.command.stdin)

    # --- runs

    def observe(
        self, slot: CommandSlot, content: bytes, *, printed: bool, key: object = None
    ) -> Observation:
        """Run the program on ``content``; ``printed``: what it prints is of interest."""
        ending = self._run(slot, content, printed=printed, key=key)
        said = (slot.said(slot.stdout), slot.said(slot.stderr)) if printed else (b"", b"")
        observation = Observation(
            ending.end, ending.status, *said, slot.directory, seconds=ending.seconds
        )
        if printed and not self.command.script:
            return replace(observation, exception=uncaught(observation))
        return observation

    def _run(self, slot: CommandSlot, content: bytes, *, printed: bool, key: object) -> _Ended:
        with limits_explained():
            slot.put(content)
            if printed:
                slot.listen()
        try:
            command = self.command.words_for(slot.file, content)
        except ValueError:  # no list of words
            return _Ended(End.DIVERGED, 0, 0.0)
        try:
            with self.places.running.noted(slot.runner, key):
                limits = self.limits.within(self.deadline.left)
                ending = slot.runner.run(command, limits, heard=printed)
        except CannotStart as error:
            raise not_started(command, error) from None
        if ending.status is None:
            self.deadline.check()
            return _Ended(End.TIMEOUT, 0, ending.seconds)
        end = End.SIGNAL if ending.status < 0 else End.EXITED
        return _Ended(end, abs(ending.status), ending.seconds)

    def first(self) -> Signature:
        """Run the program on the original input, which says what must stay the same, and how long
        a test may take.

        Raises:
            NotReducible: when it does not fail in a way that the check can hold on to.
        """
        with self.places.place() as slot:
            observation = self.observe(slot, self.original, printed=True)
            if self.check is not None:
                denied = slot.runner.denied()
                require_own_denial(observation, slot.directory, self.places.layer, denied)
            if observation.end is End.TIMEOUT:
                raise NotReducible(
                    "program-hangs",
                    f"On the whole input the test was still running after "
                    f"{self.limits.seconds:g} s.",
                    "Allow it more with --timeout. If hanging is the failure, let a --test script "
                    "look for it: timeout 2 COMMAND; test $? = 124",
                )
            if self.check is None:
                self._must_be_interesting(observation)
            else:
                self._criterion = self.check.reference(observation)
                if self._judge(observation) is not Outcome.FAIL:
                    raise NotReducible(
                        "never-matches",
                        f"The check {self.check.spec!r} does not hold for the whole input.",
                        "Choose another check; see stripe input --help.",
                    )
            if self.timeout is None:
                allowed = max(LEAST_SECONDS, PATIENCE * observation.seconds)
                self.limits = Limits(allowed, self.limits.memory, self.limits.output)
            return signature(observation)

    def _must_be_interesting(self, observation: Observation) -> None:
        status = observation.status
        if observation.end is End.EXITED and status == 0:
            return
        ended = (
            f"died of {_signal(status)}"
            if observation.end is End.SIGNAL
            else (f"exited with status {status}")
        )
        said = (observation.stderr or observation.stdout).decode("utf-8", "replace").strip()
        last = f", saying {said.splitlines()[-1][:200]!r}" if said else ""
        raise NotReducible(
            "not-interesting",
            f"The test script {ended} on the whole input{last}.",
            "It must exit with 0 as long as the failure is there. It runs in an empty directory "
            "with a copy of the input, and gets its path as argument: other files need absolute "
            "paths ($STRIPE_CWD is where you are); there is no network but its own.",
        )

    def outcome(self, content: bytes, key: object = None) -> Outcome:
        """The outcome of one test, of as many runs as it takes for a majority."""
        found = majority(self.repeat, lambda: self.once(content, key), lambda outcome: outcome)
        return found or Outcome.UNRESOLVED

    def once(self, content: bytes, key: object = None) -> Outcome:
        """The outcome of one run."""
        with self.places.place() as slot:
            if self.check is None:
                return _answer(self._run(slot, content, printed=False, key=key))
            if self._criterion is None:  # sent to this process
                reference = self.observe(slot, self.original, printed=True)
                self._criterion = self.check.reference(reference)
            return self._judge(self.observe(slot, content, printed=True, key=key))

    def run_once(self, content: bytes) -> tuple[Outcome, Signature]:
        """Run once, and say how it failed."""
        with self.places.place() as slot:
            observation = self.observe(slot, content, printed=True)
            judged = self._judge(observation) if self.check else _answer(observation)
            return judged, signature(observation)

    def _judge(self, observation: Observation) -> Outcome:
        """What the check says; to end well and in silence is to pass, unlike for partial runs."""
        assert self._criterion is not None, "the original input was looked at"
        outcome = self._criterion.judge(observation)
        well = observation.end is End.EXITED and observation.status == 0
        if outcome is Outcome.UNRESOLVED and well and not observation.stdout + observation.stderr:
            return Outcome.PASS
        return outcome


@dataclass(frozen=True, slots=True)
class _Ended:
    """How a run ended; ``status`` is its exit status, or the signal it died of."""

    end: End
    status: int
    seconds: float


@dataclass(frozen=True, slots=True)
class RemoteTrial:
    """A trial that was sent to this process, which keeps scratch directories of its own for it."""

    mark: str
    facts: tuple[Any, ...]
    limits: Limits

    def outcome(self, content: bytes, key: object = None) -> Outcome:
        """See :meth:`Trial.outcome`."""
        with STORE.use(self.mark, self._trial, IDLE_SECONDS) as trial:
            return trial.outcome(content, key)

    def _trial(self) -> Trial:
        trial = Trial(*self.facts)
        trial.limits = self.limits
        return trial


def _answer(run: _Ended | Observation) -> Outcome:
    """What the exit status of an interestingness test means."""
    if run.end is not End.EXITED or run.status == UNRESOLVED_STATUS:
        return Outcome.UNRESOLVED
    return Outcome.FAIL if run.status == 0 else Outcome.PASS


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
