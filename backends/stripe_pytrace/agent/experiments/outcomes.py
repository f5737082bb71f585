"""What is taken down of tests and values in a child."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ..process.progress import waited_for_processor
from ..values.subjects import Tests, failure, in_short
from ..values.verdicts import FAILED, OTHER, PASSED

LONGEST = 2000
"""Characters of a value that are taken down..."""

MOST_SEEN = 1000
"""...of so many..."""

MOST_CHARACTERS = 400_000
"""...of so many together..."""

SEEN_SECONDS = 0.3
"""...for so long: where a change makes the first difference may come late."""

type Row = tuple[str, str, float, Mapping[str, Any], str]
"""A test: its name, how it ended, after how many seconds, what it executed, why it failed."""


type Failure = tuple[str, str, list[tuple[str, int, str]]]
"""By what a test failed: an exception's type, its first words, its frames."""


class Looking(Protocol):
    """Looks at what a test executes."""

    def begin(self) -> None: ...
    def end(self) -> Mapping[str, Any]: ...


class Noted:
    """Takes down how tests end, until ``stop`` of them have not passed.

    ``timed``: how long they take is asked for.  ``failures``: by what each failed is put in here.
    """

    def __init__(
        self,
        looking: Looking,
        names: list[str],
        results: list[Row],
        stop: int,
        timed: bool = True,
        failures: dict[str, Failure] | None = None,
    ) -> None:
        self._looking = looking
        self._names = names
        self._results = results
        self._left = stop
        self._timed = timed
        self._waited = 0.0
        self._failures = failures
        self._error: BaseException | None = None

    def begin(self, number: int) -> None:
        """See :class:`~.faces.Outcomes`."""
        if self._timed:
            self._waited = waited_for_processor(os.getpid())
        self._error = None
        self._looking.begin()

    def failed(self, error: BaseException | None) -> None:
        """See :class:`~.faces.Outcomes`; what failed first tells more."""
        self._error = self._error or error

    def end(self, number: int, outcome: str, seconds: float, why: str = "") -> bool:
        """See :class:`~.faces.Outcomes`."""
        # That others had the processor says nothing of how long a test takes.
        if self._timed:
            seconds = max(0.0, seconds + self._waited - waited_for_processor(os.getpid()))
        executed = self._looking.end()
        if self._failures is not None and self._error is not None and outcome == FAILED:
            # Its words may be made by the program: what that executes is none of the test's.
            self._failures[self._names[number]] = failure(self._error)
        self._error = None
        return self.note((self._names[number], outcome, seconds, executed, why))

    def note(self, row: Row) -> bool:
        """Take one down; whether to go on."""
        self._results.append(row)
        self._left -= row[1] != PASSED
        return self._left > 0


class _Parts:
    """Counts tests that nobody knew; one that fails is enough."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.last = -1

    def begin(self, number: int) -> None:
        self.last = number

    def failed(self, error: BaseException | None) -> None:
        """Only how many fail is asked for."""

    def end(self, number: int, outcome: str, seconds: float, why: str = "") -> bool:
        self.counts[outcome] += 1
        return outcome != FAILED


def uncollected(tests: Tests, name: str, found: dict[str, tuple[int, int]]) -> Row:
    """What came of something that could not be collected.

    It has passed if it is collected now, and the tests of it (``found``: how many, and how many
    pass) do as well; at least one has to.
    """
    failed = tests.failed.get(name)
    if failed is not None:
        return name, FAILED, 0.0, {}, in_short(failed.detail)
    numbers, parts = tests.found(name), _Parts()
    tests.run(numbers, parts)
    found[name] = len(numbers), parts.counts[PASSED]
    if parts.counts[FAILED]:
        return name, FAILED, 0.0, {}, tests.names[parts.last]
    return name, PASSED if parts.counts[PASSED] else OTHER, 0.0, {}, ""


class Seen:
    """Takes down the first values of an expression."""

    def __init__(self, told: list[str]) -> None:
        self._told = told
        self._left = MOST_CHARACTERS
        self._until = 0.0

    def __call__(self, value: Any) -> Any:
        if len(self._told) < MOST_SEEN and self._left > 0:
            now = time.perf_counter()
            self._until = self._until or now + SEEN_SECONDS
            if now > self._until:
                self._left = 0
                return value
            try:
                text = repr(value)
            except Exception as error:
                text = f"<repr() raised {type(error).__name__}>"
            self._told.append(text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}...")
            self._left -= len(self._told[-1])
        return value


def limit(seconds: float, patience: int, tell: Callable[[bool], None]) -> None:
    """End after so many seconds of a processor; or of waiting, but not for a processor.

    ``tell`` is given whether others had the processor, for which it has ``patience``, and does not
    return.
    """
    import signal  # as the program has it

    left = patience

    def waited(*_: Any) -> None:
        nonlocal left
        left -= 1
        starved = waited_for_processor(os.getpid()) > seconds / 2
        if starved and left:
            signal.setitimer(signal.ITIMER_REAL, 2 * seconds)
            return
        tell(starved)

    signal.signal(signal.SIGPROF, lambda *_: tell(False))
    signal.signal(signal.SIGALRM, waited)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 2 * seconds)
