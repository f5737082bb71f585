"""From the recorder's log to the trace, and to the paths that replays walk.

One pass over the log.  The log is flat; what activation each entry belongs to, which event
is the parent of which, where loops begin and end, and what branch every header took follow
from the order of the entries and from the nodes of the source (see ``agent/sites.py``).
"""

from __future__ import annotations

import os
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

from stripe.trace import NONE, Activation, SourceFile, Trace
from stripe_pytrace.activations import Finished, OpenActivation
from stripe_pytrace.agent import sites, wire
from stripe_pytrace.control import control_parents
from stripe_pytrace.nodes import Nodes, statements

ENDS = (sites.SUSPEND, sites.UNWIND, sites.CLOSED)
RAISING = (sites.RAISED, sites.RERAISED)
# Entries after which the statements of a run may still go on.
WITHIN = (sites.AT, sites.RAISED, sites.RERAISED, sites.RESUME, sites.UNWIND, sites.CLOSED)


PORTION = 1 << 16
"""Entries of a log that are read in a fraction of a second."""


def _portions(log: Sequence[int], check: Callable[[], object]) -> Iterator[Sequence[int]]:
    """A log in parts, with a call of ``check`` before each."""
    for start in range(0, len(log), PORTION):
        check()
        yield log[start : start + PORTION]


