"""Tests of Python programs, run as they are and with one place changed."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from stripe.backend import Target
from stripe.errors import NotReducible
from stripe.interventions import Attempt, Case, Ended, Intervention, Line, Shown, Test, Verdict
from stripe.kit.engines import Engines, Facts, Gone
from stripe.kit.slots import Slots, scratch_copies
from stripe.sandbox.walls import Layer, no_sandbox
from stripe_pytrace.endings import ended_by, unseen
from stripe_pytrace.host import AgentProcess
from stripe_pytrace.interpreter import Interpreter
from stripe_pytrace.runner import Runner

LOOK_SECONDS = 60.0
"""Seconds that whatever is asked but to run tests may take, such as to collect them."""

LEAST_LOOK = 1.0
"""Seconds that a test may take as it is, however little time there is."""

HANGS = 10.0
"""Times as long as others a test has to take until it is said to hang, which is to fail."""

MEMORY = 2 << 30
"""Bytes of address space that a run may have, unless the user allows more."""

COLD_SECONDS = 10.0
"""Seconds more, at most, where tests have to be collected anew..."""

COLDER = 3.0
"""...and times what it took at first."""

OUTPUT, MOST_TOLD = 8 << 20, 4000
WAITING = 4.0
"""Times its fuel a run may take, and seconds more, when it waits for something."""

TESTERS = ("pytest", "unittest")

LOST: Facts = {"end": "lost", "status": -9, "stdout": b"", "stderr": b"", "dirty": True}

type Result = tuple[Verdict, float, frozenset[Line]]
"""How a test ended, after how many seconds, and what it executed."""


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
    ) -> None:
        if layer is Layer.NONE and not target.unsafe:
            raise no_sandbox("Changes are tried that nobody has looked at", why)
        self.layer = layer
        self._cases = list(cases)
        self._face = target.program if target.module and target.program in TESTERS else "program"
        self._until = time.monotonic() + seconds
        self._cold = COLD_SECONDS
        self._files: list[str] = []
        self._known: dict[tuple[int, bool], list[str]] = {}
        self._usual = 0.0
        self._late: list[str] = []
        self._unseen: list[str] = []
        self._names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._unfit: set[int] = set()
        self._modules: list[str] = []
        self._values: dict[tuple[str, str], Any] = {}
        self.imported: frozenset[Line] = frozenset()
        with scratch_copies(target, layer) as self._workspace:
            self._runner = Runner(target, (), interpreter, self._workspace)
            self._runner.limits = {"memory": target.memory or MEMORY, "output": OUTPUT}
            self._slots = Slots(self._workspace)
            self._slots.give(range(target.jobs))
            self._engines: Engines[tuple[int, bool], AgentProcess] = Engines(
                self._start, lambda key: self._workspace.restore(key[0])
            )
            self._inputs = []
            for number, case in enumerate(self._cases):
                path = self._workspace.root / f"case-{number}"
                path.write_bytes(case.stdin)
                self._inputs.append(str(path))
            try:
                self.tests = self._look()
            except BaseException:
                self._close()
                raise
        self.notes = [*notes, *self._workspace.notes, *self._complaints()]

    # --- as it is

    def _look(self) -> list[Test]:
        """Run all tests as they are."""
        if self._face == "program":
            self._names = [each.name for each in self._cases]
            return [self._looked_at(number, case) for number, case in enumerate(self._cases)]
        began = time.monotonic()
        facts = self._ask({"task": "list", "tests": [], "stop": 1})
        self._cold = min(COLD_SECONDS, 1.0 + COLDER * (time.monotonic() - began))
        told = facts.get("told", {})
        if not told:
            raise unseen(facts)
        files = {
            number: self._runner.paths.relative(0, path)
            for number, path in enumerate(told["files"])
        }
        names = self._names = told["names"]
        self._numbers = {name: number for number, name in enumerate(names)}
        self.imported = self._lines(told["imported"])
        results = self._all(range(len(names)))
        left_out = Verdict.OTHER, 0.0, frozenset[Line]()
        self._unseen = [names[each] for each in range(len(names)) if each not in results]
        tests = [
            Test(number, name, *results.get(number, left_out), files[number])
            for number, name in enumerate(names)
        ]
        return self._steady(tests)

    @property
    def _left(self) -> float:
        """Seconds that are left for running tests as they are."""
        return max(0.0, self._until - time.monotonic())

    def _all(self, numbers: Sequence[int]) -> dict[int, Result]:
        """What tests come to, even if one of them ends or holds up the process it is in."""
        if not numbers or not (left := self._left):
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
        lines = self._lines(facts.get("told", {}).get("lines", {}))
        if facts["end"] != "timeout":
            return Verdict.FAILED, 0.0, lines
        late = facts["processor"]
        if facts.get("told", {}).get("starved") or late < HANGS * self._usual:
            self._unseen.append(self._names[number])
            return Verdict.OTHER, late, lines
        self._late.append(self._names[number])
        return Verdict.FAILED, late, lines

    def _complaints(self) -> Iterator[str]:
        """What tests were taken for that did not come to their end."""
        for names, words in (
            (self._late, "did not end, and count as failing: a hang is taken for the failure"),
            (self._unseen, "could not be run to the end in the time for that, and are left out"),
        ):
            if names:
                some = ", ".join(names[:3])
                more = f" and {len(names) - 3} more" if len(names) > 3 else ""
                yield f"Tests {words}: {some}{more}. --max-time gives them more."

    def _steady(self, tests: list[Test]) -> list[Test]:
        """Those that end the same way without the others, which is how they are tried."""
        kept = []
        for verdict in (Verdict.FAILED, Verdict.PASSED):
            group = [each for each in tests if each.verdict is verdict]
            if group:
                again = self._results([each.number for each in group], self._again)[0]
                for each in group:
                    found = again.get(each.number)
                    if found is None or found[0] is verdict:
                        kept.append(each)
                    else:
                        kept.append(replace(each, verdict=Verdict.OTHER))
        return sorted(kept, key=lambda each: each.number)

    @property
    def _again(self) -> float:
        return max(LEAST_LOOK, self._left / 2)

    def _results(self, numbers: Sequence[int], seconds: float) -> tuple[dict[int, Result], Facts]:
        """What tests come to in one process, and how that ended."""
        facts = self._ask(
            {"task": "look", "tests": [self._names[each] for each in numbers],
             "stop": len(numbers) + 1, "values": False, "wait": seconds}, seconds=seconds,
        )  # fmt: skip
        told = facts.get("told", {})
        results = {
            self._names.index(name): (Verdict[outcome.upper()], seconds, self._lines(lines))
            for name, outcome, seconds, lines, _ in told.get("results", ())
        }
        self._learn(told)
        if results:
            self._usual = sorted(each[1] for each in results.values())[len(results) // 2]
        return results, facts

    def _looked_at(self, number: int, case: Case) -> Test:
        seconds = self._runner.target.timeout or min(LOOK_SECONDS / 6, self._again)
        facts = self._ask({"task": "look", "values": False, "wait": seconds, **self._input(number)},
                          seconds=seconds)  # fmt: skip
        told = facts.get("told", {})
        self._learn(told)
        lines = self._lines(told.get("lines", {}))
        if facts["end"] == "timeout":
            return Test(number, case.name, *self._ended_early(number, facts))
        verdict = self._judge(number, facts)
        return Test(number, case.name, verdict, facts.get("seconds", 0.0), lines)

    def _input(self, number: int) -> dict[str, Any]:
        return {"input": self._inputs[number], "arguments": self._cases[number].arguments}

    def _judge(self, number: int, facts: Facts) -> Verdict:
        """A program is right if it ends well, of its own accord, and has printed what is right."""
        printed = self._workspace.canonical(facts["stdout"], facts["slot"])
        right = printed.rstrip(b"\r\n") == self._cases[number].expected.rstrip(b"\r\n")
        ended = facts["end"] == "exited" and facts["status"] == 0 and "exception" not in facts
        return Verdict.PASSED if right and ended else Verdict.FAILED

    def _learn(self, told: Mapping[str, Any]) -> None:
        self._modules += [each for each in told.get("modules", ()) if each not in self._modules]

    def _lines(self, told: Mapping[str, Sequence[int]]) -> frozenset[Line]:
        relative = self._runner.paths.relative
        return frozenset(
            Line(relative(0, path), line) for path, lines in told.items() for line in lines
        )

    # --- changed

    def offers(self, lines: Sequence[Line], failing: Sequence[Test]) -> Sequence[Intervention]:
        """See :class:`stripe.interventions.Trials`."""
        by_file: dict[str, list[int]] = {}
        for file, line in lines:
            by_file.setdefault(file, []).append(line)
        self._files = list(by_file)
        values = self._seen(failing)
        absolute = self._runner.paths.absolute
        wanted = {absolute(0, file): found for file, found in by_file.items()}
        facts = self._ask({"task": "offers", "lines": wanted, "values": values, "tests": [],
                           "stop": 1, **self._any_input()}, seconds=LOOK_SECONDS)  # fmt: skip
        if "offers" not in facts.get("told", {}):
            raise unseen(facts)
        found = []
        for path, rows in facts["told"]["offers"]:
            file = self._runner.paths.relative(0, path)
            for line, end, first, number, how, text, kind, size, function, words, once in rows:
                found.append(
                    Intervention(
                        Line(file, line), end, first, function, kind, size, words,
                        (number, how, text),
                        slow=once and self._face != "program",
                    )
                )  # fmt: skip
        return found

    def _any_input(self) -> dict[str, Any]:
        return self._input(0) if self._cases else {}

    def _seen(self, failing: Sequence[Test]) -> dict[tuple[str, str], Any]:
        """What variables hold in failing tests."""
        if self._face == "program":
            request = {"task": "look", **self._input(failing[0].number)}
        else:
            names = [each.name for each in failing]
            request = {"task": "look", "tests": names, "stop": len(names) + 1}
        wait = min(LOOK_SECONDS / 10, self._again)
        facts = self._ask({**request, "values": True, "wait": wait}, seconds=wait)
        return dict(facts.get("told", {}).get("values", {}))

    def attempt(
        self, change: Intervention, tests: Sequence[Test], *, fuel: float, stop: int = 1
    ) -> Attempt:
        """See :class:`stripe.interventions.Trials`."""
        fuel += self._cold if change.slow else 0.0
        request = {"task": "try", **self._delta(change), "fuel": fuel}
        if self._face == "program":
            verdicts: dict[int, Verdict] = {}
            failed = 0
            for test in tests:
                facts = self._ask({**request, **self._input(test.number)}, seconds=fuel)
                ended = ended_by(facts)
                if ended is not Ended.WHOLE:
                    return Attempt(verdicts, ended)
                verdicts[test.number] = self._judge(test.number, facts)
                failed += verdicts[test.number] is not Verdict.PASSED
                if failed >= stop:
                    break
            return Attempt(verdicts, Ended.WHOLE)
        request["tests"] = [each.name for each in tests]
        facts = self._ask({**request, "stop": stop}, seconds=fuel, cold=change.slow)
        return Attempt(self._verdicts(facts), ended_by(facts))

    def attempts(
        self,
        changes: Sequence[Intervention],
        test: Test,
        *,
        fuel: float,
        coming: Sequence[Intervention] = (),
    ) -> Iterator[tuple[Intervention, Attempt]]:
        """See :class:`stripe.interventions.Trials`."""
        left = [each for each in changes if not each.slow]
        single = [each for each in changes if each.slow]
        while left and test.number not in self._unfit:
            told = False
            for facts in self._ask_many(left, coming, test, fuel):
                told = True
                if facts["end"] == "first":  # the function as it is, to tell changes apart
                    continue
                change = left.pop(0)
                if facts["end"] == "elsewhere":
                    single.append(change)
                else:
                    yield change, self._attempted(facts, test)
            if not told:
                self._unfit.add(test.number)
        for change in [*left, *single]:
            yield change, self.attempt(change, [test], fuel=fuel)

    def _attempted(self, facts: Facts, test: Test) -> Attempt:
        """What a run of one test came to."""
        ended = ended_by(facts)
        carried = bool(facts.get("carried"))
        if self._face == "program":
            if ended is not Ended.WHOLE:
                return Attempt({}, ended)
            how = f"{facts['status']} {facts.get('exception')} {facts['stdout']!r}"[:MOST_TOLD]
            return Attempt(
                {test.number: self._judge(test.number, facts)}, ended, {test.number: how}, carried
            )
        results = facts.get("told", {}).get("results", ())
        whys = {self._numbers[name]: why for name, *_, why in results if why}
        return Attempt(self._verdicts(facts), ended, whys, carried)

    def _verdicts(self, facts: Facts) -> dict[int, Verdict]:
        return {
            self._numbers[each[0]]: Verdict[each[1].upper()]
            for each in facts.get("told", {}).get("results", ())
        }

    def _ask_many(
        self,
        changes: Sequence[Intervention],
        coming: Sequence[Intervention],
        test: Test,
        fuel: float,
    ) -> Iterator[Facts]:
        """What each came to, as far as it can be told: perhaps of none, or not of all."""
        request: dict[str, Any] = {"task": "try", "outpost": test.number, "fuel": fuel}
        if self._face == "program":
            request |= self._input(test.number)
        else:
            request["tests"] = [self._names[test.number]]
        with self._slots.one() as use:
            number = use.number
            told = self._told(number, request, fuel)
            absolute = self._runner.paths.absolute
            for name, those in (("deltas", changes), ("coming", coming)):
                told[name] = [
                    (absolute(number, each.at.file), *each.private)
                    for each in those
                    if not each.slow
                ]
            self._keep_informed(number, False, told)
            told["patience"] = self._runner.target.patience.limit(WAITING * fuel + COLD_SECONDS)
            try:
                server = self._engines.get((number, False))
                for facts in server.stream(told):
                    if "over" in facts:
                        use.dirty = use.dirty or "lost" in facts
                        if facts.get("stands"):  # it was, until it ran the next one
                            yield dict(LOST, slot=number)
                        return
                    use.dirty = bool(facts.get("dirty", False))
                    yield self._runner.in_time({**facts, "slot": number})
            except Gone:
                self._engines.drop((number, False))
                use.dirty = True
                yield dict(LOST, slot=number)

    def show(self, change: Intervention, test: Test, *, fuel: float) -> Shown:
        """See :class:`stripe.interventions.Trials`."""
        fuel += self._cold if change.slow else 0.0
        request: dict[str, Any] = {"task": "show", **self._delta(change), "fuel": fuel}
        if self._face == "program":
            request |= self._input(test.number)
        else:
            request |= {"tests": [test.name], "stop": 1}
        told = [
            self._ask({**request, "old": old}, seconds=fuel, cold=change.slow).get("told", {})
            for old in (True, False)
        ]
        path = os.path.join(self._workspace.directory, change.at.file)
        with open(path, "rb") as stream:
            text = stream.read().decode("utf-8", "replace")
        new = next((each["text"] for each in told if each.get("text")), None)
        return Shown(text, new, *(each.get("seen", ()) for each in told))

    def _delta(self, change: Intervention) -> dict[str, Any]:
        return {"delta": (change.at.file, *change.private)}

    # --- inside

    def _start(self, key: tuple[int, bool]) -> AgentProcess:
        """Start a process that forks; a ``cold`` one does it before tests are collected."""
        number, cold = key
        self._known[key] = self._files
        absolute = self._runner.paths.absolute
        guarded = self.layer is Layer.NONE and not self._runner.target.unsafe
        job = {
            **self._runner.job(number),
            "face": self._face,
            "cold": cold,
            "files": [absolute(number, each) for each in self._files],
            "modules": self._modules,
            "allowed": () if guarded else None,
        }
        try:
            return self._runner.stay(number, job, entry="intervening")
        except Gone as error:
            raise NotReducible(
                "no-tests",
                f"The tests cannot be run: {error.message}",
                "Run them yourself first: they have to be found, and to be imported without "
                "errors. Options for STRIPE stand before -m; what is behind is for the tests.",
            ) from None

    def _ask(
        self, request: dict[str, Any], *, seconds: float = LOOK_SECONDS, cold: bool = False
    ) -> Facts:
        """Run once; whatever it leaves behind is undone."""
        with self._slots.one() as use:
            number = use.number
            runner = self._runner
            told = self._told(number, request, seconds)
            self._keep_informed(number, cold, told)
            if "delta" in told:
                file, *what = told["delta"]
                told["delta"] = (runner.paths.absolute(number, file), *what)
            facts = self._engines.ask(
                (number, cold), lambda server: runner.in_time(server.ask(told))
            )
            if facts is None:
                facts = dict(LOST)
            use.dirty = bool(facts.get("dirty", True))
            facts["slot"] = number
            return facts

    def _keep_informed(self, number: int, cold: bool, told: dict[str, Any]) -> None:
        """Have a process know what is to be changed."""
        if self._known.get((number, cold), self._files) is not self._files:
            files = [self._runner.paths.absolute(number, each) for each in self._files]
            told["ahead"] = {"files": files, "modules": self._modules}
            self._known[number, cold] = self._files

    def _told(self, number: int, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """What a process has to know to run once, in so many seconds of a processor."""
        runner = self._runner
        patience = runner.target.patience.limit
        told = {
            **runner.request(number),
            "timeout": patience(WAITING * seconds + 1.0),
            "wall": patience(10 * seconds + 5.0),
            "processor": 2 * seconds + 1.0,
            **request,
        }
        if "arguments" in told:
            slot = self._workspace.slot(number)
            told["arguments"] = runner.paths.arguments(slot, told["arguments"])
        return told

    def close(self) -> None:
        """See :class:`stripe.interventions.Trials`."""
        self._close()
        self._workspace.close()

    def _close(self) -> None:
        self._slots.closed = True
        self._engines.closed = True
        self._engines.drop_all()
        self._runner.close()
