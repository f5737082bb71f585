"""Tests of Python programs, run as they are and with one place changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from stripe.backend import OutOfTime, Target
from stripe.interventions import Attempt, Case, Ended, Intervention, Line, Shown, Test, Verdict
from stripe.kit.engines import Facts
from stripe.kit.slots import scratch_copies
from stripe.sandbox.walls import Layer, no_sandbox
from stripe_pytrace.baseline_tests import COLD_SECONDS, Cases, Looking
from stripe_pytrace.endings import ended_by, unseen
from stripe_pytrace.interpreter import Interpreter
from stripe_pytrace.trial_processes import WAITING, Processes

MOST_TOLD = 4000

TESTERS = ("pytest", "unittest")


class PythonTrials:
    """See :class:`stripe.interventions.Trials`."""

    def __init__(
        self,
        target: Target,
        cases: Sequence[Case],
        interpreter: Interpreter,
        layer: Layer,
        why: str,
        notes: Sequence[str],
        seconds: float,
        first: Sequence[str] = (),
    ) -> None:
        if layer is Layer.NONE and not target.unsafe:
            raise no_sandbox("Changes are tried that nobody has looked at", why)
        self.layer = layer
        self._face = target.program if target.module and target.program in TESTERS else "program"
        self._program = self._face == "program"
        self._unfit: set[int] = set()
        self._values: Mapping[tuple[str, str], Any] | None = None
        with scratch_copies(target, layer) as self._workspace:
            self._processes = Processes(target, interpreter, layer, self._workspace, self._face)
            try:
                self._cases = Cases(cases, self._workspace)
                self._look = Looking(self._processes, self._cases, seconds, self._program, first)
            except BaseException:
                self._processes.close()
                raise
        self.tests: Sequence[Test] = self._look.tests
        self.imported = self._look.imported
        self.notes = [*notes, *self._workspace.notes, *self._look.complaints()]

    def offers(
        self,
        lines: Sequence[Line],
        failing: Sequence[Test],
        wanted: Sequence[Line] | None = None,
    ) -> Sequence[Intervention]:
        """See :class:`stripe.interventions.Trials`."""
        by_file: dict[str, tuple[list[int], list[int]]] = {}
        for file, line in lines if wanted is None else wanted:
            by_file.setdefault(file, ([], []))[1].append(line)
        for file, line in lines:
            if file in by_file:
                by_file[file][0].append(line)
        processes = self._processes
        if fresh := [file for file in by_file if file not in processes.files]:
            processes.files = [*processes.files, *fresh]
        if self._values is None:
            self._values = self._look.values(failing)
        absolute = processes.runner.paths.absolute
        asked = {absolute(0, file): found for file, found in by_file.items()}
        facts = processes.ask(
            {"task": "offers", "lines": asked, "values": self._values, **self._cases.any_input()}
        )
        if "offers" not in facts.get("told", {}):
            raise unseen(facts)
        found = []
        early: dict[tuple[str, int, int], bool] = {}
        for path, rows in facts["told"]["offers"]:
            file = processes.runner.paths.relative(0, path)
            for line, end, first, number, how, text, kind, size, function, words, once in rows:
                place = file, first, end
                if place not in early:
                    early[place] = self._when_collecting(*place)
                slow = not self._program and (once or early[place])
                found.append(
                    Intervention(
                        Line(file, line), end, first, function, kind, size, words,
                        (number, how, text), slow=slow,
                    )
                )  # fmt: skip
        return found

    def _when_collecting(self, file: str, first: int, end: int) -> bool:
        """Whether what fails executes a place only, or also, before there are tests."""
        places = {Line(file, line) for line in range(first, end + 1)}
        failing = [each for each in self.tests if each.verdict is Verdict.FAILED]
        if any(each.detail and not places.isdisjoint(each.lines) for each in failing):
            return True
        return not places.isdisjoint(self.imported) and all(
            places.isdisjoint(each.lines) for each in failing
        )

    # --- trying

    def attempt(
        self, change: Intervention, tests: Sequence[Test], *, fuel: float, stop: int = 1
    ) -> Attempt:
        """See :class:`stripe.interventions.Trials`."""
        if self._program:
            return self._program_attempt(change, tests, fuel, stop)
        cold = change.slow or any(each.detail for each in tests)
        cold = cold or bool(self._processes.threads)
        fuel += self._look.cold if cold else 0.0
        request = {"task": "try", **self._delta(change), **self._asked(tests)}
        facts = self._processes.ask(
            {**request, "fuel": fuel, "stop": stop}, seconds=fuel, cold=cold
        )
        return self._attempted(facts)

    def _program_attempt(
        self, change: Intervention, tests: Sequence[Test], fuel: float, stop: int
    ) -> Attempt:
        verdicts: dict[int, Verdict] = {}
        failed = 0
        for test in tests:
            facts = self._processes.ask(
                {"task": "try", **self._delta(change), "fuel": fuel,
                 **self._cases.input(test.number)}, seconds=fuel,
            )  # fmt: skip
            ended = ended_by(facts)
            if ended is not Ended.WHOLE:
                return Attempt(verdicts, ended)
            verdicts[test.number] = self._cases.judge(test.number, facts)
            failed += verdicts[test.number] is not Verdict.PASSED
            if failed >= stop:
                break
        return Attempt(verdicts, Ended.WHOLE)

    def _asked(self, tests: Sequence[Test]) -> dict[str, Any]:
        """Tests that are to be run, and what is to be collected for them."""
        collected = [each.name for each in tests if not each.detail]
        others = [each.name for each in tests if each.detail]
        # What a test of unittest is called does not tell where it was found.
        some = self._face == "pytest" or not collected
        only = [*others, *collected] if some else None
        return {"tests": collected, "uncollected": others, "only": only}

    def attempts(
        self,
        changes: Sequence[Intervention],
        test: Test,
        *,
        fuel: float,
    ) -> Iterator[tuple[Intervention, Attempt]]:
        """See :class:`stripe.interventions.Trials`."""
        alone = bool(self._processes.threads or test.detail)
        left = [each for each in changes if not each.slow and not alone]
        single = [each for each in changes if each.slow or alone]
        while left and test.number not in self._unfit:
            told = False
            for facts in self._ask_many(left, test, fuel):
                told = True
                change = left.pop(0)
                if facts["end"] == "elsewhere":
                    single.append(change)
                    continue
                attempt = self._attempted_one(facts, test)
                if self._program and attempt.verdicts.get(test.number) is Verdict.PASSED:
                    single.append(change)  # what repairs is told by a process of its own
                else:
                    yield change, attempt
            if not told:
                self._unfit.add(test.number)
        for change in [*left, *single]:
            yield change, self.attempt(change, [test], fuel=fuel)

    def _ask_many(
        self,
        changes: Sequence[Intervention],
        test: Test,
        fuel: float,
    ) -> Iterator[Facts]:
        request: dict[str, Any] = {"task": "try", "fork_point": test.number, "fuel": fuel}
        if self._program:
            request |= self._cases.input(test.number)
        else:
            request["tests"] = [test.name]
        patience = WAITING * fuel + COLD_SECONDS
        return self._processes.stream(request, changes, fuel, patience)

    def _attempted_one(self, facts: Facts, test: Test) -> Attempt:
        """What a run of one test came to."""
        if not self._program:
            return self._attempted(facts)
        ended = ended_by(facts)
        if ended is not Ended.WHOLE:
            return Attempt({}, ended)
        how = f"{facts['status']} {facts.get('exception')} {facts['stdout']!r}"[:MOST_TOLD]
        verdict = self._cases.judge(test.number, facts)
        return Attempt({test.number: verdict}, ended, {test.number: how})

    def _attempted(self, facts: Facts) -> Attempt:
        """What a run of tests came to."""
        numbers = self._look.numbers
        told = facts.get("told", {})
        results = told.get("results", ())
        return Attempt(
            {numbers[name]: Verdict[outcome.upper()] for name, outcome, *_ in results},
            ended_by(facts),
            {numbers[name]: why for name, *_, why in results if why},
            {numbers[name]: tuple(found) for name, found in told.get("found", {}).items()},
        )

    def cancel(self) -> None:
        """See :class:`stripe.interventions.Trials`."""
        self._processes.cancel()

    def show(self, change: Intervention, test: Test, *, fuel: float) -> Shown:
        """See :class:`stripe.interventions.Trials`."""
        if self._processes.cancelled:
            return Shown(self._processes.text(change.at.file), None)
        cold = not self._program and (change.slow or bool(self._processes.threads or test.detail))
        fuel += self._look.cold if cold else 0.0
        request: dict[str, Any] = {"task": "show", **self._delta(change), "fuel": fuel}
        request |= self._cases.input(test.number) if self._program else self._asked([test])
        # What does not end tells nothing of itself, however long it goes on.
        ends = test.name not in self._look.endless
        told: list[dict[str, Any]] = [] if ends else [{}]
        with suppress(OutOfTime):
            for old in (True, False)[len(told) :]:
                facts = self._processes.ask({**request, "old": old}, seconds=fuel, cold=cold)
                told.append(facts.get("told", {}))
        new = next((each["text"] for each in told if each.get("text")), None)
        text = self._processes.text(change.at.file)
        return Shown(text, new, *(each.get("seen", ()) for each in told))

    def _delta(self, change: Intervention) -> dict[str, Any]:
        return {"delta": (change.at.file, *change.private)}

    def close(self) -> None:
        """See :class:`stripe.interventions.Trials`."""
        self._processes.close()
        self._workspace.close()
