"""What the probabilistic and the counter-based search share: drawing deltas to leave out."""

import heapq
from bisect import bisect_left
from collections.abc import Callable, Container, Hashable, Iterator

from .outcomes import Configuration
from .search import Search

__all__ = ["Draw", "Urn", "draw_until_settled"]

type Draw = list[tuple[float, int]]
"""Weights and positions of the deltas to leave out together, in the order drawn."""


class Urn:
    """Undecided deltas by weight, the lightest first; among equals the first in the universe."""

    def __init__(self, count: int, weight: float) -> None:
        self._heap = [(weight, position) for position in range(count)]

    def __bool__(self) -> bool:
        return bool(self._heap)

    def draw(self, joins: Callable[[float, Draw], bool]) -> Draw:
        """Take deltas out, at least one, while `joins(next weight, drawn so far)` says so."""
        drawn = [heapq.heappop(self._heap)]
        while self._heap and joins(self._heap[0][0], drawn):
            drawn.append(heapq.heappop(self._heap))
        return drawn

    def put_back(self, weight: float, position: int) -> None:
        """Put in a delta that is still undecided."""
        heapq.heappush(self._heap, (weight, position))

    def lightest(self, count: int) -> Draw:
        """Return the next `count` deltas without taking them out."""
        return heapq.nsmallest(count, self._heap)

    def keep_only(self, positions: Container[int]) -> None:
        """Forget the deltas that are not at one of `positions`."""
        self._heap = [item for item in self._heap if item[1] in positions]
        heapq.heapify(self._heap)


def draw_until_settled[D: Hashable](
    search: Search[D],
    urn: Urn,
    joins: Callable[[float, Draw], bool],
    put_back: Callable[[Draw], None],
) -> None:
    """Leave out draw after draw until every delta has gone or is known to be needed.

    Args:
        search: what is reduced.
        urn: all deltas of `search.current`, by position.
        joins: whether the next delta, of that weight, joins what is drawn so far.
        put_back: called with a draw that could not go: gives its deltas new weights.

    Raises:
        BudgetExhausted: when no further test may be run.
    """
    deltas = search.current
    there = list(range(len(deltas)))  # the positions that are left
    went = True  # whether the draw before could go
    while urn:
        drawn = urn.draw(joins)
        places = _places(there, drawn)
        candidate = _without(search.current, places)
        went = search.fails(candidate, _next_draw(search.current, there, urn, places, likely=went))
        if not went:
            put_back(drawn)
        elif len(search.current) == len(candidate):
            for place in reversed(places):
                del there[place]
        else:  # closing took more than the draw
            left = set(search.current)
            there = [position for position in there if deltas[position] in left]
            urn.keep_only(set(there))


def _places(there: list[int], drawn: Draw) -> list[int]:
    """Return where what is drawn stands among the positions that are left, in order."""
    return sorted(bisect_left(there, position) for _, position in drawn)


def _without[D: Hashable](current: Configuration[D], places: list[int]) -> Configuration[D]:
    """Leave out the deltas at `places`, which are in order."""
    first, last = places[0], places[-1]
    if last - first + 1 == len(places):
        return current[:first] + current[last + 1 :]
    left: list[D] = []
    start = 0
    for place in places:
        left += current[start:place]
        start = place + 1
    left += current[start:]
    return tuple(left)


def _next_draw[D: Hashable](
    current: Configuration[D], there: list[int], urn: Urn, places: list[int], *, likely: bool
) -> Iterator[Configuration[D]]:
    """The draw that follows, roughly, if this one can go and if it cannot; the likely one first."""
    following = _places(there, urn.lightest(len(places)))
    if following:
        if_gone = _without(current, sorted(places + following))
        if_kept = _without(current, following)
        yield from (if_gone, if_kept) if likely else (if_kept, if_gone)
