"""One-by-one sweeps whose steps grow while deltas can go, and shrink when they cannot."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple

from stripe.dd.outcomes import Configuration, TestFunction
from stripe.dd.result import Result
from stripe.dd.search import Search, minimise
from stripe.dd.tester import Tester


def sweep[D: Hashable](
    deltas: Iterable[D],
    test: Tester[D] | TestFunction[D],
    *,
    forwards: bool = False,
    sparse: bool = False,
    check: bool = True,
    certify: bool = True,
) -> Result[D]:
    """Leave out deltas from one end to the other, then certify.

    A run of r deltas that can go takes about 2 log2(r) tests, and a delta that cannot takes one:
    few tests when the answer is a large part of the universe, or lies together.

    With ``sparse`` it is generalised binary splitting (Hwang, JASA 1972): the first step is a half,
    and later ones follow how far apart the deltas that stay were so far, about log2(r) + 2 tests
    for each of them: few tests when little stays.

    Args:
        deltas: the universe, in order, each delta once. All of them together fail.
        test: a tester, or a test function.
        forwards: from the first delta to the last. In a trace what comes last is needed by
            nobody else, so backwards leaves less to do again.
        sparse: begin with large steps.
        check: test the full and the empty configuration first: see ``minimise``.
        certify: test every single removal in the end.

    Raises:
        AxiomViolated: when the full configuration does not fail.
    """
    return minimise(
        deltas,
        test,
        lambda search: sweep_strategy(search, forwards=forwards, sparse=sparse),
        check=check,
        certify=certify,
    )


def sweep_strategy[D: Hashable](
    search: Search[D], *, forwards: bool = False, sparse: bool = False
) -> None:
    """Sweep once over the current configuration of ``search``, with the options of ``sweep``.

    Raises:
        BudgetExhausted: when no further test may be run.
    """
    gaps = Gaps(math.log2(len(search.current) + 1)) if sparse else None
    step = Step(search.current, 0, 1, None, forwards, gaps)
    if sparse and len(search.current) > 1:
        step = step.stays(len(search.current))  # that all can go is known not to be so
    while step.done < len(step.current):
        candidate = step.candidate()
        if not search.fails(candidate, likely(step)):
            if step.size == 1:
                search.tried.add(step.current[step.start])
            step = step.stays()
        elif len(search.current) == len(candidate):
            step = step.goes(candidate)
        else:  # closing took more than the piece
            left = set(search.current)
            done = sum(1 for delta in step.kept() if delta in left)
            step = Step(search.current, done, 1, None, forwards, step.gaps)


class Gaps(NamedTuple):
    """How far apart the deltas that stay were so far."""

    mean: float
    """Of their logarithms, each gap weighing half as much as the one after it. At first as if only
    one delta stayed."""
    since: int = 0
    """Deltas that went since the last one that stayed."""

    def went(self, count: int) -> Gaps:
        return Gaps(self.mean, self.since + count)

    def stayed(self) -> Gaps:
        return Gaps((self.mean + math.log2(self.since + 1)) / 2)

    def step(self) -> int:
        """How many deltas to leave out next, with about an even chance that they can go."""
        return max(1, round(2**self.mean))


class Step[D: Hashable](NamedTuple):
    """Where a sweep stands. It is a value, so that a sweep can be followed ahead of the tests."""

    current: Configuration[D]
    done: int
    """Deltas at the swept end that stay."""
    size: int
    """How many deltas to leave out next."""
    limit: int | None
    """The next ``limit`` deltas cannot go together: that was tested. None: not known."""
    forwards: bool
    gaps: Gaps | None = None

    def candidate(self) -> Configuration[D]:
        """What to test: all but the next ``size`` deltas."""
        return self.current[: self.start] + self.current[self.start + self.size :]

    @property
    def start(self) -> int:
        """Where the deltas begin that are left out next."""
        return self.done if self.forwards else len(self.current) - self.done - self.size

    @property
    def ended(self) -> bool:
        """Whether all has been swept."""
        return self.done >= len(self.current)

    def after(self, goes: bool) -> Step[D]:
        """The step that follows the answer about the candidate."""
        return self.goes(self.candidate()) if goes else self.stays()

    def kept(self) -> Configuration[D]:
        """The deltas at the swept end that stay."""
        if self.forwards:
            return self.current[: self.done]
        return self.current[len(self.current) - self.done :]

    def goes(self, rest: Configuration[D]) -> Step[D]:
        """The step that follows when the candidate, ``rest``, fails: the piece can go."""
        gaps = None if self.gaps is None else self.gaps.went(self.size)
        size = max(1, min(2 * self.size, len(rest) - self.done))
        following = Step(rest, self.done, size, None, self.forwards, gaps)
        return following if self.limit is None else following._bisect(self.limit - self.size)

    def stays(self, limit: int | None = None) -> Step[D]:
        """The step that follows when the candidate does not fail."""
        return self._bisect(limit or self.size)

    def untouched(self) -> int:
        """How many deltas at the other end this step and the next ones do not touch."""
        return len(self.current) - self.done - max(self.size, self.limit or 0)

    def first(self, count: int) -> Step[D]:
        """The first step over the first ``count`` deltas, of a sweep backwards."""
        size = count if self.gaps is None else min(count, self.gaps.step())
        return Step(self.current[:count], 0, size, None, False, self.gaps)

    def rest(self, count: int) -> Step[D]:
        """This step without the first ``count`` deltas, in a sweep backwards."""
        return self._replace(current=self.current[count:])

    def _bisect(self, limit: int) -> Step[D]:
        """Go on among the next ``limit`` deltas, which cannot go together."""
        if limit > 1:
            return Step(self.current, self.done, limit // 2, limit, self.forwards, self.gaps)
        # All around this delta has gone, so it is known that it cannot follow: the very
        # configuration without it was tested.
        if self.gaps is None:
            return Step(self.current, self.done + 1, 1, None, self.forwards)
        gaps = self.gaps.stayed()
        size = max(1, min(gaps.step(), len(self.current) - self.done - 1))
        return Step(self.current, self.done + 1, size, None, self.forwards, gaps)


def sparse_start[D: Hashable](deltas: Configuration[D]) -> Step[D]:
    """The first step over deltas of which few stay, perhaps none: all of them."""
    return Step(deltas, 0, len(deltas), None, False, Gaps(math.log2(len(deltas) + 1)))


def likely[D: Hashable](step: Step[D]) -> Iterator[Configuration[D]]:
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
