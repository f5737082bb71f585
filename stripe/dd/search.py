"""What all searches for a smaller failing configuration share."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations, islice
from operator import lt
from typing import Any, cast

from stripe.dd.budget import BudgetExhausted, Reason
from stripe.dd.certify import Certificate, Drop, prove
from stripe.dd.outcomes import Configuration, Outcome, TestFunction
from stripe.dd.result import Result
from stripe.dd.tester import Tester
from stripe.index_set import IndexSet, common, like, packed, without_one


class AxiomViolated(ValueError):
    """The configuration with all deltas does not fail: there is nothing to reduce."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(
            f"the full configuration does not fail: its outcome is {outcome.name.lower()}. There "
            "is nothing to reduce. A test answers Outcome.FAIL, or True, where the failure that is "
            "looked for is there."
        )
        self.outcome = outcome


class Search[D: Hashable]:
    """A failing configuration on its way down.

    Attributes:
        tester: answers the questions.
        current: the smallest failing configuration found so far. It fails once closed; a delta
            that only closing would put back has left it already.
        tried: deltas of ``current`` of which a strategy knows that it does not fail without them.
    """

    def __init__(self, tester: Tester[D], deltas: Configuration[D]) -> None:
        self.tester = tester
        self.current = deltas
        self.tried: set[D] = set()

    def fails(self, candidate: Configuration[D], ahead: Iterable[Configuration[D]] = ()) -> bool:
        """Test a part of ``current``; when it fails, it becomes ``current``.

        With closing, deltas of the candidate that closing removes leave ``current`` as well.

        Raises:
            BudgetExhausted: when no further test may be run.
        """
        if self.tester.test(candidate, ahead) is not Outcome.FAIL:
            return False
        self.tried.clear()
        self.current = self.left(candidate)
        return True

    def left(self, candidate: Configuration[D]) -> Configuration[D]:
        """What ``current`` becomes when a candidate fails."""
        if self.tester.closes:
            closed = self.tester.closed(candidate)
            if len(closed) < len(candidate):
                return common(candidate, closed)
        return candidate


def universe[D: Hashable](deltas: Iterable[D]) -> Configuration[D]:
    """All deltas as a configuration.

    Raises:
        ValueError: when a delta occurs twice.
    """
    if isinstance(deltas, IndexSet | range) and (len(deltas) < 2 or deltas[0] < deltas[1]):
        return cast("Configuration[D]", packed(deltas))  # they ascend
    configuration = tuple(deltas)
    if not _ascend(configuration) and len(set(configuration)) < len(configuration):
        raise ValueError("the deltas must differ from each other")
    return configuration


def _ascend(deltas: Configuration[Any]) -> bool:
    """Whether they are numbers each of which is larger than the one before.

    Then no two are equal: of millions, a set would take more memory than anything else.
    """
    return {*map(type, deltas)} == {int} and all(map(lt, deltas, islice(deltas, 1, None)))


def as_tester[D: Hashable](test: Tester[D] | TestFunction[D]) -> Tester[D]:
    """``test`` as a tester: itself, or a plain one around a test function."""
    return test if isinstance(test, Tester) else Tester(test)


