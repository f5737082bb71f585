"""What the JSON forms of results have in common: searches, their tests, and what these came to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from stripe.dd import Outcome, Reason
from stripe.documents.forms import (
    WrongError,
    ascending,
    describe,
    integer,
    integers,
    nullable,
    number,
    one_of,
    text,
    within,
)
from stripe.errors import UsageError

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


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of results in JSON: how they say that they are one, and what else is refused.

    - ``name``, ``version``: what a document of this kind says of itself
    - ``oldest``: the first version that is still read, if not this one
    - ``maker``: whose results these are; ``make_one``: how to get one; ``again``: how to get one
      of this version
    """

    name: str
    version: int
    maker: str
    make_one: str
    again: str
    oldest: int | None = None

    def require(self, data: Any, where: str, *forms: Callable[[Any], None]) -> None:
        """Raise UsageError ``not-a-result`` or ``result-version`` unless it has all the forms.

        ``where`` is what errors call the document.
        """
        if not isinstance(data, dict) or data.get("format") != self.name:
            self.refuse(where, f'it does not say "format": "{self.name}"')
        version = data.get("version")
        oldest = self.version if self.oldest is None else self.oldest
        if type(version) is not int or not oldest <= version <= self.version:
            raise UsageError(
                "result-version",
                f"{where} has version {describe(version)} of the result format; this is "
                f"version {self.version}.",
                self.again,
            )
        try:
            for form in forms:
                form(data)
        except WrongError as error:
            self.refuse(where, f"{error}")

    def refuse(self, where: str, why: str) -> NoReturn:
        """Raise UsageError ``not-a-result``."""
        message = f"{where} is no result of {self.maker}: {why}."
        raise UsageError("not-a-result", message, self.make_one)


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
