"""Reading a part of a log: what is outside of the window is followed, but not held.

Activations that are open when the window begins keep the codes of all that they have done so far:
a replay walks them from their beginning, with all of that kept.  Those that had ended by then leave
nothing behind; replays run them in full.  So that both can be told apart, it is noted how many
activations had begun before the window, and how many before each of those that were open then.

The paths of activations that are open when the window ends have ``OVER`` at their end: whoever
comes there runs everything in full from then on.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from stripe.trace import NONE, Activation
from stripe_pytrace.activations import Finished, OpenActivation
from stripe_pytrace.agent.compiling import sites

if TYPE_CHECKING:
    from stripe_pytrace.paths import LogReader

MOST = 1 << 16
"""Events outside of the window that are held at a time."""


class Windowing:
    """Has a reader forget what is outside of a window of events, ``start`` to ``stop - 1``.

    ``total`` is how many events there were; ``opened``, of activations that were open when the
    window began, how many had begun before each, and its number; ``before``, how many had begun.
    """

    def __init__(self, reader: LogReader, start: int, stop: int) -> None:
        self.start, self.stop = start, stop
        self.opened: dict[int, int] = {}
        self.before = 0
        self.total = 0
        self.reader = reader
        self.base = 0  # events that were forgotten
        self._within = self._after = False
        self._held: list[Any] = []  # what was in the window, once that is over
        self._pending: list[tuple[OpenActivation, int, int]] = []

    @property
    def columns(self) -> tuple[array[int], ...]:
        """What the reader holds of each event."""
        return tuple(each.tail for each in self.reader.columns)

    def begin(self) -> None:
        """Nothing has been read yet."""
        self._within = not self.start
        self._set_boundary()

    def reach(self, stack: Sequence[OpenActivation], generators: dict[int, OpenActivation]) -> None:
        """The reader has come to its ``boundary``, with these activations open."""
        if self._within:
            self._hold(_open(self.reader.finished, stack, generators))
            self._within, self._after = False, True
        self._forget(stack, generators)
        if not self._after and self.base == self.start:
            self._within = True
            self.before = self.reader.started
            running = _open(self.reader.finished, stack, generators)
            self.opened = {me.serial: me.number for me in running if me.serial != NONE}
        self._set_boundary()

    def end(self) -> None:
        """All has been read."""
        reader = self.reader
        self.seen()
        self.total = self.base + len(reader.trace.statement)
        if not self._after:
            return
        for column, held in zip(self.columns, self._held, strict=False):
            del column[:]
            column.extend(held)
        _, _, _, _, _, function, activations, finished, resumes, entries, roots = self._held
        for me, number, position in self._pending:
            # Which way the last header went has shown up since.
            codes, full, *rest = finished[number]
            shown = me.codes[position]
            code = bytes([shown if shown <= sites.LAST_BRANCH else 0])  # what it left is elsewhere
            codes = codes[:position] + code + codes[position + 1 :]
            full = full[:position] + bytes([me.full[position]]) + full[position + 1 :]
            finished[number] = (codes, full, *rest)
        reader.function[:], reader.activations[:] = function, activations
        reader.finished[:], reader.roots[:] = finished, roots
        reader.resumes, reader.entries = resumes, entries

    def seen(self) -> None:
        """The events that the reader holds are about to be forgotten, or are the last."""

    def began(self, function: int) -> None:
        """An activation of a function begins."""

    def ended(self, function: int) -> None:
        """An activation of a function ends, or is suspended."""

    def _set_boundary(self) -> None:
        left = MOST
        if self._within:
            left = self.stop - self.base
        elif not self._after:
            left = min(left, self.start - self.base)
        self.reader.boundary = left - 1

    def _hold(self, running: Sequence[OpenActivation]) -> None:
        """Put aside what is in the window, which ends here."""
        reader = self.reader
        finished: list[Finished | None] = list(reader.finished)
        for me in running:
            finished[me.number] = me.cut()
            if me.pending is not None:
                self._pending.append((me, me.number, me.pending[0]))
        self._held = [
            *(array("i", column) for column in self.columns), list(reader.function),
            list(reader.activations), finished, dict(reader.resumes), dict(reader.entries),
            list(reader.roots),
        ]  # fmt: skip

    def _forget(
        self, stack: Sequence[OpenActivation], generators: dict[int, OpenActivation]
    ) -> None:
        """Forget all events, and the activations that have ended; number the others anew."""
        self.seen()
        reader = self.reader
        self.base += len(reader.trace.statement)
        for column in self.columns:
            del column[:]
        finished = reader.finished
        running = _open(finished, stack, generators)
        ended = [
            number
            for number, me in generators.items()
            if me.number == NONE or finished[me.number] is not None
        ]
        functions = [reader.function[me.number] for me in running]
        for number in ended:
            del generators[number]
        for rows in (reader.function, reader.activations, finished, reader.roots):
            rows.clear()
        reader.entries, reader.resumes = {}, {}
        numbers: dict[int, int] = {}
        for number, (me, function) in enumerate(zip(running, functions, strict=True)):
            numbers[id(me)] = number
            name, file = reader.functions[function]
            reader.function.append(function)
            reader.activations.append(Activation(number, name, file, NONE))
            finished.append(None)
        below = NONE
        for me in stack:
            if id(me) in numbers:
                below = me.settle(numbers.pop(id(me)), below)
        for me in running:
            if id(me) in numbers:
                me.settle(numbers[id(me)], NONE)


def _open(
    finished: Sequence[Finished | None],
    stack: Sequence[OpenActivation],
    generators: Mapping[int, OpenActivation],
) -> list[OpenActivation]:
    """The activations that have not ended, in the order of their numbers."""
    running = {
        me.number: me for me in (*generators.values(), *stack) if finished[me.number] is None
    }
    return [running[number] for number in sorted(running)]
