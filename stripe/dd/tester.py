"""The one place where configurations are tested: cache, closing, axioms, budget, events."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TYPE_CHECKING

from stripe.dd.budget import Budget, BudgetExhausted, Reason
from stripe.dd.cache import Cache
from stripe.dd.events import Listener, Statistics, TestEvent
from stripe.dd.journal import Memory
from stripe.dd.outcomes import Configuration, Outcome, TestFunction, as_outcome

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from stripe.dd.speculation import Ends, Speculator


LAST = 4
"""Configurations of which it is remembered what they close to."""


class Tester[D: Hashable]:
    """Wraps a test function with everything a search needs around it.

    Args:
        test: runs one (closed) configuration and says what came of it: an Outcome, or a bool
            that is True where the failure is there. Its exceptions pass
            through the search to the caller. With several jobs it must be able to run in several
            threads at once, or in what ``executor`` runs it in.
        close: maps a configuration to the one that is really run, as when an event needs its
            parent. It must be idempotent and monotone (more deltas in, no fewer out), and keep
            the order of the universe. Everything is remembered by closed configuration: two
            configurations that close to the same one share one test.
        cache: whether outcomes are remembered. Without, every question of a search is a test,
            as in the papers that count them so.
        budget: the tests and seconds it may take; by default no limit.
        stop: asked before every test; a true answer ends the search.
        listeners: called after every question with a TestEvent.
        predict: returns the outcome of a configuration that needs no test, or None. Such an
            outcome is taken for granted, as dd+ does with inconsistent changes.
        monotone: take for granted that what passes does so with fewer deltas, too (Zeller &
            Hildebrandt 2002, definition 7), so that subsets of what passed are not tested. No
            certificate rests on that.
        journal: outcomes of an earlier run, to be used again, and where to write new ones.
            Certificates do not rest on it: what it says of them is tested again.
        jobs: how many tests may run at the same time. The answers of a search, its questions and
            their number are the same with any number of jobs.
        executor: where tests run if there are several jobs; None: threads of the tester's own.
        cancel: tells the running test of a configuration to end at once, because its outcome has
            become useless. Without, it runs to its end on the side.
        here: the same test, for what is asked for while all that ``executor`` has is busy.
        ends: tells workers of ``executor`` to end tests that have become useless.

    Raises:
        ValueError: when a limit is negative, or for several jobs without a cache.
    """

    __test__ = False  # keeps pytest from taking it for a test class

    def __init__(
        self,
        test: TestFunction[D],
        *,
        close: Callable[[Configuration[D]], Configuration[D]] | None = None,
        cache: bool = True,
        budget: Budget | None = None,
        stop: Callable[[], bool] | None = None,
        listeners: Iterable[Listener[D]] = (),
        predict: Callable[[Configuration[D]], Outcome | None] | None = None,
        monotone: bool = False,
        journal: Memory[D] | None = None,
        jobs: int = 1,
        executor: Executor | None = None,
        cancel: Callable[[Configuration[D]], None] | None = None,
        here: TestFunction[D] | None = None,
        ends: Ends | None = None,
    ) -> None:
        if jobs < 1:
            raise ValueError(f"jobs must be at least 1: {jobs}")
        if jobs > 1 and not cache:
            raise ValueError("several jobs need the cache")
        self.listeners: list[Listener[D]] = list(listeners)
        self._function = test
        self._close = close
        self._caching = cache
        self._cache: Cache[D] = Cache()
        self._axioms: Cache[D] = Cache()
        self._budget = budget or Budget()
        self._stop = stop
        self._predict = predict
        self._passing: list[frozenset[D]] | None = [] if monotone else None
        self._journal = journal
        self._speculator: Speculator[D] | None = None
        if jobs > 1:
            from stripe.dd.speculation import Speculator  # lazy

            self._speculator = Speculator(test, jobs, executor, cancel, here, ends)
        # What was closed last: a search asks for the same one several times in a row.
        self._last: deque[tuple[Configuration[D], Configuration[D]]] = deque(maxlen=LAST)
        self._borrowed: set[int] = set()  # keys of outcomes that came from the journal
        self._counts = dict.fromkeys(Outcome, 0)
        self._tests = 0
        self._hits = 0
        self._predicted = 0
        self._resumed = 0
        self._elapsed = 0.0

    def test(
        self,
        configuration: Configuration[D],
        ahead: Iterable[Configuration[D]] = (),
        *,
        own: bool = False,
        closed: bool = False,
    ) -> Outcome:
        """The outcome of ``configuration``, which is tested if it is not known.

        Args:
            configuration: what to test; it is closed first.
            ahead: configurations likely to be asked for next, the likeliest first. Only a tester
                with several jobs looks at them.
            own: do not be content with what the journal says.
            closed: ``configuration`` is closed.

        Raises:
            BudgetExhausted: when it would have to be run and no further test may be.
        """
        if self._close is not None and not closed:
            configuration = self.closed(configuration)
        key = hash(configuration)
        known = self._known(key, configuration, own=own)
        if known is not None and own and key in self._borrowed:
            return self._check(key, configuration, known, ahead)
        if known is not None:
            self._hits += 1
            self._tell(configuration, known, cached=True, elapsed=0.0)
            return known
        outcome = None if self._journal is None or own else self._journal.get(configuration)
        elapsed = 0.0
        if outcome is not None:
            self._resumed += 1
            self._borrowed.add(key)
        else:
            outcome, elapsed = self._run(configuration, ahead, own=own)
        if self._caching:
            self._cache.put(key, configuration, outcome)
        if self._passing is not None and outcome is Outcome.PASS:
            passing = frozenset(configuration)
            self._passing = [each for each in self._passing if not each <= passing]
            self._passing.append(passing)
        self._tests += 1
        self._counts[outcome] += 1
        self._elapsed += elapsed
        self._tell(configuration, outcome, cached=False, elapsed=elapsed)
        return outcome

    def known(self, configuration: Configuration[D]) -> Outcome | None:
        """The outcome of ``configuration`` if it was tested or is taken for granted."""
        configuration = self.closed(configuration)
        return self._known(hash(configuration), configuration)

    def assume(self, configuration: Configuration[D], outcome: Outcome) -> None:
        """Take ``outcome`` for granted: an axiom, answered without a test.

        What a test has shown takes precedence.
        """
        configuration = self.closed(configuration)
        self._axioms.put(hash(configuration), configuration, outcome)

    def closed(self, configuration: Configuration[D]) -> Configuration[D]:
        """The configuration that is really run for ``configuration``."""
        if self._close is None:
            return configuration
        for asked, closed in self._last:
            if configuration is asked or configuration is closed:
                return closed
        found = self._close(configuration)
        self._last.append((configuration, found))
        return found

    def take_closed(self, configuration: Configuration[D]) -> Configuration[D]:
        """``configuration``, of which the caller knows that it is closed."""
        self._last.append((configuration, configuration))
        return configuration

    def cancel_ahead(self) -> None:
        """Cancel tests that run ahead. Every search does so when it ends, in whatever way."""
        if self._speculator is not None:
            self._speculator.cancel_all()

    @property
    def speculates(self) -> bool:
        """Whether it is of use to tell what may be asked for next, though that has to be found."""
        return self._speculator is not None

    @property
    def closes(self) -> bool:
        """Whether configurations are closed before they are run."""
        return self._close is not None

    @property
    def statistics(self) -> Statistics:
        """The totals so far."""
        run = self._tests - self._resumed
        speculated = 0 if self._speculator is None else self._speculator.started - run
        return Statistics(
            passed=self._counts[Outcome.PASS],
            failed=self._counts[Outcome.FAIL],
            unresolved=self._counts[Outcome.UNRESOLVED],
            hits=self._hits,
            resumed=self._resumed,
            speculated=speculated,
            predicted=self._predicted,
            foreseen=0 if self._speculator is None else self._speculator.foreseen,
            elapsed=self._elapsed,
        )

    def _known(
        self, key: int, configuration: Configuration[D], *, own: bool = False
    ) -> Outcome | None:
        outcome = self._cache.get(key, configuration)
        if outcome is None:
            outcome = self._axioms.get(key, configuration)
        if outcome is None and self._predict is not None:
            outcome = self._predict(configuration)
            if outcome is not None:
                self._predicted += 1
                self._axioms.put(key, configuration, outcome)
        if outcome is None and self._passing and not own:
            deltas = frozenset(configuration)
            if any(deltas <= passing for passing in self._passing):
                self._predicted += 1
                return Outcome.PASS
        return outcome

    def _check(
        self,
        key: int,
        configuration: Configuration[D],
        known: Outcome,
        ahead: Iterable[Configuration[D]],
    ) -> Outcome:
        """Run a test whose outcome the journal told; it counts as if it had not."""
        outcome, elapsed = self._run(configuration, ahead, own=True)
        self._borrowed.discard(key)
        self._resumed -= 1
        self._elapsed += elapsed
        self._hits += 1
        if outcome is not known:
            self._cache.put(key, configuration, outcome)
            self._counts[known] -= 1
            self._counts[outcome] += 1
        self._tell(configuration, outcome, cached=outcome is known, elapsed=elapsed)
        return outcome

    def _run(
        self, configuration: Configuration[D], ahead: Iterable[Configuration[D]], *, own: bool
    ) -> tuple[Outcome, float]:
        """Run a test for real."""
        if self._stop is not None and self._stop():
            raise BudgetExhausted(Reason.STOPPED)
        spare = self._budget.spend_if_left()
        if self._speculator is None:
            started = time.perf_counter()
            outcome = as_outcome(self._function(configuration))
            elapsed = time.perf_counter() - started
        else:
            likely = self._unknown(ahead, own=own)
            outcome, elapsed = self._speculator.run(configuration, likely, spare)
        if self._journal is not None:
            self._journal.put(configuration, outcome)
        return outcome, elapsed

    def _unknown(
        self, ahead: Iterable[Configuration[D]], *, own: bool
    ) -> Iterator[Configuration[D]]:
        """Close what may be asked for, and leave out what would need no test."""
        for each in ahead:
            configuration = self.closed(each)
            key = hash(configuration)
            if (own and key in self._borrowed) or (
                self._known(key, configuration, own=own) is None
                and (own or self._journal is None or self._journal.get(configuration) is None)
            ):
                yield configuration

    def _tell(
        self, configuration: Configuration[D], outcome: Outcome, *, cached: bool, elapsed: float
    ) -> None:
        if self.listeners:
            event = TestEvent(self._tests, configuration, outcome, cached, elapsed)
            for listener in self.listeners:
                listener(event)
