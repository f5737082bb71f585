"""Dynamic control dependence: which branch instance decided that an event was executed.

A block is control dependent on a block that ends in a branch if one way of the branch leads to
it for sure and the other may not (Ferrante, Ottenstein & Warren 1987), found with
post-dominators in the graph of the function's blocks.  The parent of an event is the latest
event before it, in the same activation, of a block it depends on.
"""

from __future__ import annotations

import itertools
from array import array
from collections import defaultdict
from collections.abc import Iterable

from stripe.trace import NONE
from stripe_gdb.blocks import Table
from stripe_gdb.log_reader import Log

EXIT = -1


def control_parents(log: Log, table: Table, edges: Iterable[tuple[int, int]]) -> array[int]:
    """The control parent of each event.  ``edges`` are those of the machine code."""
    successors: dict[int, set[int]] = defaultdict(set)
    for first, second in edges:
        successors[first].add(second)
    own: list[list[int]] = [[] for _ in log.activations[0::4]]
    for event, number in enumerate(log.activation):
        own[number].append(event)
    entries = log.activations[0::4]
    for number, events in enumerate(own):  # what the machine code does not tell: switch tables
        blocks = [entries[number], *(log.block[event] for event in events)]
        for first, second in itertools.pairwise(blocks):
            successors[first].add(second)
    deciders: dict[int, set[int]] = {}
    by_function: dict[int, list[int]] = defaultdict(list)
    for number, block in enumerate(table.blocks):
        by_function[block.function].append(number)
    for entry in log.functions():
        blocks = by_function[entry]
        graph = {block: successors[block] & set(blocks) for block in blocks}
        deciders |= dependences(graph)
    branches = deciders.get
    control = array("i", [NONE]) * len(log.block)
    for events in own:
        latest: dict[int, int] = {}
        for event in events:
            here = log.block[event]
            found = [latest[each] for each in branches(here, set()) if each in latest]
            if found:
                control[event] = max(found)
            latest[here] = event
    return control


def dependences(graph: dict[int, set[int]]) -> dict[int, set[int]]:
    """The blocks each block is control dependent on, in one function."""
    after = _post_dominators(graph)
    found: dict[int, set[int]] = defaultdict(set)
    for branch, ways in graph.items():
        if len(ways) < 2:
            continue
        for way in ways:
            for block in after[way] - (after[branch] - {branch}) - {EXIT}:
                found[block].add(branch)
    return found


def _post_dominators(graph: dict[int, set[int]]) -> dict[int, set[int]]:
    """For each block, those that every way from it to the end leads through, itself included."""
    everything = {*graph, EXIT}
    after = {block: set(everything) for block in graph}
    after[EXIT] = {EXIT}
    changed = True
    while changed:
        changed = False
        for block in sorted(graph, reverse=True):
            ways = graph[block] or {EXIT}
            new = set.intersection(*(after[way] for way in ways)) | {block}
            if new != after[block]:
                after[block] = new
                changed = True
    return after
