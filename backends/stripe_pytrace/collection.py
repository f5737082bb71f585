"""What cannot be collected: it is a failing test, which stands for those in it that nobody knows.

A module of tests (or a folder, or a ``conftest.py``) is looked at by itself, in a child of a
process that forks before tests are collected: whether it fails there, too, and what it executes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from stripe.interventions import Line, Test, Verdict
from stripe.kit.engines import Facts
from stripe_pytrace.agent.values.subjects import ENDLESS
from stripe_pytrace.trial_processes import Processes, Stall

LEAST = 2.0
"""Seconds of a processor, at least, for collecting something and running the tests in it..."""

LEAST_ENDLESS = 0.5
"""...where it does not end without a change, and most changes do not alter that..."""

TIMES = 3.0
"""...and times what it takes to collect it, or others, as they are."""

LONGEST = 300
"""Characters of why something cannot be collected, in a note."""

PATIENCE = 4
"""Times that a run is waited for while others have the processor."""


@dataclass(frozen=True, slots=True)
class Failed:
    """What cannot be collected, the file that it is, and why."""

    name: str
    own: str
    detail: str

    @property
    def endless(self) -> bool:
        """Whether its import does not end."""
        return ENDLESS in self.detail


class Uncollected:
    """All that cannot be collected of some tests.

    - ``tests``: what counts as failing tests, with numbers from ``first`` on
    - ``imported``: what is executed to collect the others; ``None``: not known
    - ``seconds``: of a processor, that a change may take to collect one
    """

    def __init__(
        self, processes: Processes, failed: Sequence[Failed], first: int, others: bool,
        left: Callable[[], float],
    ) -> None:  # fmt: skip
        self._processes = processes
        self._left = left
        self.late: list[str] = []
        self._took = 0.0
        self.imported: frozenset[Line] | None = None
        if others:
            self.imported = self._others([each.name for each in failed])
        self.tests = [self._test(first + n, each) for n, each in enumerate(failed)]
        endless = any(each.endless for each in failed)
        self.seconds = (LEAST_ENDLESS if endless else LEAST) + TIMES * self._took

    def _look(self, seconds: float, **request: object) -> Facts:
        facts = self._processes.ask(
            {"task": "look", "values": False, "wait": seconds, "patience": PATIENCE, **request},
            seconds=seconds,
            cold=True,
        )
        self._processes.learn(facts.get("told", {}))
        return facts

    def _others(self, without: list[str]) -> frozenset[Line] | None:
        """What is executed to collect what can be."""
        facts = self._look(max(1.0, self._left() / 2), without=without)
        if facts["end"] != "exited":
            return None
        self._took = facts["processor"]
        return self._processes.lines(facts.get("told", {}).get("lines", {}), facts["slot"])

    def _test(self, number: int, failed: Failed) -> Test:
        test = Test(
            number, failed.name, Verdict.FAILED, self._took, frozenset(), failed.own, failed.detail
        )
        if failed.endless:
            stalls = self._processes.stalls
            executed = frozenset(line for each in stalls for line in each.lines)
            return replace(test, lines=executed)
        left = self._left()
        if not left:
            self.late.append(failed.name)
            return replace(test, verdict=Verdict.OTHER)
        facts = self._look(max(1.0, left / 2), uncollected=[failed.name], only=[failed.name])
        told = facts.get("told", {})
        rows = {name: outcome for name, outcome, *_ in told.get("results", ())}
        if facts["end"] == "timeout":
            self.late.append(failed.name)
        if rows.get(failed.name) != Verdict.FAILED.name.lower():  # by itself it does not fail
            return replace(test, verdict=Verdict.OTHER)
        self._took = max(self._took, facts["processor"])
        lines = self._processes.lines(told["lines"], facts["slot"])
        return replace(test, seconds=facts["processor"], lines=lines)


def failures(
    processes: Processes, told: Sequence[tuple[str, str, str]], stalls: Sequence[Stall]
) -> Iterator[Failed]:
    """All that cannot be collected: what was ``told`` of errors, and what does not end."""
    known = {each.name: each for each in stalls}
    for name, path, detail in told:
        if (stall := known.pop(name, None)) is not None:
            yield Failed(name, stall.own, stall.detail)
        else:
            own = processes.runner.paths.relative(0, path) if path else ""
            yield Failed(name, own, processes.runner.readable(0, detail))
    for name, stall in known.items():
        yield Failed(name, stall.own, stall.detail)


def complaint(test: Test) -> str:
    """What a test is that cannot be collected."""
    lines = [line.strip().removeprefix("E ").strip() for line in test.detail.splitlines()]
    said = [line for line in lines if line.strip("^~ ")][-3:]
    end = "does not end when it is collected" if ENDLESS in test.detail else "cannot be collected"
    return (
        f"{test.name} {end}, and counts as a failing test, which stands for those in it: "
        f"{' | '.join(said)[-LONGEST:]}"
    )
