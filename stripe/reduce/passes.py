"""The passes of the guided search, and what each of them has done."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from stripe.dd import Outcome, TestEvent

if TYPE_CHECKING:
    from stripe.reduce.removal import Removal

GUESS, MEND, WIDEN, LEVELS = "guess", "mend", "widen", "levels"
BODIES, EVENTS, CERTIFICATE = "bodies", "events", "certificate"

PASSES = (GUESS, MEND, WIDEN, LEVELS, BODIES, EVENTS, CERTIFICATE)
"""In the order in which they begin."""

PREDICTION, FORESIGHT = "prediction", "foresight"
OUTCOMES, JOURNAL = "outcomes", "journal"

DISPENSABLE = frozenset({BODIES, PREDICTION, FORESIGHT, OUTCOMES})
"""What a search can do without, so that it can be measured what it earns."""


class Pass(NamedTuple):
    """What one pass has done.

    - ``tests``: how many it ran, and ``successes``: those that failed, so that events went
    - ``events``: how many went
    - ``seconds``: how long it took, without the passes inside it
    """

    name: str
    tests: int
    successes: int
    events: int
    seconds: float


class Passes:
    """Counts what each pass does; a listener of the search's tester.

    Each failing configuration becomes the current one, so what goes is what it has less than the
    smallest one before.

    Args:
        size: how many events there are.
        without: what the search does without, of :data:`DISPENSABLE`.
    """

    def __init__(self, size: int, without: Collection[str] = ()) -> None:
        self.without = without
        self._smallest = size
        self._running = [CERTIFICATE]
        self._since = time.perf_counter()
        self._counts = {name: [0, 0, 0] for name in PASSES}  # tests, successes, events
        self._seconds = dict.fromkeys(PASSES, 0.0)

    @contextmanager
    def entered(self, name: str) -> Iterator[None]:
        """What is done in the context is done by this pass."""
        self._lap()
        self._running.append(name)
        try:
            yield
        finally:
            self._lap()
            self._running.pop()

    def record(self, event: TestEvent[int]) -> None:
        """Be told of a question and its answer."""
        counts = self._counts[self._running[-1]]
        counts[0] += not event.cached
        if event.outcome is Outcome.FAIL and len(event.configuration) < self._smallest:
            counts[1] += 1
            counts[2] += self._smallest - len(event.configuration)
            self._smallest = len(event.configuration)

    def done(self) -> tuple[Pass, ...]:
        """What the passes have done that have done anything."""
        self._lap()
        return tuple(
            Pass(name, tests, successes, events, self._seconds[name])
            for name, (tests, successes, events) in self._counts.items()
            if tests or successes
        )

    def _lap(self) -> None:
        now = time.perf_counter()
        self._seconds[self._running[-1]] += now - self._since
        self._since = now


def is_pass[R: Removal](name: str) -> Callable[[Callable[[R], None]], Callable[[R], None]]:
    """Have a method of a search count as a pass, which the search may have to do without."""

    def decorate(method: Callable[[R], None]) -> Callable[[R], None]:
        def within(self: R) -> None:
            passes = self.guided.passes
            if name not in passes.without:
                with passes.entered(name):
                    method(self)

        within.__doc__ = method.__doc__
        return within

    return decorate
