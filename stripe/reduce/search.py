"""The search for critical slices in a recording."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from stripe import dd
from stripe.backend import (
    Comparing,
    Differences,
    End,
    Interpreted,
    Observation,
    OutOfTime,
    Patience,
    Recording,
    Values,
    Watching,
    Witnessed,
)
from stripe.campaign.progress import Progress, ProgressListener
from stripe.checks import Check, Criterion, default_check
from stripe.dd import BudgetExhausted, Journal, Outcome, Reason, Tester, TestEvent, minimise
from stripe.errors import NotReducible, UsageError
from stripe.reduce import faithful, honesty
from stripe.reduce.guided import Guided
from stripe.reduce.honesty import ensure_not_trivial, ensure_reproducible
from stripe.reduce.journals import Journals
from stripe.reduce.omission import advice, nearly_empty
from stripe.reduce.remote import Remote
from stripe.reduce.result import (
    CriticalSlice,
    LogEntry,
    Recorded,
    Result,
    Statistics,
    to_ranges,
)
from stripe.reduce.undecided import Undecided
from stripe.reduce.why import dependences
from stripe.stopping import StopFlag, cut_off, stop_on_interrupt
from stripe.trace import governing

AUTO = "auto"

type Events = tuple[int, ...]

ALGORITHMS = (AUTO, *dd.ALGORITHMS)
"""The searches by name: guided by dependences, and those that know nothing of traces."""

CONTROLS = ("trace", "program")
"""Control modes: the trace dictates, or kept predicates must evaluate as recorded."""

FINISHING = 8e-6
"""Seconds that making a report takes for each event of a trace, about."""

ANALYSING = 4e-6
"""Seconds that finding dependences takes for each event, about, and what they tell."""

WATCHING = 3.0
"""How many times as long as a replay one takes that looks at variables."""

LOG_NUMBERS = 4_000_000
"""Range ends a log may hold (4 bytes each); later entries have only their size."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How to search.  ``max_tests`` and ``patience`` bound all criteria together.

    ``control`` and ``values``: what of the recorded run must hold in a slice (:data:`CONTROLS`,
    :data:`VALUES`).
    ``journals``: where to write down outcomes, and to look for those of a search before.
    ``watch``: replay each slice once more, to see what its variables hold.
    """

    control: str = "trace"
    algorithm: str = AUTO
    max_tests: int | None = None
    patience: Patience = field(default_factory=Patience, compare=False)
    jobs: int = 1
    journals: Journals | None = None
    values: str = "free"
    watch: bool = False

    def __post_init__(self) -> None:
        for slug, what, value, known in (
            ("unknown-control-mode", "control mode", self.control, CONTROLS),
            ("unknown-value-mode", "value mode", self.values, faithful.VALUES),
            ("unknown-algorithm", "algorithm", self.algorithm, ALGORITHMS),
        ):
            if value not in known:
                raise UsageError(
                    slug,
                    f"There is no {what} {value!r}.",
                    f"Choose from: {', '.join(known)}.",
                )

    @property
    def strict(self) -> bool:
        """Whether predicates have a say (control mode ``program``)."""
        return self.control == "program"

    @property
    def same(self) -> bool:
        """Whether kept events must see what they saw in the recorded run."""
        return self.values == "same"


def reduce(
    recording: Recording,
    checks: Sequence[Check],
    settings: Settings | None = None,
    *,
    command: Sequence[str] = (),
    progress: ProgressListener | None = None,
    remote: Remote | None = None,
) -> Result:
    """The critical slice of each check; without checks, of the default one.

    With ``remote``, tests are run by its workers, but for the first and the last ones.

    Raises :class:`~stripe.errors.NotReducible` if a check never matches, the run cannot be
    replayed, or a check holds with nothing kept.  Ctrl-C and used-up budgets end the search
    with the best slices so far, which are not certified then.
    """
    settings = settings or Settings()
    started = time.monotonic()
    recorded = recording.recorded
    if not len(recording.trace):
        raise NotReducible(
            "no-events",
            "No statement of the user's code was executed, so there is nothing to leave out.",
            "Say with --include which files count as the user's code.",
        )
    if settings.same:
        faithful.ensure_comparable(recording)
    # All references first: the recorded run's directory is valid until the first replay.
    criteria = [check.reference(recorded) for check in checks or [default_check(recorded)]]
    settings.patience.begin("replaying all of it")
    one = time.monotonic()
    ensure_reproducible(recording, criteria, strict=settings.strict)
    one = time.monotonic() - one
    ensure_not_trivial(recording, criteria, strict=settings.strict)
    slices: list[CriticalSlice] = []
    notes = list(recording.notes)
    replays = honesty.replays(recording)
    with stop_on_interrupt() as stop:
        shares = Shares(settings, len(criteria), one + FINISHING * len(recording.trace))
        for criterion in criteria:
            search = Search(recording, criterion, settings, shares, stop, progress, remote)
            found = search.run()
            shares.used(found)
            slices.append(found)
            replays += search.replays
            notes += search.notes
    return Result(
        command=tuple(command),
        control=settings.control,
        values=settings.values,
        algorithm=settings.algorithm,
        trace=recording.trace,
        slices=tuple(slices),
        notes=tuple(notes),
        statistics=Statistics(
            plain_seconds=recording.plain.seconds,
            recorded_seconds=recorded.seconds,
            total_seconds=time.monotonic() - started,
            replays=replays,
        ),
        recorded=Recorded.of(recorded),
        sandbox=recording.layer.value,
        interpreter=recording.interpreter if isinstance(recording, Interpreted) else "",
    )


class Shares:
    """Deals the budget out: each criterion gets an equal share of what is left.

    ``finishing``: seconds that each needs in the end, to be tried in a fresh process and shown;
    so much is kept back, but no more than half of what is left.
    """

    def __init__(self, settings: Settings, criteria: int, finishing: float = 0.0) -> None:
        self._tests = settings.max_tests
        self._patience = settings.patience
        self._criteria = criteria
        self.finishing = finishing

    @property
    def tests(self) -> int | None:
        """Tests the next criterion may run."""
        return None if self._tests is None else self._tests // self._criteria

    @property
    def time(self) -> float | None:
        """Seconds the next criterion may take."""
        left = self._patience.left
        if math.isinf(left):
            return None
        share = left / self._criteria
        return share - min(self.finishing, share / 2)

    def used(self, found: CriticalSlice) -> None:
        """Take off what the search for ``found`` used."""
        self._criteria -= 1
        if self._tests is not None:
            self._tests = max(0, self._tests - found.tests)


class Search:
    """One criterion's search."""

    def __init__(
        self,
        recording: Recording,
        criterion: Criterion,
        settings: Settings,
        shares: Shares,
        stop: StopFlag,
        progress: ProgressListener | None,
        remote: Remote | None,
    ) -> None:
        self.recording = recording
        self.criterion = criterion
        self.settings = settings
        self.shares = shares
        self.stop = stop
        self.progress = progress
        self.remote = remote
        self.notes: list[str] = []
        self.size = len(recording.trace)
        self.best = self.size
        self.replays = 0
        self.looks = 0
        self.last_reduction = 0
        self.log: list[LogEntry] = []
        self.undecided = Undecided()
        self.room = LOG_NUMBERS
        self.started = time.monotonic()
        share = shares.time
        self.until = math.inf if share is None else self.started + share
        self.seen: tuple[Events, Observation] | None = None  # by the latest test here

    def run(self) -> CriticalSlice:
        """Search, certify, verify; what was tested is on disk until the end is reached."""
        journals = self.settings.journals
        if journals is None:
            return self.search(None)
        with journals.open(
            self.recording, self.criterion, strict=self.settings.strict, same=self.settings.same
        ) as journal:
            if journal is not None and journal.refused:
                self.notes.append(
                    f"The journal for {self.criterion.name!r} is of another run: "
                    f"{journal.refused}. The search began anew."
                )
            elif journals.resume and not journal:
                self.notes.append(
                    f"There was no unfinished search for {self.criterion.name!r} to resume."
                )
            elif journals.resume and self.unseen:
                self.notes.append(
                    "It cannot be seen here which files outside of the working directory a run "
                    f"reads ({self.unseen}): that one of them has changed would "
                    "not be noticed. The certificate is made anew in any case."
                )
            found = self.search(journal)
            if journal is not None and found.resumed and found.verified is False:
                # What the recorded run did not read, replays may have read.
                self.notes.append(
                    f"What the search before found out about {self.criterion.name!r} does not hold "
                    "any more. The search began anew."
                )
                journal.forget()
                self.best, self.last_reduction, self.log = self.size, 0, []
                self.undecided = Undecided()
                found = self.search(journal)
            if journal is not None and found.stopped is Reason.FINISHED:
                journal.finish()
        return found

    @property
    def unseen(self) -> str:
        """Why it is not known what the run read, if it is not."""
        return self.recording.reads.unseen if isinstance(self.recording, Witnessed) else ""

    def search(self, journal: Journal[int] | None) -> CriticalSlice:
        """Search, certify, verify."""
        trace, control = self.recording.trace, self.settings.strict
        remote = self.remote and self.remote.test(
            self.recording, self.criterion, strict=control, same=self.settings.same
        )
        tester = Tester(
            remote or self.test,
            close=lambda events: trace.close(events, control=control),
            max_tests=self.shares.tests,
            max_time=None if math.isinf(self.until) else max(0.0, self.until - time.monotonic()),
            stop=self.stop,
            listeners=[self.note],
            jobs=self.settings.jobs,
            journal=journal,
            executor=self.remote.executor if self.remote else None,
            cancel=None if remote else self.recording.cancel,
        )
        result = self.reduce(tester)
        events = tuple(result.configuration)
        statistics = result.statistics
        self.replays += statistics.tests - statistics.resumed + statistics.speculated
        verified = self.verify(events, statistics.tests)
        others = self.compare(events)
        values = faithful.as_recorded(self.watch(events), others)
        self.replays += self.looks
        if result.certified and not control and nearly_empty(trace, events):
            self.notes.append(advice(self.criterion.name))
        return CriticalSlice(
            name=self.criterion.name,
            check=self.criterion.check.spec,
            events=events,
            of=self.size,
            outcomes={
                Outcome.FAIL: statistics.failed,
                Outcome.PASS: statistics.passed,
                Outcome.UNRESOLVED: statistics.unresolved,
            },
            cached=statistics.hits,
            resumed=statistics.resumed,
            certified=result.certified,
            stopped=result.reason,
            verified=verified,
            seconds=time.monotonic() - self.started,
            log=tuple(self.log),
            evidence=self.criterion.evidence,
            dependences=dependences(trace, events, control=control),
            values=values,
            shown=self.criterion.shown,
            governing=() if control else governing(trace, events),
            undecided=self.undecided.counts,
            others=others,
            looks=self.looks,
        )

    def reduce(self, tester: Tester[int]) -> dd.Result[int]:
        """Run the algorithm of the settings."""
        if self.settings.algorithm != AUTO:
            return dd.ALGORITHMS[self.settings.algorithm](range(self.size), tester, check=False)
        guided = Guided(
            self.recording.trace,
            self.criterion,
            control=self.settings.strict,
            observe=lambda events: self.observe(tester.closed(events)),
            hold=self.hold,
        )
        return minimise(range(self.size), tester, guided, check=False)

    def hold(self, size: int) -> None:
        """Begin no analysis of so many events that would not end in time, or if somebody asks."""
        if self.stop():
            raise BudgetExhausted(Reason.STOPPED)
        if time.monotonic() + ANALYSING * size >= self.until:
            raise BudgetExhausted(Reason.MAX_TIME)

    def test(self, events: Events) -> Outcome:
        """Run one configuration and judge it."""
        try:
            with cut_off():
                return self._replay(events)
        except OutOfTime:
            raise BudgetExhausted(Reason.MAX_TIME) from None
        except KeyboardInterrupt:
            # Only where Ctrl-C is not ours to handle, or at a later one.
            self.stop.tear()
            raise BudgetExhausted(Reason.STOPPED) from None

    def observe(self, events: Events) -> Observation | None:
        """What the test of ``events`` saw; replayed once more if that is not known here."""
        if self.seen is None or self.seen[0] != events:
            self.replays += 1
            self.test(events)
        return self.seen[1] if self.seen is not None and self.seen[0] == events else None

    def verify(self, events: tuple[int, ...], tests: int) -> bool | None:
        """Whether the slice reproduces the criterion in a fresh process, if that can be tried."""
        if self.stop.over or self.settings.patience.over:
            return None
        self._tell("verifying", tests, 1)
        self.replays += 1
        try:
            with cut_off():
                return self._replay(events, fresh=True) is Outcome.FAIL
        except OutOfTime:
            return None
        except KeyboardInterrupt:
            self.stop.tear()
            return None

    def watch(self, events: tuple[int, ...]) -> Values:
        """What variables hold at ``events``; nothing if looking at them changed the outcome."""
        recording = self.recording
        if not self.settings.watch or self.stop.over or not isinstance(recording, Watching):
            return {}
        if self.settings.patience.left < WATCHING * self.shares.finishing:
            return {}
        self.replays += 1
        try:
            with (
                cut_off(),
                recording.watch(events, strict=self.settings.strict) as (observation, values),
            ):
                return values if self.criterion.judge(observation) is Outcome.FAIL else {}
        except OutOfTime:
            return {}
        except KeyboardInterrupt:
            self.stop.tear()
            return {}

    def compare(self, events: tuple[int, ...]) -> Differences | None:
        """What ``events`` see otherwise than in the recorded run; ``None`` if it is not known."""
        if self.stop.over or not isinstance(self.recording, Comparing):
            return None
        if self.settings.patience.left < faithful.COMPARING * self.shares.finishing:
            return None
        self.looks += 1
        try:
            with cut_off():
                return faithful.differences(self.recording, events, strict=self.settings.strict)
        except (NotReducible, OutOfTime):
            return None
        except KeyboardInterrupt:
            self.stop.tear()
            return None

    def _replay(self, events: Sequence[int], *, fresh: bool = False) -> Outcome:
        modes = {"strict": self.settings.strict, "same": self.settings.same}
        judged = faithful.judged(self.recording, self.criterion, events, fresh=fresh, **modes)
        outcome, seen = judged
        if modes["same"] and (outcome is Outcome.FAIL or seen.end is End.DIFFERED):
            self.looks += 1
        self.seen = tuple(events), seen
        self.undecided.hear(tuple(events), seen, outcome)
        return outcome

    def note(self, event: TestEvent[int]) -> None:
        """Log a test and tell the progress."""
        if event.cached:
            return
        self.undecided.count(event.configuration, event.outcome)
        kept = len(event.configuration)
        ranges = to_ranges(event.configuration) if self.room > 0 else None
        if ranges is not None:
            self.room -= len(ranges)
        self.log.append(LogEntry(event.number, event.outcome, kept, ranges))
        if event.outcome is Outcome.FAIL and kept < self.best:
            self.best = kept
            self.last_reduction = event.number
        # A whole ddmin around k events that brings nothing takes up to 4k tests.
        done = event.number - self.last_reduction
        self._tell("searching", event.number, max(1, 4 * self.best - done))

    def _tell(self, stage: str, tests: int, to_do: int) -> None:
        if self.progress is not None:
            self.progress(
                Progress(
                    name=self.criterion.name,
                    stage=stage,
                    tests=tests,
                    best=self.best,
                    of=self.size,
                    to_do=to_do,
                    seconds=time.monotonic() - self.started,
                    stopping=self.stop.requested,
                )
            )
