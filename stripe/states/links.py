"""Whether one cause of a chain causes the next one, as tests have shown (A.3)."""

from __future__ import annotations

from dataclasses import dataclass

from stripe.results.causes import Shown
from stripe.states.goals import Goal
from stripe.states.graph import Graph
from stripe.states.isolation import Cause


@dataclass(frozen=True, slots=True)
class Link:
    """Two causes that follow each other in a chain, and whether the one causes the other.

    - ``without``, ``within``: what the variables of the other hold there in the passing run with
      nothing but what does not matter changed, and with the cause as well
    - ``why``: it is not shown
    """

    before: Cause
    after: Cause
    shown: Shown
    without: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    why: str = ""


def link_between(
    before: Cause, after: Cause, goal: Goal, without: Graph | None, within: Graph | None
) -> Link:
    """What two states at the later moment show, in neither of which all values are as they failed.

    ``without`` and ``within``: see :class:`Link`; ``None`` if the run does not come there.
    """
    told = tuple(goal.values_in(without)), tuple(goal.values_in(within))
    equal = goal.equal(without, within)
    if within is not None and not any(equal):
        return Link(before, after, Shown.CHANGES, *told)
    names = (each.name for each, same in zip(after.variables, equal, strict=True) if same)
    why = (
        "the run that fails by the cause before does not come there"
        if within is None
        else f"the cause before makes no difference to {', '.join(names)}"
    )
    return Link(before, after, Shown.NOT, *told, why)
