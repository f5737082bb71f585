"""One-by-one sweeps whose steps grow while deltas can go, and shrink when they cannot."""

from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple

from .outcomes import Configuration, TestFunction
from .result import Result
from .search import Search, minimise
from .tester import Tester

__all__ = ["sweep", "sweep_strategy"]


def sweep[D: Hashable](
    deltas: Iterable[D],
    test: Tester[D] | TestFunction[D],
    *,
    forwards: bool = False,
    check: bool = False,
    certify: bool = True,
) -> Result[D]:
    """Leave out deltas from one end to the other, then certify.

    A run of r deltas that can go takes about 2 log2(r) tests, and a delta that cannot takes one:
    few tests when the answer is a large part of the universe, or lies together.

    Args:
        deltas: the universe, in order, each delta once. All of them together fail.
        test: a tester, or a test function.
        forwards: from the first delta to the last. In a trace what comes last is needed by
            nobody else, so backwards leaves less to do again.
        check: test the empty and the full configuration first. Otherwise they are axioms.
        certify: test every single removal in the end.

    Raises:
        AxiomViolated: when `check` finds that the full configuration does not fail.
    """
    return minimise(
        deltas,
        test,
        lambda search: sweep_strategy(search, forwards=forwards),
        check=check,
        certify=certify,
    )


def sweep_strategy[D: Hashable](search: Search[D], *, forwards: bool = False) -> None:
    """Sweep once over the current configuration of `search`.

    Raises:
        BudgetExhausted: when no further test may be run.
    """
    step = _Step(search.current, 0, 1, None, forwards)
    while step.done < len(step.current):
        candidate = step.candidate()
        if not search.fails(candidate, _likely(step)):
            step = step.stays()
        elif len(search.current) == len(candidate):
            step = step.goes(candidate)
        else:  # closing took more than the piece
            left = set(search.current)
            done = sum(1 for delta in step.kept() if delta in left)
            step = _Step(search.current, done, 1, None, forwards)


class _Step[D: Hashable](NamedTuple):
    """Where a sweep stands. It is a value, so that a sweep can be followed ahead of the tests."""

    current: Configuration[D]
    done: int
    """Deltas at the swept end that stay."""
    size: int
    """How many deltas to leave out next."""
    limit: int | None
    """The next `limit` deltas cannot go together: that was tested. None: not known."""
    forwards: bool

    def candidate(self) -> Configuration[D]:
        """What to test: all but the next `size` deltas."""
        start = self.done if self.forwards else len(self.current) - self.done - self.size
        return self.current[:start] + self.current[start + self.size :]

    def kept(self) -> Configuration[D]:
        """The deltas at the swept end that stay."""
        if self.forwards:
            return self.current[: self.done]
        return self.current[len(self.current) - self.done :]

    def goes(self, rest: Configuration[D]) -> "_Step[D]":
        """The step that follows when the candidate, `rest`, fails: the piece can go."""
        if self.limit is not None:
            return self._bisect(rest, self.limit - self.size)
        size = max(1, min(2 * self.size, len(rest) - self.done))
        return _Step(rest, self.done, size, None, self.forwards)

    def stays(self) -> "_Step[D]":
        """The step that follows when the candidate does not fail."""
        return self._bisect(self.current, self.size)

    def _bisect(self, current: Configuration[D], limit: int) -> "_Step[D]":
        """Go on among the next `limit` deltas, which cannot go together."""
        if limit > 1:
            return _Step(current, self.done, limit // 2, limit, self.forwards)
        # All around this delta has gone, so it is known that it cannot follow: the very
        # configuration without it was tested.
        return _Step(current, self.done + 1, 1, None, self.forwards)


def _likely[D: Hashable](step: _Step[D]) -> Iterator[Configuration[D]]:
    """What the sweep will probably test next: on each turn the likelier side, then the other."""
    while True:
        stays, goes = step.stays(), step.goes(step.candidate())
        # A run that has gone on for long goes on.
        turns = (goes, stays) if step.limit is None and step.size > 1 else (stays, goes)
        for following in turns:
            if following.done < len(following.current):
                yield following.candidate()
        step = turns[0]
        if step.done >= len(step.current):
            return
