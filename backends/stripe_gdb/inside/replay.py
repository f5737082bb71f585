"""Replaying: at every stop the program counter is moved to the next kept event.

The plan of an activation is the list of its kept events, and how it ended: through its
epilogue, or by being unwound (``longjmp``, an exception, ``exit``, a crash).  Prologue and
epilogue belong to the call itself; they always run and are no events.

When a plan is used up, control goes to the epilogue.  What the function gives its caller is
nothing that can be relied on, if the statement before it was left out; from ``main`` it is 0.  If
the recorded activation had been unwound instead, and what unwound it was left out or does not do
so now, control goes to where the recorded run landed: stack and base pointer of that activation
are put back.  If it landed nowhere because the program ended there, ``main`` returns.

A run that was cut off in a loop has a *cut*: the header of the loop (an event), and the block that
comes next as the loop goes on.  A replay that comes that far is cut off there, too.

A call that the recorded run did not make there ends the replay: it has left the recorded path.
Handlers of signals that come when they like are no such calls, and run in full.
"""

from array import array
from collections import defaultdict

from .async_signals import arrives
from .log import read_parts
from .poison import RED_ZONE
from .scopes import Scopes
from .stack import NONE, Activation, innermost, unwind
from .variable_reads import Looker


class Recorded:
    """The recorded run, as replays need it; read from what the recorder wrote."""

    def __init__(self, path, landings, blocks, scopes, cut):
        # blocks: (address, function, entry?, epilogue?) each; function: number of its entry
        parts = read_parts(path)
        self.block, self.activation, self.frames = (
            parts["block"],
            parts["activation"],
            parts["frames"],
        )
        activations = parts["activations"]
        self.landings = frozenset(landings)
        self.entries = activations[0::4]
        self.callers = activations[1::4]
        self.called_by = activations[2::4]
        self.returned = activations[3::4]
        self.own = [array("i") for _ in self.entries]
        for event, number in enumerate(self.activation):
            self.own[number].append(event)
        self.children = defaultdict(list)
        for number, key in enumerate(zip(activations[1::4], activations[2::4])):
            self.children[key].append(number)
        self.epilogue = {}
        for number, (_, function, _, epilogue) in enumerate(blocks):
            if epilogue:
                self.epilogue[function] = number
        self.scopes = Scopes(scopes, blocks)
        self.cut = cut
        self.unwinds = not all(self.returned)
        self.interrupted = self._interrupted(activations[2::4])
        self.landing = self._landing(activations[1::4]) if self.unwinds else ()

    def _landing(self, callers):
        """For each activation, the one that control went to when it was over."""
        last = [events[-1] if events else NONE for events in self.own]
        for number in range(len(last) - 1, -1, -1):
            caller = callers[number]
            if caller != NONE and last[number] > last[caller]:
                last[caller] = last[number]
        size = len(self.block)
        return [self.activation[event + 1] if event + 1 < size else NONE for event in last]

    def _interrupted(self, callers):
        """Events that were never completed, with the number of calls they had made by then.

        More calls than there can be for what ended by itself.
        """
        found, many = {}, len(self.returned) + 1
        for number, returned in enumerate(self.returned):
            if returned:
                continue
            for event in self.own[number][-1:]:
                found[event] = many
            event = callers[number]
            if event != NONE:
                made = self.children[self.activation[event], event].index(number) + 1
                found[event] = min(found.get(event, many), made)
        return found


