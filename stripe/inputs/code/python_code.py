"""Reduces Python programs: by lines, and by transformations of their syntax tree."""

from __future__ import annotations

import ast
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from stripe.dd import (
    AxiomViolated,
    BudgetExhausted,
    Configuration,
    Outcome,
    Reason,
    Result,
    Tester,
    ddmin,
    hdd,
)

from .python_edits import TRANSFORMATIONS, Site, Transformation, edited, sites

__all__ = ["ReducedProgram", "reduce_program"]

INVALID: Final = "("
"""Stands for programs that cannot even be written."""

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
    reducer.by_lines()
    settled = not reducer.by_trees
    while reducer.write_uniformly():
        uniform = reducer.source
        for transformation in transformations:
            reducer.by_tree(transformation)
        reduced = reducer.source
        reducer.by_lines()  # the uniform style has blank lines
        settled = uniform == reduced and _same_tree(reduced, reducer.source)
        if settled:
            break
    finished = reducer.reason is Reason.FINISHED
    return ReducedProgram(
        source=reducer.source,
        tests=reducer.tests,
        certified=finished and (settled or not reducer.by_trees),
        by_tree=reducer.by_trees,
        reason=reducer.reason,
    )


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
        self.source = source
        self.tests = 0
        self.by_trees = False
        self.reason = Reason.FINISHED
        self._test = test
        self._max_tests = max_tests
        self._until = None if max_time is None else time.monotonic() + max_time
        self._stop = stop
        self._improved = improved
        self._smallest = source
        self._outcomes: dict[str, Outcome] = {}
        self._valid = _compiles(source)

    def begin(self) -> None:
        """Test the program as it is.

        Raises:
            AxiomViolated: when it does not fail.
        """
        outcome = self._outcome(self.source)
        if outcome is not Outcome.FAIL:
            raise AxiomViolated(outcome)

    def by_lines(self) -> None:
        """Leave out lines."""
        if self.reason is not Reason.FINISHED:
            return
        lines = self.source.splitlines(keepends=True)

        @lru_cache(maxsize=1)
        def text(configuration: Configuration[int]) -> str:
            return "".join(lines[index] for index in configuration)

        self._take(ddmin(range(len(lines)), self._tester(text), check=True), text)

    def write_uniformly(self) -> bool:
        """Write the program as its tree is written; return whether it still fails."""
        if not self._valid or self.reason is not Reason.FINISHED:
            return False
        written = _written(ast.parse(self.source))
        if written is None:
            return False
        try:
            outcome = self._tester(lambda _: written).test(())
        except BudgetExhausted as exhausted:
            self.reason = exhausted.reason
            return False
        if outcome is not Outcome.FAIL:
            return False
        self.source = written
        self.by_trees = True
        return True

    def by_tree(self, transformation: Transformation) -> None:
        """Apply a transformation wherever that leaves a failing program."""
        if self.reason is not Reason.FINISHED:
            return
        source = self.source
        tree = ast.parse(source)
        places = sites(tree, transformation)

        @lru_cache(maxsize=1)
        def text(kept: Configuration[int]) -> str:
            if len(kept) == len(places):
                return source  # which may be written otherwise than its tree would be
            written = _written(edited(tree, _edits(places, kept)))
            return INVALID if written is None else written

        tester = self._tester(text)
        numbers = range(len(places))
        self._take(hdd(numbers, tester, lambda number: places[number].parent, check=True), text)

    def _take(self, result: Result[int], text: Callable[[Configuration[int]], str]) -> None:
        self.reason = result.reason
        self.source = text(result.configuration)

    def _tester(self, text: Callable[[Configuration[int]], str]) -> Tester[int]:
        return Tester(
            lambda configuration: self._outcome(text(configuration)),
            predict=lambda configuration: self._known(text(configuration)),
            max_tests=None if self._max_tests is None else max(0, self._max_tests - self.tests),
            stop=self._stopped,
        )

    def _stopped(self) -> bool:
        late = self._until is not None and time.monotonic() >= self._until
        return late or (self._stop is not None and self._stop())

    def _known(self, source: str) -> Outcome | None:
        """Return the outcome of a program that was tested, or that need not be."""
        if source not in self._outcomes and self._valid and not _compiles(source):
            self._outcomes[source] = Outcome.UNRESOLVED
        return self._outcomes.get(source)

    def _outcome(self, source: str) -> Outcome:
        outcome = self._outcomes[source] = self._test(source)
        self.tests += 1
        if outcome is Outcome.FAIL and len(source) < len(self._smallest):
            self._smallest = source
            if self._improved is not None:
                self._improved(source)
        return outcome


def _edits(places: list[Site], kept: Configuration[int]) -> dict[ast.AST, list[ast.AST]]:
    """Return what to do with the places that are not kept as they are."""
    left = set(kept)
    return {
        place.node: place.replacement for number, place in enumerate(places) if number not in left
    }


def _written(tree: ast.Module) -> str | None:
    """Return the text of a tree; None for a tree that is no program."""
    try:
        return ast.unparse(tree) + "\n" if tree.body else ""
    except Exception:  # whatever is wrong with it
        return None


def _same_tree(one: str, other: str) -> bool:
    return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))


def _compiles(source: str) -> bool:
    """Whether the program is valid for the Python that runs this."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "<program>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
