"""An activation while a log is read: its path so far, and what is open in it."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections.abc import Container, Mapping, Sequence
from operator import itemgetter
from typing import Any

from stripe.trace import NONE, Trace
from stripe_pytrace.agent.compiling import sites
from stripe_pytrace.agent.replaying.plan import SHORT

NO_CALL = (NONE, NONE, 0, 0, NONE, 0, 0, 0, sites.SOUGHT)
"""A row that fits no call, see ``call_rows``."""


LARGE = 1 << 16
"""Codes of an activation from which on it matters that they are here but once."""


def mark_of(activation: int) -> int:
    """What stands for the event that was happening in an activation when a window began."""
    return NONE - 1 - activation


class OpenActivation:
    """An activation while the log is read."""

    __slots__ = (
        "caller", "codes", "event", "events", "full", "generator", "landed", "landings",
        "loops", "number", "open_handlers", "open_loops", "pending", "raised", "raiser", "rest",
        "resumes", "scopes", "serial", "settled", "stopper", "wide",
    )  # fmt: skip

    def __init__(self, number: int, caller: int, generator: bool, serial: int = NONE) -> None:
        self.number = number
        self.serial = serial  # how many had begun before
        self.settled = 0  # the codes before are of events that are always kept
        self.caller = max(caller, NONE)  # the event that called or resumed it last
        self.generator = generator
        self.codes = bytearray()  # everything dropped
        self.full = bytearray()  # everything kept
        self.event = caller  # the event that is happening; before the first, the caller
        self.events = array("i")
        # The statements of a run that have not happened yet: the next node and how many.
        self.rest: tuple[int, int] = (0, 0)
        # A header whose branch is not known yet: (position of the code, kind of site, node).
        self.pending: tuple[int, int, int] | None = None
        self.raised = False  # an exception was raised, and control has not shown up yet
        self.raiser = NONE  # where the event has its codes that raised it, if not raised again
        self.landed = NONE  # what raised the exception that is being handled
        # First node, last node, event; around all of them is none.
        self.scopes: list[tuple[int, int, int]] = [(NONE, sys.maxsize, NONE)]
        self.open_loops: list[tuple[int, int, int, array[int]]] = []  # node, last, start, heads
        self.open_handlers: list[tuple[int, int, int]] = []  # node, last, position
        self.loops: list[tuple[int, array[int], int]] = []
        self.landings: dict[int, tuple[int, int, int]] = {}
        self.wide: dict[int, int] = {}
        self.resumes = (0, 0)  # when so many events had begun: how often it was resumed
        self.stopper = NONE  # the activation whose exception may have ended the loop

    def code(self, dropped: int, kept: int) -> None:
        self.codes.append(dropped)
        self.full.append(kept)

    def widen(self, header: int) -> None:
        """One more code of the event whose codes begin at ``header``, and end here."""
        self.code(0, 1)
        self.wide[header] = len(self.codes) - header

    def leave(self, how: int = sites.LEAVE) -> None:
        """The event that is happening ends by an exception: so it does when it is left out.

        Not the next site alone says so: there may be none, or it is within another ``try``.
        """
        self.pending = None
        if self.raiser != NONE and not any(self.codes[self.raiser :]):
            self.codes[self.raiser] = how  # control has not come to anything since
        self.raised, self.raiser = False, NONE
        self.code(how, how)

    @property
    def going_on(self) -> int:
        """The event by which whatever is called now is called.

        A statement that was suspended (``yield from``, ``await``) is a part of what resumed it:
        when that is left out, its callees do not go on, and nothing may count on them.
        """
        return max(self.event, self.caller, NONE)

    def resume(self) -> None:
        where, times = self.resumes
        size = len(self.events)
        self.resumes = (size, times + 1 if where == size else 1)

    def resumed(self) -> int:
        """How often it was resumed at its last event."""
        where, times = self.resumes
        return times if where == len(self.events) else 0

    def land(self, kind: int) -> None:
        """Control shows up, at a site, after an exception was raised."""
        if kind in sites.LANDINGS:
            self.leave()
        elif self.raiser in self.wide and not any(self.codes[self.raiser :]):
            self.codes[-1] = sites.LEAVE  # a ``with``: another item kept that back
        self.raised, self.raiser = False, NONE

    def enter_anew(self, node: int) -> None:
        """Control is at a header that is executed again: its scope is another one now."""
        scopes = self.scopes
        while scopes[-1][0] >= node:
            scopes.pop()

    def stay(self, kind: int) -> None:
        """The run was cut off at the header that was executed last: the loop goes on."""
        if kind == sites.BRANCH:
            self.codes[-1] = self.full[-1] = 1
        self.pending = None

    def close_loops(self, node: int) -> None:
        """Control is at ``node``: the loops that do not hold it have ended."""
        loops = self.open_loops
        while loops and not loops[-1][0] <= node <= loops[-1][1]:
            _, _, start, heads = loops.pop()
            self.loops.append((start, heads, len(self.codes)))

    def close_handlers(self, node: int) -> None:
        """Control is at ``node``: the handlers that do not hold it have ended."""
        handlers = self.open_handlers
        while handlers and not handlers[-1][0] <= node <= handlers[-1][1]:
            _, _, position = handlers.pop()
            site, _, event = self.landings[position]
            self.landings[position] = (site, len(self.codes), event)

    def settle(self, number: int, below: int) -> int:
        """Forget all that has happened so far, which is always kept, and go by another number.

        Codes stay, for a replay walks them all.  What is happening is no event any more, but the
        mark of the activation; ``below``: that of its caller, if it has not come to anything yet.

        Returns:
            What is happening.
        """
        self.number = number
        self.codes[self.settled :] = self.full[self.settled :]
        self.settled = len(self.full)
        self.events = array("i")
        self.event = mark_of(number) if self.full else below
        self.caller = self.landed = self.stopper = NONE
        self.scopes[:] = [(first, last, NONE) for first, last, _ in self.scopes]
        self.open_loops.clear()
        self.loops.clear()
        self.wide.clear()
        for position, (site, end, event) in self.landings.items():
            if event >= 0:
                self.landings[position] = site, end, mark_of(number)
        return self.event

    def cut(self) -> Finished:
        """What there is so far, as of one that runs in full from here on; it may go on."""
        size = len(self.codes)
        loops = [(start, heads.tobytes(), end) for start, heads, end in self.loops]
        loops += [(start, heads.tobytes(), size) for _, _, start, heads in self.open_loops]
        landings = dict(self.landings)
        for _, _, position in self.open_handlers:
            site, _, event = landings[position]
            landings[position] = site, size, event
        over = bytes([sites.OVER])
        return (
            bytes(self.codes) + over, bytes(self.full) + over, self.events,
            sorted(loops, key=itemgetter(0)), landings, dict(self.wide),
        )  # fmt: skip

    def finish(self) -> Finished:
        if self.pending is not None and self.pending[1] == sites.FETCH:
            self.codes[self.pending[0]] |= sites.LAST_FETCH
            self.full[self.pending[0]] |= sites.LAST_FETCH
        self.close_loops(NONE)
        self.close_handlers(NONE)
        loops = sorted(self.loops, key=itemgetter(0))
        codes: Any = self.codes
        full: Any = self.full
        if len(codes) <= LARGE:  # larger ones are not copied
            codes, full = bytes(codes), bytes(full)
        return (
            codes, full, self.events,
            [(start, heads.tobytes(), end) for start, heads, end in loops],
            self.landings, self.wide,
        )  # fmt: skip


Finished = tuple[
    bytes,
    bytes,
    "array[int]",
    list[tuple[int, bytes, int]],
    dict[int, tuple[int, int, int]],
    dict[int, int],
]


def call_rows(
    finished: Sequence[Finished],
    functions: Sequence[int],
    entries: Mapping[int, Sequence[int]],
    callers: Sequence[int],
    activation_of: Sequence[int],
    position_of: Sequence[int],
    irregular: Container[int],
    annotating: Container[int],
) -> tuple[array[int], array[int], array[int]]:
    """What a replay needs to tell at once which recorded activation a call begins.

    A row (see ``Tables.calls`` in agent/replaying/plan.py) for each activation that was called by
    an event, those of a caller in a row and in order; before and behind them is one that fits no
    call.
    ``entries``: by event, the activations it entered; ``callers``: by activation, the event that
    called it; those that are ``irregular``, or of a function ``annotating``, must be looked for.

    Also, by activation, its row and that of the first call it makes; 0 if there is none.
    """
    width = len(NO_CALL)
    rows = array("i", NO_CALL)
    own = array("i", [0]) * len(finished)
    first = array("i", [0]) * len(finished)
    start = 0
    starts = array("i", [start])
    same: dict[bytes, int] = {}  # short codes, and the number of the first who has them
    called: dict[int, list[tuple[int, int]]] = {}
    for number, (each, event) in enumerate(zip(finished, callers, strict=True)):
        start += len(each[1])
        starts.append(start)
        if event != NONE:
            called.setdefault(activation_of[event], []).append((event, number))
    resumed = _resumed(entries, callers, functions)
    for caller, calls in called.items():
        first[caller] = len(rows) // width
        _, codes, events, _, landings, _ = finished[caller]
        # Where control comes back to an event by a landing, it is that which calls.
        lands = sorted(where for where, landing in landings.items() if landing[2] != NONE)
        for event, number in calls:
            which = bisect_left(events, event) + 1
            low = position_of[event]
            high = position_of[events[which]] if which < len(events) else len(codes) + 1
            land = bisect_left(lands, low)
            if land < len(lands):
                high = min(high, lands[land])
            special = max(finished[number][1], default=0) > sites.LAST_BRANCH
            function = functions[number]
            alone = number not in irregular and function not in annotating
            alone = alone and len(finished[number][1]) > 0  # or its start is also that of another
            alone = alone and (event, function) not in resumed
            kind = sites.WHOLE + special if alone else sites.SOUGHT
            own[number] = len(rows) // width
            rows.extend((caller, function, low, high, number))
            codes_kept = finished[number][1]
            whose = number
            if len(codes_kept) <= SHORT:
                whose = same.setdefault(codes_kept, number)
            rows.extend((starts[whose], starts[whose + 1], 0, kind))
    for at in range(width, len(rows), width):
        rows[at + 7] = first[rows[at + 4]]
    rows.extend(NO_CALL)
    return rows, own, first


def _resumed(
    entries: Mapping[int, Sequence[int]], callers: Sequence[int], functions: Sequence[int]
) -> set[tuple[int, int]]:
    """Events, and functions of which they resumed a generator: it may begin there in a replay."""
    found: set[tuple[int, int]] = set()
    for event, numbers in entries.items():
        if len(numbers) > 1 or callers[numbers[0]] != event:
            before = NONE
            for number in numbers:
                if number <= before or callers[number] != event:
                    found.add((event, functions[number]))
                before = max(before, number)
    return found


def left_by_what_ended(trace: Trace, left_by: bytes, raiser: int | None) -> int | None:
    """The outermost activation that was left by the exception which an event raised.

    Only if code that is not traced had the exception behind it; ``None`` also if one between was
    not left by an exception, so that this was another one.  ``left_by``: of each activation, the
    code that its path ends with, if that is known.
    """
    event = NONE if raiser is None else raiser
    while event != NONE and left_by:
        number = trace.activation[event]
        if left_by[number] == sites.CAUGHT:
            return number
        if left_by[number] != sites.LEAVE:
            return None
        event = trace.activations[number].caller
    return None
