"""What is run to see whether a change repairs it: a program, or tests of pytest or unittest.

Each face of tests (``pytests.py``, ``unittests.py``) collects them once, then hands them over; in
every forked child, those that are asked for are run, each told to ``Outcomes`` as it ends.  What
cannot be collected is told as well: it stands for tests that nobody knows yet.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from errno import EACCES, EPERM, EROFS
from typing import Any, NamedTuple, Protocol

from .verdicts import FAILED

LONGEST = 300
MOST_FRAMES = 50
MOST_TOLD = 3000
"""Characters at the end of why something cannot be collected."""

_ADDRESS = re.compile("0x[0-9a-fA-F]+")

ENDLESS = "importing it does not end"
"""What an error says of a file whose import is known not to end, and is not begun again."""


class Outcomes(Protocol):
    """Hears of tests, in a child."""

    def begin(self, number: int) -> None: ...
    def failed(self, error: BaseException | None) -> None:
        """The test that has begun fails by this, if it is known."""
        ...

    def end(self, number: int, outcome: str, seconds: float, why: str = "") -> bool:
        """Whether to go on; ``why``: what tells its failure from others, or what denied it."""
        ...


type Reach = Callable[[], None]


class Uncollected(NamedTuple):
    """What cannot be collected: its name, the file that it is, and why."""

    name: str
    file: str
    detail: str


class Tests(Protocol):
    """Tests that can be run by number; ``names`` and ``files`` are in the order of numbers.

    ``failed``: what could not be collected, by name.
    """

    names: list[str]
    files: list[str]
    failed: Mapping[str, Uncollected]

    def found(self, name: str) -> list[int]:
        """The tests that something consists of which could not be collected without a change."""
        ...

    def run(self, numbers: Sequence[int], outcomes: Outcomes, reach: Reach | None = None) -> None:
        """Run tests.

        ``reach`` is called when the function of the first one is about to be; a failure from there
        on is told, and ends the process.
        """
        ...


class Course(Protocol):
    """Hears how collecting goes on, and says of what."""

    def start(self) -> None:
        """Tests are about to be collected; this may be a child when it returns."""
        ...

    def enter(self, name: str, file: str) -> None:
        """A module of tests, or a folder, is about to be.

        Raises RuntimeError where that is known not to end.
        """
        ...

    def wanted(self, name: str) -> bool:
        """Whether a module of tests, or what else is collected, is asked for."""
        ...

    @property
    def only(self) -> Sequence[str] | None:
        """The names of tests, and of what could not be collected, that are asked for; or all."""
        ...

    @property
    def without(self) -> Sequence[str]:
        """The names of what is not to be collected."""
        ...


class Refused(Exception):
    """Tests cannot be collected; the text says why."""


class Threshold:
    """Where a test's function is called: ``reach`` is, before."""

    def __init__(self, number: int, outcomes: Outcomes, reach: Reach) -> None:
        self._number = number
        self._outcomes = outcomes
        self._reach = reach

    def call(self, function: Callable[[], Any]) -> Any:
        """Call it; why it fails is told in short: all of it takes longer than most tests."""
        self._reach()
        began = time.perf_counter()
        try:
            return function()
        except BaseException as error:
            self._outcomes.end(self._number, FAILED, time.perf_counter() - began, why(error))
            os._exit(0)

    def in_test_cases(self) -> None:
        """Be there in methods of ``unittest``, if they are called as usual."""
        unittest: Any = sys.modules.get("unittest.case")
        if unittest is None:
            return
        plain = unittest.TestCase._callTestMethod

        def _callTestMethod(case: Any, method: Any) -> None:  # noqa: N802 - unittest's name
            unittest.TestCase._callTestMethod = plain
            self.call(lambda: plain(case, method))

        unittest.TestCase._callTestMethod = _callTestMethod


def why(error: BaseException) -> str:
    """What tells a failure from others: its kind, its first words, and where it left the test."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None and _between(trace.tb_frame.f_globals):
        trace = trace.tb_next
    line = 0 if trace is None else trace.tb_lineno
    try:
        words = str(error)[:LONGEST]
    except Exception:
        words = "?"
    return f"{line} {type(error).__name__} {_ADDRESS.sub('0x', words)}"


def failure(error: BaseException) -> tuple[str, str, list[tuple[str, int, str]]]:
    """What a test failed by: the exception's type, its first words, its frames, the last inside."""
    frames = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        frames.append((code.co_filename, trace.tb_lineno or 0, code.co_qualname))
        trace = trace.tb_next
    try:
        words = str(error).strip().partition("\n")[0]
    except Exception:
        words = ""
    return type(error).__name__, words[:LONGEST], frames[-MOST_FRAMES:]


def denial(error: BaseException | None) -> str:
    """What the system has denied, by an error of it; empty for others."""
    denied = isinstance(error, OSError) and error.errno in (EACCES, EPERM, EROFS)
    return f"{type(error).__name__}: {error}"[:LONGEST] if denied else ""


def in_short(detail: str) -> str:
    """What tells one reason why something cannot be collected from others."""
    return _ADDRESS.sub("0x", detail[-LONGEST:])


def _between(names: dict[str, Any]) -> bool:
    """Whether a module is one of those that call tests, by its global variables."""
    return names is globals() or names.get("__name__") == "unittest.case"