class Replayer:
    """One run with only some of the events taking effect.

    ``executed`` are the events that took effect, in order.
    """

    def __init__(self, job, recorded, program, poison):
        self.recorded = recorded
        self.poison = poison
        self.spared = frozenset(job["spared"])
        self.program = program
        self.kept = bytearray(len(recorded.block))
        for first, last in zip(job["ranges"][0::2], job["ranges"][1::2]):
            self.kept[first:last] = b"\1" * (last - first)
        self.strict = job["strict"]
        self.limit = job["stops"]
        self.values = {}
        self.stops = 0
        self.executed = array("i")
        self.stack = []
        self.roots = 0
        self.ended = None
        self.detail = ""
        self.looker = Looker(program, **job["look"]) if job.get("look") else None
        self.called = None  # an entry block, and the event that called it: what it diverged at

    def hit(self, stop):
        """Let the program go on where the plan says; whether the run has to be ended."""
        self.stops += 1
        if self.stops > self.limit:
            self.ended = "timeout"
            self.detail = "it executes many more statements than the recorded run"
            return True
        pointer = self.program.get("rsp")
        stack = self.stack
        if stop.entry:
            unwind(stack, pointer + 8)
            return self.enter(stop, pointer + 8)
        unwind(stack, pointer)
        if not stack or stack[-1].entry != stop.function:
            return False
        top = stack[-1]
        if top.plan is None or top.left:
            return False
        if [top.position, stop.block] == self.recorded.cut:
            self.ended = "cut"
            return True
        if top.child < self.recorded.interrupted.get(top.position, 0):
            return self.diverge("a statement is completed that never was")
        if top.probes:
            self.program.observe(top, self.values)
        if self.looker is not None:
            self.looker.after(top)
        if self.recorded.unwinds:
            top.stack_pointer, top.base_pointer = pointer, self.program.get("rbp")
        if self.strict and top.expected not in (NONE, stop.block):
            return self.diverge("a kept condition does not evaluate as it did")
        return self.go_on(top, stop.block)

    def enter(self, stop, cfa):
        """A function is called: find out which activation of the recorded run this is.

        Whether the run has to be ended.
        """
        recorded = self.recorded
        top = self.stack[-1] if self.stack else None
        made = Activation(NONE, stop.block, cfa)
        if self.looker is not None:
            self.looker.entered(made)
        self.stack.append(made)
        if top is None:
            siblings, index = recorded.children.get((NONE, NONE), ()), self.roots
        elif top.plan is None:
            return False
        else:
            siblings = recorded.children.get((top.number, top.position), ())
            index = top.child
        # Calls that are not made this time are skipped.
        while index < len(siblings) and recorded.entries[siblings[index]] != stop.block:
            index += 1
        if index == len(siblings):
            if arrives(self.program):
                return False
            self.called = stop.block, NONE if top is None else top.position
            return self.diverge("it makes a call that the recorded run did not")
        if top is None:
            self.roots = index + 1
        else:
            top.child = index + 1
        made.number = siblings[index]
        if stop.block not in self.spared:
            size = recorded.frames[made.number]
            self.poison.fill(self.program, cfa - size - RED_ZONE, cfa - 8)
        own, kept = recorded.own[made.number], self.kept
        made.plan = [index for index, event in enumerate(own) if kept[event]]
        return False

    def go_on(self, top, here):
        """Move on to the next kept event of ``top``; ``here`` is the block control has come to."""
        recorded = self.recorded
        if top.next < len(top.plan):
            own = recorded.own[top.number]
            index = top.plan[top.next]
            event = own[index]
            target = recorded.block[event]
            if event in recorded.landings and target != here:
                return self.diverge("the exception that was caught is not thrown")
            if top.next and top.entry not in self.spared:  # all of a new frame is filled
                self.begin_anew(top, own, top.plan[top.next - 1], index)
            top.next += 1
            top.position = event
            top.probes = self.program.probes_at[target]
            self.executed.append(event)
            if self.looker is not None:
                self.looker.before(event, target, self.stack)
            top.expected = self.expected(own, index)
        elif recorded.returned[top.number]:
            own = recorded.own[top.number]
            if own and top.position != own[-1]:
                main = top.entry == self.program.main
                self.program.set_result(0 if main else self.poison.result)
            target = recorded.epilogue[top.entry]
            top.position = top.expected = NONE
        else:
            return self.leave(top)
        top.child = 0
        if target != here:
            self.program.set("rip", self.program.addresses[target])
        return False

    def expected(self, own, index):
        """The block that has to follow on an event of an activation, in control mode `program`."""
        if self.strict and index + 1 < len(own):
            following = own[index + 1]
            if following not in self.recorded.landings:
                return self.recorded.block[following]
        return NONE

    def begin_anew(self, top, own, since, until):
        """Fill the variables of inner blocks that began behind one event and up to another."""
        scopes, blocks = self.recorded.scopes, self.recorded.block
        for offset, size in scopes.begun(top.number, top.entry, own, blocks, since, until):
            low = top.cfa + offset
            self.poison.fill(self.program, low, low + size)

    def leave(self, top):
        """``top`` did not return when recorded: go to where control landed then."""
        landed = self.recorded.landing[top.number]
        if landed == NONE:
            return self.end(top)
        stack = self.stack
        while stack and stack[-1].number != landed:
            stack.pop()
        if not stack or stack[-1].stack_pointer == 0:
            return self.diverge("what the recorded run went back to is not there")
        self.put_back(stack[-1])
        return self.go_on(stack[-1], NONE)

    def end(self, last):
        """The recorded run ended in ``last``, without returning: ``main`` returns 0.

        What runs after that is what ran when it ended: handlers for the end of the program.
        """
        stack = self.stack
        while stack and (stack[-1].entry != self.program.main or stack[-1].plan is None):
            stack.pop()
        if not stack or stack[-1].stack_pointer == 0:
            return self.diverge("what ended the recorded run does not end this one")
        top = stack[-1]
        top.left, top.probes, top.child = True, (), 0
        top.number, top.position = last.number, self.recorded.own[last.number][-1]
        epilogue = self.recorded.epilogue.get(top.entry, NONE)
        self.program.set("rax", 0)
        if epilogue != NONE:
            self.put_back(top)
            self.program.set("rip", self.program.addresses[epilogue])
        else:  # it has none, as in the source it ends in `exit`: go to what called it
            back = self.program.read(top.cfa - 8, 8)
            self.program.set("rip", int.from_bytes(back, "little"))
            self.program.set("rsp", top.cfa)
        return False

    def put_back(self, activation):
        self.program.set("rsp", activation.stack_pointer)
        self.program.set("rbp", activation.base_pointer)

    def diverge(self, detail):
        """End the run: it cannot follow the recorded one."""
        self.ended = "diverged"
        self.detail = detail
        return True

    def innermost(self):
        """The event the run ended in."""
        return innermost(self.stack)

    def latest(self, blocks, otherwise):
        """The latest event at one of ``blocks``, if there are any."""
        if not blocks:
            return otherwise
        found = (event for event in reversed(self.executed) if self.recorded.block[event] in blocks)
        return next(found, otherwise)
