"""The search for critical slices in a recording."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from stripe import dd
from stripe.backend import (
    Accounted,
    Interpreted,
    OutOfTime,
    Recording,
    Uses,
    Values,
    Varied,
    Witnessed,
)
from stripe.campaign.campaign import Algorithm, exhausted
from stripe.campaign.log import SearchLog
from stripe.campaign.progress import ProgressListener
from stripe.checks import Check, Criterion, default_check
from stripe.dd import Budget, Journal, Outcome, Reason, Tester, minimise
from stripe.errors import NotReducible
from stripe.index_set import packed
from stripe.interrupts import StopFlag, cut_off_search, stop_on_interrupt
from stripe.malloc import give_back
from stripe.reduce import preconditions, value_check
from stripe.reduce.criterion import comparing, criterion_events
from stripe.reduce.guided import Guided
from stripe.reduce.levels import LevelAnswer, LevelListener, Levels
from stripe.reduce.omission import advice, nearly_empty
from stripe.reduce.passes import FORESIGHT, JOURNAL, OUTCOMES, PREDICTION, Passes
from stripe.reduce.passes import LEVELS as BY_LEVELS
from stripe.reduce.replays import Replays, kept_back
from stripe.reduce.result import CriticalSlice, Freer, RecordedRun, Result, Statistics
from stripe.reduce.settings import AUTO, Settings
from stripe.reduce.slice_dependences import MOST, dependences, is_large
from stripe.reduce.unread import dead_values_of, with_values
from stripe.reduce.unreduced import unreduced_slices, values_of_the_run
from stripe.trace import governing
from stripe.trace.dead_values import DeadValue
from stripe.trace.levels import LEVELS

if TYPE_CHECKING:  # only who tests elsewhere needs it
    from stripe.reduce.remote import Remote

LONG = 500_000
"""Events of a run from which on it matters that memory is given back."""

FINISHING = 8e-6
"""Seconds that making a report takes for each event of a trace, about."""

NOT_EXPLAINED = (
    "There was no room, in memory or on the disk, to find out what executions need of each other: "
    "that is not told."
)
"""A note."""

CUT_OFF = "The search was cut off: what executions need of each other is not told."
"""The note in its place where there was no time for it."""

ANALYSING = 4e-6
"""Seconds that finding dependences takes for each event, about, and what they tell."""

EXPLAINING_SECONDS = 1.0
"""Seconds that explaining a slice may take where the time is over."""

AS_IN_THE_RUN_SECONDS = 30.0
"""Seconds, or twice those of the first search, for a slice that nobody asked for by name."""


def reduce(
    recording: Recording,
    checks: Sequence[Check],
    settings: Settings | None = None,
    *,
    command: Sequence[str] = (),
    progress: ProgressListener | None = None,
    remote: Remote | None = None,
    passed: LevelListener | None = None,
    unreduced: Callable[[Result], None] | None = None,
) -> Result:
    """The critical slice of each check; without checks, of the default one.

    With ``remote``, tests are run by its workers, but for the first and the last ones.  ``passed``
    hears of each level that is certified, if the settings ask for levels.  ``unreduced`` hears of
    the recorded run before there is a search, and also where there can be none.

    Raises :class:`~stripe.errors.NotReducible` if a check never matches, the run cannot be
    replayed, or a check holds with nothing kept.  Ctrl-C and used-up budgets end the search
    with the best slices so far, which are not certified then.
    """
    settings = settings or Settings()
    if len(recording.trace) >= LONG:
        give_back()
    if not len(recording.trace):
        raise NotReducible(
            "no-events",
            "No statement of the user's code was executed, so there is nothing to leave out.",
            "Say with --include what else counts as your code.",
        )
    if settings.same:
        value_check.ensure_comparable(recording)
    if settings.without and isinstance(recording, Accounted):
        recording.without = settings.without
    criteria: list[Criterion] = []
    try:
        with settings.deadline.cutting():
            # All references first: their directory is valid until the first replay.
            recorded = recording.recorded
            references = checks or [default_check(recorded)]
            criteria += [check.reference(recorded) for check in references]
            settings.deadline.start_phase("replaying all of it")
            one = time.monotonic()
            preconditions.ensure_reproducible(recording, criteria, strict=settings.strict)
            one = time.monotonic() - one
            settings.deadline.start_phase("replaying it with nothing kept")
            control = preconditions.ensure_not_trivial(recording, criteria, strict=settings.strict)
    except NotReducible as error:
        if unreduced is not None and criteria:
            whole = unreduced_slices(recording, criteria, settings, error.message)
            unreduced(_result(recording, settings, whole, command))
        raise
    held: Values = {}
    if unreduced is not None:
        whole = unreduced_slices(recording, criteria, settings)
        unreduced(_result(recording, settings, whole, command))
        if whole[0].values:  # what sees the same sees that: none of it is looked at again
            held, settings = whole[0].values, replace(settings, watch=False)
    slices: list[CriticalSlice] = []
    with stop_on_interrupt() as stop:
        budget = settings.budget()
        finishing = one + FINISHING * len(recording.trace)
        search = SliceSearch(
            recording, settings, stop, progress, remote, finishing, passed, control
        )
        for number, criterion in enumerate(criteria):
            parts = len(criteria) - number
            left = settings.deadline.left / parts
            share = budget.share(parts, keep=kept_back(finishing, left, watch=settings.watch))
            found = search.run(criterion, share)
            if held and (found.same or found.others == {}):
                kept = {event: held[event] for event in found.events if event in held}
                found = replace(found, values=kept)
            slices.append(found)
        unread = search.dead_values(criteria, slices, held)
    return replace(_result(recording, settings, slices, command, search), dead_values=unread)


def _result(
    recording: Recording,
    settings: Settings,
    slices: Sequence[CriticalSlice],
    command: Sequence[str],
    search: SliceSearch | None = None,
) -> Result:
    """What is answered; without a ``search``, none was made."""
    recorded = recording.recorded
    return Result(
        command=tuple(command),
        control=settings.control,
        values=settings.values,
        algorithm=settings.algorithm,
        trace=recording.trace,
        slices=tuple(slices),
        notes=(*recording.notes, *(search.notes if search else ())),
        statistics=Statistics(
            plain_seconds=recording.plain.seconds,
            recorded_seconds=recorded.seconds,
            total_seconds=settings.deadline.elapsed,
            replays=preconditions.replays(recording) + search.replays if search else 0,
            uses=search.uses if search else {},
        ),
        recorded=RecordedRun.from_observation(
            recorded, recording.unwritten if isinstance(recording, Varied) else ""
        ),
        sandbox=recording.layer.value,
        interpreter=recording.interpreter if isinstance(recording, Interpreted) else "",
    )


@dataclass
class SliceSearch:
    """The searches for all criteria; ``replays`` is how many they took, ``notes`` what to know.

    ``control``: what came of their control, if it did not come out as it had to.
    """

    recording: Recording
    settings: Settings
    stop: StopFlag
    progress: ProgressListener | None = None
    remote: Remote | None = None
    finishing: float = 0.0
    passed: LevelListener | None = None
    control: str = ""
    replays: int = 0
    notes: list[str] = field(default_factory=list)
    served: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)

    @property
    def uses(self) -> Uses:
        """How often fast paths and caches served, of the searches and of the recording."""
        own = {name: (self.served[name], self.missed[name]) for name in self.served}
        if isinstance(self.recording, Accounted):
            own.update(self.recording.uses())
        return own

    def run(self, criterion: Criterion, share: Budget) -> CriticalSlice:
        """Search; if values that never were take part in what was found, with the run's own."""
        settings = self.settings
        found = self.find(criterion, share, settings)
        if not (
            settings.goes_on
            and not criterion.check.hang  # a loop goes on by its condition, whatever else it sees
            and found.certified
            and found.others
            and value_check.reach_the_end(
                self.recording.trace,
                found.events,
                found.dependences,
                found.others,
                comparing(self.recording.trace, criterion),
            )
        ):
            return found
        settings.deadline.tell("searching on, with the values of the run")
        notes = len(self.notes)
        most = max(AS_IN_THE_RUN_SECONDS, 2 * found.seconds)
        same = replace(settings, values="same")
        try:
            again = self.find(criterion, share.share(1, most=most), same)
        except NotReducible as error:
            if error.slug != "values-unknown":
                raise
            why = f"That they keep those of the run could not be asked for. {error.message}"
        else:
            if again.certified:
                return replace(again, freer=Freer(found.events, found.tests))
            why = (
                f"With those of the run {len(again.events):,} executions were left when the "
                "search for that ended early. To let it come to its end: --values same."
            )
        del self.notes[notes:]
        self.notes.append(
            f"In the slice for {criterion.name!r} kept executions saw other values than in the "
            f"run. {why}"
        )
        return found

    def find(self, criterion: Criterion, share: Budget, settings: Settings) -> CriticalSlice:
        """Search, certify, verify; what was tested is on disk until the end is reached."""
        journals = settings.journals
        if journals is None:
            return self.search(criterion, share, settings, None)
        with journals.open(
            self.recording, criterion, strict=settings.strict, same=settings.same
        ) as journal:
            if journal is not None and journal.refused:
                self.notes.append(
                    f"The journal for {criterion.name!r} is of another run: "
                    f"{journal.refused}. The search began anew."
                )
            elif journals.resume and not journal:
                self.notes.append(
                    f"There was no unfinished search for {criterion.name!r} to resume."
                )
            elif journals.resume and self.unseen:
                self.notes.append(
                    "It cannot be seen here which files outside of the working directory a run "
                    f"reads ({self.unseen}): that one of them has changed would "
                    "not be noticed. The certificate is made anew in any case."
                )
            found = self.search(criterion, share, settings, journal)
            if journal is not None and found.resumed and found.verified is False:
                # What the recorded run did not read, replays may have read.
                self.notes.append(
                    f"What the search before found out about {criterion.name!r} does not hold "
                    "any more. The search began anew."
                )
                journal.forget()
                found = self.search(criterion, share, settings, journal)
            if journal is not None and found.stopped is Reason.FINISHED:
                journal.finish()
        return found

    @property
    def unseen(self) -> str:
        """Why it is not known what the run read, if it is not."""
        return self.recording.reads.unseen if isinstance(self.recording, Witnessed) else ""

    def search(
        self,
        criterion: Criterion,
        share: Budget,
        settings: Settings,
        journal: Journal[int] | None,
    ) -> CriticalSlice:
        """Search, certify, verify."""
        trace, control = self.recording.trace, settings.strict
        replays = Replays(
            self.recording,
            criterion,
            settings,
            share,
            stop=self.stop,
            journal=journal,
            progress=self.progress,
            remote=self.remote,
            finishing=self.finishing,
        )
        campaign = replays.campaign
        log = SearchLog()
        passes = Passes(len(trace), settings.without)
        levels: list[LevelAnswer] = []
        result = campaign.search(
            replays.problem,
            self.algorithm(replays, levels, passes),
            listeners=[log.record, passes.record],
        )
        done = passes.done() if self.settings.algorithm == AUTO else ()
        at = campaign.level or LEVELS[-1]
        campaign.level = ""
        events = packed(result.configuration)
        verified, others, watched = replays.conclude(events)
        values = value_check.as_recorded(watched or {}, others)
        statistics = result.statistics
        self.account(statistics)
        self.settings.deadline.tell("following dependences")
        self.replays += campaign.tests + statistics.speculated + replays.made + replays.looks
        # A smaller configuration that fails shows as well that leaving out works.  Where the time
        # is over, the control may have been cut off: that tells nothing of the program.
        shown = len(events) < len(trace) or statistics.passed or result.reason is Reason.MAX_TIME
        powerless = "" if shown else self.control
        # What does not reproduce itself proves nothing: the tests were not of one program.
        certified = result.certified and not powerless and verified is not False
        self.note_size(criterion.name, events, surprising=certified and not control)
        return CriticalSlice(
            name=criterion.name,
            check=criterion.check.spec,
            events=events,
            of=len(trace),
            outcomes={
                Outcome.FAIL: statistics.failed,
                Outcome.PASS: statistics.passed,
                Outcome.UNRESOLVED: statistics.unresolved,
            },
            cached=statistics.hits,
            resumed=statistics.resumed,
            certified=certified,
            untried=powerless,
            tried=() if certified else packed(result.tried),
            stopped=result.reason,
            verified=verified,
            seconds=campaign.seconds,
            log=tuple(log.entries),
            evidence=criterion.evidence,
            dependences=self.explained(lambda: dependences(trace, events, control=control)),
            values=values,
            shown=criterion.shown,
            symptom=tuple(sorted({*criterion_events(trace, criterion)}.intersection(events))),
            governing=() if control else self.explained(lambda: governing(trace, events)),
            undecided=campaign.unresolved.counts,
            others=others,
            looks=replays.looks,
            same=settings.same,
            level=at,
            levels=tuple(levels),
            passes=done,
        )

    def note_size(self, name: str, events: Sequence[int], *, surprising: bool) -> None:
        """Tell of a slice that is too large to explain, or nearly empty, if ``surprising``."""
        if is_large(events):
            self.notes.append(
                f"What executions see and need of each other is told of slices of up to {MOST:,}: "
                f"that for {name!r} has {len(events):,}."
            )
        if surprising and nearly_empty(self.recording.trace, events):
            self.notes.append(advice(name))

    def account(self, statistics: dd.Statistics) -> None:
        """Count how often fast paths and caches of a search served."""
        tests, hits, predicted = statistics.tests, statistics.hits, statistics.predicted
        for name, served, missed in (
            (PREDICTION, predicted, tests),
            (FORESIGHT, statistics.foreseen, statistics.speculated),
            (OUTCOMES, hits - min(predicted, hits), tests),
            (JOURNAL, statistics.resumed, tests - statistics.resumed),
        ):
            self.served[name] += served
            self.missed[name] += missed

    def dead_values(
        self, criteria: Sequence[Criterion], slices: Sequence[CriticalSlice], held: Values
    ) -> tuple[DeadValue, ...]:
        """What the recorded run computed and nothing read, with its values if there is time.

        ``held``: what variables held in the whole run, if that is known; else a replay tells.
        """
        recording, settings = self.recording, self.settings
        symptom = [event for each in slices for event in each.symptom]
        found = self.explained(lambda: dead_values_of(recording, symptom), "")
        if held:
            return with_values(found, held)
        if not found or settings.deadline.over or is_large(recording.trace.statement):
            return found

        def look() -> tuple[DeadValue, ...]:
            watching = replace(settings, watch=True)  # few runs have any, and it is one replay
            return with_values(found, values_of_the_run(recording, criteria, watching))

        return self.explained(look, "") or found

    def explained[T](
        self, explain: Callable[[], tuple[T, ...]], why: str = CUT_OFF
    ) -> tuple[T, ...]:
        """What explains a slice, which counts more: nothing if there is no room or time for it.

        ``why`` is the note where there is no time; empty: none.
        """
        deadline = self.settings.deadline
        try:
            # A search that is asked to end has half a second, with this: see stripe.interrupts.
            with cut_off_search(), deadline.cutting(deadline.late + EXPLAINING_SECONDS):
                if not self.stop.over:
                    return explain()
        except OutOfTime:
            pass
        except KeyboardInterrupt:
            if not self.stop.over:
                raise
        except (MemoryError, OSError) as error:
            if exhausted(error) is None:
                raise
            why = NOT_EXPLAINED
        if why and why not in self.notes:
            self.notes.append(why)
        return ()

    def algorithm(
        self, replays: Replays, levels: list[LevelAnswer], passes: Passes
    ) -> Algorithm[int]:
        """The algorithm of the settings, through the levels they ask for; these are filled in."""
        name, goal = self.settings.algorithm, self.settings.level
        campaign = replays.campaign

        def search(deltas: Sequence[int], tester: Tester[int]) -> dd.Result[int]:
            guided: Guided | None = None
            if name == AUTO:
                self.settings.deadline.tell("following dependences")
                guided = Guided(
                    self.recording.trace,
                    replays.criterion,
                    control=self.settings.strict,
                    observe=lambda events: replays.observe(tester.closed(events)),
                    hold=lambda size: campaign.hold(ANALYSING * size),
                    passes=passes,
                    max_idle=self.settings.max_idle,
                )
            if goal is not None:
                with passes.entered(BY_LEVELS):
                    found = minimise(
                        deltas, tester, self.levels(replays, goal, guided, levels).descend,
                        check=False, certify=False,
                    )  # fmt: skip
                if found.reason is not Reason.FINISHED or goal != LEVELS[-1]:
                    return found
                campaign.level = LEVELS[-1]
                deltas = found.configuration
            if guided is not None:
                return guided.reduce(deltas, tester)
            return dd.ALGORITHMS[name](deltas, tester, check=False)

        return search

    def levels(
        self, replays: Replays, goal: str, guided: Guided | None, answers: list[LevelAnswer]
    ) -> Levels:
        """The way through the levels, whose answers are added to ``answers``."""

        def begin(level: str) -> None:
            replays.campaign.level = level

        def passed(answer: LevelAnswer) -> None:
            answers.append(answer)
            if self.passed is not None:
                self.passed(replays.criterion.name, answer)

        trace, name = self.recording.trace, self.settings.algorithm
        return Levels(trace, goal, name, guided, self.settings.strict, begin, passed)
