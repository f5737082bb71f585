"""Executions of several statements that may only go together: what is made, and what is used.

A loop makes things, another one uses each in turn.  To leave out one of the things, its making and
its turn have to go at once: no single event can, nor a round of either loop.  Statements that are
executed equally often are a sign of that, and the i-th executions of each may belong together.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence

from stripe.reduce.groups import Abreast, Bodies, by_statement
from stripe.trace import NONE, Trace

OFTEN = 12
"""So often statements have to be executed: else what goes is hardly worth the test."""


def abreast(trace: Trace, events: Sequence[int], within: Sequence[int]) -> Iterator[Abreast]:
    """The executions of statements that some ascending events hold equally often.

    Those in whose rounds, and in that which these surround, the least happened come first: they
    seem to matter least.

    Args:
        trace: what was recorded.
        events: those that count.
        within: for each event of the trace what it happened in; NONE at the top.

    Yields:
        Those of which there are most come first.
    """
    equally: dict[int, list[array[int]]] = defaultdict(list)
    for group in by_statement(trace, events):
        if len(group) >= OFTEN:
            equally[len(group)].append(group)
    inside = Bodies(events, within)

    def around(event: int) -> int:
        above = within[event]
        return inside.size(event) + (inside.size(above) if above != NONE else 0)

    def side_by_side(groups: Sequence[array[int]]) -> Abreast:
        count = len(groups[0])
        sizes = [sum(around(group[place]) for group in groups) for place in range(count)]
        # From the middle outwards: the first ones and the last ones are often special.
        order = sorted(range(count), key=lambda at: (sizes[at], abs(2 * at - count)))
        return Abreast(groups, array("i", order))

    found: list[Sequence[array[int]]] = []
    for count, groups in equally.items():
        found.append(groups)
        if more := equally.get(count + 1):
            found.append([*groups, *(group[:count] for group in more)])
            found.append([*groups, *(group[1:] for group in more)])
    found.sort(key=lambda groups: (-len(groups[0]) * len(groups), len(groups[0])))
    return (side_by_side(groups) for groups in found if len(groups) > 1)
