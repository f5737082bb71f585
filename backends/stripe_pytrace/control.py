"""Dynamic control dependence: which predicate instance decided that an event was executed.

An event depends on the headers around it; the header of a loop's later iteration depends on
that of the iteration before; and what follows a predicate whose block holds a jump (``if
done: return``) depends on it as far as the jump would have skipped it.  Of several, the one
evaluated last is the parent: the others are its own parents in turn.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, chain, compress, count, islice, pairwise
from operator import ne

from stripe.trace import NONE
from stripe.trace.columns import PART, Numbers, filled, walk
from stripe_pytrace.nodes import Nodes

LOOPS = ("While", "For", "AsyncFor")
PREDICATES = (*LOOPS, "If", "Match")
FUNCTIONS = ("FunctionDef", "AsyncFunctionDef", "ClassDef")


def control_parents(
    statement: Sequence[int], nodes: Nodes, activations: Iterable[Sequence[int]]
) -> Numbers:
    """The control parent of each event, or ``NONE``.

    ``activations`` holds the events of each activation, in order.
    """
    control = filled(NONE, len(statement))
    decides = bytes(kind in PREDICATES for kind in nodes.kind)

    @cache
    def region(node: int) -> tuple[int, int]:
        return _reach(nodes, node)

    for events in activations:
        # First and last node, node, event; around all of them is none.
        deciding: list[tuple[int, int, int, int]] = [(NONE, sys.maxsize, NONE, NONE)]
        first, last, _, decider = deciding[-1]
        for event in events:
            node = statement[event]
            while not first <= node <= last:
                deciding.pop()
                first, last, _, decider = deciding[-1]
            control[event] = decider
            if decides[node]:
                # The instance of the iteration before, and all that it led to, is over.
                for index in range(len(deciding) - 1, 0, -1):
                    if deciding[index][2] == node:
                        del deciding[index:]
                        break
                first, last = region(node)
                decider = event
                deciding.append((first, last, node, event))
    return control


def by_activation(activation: Sequence[int]) -> Iterator[Sequence[int]]:
    """The events of each activation, in order; ``activation``: that of each event."""
    changes = map(ne, activation, islice(activation, 1, None))
    # Where another activation is running from then on.
    turns = array("i", chain(compress(count(1), changes), [len(activation)]))
    ends = array("i", [0]) * (max(walk(activation), default=0) + 2)
    start = 0
    for turn in turns if activation else ():
        ends[activation[start] + 1] += turn - start
        start = turn
    ends = array("i", accumulate(ends))
    events, free = filled(0, len(activation)), ends[:]
    start = 0
    for turn in turns if activation else ():
        each = activation[start]
        place = free[each]
        if turn == start + 1:
            events[place] = start
            free[each] = place + 1
        else:
            free[each] = place + turn - start
            for first in range(start, turn, PART):
                part = array("i", range(first, min(first + PART, turn)))
                where = place + first - start
                events[where : where + len(part)] = part
        start = turn
    return (events[start:end] for start, end in pairwise(ends))


def _reach(nodes: Nodes, node: int) -> tuple[int, int]:
    """The first and last node whose execution a predicate has a say in."""
    is_loop = nodes.kind[node] in LOOPS
    first, last = (node if is_loop else node + 1), nodes.end[node]
    jumps = nodes.jumps[node]
    loops = list(_enclosing_loops(nodes, node))
    if "r" in jumps:
        if loops:
            first = loops[-1]
        return first, _function_end(nodes, node)
    if not is_loop and loops:
        if "b" in jumps:
            return loops[0], nodes.body_end[loops[0]]
        if "c" in jumps:
            return first, nodes.body_end[loops[0]]
    return first, last


def _enclosing_loops(nodes: Nodes, node: int) -> Iterable[int]:
    """The loops around a node within its function, innermost first."""
    around = nodes.parent[node]
    while around >= 0 and nodes.kind[around] not in FUNCTIONS:
        if nodes.kind[around] in LOOPS:
            yield around
        around = nodes.parent[around]


def _function_end(nodes: Nodes, node: int) -> int:
    around = node
    while nodes.parent[around] >= 0:
        around = nodes.parent[around]
        if nodes.kind[around] in FUNCTIONS:
            return nodes.end[around]
    return nodes.last_of_file(node)
