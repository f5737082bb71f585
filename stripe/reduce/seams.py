"""Where a round of a loop ends and the next one begins: without that, two rounds become one.

A loop around another one makes something in each of its rounds: it sets a sum to nothing, has the
inner loop add to it, and stores it.  What lies between two runs of the inner loop may only go at
once; then the inner loop runs twice in one round of the outer one, and what only another round
used is not needed any more.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

from stripe.trace import NONE, Trace
from stripe.trace.levels import LOOPS


class Seams(NamedTuple):
    """What lies between the rounds of a loop.

    - ``statement``: that of the loop
    - ``seams``: the events of each, the last one first
    """

    statement: int
    seams: list[array[int]]


def seams(trace: Trace, events: Sequence[int], within: Sequence[int]) -> list[Seams]:
    """What lies between the last inner loop of a round and the first one of the next round.

    Args:
        trace: what was recorded.
        events: those that count, ascending.
        within: for each event of the trace what it happened in; NONE at the top.

    Returns:
        The loops that have any of several events, by where the first of these ends.
    """
    statement = trace.statement
    loops = {each.id for each in trace.statements if each.kind in LOOPS}
    found: dict[tuple[int, int], list[array[int]]] = {}
    # By loop: the events since an inner loop began, and whether a round has begun among them.
    since: dict[tuple[int, int], tuple[array[int], bool]] = {}

    def loop(head: int) -> tuple[int, int]:
        """What the rounds of a loop have in common, of which one begins there."""
        around = within[head]
        if around != NONE and statement[around] == statement[head]:
            around = within[around]  # the first round is around the others
        return statement[head], around

    for event in events:
        around = within[event]
        begins = statement[event] in loops
        if around != NONE and statement[around] in loops and statement[around] != statement[event]:
            outer = loop(around)
            if begins:
                seam, begun = since.get(outer, (array("i"), False))
                if begun and len(seam) > 1:
                    found.setdefault(outer, []).append(seam)
                since[outer] = array("i"), False
            elif outer in since:
                since[outer][0].append(event)
        if begins and (own := loop(event)) in since:
            since[own][0].append(event)
            since[own] = since[own][0], True
    return [Seams(head, each[::-1]) for (head, _), each in found.items()]
