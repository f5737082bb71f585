"""What answers have in common: searches, their tests, and what these came to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Self

from stripe.dd import Outcome, Reason
from stripe.intervals import stretches
from stripe.results.model import Count, Model, Numbers
from stripe.results.wrong import WrongError, ascending, within


class Tests(Model):
    """How many tests there were, by what they came to.

    - ``cached``: answered without running anything
    - ``resumed``: of those executed, how many a search before had executed
    """

    executed: Count
    PASS: Count
    FAIL: Count
    UNRESOLVED: Count
    cached: Count
    resumed: Count

    @classmethod
    def counted(
        cls, outcomes: Mapping[Outcome, int], cached: int, resumed: int, **others: int
    ) -> Self:
        """Those of a search."""
        found = {outcome.name: outcomes.get(outcome, 0) for outcome in Outcome} | others
        return cls(executed=sum(outcomes.values()), cached=cached, resumed=resumed, **found)

    @property
    def outcomes(self) -> dict[Outcome, int]:
        """How many tests came to what; only outcomes with any."""
        return {each: count for each in Outcome if (count := getattr(self, each.name))}


class Test(Model):
    """A test of a log.

    - ``size``: how many deltas it kept
    - ``ranges``: those, as first, last + 1, first, last + 1, ...; null: the log had grown too large
    """

    __test__: ClassVar[bool] = False  # keeps pytest from taking it for a test class

    number: Count
    outcome: Outcome
    size: Count
    ranges: Numbers | None

    def kept(self) -> Iterable[range]:
        """The kept deltas, as ranges in ascending order."""
        return stretches(self.ranges or ())


class Searched:
    """What every answer of a search tells of it, from two members of its document."""

    __slots__ = ()

    counts: Tests
    stopped: Reason

    @property
    def tests(self) -> int:
        """How many different configurations were tested."""
        return self.counts.executed

    @property
    def outcomes(self) -> Mapping[Outcome, int]:
        """How many of them came to what; only outcomes with any."""
        return self.counts.outcomes

    @property
    def cached(self) -> int:
        """Questions answered without running anything."""
        return self.counts.cached

    @property
    def resumed(self) -> int:
        """Tests whose outcome came from a search before."""
        return self.counts.resumed

    @property
    def interrupted(self) -> bool:
        """Whether the user ended the search early."""
        return self.stopped is Reason.STOPPED


def check_tests(tests: Tests) -> None:
    """As many tests were run as came to anything.

    Raises:
        WrongError: which says where.
    """
    if tests.executed != sum(tests.outcomes.values()):
        raise WrongError("the sum of the outcomes", tests.executed, "tests", "executed")


def check_log(log: Sequence[Test], size: int) -> None:
    """Each test of the log kept as many deltas as it says, and all are there.

    Raises:
        WrongError: which says where.
    """
    for index, test in enumerate(log):
        path = ("log", index)
        within([test.size], size + 1, *path, "size", single=True)
        if test.ranges is not None:
            check_ranges(test.ranges, size, *path, "ranges")
            if counted(test.ranges) != test.size:
                raise WrongError("the number of events in ranges", test.size, *path, "size")


def check_ranges(ranges: Sequence[int], size: int, *path: int | str) -> None:
    """Stretches that do not touch, of numbers below ``size``.

    Raises:
        WrongError: which says where.
    """
    within(ranges, size + 1, *path)
    ascending(ranges, *path)
    if len(ranges) % 2:
        raise WrongError("an end for each range", ranges, *path)


def counted(ranges: Sequence[int]) -> int:
    """How many numbers are in stretches."""
    return sum(ranges[1::2]) - sum(ranges[::2])
