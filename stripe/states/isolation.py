"""Which differences between two states at a moment cause the failure (Why Programs Fail, A.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stripe.backend import End, Observation
from stripe.campaign.campaign import Campaign
from stripe.campaign.problem import Problem
from stripe.dd import Configuration, Outcome, dd, ddmin
from stripe.results import causes as model
from stripe.results.causes import Change
from stripe.snapshots import Alteration, Following, Run, Snapshot
from stripe.states.application import applied, plan
from stripe.states.debugger_commands import debugger_commands
from stripe.states.deltas import differences
from stripe.states.goals import Aim, Goal, equal
from stripe.states.graph import Graph, Operation, ways_apart
from stripe.states.groups import Groups
from stripe.states.judge import NEITHER, Judges
from stripe.states.moments import Match
from stripe.states.overlay import overlay
from stripe.states.snapshots import alteration, graph_of

if TYPE_CHECKING:
    from stripe.states.remote import RemoteTest

ELSEWHERE = "it failed or passed, but with other values at a later moment"
"""Why one is that is to bring these about."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable that is a cause: its name at the moment, and its values in both runs.

    ``path``: the way to it, in the failing state, of what is deleted in the passing one.
    """

    name: str
    change: Change
    before: str
    after: str
    path: tuple[Operation, ...] = ()


@dataclass(frozen=True, slots=True)
class Cause:
    """What ``dd`` isolates at a moment: the relevant delta.

    - ``variables``: changed in the passing run, where those of the ``context`` are changed already,
      they make the difference between passing and failing
    - ``certified``: no single one of them can be left out, nor be added alone without the failure
    - ``graph``: both states, to be drawn
    - ``by_hand``: the change as commands of a debugger
    """

    match: Match
    variables: tuple[Variable, ...]
    context: tuple[Variable, ...]
    deltas: int
    certified: bool
    graph: model.Graph = field(repr=False)
    by_hand: model.DebuggerCommands | None = None


type Remote = Callable[[Aim | None, Configuration[int]], RemoteTest]
"""Makes the test that can be sent, for an aim and what is applied in every test."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The state that a run has come to, if it has."""

    state: Graph | None


