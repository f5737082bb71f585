"""One reduction, of as many searches as it takes.

Whatever is reduced, it takes more than one search: levels of units, criteria, arguments, moments.
They share what is left of the budget, what is known, the wish to stop, and where tests run; and
what holds for the whole follows from what held for each.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from stripe.campaign.outcome_store import OutcomeStore
from stripe.campaign.problem import Key, Problem
from stripe.campaign.progress import Course, Progress, ProgressListener
from stripe.campaign.unresolved import Unresolved
from stripe.dd import (
    Budget,
    BudgetExhausted,
    Configuration,
    Listener,
    Outcome,
    Reason,
    Result,
    Tester,
    TestEvent,
    TestFunction,
)
from stripe.dd.search import universe
from stripe.deadline import OutOfTime
from stripe.interrupts import Alarm, StopFlag, cut_off_search
from stripe.sandbox.copies import FULL

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from stripe.dd.worker_pool import WorkerPool

type Algorithm[D: Hashable] = Callable[[Sequence[D], Tester[D]], Result[D]]
"""A search, such as those of :data:`stripe.dd.ALGORITHMS`."""


class Campaign:
    """All that the searches of one reduction share.

    - ``name``: what is reduced, as ``progress`` tells it after every test
    - ``budget``: tests and time for all of them together
    - ``store``: the outcomes known, which grow
    - ``stop``: what Ctrl-C raises; without, Ctrl-C is left to the caller
    - ``jobs``, ``executor``: how many tests run at a time, and where if not in threads
    - ``cache``: without, every question of a search is a test, as in the papers that count so

    ``reason`` says why it ended.  ``counts`` are the tests that were run by outcome, ``cached``
    the questions that needed none; ``unresolved`` counts why tests were UNRESOLVED;
    ``level`` and ``bytes`` are told to ``progress``.
    """

    def __init__(
        self,
        name: str = "",
        *,
        budget: Budget | None = None,
        store: OutcomeStore | None = None,
        stop: StopFlag | None = None,
        jobs: int = 1,
        executor: Executor | None = None,
        cache: bool = True,
        progress: ProgressListener | None = None,
    ) -> None:
        self.name = name
        self.budget = budget or Budget()
        self.store = store or OutcomeStore()
        self.stop = stop
        self.jobs = jobs
        self.executor = executor
        self.cache = cache
        self.progress = progress
        self.reason = Reason.FINISHED
        self.counts: Counter[Outcome] = Counter()
        self.cached = 0
        self.unresolved = Unresolved()
        self.certificates: list[bool] = []
        self.rounds = 0
        self.level = ""
        self.bytes: tuple[int, int] | None = None
        self.started = time.monotonic()
        self._alarm = self.bounded()
        self._course: Course[Any] | None = None
        self._pool: WorkerPool | None = None

    # --- what holds for the whole

    @property
    def tests(self) -> int:
        """How many tests were run."""
        return self.counts.total()

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return time.monotonic() - self.started

    @property
    def over(self) -> bool:
        """Whether the budget was used up, or somebody asked it to end."""
        return self.reason is not Reason.FINISHED

    @property
    def certified(self) -> bool:
        """Whether every search that counts was certified, in the last round if there are rounds."""
        return not self.over and all(self.certificates)

    # --- searching

    def search[D: Hashable](
        self,
        problem: Problem[D],
        algorithm: Algorithm[D],
        *,
        counts: bool = True,
        listeners: Sequence[Listener[D]] = (),
    ) -> Result[D]:
        """Run a search within what is left; what comes of it counts for the whole.

        Args:
            problem: what is reduced.
            algorithm: the search; its exceptions pass through, as do those of a test. Only if
                memory is used up, the disk is full, or it is cut off, what has been found so far
                is the result.
            counts: whether the whole is certified only if this search is.
            listeners: hear of every question, before the progress is told.
        """
        tester = self._tester(problem, listeners)
        try:
            # Of one that grows what it has is known to itself only.
            with self.bounded(), nullcontext() if problem.growing else self.running():
                result = algorithm(problem.deltas, tester)
        except BudgetExhausted as exhausted:
            tester.cancel_ahead()
            result = self._so_far(problem, tester, exhausted.reason)
        self.cached += result.statistics.hits
        self.record_end(result.reason)
        if counts:
            self.certificates.append(result.certified)
        return result

    def to_fixpoint(self, state: Callable[[], Hashable], once: Callable[[], object]) -> None:
        """Do ``once`` until that leaves the ``state`` as it was, and all is certified.

        It ends as well where one round undoes what another did.  When the campaign is over, in
        the middle of a round, ``once`` has to return.
        """
        seen: set[Hashable] = set()
        while not self.over:
            seen.add(state())
            self.certificates.clear()
            once()
            self.rounds += 1
            if state() in seen and (self.certified or self.rounds > 1):
                return

    # --- beside the searches

    def test[D: Hashable](
        self, problem: Problem[D], configuration: Configuration[D]
    ) -> Outcome | None:
        """The outcome of a single test; ``None`` when no more may be run."""
        tester = self._tester(problem)
        try:
            return tester.test(configuration)
        except BudgetExhausted as exhausted:
            self.record_end(exhausted.reason)
            return None
        finally:
            tester.cancel_ahead()

    def ask(self, key: Key, run: Callable[[], Outcome]) -> Outcome:
        """The outcome of what has to be known to begin, whatever is left of the budget."""
        outcome = self.store.get(key)
        if outcome is None:
            outcome = run()
            self.learn(key, outcome)
        return outcome

    def learn(self, key: Key, outcome: Outcome) -> None:
        """Take in the outcome of a test that was run beside the searches."""
        self.budget.spend()
        self.count(key, outcome)

    def count(self, key: Key, outcome: Outcome) -> None:
        """Take in the outcome of a test that a search has run, and spent."""
        self.counts[outcome] += 1
        self.store.learn(key, outcome)

    def attempt[T](self, run: Callable[[], T]) -> T | None:
        """What ``run`` returns; ``None`` if nothing more may be run, or it did not come to its end.

        For what follows the searches: a result is verified, looked at.
        """
        if self.stop is not None and self.stop.over:
            return None
        try:
            with self.running():
                return run()
        except BudgetExhausted:
            return None

    def bounded(self) -> Alarm:
        """A context whose computations end by BudgetExhausted when the time of the budget is over.

        A test in it is not cut off: it has a limit of its own.
        """
        self._alarm = Alarm(self.budget.seconds, lambda: BudgetExhausted(Reason.MAX_TIME))
        return self._alarm

    def hold(self, seconds: float = 0.0) -> None:
        """Begin nothing that takes so long if there is no time for it, or somebody asks to end.

        Raises:
            BudgetExhausted: which every search understands.
        """
        if self.stop is not None and self.stop():
            raise BudgetExhausted(Reason.STOPPED)
        left = self.budget.seconds
        if left is not None and seconds >= left:
            raise BudgetExhausted(Reason.MAX_TIME)

    def tell[D: Hashable](self, stage: str, problem: Problem[D]) -> None:
        """Tell how far it is."""
        if self.progress is None:
            return
        course = self._course_of(problem)
        self.progress(
            Progress(
                name=self.name,
                stage=stage,
                tests=self.tests,
                best=course.best,
                of=len(problem.deltas),
                to_do=course.to_do,
                seconds=self.seconds,
                stopping=self.stop is not None and self.stop.requested,
                noun=problem.noun,
                level=self.level,
                idle=course.idle,
                bytes=self.bytes,
            )
        )

    @contextmanager
    def running(self) -> Iterator[None]:
        """What may be cut off by a second Ctrl-C, or run out of time or memory.

        Raises:
            BudgetExhausted: then; every search ends by it.
        """
        try:
            if self.stop is None:
                yield
            else:
                with cut_off_search():
                    yield
        except OutOfTime:
            raise BudgetExhausted(Reason.MAX_TIME) from None
        except (MemoryError, OSError) as error:
            if (reason := exhausted(error)) is None:
                raise
            raise BudgetExhausted(reason) from None
        except KeyboardInterrupt:
            if self.stop is None:
                raise
            self.stop.tear()
            raise BudgetExhausted(Reason.STOPPED) from None

    # --- inside

    def _tester[D: Hashable](
        self, problem: Problem[D], listeners: Sequence[Listener[D]] = ()
    ) -> Tester[D]:
        """What tests configurations of ``problem`` within what is left."""
        page = _Page(self, problem)

        def told(event: TestEvent[D]) -> None:
            if not event.cached:
                self.unresolved.count(event.configuration, event.outcome)
                self.tell("searching", problem)

        pool = self._pool_for(problem)
        here = self._function(problem)
        return Tester(
            here if pool is None or problem.remote is None else problem.remote,
            close=problem.close,
            cache=self.cache,
            predict=page.known,
            journal=page,
            budget=self.budget,
            stop=self.stop,
            listeners=[self._course_of(problem).record, *listeners, told],
            jobs=self.jobs if pool is None else self.jobs + 1,
            executor=pool,
            cancel=problem.cancel,
            here=None if pool is None else here,
            ends=pool,
        )

    def _so_far[D: Hashable](
        self, problem: Problem[D], tester: Tester[D], reason: Reason
    ) -> Result[D]:
        """What a search has found that did not come to tell."""
        smallest = self._course_of(problem).smallest
        return Result(
            tester.closed(universe(problem.deltas)) if smallest is None else smallest,
            statistics=tester.statistics,
            reason=reason,
        )

    def _course_of[D: Hashable](self, problem: Problem[D]) -> Course[D]:
        """How far the search for ``problem`` is, which is the latest one or a new one."""
        if self._course is None or self._course.problem is not problem:
            self._course = Course(problem)
        return self._course

    def record_end(self, reason: Reason) -> None:
        """Note why a search ended; the first one that did not come to its end ends them all."""
        if not self.over:
            self.reason = reason

    def _pool_for[D: Hashable](self, problem: Problem[D]) -> WorkerPool | None:
        """The workers that test, if there are any: those of the problem before, if they can."""
        if self.executor is None or problem.remote is None:
            return None
        if self._pool is None or self._pool.prepare != problem.prepare:
            from stripe.dd.worker_pool import WorkerPool  # lazy

            cancel = problem.cancel_remote
            self._pool = WorkerPool(self.executor, problem.prepare, self.jobs, cancel)
        return self._pool

    def _function[D: Hashable](self, problem: Problem[D]) -> TestFunction[D]:
        """The test of a problem, run here."""

        def test(configuration: Configuration[D]) -> Outcome | bool:
            with self.running(), self._alarm.held_back():
                return problem.test(configuration)

        return test


class _Page[D: Hashable]:
    """What a campaign knows, by the configurations of one search."""

    def __init__(self, campaign: Campaign, problem: Problem[D]) -> None:
        self._campaign = campaign
        self._problem = problem
        self._last: tuple[Configuration[D], Key] | None = None

    def known(self, configuration: Configuration[D]) -> Outcome | None:
        """The outcome of what was tested in this process, or need not be."""
        outcome = self._campaign.store.get(self._key(configuration))
        if outcome is None and self._problem.predict is not None:
            return self._problem.predict(configuration)
        return outcome

    def get(self, configuration: Configuration[D]) -> Outcome | None:
        """The outcome in an earlier process."""
        return self._campaign.store.resume(self._key(configuration))

    def put(self, configuration: Configuration[D], outcome: Outcome) -> None:
        """Take in the outcome of a test that was run."""
        self._campaign.count(self._key(configuration), outcome)

    def _key(self, configuration: Configuration[D]) -> Key:
        """The key of a configuration, which is asked for several times in a row."""
        if self._last is None or self._last[0] is not configuration:
            self._last = configuration, self._problem.key(configuration)
        return self._last[1]


def exhausted(error: BaseException) -> Reason | None:
    """What is used up that no search can do without, if that is what an error tells."""
    if isinstance(error, MemoryError):
        return Reason.MEMORY
    return Reason.DISK if isinstance(error, OSError) and error.errno in FULL else None
