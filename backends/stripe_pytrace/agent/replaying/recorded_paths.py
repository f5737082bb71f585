"""Path-following: what every replay does where no faster mode serves.

An activation of the program is matched with the one that was recorded in its place, and its sites
read the codes of that one's path, with the kept events marked (``plan``).  Control leaves an
activation, and lands, where it did when recorded; anything else ends the replay.
"""

from __future__ import annotations

import sys
from types import CodeType

from ..compiling import sites
from ..compiling.linker import Function
from ..process.natives import partial
from ..process.recursion_limit import ROOM, get_limit, set_limit
from ..recording.monitor import handles_signals, tracked
from .activation import OUTSIDE, Activation, Leave, following, leaving_group, named
from .modes import PATHS, Mode
from .plan import NO_LANDING, Landing, Plan, Tables
from .replay_registers import Nothing

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from typing import Any

    from .replay import Replayer

KEPT, ANNOTATION = 1, 3  # the code of an event that is kept, and how many an annotation has


class RecordedPaths(Mode):
    """Matches activations with recorded ones, and keeps to their paths.

    The activations, the tables and what is kept are the replayer's.
    """

    name = PATHS

    def __init__(self, replayer: Replayer) -> None:
        self._replayer = replayer
        self.sought = 0  # activations that were not the ones expected next
        self._roots_used = 0
        # The event where the recorded run was cut off, the header of a loop that went on.
        self._last: int | None = None
        # The activation that was left by the exception with which the program ended, though code
        # that is not traced, such as pytest, had it in between.
        self.outermost: int | None = None

    def require_last(self, tables: Tables, last: int | None) -> None:
        """``last``: the event where the recorded run was cut off."""
        replayer = self._replayer
        self._last = last if replayer.strict else None  # else conditions have no say
        if last is not None:
            marks = replayer.marked.positions(tables.activation[last])
            if (tables.position[last] in marks) is not replayer.keep:
                self._last = None  # without it, nothing tells that the loop goes on

    def begin(self, function: Function) -> Activation | None:
        replayer, tables = self._replayer, self._replayer.tables
        if tables is None or (replayer.stack and replayer.stack[-1].number < 0):
            return replayer.free
        number = self._match(function, tables)
        return None if number is None else self.follow(function, number, tables)

    def follow(self, function: Function, number: int, tables: Tables) -> Activation:
        """An activation that follows a plan of its own."""
        replayer = self._replayer
        replayer.bound[number] = 1
        self.sought += 1
        marked = replayer.marked.positions(number)
        plan = Plan(tables.path(number), marked, replayer.keep)
        activation = following(number, tables.first_call(number), plan, replayer.exits)
        if function.annotates and not activation.left:
            activation.left = sites.END
        if replayer.note is not None:
            of = len(plan.path.events)
            kept = len(marked) if replayer.keep else of - len(marked)
            replayer.note(
                f"begins {named(function.code)} as activation {number}, {kept} of {of} events kept"
            )
            activation.answers = map(partial(self._read, activation), activation.answers)
        return activation

    def _read(self, activation: Activation, code: int) -> int:
        """Note what a site of an activation has been told."""
        note = self._replayer.note
        assert note is not None
        limit = get_limit()
        set_limit(limit + ROOM)
        try:
            event = activation.happening()
            plan = activation.plan
            if plan is not None and activation.position() in plan.path.positions:
                note(f"event {event} is {'kept' if code else 'left out'}")
            else:
                note(f"event {event} reads {code}")
        finally:
            set_limit(limit)
        return code

    # -- which activation it is

    def _match(self, function: Function, tables: Tables) -> int | None:
        """The next activation of ``function`` recorded under the event that is happening."""
        stack, bound = self._replayer.stack, self._replayer.bound
        event = None
        if not stack:
            candidates = tables.roots
            used = self._roots_used
        else:
            for caller in reversed(stack):
                event = None if caller.number < 0 else caller.happening()
                if event is not None or caller.number < 0:
                    break
            if event is None:
                return None
            candidates = tables.entries.get(event, [])
            used = (caller.entered or {}).get(event, 0)
        for index in range(used, len(candidates)):
            number = candidates[index]
            if tables.function(number) == function.number and not bound[number]:
                if event is None:
                    self._roots_used = index + 1
                else:
                    caller.used(event, index + 1)
                    caller.call = tables.call_after(number) or caller.call
                return number
        return self._elsewhere(function, tables, event)

    def _elsewhere(self, function: Function, tables: Tables, event: int | None) -> int | None:
        """An activation recorded under another event, for functions where that means nothing.

        A generator may be first resumed by another event than when recorded, so its later
        resumes count as places where it may begin; so does what came after its end.  A
        module is executed by whoever imports it first, annotations are evaluated for who asks
        first; objects die when nobody holds them, and signals come when they come.
        """
        replayer = self._replayer
        if replayer.note is not None:
            name = named(function.code)
            replayer.note(f"looks for {name} under other events than event {event}")
        if event is not None and function.generator:
            number = tables.begun(function.number, replayer.bound, event)
            # If anything of it is kept, so is the event that began it, and this may be another.
            return None if number is None or self._keeps(number, tables) else number
        name = function.code.co_name
        anyhow = function.annotates or name in ("<module>", "__del__")
        if anyhow or handles_signals(function.code):
            return tables.begun(function.number, replayer.bound, len(tables))
        return None

    def _keeps(self, number: int, tables: Tables) -> bool:
        marked = len(self._replayer.marked.positions(number))
        return marked > 0 if self._replayer.keep else marked < len(tables.path(number).events)

    # -- how it goes on, and ends

    def beyond(self) -> None:
        """Control is beyond the path of an activation: has the loop gone on where it was cut?"""
        stack = self._replayer.stack
        if self._last is None or not stack or stack[-1].plan is None:
            return
        if stack[-1].plan.path.events[-1:].tolist() == [self._last]:
            self._replayer.cut()

    def resume(self, activation: Activation, code: CodeType) -> None:
        """One is resumed that nobody resumed any more, at its last event, when recorded."""
        if self._replayer.tables is None:
            return  # that part has not begun
        if activation.at_last_event():
            if not activation.resumes:
                self._replayer.diverge(f"resumes {named(code)} oftener than the recorded run did")
            activation.resumes -= 1

    def leave(self, activation: Activation, code: CodeType) -> None:
        """One is about to return that was left by an exception when recorded, or annotates."""
        replayer = self._replayer
        function, plan = tracked(code), activation.plan
        if function is not None and function.annotates and plan is not None:
            if KEPT in plan.codes[activation.passed() + 1 :: ANNOTATION]:
                replayer.diverge(f"{named(code)} does not come to all that is kept of it")
            if activation.left == sites.END:
                return
        if activation.left == sites.CAUGHT:
            self.caught(code)
        if replayer.note is not None:
            replayer.note(f"leaves {named(code)} by the exception that left it when recorded")
        replayer.exits.leaving = True
        raise Leave

    def caught(self, code: CodeType) -> None:
        """The running activation ended by an exception that code that is not traced caught.

        What that makes of no exception is not known.  If it only kept it, for the program to end
        with, it may keep Leave.
        """
        stack = self._replayer.stack
        if self.outermost is None or not stack or stack[-1].number != self.outermost:
            why = f"what {named(code)} raised when recorded was caught by untraced code"
            self._replayer.diverge(why)

    # -- where control lands

    def arrived(self, code: CodeType) -> None:
        """Control is leaving, here or from a call: the event must have raised when recorded."""
        exits = self._replayer.exits
        if exits.leaving:
            exits.leaving = False
            return
        activation = self._replayer.stack[-1]
        if activation.plan is not None:
            codes, index = activation.plan.codes, activation.ahead()
            how = codes[index] if index < len(codes) else sites.END
            if how == sites.CAUGHT:
                self.caught(code)
            elif how != sites.LEAVE:
                self._replayer.diverge(f"nothing was raised in {named(code)} here when recorded")

    def land(self, activation: Activation, site: int) -> None:
        """Control is at a landing point: it must be the recorded one."""
        replayer = self._replayer
        recorded, end, _ = self._arrive(activation)
        if replayer.note is not None:
            replayer.note(f"lands at site {site}, where it landed at site {recorded} when recorded")
        if OUTSIDE:
            return
        if recorded != site:
            replayer.diverge("an exception the recorded run did not have was caught")
        if isinstance(sys.exception(), Leave) and (plan := activation.plan) is not None:
            # Without the exception its handler has nothing to handle: pass through it.
            start = activation.passed() + 1
            for index in range(start, plan.index(end)):
                plan.codes[index] = plan.path.dropped[plan.origin(index)]

    def _arrive(self, activation: Activation) -> Landing:
        """Read on to the next landing of the path.

        Between an event and where its exception lands there is nothing but the codes the
        event did not come to read, and LEAVE.
        """
        for code in activation.reading():
            if code == sites.LAND:
                return activation.landing()
            if code == sites.OVER:
                self._replayer.exits.over()
                break
            if code == sites.END or (code != sites.LEAVE and not activation.within()):
                break
        return NO_LANDING

    def handled(self, activation: Activation, site: int, error: BaseException) -> Any:
        """What the except clause at ``site`` handles; ``None`` if its own expression has the say.

        While control leaves for where it landed, a clause handles Leave if that is there, and else
        nothing.
        """
        plan = activation.plan
        if plan is None or not (isinstance(error, Leave) or leaving_group(error)):
            return None
        index = activation.ahead()
        while index < len(plan.codes) and plan.codes[index] == sites.LEAVE:
            index += 1
        if index == len(plan.codes) or plan.codes[index] != sites.LAND:
            return Nothing
        recorded, _, _ = plan.path.landings.get(plan.origin(index), NO_LANDING)
        return Leave if recorded == site else Nothing