class Isolation:
    """The two states at a moment, and tests of what lies between.

    - ``goal``: to fail, a run must also bring it about; where one comes to is in ``later``, by
      configuration
    - ``base``: differences that are applied in every test, and do not count
    - ``ends``: the two configurations, with these, between which the cause was found
    """

    def __init__(
        self,
        run: Run,
        match: Match,
        passing: Snapshot,
        failing: Snapshot,
        judges: Judges,
        campaign: Campaign,
        remote: Remote | None = None,
    ) -> None:
        self.run, self.match, self.judges, self.campaign = run, match, judges, campaign
        self.remote = remote
        self.states = passing, failing
        self.graphs = graph_of(passing), graph_of(failing)
        self.difference = differences(*self.graphs)
        self.groups = Groups(self.difference, lambda vertex: failing.items[self._item(vertex)].made)
        self.size = len(self.groups.members)
        self._ask(None, (), tuple(range(self.size)))

    def _ask(self, goal: Goal | None, base: Configuration[int], deltas: Configuration[int]) -> None:
        self.goal, self.base = goal, base
        self.later: dict[Configuration[int], Graph | None] = {}
        self.ends: tuple[Configuration[int], Configuration[int]] | None = None
        aim = None if goal is None else goal.aim
        name = (str(self.match.passing), *(() if aim is None else (str(aim),)))
        remote = None if self.remote is None else self.remote(aim, base)
        self.problem = Problem(
            deltas=deltas,
            test=self.test,
            noun="differences",
            remote=remote,
            prepare=None if remote is None else remote.package.prepare,
            key=lambda configuration: (*name, *self._whole(configuration)),
            close=lambda some: tuple(
                each for each in self.groups.close(self._whole(some)) if each not in self.base
            ),
        )

    def aiming(self, goal: Goal) -> Isolation:
        """The same question with a goal."""
        other = copy(self)
        other._ask(goal, (), tuple(range(self.size)))
        return other

    def among(self, base: Sequence[int], all_of_it: Sequence[int]) -> Isolation:
        """The same question between two configurations instead of nothing and everything."""
        other = copy(self)
        start = self.groups.close(tuple(sorted(base)))
        end = self.groups.close(tuple(sorted({*start, *all_of_it})))
        other._ask(None, start, tuple(each for each in end if each not in start))
        return other

    def _whole(self, configuration: Configuration[int]) -> Configuration[int]:
        return tuple(sorted({*self.base, *configuration})) if self.base else configuration

    def _item(self, vertex: int) -> int:
        address = self.graphs[1].vertices[vertex].address
        assert isinstance(address, int)
        return address

    def test(self, configuration: Configuration[int]) -> Outcome:
        """Run the passing program with some of the differences applied at the moment."""
        whole = self._whole(configuration)
        numbers = self.groups.deltas(whole)
        change = alteration(plan(self.difference, numbers), *self.states, self.graphs)
        expected, _ = applied(self.difference, numbers)
        record = self.campaign.unresolved.record
        with self._changed(change) as (observation, after, later):
            if after is None:
                why = observation.detail if observation.end is End.DIVERGED else ""
                record(configuration, why or f"the run {observation.end.value} before the change")
                return Outcome.UNRESOLVED
            if ways_apart(expected, graph_of(after)):
                record(configuration, "the state did not come out as it was meant")
                return Outcome.UNRESOLVED
            outcome = self.judges.judge(observation)
            if outcome is Outcome.UNRESOLVED:
                record(configuration, _why(observation))
            elif self.goal is not None:
                self.later[whole] = None if later is None else graph_of(later)
                outcome = self.goal.judge(outcome, self.later[whole])
                if outcome is Outcome.UNRESOLVED:
                    record(configuration, ELSEWHERE)
            return outcome

    def made(self, state: Graph) -> list[int]:
        """The differences of variables that hold in a state what they hold in the failing run."""
        heads = [self.groups.head(each) for each in range(self.size)]
        return [
            number
            for number, head in enumerate(heads)
            if equal(state, self.graphs[1], head.path, head.change is Change.ADJUST)
        ]

    def reached(self, configuration: Configuration[int]) -> Reached:
        """The state at the goal's moment in a run that was tested; run again if need be."""
        if configuration not in self.later:
            self.test(configuration)
        return Reached(self.later.get(configuration))

    @contextmanager
    def _changed(
        self, change: Alteration
    ) -> Iterator[tuple[Observation, Snapshot | None, Snapshot | None]]:
        """A run that is changed, and where it comes to."""
        if self.goal is None:
            with self.run.changed(self.match.passing, change) as (observation, after):
                yield observation, after, None
        else:
            assert isinstance(self.run, Following)
            with self.run.followed(self.match.passing, change, self.goal.later) as found:
                yield found

    def usable(self) -> bool:
        """Whether the passing run fails with all differences applied, and passes with none."""
        if not self.problem.deltas:
            return False
        everything = tuple(self.problem.deltas)
        return (
            self.campaign.test(self.problem, everything) is Outcome.FAIL
            and self.campaign.test(self.problem, ()) is Outcome.PASS
        )

    def isolate(self) -> Cause | None:
        """The relevant delta; ``None`` if there is none: see :meth:`usable`."""
        if not self.usable():
            return None
        result = self.campaign.search(self.problem, lambda deltas, tester: dd(deltas, tester))
        if not result.checked:
            return None  # the search ended before it began
        self.ends = self._lessened(self._whole(result.passing), result.difference)
        return Cause(
            self.match,
            self._variables(result.difference),
            self._variables(self.ends[0]),
            self.size,
            result.certified,
            overlay(
                self.difference,
                self.groups.deltas(result.difference),
                self.groups.deltas(self.ends[0]),
            ),
            debugger_commands(
                self.run.debugger,
                self.difference,
                plan(self.difference, self.groups.deltas(self.ends[1])),
                self.match.passing,
                self.match.backtrace,
            ),
        )

    def _variables(self, configuration: Configuration[int]) -> tuple[Variable, ...]:
        heads = map(self.groups.head, configuration)
        return tuple(Variable(d.name, d.change, d.before, d.after, d.path) for d in heads)

    def _lessened(
        self, context: Configuration[int], cause: Configuration[int]
    ) -> tuple[Configuration[int], Configuration[int]]:
        """The two ends of a cause with no more context than it takes to fail by it.

        ``dd`` leaves in the passing end whatever happened to pass.
        """
        ends = context, _union(context, cause)
        if not context:
            return ends
        with_cause = self._asking(cause, context)
        alone = self.campaign.test(with_cause.problem, ())
        needed: Configuration[int] = ()
        if alone is not Outcome.FAIL and len(context) > 1 and not self.campaign.over:
            found = self.campaign.search(with_cause.problem, lambda some, test: ddmin(some, test))
            needed = found.configuration
        elif alone is not Outcome.FAIL:
            return ends
        return (needed, _union(needed, cause)) if self._decides(cause, needed) else ends

    def _decides(self, cause: Configuration[int], context: Configuration[int]) -> bool:
        """Whether a cause is 1-minimal in a context, as ``dd`` says of its ends."""
        problem = self._asking((), tuple(range(self.size))).problem
        whole = _union(context, cause)

        def told(configuration: Configuration[int]) -> Outcome | None:
            return self.campaign.test(problem, configuration)

        return (
            told(context) is Outcome.PASS
            and told(whole) is Outcome.FAIL
            and all(
                told(_union(context, (each,))) not in (Outcome.PASS, None)
                and told(tuple(other for other in whole if other != each))
                not in (Outcome.FAIL, None)
                for each in (cause if len(cause) > 1 else ())
            )
        )

    def _asking(self, base: Configuration[int], deltas: Configuration[int]) -> Isolation:
        other = copy(self)
        other._ask(self.goal, tuple(sorted(base)), deltas)
        return other


def _union(one: Configuration[int], other: Configuration[int]) -> Configuration[int]:
    return tuple(sorted({*one, *other}))


def _why(observation: Observation) -> str:
    if observation.exception is not None:
        return f"it raised {observation.exception.type}, which neither run did"
    if observation.end is not End.EXITED:
        return f"the run {observation.end.value}"
    return NEITHER
