"""The search for causes in two runs: moments, states, isolations, the chain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from stripe.backend import Observation, Witnessed
from stripe.campaign.campaign import Campaign
from stripe.campaign.provenance import Basis, environment
from stripe.checks import Check, default_check
from stripe.dd import Configuration, Outcome
from stripe.errors import NotReducible, UsageError
from stripe.results import causes as model
from stripe.results.causes import CausesResult, Change, Shown
from stripe.results.formats import CAUSES
from stripe.results.searches import Tests
from stripe.sandbox.reads import digest
from stripe.snapshots import Backtrace, Following, Moment, Run, Snapshot
from stripe.states.chain import Chain, spread
from stripe.states.explanation import cause_told, ending, passages
from stripe.states.goals import Aim, Goal
from stripe.states.isolation import Cause, Isolation, Reached
from stripe.states.judge import NEITHER, judges_of
from stripe.states.links import Link, link_between
from stripe.states.moments import Match, Places, matches
from stripe.states.sameness import Sameness

if TYPE_CHECKING:
    from stripe.states.remote import RemoteTest

MOMENTS = 20_000
"""Moments of a run that are looked at."""

SAMPLE = 24
"""Moments whose states are taken in one run, spread over the run."""

PROBES = 24
"""Moments that are tried from the end of a run on."""

ALIKE = 0.25
"""The likeness of runs below which it is told that they have little in common."""

LATE = 0.5
"""The share of moments after which it is told that nothing differs before."""


class Search:
    """Both runs, the moments they have in common, and what is found there.

    - ``likeness``: how much of both runs is in both, from 0.0 to 1.0 (Dice's coefficient)
    - ``notes``: what is to be told beside the answer
    """

    def __init__(self, failing: Run, passing: Run, check: Check | None, campaign: Campaign) -> None:
        self.failing, self.passing, self.campaign = failing, passing, campaign
        with failing.looked(MOMENTS) as (observation, moments):
            self.check = check or default_check(observation)
            criterion = self.check.reference(observation)
            facts, end = _facts("failing", observation, moments), ending(observation)
        with passing.looked(MOMENTS) as (observation, others):
            self.judges = judges_of(self.check, criterion, observation)
            facts |= _facts("passing", observation, others)
            self.ends = end, ending(observation)
        self.facts = facts
        self.remote: Callable[[int, Aim | None, Configuration[int]], RemoteTest] | None
        self.remote = None
        self.moments: Sequence[tuple[Moment, Backtrace]] = moments
        self.cut = len(moments) >= MOMENTS or len(others) >= MOMENTS
        self.matches = matches(moments, others)
        self.likeness = 2 * len(self.matches) / max(1, len(moments) + len(others))
        self.notes: list[str] = []
        self._places = Places(others)
        self._sameness = Sameness(failing, passing)
        self._states: dict[tuple[bool, Moment], Snapshot] = {}
        self._isolations: dict[int, Isolation | None] = {}
        self._found: dict[int, Isolation] = {}
        self.chain = Chain(self._cause, self._same, lambda: campaign.over)

    @property
    def mark(self) -> str:
        """Equal where both runs do the same, on whatever machine."""
        contents = {
            each
            for run in (self.failing, self.passing)
            if isinstance(run, Witnessed)
            for each in run.reads.stamps.items()
            if each[1].startswith("content ")
        }
        return _digest((self.facts, sorted(contents), self.check.spec))

    def basis(self, ours: Iterable[str] = ()) -> Basis:
        """All that the outcomes of tests rest on."""
        found, reads, unseen = self.facts | environment(), dict[str, str](), ""
        for run in (self.failing, self.passing):
            if not isinstance(run, Witnessed):
                return Basis(found, ours=frozenset(ours))
            found |= run.facts
            reads.update(run.reads.stamps)
            unseen = unseen or run.reads.unseen
        assert isinstance(self.failing, Witnessed)
        reads.update((path, self.failing.stamp(path)) for path in self.check.files)
        return Basis(found, reads, unseen, self.failing.stamp, frozenset(ours))

    def run(self, at: Moment | None) -> None:
        """Search, at one moment or along the run."""
        if at is not None:
            index = self._index(at)
            if self.chain.cause(index) is None and not self.campaign.over:
                raise _no_cause(self._at(index), f"at {at}", self.campaign)
            return
        sample = spread(range(len(self.matches)), SAMPLE)
        self._sample(sample)
        first = next((each for each in sample if self._usable(each)), None)
        if first is None:
            if self.campaign.over:
                return
            raise _no_cause(None, "at any moment that both runs come to", self.campaign)
        place = sample.index(first)
        low = sample[place - 1] if place else first - 1
        while first - low > 1:  # it may be usable before the sample shows it
            middle = (low + first) // 2
            low, first = (low, middle) if self._usable(middle) else (middle, first)
        self.chain.search(first, self._last(range(first, len(self.matches))))
        self.chain.prove(self._link, self._following, self._causing)

    def _last(self, later: Sequence[int]) -> int:
        """About the last moment that can be used; the first of them can.

        Not every one before can: what a loop goes over may be in no variable. So some are tried
        from the end on, and then those behind the first of these that can.
        """
        probes = spread(later, PROBES)
        for number in range(len(probes) - 1, -1, -1):
            if number == 0 or self._usable(probes[number]):
                low = probes[number]
                high = probes[number + 1] if number + 1 < len(probes) else low + 1
                break
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._usable(middle) else (low, middle)
        return low

    def result(self, program: str, failing: str, passing: str, directory: Path) -> CausesResult:
        """The answer."""
        chain = self.chain.found
        number = {id(cause): number for number, cause in enumerate(chain)}
        campaign = self.campaign
        failed, passed = self.ends
        return CausesResult(
            format="stripe-causes-result",
            version=CAUSES.version,
            program=program,
            failing=model.Run(failing, failed),
            passing=model.Run(passing, passed),
            check=self.check.spec,
            chain=tuple(map(cause_told, chain)),
            transitions=tuple(
                model.Transition(number[id(each.before)], number[id(each.after)], each.direct)
                for each in self.chain.transitions
            ),
            links=tuple(
                model.Link.copy_of(
                    each, before=number[id(each.before)], after=number[id(each.after)]
                )
                for each in self.chain.links
            ),
            moments=len(self.moments),
            matched=len(self.matches),
            code=tuple(passages(chain, directory)),
            counts=Tests.counted(campaign.counts, campaign.cached, campaign.store.resumed),
            undecided=dict(campaign.unresolved.counts),
            certified=not campaign.over and all(each.certified for each in chain),
            stopped=campaign.reason,
            seconds=campaign.seconds,
            notes=tuple(self._notes()),
        )

    def _notes(self) -> list[str]:
        notes = [*self.failing.notes, *self.notes]
        if self.likeness < ALIKE:
            notes.append(
                f"The runs have little in common: {len(self.matches):,} of {len(self.moments):,} "
                "moments of the failing run are in the passing one, too. What happens only in one "
                "of them is in no chain, and variables may differ for reasons of their own: a "
                "--pass input that is more like --fail tells more."
            )
        if 2 * self.campaign.unresolved.counts.get(NEITHER, 0) > self.campaign.tests:
            notes.append(
                f"The check {self.check.spec!r} could not tell what most tests came to, as values "
                "of two inputs were mixed: more variables may be told than matter. One for what is "
                "wrong with any input tells more: --check 'cmd:COMMAND' fails where the command "
                "ends with 0."
            )
        if alike := self._alike():
            notes.append(alike)
        if self.cut:
            notes.append(f"Only the first {MOMENTS:,} lines of a run are looked at.")
        unseen: dict[str, int] = {}
        refused: dict[str, None] = {}
        for isolation in filter(None, self._isolations.values()):
            for state in isolation.states:
                for kind, count in state.unseen.items():
                    unseen[kind] = max(count, unseen.get(kind, 0))
            for delta in isolation.groups.left_out:
                refused.setdefault(delta.name)
        if unseen:
            told = ", ".join(f"{count} {kind}" for kind, count in sorted(unseen.items()))
            notes.append(f"Not looked into, and never changed: {told}.")
        if refused:
            some = list(refused)
            more = f" and {len(some) - 5} more" if len(some) > 5 else ""
            notes.append(
                f"Different, but cannot be made in the other run: {', '.join(some[:5])}{more}."
            )
        return notes

    def _alike(self) -> str | None:
        """That the runs are the same for long, so that a mistake that both make is in no chain."""
        first = min(self._found, default=0)
        same = [
            index
            for index, each in self._isolations.items()
            if index < first and each is not None and not each.difference.deltas
        ]
        if not same or max(same) < LATE * len(self.matches):
            return None
        return (
            f"No variable that can be looked into differs at {self.matches[max(same)].failing}, "
            f"behind {max(same):,} of {len(self.matches):,} moments: what was computed until then "
            "is the same in both runs, right or wrong. If the mistake is there, both make it, and "
            "the chain begins where it first matters; a --pass input with which the program does "
            "otherwise earlier shows more."
        )

    # --- inside

    def _index(self, at: Moment) -> int:
        for index, match in enumerate(self.matches):
            if match.failing == at:
                return index
        there = any(moment == at for moment, _ in self.moments)
        raise UsageError(
            "no-moment",
            f"The failing run comes to {at}, but the passing run is never there with the same "
            "calls on the stack."
            if there
            else f"The failing run never comes to {at}.",
            "Name another line, or the n-th time it is executed: --at FILE:LINE#N.",
        )

    def _sample(self, indices: Sequence[int]) -> None:
        """Look at states, all in one run.

        Raises:
            BudgetExhausted: there was no time for it, or it was cut off.
        """
        for run, which in ((self.passing, False), (self.failing, True)):
            wanted = [
                moment
                for index in indices
                if (which, moment := self._moment(index, which)) not in self._states
            ]
            if wanted:
                with self.campaign.running():
                    found = run.states(wanted)
                self._states.update({(which, moment): state for moment, state in found.items()})

    def _moment(self, index: int, failing: bool) -> Moment:
        match = self.matches[index]
        return match.failing if failing else match.passing

    def _at(self, index: int) -> Isolation | None:
        if index not in self._isolations:
            self._sample([index])
            match: Match = self.matches[index]
            passing = self._states.get((False, match.passing))
            failing = self._states.get((True, match.failing))
            self._isolations[index] = (
                None
                if passing is None or failing is None
                else Isolation(
                    self.passing,
                    match,
                    passing,
                    failing,
                    self.judges,
                    self.campaign,
                    self.remote and partial(self.remote, index),
                )
            )
        return self._isolations[index]

    def _usable(self, index: int) -> bool:
        isolation = None if self.campaign.over else self._at(index)
        return isolation is not None and isolation.usable()

    def _cause(self, index: int) -> Cause | None:
        return self._isolated(index, self._at(index))

    def _isolated(self, index: int, isolation: Isolation | None) -> Cause | None:
        cause = None if isolation is None else isolation.isolate()
        if isolation is not None and cause is not None:
            self._found[index] = isolation
        return cause

    def _same(self, one: int, other: int) -> bool:
        pairs = [(self.chain.cause(each), self._found[each]) for each in (one, other)]
        (a, at), (b, there) = pairs
        return a is not None and b is not None and self._sameness.same((a, at), (b, there))

    def _aiming(self, index: int, later: int) -> Isolation | None:
        """The states at a moment, for tests of what comes of them at a later one.

        ``None``: the runs cannot tell.
        """
        there, cause = self._found[later], self.chain.cause(later)
        if cause is None or not isinstance(self.passing, Following):
            return None
        aim = Aim(
            later,
            tuple(each.path for each in cause.variables),
            tuple(each.change is Change.ADJUST for each in cause.variables),
        )
        return self._found[index].aiming(self._goal(index, aim, there))

    def _goal(self, index: int, aim: Aim, there: Isolation) -> Goal:
        later = self._places.later(self.matches[index].passing, there.match)
        return Goal(aim, later, there.graphs[1])

    def asked(self, index: int, aim: Aim | None, base: Configuration[int]) -> Isolation:
        """The same question as in another process: see :class:`Isolation`."""
        isolation = self._at(index)
        there = None if aim is None else self._at(aim.index)
        assert isolation is not None, "its states were the same"
        if aim is None or there is None:
            return isolation.among(base, range(isolation.size))
        return isolation.aiming(self._goal(index, aim, there))

    def _reached(self, index: int, aiming: Isolation) -> list[Reached] | None:
        """Where the runs come to between which a cause was found."""
        found = []
        for each in self._found[index].ends or ():
            reached = self.campaign.attempt(partial(aiming.reached, each))
            if reached is None:
                return None
            found.append(reached)
        return found

    def _link(self, index: int, later: int) -> Link | None:
        """Whether the cause at a moment causes that at a later one."""
        aiming, ends = self._aiming(index, later), self._found[index].ends
        before, after = self.chain.cause(index), self.chain.cause(later)
        if aiming is None or ends is None or before is None or after is None:
            return None
        outcomes = [self.campaign.test(aiming.problem, each) for each in ends]
        if None in outcomes:
            return None
        if outcomes == [Outcome.PASS, Outcome.FAIL]:
            return Link(before, after, Shown.VALUES)
        reached = self._reached(index, aiming)
        if reached is None or aiming.goal is None:
            return None
        return link_between(before, after, aiming.goal, *(each.state for each in reached))

    def _following(self, index: int, later: int) -> Cause | None:
        """What the cause at a moment changes at a later one, and causes the failure there."""
        aiming, there = self._aiming(index, later), self._at(later)
        reached = None if aiming is None else self._reached(index, aiming)
        if reached is None or there is None:
            return None
        without, within = (each.state for each in reached)
        if without is None or within is None:
            return None
        return self._isolated(later, there.among(there.made(without), there.made(within)))

    def _causing(self, index: int, later: int) -> Cause | None:
        """What changes the cause at a later moment."""
        return self._isolated(index, self._aiming(index, later))


def _facts(
    name: str, observation: Observation, moments: Sequence[tuple[Moment, Backtrace]]
) -> dict[str, str]:
    seen = observation
    return {
        f"what the {name} run printed": _digest((seen.stdout, seen.stderr)),
        f"how the {name} run ended": _digest((seen.end.name, seen.status, seen.exception)),
        f"the lines that the {name} run executed": _digest(moments),
    }


def _digest(what: object) -> str:
    return digest(repr(what).encode("utf-8", "backslashreplace"))


NOT_MADE = "the state cannot be made: "
"""What a test comes to where a backend cannot change a program's state."""


def _no_cause(isolation: Isolation | None, where: str, campaign: Campaign) -> NotReducible:
    not_made = {
        why: times for why, times in campaign.unresolved.counts.items() if why.startswith(NOT_MADE)
    }
    if 2 * sum(not_made.values()) > campaign.tests:
        why = max(not_made, key=not_made.__getitem__).removeprefix(NOT_MADE)
        return NotReducible(
            "states-not-made",
            f"Whether a state of the failing run makes the passing one fail could not be tried "
            f"{where}: {why.rstrip('.')}.",
            "That says nothing of the program. For native programs another gdb may do it: gdb 13 "
            "cannot call functions on processors with AMX.",
        )
    equal = isolation is not None and not isolation.difference.deltas
    return NotReducible(
        "no-cause",
        f"Both states are equal {where}."
        if equal
        else f"No state of the failing run makes the passing one fail, {where}.",
        "The cause is not in variables that can be seen and changed there: perhaps in files, in "
        "what was printed already, or in objects of C. Another --at, or another --pass that is "
        "more like --fail, may help.",
    )
