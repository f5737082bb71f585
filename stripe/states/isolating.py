"""Which differences between two states at a moment cause the failure (Why Programs Fail, A.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stripe.backend import End, Observation
from stripe.campaign.campaign import Campaign
from stripe.campaign.problem import Problem
from stripe.checks import Criterion
from stripe.checks.check import silent
from stripe.dd import Configuration, Outcome, dd
from stripe.snapshots import Run, Snapshot
from stripe.states.applying import applied, plan
from stripe.states.deltas import Change, Delta, differences
from stripe.states.graph import ways_apart
from stripe.states.groups import Groups
from stripe.states.moments import Match
from stripe.states.snapshots import Alias, aliases, alteration, graph_of

NEITHER = "it did what neither run did"
"""Why a test is unresolved that ended well: what it printed, say, is a mixture."""


@dataclass(frozen=True, slots=True)
class Judges:
    """Says what a changed run has come to.

    The failing run's behaviour is FAIL, the passing run's is PASS, all else is UNRESOLVED; where
    the check sees nothing in the passing run, whatever is not the failure is PASS. ``silent``: the
    passing run prints nothing at all, which tells nothing of other runs, and is PASS here.
    """

    failing: Criterion
    passing: Criterion | None
    silent: bool = False

    def judge(self, observation: Observation) -> Outcome:
        """The outcome of a run; its directory must still be valid."""
        outcome = self.failing.judge(observation)
        if self.silent and outcome is Outcome.UNRESOLVED and quiet(observation):
            outcome = Outcome.PASS
        if outcome is not Outcome.PASS or self.passing is None:
            return outcome
        same = self.passing.judge(observation) is Outcome.FAIL
        return Outcome.PASS if same else Outcome.UNRESOLVED


def quiet(observation: Observation) -> bool:
    """Whether a run came to its end well without printing anything."""
    ended = observation.end is End.EXITED and observation.status == 0
    return ended and silent(observation)


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable that is a cause: its name at the moment, and its values in both runs.

    ``aliases``: all its names, from each frame and module.
    """

    name: str
    change: Change
    before: str
    after: str
    aliases: frozenset[Alias]


@dataclass(frozen=True, slots=True)
class Cause:
    """What ``dd`` isolates at a moment: the relevant delta.

    - ``variables``: changed in the passing run, with ``context`` others changed already, they make
      the difference between passing and failing
    - ``certified``: no single one of them can be left out, nor be added alone without the failure
    """

    match: Match
    variables: tuple[Variable, ...]
    context: int
    deltas: int
    certified: bool

    def like(self, other: Cause) -> bool:
        """Whether both concern the same variables, by whatever names.

        A value that another call has under the same name, as an argument or after it returned, is
        no other variable.
        """
        return _covered(self, other) and _covered(other, self)


def _covered(one: Cause, other: Cause) -> bool:
    return all(any(_same(a, b) for b in other.variables) for a in one.variables)


def _same(one: Variable, other: Variable) -> bool:
    if one.aliases & other.aliases:
        return True
    values = (one.before, one.after) == (other.before, other.after)
    return values and bool({name for _, name in one.aliases} & {name for _, name in other.aliases})


class Isolation:
    """The two states at a moment, and tests of what lies between."""

    def __init__(
        self,
        run: Run,
        match: Match,
        passing: Snapshot,
        failing: Snapshot,
        judges: Judges,
        campaign: Campaign,
    ) -> None:
        self.run, self.match, self.judges, self.campaign = run, match, judges, campaign
        self.states = passing, failing
        self.graphs = graph_of(passing), graph_of(failing)
        self.difference = differences(*self.graphs)
        self.groups = Groups(self.difference, lambda vertex: failing.items[self._item(vertex)].made)
        self.problem = Problem(
            deltas=tuple(range(len(self.groups.members))),
            test=self.test,
            noun="differences",
            key=lambda configuration: (str(match.passing), *configuration),
            close=self.groups.close,
        )

    def _item(self, vertex: int) -> int:
        address = self.graphs[1].vertices[vertex].address
        assert isinstance(address, int)
        return address

    @property
    def size(self) -> int:
        """How many differences can be applied."""
        return len(self.groups.members)

    def test(self, configuration: Configuration[int]) -> Outcome:
        """Run the passing program with some of the differences applied at the moment."""
        numbers = self.groups.deltas(configuration)
        change = alteration(plan(self.difference, numbers), *self.states, self.graphs)
        expected, _ = applied(self.difference, numbers)
        hear = self.campaign.undecided.hear
        with self.run.changed(self.match.passing, change) as (observation, after):
            if after is None:
                why = observation.detail if observation.end is End.DIVERGED else ""
                hear(configuration, why or f"the run {observation.end.value} before the change")
                return Outcome.UNRESOLVED
            if ways_apart(expected, graph_of(after)):
                hear(configuration, "the state did not come out as it was meant")
                return Outcome.UNRESOLVED
            outcome = self.judges.judge(observation)
            if outcome is Outcome.UNRESOLVED:
                hear(configuration, _why(observation))
            return outcome

    def usable(self) -> bool:
        """Whether the passing run fails with all differences applied, and passes with none."""
        if not self.size:
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
        names = aliases(self.states[1], self.graphs[1]), aliases(self.states[0], self.graphs[0])
        return Cause(
            self.match,
            tuple(self._variable(self.groups.head(each), names) for each in result.difference),
            len(result.passing),
            self.size,
            result.certified,
        )

    def _variable(
        self, delta: Delta, names: tuple[Mapping[int, frozenset[Alias]], ...]
    ) -> Variable:
        known = names[delta.change is Change.DELETE].get(delta.vertex, frozenset())
        return Variable(delta.name, delta.change, delta.before, delta.after, known)


def _why(observation: Observation) -> str:
    if observation.exception is not None:
        return f"it raised {observation.exception.type}, which neither run did"
    if observation.end is not End.EXITED:
        return f"the run {observation.end.value}"
    return NEITHER
