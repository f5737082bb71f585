"""Calls that are kept as a whole, with all that they call: replayed by one sequence of codes.

The host lays down the codes of such *folds* in the order in which they are read, with marks where
an activation starts and where it returns.  While control is in one of them, sites read from that
sequence, and all that callbacks do for starts and ends is to read a mark.  Where the code of
functions tells itself that they start and return (``now.begin``, ``now.end``), it reads these marks
before it tells anybody.  Nothing is assumed:
as long as marks come where they are expected, the frames are those of the recorded run, and so
each site reads the code that is meant for it.  A start or an end that reads anything else, a site
that comes to a mark, and whatever else asks for activations *unfold* what there is: each frame gets
an activation that follows its plan from where it is.
"""

from __future__ import annotations

from itertools import chain

from ..compiling.marks import RAISES, RETURN, UNWIND, Mark, landing, start
from ..compiling.sites import CAUGHT, LAST_BRANCH, LEAVE
from ..process.natives import bisect_left
from ..process.recursion_limit import ROOM, get_limit, set_limit
from .activation import BEHIND, NOTHING, Activation
from .modes import FOLDED, Mode
from .plan import CALL

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from ..compiling.linker import Function
    from .activation import Exits
    from .plan import Tables

MOST = 4_000_000
"""Entries of sequences that are held in memory."""


