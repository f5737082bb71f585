"""Chains of executions that nothing but the next one needs: a way to late ones, and shorter ways.

A random number is made from the one before it, so with a late one all before it stay, whatever
else has gone.  Others would do as well if they come to the same, and nobody can tell which: to
leave out steps of the way changes all numbers after them.  So as many steps are left as numbers are
used, some of them the first ones and some the last ones, then one more, and so on.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from stripe.reduce.groups import by_statement

if TYPE_CHECKING:
    from collections.abc import Container

    from stripe.trace import Trace
    from stripe.trace.dependence import Dependences

LARGE, LEAST = 4, 8
"""One of so many events has to be a step of a chain, and so many of them: else little is gained."""

IN_VAIN, MOST = 6, 16
"""One test for so many events may be in vain, and so many at most."""


class Chain(NamedTuple):
    """Executions of a statement, each made from the one before.

    - ``events``: those executions
    - ``used``: how many of them something else needs, too
    """

    events: array[int]
    used: int


def chains(
    trace: Trace, events: Sequence[int], dependences: Dependences, roots: Container[int]
) -> list[Chain]:
    """The chains among some ascending events that are a large part of them, the longest first.

    ``dependences``: those among the events; ``roots``: what is needed without a reason.
    """
    statement = trace.statement
    on, elsewhere = set[int](), set[int]()  # needed by the same statement, by another one
    for event in events:
        for needed in dependences.of(event):
            same = statement[needed] == statement[event]
            (on if same else elsewhere).add(needed)
    found = []
    for group in by_statement(trace, events):
        steps = sum(each in on and each not in elsewhere and each not in roots for each in group)
        if steps >= LEAST and LARGE * steps >= len(events):
            found.append(Chain(group, len(group) - steps))
    return sorted(found, key=lambda chain: -len(chain.events))


def shortcuts(chain: Chain) -> Iterator[array[int]]:
    """What may be left out of a chain: all but the first ones and the last ones, most at first."""
    count = len(chain.events)
    for left in range(chain.used, count - 1):
        for last in range(left + 1):
            yield chain.events[left - last : count - last]
