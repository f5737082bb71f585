"""Generalised binary splitting in two halves at a time."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from stripe.dd.outcomes import Configuration, TestFunction
from stripe.dd.result import Result
from stripe.dd.search import Search, minimise
from stripe.dd.searches.coupled_deltas import CoupledDeltas, WentTogether, together_strategy
from stripe.dd.searches.sweep import Step, likely, sparse_start, sweep_strategy
from stripe.dd.tester import Tester

SMALL = 16
"""So few deltas are swept in one go."""


def splitting[D: Hashable](
    deltas: Iterable[D],
    test: Tester[D] | TestFunction[D],
    *,
    check: bool = True,
    certify: bool = True,
) -> Result[D]:
    """Leave out deltas by binary splitting (Hwang, JASA 1972) in both halves in turns.

    As ``sweep`` with ``sparse``, but the next question about the one half does not depend on the
    answer about the other. In a binary search alone, two tests at a time tell three outcomes
    apart and not four, so a second job would bring a factor of log2(3) at most; here it brings
    nearly two. When something can go from either half, both together go on trial: the next tests
    are made without both. When one half has been swept, the rest of the other is cut in two again.
    What it finds can only go together, such as brackets, it goes on with as ddmin would.

    Args:
        deltas: the universe, in order, each delta once. All of them together fail.
        test: a tester, or a test function.
        check: test the full and the empty configuration first: see ``minimise``.
        certify: test every single removal in the end.

    Raises:
        AxiomViolated: when the full configuration does not fail.
    """
    return minimise(deltas, test, splitting_strategy, check=check, certify=certify)


def splitting_strategy[D: Hashable](search: Search[D], *, together: bool = True) -> None:
    """Reduce the current configuration of ``search``.

    Args:
        search: what is reduced.
        together: look for what can only go together, too.

    Raises:
        BudgetExhausted: when no further test may be run.
    """
    if not together:
        _split(search)
        return
    doubting = CoupledDeltas(search)
    try:
        _split(doubting)
        doubting.conclude()
    except WentTogether:
        together_strategy(search)


def _split[D: Hashable](search: Search[D]) -> None:
    """Leave out what can go alone."""
    if len(search.current) < SMALL or search.tester.closes:
        sweep_strategy(search, sparse=True)
        return
    middle = len(search.current) // 2
    low, high = (sparse_start(half) for half in (search.current[:middle], search.current[middle:]))
    parts, otherwise = _Parts((), low, high, ()), None
    while not parts.ended:
        if parts.swept_one:
            parts = parts.divided()
        if parts.swept_one:
            parts = _one(search, parts)
        else:
            parts, otherwise = _both(search, parts, otherwise)


class _Parts[D: Hashable](NamedTuple):
    """Where both sweeps stand, and what stays before and after them."""

    before: Configuration[D]
    low: Step[D]
    high: Step[D]
    after: Configuration[D]

    @property
    def ended(self) -> bool:
        return self.low.ended and self.high.ended

    @property
    def swept_one(self) -> bool:
        return self.low.ended or self.high.ended

    def with_low(self, low: Step[D]) -> _Parts[D]:
        return _Parts(self.before, low, self.high, self.after)

    def with_high(self, high: Step[D]) -> _Parts[D]:
        return _Parts(self.before, self.low, high, self.after)

    def low_goes(self) -> _Parts[D]:
        return self.with_low(self.low.goes(self.low.candidate()))

    def low_stays(self) -> _Parts[D]:
        return self.with_low(self.low.stays())

    def stay(self) -> _Parts[D]:
        return self.low_stays().with_high(self.high.stays())

    def whole(self) -> Configuration[D]:
        """All that is left."""
        return self.before + self.low.current + self.high.current + self.after

    def without_low(self) -> Configuration[D]:
        """What to test in the low part."""
        return self.before + self.low.candidate() + self.high.current + self.after

    def without_high(self) -> Configuration[D]:
        """What to test in the high part."""
        return self.before + self.low.current + self.high.candidate() + self.after

    def without_both(self) -> Configuration[D]:
        """What to test when both can go, each alone."""
        return self.before + self.low.candidate() + self.high.candidate() + self.after

    def divided(self) -> _Parts[D]:
        """The parts after the one that is not swept yet was cut in two."""
        left = self.high if self.low.ended else self.low
        cut = left.untouched() // 2
        if left.done < 2 or left.gaps is None or cut < left.gaps.step():
            return self  # all of it can probably go at once, or little is known of what stays
        before, after = self.before, self.after
        if self.low.ended:
            before += self.low.current
        else:
            after = self.high.current + after
        return _Parts(before, left.first(cut), left.rest(cut), after)


def _one[D: Hashable](search: Search[D], parts: _Parts[D]) -> _Parts[D]:
    """A test in the part that is not swept yet."""
    if parts.high.ended:
        rest = parts.high.current + parts.after
        ahead = (parts.before + each + rest for each in likely(parts.low))
        return parts.with_low(parts.low.after(search.fails(parts.without_low(), ahead)))
    rest = parts.before + parts.low.current
    ahead = (rest + each + parts.after for each in likely(parts.high))
    return parts.with_high(parts.high.after(search.fails(parts.without_high(), ahead)))


def _both[D: Hashable](
    search: Search[D], parts: _Parts[D], otherwise: _Parts[D] | None
) -> tuple[_Parts[D], _Parts[D] | None]:
    """A test in each part, of which neither waits for the other.

    When both can go, each alone, nothing says that both can go together. But they nearly always
    can, and then the next test that fails says so, for it is without both.

    Args:
        search: the search.
        parts: where the sweeps stand, if what could go alone could also go together.
        otherwise: where they stand if it cannot. None: it can.

    Returns:
        Both of these after the tests.
    """
    high = parts.high
    in_low = parts.without_low()
    doubted = () if otherwise is None else (parts.whole(),)
    high_goes = search.fails(parts.without_high(), chain((in_low,), doubted, _next(parts.stay)))
    after = parts.with_high(high.after(high_goes))
    following = _next(after.low_goes) if high_goes else chain(doubted, _next(after.low_stays))
    if search.fails(in_low, following):
        gone = after.low_goes()
        if not high_goes:
            return gone, None
        without_low = gone.with_high(high.stays())
        if not gone.swept_one:
            return gone, without_low
        goes = search.fails(parts.without_both(), _next(lambda: gone))
        return (gone if goes else without_low), None
    stays = after.low_stays()
    if high_goes or otherwise is None or search.fails(parts.whole(), _next(lambda: stays)):
        return stays, None
    return otherwise, None


def _next[D: Hashable](following: Callable[[], _Parts[D]]) -> Iterator[Configuration[D]]:
    """What is tested first from a point on; a single job never asks, and nothing is computed."""
    parts = following()
    if parts.swept_one:
        parts = parts.divided()
    if not parts.high.ended:
        yield parts.without_high()
    if not parts.low.ended:
        yield parts.without_low()
