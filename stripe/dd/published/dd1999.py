"""dd of Zeller's "Yesterday, my program worked. Today, it does not. Why?" (ESEC/FSE 1999)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from stripe.dd.outcomes import Outcome, TestFunction
from stripe.dd.result import Result
from stripe.dd.search import Search, minimise
from stripe.dd.searches.dd_plus import Task, TaskSearch
from stripe.dd.splits import larger_first
from stripe.dd.tester import Tester


def dd1999[D: Hashable](
    deltas: Iterable[D],
    test: Tester[D] | TestFunction[D],
    *,
    check: bool = True,
    certify: bool = True,
) -> Result[D]:
    """Find failure-inducing changes by halves (Algorithm 1, dd).

    If a half fails on the base, go on in it; else both are needed (interference): look in each
    with the other one kept. For test functions that are monotone, unambiguous and consistent the
    answer is minimal with at most 2 log2 n tests a change; the certificate makes it so for others.

    Args:
        deltas: the universe, in order, each delta once. All of them together fail.
        test: a tester, or a test function.
        check: test the full and the empty configuration first: see ``minimise``.
        certify: confirm the answer and test every single removal in the end. Without, the tests
            are the paper's alone, and the answer may never have been tested as a whole.

    Raises:
        AxiomViolated: when the full configuration does not fail.
    """

    def strategy(search: Search[D]) -> None:
        TaskSearch(search).run(_halve, confirm=certify)

    return minimise(deltas, test, strategy, check=check, certify=certify)


def _halve[D: Hashable](search: TaskSearch[D], task: Task[D]) -> None:
    """One step of Algorithm 1."""
    if len(task.part) < 2:
        search.record(task.part)
        return
    bracket = task.bracket
    first, second = larger_first(task.part, 2)
    with_first, with_second = bracket.lower_with(first), bracket.lower_with(second)
    if search.outcome(with_first, (with_second,)) is Outcome.FAIL:
        search.tasks.append(Task(first, bracket.moved(upper=with_first)))
    elif search.outcome(with_second) is Outcome.FAIL:
        search.tasks.append(Task(second, bracket.moved(upper=with_second)))
    else:
        search.tasks.append(Task(second, bracket.moved(lower=with_first)))
        search.tasks.append(Task(first, bracket.moved(lower=with_second)))
