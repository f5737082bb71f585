"""Deltas that can only go together, such as a bracket and its counterpart."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain, combinations

from stripe.dd.outcomes import Configuration
from stripe.dd.search import Search
from stripe.dd.searches.ddmin import ddmin_strategy
from stripe.dd.splits import larger_first
from stripe.index_set import like

FEW = 8
"""Of so few deltas, every pair is tried."""


class WentTogether(Exception):
    """What could not go alone has gone with others: the test function is not monotone."""


class CoupledDeltas[D: Hashable](Search[D]):
    """A search that comes to doubt that what cannot go alone cannot go with others.

    Whoever leaves out piece after piece relies on it, and may: where what contains a failing
    configuration fails, it is so. But when as many tests in a row were in vain as a binary search
    among all deltas takes, the last piece is tried with its mirror image, for what belongs
    together is often nested, and with either neighbour, if it is a single delta. So again after
    twice as many. As long as deltas go that is hardly a test more; where none of n can, it is
    3 log2(n) at most.

    Args:
        whole: the search that is asked.
    """

    def __init__(self, whole: Search[D]) -> None:
        super().__init__(whole.tester, whole.current)
        self._whole = whole
        self._universe = whole.current
        self._reset()

    def fails(self, candidate: Configuration[D], ahead: Iterable[Configuration[D]] = ()) -> bool:
        """Test a part of ``current``; when it fails, it becomes ``current``.

        Raises:
            WentTogether: when it does not, but a part of it does.
            BudgetExhausted: when no further test may be run.
        """
        doubts = tuple(self._doubts(candidate)) if self._in_vain + 1 >= self._patience else ()
        if self._ask(candidate, chain(doubts, ahead)):
            self._reset()
            return True
        self._in_vain += 1
        if doubts:
            self._patience *= 2
            self._try(doubts)
        return False

    def conclude(self) -> None:
        """Doubt once more if nothing at all could go.

        Raises:
            WentTogether: when something can.
            BudgetExhausted: when no further test may be run.
        """
        if self.current == self._universe:
            self._try(tuple(self._doubts(self.current[1:])))

    def _reset(self) -> None:
        self._in_vain = 0
        self._patience = len(self._universe).bit_length() - 1

    def _ask(self, candidate: Configuration[D], ahead: Iterable[Configuration[D]] = ()) -> bool:
        fails = self._whole.fails(candidate, ahead)
        self.current = self._whole.current
        return fails

    def _try(self, doubts: Sequence[Configuration[D]]) -> None:
        """Raise WentTogether if one of them fails."""
        before = self.current
        for number, doubt in enumerate(doubts, start=1):
            if self._ask(doubt, doubts[number:]):
                left = set(doubt)
                gone = like(before, (delta for delta in before if delta not in left))
                if len(gone) < len(doubt):
                    self._ask(gone)  # perhaps it is all that is needed
                raise WentTogether

    def _doubts(self, candidate: Configuration[D]) -> Iterator[Configuration[D]]:
        """Leave out what ``candidate`` leaves out of ``current``, and more, but not all."""
        current, count = self.current, len(self.current)
        left = set(candidate)
        gone = [place for place, delta in enumerate(current) if delta not in left]
        if not gone:
            return
        first, last = gone[0], gone[-1]
        pieces = [{*gone, *(count - 1 - place for place in gone)}]
        if first == last:
            pieces += [{first - 1, first}, {first, first + 1}]
        for piece in pieces:
            left_in = (delta for place, delta in enumerate(current) if place not in piece)
            doubt = like(current, left_in)
            if 0 < len(doubt) < count - len(gone):
                yield doubt


def together_strategy[D: Hashable](search: Search[D]) -> None:
    """Reduce the current configuration of ``search`` where deltas go together.

    First by the same at both ends, then to ever smaller parts that fail by themselves, then as
    ddmin does, then pair by pair, if few are left.

    Raises:
        BudgetExhausted: when no further test may be run.
    """
    size = len(search.current) // 4
    while size:
        if 2 * size >= len(search.current) or not search.fails(search.current[size:-size]):
            size //= 2
    n = 2
    while n <= len(search.current):
        if any(map(search.fails, larger_first(search.current, n))):
            n = 2
        elif n == len(search.current):
            break
        else:
            n = min(2 * n, len(search.current))
    ddmin_strategy(search)
    while len(search.current) <= FEW and any(map(search.fails, _without_pairs(search.current))):
        ddmin_strategy(search)


def _without_pairs[D: Hashable](deltas: Configuration[D]) -> Iterator[Configuration[D]]:
    for pair in combinations(deltas, 2):
        yield tuple(delta for delta in deltas if delta not in pair)
