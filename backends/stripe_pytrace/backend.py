"""The Python backend: records with ``sys.monitoring``, replays in a fork server."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from stripe.backend import AUTOMATIC, Finding, Probe, Recording, State, Target
from stripe.errors import UsageError
from stripe.kit.refusals import require_plain_names
from stripe.kit.slots import scratch_copies
from stripe.sandbox.layers import find_layer
from stripe_pytrace.agent.compiling.versions import NEWEST, VERSIONS
from stripe_pytrace.interpreter_choice import choose_interpreter
from stripe_pytrace.refusals import require_program
from stripe_pytrace.runner import Runner

if TYPE_CHECKING:
    from stripe.interventions import Case
    from stripe_pytrace.interventions import PythonTrials
    from stripe_pytrace.state_runs import Ends, StateRun
    from stripe_pytrace.timetravel import PythonJourney


class PythonBackend:
    """Runs ``.py`` files and modules."""

    name = "python"
    suffixes: Mapping[str, str] = dict.fromkeys((".py", ".pyw"), "python")

    def __init__(self) -> None:
        self._ends: Ends | None = None

    def refuses(self, target: Target) -> str | None:
        """Why ``target`` is nothing for this backend, or ``None``."""
        if target.tty:
            return "it gives programs no terminal (--tty)"
        if target.module:
            return None
        path = target.directory / target.program
        if path.is_dir():
            return None  # record() says what to do with one
        if path.suffix in self.suffixes:
            return None
        with contextlib.suppress(OSError), open(path, "rb") as stream:
            first = stream.readline(200)
            if first.startswith(b"#!") and b"python" in first:
                return None
        return "it takes .py files, files that start with #!...python, and -m modules"

    def examine(self) -> Iterator[Finding]:
        """The interpreter that a program here would run with."""
        target = Target("program.py", python=AUTOMATIC)
        try:
            interpreter, _ = choose_interpreter(target)
        except UsageError as error:
            yield Finding("interpreter", State.BAD, error.message, error.hint)
            return
        if interpreter.version[:2] in {each.number for each in VERSIONS}:
            yield Finding("interpreter", State.GOOD, str(interpreter))
            return
        yield Finding(
            "interpreter",
            State.LESS,
            f"{interpreter}: newer than {NEWEST}, the last one that was tested",
            f"It may work: what is not replayed as it was recorded is refused. To be sure, name a "
            f"tested one: --python {NEWEST}.",
        )

    def interpreter(self, target: Target) -> str:
        """See :class:`stripe.backend.Interpreting`."""
        return choose_interpreter(target)[0].path

    def run(self, target: Target) -> StateRun:
        """See :class:`stripe.snapshots.Stateful`."""
        from stripe_pytrace.state_runs import Ends, StateRun  # lazy

        if target.unions:
            raise UsageError(
                "bad-option",
                "--union is for native programs: Python has no unions.",
                "Leave --union out.",
            )
        if not target.module:
            require_program(target)
        interpreter, notes = choose_interpreter(target)
        layer, why = find_layer()
        self._ends = self._ends or Ends()
        return StateRun(target, interpreter, layer, why, notes, self._ends)

    def travel(self, target: Target) -> PythonJourney:
        """See :class:`stripe.backend.TimeTravel`."""
        from stripe_pytrace.timetravel import travel  # lazy

        if not target.module:
            require_program(target)
        interpreter, notes = choose_interpreter(target)
        layer, why = find_layer()
        return travel(target, interpreter, layer, why, notes)

    def trials(
        self, target: Target, cases: Sequence[Case], *, seconds: float, first: Sequence[str] = ()
    ) -> PythonTrials:
        """See :class:`stripe.interventions.Intervening`."""
        from stripe_pytrace.interventions import TESTERS, PythonTrials  # lazy

        if not target.module:
            require_program(target)
        elif target.program not in TESTERS and not cases:
            raise UsageError(
                "no-expectation",
                f"What is right for -m {target.program} is not known.",
                "Say it: --expect TEXT or --expect FILE, or --cases DIR.",
            )
        interpreter, notes = choose_interpreter(target)
        layer, why = find_layer()
        return PythonTrials(target, cases, interpreter, layer, why, notes, seconds, first)

    def record(self, target: Target, probes: Sequence[Probe] = ()) -> Recording:
        """See :class:`stripe.backend.Backend`."""
        from stripe_pytrace.recording import PythonRecording  # lazy

        if target.engine is not None:
            raise UsageError(
                "bad-engine",
                "--engine is for native programs; Python programs run in an interpreter "
                "(--python).",
                "Leave --engine out.",
            )
        require_plain_names(probes)
        if not target.module:
            require_program(target)
        if target.cut and target.window:
            raise UsageError(
                "bad-option",
                "What a program that does not end goes on with is not in a window of its run.",
                "Leave out either --window or --check hang.",
            )
        interpreter, notes = choose_interpreter(target)
        layer, why = find_layer()
        if not interpreter.known:
            from stripe_pytrace.self_check import require_tried  # lazy

            notes += require_tried(interpreter, layer, target)
        recording = PythonRecording
        if target.cut:
            from stripe_pytrace.hangs import CutRecording  # lazy

            recording = CutRecording
        with scratch_copies(target, layer) as workspace:
            return recording(Runner(target, probes, interpreter, workspace), why, notes)
