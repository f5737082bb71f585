"""What the JSON forms of results have in common: searches, their tests, and what these came to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stripe.dd import Outcome, Reason
from stripe.documents.forms import (
    WrongError,
    ascending,
    integer,
    integers,
    nullable,
    number,
    one_of,
    text,
    within,
)

LONGEST_NAME = 10_000
"""Characters of what reports show in one line: kinds of statements, functions."""

LONGEST_NOTE = 100_000
"""Characters of notes and checks; notes are broken into lines, which takes long for long words."""

NAME = text(LONGEST_NAME)
NOTE = text(LONGEST_NOTE)
COUNT = integer()
SECONDS = number()
OUTCOME = one_of(*(each.name for each in Outcome))
STOPPED = one_of(*(each.value for each in Reason))

TESTS_RUN = {
    "executed": COUNT,
    **{outcome.name: COUNT for outcome in Outcome},
    "cached": COUNT,
    "resumed": COUNT,
}
"""How many tests there were."""

TEST = {"number": COUNT, "outcome": OUTCOME, "size": COUNT, "ranges": nullable(integers())}
"""A test of a log."""


def check_tests(tests: Mapping[str, Any]) -> None:
    """As many tests were run as came to anything.

    Raises:
        WrongError: which says where.
    """
    if tests["executed"] != sum(tests[outcome.name] for outcome in Outcome):
        raise WrongError("the sum of the outcomes", tests["executed"], "tests", "executed")


def check_test(entry: Mapping[str, Any], size: int) -> None:
    """A test of the log kept as many deltas as it says, and all are there.

    Raises:
        WrongError: which says where.
    """
    within([entry["size"]], size + 1, "size", single=True)
    ranges = entry["ranges"]
    if ranges is None:
        return
    check_ranges(ranges, size, "ranges")
    if sum(ranges[1::2]) - sum(ranges[::2]) != entry["size"]:
        raise WrongError("the number of events in ranges", entry["size"], "size")


def check_ranges(ranges: list[int], size: int, *path: int | str) -> None:
    """Stretches that do not touch, of numbers below ``size``.

    Raises:
        WrongError: which says where.
    """
    within(ranges, size + 1, *path)
    ascending(ranges, *path)
    if len(ranges) % 2:
        raise WrongError("an end for each range", ranges, *path)
