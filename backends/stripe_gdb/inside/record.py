"""Recording: every stop at a block is an event of the activation on top of the shadow stack."""

from array import array

from .log import write_parts
from .stack import NONE, Activation, innermost, unwind


class Recorder:
    """Collects the log of one run.

    - ``block[e]``, ``activation[e]``: of event ``e``
    - ``activations``: four numbers each: entry block, caller's activation, the event that
      called it (``NONE``: prologue, epilogue or nobody), whether it returned
    - ``landings``: pairs: an event that control came to by unwinding, and the last event before
    - ``frames``: of each activation, the bytes of its frame, as far as stops show it
    """

    def __init__(self, job, program):
        self.program = program
        self.limit = job["events"]
        self.block = array("i")
        self.activation = array("i")
        self.activations = array("i")
        self.landings = array("i")
        self.frames = array("i")
        self.values = {}
        self.stack = []
        self.ended = None
        self.detail = ""

    def hit(self, stop):
        """Take note of one stop; whether the run has to be ended."""
        return self.take(stop, self.program.get("rsp"))

    def take_all(self, blocks, pointers, stops):
        """Take note of many stops, by their blocks; whether the run has to be ended."""
        take = self.take
        return any(take(stops[block], pointer) for block, pointer in zip(blocks, pointers))

    def take(self, stop, pointer):
        """Take note of a stop with this stack pointer; whether the run has to be ended."""
        stack = self.stack
        if stop.entry:
            unwind(stack, pointer + 8)
            caller, event = (stack[-1].number, stack[-1].position) if stack else (NONE, NONE)
            number = len(self.activations) // 4
            self.activations.extend((stop.block, caller, event, 0))
            self.frames.append(8)
            stack.append(Activation(number, stop.block, pointer + 8))
            return False
        gone = unwind(stack, pointer)
        if not stack or stack[-1].entry != stop.function:
            return False  # entered by a way of its own: not traced
        top = stack[-1]
        if top.cfa - pointer > self.frames[top.number]:
            self.frames[top.number] = top.cfa - pointer
        if top.probes:
            self.program.observe(top, self.values)
        if stop.epilogue:
            top.left = True
            top.position = NONE
            self.activations[4 * top.number + 3] = 1
            return False
        event = len(self.block)
        if event >= self.limit:
            self.ended = "timeout"
            self.detail = f"it executes more than {self.limit} statements"
            return True
        if gone and not gone[0].left and event:
            self.landings.extend((event, event - 1))
        self.block.append(stop.block)
        self.activation.append(top.number)
        top.position = event
        top.probes = self.program.probes_at[stop.block]
        return False

    def innermost(self):
        """The event the run ended in."""
        return innermost(self.stack)

    def write(self, path):
        """Write the log."""
        write_parts(path, self)


class Survey:
    """Which functions run at all: only their entries stop."""

    def __init__(self):
        self.seen = set()
        self.ended = None
        self.detail = ""
        self.values = {}

    def hit(self, stop):
        self.seen.add(stop.block)
        return False

    def innermost(self):
        return NONE
