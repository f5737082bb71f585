"""dd+ of Zeller's "Yesterday, my program worked. Today, it does not. Why?" (ESEC/FSE 1999).

It tests parts of the changes on top of a base that grows by what is left aside elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import chain
from typing import NamedTuple

from stripe.dd.bracket import Bracket
from stripe.dd.outcomes import Configuration, Outcome, TestFunction
from stripe.dd.result import Result
from stripe.dd.search import Search, minimise
from stripe.dd.splits import larger_first
from stripe.dd.tester import Tester
from stripe.index_set import like


def dd_plus[D: Hashable](
    deltas: Iterable[D],
    test: Tester[D] | TestFunction[D],
    *,
    check: bool = True,
    certify: bool = True,
) -> Result[D]:
    """Find failure-inducing changes although many tests are unresolved (Algorithm 2, dd+).

    The cases, in this order: a part fails (found); a part and its complement both pass
    (interference); a part is unresolved and its complement passes (preference: go on in the part,
    the complement kept); else try again with what neither failing complements nor passing parts
    have settled, cut finer. A tester with ``predict`` answers what is known to be inconsistent
    without running it (section 5).

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
        TaskSearch(search).run(_partition, confirm=certify)

    return minimise(deltas, test, strategy, check=check, certify=certify)


class Task[D: Hashable](NamedTuple):
    """A part that holds changes to be found, on a base, and how fine to cut it.

    The bracket lies between the base alone and the base with the part.
    """

    part: Configuration[D]
    bracket: Bracket[D]
    n: int = 2


class TaskSearch[D: Hashable]:
    """Tasks to do, the last one first, and the changes found so far."""

    def __init__(self, search: Search[D]) -> None:
        self._search = search
        self._position = {delta: index for index, delta in enumerate(search.current)}.__getitem__
        self._found: set[D] = set()
        self.tasks = [Task(search.current, Bracket(self._position, (), search.current))]

    def outcome(
        self, configuration: Configuration[D], ahead: Iterable[Configuration[D]] = ()
    ) -> Outcome:
        """Test a set; the smallest that failed is what is left if the answer does not."""
        outcome = self._search.tester.test(configuration, ahead)
        if outcome is Outcome.FAIL and len(configuration) < len(self._search.current):
            self._search.current = configuration
        return outcome

    def record(self, part: Configuration[D]) -> None:
        """Count a part as found."""
        self._found.update(part)

    def run(self, step: Callable[[TaskSearch[D], Task[D]], None], *, confirm: bool) -> None:
        """Do ``step`` for each task; then what was found is the answer, if it fails.

        Without ``confirm`` it is the answer untested.
        """
        while self.tasks:
            step(self, self.tasks.pop())
        answer = like(self._search.current, sorted(self._found, key=self._position))
        if not confirm:
            self._search.current = answer
        elif len(answer) < len(self._search.current):
            self._search.fails(answer)


def _partition[D: Hashable](search: TaskSearch[D], task: Task[D]) -> None:
    """One step of Algorithm 2."""
    if len(task.part) < 2:
        search.record(task.part)
        return
    bracket = task.bracket
    pieces = larger_first(task.part, min(task.n, len(task.part)))
    alone: list[Outcome] = []
    for number, piece in enumerate(pieces):
        with_piece = bracket.lower_with(piece)
        alone.append(search.outcome(with_piece, map(bracket.lower_with, pieces[number + 1 :])))
        if alone[-1] is Outcome.FAIL:  # found
            search.tasks.append(Task(piece, bracket.moved(upper=with_piece)))
            return
    preferred: Task[D] | None = None
    rest: list[Configuration[D]] = []
    further = bracket
    for number, piece in enumerate(pieces):
        others = bracket.upper_without(piece)
        complement = search.outcome(others, map(bracket.upper_without, pieces[number + 1 :]))
        if complement is Outcome.PASS and alone[number] is Outcome.PASS:  # interference
            remaining = chain.from_iterable(other for other in pieces if other is not piece)
            base = bracket.moved(lower=bracket.lower_with(piece))
            search.tasks.append(Task(like(task.part, remaining), base))
            search.tasks.append(Task(piece, bracket.moved(lower=others)))
            return
        if complement is Outcome.PASS and preferred is None:
            preferred = Task(piece, bracket.moved(lower=others))
        # What passes joins the base and is not searched further: so says the text; the formula
        # for c' leaves out no more than the pieces with a failing complement.
        if alone[number] is Outcome.PASS:
            further = further.moved(lower=further.lower_with(piece))
        elif complement is Outcome.FAIL:
            further = further.moved(upper=further.upper_without(piece))
        else:
            rest.append(piece)
    left = like(task.part, chain.from_iterable(rest))
    if preferred is not None:  # preference
        search.tasks.append(preferred)
    elif left and task.n < len(task.part):  # try again
        search.tasks.append(Task(left, further, min(len(left), 2 * task.n)))
    else:  # nothing left
        search.record(left)
