"""Two configurations, one inside the other, that a search moves towards each other."""

from bisect import bisect_left
from collections.abc import Callable, Hashable

from .outcomes import Configuration

__all__ = ["Gap"]


class Gap[D: Hashable]:
    """A lower configuration inside an upper one; the difference lies in between.

    Args:
        position: where a delta stands in the universe.
        lower: the inner configuration.
        upper: the outer configuration.
    """

    def __init__(
        self, position: Callable[[D], int], lower: Configuration[D], upper: Configuration[D]
    ) -> None:
        self.lower = lower
        self.upper = upper
        self._position = position

    def moved(
        self, lower: Configuration[D] | None = None, upper: Configuration[D] | None = None
    ) -> "Gap[D]":
        """Return the gap with one side replaced, or both."""
        return Gap(
            self._position,
            self.lower if lower is None else lower,
            self.upper if upper is None else upper,
        )

    def difference(self) -> Configuration[D]:
        """Return the deltas of `upper` that are not in `lower`."""
        below = set(self.lower)
        return tuple(delta for delta in self.upper if delta not in below)

    def lower_with(self, piece: Configuration[D]) -> Configuration[D]:
        """Return `lower` and a piece of the difference."""
        lower, upper = self._spans(piece)
        between = self.upper[upper]
        if len(between) != len(piece) + len(self.lower[lower]):
            return tuple(sorted((*self.lower, *piece), key=self._position))
        return self.lower[: lower.start] + between + self.lower[lower.stop :]

    def upper_without(self, piece: Configuration[D]) -> Configuration[D]:
        """Return `upper` without a piece of the difference."""
        lower, upper = self._spans(piece)
        between = self.lower[lower]
        if len(between) != len(self.upper[upper]) - len(piece):
            gone = set(piece)
            return tuple(delta for delta in self.upper if delta not in gone)
        return self.upper[: upper.start] + between + self.upper[upper.stop :]

    def _spans(self, piece: Configuration[D]) -> tuple[slice, slice]:
        """Where `lower` and `upper` lie between the first and the last delta of `piece`.

        If the piece is contiguous in the difference, `upper` has just the piece and the deltas of
        `lower` there, so that whole spans can be exchanged: far less work than delta by delta.
        """
        first, last = self._position(piece[0]), self._position(piece[-1])
        spans = [
            slice(
                bisect_left(side, first, key=self._position),
                bisect_left(side, last + 1, key=self._position),
            )
            for side in (self.lower, self.upper)
        ]
        return spans[0], spans[1]
