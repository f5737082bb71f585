"""The simplest backend: a command runs the program, and with one more word it records and replays.

It then answers requests, a line of JSON each, in the slot that it was started in:

- ``{"stdin": TEXT}``: run the program recorded
- ``{"stdin": TEXT, "path": PATH, "kept": [EVENT, ...], "strict": BOOL}``: go the way of the
  recorded run, and have only these events take effect; ``strict``: control mode ``program``

An answer holds ``end`` (``exited``, or ``diverged`` with a ``detail``), ``status``, ``stdout``,
``stderr`` and, of the recorded run, its ``path``: what the command needs to go that way again, with
one item for each event.  Who may take long has to end a run by itself: one that does not answer in
time is ended with the command.  An error of the command's own is no end of the program: the answer
has the ``end`` ``fault`` then, and a ``detail``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from stripe.backend import End, Observation
from stripe.errors import BackendError, UsageError
from stripe.kit import commands
from stripe.kit.engines import Facts, Gone, our_fault
from stripe.kit.json_engine import JsonEngine
from stripe.kit.recording import SlotRecording
from stripe.kit.refusals import nothing_to_trace
from stripe.kit.runs import TargetRunner
from stripe.run_equality import difference
from stripe.sandbox.reads import witnessed
from stripe.sandbox.walls import Layer
from stripe.trace import Trace

_ENDS = {
    "exited": End.EXITED,
    "signal": End.SIGNAL,
    "timeout": End.TIMEOUT,
    "diverged": End.DIVERGED,
    "cut": End.CUT,
}
_BYTES = "surrogateescape"
"""How bytes that are no UTF-8 stand in lines of JSON."""

_GONE: Facts = {"status": 0, "stdout": b"", "stderr": b""}
"""What is known of a replay that never gives an answer."""


def require_no_fault(facts: Facts) -> Facts:
    """An answer.  Raises BackendError (``engine-failed``) if it tells an error of the command's."""
    if facts.get("end") == "fault":
        raise BackendError("engine-failed", *our_fault(facts["detail"]))
    return facts


class ServedRunner(TargetRunner):
    """Runs a target by the command that :meth:`command` makes."""

    SERVE: Sequence[str] = ("--serve",)
    """With these words the command answers requests."""

    RENEWS = False
    """Whether what :meth:`serve` starts has the file tree renewed after each run."""

    @abstractmethod
    def command(self, number: int) -> list[str]:
        """The command that runs the program in a slot."""

    def plainly(self, number: int) -> Observation:
        """See :class:`~stripe.kit.runs.TargetRunner`."""
        return self.observe(number, commands.run(self, number, self.command(number)))

    def unseen(self) -> str:
        """See :class:`~stripe.kit.runs.TargetRunner`."""
        return "there is no sandbox" if self.workspace.layer is Layer.NONE else ""

    def below_witness(self, number: int, report: Path) -> Observation:
        """See :class:`~stripe.kit.runs.TargetRunner`."""
        command = witnessed(self.command(number), report)
        return self.observe(number, commands.run(self, number, command))

    def serve(self, number: int) -> JsonEngine:
        """Start the command in a slot, to answer requests."""
        slot = self.workspace.slot(number)
        command = self.workspace.walled(number, [*self.command(number), *self.SERVE], renews=False)
        return JsonEngine(command, environment=self.environment(slot), directory=slot.directory)

    def observe(self, number: int, facts: Mapping[str, Any]) -> Observation:
        """A run as checks see it."""
        return Observation(
            _ENDS[facts["end"]],
            facts["status"],
            self.workspace.canonical(facts["stdout"], number),
            self.workspace.canonical(facts["stderr"], number),
            self.workspace.slot(number).directory,
            detail=facts.get("detail", ""),
            seconds=facts.get("seconds", 0.0),
        )

    def close(self) -> None:
        """Nothing: engines are the recording's to end."""


class ServedRecording(SlotRecording[ServedRunner, int, JsonEngine]):
    """A run that was recorded by such a command; ``make_trace`` makes the trace of its path."""

    def __init__(self, runner: ServedRunner, make_trace: Callable[[Sequence[Any]], Trace]) -> None:
        super().__init__(runner)
        if runner.target.live or runner.target.network:
            raise UsageError(
                "runs-twice",
                f"{runner.target.program} would act for real twice: plainly and recorded.",
                "Leave --live and --allow-network out: this backend cannot do it in one run.",
            )
        self._slots.give(range(runner.target.jobs))
        with self._ending_if_refused():
            self._record(make_trace)

    def _record(self, make_trace: Callable[[Sequence[Any]], Trace]) -> None:
        number, deadline = self._recorded_in, self._runner.target.deadline
        deadline.start_phase("running the program")
        changed = self._run_plainly()
        deadline.start_phase("recording the program")
        self._workspace.restore(number)
        facts = self._answer(self._engines.get(number), {})
        self._engines.drop(number)
        self.recorded = self._runner.observe(number, facts)
        if self._is_unlike(changed):
            self._disagree("recorded", self.recorded)
        self._path = facts["path"]
        if not self._path:
            raise nothing_to_trace()
        self.trace = make_trace(self._path)
        deadline.start_phase(f"replaying all {len(self.trace)} events")
        with self._fully() as full:
            pass
        if difference(self.plain, full) is not None:
            self._disagree("fully replayed", full)
        self.notes = self._workspace.notes

    @contextmanager
    def replay(
        self, events: Sequence[int], *, strict: bool = False, fresh: bool = False
    ) -> Iterator[Observation]:
        """See :class:`stripe.backend.Recording`."""
        with self._slots.one() as use:
            if fresh or not (self._runner.RENEWS or self._workspace.copied):
                self._engines.drop(use.number)  # an overlay is made anew with its processes
            request = {"path": self._path, "kept": list(events), "strict": strict}
            yield self._runner.observe(use.number, self._ask(use.number, request))

    def _ask(self, number: int, request: Mapping[str, Any]) -> Facts:
        late = False

        def answer(engine: JsonEngine) -> Facts:
            nonlocal late
            try:
                return self._answer(engine, request)
            except Gone as error:
                late = error.late
                raise

        if (facts := self._engines.ask(number, answer)) is not None:
            return facts
        if late:
            return {**_GONE, "end": "timeout", "detail": "what runs it does not answer"}
        return {**_GONE, "end": "diverged", "detail": "it ended what runs it"}

    def _answer(self, engine: JsonEngine, request: Mapping[str, Any]) -> Facts:
        target = self._runner.target
        stdin = target.stdin.decode("utf-8", _BYTES)
        seconds = target.deadline.limit(self._runner.timeout)
        facts = require_no_fault(engine.ask({**request, "stdin": stdin}, seconds))
        self._runner.in_time(facts)
        streams = ("stdout", "stderr")
        return {**facts, **{name: facts[name].encode("utf-8", _BYTES) for name in streams}}

    def _start(self, key: int) -> JsonEngine:
        return self._runner.serve(key)

    def _restore(self, key: int) -> None:
        self._workspace.restore(key)
