"""Levels of a trace: what can be left out at once, from coarse to fine.

The hierarchy is the trace's own tree: a call has rounds of loops in it, these have executions of
statements.  At each level every event is in at most one unit:

- ``calls``: an event that called (or resumed) something, with all that happened in there.  The
  program itself, which nobody called, is no unit.
- ``rounds``: what happened in a round of a loop, other than its header, which decides (or
  fetches) for this round and is outside of it
- ``statements``: all executions of a statement
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, compress, count, islice, pairwise, repeat
from operator import ne, or_

from stripe.trace.model import NONE, Trace

LEVELS = ("calls", "rounds", "statements", "events")
"""The levels by name; of the last one, each event is a unit."""

LOOPS = frozenset({"For", "AsyncFor", "While"})
"""Kinds of statements with rounds, as far as a text tells."""


@dataclass(frozen=True, slots=True)
class Units:
    """The units of a level.

    - ``of``: for each event the number of its unit, or NONE
    - ``within``: for units that are in another one its number
    """

    of: Sequence[int]
    within: Mapping[int, int] = field(default_factory=dict)

    def hold(self, trace: Trace, *, control: bool) -> bool:
        """Whether no event needs one of a unit that can go without its own."""
        columns = trace.parent_columns(control=control)
        of, around = self.of, dict[int, set[int]]()
        for column in columns:
            pairs = {(of[each], of[parent]) for each, parent in enumerate(column) if parent != NONE}
            for unit, above in pairs:
                if above in (NONE, unit):
                    continue
                if unit not in around:
                    around[unit] = set(self._around(unit))
                if above not in around[unit]:
                    return False
        return True

    def _around(self, unit: int) -> Iterator[int]:
        """The units that a unit is in."""
        while (unit := self.within.get(unit, NONE)) != NONE:
            yield unit


def units(trace: Trace, level: str) -> Units:
    """The units of a coarse level."""
    if level == "calls":
        return _calls(trace)
    if level == "rounds":
        return _rounds(trace)
    return Units(trace.statement)


def _calls(trace: Trace) -> Units:
    """Calls, by the events that made them."""
    caller = trace.caller
    calling = set(caller) - {NONE}
    of = array("i", (e if e in calling else above for e, above in enumerate(caller)))
    return Units(of, {each: caller[each] for each in calling if caller[each] != NONE})


def _rounds(trace: Trace) -> Units:
    """Rounds, by the events of their headers."""
    of = headers_of_rounds(trace)
    headers = set(of) - {NONE}
    return Units(of, {each: of[each] for each in headers if of[each] != NONE})


def headers_of_rounds(trace: Trace) -> array[int]:
    """For each event the one that is the header of the round it happened in, or NONE."""
    syntax = any(each.parent != NONE for each in trace.statements)
    return _by_text(trace) if syntax else _by_control(trace)


def _by_text(trace: Trace) -> array[int]:
    """The latest execution, in the same activation, of the header of the loop around."""
    statement, activation = trace.statement, trace.activation
    around = array("i", [NONE]) * len(trace.statements)
    for each in trace.statements:
        above = each.parent
        if above != NONE:
            around[each.id] = above if trace.statements[above].kind in LOOPS else around[above]
    header = bytearray(len(around))
    for loop in set(around) - {NONE}:
        header[loop] = 1
    found = array("i")
    latest: dict[int, Headers] = {}  # by activation
    # The answers change only where a header is executed, or another activation goes on.
    begins = map(header.__getitem__, statement)
    turns = chain((1,), map(ne, activation, islice(activation, 1, None)))
    starts = compress(count(), map(or_, begins, turns))
    for start, end in pairwise(chain(starts, (len(trace),))):
        running = latest.get(activation[start])
        if header[statement[start]]:
            if running is None:
                running = latest[activation[start]] = Headers()
            running[statement[start]] = start
        if running is None:
            found.extend(repeat(NONE, end - start))
        else:
            found.extend(map(running.__getitem__, map(around.__getitem__, statement[start:end])))
    return found


class Headers(dict[int, int]):
    """The latest execution of each header in an activation; NONE where there was none."""

    def __missing__(self, header: int) -> int:
        return NONE


def _by_control(trace: Trace) -> array[int]:
    """Where the text is not known: a header decided whether it itself is executed again."""
    control, statement = trace.control, trace.statement
    found = array("i", [NONE]) * len(trace)
    if len(control) != len(trace):
        return found
    loops = {
        statement[event]
        for event, decider in enumerate(control)
        if decider != NONE and statement[decider] == statement[event]
    }
    for event, decider in enumerate(control):
        if decider == NONE:
            continue
        inside = statement[decider] in loops and statement[decider] != statement[event]
        found[event] = decider if inside else found[decider]
    return found
