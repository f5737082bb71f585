"""Generalised binary splitting in two halves at a time."""

from collections.abc import Hashable, Iterable, Iterator
from itertools import chain

from .outcomes import Configuration, TestFunction
from .result import Result
from .search import Search, minimise
from .sweep import Step, likely, sparse_start, sweep_strategy
from .tester import Tester

__all__ = ["splitting", "splitting_strategy"]

SMALL = 16
"""So few deltas are swept in one go."""


def splitting[D: Hashable](
    deltas: Iterable[D],
    test: Tester[D] | TestFunction[D],
    *,
    check: bool = False,
    certify: bool = True,
) -> Result[D]:
    """Leave out deltas by binary splitting (Hwang, JASA 1972) in both halves in turns.

    As `sweep` with `sparse`, but the next question about the one half does not depend on the
    answer about the other. In a binary search alone, two tests at a time tell three outcomes
    apart and not four, so a second job would bring a factor of log2(3) at most; here it brings
    nearly two. When something can go from both halves, one more test asks for both together.

    Args:
        deltas: the universe, in order, each delta once. All of them together fail.
        test: a tester, or a test function.
        check: test the empty and the full configuration first. Otherwise they are axioms.
        certify: test every single removal in the end.

    Raises:
        AxiomViolated: when `check` finds that the full configuration does not fail.
    """
    return minimise(deltas, test, splitting_strategy, check=check, certify=certify)


def splitting_strategy[D: Hashable](search: Search[D]) -> None:
    """Reduce the current configuration of `search`.

    Raises:
        BudgetExhausted: when no further test may be run.
    """
    if len(search.current) < SMALL or search.tester.closes:
        sweep_strategy(search, sparse=True)
        return
    middle = len(search.current) // 2
    low, high = (sparse_start(half) for half in (search.current[:middle], search.current[middle:]))
    while not (low.ended and high.ended):
        if low.ended or high.ended:
            low, high = _one(search, low, high)
        else:
            low, high = _both(search, low, high)


def _one[D: Hashable](search: Search[D], low: Step[D], high: Step[D]) -> tuple[Step[D], Step[D]]:
    """A test in the half that is not swept yet."""
    if high.ended:
        ahead = (each + high.current for each in likely(low))
        return low.after(search.fails(low.candidate() + high.current, ahead)), high
    ahead = (low.current + each for each in likely(high))
    return low, high.after(search.fails(low.current + high.candidate(), ahead))


def _both[D: Hashable](search: Search[D], low: Step[D], high: Step[D]) -> tuple[Step[D], Step[D]]:
    """A test in each half, of which neither waits for the other; and one of both if both can go."""
    in_high = low.current + high.candidate()
    in_low = low.candidate() + high.current
    high_goes = search.fails(in_high, chain((in_low,), _next(low.stays(), high.stays())))
    high_after = high.after(high_goes)
    together = low.candidate() + high.candidate()
    ahead = _next(low.stays(), high_after)
    if search.fails(in_low, chain((together,), ahead) if high_goes else ahead):
        if not high_goes:
            return low.goes(low.candidate()), high_after
        low_after = low.goes(low.candidate())
        if search.fails(together, _next(low_after, high_after)):
            return low_after, high_after
        # Each alone can go, both cannot: one of them stays.
        search.current = in_high
    return low.stays(), high_after


def _next[D: Hashable](low: Step[D], high: Step[D]) -> Iterator[Configuration[D]]:
    """What is tested first from that point on."""
    if not high.ended:
        yield low.current + high.candidate()
    if not low.ended:
        yield low.candidate() + high.current
