"""What backends do for experiments: run tests, offer small changes of a program, try them.

An intervention is a delta with a description; what it is made of is the backend's affair.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

from stripe.backend import Target
from stripe.sandbox.walls import Layer


class Line(NamedTuple):
    """A line of a file, counted from 1; the file relative to the working directory."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Case:
    """An input of a program with the standard output that is right for it.

    Line ends at the very end do not count.
    """

    name: str
    arguments: Sequence[str] = ()
    stdin: bytes = b""
    expected: bytes = b""


class Verdict(Enum):
    """How a test ended: only one that ran to its end, and well, has passed."""

    PASSED = "passed"
    FAILED = "failed"
    OTHER = "left out (skipped, expected to fail, or not run to the end in time)"


class Frame(NamedTuple):
    """A frame of a traceback, as it was printed."""

    file: str
    line: int
    function: str


class Failure(NamedTuple):
    """What a test failed by: the type of an exception, the first line of its message, its frames.

    The outermost frame comes first.
    """

    kind: str
    message: str
    frames: tuple[Frame, ...]


@dataclass(frozen=True, slots=True)
class Test:
    """A test as it is: its number and name, how it ended and after how long, what it executed.

    ``own``: the test is in this file, which is not suspected.  ``detail``: why it cannot even be
    collected, if it cannot; then it stands for tests that nobody knows.  ``failure``: what it
    failed by, if that is known.
    """

    __test__: ClassVar[bool] = False  # for pytest, which collects what is called so

    number: int
    name: str
    verdict: Verdict
    seconds: float
    lines: frozenset[Line]
    own: str = ""
    detail: str = ""
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Intervention:
    """A small change of one place, for all executions of it.

    - ``at``, ``end``: the first and the last line that it changes
    - ``first``: the line where its statement begins
    - ``size``: 1 is the smallest; ``slow``: to try it takes a process of its own
    - ``words``: what it is, in a few words
    - ``private``: what the backend makes it from
    """

    at: Line
    end: int
    first: int
    function: str
    kind: str
    size: int
    words: str
    private: Any = field(repr=False)
    slow: bool = False


class Ended(Enum):
    """How an attempt ended."""

    WHOLE = "to its end"
    FUEL = "out of fuel"
    CRASHED = "killed"
    INVALID = "no program"


@dataclass(frozen=True, slots=True)
class Attempt:
    """What tests came to with a change; those that did not come to their end are not there.

    ``failures``: what tells how a test failed from other ways to fail, if it is known.
    ``found``: where a test stands for those that could not be collected, how many there are then,
    and how many of them pass; after the first that fails no other is run.
    """

    verdicts: Mapping[int, Verdict]
    ended: Ended
    failures: Mapping[int, str] = field(default_factory=dict)
    found: Mapping[int, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shown:
    """A change for people: the file's text before and after, if it can be written so.

    ``before``, ``after``: the first values of what was changed, as texts, in a failing test.
    """

    old: str
    new: str | None
    before: Sequence[str] = ()
    after: Sequence[str] = ()


class Trials(Protocol):
    """A program and its tests, on which changes are tried.  Close it.

    ``imported``: lines that are executed before any test, for all of them.
    """

    layer: Layer
    notes: Sequence[str]
    tests: Sequence[Test]
    imported: frozenset[Line]

    def offers(
        self,
        lines: Sequence[Line],
        failing: Sequence[Test],
        wanted: Sequence[Line] | None = None,
    ) -> Sequence[Intervention]:
        """All changes at these lines, which ``failing`` execute; ``wanted``: at some of them only.

        May be called again, for others.
        """
        ...

    def attempt(
        self, change: Intervention, tests: Sequence[Test], *, fuel: float, stop: int = 1
    ) -> Attempt:
        """Run tests with a change; end after ``stop`` of them failed.

        ``fuel``: seconds of processor time, for each process; those that wait get more.
        May be called from as many threads as the target has jobs.
        """
        ...

    def attempts(
        self,
        changes: Sequence[Intervention],
        test: Test,
        *,
        fuel: float,
    ) -> Iterator[tuple[Intervention, Attempt]]:
        """Run one test with each change: much quicker than one by one.

        What each comes to is told as soon as it is known.  Take all.
        """
        ...

    def show(self, change: Intervention, test: Test, *, fuel: float) -> Shown:
        """What a change is, and what is seen of it."""
        ...

    def cancel(self) -> None:
        """End what runs, from another thread: what it was for fails, and nothing more is run."""
        ...

    def close(self) -> None:
        """End all, and remove what it needed."""
        ...


@runtime_checkable
class Intervening(Protocol):
    """What a backend may offer as well: experiments."""

    def trials(
        self, target: Target, cases: Sequence[Case], *, seconds: float, first: Sequence[str] = ()
    ) -> Trials:
        """Run the tests of ``target`` as they are: ``cases``, or those that it is (pytest).

        ``seconds``: about so long; tests for which there is no time left are left out, and told.
        ``first``: names of those that are run before the others, with all parameters.
        """
        ...
