"""Tests as they are: how each ends, alone as well as with others, and what it executes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from stripe.interventions import Case, Failure, Frame, Line, Test, Verdict
from stripe.kit.engines import Facts
from stripe.kit.refusals import denied_by_sandbox, is_own_denial
from stripe.sandbox.workspace import Workspace
from stripe_pytrace.agent.values.subjects import ENDLESS
from stripe_pytrace.collection import PATIENCE, Uncollected, complaint, failures
from stripe_pytrace.endings import unseen
from stripe_pytrace.thread_pools import asked_for_more
from stripe_pytrace.trial_processes import LOOK_SECONDS, Processes

LEAST_LOOK = 1.0
"""Seconds that a test may take as it is, however little time there is."""

HANGS = 10.0
"""Times as long as others a test has to take until it is said to hang, which is to fail."""

COLD_SECONDS = 10.0
"""Seconds more, at most, where tests have to be collected anew..."""

COLDER = 3.0
"""...and times what it took at first."""

LEAST_STAND, MOST_STAND = 2.0, 30.0
"""Seconds of a processor for which collecting may stand still, at least and at most..."""

STANDS = 0.2
"""...and the share of those that are left."""

type Result = tuple[Verdict, float, frozenset[Line]]
"""How a test ended, after how many seconds, and what it executed."""


class Cases:
    """The inputs of a program, and which output of it is right."""

    def __init__(self, cases: Sequence[Case], workspace: Workspace) -> None:
        self._cases = list(cases)
        self._workspace = workspace
        self._inputs = []
        for number, case in enumerate(self._cases):
            path = workspace.root / f"case-{number}"
            path.write_bytes(case.stdin)
            self._inputs.append(str(path))

    def __iter__(self) -> Iterator[Case]:
        return iter(self._cases)

    def input(self, number: int) -> dict[str, Any]:
        """What a run is given."""
        return {"input": self._inputs[number], "arguments": self._cases[number].arguments}

    def any_input(self) -> dict[str, Any]:
        """The same for one that only tells something, if there are any."""
        return self.input(0) if self._cases else {}

    def judge(self, number: int, facts: Facts) -> Verdict:
        """A program is right if it ends well, of its own accord, and has printed what is right."""
        printed = self._workspace.canonical(facts["stdout"], facts["slot"])
        right = printed.rstrip(b"\r\n") == self._cases[number].expected.rstrip(b"\r\n")
        ended = facts["end"] == "exited" and facts["status"] == 0 and "exception" not in facts
        return Verdict.PASSED if right and ended else Verdict.FAILED


class Looking:
    """Runs tests as they are, for some ``seconds``; those that are called ``first`` before others.

    - ``tests``: all of them; ``names`` and ``numbers``: of them and of what cannot be collected
    - ``denied``: those that fail by what the sandbox alone denies them; they are left out
    - ``imported``: lines that are executed before any test, for all of them
    - ``cold``: seconds of a processor more for changes of what is executed then
    """

    def __init__(
        self,
        processes: Processes,
        cases: Cases,
        seconds: float,
        program: bool,
        first: Sequence[str] = (),
    ) -> None:
        self._first = set(first)
        self._denials: dict[int, str] = {}
        self.denied: dict[str, str] = {}
        self._processes = processes
        self._cases = cases
        self._program = program
        self._until = time.monotonic() + seconds
        self._usual = 0.0
        self._late: list[str] = []
        self._unseen: list[str] = []
        self._starved: set[int] = set()
        self._failures: dict[str, Failure] = {}
        self.cold = COLD_SECONDS
        self.imported: frozenset[Line] = frozenset()
        self.names: list[str] = []
        self.numbers: dict[str, int] = {}
        self._tell = processes.runner.target.deadline.tell
        tests = self._programs() if program else self._collected(seconds)
        self.tests = self._without_denied(self._with_one_that_fails(tests))

    def _programs(self) -> list[Test]:
        self._tell("running the program as it is")
        self._name([each.name for each in self._cases])
        return [self._looked_at(number, case) for number, case in enumerate(self._cases)]

    def _collected(self, seconds: float) -> list[Test]:
        """Run all tests that can be collected, and look at what cannot."""
        processes = self._processes
        began = time.monotonic()
        self._tell("collecting the tests")
        processes.stand = min(MOST_STAND, max(LEAST_STAND, STANDS * self.left))
        facts = processes.ask({"task": "list"})
        processes.stand = 0.0
        self.cold = min(COLD_SECONDS, 1.0 + COLDER * (time.monotonic() - began))
        told = facts.get("told", {})
        if not told:
            raise unseen(facts)
        files = [processes.runner.paths.relative(0, path) for path in told["files"]]
        names = told["names"]
        self.imported = processes.lines(told["imported"])
        failed = list(failures(processes, told["failed"], processes.stalls))
        self._name([*names, *(each.name for each in failed)])
        uncollected: list[Test] = []
        if failed:
            # What does not end may have used up all, and nothing is known of the others yet.
            self._until = max(self._until, time.monotonic() + seconds / 2)
            found = Uncollected(
                processes, failed, len(names), bool(names), lambda: self.left
            )  # fmt: skip
            uncollected = found.tests
            self._unseen += found.late
            self.cold = min(COLD_SECONDS, found.seconds)
            if found.imported is not None:
                self.imported = found.imported
        # To collect them may have taken it all; then nobody would know what they come to.
        self._until = max(self._until, time.monotonic() + LEAST_LOOK)
        self._tell("running the tests as they are")
        order = sorted(range(len(names)), key=lambda each: not self._is_first(names[each]))
        results = self._all(order)
        left_out = Verdict.OTHER, 0.0, frozenset[Line]()
        self._unseen += [names[each] for each in range(len(names)) if each not in results]
        tests = [
            Test(
                number,
                name,
                *results.get(number, left_out),
                files[number],
                failure=self._failures.get(name),
            )
            for number, name in enumerate(names)
        ]
        return [*self._steady(tests), *uncollected]

    def _with_one_that_fails(self, tests: Sequence[Test]) -> list[Test]:
        """All; where none fails that is asked for, those that had no processor are run for longer.

        Else a test that hangs is none that fails, where others have the processors.
        """
        found = list(tests)
        deadline = self._processes.runner.target.deadline
        for place, test in enumerate(found):
            asked = [each for each in found if not self._first or self._is_first(each.name)]
            if any(each.verdict is Verdict.FAILED for each in asked) or deadline.over:
                break
            if test not in asked or test.number not in self._starved:
                continue
            seconds = min(LOOK_SECONDS, deadline.left / 2)
            wait = max(LEAST_LOOK, HANGS * self._usual)
            more = {"timeout": seconds, "wall": seconds, "patience": int(seconds / (2 * wait))}
            self._unseen.remove(test.name)
            if self._program:
                case = list(self._cases)[test.number]
                found[place] = self._looked_at(test.number, case, wait, **more)
            else:
                results, end = self._results([test.number], wait, **more)
                result = results.get(test.number) or self._ended_early(test.number, end)
                verdict, taken, lines = result
                failure = self._failures.get(test.name)
                found[place] = replace(
                    test, verdict=verdict, seconds=taken, lines=lines, failure=failure
                )
        return found

    def _without_denied(self, tests: Sequence[Test]) -> list[Test]:
        """All; what only the sandbox makes fail is left out.

        Raises :class:`~stripe.errors.NotReducible` ``denied-by-sandbox`` if nothing else fails.
        """
        runner = self._processes.runner
        directory, layer = runner.target.directory, runner.workspace.layer
        failing = [each for each in tests if each.verdict is Verdict.FAILED]
        denied = {
            each.number: error
            for each in failing
            if is_own_denial(error := self._denials.get(each.number, ""), directory, layer)
        }
        asked = [each for each in failing if not self._first or self._is_first(each.name)]
        if asked and all(each.number in denied for each in asked):
            raise denied_by_sandbox(denied[asked[0].number], layer)
        self.denied = {self.names[number]: error for number, error in denied.items()}
        return [
            replace(each, verdict=Verdict.OTHER) if each.number in denied else each
            for each in tests
        ]

    def _is_first(self, name: str) -> bool:
        return not self._first.isdisjoint({name, name.partition("[")[0]})

    def _name(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self.numbers = {name: number for number, name in enumerate(names)}

    @property
    def left(self) -> float:
        """Seconds that are left for running tests as they are."""
        return max(0.0, self._until - time.monotonic())

    @property
    def again(self) -> float:
        """Seconds that something may take, of those that are left."""
        return max(LEAST_LOOK, self.left / 2)

    def _waits(self, seconds: float) -> dict[str, Any]:
        """For how long a look may go on: seconds of a processor, and times that one is waited for.

        It is to end itself in half of the time there is, as what is ended tells nothing.
        """
        left = self._processes.runner.target.deadline.left / 2
        wait = min(seconds, max(LEAST_LOOK, left / 2))
        return {"wait": wait, "patience": int(min(PATIENCE, max(1, left / (2 * wait))))}

    def _all(self, numbers: Sequence[int]) -> dict[int, Result]:
        """What tests come to, even if one of them ends or holds up the process it is in."""
        if not numbers or not (left := self.left):
            return {}
        results, end = self._results(numbers, max(LEAST_LOOK, left / 2))
        missing = [each for each in numbers if each not in results]
        if not missing:
            return results
        if len(numbers) == 1:
            return {numbers[0]: self._ended_early(numbers[0], end)}
        if results or end["end"] == "timeout":  # the first of them was going on
            results |= self._all(missing[:1])
            return results | self._all(missing[1:])
        half = len(missing) // 2
        return self._all(missing[:half]) | self._all(missing[half:])

    def _ended_early(self, number: int, facts: Facts) -> Result:
        """What a test counts as that does not end, or ends all."""
        lines = self._processes.lines(facts.get("told", {}).get("lines", {}))
        if facts["end"] != "timeout":
            return Verdict.FAILED, 0.0, lines
        late = facts["processor"]
        starved = facts.get("told", {}).get("starved", late < LEAST_LOOK)  # ended from outside
        if starved or late < HANGS * self._usual:
            self._starved.add(number)
            self._unseen.append(self.names[number])
            return Verdict.OTHER, late, lines
        self._late.append(self.names[number])
        return Verdict.FAILED, 0.0, lines  # a hang says nothing of how long a right run takes

    @property
    def endless(self) -> set[str]:
        """Tests that do not end as they are, or the collecting of which does not."""
        return {*self._late, *(each.name for each in self.tests if ENDLESS in each.detail)}

    def complaints(self) -> Iterator[str]:
        """What tests were taken for that did not come to their end, or did not begin."""
        if started := self._processes.threads:
            advice = "Start them when they are needed, not on import; a library may have a setting."
            if asked := asked_for_more(self._processes.runner.target.variables):
                advice = f"You have set {' and '.join(asked)}: unset it, or set it to 1."
            yield (
                f"Importing the tests starts threads: {started}. A process with threads cannot be "
                f"forked, so all is imported anew for each change, which is slow. {advice}"
            )
        for test in self.tests:
            if test.detail and test.verdict is Verdict.FAILED:
                yield complaint(test)
        for names, words in (
            (self._late, "hang, which is taken for their failure"),
            (self._unseen, "could not be run to the end in the time for that, and are left out"),
        ):
            if names:
                some = ", ".join(names[:3])
                more = f" and {len(names) - 3} more" if len(names) > 3 else ""
                yield f"Tests {words}: {some}{more}. --max-time gives them more."
        for name, error in list(self.denied.items())[:1]:
            yield (
                f"{len(self.denied)} of the tests failed by what the sandbox alone denies, and "
                f"count for nothing, as {name}: {error}"
            )

    def _steady(self, tests: list[Test]) -> list[Test]:
        """All; what ends otherwise without the others, which is how they are tried, is left out."""
        kept = [each for each in tests if each.verdict is Verdict.OTHER]
        for verdict in (Verdict.FAILED, Verdict.PASSED):
            group = [each for each in tests if each.verdict is verdict]
            if group:
                again = self._results([each.number for each in group], self.again)[0]
                for each in group:
                    found = again.get(each.number)
                    if found is None or found[0] is verdict:
                        # What is done but once, such as to import something, was in the first run.
                        # And what the first test has left to all others, only now is in these.
                        seconds = each.seconds if found is None else min(each.seconds, found[1])
                        lines = each.lines if found is None else each.lines | found[2]
                        kept.append(replace(each, seconds=seconds, lines=lines))
                    else:
                        kept.append(replace(each, verdict=Verdict.OTHER))
        return sorted(kept, key=lambda each: each.number)

    def _results(
        self, numbers: Sequence[int], seconds: float, **more: Any
    ) -> tuple[dict[int, Result], Facts]:
        """What tests come to in one process, and how that ended; ``more``: of the request."""
        if self._processes.threads:  # they are collected anew
            seconds += self.cold
        facts = self._processes.ask(
            {"task": "look", "tests": [self.names[each] for each in numbers],
             "stop": len(numbers) + 1, "values": False, **self._waits(seconds), **more},
            seconds=seconds,
        )  # fmt: skip
        told = facts.get("told", {})
        self._denials |= {
            self.numbers[name]: self._error(why, facts)
            for name, *_, why in told.get("results", ())
            if why
        }
        results = {
            self.numbers[name]: (Verdict[outcome.upper()], seconds, self._processes.lines(lines))
            for name, outcome, seconds, lines, _ in told.get("results", ())
        }
        self._processes.learn(told)
        relative = self._processes.runner.paths.relative
        for name, (kind, words, frames) in told.get("failures", {}).items():
            where = tuple(Frame(relative(0, path), *rest) for path, *rest in frames)
            self._failures.setdefault(name, Failure(kind, words, where))
        if results:
            self._usual = sorted(each[1] for each in results.values())[len(results) // 2]
        return results, facts

    def _error(self, text: str, facts: Facts) -> str:
        """An error of a run, with the names that files have outside."""
        text_there = text.encode("utf-8", "surrogateescape")
        found = self._processes.runner.workspace.canonical(text_there, facts["slot"])
        return found.decode("utf-8", "replace")

    def _looked_at(
        self, number: int, case: Case, seconds: float | None = None, **more: Any
    ) -> Test:
        """Run a program as it is, for ``seconds`` of a processor; ``more``: of the request."""
        if seconds is None:
            seconds = self._processes.runner.target.timeout or min(LOOK_SECONDS / 6, self.again)
        facts = self._processes.ask(
            {
                "task": "look",
                "values": False,
                **self._waits(seconds),
                **self._cases.input(number),
                **more,
            },
            seconds=seconds,
        )
        told = facts.get("told", {})
        self._processes.learn(told)
        lines = self._processes.lines(told.get("lines", {}))
        if facts["end"] == "timeout":
            return Test(number, case.name, *self._ended_early(number, facts))
        verdict = self._cases.judge(number, facts)
        if raised := facts.get("exception"):
            self._denials[number] = self._error(f"{raised['type']}: {raised['message']}", facts)
        seconds = told.get("seconds", facts.get("seconds", 0.0))
        return Test(number, case.name, verdict, seconds, lines)

    # --- what variables hold

    def values(self, failing: Sequence[Test]) -> Mapping[tuple[str, str], Any]:
        """What variables hold in failing tests."""
        if self._program:
            return self._values(False, **self._cases.input(failing[0].number))
        found: dict[tuple[str, str], Any] = {}
        if collected := [each.name for each in failing if not each.detail]:
            found |= self._values(False, tests=collected, stop=len(collected) + 1)
        for each in failing:
            if each.detail:
                # What goes round and round in a loop shows nothing new in it.
                most = self.cold if ENDLESS in each.detail else LOOK_SECONDS
                found |= self._values(True, most, uncollected=[each.name], only=[each.name])
        return found

    def _values(
        self, cold: bool, most: float = LOOK_SECONDS, **request: Any
    ) -> Mapping[tuple[str, str], Any]:
        wait = min(LOOK_SECONDS / 10, most, self.again)
        facts = self._processes.ask(
            {"task": "look", "values": True, **self._waits(wait), **request},
            seconds=wait,
            cold=cold,
        )
        return dict(facts.get("told", {}).get("values", {}))