class Folds(Mode):
    """The folds of a recorded run, and the one that is replayed.

    ``current`` is the sequence that is read, ``None`` outside of folds; ``now`` has it at hand,
    too.  ``resume`` is told what sites read from here on, once there are
    activations on the ``stack`` again; ``partly`` are the
    activations that do not take effect as a whole, ascending.
    """

    name = FOLDED

    def __init__(
        self,
        stack: list[Activation],
        resume: Callable[[Iterator[Any]], object],
        exits: Exits,
        now: Any,
        note: Callable[[str], object] | None,
    ) -> None:
        Mark.folds = self
        self._now = now
        self.current: Any = None
        self.on = False
        self.partly: Sequence[int] = ()
        self.returns, self.unwinds, self.raises = Mark(), Mark(), Mark(reads=True)
        self.ends, self.fails, self._behind = Mark(), Mark(), Mark()
        self.lands: dict[int, Mark] = {}  # by site
        self._stack, self._resume = stack, resume
        self._answer = exits.__getitem__
        self._ending = map(exits.__getitem__, BEHIND)
        self._entries: list[Any] = []
        self.behind = 2  # what is left to read, less this: -2 less how many were read
        self._root = 0
        self._end = self.returns
        self._bound = bytearray()
        self.note = note
        self.entered = self.unfolded = self.held = 0  # ``held``: activations in them
        # Those that sites may have at hand still, and how many frames were below.
        self._unfolded: list[tuple[int, Any]] = []

    def prepare(self, tables: Tables, functions: Iterable[Function]) -> None:
        """Make the sequences: once, for all replays."""
        if len(tables.stream) > MOST:
            return
        self.tables = tables
        known: dict[int, Any] = {code: code for code in range(256)}
        known |= {RETURN: self.returns, UNWIND: self.unwinds, RAISES: self.raises}
        for function in functions:
            known[start(function.number)] = function.opens
        for site in tables.landed:
            known[landing(site)] = self.lands[site] = Mark(reads=True)
        self._entries = list(map(known.get, tables.stream))
        self._entries.append(self._behind)
        self.behind = len(self._entries) + 2
        self.on = True

    def enter(self, number: int, bound: bytearray) -> Any:
        """The sequence for an activation that starts, if it is a fold and kept; else ``None``.

        ``bound``: by activation, whether it has begun.
        """
        tables, partly = self.tables, self.partly
        start, last = tables.folded_at[number], tables.folded_last[number]
        if not start or 1 in bound[number : last + 1]:
            return None
        if partly:
            which = bisect_left(partly, number)
            if which < len(partly) and partly[which] <= last:
                return None
        bound[number : last + 1] = b"\1" * (last + 1 - number)
        self._bound = bound
        self._root = number
        self.entered += 1
        self.held += last + 1 - number
        end = tables.folded_end[number]
        self._end = self._entries[end]
        self._entries[end] = self.ends if self._end is self.returns else self.fails
        sequence: Any = iter(self._entries)
        self.current = self._now.fold = sequence
        sequence.__setstate__(start)
        return sequence

    def leave(self) -> None:
        """The activation that the fold began with has ended, or there is none any more."""
        self.current = None
        self._now.fold = NOTHING
        self._entries[self.tables.folded_end[self._root]] = self._end

    def event(self, here: int) -> int | None:
        """The event that was happening there."""
        tables = self.tables
        opened = [n for n, at in enumerate(tables.folded_at) if 0 < at <= here]
        number = next(n for n in reversed(opened) if here <= tables.folded_end[n])
        depth = done = 0
        for entry in self._entries[tables.folded_at[number] : here]:
            if type(entry) is int or entry.reads:
                done += not depth
            else:
                depth += -1 if entry.function is None else 1
        return tables.event_at(number, done - 1) if done else None

    def last(self) -> Any:
        """What was read last of the fold that is replayed."""
        return self._entries[len(self._entries) - self.current.__length_hint__() - 1]

    def unfold(self, read: int = 0) -> None:
        """Have an activation for each frame; ``read``: how many entries were read in vain."""
        if self.current is not None:
            limit = get_limit()
            set_limit(limit + ROOM)
            try:
                self._unfold(self.current, read)
            finally:
                set_limit(limit)

    def _unfold(self, sequence: Any, read: int) -> None:
        entries, tables = self._entries, self.tables
        here = len(entries) - sequence.__length_hint__() - read
        self.leave()
        root = number = self._root
        # Of each frame: the activation, how many codes it has read, the last that it called.
        frames: list[list[int]] = [[root, 0, -1]]
        for entry in entries[tables.folded_at[root] : here]:
            if type(entry) is int or entry.reads:
                frames[-1][1] += 1
            elif entry.function is None:
                frames.pop()
            else:
                number += 1
                frames[-1][2] = number
                frames.append([number, 0, -1])
        last = tables.folded_last[root]
        self._bound[number + 1 : last + 1] = bytes(last - number)
        self.unfolded += 1
        if self.note is not None:
            running = ", ".join(str(each) for each, _, _ in frames)
            self.note(f"activations {root} to {last} go on each for itself; running: {running}")
        self.held -= last - number
        below = len(self._stack)
        for which, done, called in frames:
            call = tables.first_call(which) if called < 0 else tables.call_after(called)
            self._stack.append(self._reading(which, done, call))
        while self._unfolded and self._unfolded[-1][0] >= below:
            self._unfolded.pop()
        self._unfolded.append((below, sequence))
        sequence.__setstate__(len(entries) - 1)
        self._resume(self._stack[-1].answers)

    def _reading(self, number: int, done: int, call: int) -> Activation:
        """An activation kept as a whole that has read so many codes; ``call``: see there."""
        tables = self.tables
        _, _, _, _, _, start, end, _, _ = CALL.unpack_from(tables.calls, tables.row(number))
        codes: Any = tables.codes[start:end]
        special = max(codes, default=0) > LAST_BRANCH
        if special:
            codes = bytearray(codes)
        unread: Any = iter(codes)
        unread.__setstate__(done)
        activation = Activation()
        activation.number, activation.call, activation.size = number, call, len(codes)
        activation.unread, activation.held = unread, codes
        activation.answers = chain(unread, self._ending)
        if special:
            activation.answers = map(self._answer, chain(unread, BEHIND))
            activation.left = codes[-1] if codes[-1] in (LEAVE, CAUGHT) else 0
        return activation

    def over(self) -> None:
        self.unfold()
        self.on = False

    def empty(self) -> None:
        """Sequences have no say any more, not even those that sites have at hand."""
        for _, sequence in self._unfolded:
            sequence.__setstate__(len(self._entries))
        if self.current is not None:
            self.current.__setstate__(len(self._entries))
            self.current = None
            self._now.fold = NOTHING
        self.on = False

    def met(self) -> Activation:
        """A site has come to a mark: whose codes it is to read instead."""
        if self.current is not None:
            self.unfold(1)
        else:
            for _, sequence in self._unfolded:
                sequence.__setstate__(len(self._entries) - 1)
        return self._stack[-1]
