"""Dynamic control dependence: which execution of a condition decided that an event was executed.

An event depends on the condition around it, the round of a loop on the round before, and what
follows a condition that decides on a jump (``next if ...``, ``... or return``) on that condition,
as far as the jump would have skipped it.  Of several, the one evaluated last is the parent: the
others are its own parents in turn.  Exceptions raised by calls are no jumps.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from stripe.trace import NONE

LOOPS = ("loop", "foreach", "round", "step")
"""Kinds of sites that belong to a loop; the first two begin it."""

_LEAVE_ALL = ("return", "die", "exit", "label")


class Site(NamedTuple):
    """A place of events, in the words of the runtime (``write_sites`` in ``runtime/server.h``).

    ``group``: the decision or loop that it heads, ``"0"`` for none.  ``chain``: those around it,
    inside out, loops with an ``L``.
    """

    line: str
    unit: str
    fixed: str
    kind: str
    op: str
    stops: str
    reads: str
    writes: str
    jump: str
    group: str
    chain: str
    function: str
    file: str


class _Jumps:
    """Where the jumps that a decision decides on lead: out of the sub, out of or on in loops."""

    def __init__(self) -> None:
        self.leaves = False
        self.last: set[str] = set()
        self.next: set[str] = set()


def _all_jumps(sites: Sequence[Site]) -> dict[str, _Jumps]:
    """By group, the jumps in it that lead out of it."""
    found: dict[str, _Jumps] = {}
    for site in sites:
        if site.jump == "-":
            continue
        around = site.chain.split()
        loop = next((place for place, each in enumerate(around) if each.endswith("L")), None)
        for place, each in enumerate(around):
            jumps = found.setdefault(each.removesuffix("L"), _Jumps())
            if site.jump in _LEAVE_ALL or loop is None:
                jumps.leaves = True
            elif place < loop:
                kept = jumps.last if site.jump == "last" else jumps.next
                kept.add(around[loop].removesuffix("L"))
    return found


class _Activation:
    """The decisions of an activation so far: the latest event by group, and by where jumps lead."""

    def __init__(self) -> None:
        self.latest: dict[str, int] = {}
        self.leaving = NONE
        self.last: dict[str, int] = {}
        self.next: dict[str, int] = {}


def control_parents(
    sites: Sequence[Site], of_events: Sequence[int], activations: Iterable[int]
) -> array[int]:
    """The control parent of each event, or ``NONE``; ``of_events``: their sites, from 1."""
    jumps = _all_jumps(sites)
    chains = [[each.removesuffix("L") for each in site.chain.split()] for site in sites]
    open_: dict[int, _Activation] = {}
    parents = array("i")
    for event, (number, activation) in enumerate(zip(of_events, activations, strict=True)):
        site, around = sites[number - 1], chains[number - 1]
        known = open_.setdefault(activation, _Activation())
        own = site.group if site.kind in LOOPS else None
        if site.kind in LOOPS[:2]:
            for table in (known.latest, known.last, known.next):
                table.pop(site.group, None)
        deciding = [known.leaving]
        if own in known.latest:
            deciding.append(known.latest[own])
        else:
            deciding.append(next((known.latest[g] for g in around if g in known.latest), NONE))
        deciding += [known.last[g] for g in (own, *around) if g in known.last]
        deciding += [known.next[g] for g in around if g in known.next]
        parents.append(max(deciding))
        if site.group == "0" or site.kind == "foreach":
            continue
        known.latest[site.group] = event
        if (made := jumps.get(site.group)) is not None:
            if made.leaves:
                known.leaving = event
            known.last.update(dict.fromkeys(made.last, event))
            known.next.update(dict.fromkeys(made.next, event))
    return parents
