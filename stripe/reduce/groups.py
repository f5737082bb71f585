"""Groups of events that a guided search leaves out at once."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice

from stripe.trace import NONE, Trace

SMALL = 64
"""Units up to which groups double; from there on they are squared."""

type Groups = Callable[[], Iterable[Sequence[int]]]
"""Tells, if anybody asks, groups of events that may be left out one after the other."""


def by_statement(trace: Trace, events: Iterable[int]) -> list[list[int]]:
    """The executions of each statement, by the last of them."""
    groups: dict[int, list[int]] = {}
    for event in events:
        groups.setdefault(trace.statement[event], []).append(event)
    return sorted(map(sorted, groups.values()), key=lambda group: group[-1])


def within(trace: Trace) -> array[int]:
    """For each event the round, the branch or the call that it happened in; NONE at the top."""
    statement, scopes = trace.statement, trace.scope
    found = array("i")
    rounds: dict[int, int] = {}  # by the event that began a loop: the one that began its round
    for event, scope in enumerate(scopes):
        if scope == NONE:
            found.append(trace.caller[event])
        elif statement[event] == statement[scope]:
            rounds[scope] = event
            found.append(scope)
        else:
            found.append(rounds.get(scope, scope))
    return found


def singles(events: Sequence[int], start: int) -> Iterator[list[int]]:
    """Each event from a place on, as a group."""
    return ([event] for event in islice(events, start, None))


def flat(units: Iterable[Sequence[int]]) -> list[int]:
    """The events of all units."""
    return [event for unit in units for event in unit]


def joined(*ways: Groups) -> Groups:
    """Groups, and then others."""
    return lambda: chain.from_iterable(way() for way in ways)


def halves(units: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The events of the first half of some units, of the first half of these, and so on."""
    while len(units) > 1:
        units = units[: len(units) // 2]
        yield flat(units)


def grown(size: int) -> int:
    """How many units are left out next, where so many went (Bentley & Yao 1976).

    A test takes as long as what it keeps is large: of a million events, a few large steps that are
    taken back cost less than many that leave hardly anything out.
    """
    return 2 * size if size < SMALL else size * size


def steps(units: Sequence[Sequence[int]], start: int, size: int) -> Iterator[list[int]]:
    """The events of groups of units that grow, each with all before it."""
    end = start
    while end < len(units):
        end, size = end + size, grown(size)
        yield flat(units[start:end])
