"""The changes that make the difference, found one by one by halving: the search to begin with.

A version that passes and a larger one that fails are moved towards each other, level by level:
both are near to versions that people have built, so most tests tell.  What is left between them
makes the difference.  If it fails without the others, it is alone to blame; if it passes without
them, another change is to blame as well, and is looked for in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence

from stripe.campaign.problem import Problem
from stripe.changes.bisection import first_bad
from stripe.changes.granularity import LEVELS, Group, groups_of
from stripe.changes.grouped import Contested, Grouped, Tests
from stripe.changes.requirements import Needs
from stripe.dd import Configuration, Outcome

PATIENCE = 3
"""So many tests may tell nothing before the difference is taken as it is..."""

TRIES = 12
"""...and so many versions on one level may be tried, with those that need no test..."""

ROUNDS = 6
"""...and so many changes are found in this way."""

UNIT = LEVELS.index("hunk")
"""What others need comes in whole hunks: single lines of it would often not be parsed."""

type Some = frozenset[int]
"""Edits."""


class _Over(Exception):
    """No more may be tested."""


class Descent:
    """The way down, from what ``tests`` has.

    Attributes:
        high: the smallest set of edits found that fails.
        unclear: it ended because too many tests told nothing.
    """

    def __init__(self, tests: Tests, needs: Needs) -> None:
        self.high: Some = frozenset(tests.current)
        self.unclear = False
        self._tests = tests
        self._needs = needs
        self._units: dict[str, tuple[list[Group], dict[int, int]]] = {}
        self._steps: dict[tuple[str, bool], tuple[Grouped, Problem[int]]] = {}
        self._left = PATIENCE

    def run(self, levels: Sequence[str]) -> None:
        """Make ``high`` smaller."""
        low: Some = frozenset()
        try:
            for _ in range(ROUNDS):
                differences = self._differences(low, levels)
                self.unclear = self._left <= 0
                more = self._enough(low, differences)
                if more is None or more <= low:
                    return
                low = more
        except _Over:
            return

    def run_alone(self, level: str, most: int) -> None:
        """Test each change of a level alone, with what it needs, until one fails.

        ``most``: where there are more of them, none is tested.
        """
        groups = groups_of(self._tests.universe, self._tests.current, level)
        if not 1 < len(groups) <= most:
            return
        try:
            for group in groups:
                _, outcome = self._resolved(frozenset(group), self.high, level)
                if outcome is Outcome.FAIL:
                    return
        except _Over:
            return

    def _differences(self, low: Some, levels: Sequence[str]) -> list[tuple[str, Some]]:
        """What makes the difference between ``low`` and what fails, ever smaller, by level."""
        high, found = self.high, []
        self._left = PATIENCE
        for level in levels:
            if self._left > 0:
                low, high = self._halved(low, high, level)
                found.append((level, high - low))
        return found

    def _halved(self, low: Some, high: Some, level: str) -> tuple[Some, Some]:
        """A larger version that passes, and a smaller one that fails."""
        left = [edit for edit in self._tests.current if edit in high and edit not in low]
        groups = groups_of(self._tests.universe, left, level)
        tries = TRIES

        def test(count: int) -> Outcome | None:
            nonlocal low, high, tries
            tries -= 1
            if tries < 0 or self._left <= 0:
                return None
            edits, outcome = self._tested(
                low.union(*groups[:count]), high, level, whole=level == "commit"
            )
            if outcome is Outcome.PASS:
                low = edits
            elif outcome is Outcome.FAIL:
                high = edits
            return outcome

        first_bad(len(groups), test)
        return low, high

    def _enough(self, low: Some, differences: Sequence[tuple[str, Some]]) -> Some | None:
        """Try what makes the difference without the rest; what passes, if anything does."""
        self._left = PATIENCE
        for level, difference in reversed(differences):
            candidate, outcome = self._tested(low | difference, self.high, level)
            if outcome is Outcome.FAIL or self._left <= 0:
                return None
            if outcome is Outcome.PASS:
                return candidate
        return None

    def _tested(
        self, chosen: Some, high: Some, level: str, *, whole: bool = False
    ) -> tuple[Some, Outcome]:
        """A version within ``high`` with what is chosen, and what comes of it.

        ``whole``: what is chosen is all there was after some commits, so it may need no other.

        What others need comes in units that are as small as can be parsed.
        """
        finest = max(UNIT, LEVELS.index(level))
        edits, outcome = chosen, Outcome.UNRESOLVED
        if whole:
            edits, outcome = self._resolved(chosen, high, level, needs=False)
            if outcome is not Outcome.UNRESOLVED:
                return edits, outcome
        for unit in LEVELS[finest::-1]:
            before = self._tests.campaign.tests
            edits, outcome = self._resolved(chosen, high, unit)
            if outcome is not Outcome.UNRESOLVED or self._tests.campaign.tests > before:
                self._left -= outcome is Outcome.UNRESOLVED
                break
        return edits, outcome

    def _resolved(
        self, chosen: Some, high: Some, unit: str, *, needs: bool = True
    ) -> tuple[Some, Outcome]:
        """What comes of a version after all that failed tests say."""
        numbers, step, problem = self._step(unit, needs=needs)
        learned = False
        while True:
            candidate = step.close(tuple(sorted({numbers[edit] for edit in chosen})))
            edits = frozenset(step.edits(candidate))
            outcome = Outcome.UNRESOLVED
            if high > edits:
                outcome = self._test(problem, candidate, edits)
                if outcome is Outcome.UNRESOLVED and needs and step.learn(candidate):
                    learned = True
                    continue
            if outcome is Outcome.UNRESOLVED and learned:
                del self._steps[unit, needs]  # it did not help
            return edits, outcome

    def _test(self, problem: Problem[int], candidate: Configuration[int], edits: Some) -> Outcome:
        before = self._tests.campaign.tests
        outcome = self._tests.campaign.test(problem, candidate)
        if outcome is None:
            raise _Over
        there = tuple(filter(edits.__contains__, self._tests.current))
        self._tests.record_outcome(there, outcome, ran=self._tests.campaign.tests > before)
        if outcome is Outcome.FAIL and len(edits) < len(self.high):
            self.high = edits
        return outcome

    def _step(self, unit: str, *, needs: bool) -> tuple[dict[int, int], Grouped, Problem[int]]:
        """The number of the group of each edit, what closes versions in units, and the test."""
        if unit not in self._units:
            groups = groups_of(self._tests.universe, self._tests.current, unit)
            numbers = {edit: number for number, group in enumerate(groups) for edit in group}
            self._units[unit] = groups, numbers
        groups, numbers = self._units[unit]
        key = unit, needs
        if key not in self._steps:
            step = Grouped(self._tests, groups, self._needs if needs else None, Contested())
            self._steps[key] = step, step.problem()
        return numbers, *self._steps[key]
