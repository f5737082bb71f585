"""General delta debugging: what makes the difference between passing and failing."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Literal, Protocol

from stripe.dd.bracket import Bracket
from stripe.dd.budget import BudgetExhausted, Reason
from stripe.dd.outcomes import Configuration, Outcome, TestFunction
from stripe.dd.result import Result
from stripe.dd.search import AxiomViolated, Search, as_tester, take_for_granted, universe
from stripe.dd.splits import Split, larger_first
from stripe.dd.tester import Tester

type Mode = Literal["-", "+", "+-"]


class Narrator[D: Hashable](Protocol):
    """Hears how ``dd`` goes on, round by round, in the words of the Debugging Book."""

    def round(self, passing: Configuration[D], failing: Configuration[D], n: int, /) -> None:
        """A round begins: the pieces will be about an n-th of the difference."""
        ...

    def verdict(self, words: str, /) -> None:
        """What a round has come to."""
        ...


def dd[D: Hashable](
    deltas: Iterable[D],
    test: Tester[D] | TestFunction[D],
    *,
    mode: Mode = "+-",
    split: Split[D] = larger_first,
    check: bool = True,
    certify: bool = True,
    narrator: Narrator[D] | None = None,
) -> Result[D]:
    """Bring a passing and a failing configuration as close together as possible.

    Starts with nothing (passes) and everything (fails), and grows the passing, shrinks the
    failing one, or both (Zeller & Hildebrandt, TSE 2002, section 5; in this order of tests
    ``DeltaDebugger.dd`` of the Debugging Book, "Reducing Failure-Inducing Inputs").

    Args:
        deltas: the universe, in order, each delta once.
        test: a tester, or a test function.
        mode: "-" shrinks the failing configuration, as ddmin does; "+" grows the passing one; "+-"
            does both and so isolates a difference with the fewest tests.
        split: how to cut the difference.
        check: test the empty configuration first, then the full one: see ``minimise``.
        certify: ask for every delta of the difference alone in the end. After a full search with
            a cache all of these outcomes are known and nothing is run.
        narrator: is told about every round.

    Returns:
        The failing configuration, the passing one and their ``difference``. It is certified when no
        delta of the difference alone, left out of the failing one (modes with "-"), still fails,
        or added to the passing one (modes with "+"), still passes; ``certificate`` and
        ``additions`` hold these outcomes. If the empty configuration fails, it is the answer, and
        the full one is not tested.

    Raises:
        AxiomViolated: when the full configuration does not fail.
        ValueError: for an unknown mode, or when a delta occurs twice.
    """
    if mode not in ("-", "+", "+-"):
        raise ValueError(f"the mode must be -, + or +-: {mode!r}")
    tester = as_tester(test)
    search = _Difference(tester, universe(deltas), shrinks="-" in mode, grows="+" in mode)
    reason, certified, checked = Reason.FINISHED, False, False
    try:
        nothing = _empty_fails(search, check=check)
        checked = check
        if nothing:
            search.move((), failing=())
        else:
            _narrow(search, split, narrator)
        search.close()
        if certify:
            certified = search.prove()
    except BudgetExhausted as exhausted:
        reason = exhausted.reason
    finally:
        tester.cancel_ahead()
    return replace(
        search.result(),
        certified=certified,
        checked=checked,
        reason=reason,
        statistics=tester.statistics,
    )


def ddmax[D: Hashable](
    deltas: Iterable[D], test: Tester[D] | TestFunction[D], *, check: bool = True
) -> Result[D]:
    """Find a maximal passing configuration: ``dd`` in mode "+".

    No single delta can be added to ``passing`` so that it still passes; ``additions`` proves it,
    and ``difference`` is what had to stay out.
    """
    return dd(deltas, test, mode="+", check=check)


def dd_strategy[D: Hashable](search: Search[D]) -> None:
    """Reduce the current configuration of ``search`` by ``dd`` in mode "-".

    Raises:
        BudgetExhausted: when no further test may be run; ``search`` then has the best so far.
    """
    narrowing = _Difference(search.tester, search.current, shrinks=True, grows=False)
    try:
        _narrow(narrowing, larger_first)
    finally:
        search.current = narrowing.bracket.upper


class _Difference[D: Hashable]:
    """A passing configuration inside a failing one, on their way to each other."""

    def __init__(
        self, tester: Tester[D], deltas: Configuration[D], *, shrinks: bool, grows: bool
    ) -> None:
        self.tester = tester
        self.shrinks = shrinks
        self.grows = grows
        position = {delta: index for index, delta in enumerate(deltas)}.__getitem__
        self.bracket: Bracket[D] = Bracket(position, (), deltas)
        self.difference = deltas
        self._removals: dict[D, Outcome] = {}
        self._additions: dict[D, Outcome] = {}

    def outcome(
        self,
        configuration: Configuration[D],
        ahead: Iterable[Configuration[D]] = (),
        *,
        own: bool = False,
    ) -> Outcome:
        return self.tester.test(configuration, ahead, own=own)

    def move(
        self,
        difference: Configuration[D],
        *,
        passing: Configuration[D] | None = None,
        failing: Configuration[D] | None = None,
    ) -> None:
        """Replace one side, or both; ``difference`` is what then lies in between."""
        self.bracket = self.bracket.moved(lower=passing, upper=failing)
        self.difference = difference

    def without(self, piece: Configuration[D]) -> Configuration[D]:
        """The difference without one of its pieces."""
        return self.bracket.moved(lower=(), upper=self.difference).upper_without(piece)

    def close(self) -> None:
        """Go on with what was really run."""
        if self.tester.closes:
            self.bracket = self.bracket.moved(
                lower=self.tester.closed(self.bracket.lower),
                upper=self.tester.closed(self.bracket.upper),
            )
            self.difference = self.bracket.difference()

    def prove(self) -> bool:
        """Test every delta of the difference alone; return whether each of them is needed."""
        for delta in self.difference:
            if self.shrinks:
                without = self.bracket.upper_without((delta,))
                # What closing puts back cannot be left out.
                if delta not in self.tester.closed(without):
                    self._removals[delta] = self.outcome(without, own=True)
            if self.grows:
                self._additions[delta] = self.outcome(self.bracket.lower_with((delta,)), own=True)
        return (
            Outcome.FAIL not in self._removals.values()
            and Outcome.PASS not in self._additions.values()
        )

    def result(self) -> Result[D]:
        return Result(
            configuration=self.bracket.upper,
            passing=self.bracket.lower,
            certificate=self._removals,
            additions=self._additions,
        )


def _empty_fails[D: Hashable](search: _Difference[D], *, check: bool) -> bool:
    """See to what the search starts from; return whether the empty configuration fails."""
    full = search.bracket.upper
    if not check:
        take_for_granted(search.tester, full)
    if search.outcome(()) is Outcome.FAIL:
        return True
    outcome = search.outcome(full)
    if outcome is not Outcome.FAIL:
        raise AxiomViolated(outcome)
    return False


def _narrow[D: Hashable](
    search: _Difference[D], split: Split[D], narrator: Narrator[D] | None = None
) -> None:
    """Narrow the difference until no piece of the finest split moves either side."""
    n = 2
    first = 0  # the piece to begin with: the one that moved something last
    while True:
        if narrator is not None:
            narrator.round(search.bracket.lower, search.bracket.upper, n)
        if len(search.difference) < n:
            return
        pieces = split(search.difference, n)
        turn = [(first + i) % n for i in range(n)]
        for number, index in enumerate(turn):
            later = (pieces[i] for i in turn[number + 1 :])
            words = _move(search, pieces[index], n, later)
            if words is not None:
                n, first = max(n - 1, 2), index
                if narrator is not None:
                    narrator.verdict(words)
                break
        else:
            if narrator is not None:
                narrator.verdict("No reduction found")
            if n >= len(search.difference):
                return
            if narrator is not None:
                narrator.verdict("Increase granularity")
            n = min(2 * n, len(search.difference))


def _move[D: Hashable](
    search: _Difference[D], piece: Configuration[D], n: int, later: Iterable[Configuration[D]]
) -> str | None:
    """Try to move one side by one piece; return which and how, or None if neither moved."""
    bracket = search.bracket
    ahead = _likely(search, n, piece, later)
    added = bracket.lower_with(piece) if search.grows or n == 2 else ()
    removed = bracket.upper_without(piece) if search.shrinks or n == 2 else ()
    if search.shrinks and n == 2 and search.outcome(added, ahead) is Outcome.FAIL:
        search.move(piece, failing=added)
        return "Reduce to subset"
    if search.grows and n == 2 and search.outcome(removed, ahead) is Outcome.PASS:
        search.move(piece, passing=removed)
        return "Increase to subset"
    if search.shrinks and search.outcome(removed, ahead) is Outcome.FAIL:
        search.move(search.without(piece), failing=removed)
        return "Reduce to complement"
    if search.grows and search.outcome(added, ahead) is Outcome.PASS:
        search.move(search.without(piece), passing=added)
        return "Increase to complement"
    return None


def _likely[D: Hashable](
    search: _Difference[D], n: int, piece: Configuration[D], later: Iterable[Configuration[D]]
) -> Iterator[Configuration[D]]:
    """What will be tested if no piece moves anything; what is known already costs nothing."""
    for other in chain((piece,), later):
        if search.shrinks or n == 2:
            yield search.bracket.upper_without(other)
        if search.grows or n == 2:
            yield search.bracket.lower_with(other)
