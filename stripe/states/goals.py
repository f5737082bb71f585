"""What a cause is to bring about: the values of variables at a later moment (A.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from stripe.dd import Outcome
from stripe.snapshots import Later
from stripe.states.deltas import shown
from stripe.states.graph import Graph, Operation, ways_apart

type Path = tuple[Operation, ...]


def equal(one: Graph, other: Graph, path: Path, adjusted: bool) -> bool:
    """Whether a variable holds the same in two states.

    If it is ``adjusted``, this depends on what else refers to the same thing.
    """
    ends = one.at(path), other.at(path)
    if ends[0] is None or ends[1] is None:
        return ends[0] is ends[1]
    if adjusted:
        return {other.at(each) for each in _ways(one, ends[0])} == {ends[1]} and {
            one.at(each) for each in _ways(other, ends[1])
        } == {ends[0]}
    return not ways_apart(one, other, (ends[0], ends[1]))


def _ways(graph: Graph, vertex: int) -> Iterator[Path]:
    """From each thing that refers to a vertex."""
    for source in graph.reached:
        for operation, target in graph.children[source].items():
            if target == vertex:
                yield (*graph.path(source), operation)


@dataclass(frozen=True, slots=True)
class Aim:
    """Variables at a moment, which is told by its number.

    ``paths``: the ways to them; ``adjusted``: which of them only refer to another thing.
    """

    index: int
    paths: tuple[Path, ...]
    adjusted: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Goal:
    """An aim, where a changed run comes to it, and the failing state there."""

    aim: Aim
    later: Later
    failing: Graph

    def values_in(self, state: Graph | None) -> list[str]:
        """What the variables hold, for people; empty where there is no such variable."""
        ends = [None if state is None else state.at(path) for path in self.aim.paths]
        return ["" if state is None or end is None else shown(state, end) for end in ends]

    def equal(self, one: Graph | None, other: Graph | None) -> list[bool]:
        """Which of the variables hold the same in two states; ``None``: it did not come there."""
        if one is None or other is None:
            return [one is other for _ in self.aim.paths]
        return [
            equal(one, other, *each) for each in zip(self.aim.paths, self.aim.adjusted, strict=True)
        ]

    def judge(self, outcome: Outcome, state: Graph | None) -> Outcome:
        """A run that fails must have brought about all of it, one that passes nothing."""
        there = self.equal(state, self.failing)
        reached = not any(there) if outcome is Outcome.PASS else all(there)
        return outcome if reached else Outcome.UNRESOLVED
