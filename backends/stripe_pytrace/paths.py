"""From the recorder's log to the trace, and to the paths that replays walk.

One pass over the log.  The log is flat; what activation each entry belongs to, which event
is the parent of which, where loops begin and end, and what branch every header took follow
from the order of the entries and from the nodes of the source (see ``agent/compiling/sites.py``).
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from operator import length_hint
from pathlib import Path
from typing import Any, cast

from stripe.trace import NONE, Activation, SourceFile, Trace
from stripe.trace.columns import LONG, Column, Numbers
from stripe_pytrace.activations import Finished, OpenActivation, mark_of
from stripe_pytrace.agent.compiling import sites
from stripe_pytrace.control import by_activation, control_parents
from stripe_pytrace.nodes import Nodes, statements
from stripe_pytrace.tables import write_tables
from stripe_pytrace.window_reader import Windowing

ENDS = (sites.SUSPEND, sites.UNWIND, sites.CLOSED, sites.DONE)
RAISING = (sites.RAISED, sites.RERAISED)
ANEW = (sites.MAKE, sites.CONTEXT)
# Entries that a number belongs to.
FOLLOWED = (sites.RESUME, sites.RAISED, sites.AT)
# Entries after which the statements of a run may still go on.
WITHIN = (sites.AT, sites.RAISED, sites.RERAISED, sites.RESUME, sites.UNWIND, sites.CLOSED)


PORTION = 1 << 16
"""Entries of a log that are read in a fraction of a second."""


class BegunAsideError(Exception):
    """A generator goes on that began while a module was imported whose import is not recorded."""


class LogReader:
    """Reads a log once; afterwards ``trace`` and the tables can be had."""

    def __init__(
        self,
        log: Sequence[int],
        files: Sequence[dict[str, Any]],
        check: Callable[[], object] = lambda: None,
        last: int | None = None,
        windowing: Callable[[LogReader], Windowing] | None = None,
    ) -> None:
        """``check`` is called now and then, and may raise; ``last``: the last event to read, the
        header of a loop that goes on; ``windowing``: what forgets all but a part."""
        self.last = last
        self._windowing: Windowing | None = None
        self.boundary = NONE  # the event after which there is something to be done about that
        self.started = 0
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
        self.position: Numbers = array("i")
        # What is appended to here goes to files now and then, if it gets long: ``_first`` events.
        trace = self.trace
        started = trace.statement, trace.activation, trace.caller, trace.scope, self.position
        self.columns = [Column(cast("array[int]", each)) for each in started]
        self._first = 0
        self.function: list[int] = []
        self.finished: list[Finished | None] = []
        # Of each activation, the code that its path ends with (of a part of a run: unknown).
        self.left_by = b""
        self.resumes: dict[int, int] = {}  # see ``Path`` in agent/replaying/plan.py
        self.entries: dict[int, list[int]] = {}
        self.roots: list[int] = []
        self._me: OpenActivation | None = None
        self._stack: list[OpenActivation] = []
        self._generators: dict[int, OpenActivation] = {}
        self._aside: set[int] = set()  # sites that were passed in what is not recorded
        self._raising = NONE  # the event that raised the exception on its way
        self._unwound = False  # the entry before: an activation left by an exception
        self._left = NONE  # the activation left by an exception last, if nothing has happened since
        if windowing is not None:
            self._windowing = windowing(self)
            self._windowing.begin()
        self._suspended: dict[int, OpenActivation] = {}  # by place in the log, see ``sites.BACK``
        self._portion: Iterator[int] = iter(())
        self._portion_end = 0
        self._read(chain.from_iterable(self._portions(log, check)))
        self._close()
        if self._windowing is not None:
            self._windowing.end()
        columns = (each.done() for each in self.columns)
        trace.statement, trace.activation, trace.caller, trace.scope, self.position = columns
        self.columns = []  # who finds control parents later holds the reader
        self._stack, self._generators, self._suspended, self._me = [], {}, {}, None

    def write_tables(self, path: Path) -> None:
        """Write what the agent's ``Tables`` are made from; can be done once."""
        finished = [each for each in self.finished if each is not None]
        if self._windowing is None:
            self.left_by = bytes(each[0][-1] if each[0] else 0 for each in finished)
        self.finished = []
        write_tables(self, finished, self._windowing, path)
        self.position = array("i")

    def _find_control(self) -> Numbers:
        return control_parents(
            self.trace.statement, self.nodes, by_activation(self.trace.activation)
        )

    # -- the pass

    def _portions(self, log: Sequence[int], check: Callable[[], object]) -> Iterator[Iterator[int]]:
        """A log in parts, with a call of ``check`` before each."""
        for start in range(0, len(log), PORTION):
            check()
            if self._windowing is None and len(self.columns[0]) >= LONG:
                for column in self.columns:
                    column.spill()
                self._first = len(self.columns[0])
            portion = list(log[start : start + PORTION])
            self._portion, self._portion_end = iter(portion), start + len(portion)
            yield self._portion

    def _place(self) -> int:
        """How many entries of the log have been read."""
        return self._portion_end - length_hint(self._portion)

    def _read(self, entries: Iterator[int]) -> None:
        """Read the entries; those of sites here, as nearly all are."""
        nodes = self.nodes
        site_kind, site_node, runs = nodes.site_kind, nodes.site_node, nodes.runs
        statement, activation, caller, scope, position = (each.tail for each in self.columns)
        me: OpenActivation | None = None
        before = 0
        for entry in entries:
            if entry < 0:
                if entry > -sites.START or entry <= sites.LAST_BACK:
                    me = self._flow(entry, before, entries)
                    if entry != sites.SAME:
                        before = entry
                    continue
                before = entry
                me, entry = self._begins(entry, entries)
                if entry == sites.NO_LEAD:
                    continue
            if me is None:
                before = 0
                continue
            if before:
                before = 0
                self._unwound, self._left = False, NONE
            if me.rest[1]:
                self._continue(me, NONE)
            run = 0
            if entry >= sites.RUN:
                entry -= sites.RUN
                run = runs[entry]
            node = site_node[entry]
            kind = site_kind[entry]
            if me.raised or me.pending is not None:
                self._arrive(me, kind, node)
            scopes = me.scopes
            while not scopes[-1][0] <= node <= scopes[-1][1]:
                scopes.pop()
            loops = me.open_loops
            if loops and not loops[-1][0] <= node <= loops[-1][1]:
                me.close_loops(node)
            if me.open_handlers:
                me.close_handlers(node)
            if kind > sites.ANNOTATION:
                self._mark(me, kind, node, entry, self._raising)
                continue
            if run:
                me.rest = (node, run)
                continue
            if kind in ANEW:
                me.enter_anew(node)
            me.event = event = self._first + len(statement)
            statement.append(node)
            activation.append(me.number)
            caller.append(me.caller)
            scope.append(scopes[-1][2])
            position.append(len(me.codes))
            me.events.append(event)
            me.codes.append(0)
            me.full.append(1)
            if kind != sites.EVENT:
                self._header(me, kind, node, nodes.site_codes[entry])
                if event == self.last:
                    me.stay(kind)
                    break
            if event == self.boundary:
                self._reach()

    def _flow(self, entry: int, before: int, entries: Iterator[int]) -> OpenActivation | None:
        """An entry that is no site, after which another activation may be running: that one.

        ``before``: the entry before, if that was none, either.
        """
        me = self._me
        if entry == sites.SAME:
            if self._left != NONE:
                self._end(self._left)
                self._left = NONE
            return me
        if me is not None and me.rest[1] and entry not in WITHIN:
            self._continue(me, NONE)
        if entry in ENDS:
            self._ends(entry)
        elif entry == sites.RESUME:
            self._goes_on(self._begun(self._generators.get(next(entries))))
        elif entry <= sites.LAST_BACK:
            self._goes_on(self._begun(self._suspended.pop(entry - sites.BACK, None)))
        elif entry in RAISING:
            self._raises(entry, before, entries)
        elif entry == sites.AT:
            where = next(entries)
            if me is not None and me.rest[1]:
                self._continue(me, where)
        elif entry == sites.PAUSE:
            self._pass_aside(entries)
        return self._me

    def _pass_aside(self, entries: Iterator[int]) -> None:
        """Go over what is no part of the recorded run, and keep which sites were passed."""
        for entry in entries:
            if entry == sites.UNPAUSE:
                return
            if entry >= 0:
                self._aside.add(entry)
            elif entry in FOLLOWED:
                next(entries)
            elif sites.LAST_BACK < entry <= -sites.START:
                function, how = divmod(-entry - sites.START, 16)
                if how % sites.ALONE:
                    next(entries)
                if how < sites.ALONE and function in self.nodes.leads:
                    self._aside.add(self.nodes.leads[function])

    def passed_aside(self) -> list[set[int]]:
        """Of each file, the lines of statements that were executed in what is not recorded."""
        found: list[set[int]] = [set() for _ in self.trace.files]
        for entry in self._aside:
            first, count = entry, 1
            if entry >= sites.RUN:
                first -= sites.RUN
                count = self.nodes.runs[first]
            for site in range(first, first + count):
                statement = self.trace.statements[self.nodes.site_node[site]]
                found[statement.file].add(statement.line)
        return found

    def _begun(self, generator: OpenActivation | None) -> OpenActivation:
        if generator is None:
            raise BegunAsideError
        return generator

    def _begins(self, entry: int, entries: Iterator[int]) -> tuple[OpenActivation, int]:
        """An activation of a function begins: it, and the entry for what it has begun with."""
        function, how = divmod(-entry - sites.START, 16)
        alone, generator = divmod(how, sites.ALONE)
        self._left = NONE
        self._me = me = self._start(function, self._me, bool(generator))
        self._stack.append(me)
        if generator:
            self._generators[next(entries)] = me
        return me, sites.NO_LEAD if alone else self.nodes.leads.get(function, sites.NO_LEAD)

    def _ends(self, entry: int) -> None:
        """The running activation ends, or is suspended."""
        self._unwound = entry not in (sites.SUSPEND, sites.DONE)
        self._left = NONE
        stack = self._stack
        if not stack:
            return
        ended = stack.pop()
        self._me = me = stack[-1] if stack else None
        ended.rest = (0, 0)
        if self._windowing is not None:
            self._windowing.ended(self.function[ended.number])
        if self._unwound:
            self._left = self._leave(ended, me, closed=entry == sites.CLOSED)
        elif entry == sites.DONE:
            self.resumes[ended.number] = ended.resumed()
            self._finish(ended)
        elif not ended.generator:
            self._finish(ended)

    def _goes_on(self, resumed: OpenActivation) -> None:
        """A generator is resumed."""
        me = self._me
        if me is not None:
            resumed.caller = me.going_on
            self._entered(me.event, resumed.number)
        else:
            resumed.caller = NONE
        resumed.resume()
        self._left = NONE
        self._me = resumed
        self._stack.append(resumed)

    def _raises(self, entry: int, before: int, entries: Iterator[int]) -> None:
        """An exception is raised in the running activation, arrives there, or goes on."""
        where = next(entries) if entry == sites.RAISED else NONE
        me = self._me
        if me is None:
            return
        if me.rest[1]:
            self._continue(me, where)
            me.rest = (0, 0)
        if entry == sites.RERAISED and before in RAISING:
            pass  # it has just been raised here, and nothing handles it
        else:
            raiser = me.events[-1] if me.events else NONE
            if entry == sites.RERAISED:
                if raiser != NONE and self.nodes.kind[self.columns[0][raiser]] != "Raise":
                    raiser = NONE
                if me.pending is not None and not me.raised:
                    self._resolve(me, NONE)  # a loop, say, that a ``finally`` ends with
                self._raising = me.landed if raiser == NONE else raiser
            elif not self._unwound:
                self._raising = max(me.event, NONE)
            me.raiser = raiser if raiser == NONE else self.columns[-1][raiser]
        me.raised = True
        self._unwound = False

    def _close(self) -> None:
        """End the activations that have not ended."""
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
            self._end(ended.stopper, sites.END)
        self.finished[ended.number] = ended.finish()

    def _leave(self, ended: OpenActivation, caller: OpenActivation | None, *, closed: bool) -> int:
        """An activation was left by an exception: returns it, if it matters who caught that.

        Unless the exception is seen to arrive in the caller, code that is not traced caught it,
        or it was what ends the caller's loop.  One that ends a program or a suspended generator
        goes no further.
        """
        if closed and ended.resumed():
            self.resumes[ended.number] = ended.resumed() - 1
        if closed or (caller is None and self._is_module(ended.number)):
            ended.leave()
            ended.code(sites.END, sites.END)
        else:
            ended.leave(sites.CAUGHT)
        self._finish(ended)
        if closed:
            return NONE
        if caller is not None and caller.pending is not None and caller.pending[1] == sites.FETCH:
            caller.stopper = ended.number
        return ended.number

    def _end(self, activation: int, *codes: int) -> None:
        """What left an activation has arrived; ``codes``: what it reads last, after that."""
        finished = self.finished[activation]
        assert finished is not None
        caught, left, end = bytes([sites.CAUGHT]), bytes([sites.LEAVE]), bytes(codes)
        dropped, kept = (each.replace(caught, left) + end for each in finished[:2])
        self.finished[activation] = (dropped, kept, *finished[2:])

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
        statement = self.columns[0]
        while 0 < (before := self.boundary + 1 - len(statement)) <= done:
            self._happen(me, node, before)
            self._reach()
            node, done = node + before, done - before
        if done:
            self._happen(me, node, done)

    def _reach(self) -> None:
        """A window begins or ends behind the event that has just been read."""
        assert self._windowing is not None
        self._windowing.reach(self._stack, self._generators)
        self._left = self._raising = NONE

    def _happen(self, me: OpenActivation, node: int, done: int) -> None:
        """So many statements in a row happen, the first of which is ``node``."""
        statement, activation, caller, scope, positions = (each.tail for each in self.columns)
        position, first = len(me.codes), self._first + len(statement)
        me.event = first + done - 1
        statement.extend(range(node, node + done))
        activation.extend([me.number] * done)
        caller.extend([me.caller] * done)
        scope.extend([me.scopes[-1][2]] * done)
        positions.extend(range(position, position + done))
        me.events.extend(range(first, first + done))
        me.codes += bytes(done)
        me.full += b"\1" * done

    def _start(
        self, function: int, caller: OpenActivation | None, generator: bool
    ) -> OpenActivation:
        number = len(self.function)
        event = caller.event if caller is not None else NONE
        if self._windowing is not None:
            self._windowing.began(function)
        self.function.append(function)
        self.finished.append(None)
        name, file = self.functions[function]
        self.activations.append(Activation(number, name, file, max(event, NONE)))
        self._entered(event, number)
        serial = NONE
        if name.rpartition(".")[2] != "__del__":  # for that comes when it comes
            serial, self.started = self.started, self.started + 1
        began = OpenActivation(number, event, generator, serial)
        if caller is not None:
            began.caller = caller.going_on
        return began

    def _entered(self, event: int, activation: int) -> None:
        if event == NONE:
            self.roots.append(activation)
        else:
            self.entries.setdefault(event, []).append(activation)

    def _arrive(self, me: OpenActivation, kind: int, node: int) -> None:
        """Control has come to ``node``: by an exception, or by the branch of a header."""
        if me.raised:
            me.land(kind)
        if me.pending is not None:
            self._resolve(me, node)

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
                    self._end(me.stopper, sites.END)
        elif self.nodes.kind[header] == "Match":
            if header < node <= self.nodes.end[header]:
                branch = bisect_right(self.nodes.arms[header], node)
                me.codes[position] = me.full[position] = branch
        elif header < node <= self.nodes.body_end[header]:
            me.codes[position] = me.full[position] = 1

    def _header(self, me: OpenActivation, kind: int, node: int, annotation: int) -> None:
        """Note what an event that is a header opens; its first code is there already."""
        nodes = self.nodes
        position = len(me.codes) - 1
        if kind == sites.YIELDS:
            self._suspended[self._place()] = me
        elif kind == sites.BRANCH:
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
            elif self._windowing is not None:  # it was open when the window began
                heads = array("i", [position])
                me.open_loops.append((node, nodes.body_end[node], position, heads))
            me.pending, me.stopper = (position, kind, node), NONE
        elif kind == sites.ANNOTATION:
            for digit in sites.digits(annotation):
                me.code(digit, digit)
        elif kind == sites.CONTEXT:
            me.scopes.append((node, nodes.end[node], me.event))

    def _mark(self, me: OpenActivation, kind: int, node: int, site: int, raising: int) -> None:
        """A site that is no event."""
        if kind == sites.ITEM and me.events:
            me.widen(self.columns[-1][me.events[-1]])
            return
        if kind in (sites.PASSED, sites.ITEM):  # an item of a header before the window is kept
            me.code(1, 1)
            return
        position = len(me.codes)
        event = NONE
        me.landed = raising
        if kind == sites.HANDLER:
            me.open_handlers.append((node, self.nodes.end[node], position))
            me.scopes.append((node, self.nodes.end[node], raising))
        elif kind == sites.LEAVING and me.scopes[-1][0] == node:
            # Leaving the context is the header's doing.
            me.event = event = me.scopes.pop()[2]
            if event == NONE:  # the header came before the window
                me.event = event = mark_of(me.number)
        me.landings[position] = (site, 0, event)
        me.code(sites.LAND, sites.LAND)
