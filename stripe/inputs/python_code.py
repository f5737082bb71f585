"""Reduces Python programs: by lines, and by transformations of their syntax tree."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stripe.dd import AxiomViolated, Configuration, Outcome, Reason, Result, Tester, ddmin, hdd
from stripe.units.model import Units
from stripe.units.python_edits import TRANSFORMATIONS, Transformation
from stripe.units.python_passes import compiles, passes

__all__ = ["ReducedProgram", "reduce_program"]

type ProgramTest = Callable[[str], Outcome]
"""Runs a program, given as text, and says what came of it."""


@dataclass(frozen=True, slots=True)
class ReducedProgram:
    """A program that was made smaller."""

    source: str
    """The smallest failing program found."""
    tests: int
    """How many programs were tested."""
    certified: bool
    """Whether no single line can be left out, and no transformation applied in a single place,
    so that a valid program is left that still fails."""
    by_tree: bool
    """Whether the syntax tree was reduced as well. It cannot be if the program is not valid, or
    does not fail any more when it is written without comments and in a uniform style."""
    reason: Reason
    """Why the search ended."""


def reduce_program(
    source: str,
    test: ProgramTest,
    *,
    transformations: Sequence[Transformation] = TRANSFORMATIONS,
    max_tests: int | None = None,
    max_time: float | None = None,
    stop: Callable[[], bool] | None = None,
    improved: Callable[[str], None] | None = None,
) -> ReducedProgram:
    """Make a failing Python program as small as it gets.

    First by ddmin on its lines. Then transformations are applied to its syntax tree, each of
    them, in their order, in as many places as possible: the places where it must *not* be applied
    are the deltas of a hierarchical search (`stripe.dd.hdd`). All of that again until nothing
    changes any more. Programs that do not compile are not tested, unless `source` itself does
    not; then only lines are reduced.

    Args:
        source: the program. It fails.
        test: runs a program. No program is tested twice.
        transformations: what to try, in this order. Each makes the tree lighter.
        max_tests: how many programs may be tested; None for no limit.
        max_time: seconds it may take; None for no limit.
        stop: asked before every test; a true answer ends the search.
        improved: called with every smaller failing program, at once.

    Raises:
        AxiomViolated: when `source` does not fail.
    """
    reducer = _Reducer(source, test, max_tests, max_time, stop, improved)
    reducer.begin()
    before = None
    while reducer.source != before and reducer.reason is Reason.FINISHED:
        before = reducer.source
        reducer.go_through(transformations)
    return ReducedProgram(
        source=reducer.source.decode(*_CODING),
        tests=reducer.tests,
        certified=reducer.reason is Reason.FINISHED,
        by_tree=reducer.by_tree,
        reason=reducer.reason,
    )


_CODING = "utf-8", "surrogatepass"


class _Reducer:
    """A failing program on its way down, and all that was tested."""

    def __init__(
        self,
        source: str,
        test: ProgramTest,
        max_tests: int | None,
        max_time: float | None,
        stop: Callable[[], bool] | None,
        improved: Callable[[str], None] | None,
    ) -> None:
        self.source = source.encode(*_CODING)
        self.tests = 0
        self.by_tree = False
        self.reason = Reason.FINISHED
        self._test = test
        self._max_tests = max_tests
        self._until = None if max_time is None else time.monotonic() + max_time
        self._stop = stop
        self._improved = improved
        self._smallest = len(self.source)
        self._outcomes: dict[bytes, Outcome] = {}
        self._valid = compiles(self.source)

    def begin(self) -> None:
        """Test the program as it is.

        Raises:
            AxiomViolated: when it does not fail.
        """
        outcome = self._outcome(self.source)
        if outcome is not Outcome.FAIL:
            raise AxiomViolated(outcome)

    def go_through(self, transformations: Sequence[Transformation]) -> None:
        """Reduce lines, then the tree."""
        steps = passes(self.source, transformations)
        step = next(steps, None)
        while step is not None:
            result = self._search(step.units)
            self.source = step.units.render(result.configuration)
            self.by_tree |= step.by_tree
            self.reason = result.reason
            if self.reason is not Reason.FINISHED:
                return
            try:
                step = steps.send(self.source)
            except StopIteration:
                return

    def _search(self, units: Units) -> Result[int]:
        def outcome(configuration: Configuration[int]) -> Outcome:
            return self._outcome(units.render(configuration))

        tester = Tester(
            outcome,
            predict=lambda configuration: self._known(units.render(configuration)),
            max_tests=None if self._max_tests is None else max(0, self._max_tests - self.tests),
            stop=self._stopped,
        )
        deltas = range(len(units))
        if units.hierarchical:
            return hdd(deltas, tester, units.parent, check=True)
        return ddmin(deltas, tester, check=True)

    def _stopped(self) -> bool:
        late = self._until is not None and time.monotonic() >= self._until
        return late or (self._stop is not None and self._stop())

    def _known(self, source: bytes) -> Outcome | None:
        """Return the outcome of a program that was tested, or that need not be."""
        if source not in self._outcomes and self._valid and not compiles(source):
            self._outcomes[source] = Outcome.UNRESOLVED
        return self._outcomes.get(source)

    def _outcome(self, source: bytes) -> Outcome:
        text = source.decode(*_CODING)
        outcome = self._outcomes[source] = self._test(text)
        self.tests += 1
        if outcome is Outcome.FAIL and len(source) < self._smallest:
            self._smallest = len(source)
            if self._improved is not None:
                self._improved(text)
        return outcome