class LogReader:
    """Reads a log once; afterwards ``trace`` and the tables can be had."""

    def __init__(
        self,
        log: Sequence[int],
        files: Sequence[dict[str, Any]],
        check: Callable[[], object] = lambda: None,
        last: int | None = None,
    ) -> None:
        """``check`` is called now and then, and may raise; ``last``: the last event to read, the
        header of a loop that goes on."""
        self.last = last
        # Of the activations that have not ended, innermost last: their events, and open loops.
        self.open: list[tuple[array[int], list[tuple[int, int, int, array[int]]]]] = []
        self.nodes = Nodes(files)
        self.functions = [
            (name, number) for number, file in enumerate(files) for name, _, _ in file["functions"]
        ]
        self.activations: list[Activation] = []
        self.trace = Trace(
            [SourceFile(file["path"], file["text"]) for file in files],
            statements(files),
            self.activations,
            find_control=self._find_control,
        )
        self.position = array("i")
        self.function: list[int] = []
        self.finished: list[Finished | None] = []
        self.resumes: dict[int, int] = {}  # see ``Path`` in agent/plan.py
        self.entries: dict[int, list[int]] = {}
        self.roots: list[int] = []
        self._me: OpenActivation | None = None  # what runs
        self._stack: list[OpenActivation] = []
        self._generators: dict[int, OpenActivation] = {}
        self._raising = NONE  # the event that raised the exception on its way
        self._unwound = False  # the entry before: an activation left by an exception
        self._left = NONE  # the activation left by an exception last, if nothing happened since
        self._read(chain.from_iterable(_portions(log, check)))

    def write_tables(self, path: Path) -> None:
        """Write what the agent's ``Tables`` are made from; can be done once.

        A message with all that is small or irregular and the sizes of the sections that
        follow, which the agent maps into memory.  Section by section, so that nothing is
        here twice.
        """
        finished = [each for each in self.finished if each is not None]
        self.events = [each[2] for each in finished]
        self.finished = []
        position = self.position
        start = array("i", accumulate((len(each[0]) for each in finished), initial=0))
        first = array("i", accumulate(map(len, self.events), initial=0))
        events = sum(map(len, self.events))
        sizes = {
            "activation": 4 * events, "position": 4 * events, "events": 4 * events,
            "positions": 4 * events, "start": 4 * len(start), "first_event": 4 * len(first),
            "function": 4 * len(self.function), "dropped": start[-1], "kept": start[-1],
        }  # fmt: skip
        message = {
            "sections": sizes,
            "loops": {n: each[3] for n, each in enumerate(finished) if each[3]},
            "landings": {n: each[4] for n, each in enumerate(finished) if each[4]},
            "wide": {n: each[5] for n, each in enumerate(finished) if each[5]},
            "resumes": self.resumes,
            "entries": self.entries,
            "roots": self.roots,
        }
        with open(path, "wb") as stream:
            wire.send(stream.fileno(), message)
            stream.seek(0, os.SEEK_END)
            self.trace.activation.tofile(stream)
            position.tofile(stream)
            for each in self.events:
                each.tofile(stream)
            for each in self.events:
                array("i", map(position.__getitem__, each)).tofile(stream)
            for values in (start, first, array("i", self.function)):
                values.tofile(stream)
            stream.writelines(each[0] for each in finished)
            stream.writelines(each[1] for each in finished)

    def _find_control(self) -> array[int]:
        return control_parents(self.trace.statement, self.nodes, self.events)

    # -- the pass

    def _read(self, entries: Iterator[int]) -> None:
        before, entry = 0, 0
        for following in entries:
            if following == sites.SAME:
                self._arrived()
                continue
            before, entry = entry, following
            me = self._me
            if me is not None and me.rest[1] and entry > -sites.START and entry not in WITHIN:
                self._continue(me, NONE)
            if entry >= 0:
                if me is not None and self._passed(me, entry):
                    break
            elif entry <= -sites.START:
                self._entered_function(-entry - sites.START, entries)
            elif entry in ENDS:
                self._ended(entry)
            elif entry == sites.RESUME:
                self._resumed(next(entries))
            elif entry in RAISING:
                where = next(entries) if entry == sites.RAISED else NONE
                if me is not None:
                    self._raised(me, where, again=entry == sites.RERAISED, before=before)
            elif entry == sites.AT:
                self._at(next(entries))
            elif entry == sites.PAUSE:
                while next(entries, sites.UNPAUSE) != sites.UNPAUSE:
                    pass
        self._end_all()

    def _passed(self, me: OpenActivation, site: int) -> bool:
        """Control has passed a site; whether that was the last event to read."""
        nodes = self.nodes
        self._unwound = False
        self._left = NONE
        run = 0
        if site >= sites.RUN:
            site -= sites.RUN
            run = nodes.runs[site]
        node = nodes.site_node[site]
        kind = nodes.site_kind[site]
        if me.raised:
            if kind in sites.LANDINGS:
                me.leave()
            me.raised = False
        if me.pending is not None:
            self._resolve(me, node)
        scopes = me.scopes
        while scopes and not scopes[-1][0] <= node <= scopes[-1][1]:
            scopes.pop()
        if me.open_loops:
            me.close_loops(node)
        if me.open_handlers:
            me.close_handlers(node)
        if kind > sites.CONTEXT:
            self._mark(me, kind, node, site)
            return False
        if run:
            me.rest = (node, run)
            return False
        if kind == sites.MAKE or kind == sites.CONTEXT:
            while scopes and scopes[-1][0] >= node:
                scopes.pop()
        trace = self.trace
        statement = trace.statement
        me.event = event = len(statement)
        statement.append(node)
        trace.activation.append(me.number)
        trace.caller.append(me.caller)
        trace.scope.append(scopes[-1][2] if scopes else NONE)
        self.position.append(len(me.codes))
        me.events.append(event)
        me.codes.append(0)
        me.full.append(1)
        if kind != sites.EVENT:
            self._header(me, kind, node, nodes.site_codes[site])
            return event == self.last and self._cut(me, kind)
        return False

    def _cut(self, me: OpenActivation, kind: int) -> bool:
        """The log is read no further: the loop goes on from the header that is happening."""
        if kind == sites.BRANCH:
            me.codes[-1] = me.full[-1] = 1
        me.pending = None
        return True

    def _entered_function(self, number: int, entries: Iterator[int]) -> None:
        """An activation begins."""
        function, generator = divmod(number, 16)
        self._left = NONE
        me = self._me = self._start(function, self._me, bool(generator))
        self._stack.append(me)
        if generator:
            self._generators[next(entries)] = me

    def _ended(self, entry: int) -> None:
        """The innermost activation returned or yielded, or was left by an exception."""
        self._unwound = entry != sites.SUSPEND
        self._left = NONE
        if not self._stack:
            return
        ended = self._stack.pop()
        self._me = self._stack[-1] if self._stack else None
        ended.rest = (0, 0)
        if self._unwound:
            self._left = self._leave(ended, self._me, closed=entry == sites.CLOSED)
        elif not ended.generator:
            self._finish(ended)

    def _resumed(self, number: int) -> None:
        """A generator goes on."""
        me = self._me
        resumed = self._generators.get(number)
        if resumed is None:
            resumed = OpenActivation(NONE, NONE, True)  # never started: nothing to record
        elif me is not None:
            resumed.caller = me.event
            self._entered(me.event, resumed.number)
        else:
            resumed.caller = NONE
        resumed.resume()
        self._me = resumed
        self._left = NONE
        self._stack.append(resumed)

    def _raised(self, me: OpenActivation, where: int, *, again: bool, before: int) -> None:
        """An exception was raised at ``where``, or goes on; ``before`` is the entry before."""
        if me.rest[1]:
            self._continue(me, where)
            me.rest = (0, 0)
        if not again:
            if not self._unwound:
                self._raising = me.event
        elif before not in RAISING:  # else it has just been raised here, and nothing handles it
            last = me.events[-1] if me.events else NONE
            anew = last != NONE and self.nodes.kind[self.trace.statement[last]] == "Raise"
            self._raising = last if anew else me.landed
        me.raised = True
        self._unwound = False

    def _at(self, where: int) -> None:
        """The next entry happens at an instruction, perhaps one within a run of statements."""
        if self._me is not None and self._me.rest[1]:
            self._continue(self._me, where)

    def _arrived(self) -> None:
        """The exception that an activation was left by is seen in its caller."""
        if self._left != NONE:
            self._end(self._left, sites.LEAVE)
            self._left = NONE

    def _end_all(self) -> None:
        """The log is read: what has not ended ends."""
        self.open = [(running.events, list(running.open_loops)) for running in self._stack]
        for running in self._stack:  # the program was ended from within
            if self.last is None or running is not self._me:
                running.leave()
            if self._is_module(running.number):
                running.code(sites.END, sites.END)
            self._finish(running)
        for running in self._generators.values():
            if self.finished[running.number] is None:
                self.resumes[running.number] = running.resumed()
                self._finish(running)

    def _finish(self, ended: OpenActivation) -> None:
        pending = ended.pending
        if pending is not None and pending[1] == sites.FETCH and ended.stopper != NONE:
            self._end(ended.stopper, sites.LEAVE, sites.END)
        self.finished[ended.number] = ended.finish()

    def _leave(self, ended: OpenActivation, caller: OpenActivation | None, *, closed: bool) -> int:
        """An activation was left by an exception: returns it, if it matters who caught that.

        Unless the exception is seen to arrive in the caller, code that is not traced caught it,
        or it was what ends the caller's loop.  One that ends a program or a suspended generator
        goes no further.
        """
        if closed and ended.resumed():
            self.resumes[ended.number] = ended.resumed() - 1
        ended.leave()
        if closed or (caller is None and self._is_module(ended.number)):
            ended.code(sites.END, sites.END)
        else:
            ended.codes[-1] = ended.full[-1] = sites.CAUGHT
        self._finish(ended)
        if closed:
            return NONE
        if caller is not None and caller.pending is not None and caller.pending[1] == sites.FETCH:
            caller.stopper = ended.number
        return ended.number

    def _end(self, activation: int, *codes: int) -> None:
        """What an activation that was left by an exception reads last."""
        finished = self.finished[activation]
        assert finished is not None
        dropped, kept, *rest = finished
        end = bytes(codes)
        self.finished[activation] = (dropped[:-1] + end, kept[:-1] + end, *rest)  # type: ignore[assignment]

    def _is_module(self, activation: int) -> bool:
        return self.activations[activation].function == "<module>"

    def _continue(self, me: OpenActivation, offset: int) -> None:
        """The statements of a run happen up to that of the instruction at ``offset``.

        All of them for ``NONE``.
        """
        node, count = me.rest
        done = count
        if offset != NONE:
            at = self.nodes.node_at(self.function[me.number], offset)
            done = at + 1 - node if node <= at < node + count else 0
            if not done:
                return
        me.rest = (node + done, count - done)
        trace, position = self.trace, len(me.codes)
        first = len(trace.statement)
        me.event = first + done - 1
        trace.statement.extend(range(node, node + done))
        trace.activation.extend([me.number] * done)
        trace.caller.extend([me.caller] * done)
        trace.scope.extend([me.scopes[-1][2] if me.scopes else NONE] * done)
        self.position.extend(range(position, position + done))
        me.events.extend(range(first, first + done))
        me.codes += bytes(done)
        me.full += b"\1" * done

    def _start(
        self, function: int, caller: OpenActivation | None, generator: bool
    ) -> OpenActivation:
        number = len(self.function)
        event = caller.event if caller is not None else NONE
        self.function.append(function)
        self.finished.append(None)
        name, file = self.functions[function]
        self.activations.append(Activation(number, name, file, event))
        self._entered(event, number)
        return OpenActivation(number, event, generator)

    def _entered(self, event: int, activation: int) -> None:
        if event == NONE:
            self.roots.append(activation)
        else:
            self.entries.setdefault(event, []).append(activation)

    def _resolve(self, me: OpenActivation, node: int) -> None:
        """Control has come to ``node``: so that is the branch the last header took."""
        assert me.pending is not None
        position, kind, header = me.pending
        me.pending = None
        if kind == sites.FETCH:
            if not header < node <= self.nodes.body_end[header]:
                me.codes[position] |= sites.LAST_FETCH
                me.full[position] |= sites.LAST_FETCH
                if me.stopper != NONE:
                    self._end(me.stopper, sites.LEAVE, sites.END)
        elif self.nodes.kind[header] == "Match":
            if header < node <= self.nodes.end[header]:
                branch = bisect_right(self.nodes.arms[header], node)
                me.codes[position] = me.full[position] = branch
        elif header < node <= self.nodes.body_end[header]:
            me.codes[position] = me.full[position] = 1

    def _header(self, me: OpenActivation, kind: int, node: int, codes: int) -> None:
        """Note what an event that is a header opens; its first code is there already."""
        nodes = self.nodes
        position = len(me.codes) - 1
        if kind == sites.BRANCH:
            if nodes.kind[node] == "While":
                if me.open_loops and me.open_loops[-1][0] == node:
                    me.open_loops[-1][3].append(position)
                else:
                    heads = array("i", [position])
                    me.open_loops.append((node, nodes.body_end[node], position, heads))
            me.code(0, 0)
            me.pending = (position + 1, kind, node)
        elif kind == sites.MAKE:
            if me.open_loops and me.open_loops[-1][0] == node:
                me.close_loops(NONE - 1)
            # The first fetch belongs to the same event.
            me.code(0, 1)
            me.wide[position] = 2
            me.open_loops.append((node, nodes.body_end[node], position, array("i", [position + 1])))
            me.scopes.append((node, nodes.body_end[node], me.event))
            me.pending, me.stopper = (position + 1, sites.FETCH, node), NONE
        elif kind == sites.FETCH:
            if me.open_loops and me.open_loops[-1][0] == node:
                me.open_loops[-1][3].append(position)
            me.pending, me.stopper = (position, kind, node), NONE
        elif kind == sites.CONTEXT:
            for _ in range(codes - 1):
                me.code(0, 1)
            if codes > 1:
                me.wide[position] = codes
            me.scopes.append((node, nodes.end[node], me.event))

    def _mark(self, me: OpenActivation, kind: int, node: int, site: int) -> None:
        """A site that is no event."""
        if kind == sites.PASSED:
            me.code(1, 1)
            return
        position = len(me.codes)
        event = NONE
        me.landed = self._raising
        if kind == sites.HANDLER:
            me.open_handlers.append((node, self.nodes.end[node], position))
            me.scopes.append((node, self.nodes.end[node], self._raising))
        elif kind == sites.LEAVING and me.scopes and me.scopes[-1][0] == node:
            # Leaving the context is the header's doing.
            me.event = event = me.scopes.pop()[2]
        me.landings[position] = (site, 0, event)
        me.code(sites.LAND, sites.LAND)
