"""Leaving out the deltas of least weight, as the probabilistic and the counter-based search do."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Container, Hashable, Iterator, Sequence

from stripe.dd.outcomes import Configuration
from stripe.dd.search import Search

type Draw = list[tuple[float, list[int]]]
"""What is left out together: positions of deltas, in order, by their weight, the lightest first."""


class Urn:
    """Undecided deltas by weight, the lightest first; among equals the first in the universe.

    Deltas share few weights, so they are kept by weight: a draw costs a slice for each.
    """

    def __init__(self, count: int, weight: float) -> None:
        self._positions = {weight: list(range(count))} if count else {}
        self._weights = list(self._positions)  # in order

    def __bool__(self) -> bool:
        return bool(self._weights)

    def draw(self, room: Callable[[float, int], int]) -> Draw:
        """Take deltas out, at least one.

        Args:
            room: how many deltas of a weight may join a number of lighter ones.
        """
        drawn: Draw = []
        count = 0
        while self._weights:
            weight = self._weights[0]
            more = max(room(weight, count), 0 if drawn else 1)
            if not more:
                break
            there = self._positions[weight]
            drawn.append((weight, there[:more]))
            count += len(drawn[-1][1])
            if more < len(there):
                del there[:more]
                break
            del self._positions[weight], self._weights[0]
        return drawn

    def put_back(self, weight: float, positions: list[int]) -> None:
        """Put in deltas that are still undecided; their positions are in order."""
        there = self._positions.setdefault(weight, [])
        if not there:
            insort(self._weights, weight)
        in_order = not there or there[-1] < positions[0]
        there += positions
        if not in_order:
            there.sort()

    def lightest(self, count: int) -> Draw:
        """The next ``count`` deltas, which stay in."""
        found: Draw = []
        for weight in self._weights:
            if count <= 0:
                break
            found.append((weight, self._positions[weight][:count]))
            count -= len(found[-1][1])
        return found

    def keep_only(self, positions: Container[int]) -> None:
        """Forget the deltas that are not at one of ``positions``."""
        kept = {
            weight: [position for position in there if position in positions]
            for weight, there in self._positions.items()
        }
        self._positions = {weight: there for weight, there in kept.items() if there}
        self._weights = sorted(self._positions)


def draw_until_settled[D: Hashable](
    search: Search[D],
    urn: Urn,
    room: Callable[[float, int], int],
    put_back: Callable[[Draw], None],
) -> None:
    """Leave out draw after draw until every delta has gone or is known to be needed.

    Args:
        search: what is reduced.
        urn: all deltas of ``search.current``, by position.
        room: how many deltas of a weight may join a number of lighter ones in a draw.
        put_back: called with a draw that could not go: gives its deltas new weights.

    Raises:
        BudgetExhausted: when no further test may be run.
    """
    deltas = search.current
    there: Sequence[int] = range(len(deltas))  # the positions that are left
    went = True  # whether the draw before could go
    while urn:
        drawn = urn.draw(room)
        places = _places(there, drawn)
        candidate = _without(search.current, places)
        went = search.fails(candidate, _next_draw(search.current, there, urn, places, likely=went))
        if not went:
            put_back(drawn)
        elif len(search.current) == len(candidate):
            there = _without(there, places)
        else:  # closing took more than the draw
            left = set(search.current)
            there = [position for position in there if deltas[position] in left]
            urn.keep_only(set(there))


def _places(there: Sequence[int], drawn: Draw) -> Sequence[int]:
    """Where what is drawn stands among the positions that are left, in order."""
    places: list[int] = []
    for _, positions in drawn:
        first = bisect_left(there, positions[0])
        last = first + len(positions) - 1
        if last < len(there) and there[last] == positions[-1]:  # they stand in a row
            places += range(first, last + 1)
        else:
            places += [bisect_left(there, position, first) for position in positions]
    if len(drawn) > 1:
        places.sort()
    return places


def _without[T](row: Sequence[T], places: Sequence[int]) -> tuple[T, ...]:
    """Leave out what stands at ``places``, which are in order."""
    left: list[T] = []
    start = 0
    for place in places:
        if start < place:
            left += row[start:place]
        start = place + 1
    left += row[start:]
    return tuple(left)


def _next_draw[D: Hashable](
    current: Configuration[D],
    there: Sequence[int],
    urn: Urn,
    places: Sequence[int],
    *,
    likely: bool,
) -> Iterator[Configuration[D]]:
    """The draw that follows, roughly, if this one can go and if it cannot; the likely one first."""
    following = _places(there, urn.lightest(len(places)))
    if following:
        if_gone = _without(current, sorted((*places, *following)))
        if_kept = _without(current, following)
        yield from (if_gone, if_kept) if likely else (if_kept, if_gone)
