"""What a test of a configuration can come to, and the types every search speaks."""

from __future__ import annotations

import enum
from collections.abc import Callable, Hashable


class Outcome(enum.Enum):
    """The three outcomes of a test (POSIX 1003.3; Zeller, ESEC/FSE 1999, section 3)."""

    PASS = "pass"
    """The behaviour under study does not occur."""
    FAIL = "fail"
    """The behaviour under study occurs: it is reproduced."""
    UNRESOLVED = "unresolved"
    """The test gives no answer: the run broke in another way."""


type Configuration[D: Hashable] = tuple[D, ...]
"""A set of deltas, as a tuple in the order of the universe, each delta at most once."""

type TestFunction[D: Hashable] = Callable[[Configuration[D]], Outcome]
"""Runs one configuration and says what came of it."""
