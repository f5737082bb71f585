"""Deltas that can only be applied together, and those that cannot be applied at all."""

from __future__ import annotations

from collections.abc import Callable

from stripe.dd import Configuration
from stripe.snapshots import Step
from stripe.states.deltas import Delta, Difference
from stripe.states.needs import Needs


class Groups:
    """The deltas of a difference as they are searched: those that need each other are one.

    - ``members``: the deltas of each group, by number; the first gives it its name
    - ``left_out``: those that cannot be applied: what they would make cannot be made (``made`` says
      so of a vertex), or a variable of a frame would be deleted; and what needs them
    """

    def __init__(self, difference: Difference, made: Callable[[int], bool]) -> None:
        self.difference = difference
        deltas = difference.deltas
        needs = difference.needs
        unmade = {number for vertex, number in difference.made.items() if not made(vertex)}
        refused = needs.lost(unmade | _of_frames(difference))
        self.left_out = [deltas[each] for each in sorted(refused)]
        self.members = sorted(each for each in needs.together() if refused.isdisjoint(each))
        self._group = {
            each: number for number, members in enumerate(self.members) for each in members
        }
        self._needs = Needs(
            [
                {self._group[other] for each in members for other in deltas[each].needs} - {number}
                for number, members in enumerate(self.members)
            ]
        )

    def close(self, configuration: Configuration[int]) -> Configuration[int]:
        """Those groups that have all that they need."""
        there = self._needs.closed(configuration)
        return tuple(each for each in configuration if each in there)

    def deltas(self, configuration: Configuration[int]) -> set[int]:
        """The deltas of some groups."""
        return {each for group in configuration for each in self.members[group]}

    def head(self, group: int) -> Delta:
        """The delta that gives a group its name."""
        return self.difference.deltas[self.members[group][0]]


def _of_frames(difference: Difference) -> set[int]:
    """The deltas that would take a variable from a frame, or a frame or module from the state."""
    found = set()
    for vertex, slots in difference.slots.items():
        edge = difference.passing.reached.get(vertex)
        frame = edge is not None and edge.operation.step is Step.FRAME
        for slot in slots:
            base = slot.operation.step in (Step.FRAME, Step.MODULE)
            if slot.delta is not None and (base or (frame and slot.failing is None)):
                found.add(slot.delta)
    return found
