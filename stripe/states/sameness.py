"""Which variables of two moments are the same one."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from stripe.errors import NotReducible
from stripe.results.causes import Change
from stripe.snapshots import Identifying, Moment, Run, Step
from stripe.states.graph import ROOT, Graph, Operation
from stripe.states.isolation import Cause, Isolation, Variable


class Identities:
    """What is the same thing at several moments of a run, if the run can tell."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._wanted: set[Moment] = set()
        self._known: Mapping[Moment, Sequence[int | None]] = {}

    def identities(self, moments: Sequence[Moment]) -> list[Sequence[int | None]]:
        """For each moment the numbers of its items; empty where nothing is known."""
        if not self._wanted.issuperset(moments):
            self._wanted.update(moments)
            self._known = {}
            if isinstance(self._run, Identifying):
                with suppress(NotReducible):
                    self._known = self._run.identities(sorted(self._wanted))
        return [self._known.get(moment, ()) for moment in moments]


@dataclass(frozen=True, slots=True)
class _There:
    """A variable at a moment: where it is, and what it refers to.

    - ``place``: what it is in, and the way from there
    - ``thing``: the identity of what it refers to; ``things``: all that are there
    - ``base``, ``name``: the frame or module, and the way to it from there
    """

    place: Hashable
    thing: int | None
    things: frozenset[int | None]
    base: Hashable
    name: tuple[Operation, ...]
    values: tuple[str, str]

    def same(self, other: _There) -> bool:
        """Whether it is one variable.

        It is if it is in the same thing; but not if it was made to refer to another one, and the
        one before is still there. A value that another call has under the same name, as an argument
        or after it returned, is no other variable.
        """
        if self.thing is not None and other.thing is not None:
            if self.thing == other.thing:
                return True
            if self.thing in other.things or other.thing in self.things:
                return False
        if self.place == other.place:
            return True
        handed_on = self.base != other.base and self.name == other.name
        return handed_on and self.values == other.values


class Sameness:
    """Compares causes at two moments of a failing and a passing run."""

    def __init__(self, failing: Run, passing: Run) -> None:
        self._runs = Identities(passing), Identities(failing)

    def same(self, one: tuple[Cause, Isolation], other: tuple[Cause, Isolation]) -> bool:
        """Whether two causes concern the same variables."""
        variables = [each.variables for each, _ in (one, other)]
        pairs = [(a, b) for a in variables[0] for b in variables[1]]
        equal = {pair for pair in pairs if self._equal(pair, (one[1], other[1]))}
        return all(any((a, b) in equal for b in variables[1]) for a in variables[0]) and all(
            any((a, b) in equal for a in variables[0]) for b in variables[1]
        )

    def _equal(self, pair: tuple[Variable, Variable], at: tuple[Isolation, Isolation]) -> bool:
        sides = [each.change is not Change.DELETE for each in pair]
        if sides[0] is not sides[1]:
            numbers: list[Sequence[int | None]] = [(), ()]
        else:
            which = sides[0]
            moments = [each.match.failing if which else each.match.passing for each in at]
            numbers = self._runs[which].identities(moments)
        one, other = (
            _there(variable, each.graphs[side], these)
            for variable, each, side, these in zip(pair, at, sides, numbers, strict=True)
        )
        return one.same(other)


def _there(variable: Variable, graph: Graph, numbers: Sequence[int | None]) -> _There:
    def identity(vertex: int | None) -> int | None:
        address = None if vertex is None else graph.vertices[vertex].address
        return numbers[address] if isinstance(address, int) and address < len(numbers) else None

    frames = [each for each in graph.children[ROOT] if each.step is Step.FRAME]
    owner: Hashable = None
    base: Hashable = None
    rest: list[Operation] = []
    name: list[Operation] = []
    vertex: int | None = ROOT
    for operation in variable.path:
        number = identity(vertex)
        if number is not None:
            owner, rest = number, []
        vertex = None if vertex is None else graph.children[vertex].get(operation)
        if operation.step in (Step.FRAME, Step.MODULE) and vertex is not None:
            depth = len(frames) - frames.index(operation) if operation in frames else 0
            owner = base = depth, graph.vertices[vertex].type
        else:
            rest.append(operation)
            name.append(operation)
    return _There(
        (owner, tuple(rest)),
        identity(vertex),
        frozenset(numbers),
        base,
        tuple(name),
        (variable.before, variable.after),
    )
