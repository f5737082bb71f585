"""The replays of one recording that one criterion judges: tests, and what follows a search."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from stripe.backend import (
    Comparing,
    Differences,
    End,
    Observation,
    Recording,
    Values,
    Watching,
)
from stripe.campaign.campaign import Campaign
from stripe.campaign.outcome_store import OutcomeStore
from stripe.campaign.parallel import beside
from stripe.campaign.problem import Problem
from stripe.campaign.progress import ProgressListener
from stripe.checks import Criterion
from stripe.dd import Budget, Journal, Outcome
from stripe.errors import NotReducible
from stripe.index_set import packed
from stripe.interrupts import StopFlag
from stripe.reduce import value_check
from stripe.reduce.passes import OUTCOMES, PREDICTION
from stripe.reduce.reasons import reason
from stripe.reduce.settings import Settings
from stripe.reduce.slice_dependences import is_large

if TYPE_CHECKING:  # only a search with an executor needs it
    from stripe.reduce.remote import Remote

type Events = tuple[int, ...]

WATCHING = 3.0
"""How many times as long as a replay one takes that looks at variables."""


LOOKING_SHARE = 0.2
"""Of the time for a search, so much at most is kept for looking at variables after it."""


def kept_back(finishing: float, left: float, *, watch: bool) -> float:
    """Seconds of those ``left`` that a search keeps for what follows it.

    ``finishing``: what a replay and a report take; ``watch``: variables are looked at, too.
    """
    looking = finishing * (1.0 + WATCHING)
    return looking if watch and looking <= LOOKING_SHARE * left else finishing


class Replays:
    """Replays, judged and counted, and the campaign in which they are tests.

    - ``problem``: which events can be left out
    - ``made``: replays that are no tests of a search; ``looks``: those that were compared
    - ``finishing``: seconds that one takes, and what follows it, about
    """

    def __init__(
        self,
        recording: Recording,
        criterion: Criterion,
        settings: Settings,
        share: Budget,
        *,
        stop: StopFlag,
        journal: Journal[int] | None = None,
        progress: ProgressListener | None = None,
        remote: Remote | None = None,
        finishing: float = 0.0,
    ) -> None:
        self.recording = recording
        self.criterion = criterion
        self.campaign = Campaign(
            criterion.name,
            budget=share,
            store=OutcomeStore(journal, remember=False),
            stop=stop,
            jobs=settings.jobs,
            executor=remote.executor if remote else None,
            progress=progress,
            cache=OUTCOMES not in settings.without,
        )
        self.made = 0
        self.looks = 0
        self.finishing = finishing
        self._settings = settings
        self._seen: tuple[Events, Observation] | None = None  # by the latest test here
        self.strict = settings.strict
        trace, strict = recording.trace, settings.strict
        there = (
            remote.test(recording, criterion, strict=strict, same=settings.same) if remote else None
        )
        self.problem = Problem(
            range(len(trace)),
            self.test,
            noun="events",
            remote=there,
            predict=None if PREDICTION in settings.without else self._without_its_event(),
            prepare=None if there is None else there.prepare,
            close=lambda events: trace.close(events, control=strict),
            cancel=recording.cancel,
            cancel_remote=None if there is None else there.cancel,
        )

    def _without_its_event(self) -> Callable[[Sequence[int]], Outcome | None] | None:
        """What is known of configurations without the event that raised the exception in question.

        That event is part of the behaviour (rule 1 of :mod:`stripe.checks.check`): what
        another one raises, or nobody known, is another exception.  So callers need no test each, of
        which there are a thousand in a recursion without end.
        """
        raised = self.criterion.recorded.exception
        if not self.criterion.check.of_exception or raised is None or raised.event is None:
            return None
        event = raised.event

        def predict(configuration: Sequence[int]) -> Outcome | None:
            place = bisect_left(configuration, event)
            there = place < len(configuration) and configuration[place] == event
            return None if there else Outcome.UNRESOLVED

        return predict

    def test(self, events: Events) -> Outcome:
        """Run one configuration and judge it."""
        return self._judge(events)

    def observe(self, events: Events) -> Observation | None:
        """What the test of ``events`` saw; replayed once more if that is not known here."""
        if self._seen is None or self._seen[0] != events:
            self.made += 1
            with self.campaign.running():
                self.test(events)
        return self._seen[1] if self._seen is not None and self._seen[0] == events else None

    # --- once a slice was found; each is None where it could not be done

    def conclude(self, events: Events) -> tuple[bool | None, Differences | None, Values | None]:
        """Verify a slice, compare it with the run, and look at its variables."""
        with beside(self.campaign) as start:
            self._attempt(partial(self.campaign.tell, "verifying", self.problem))
            verified = start(partial(self.verify, events))
            self._settings.deadline.tell("comparing the slice with the run")
            others = start(partial(self.compare, events))
            values = start(partial(self.watch, events))
        return verified(), others(), values()

    def verify(self, events: Events) -> bool | None:
        """Whether the slice reproduces the criterion in a fresh process."""

        def again() -> bool:
            self.made += 1
            return self._judge(events, fresh=True) is Outcome.FAIL

        return self._attempt(again)

    def watch(self, events: Events) -> Values | None:
        """What variables hold at ``events``, if looking at them did not change the outcome."""
        recording = self.recording
        if not self._settings.watch or not isinstance(recording, Watching) or is_large(events):
            return None

        def look() -> Values | None:
            self.made += 1
            with recording.watch(events, strict=self.strict) as (observation, values):
                fails = self.criterion.judge(observation) is Outcome.FAIL
                return values if fails else None

        return self._attempt(look, WATCHING)

    def compare(self, events: Events) -> Differences | None:
        """What ``events`` see otherwise than in the recorded run."""
        recording = self.recording
        if not isinstance(recording, Comparing) or is_large(events):
            return None

        def look() -> Differences:
            self.looks += 1
            return value_check.differences(recording, events, strict=self.strict)

        try:
            return self._attempt(look, value_check.COMPARING)
        except NotReducible:
            return None

    def _attempt[T](self, run: Callable[[], T], replays: float = 0.0) -> T | None:
        """What ``run`` returns, if there is time for something as long as so many replays."""
        deadline = self._settings.deadline
        if deadline.over or deadline.left < replays * self.finishing:
            return None
        return self.campaign.attempt(run)

    def _judge(self, events: Sequence[int], *, fresh: bool = False) -> Outcome:
        modes = {"strict": self.strict, "same": self._settings.same}
        judged = value_check.judged(self.recording, self.criterion, events, fresh=fresh, **modes)
        outcome, seen = judged
        if modes["same"] and (outcome is Outcome.FAIL or seen.end is End.DIFFERED):
            self.looks += 1
        self._seen = packed(events), seen
        if outcome is Outcome.UNRESOLVED:
            self.campaign.unresolved.record(packed(events), reason(seen))
        return outcome
