"""An activation while a log is read: its path so far, and what is open in it."""

from __future__ import annotations

import sys
from array import array
from operator import itemgetter

from stripe.trace import NONE
from stripe_pytrace.agent import sites


class OpenActivation:
    """An activation while the log is read."""

    __slots__ = (
        "caller", "codes", "event", "events", "full", "generator", "landed", "landings",
        "loops", "number", "open_handlers", "open_loops", "pending", "raised", "rest", "resumes",
        "scopes", "stopper", "wide",
    )  # fmt: skip

    def __init__(self, number: int, caller: int, generator: bool) -> None:
        self.number = number
        self.caller = caller  # the event that called or resumed it last
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
        self.landed = NONE  # what raised the exception that is being handled
        # First node, last node, event; around all of them is none.
        self.scopes: list[tuple[int, int, int]] = [(NONE, sys.maxsize, NONE)]
        self.open_loops: list[tuple[int, int, int, array[int]]] = []  # node, last, start, heads
        self.open_handlers: list[tuple[int, int, int]] = []  # node, last, position
        self.loops: list[tuple[int, array[int], int]] = []
        self.landings: dict[int, tuple[int, int, int]] = {}
        self.wide: dict[int, int] = {}
        self.resumes = (0, 0)  # when so many codes were written: how often it was resumed
        self.stopper = NONE  # the activation whose exception may have ended the loop

    def code(self, dropped: int, kept: int) -> None:
        self.codes.append(dropped)
        self.full.append(kept)

    def leave(self) -> None:
        """The event that is happening ends by an exception."""
        self.pending = None
        self.raised = False
        self.code(sites.LEAVE, sites.LEAVE)

    def resume(self) -> None:
        where, times = self.resumes
        size = len(self.codes)
        self.resumes = (size, times + 1 if where == size else 1)

    def resumed(self) -> int:
        """How often it was resumed at its last event."""
        where, times = self.resumes
        return times if where == len(self.codes) else 0

    def land(self, kind: int) -> None:
        """Control shows up, at a site, after an exception was raised."""
        if kind in sites.LANDINGS:
            self.leave()
        self.raised = False

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

    def finish(self) -> Finished:
        if self.pending is not None and self.pending[1] == sites.FETCH:
            self.codes[self.pending[0]] |= sites.LAST_FETCH
            self.full[self.pending[0]] |= sites.LAST_FETCH
        self.close_loops(NONE)
        self.close_handlers(NONE)
        loops = sorted(self.loops, key=itemgetter(0))
        return (
            bytes(self.codes), bytes(self.full), self.events,
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