def minimise[D: Hashable](
    deltas: Iterable[D],
    test: Tester[D] | TestFunction[D],
    strategy: Callable[[Search[D]], None],
    *,
    check: bool = True,
    certify: bool = True,
    drop: Drop[D] = without_one,
) -> Result[D]:
    """Run a strategy that makes a failing configuration smaller, then certify its answer.

    Args:
        deltas: the universe, in order, each delta once.
        test: a tester, or a test function.
        strategy: asks ``search.fails`` until it knows no smaller configuration.
        check: test the full and the empty configuration first. Without, it is taken for granted
            that the one fails and the other passes, unless the tester knows better: for callers
            that have seen to it.
        certify: test every single removal from the answer in the end.
        drop: how the certificate leaves out a single delta, if others go with it.

    Returns:
        The smallest failing configuration found: the empty one if that fails.

    Raises:
        AxiomViolated: when the full configuration does not fail.
        ValueError: when a delta occurs twice.
    """
    tester = as_tester(test)
    search = Search(tester, universe(deltas))
    certificate: Certificate[D] | None = None
    reason = Reason.FINISHED
    checked = False
    try:
        nothing = _empty_fails(search, check=check)
        checked = check
        if nothing:
            search.current = ()
        else:
            strategy(search)
        certificate = Certificate(tester.closed(search.current))
        if certify:
            prove(certificate, tester, drop)
    except BudgetExhausted as exhausted:
        reason = exhausted.reason
    finally:
        tester.cancel_ahead()
    if certificate is None:
        certificate = Certificate(tester.closed(search.current))
    answer = certificate.configuration
    tried = certificate.required.union(certificate.outcomes)
    if len(answer) == len(tester.closed(search.current)):  # the proof has left nothing out
        tried |= search.tried
    return Result(
        configuration=answer,
        certificate=certificate.outcomes,
        certified=certificate.complete,
        required=like(answer, filter(certificate.required.__contains__, answer)),
        checked=checked,
        tried=like(answer, filter(tried.__contains__, answer)),
        statistics=tester.statistics,
        reason=reason,
    )


def _empty_fails[D: Hashable](search: Search[D], *, check: bool) -> bool:
    """See to what every search starts from; return whether the empty configuration fails."""
    tester, full = search.tester, search.current
    if not check:
        take_for_granted(tester, full)
        return tester.known(()) is Outcome.FAIL
    outcome = tester.test(full, chain(((),), _halves(full)))
    if outcome is not Outcome.FAIL:
        raise AxiomViolated(outcome)
    return tester.test((), _halves(full)) is Outcome.FAIL


def take_for_granted[D: Hashable](tester: Tester[D], full: Configuration[D]) -> None:
    """Have the empty configuration pass and the full one fail, if no test has said otherwise.

    Raises:
        AxiomViolated: when the full one is known not to fail.
    """
    if tester.known(()) is None:
        tester.assume((), Outcome.PASS)
    tester.assume(full, Outcome.FAIL)
    outcome = tester.known(full)
    if outcome is not None and outcome is not Outcome.FAIL:
        raise AxiomViolated(outcome)


def _halves[D: Hashable](deltas: Configuration[D]) -> Iterator[Configuration[D]]:
    """What most searches ask for first."""
    middle = len(deltas) // 2
    yield deltas[:middle]
    yield deltas[middle:]


def certify[D: Hashable](
    configuration: Sequence[D],
    test: Tester[D] | TestFunction[D],
    *,
    check: bool = True,
    n: int = 1,
) -> Result[D]:
    """Prove a failing configuration n-minimal, or shrink it until it is.

    Tests each single removal (closed); one that still fails is taken, until none does. Then those
    of two deltas, and so on up to ``n`` (Zeller & Hildebrandt 2002): of k, there are
    k(k - 1)/2 pairs.

    Args:
        configuration: what fails, each delta once.
        test: a tester, or a test function.
        check: test the empty configuration and all of ``configuration`` first: see ``minimise``.
        n: how many deltas are left out together at most.

    Returns:
        What is left. It is ``certified`` if no ``n`` deltas of it, or fewer, can go.

    Raises:
        AxiomViolated: when ``configuration`` does not fail.
        ValueError: when a delta occurs twice.
    """
    tester = as_tester(test)
    result = minimise(configuration, tester, lambda search: None, check=check)
    try:
        while result.certified and (rest := _without_some(result, tester, n)) is not None:
            result = minimise(rest, tester, lambda search: None, check=False)
    except BudgetExhausted as exhausted:
        result = replace(result, certified=False, reason=exhausted.reason)
    return replace(result, statistics=tester.statistics)


def _without_some[D: Hashable](
    result: Result[D], tester: Tester[D], n: int
) -> Configuration[D] | None:
    """What still fails without two deltas of a 1-minimal configuration, or more, up to ``n``."""
    found = result.configuration
    for count in range(2, min(n, len(found)) + 1):
        for gone in combinations(found, count):
            rest = tester.closed(like(found, (each for each in found if each not in gone)))
            if len(rest) < len(found) and tester.test(rest, own=True) is Outcome.FAIL:
                return rest
    return None
