"""What a test of a configuration can come to, and the types every search speaks."""

from __future__ import annotations

import enum
from collections.abc import Callable, Hashable


class Outcome(enum.Enum):
    """The three outcomes of a test (POSIX 1003.3; Zeller, ESEC/FSE 1999, section 3)."""

    PASS = "PASS"
    """The behaviour under study does not occur."""
    FAIL = "FAIL"
    """The behaviour under study occurs: it is reproduced."""
    UNRESOLVED = "UNRESOLVED"
    """The test gives no answer: the run broke in another way."""


type Configuration[D: Hashable] = tuple[D, ...]
"""A set of deltas, as a tuple in the order of the universe, each delta at most once.

Of many ascending numbers, it is what :mod:`stripe.index_set` has in the place of one."""

type TestFunction[D: Hashable] = Callable[[Configuration[D]], Outcome | bool]
"""Runs one configuration and says what came of it: True is FAIL, False is PASS."""


def as_outcome(answer: object) -> Outcome:
    """What a test function answered, as an outcome.

    Raises:
        TypeError: when it is neither an outcome nor a bool.
    """
    if isinstance(answer, Outcome):
        return answer
    if isinstance(answer, bool):
        return Outcome.FAIL if answer else Outcome.PASS
    raise TypeError(
        f"the test function returned {answer!r:.80}, which says nothing about the configuration. "
        "Return True where the failure is there and False where it is not; or Outcome.FAIL, "
        "Outcome.PASS, and Outcome.UNRESOLVED where the run tells neither."
    )
