"""Program states: the moments there are in a run, what is in memory there, and how it is changed.

A moment is before a block begins: the n-th time in the activations that the shadow stack knows.
Where something is to be done the program stops (``PAUSED``): in ``Breakpoint.stop`` gdb may not
call anything in it.  Then it goes on without breakpoints, if nothing more is wanted.
"""

import bisect
from array import array

import gdb

from . import engine
from .allocation import CannotBeMade
from .memory import Memory
from .poison import RED_ZONE
from .stack import NONE, Activation, unwind
from .state_change import Alteration
from .symbols import Program

PAUSED = "paused"


class Walk:
    """A run on its way: ``ended`` is :data:`PAUSED` where :meth:`act` has something to do."""

    def __init__(self, program):
        self.program = program
        self.stack = []
        self.ended = None
        self.detail = ""
        self.values = {}
        self.place = NONE  # the block of the user's code that it died in

    def statement(self, stop):
        """The activation in which a statement begins; None for all else."""
        pointer = self.program.get("rsp")
        stack = self.stack
        if stop.entry:
            unwind(stack, pointer + 8)
            while stack and stack[-1].left:  # what calls now is a library, lower on the stack
                stack.pop()
            stack.append(self.called(stop, pointer))
            return None
        unwind(stack, pointer)
        if not stack or stack[-1].entry != stop.function:
            return None
        stack[-1].left = stop.epilogue
        return None if stop.epilogue else stack[-1]

    def called(self, stop, pointer):
        """A new activation."""
        return Activation(0, stop.block, pointer + 8)

    def innermost(self):
        """No event: none is recorded."""
        return NONE


class Moments(Walk):
    """Takes note of all moments, up to so many.

    - ``chain``, ``block``: of each moment, the calls that lead to it, and where it is
    - ``chains``: of calls, three numbers each: the chain of the caller, the block that it is in,
      and the address at which it goes on
    """

    def __init__(self, job, program):
        super().__init__(program)
        self._most = job["most"]
        self._known = {}
        self.chains = []
        self.chain = array("i")
        self.block = array("i")

    def called(self, stop, pointer):
        caller, block = NONE, NONE
        if self.stack:
            top = self.stack[-1]
            caller, block = top.number, top.entry if top.position == NONE else top.position
        back = int.from_bytes(self.program.read(pointer, 8), "little")
        key = caller, block, back if back in self.program.image else 0
        number = self._known.setdefault(key, len(self.chains))
        if number == len(self.chains):
            self.chains.append(key)
        return Activation(number, stop.block, pointer + 8)

    def hit(self, stop):
        """Take note of one stop; whether there are enough."""
        top = self.statement(stop)
        if top is None:
            return False
        top.position = stop.block
        self.chain.append(top.number)
        self.block.append(stop.block)
        if len(self.block) >= self._most:
            self.ended = PAUSED
        return self.ended is not None

    def act(self):
        """Nothing; whether more moments are wanted."""
        return False


class Visit(Walk):
    """Does something before some executions of blocks: ``wanted`` has their numbers, from 1."""

    def __init__(self, wanted, program, action):
        super().__init__(program)
        self._wanted = {block: set(numbers) for block, numbers in wanted}
        self._counts = dict.fromkeys(self._wanted, 0)
        self._left = sum(map(len, self._wanted.values()))
        self._action = action
        self.moment = None
        self.goal = None  # what to come to after that

    def hit(self, stop):
        """Count one stop; whether it is one that is wanted."""
        # While something is done there, calls of the program's functions are not its own.
        if self.ended == PAUSED:
            return False
        if self.goal is not None:
            self.ended = PAUSED if stop.block == self.goal.block else None
            return self.ended is not None
        if self.statement(stop) is None or stop.block not in self._counts:
            return False
        self._counts[stop.block] += 1
        if self._counts[stop.block] in self._wanted[stop.block]:
            self.moment = f"{stop.block}:{self._counts[stop.block]}"
            self.ended = PAUSED
        return self.ended is not None

    def act(self):
        """Do it; whether more moments are wanted."""
        if self.goal is not None:
            return not self.goal.reached()
        self._left -= 1
        self._action(self.moment)
        return self._left > 0 or self.goal is not None


class Goal:
    """A later moment: where there is this backtrace for the n-th time.

    ``outer``: of each call but the innermost the address it goes on at, 0 in libraries, and the
    line.
    """

    def __init__(self, job, engine, look):
        self.block, self._left = job["block"], job["number"]
        self._outer = [tuple(each) for each in job["outer"]]
        self._lines = job["lines"]
        self._engine = engine
        self._look = look

    def reached(self):
        """Look if the program, which has stopped at the block, is there; whether it is."""
        if self._alike():
            self._left -= 1
            if not self._left:
                self._look()
        return not self._left

    def _alike(self):
        program = self._engine.program
        outer, frame = [], self._engine.frame().older()
        back = None  # where the frame before goes on
        while frame is not None:
            pc = frame.pc()
            back = pc if back is None else back
            block = self._engine.owned(frame)
            if block is not None:
                outer.append((back if back in program.image else 0, self._lines[str(block)]))
                back = None
            frame = frame.older()
        return len(outer) == len(self._outer) and all(
            one[0] == other[0] and (one[0] or one[1] == other[1])
            for one, other in zip(outer, self._outer)
        )


class StateEngine(engine.Engine):
    """Answers requests for moments and states."""

    def __init__(self, job):
        super().__init__(job)
        # A place is known of all that a run dies of only if it stops there.
        gdb.execute("handle SIGABRT stop print pass", to_string=True)
        gdb.execute("set unwindonsignal on", to_string=True)
        self._rules = job["unions"]
        self._told = {}
        self._symbols = None

    def goes_on(self, strategy):
        """See the engine's; or after something was done at a moment."""
        if strategy.ended == PAUSED:
            self.watchdog.hold()
            try:
                more = strategy.act()
            except (CannotBeMade, gdb.error, OSError) as error:
                strategy.ended, strategy.detail = "diverged", f"the state cannot be made: {error}"
            if strategy.ended != PAUSED:
                return False
            if not more:
                self.arm(())
            strategy.ended = None
            self.watchdog.grant(self._seconds)
            return True
        if super().goes_on(strategy):
            return True
        if self.signal is not None and gdb.selected_inferior().pid:
            strategy.place = self._place()
        return False

    def moments(self, job):
        """The moments of a run."""
        self.arm(self.in_functions(set(job["functions"])))
        strategy = Moments(job, self.program)
        answer = self._run(strategy, job)
        answer["chain"], answer["block"] = strategy.chain.tolist(), strategy.block.tolist()
        answer["chains"] = strategy.chains
        return answer

    def look(self, job):
        """The states at moments."""
        return self._visit(job, self._look)

    def change(self, job):
        """Go on from a moment in another state; the state after the change."""

        def change(moment):
            del moment
            memory = self._memory()
            if memory.digest() != job["digest"]:
                self.strategy.ended = "diverged"
                self.strategy.detail = "the state was not the one that was looked at before"
                return
            altered = Alteration(memory, job["alteration"])
            altered.apply()
            self._told["changed"] = self._tell(self._memory(altered.sizes))
            if job["later"] is not None:
                self._follow(job, altered.sizes)

        return self._visit(job, change)

    # -- inside

    def _visit(self, job, action):
        blocks = self.program.blocks
        self.arm(self.in_functions({blocks[block][1] for block, _ in job["at"]}))
        self._told = {}
        answer = self._run(Visit(job["at"], self.program, action), job)
        return {**answer, "told": self._told}

    def _run(self, strategy, job):
        self._seconds = job["timeout"]
        self._symbols = None
        answer = self.run(strategy, {**job, "timeout": job["timeout"] + job["patience"]})
        return {**answer, "place": strategy.place}

    def _follow(self, job, sizes):
        """Look once more, at a later moment."""
        # Which member of a union is meant may be another one by then.
        blocks = {place: size for place, size in sizes.items() if isinstance(place, int)}

        def look():
            self._told["later"] = self._tell(self._memory(blocks))

        self.strategy.goal = Goal(job["later"], self, look)
        self.program.next = 0
        self._seconds += job["patience"]
        self.arm(self.in_functions({self.program.blocks[job["later"]["block"]][1]}))

    def _look(self, moment):
        self._told[moment] = self._tell(self._memory())

    def _memory(self, sizes=None):
        return Memory(self._where(), self.frame(), self._rules, sizes)

    def frame(self):
        """The innermost frame; libraries between frames are known then."""
        frame = gdb.newest_frame()
        while frame is not None and frame.name() != "main":
            frame = frame.older()
        if frame is None:
            gdb.execute("set sysroot", to_string=True)
            gdb.execute("sharedlibrary", to_string=True)
        return gdb.newest_frame()

    def owned(self, frame):
        """The block that a frame is in, if it is one of the user's functions."""
        if not self._where().owns(frame):
            return None
        # Above the innermost frame it is where the call returns to.
        place = frame.pc() - (frame.level() > 0)
        return bisect.bisect_right(self.program.addresses, place) - 1

    def _where(self):
        """What gdb knows of the program, which is where it will be in this run."""
        if self._symbols is None:
            self._symbols = Program(self.program.addresses)
        return self._symbols

    def _place(self):
        """The block of the user's code that is being executed."""
        frame = self.frame()
        while frame is not None:
            block = self.owned(frame)
            if block is not None:
                return block
            frame = frame.older()
        return NONE

    def _tell(self, memory):
        """A state as the host is told of it.

        ``places``: where items are that are the same things at other moments, too.  On the stack
        another call has other variables there.
        """
        stack = int(gdb.parse_and_eval("(long) $rsp")) - RED_ZONE
        places = []
        for place in memory.places:
            area = None if place is None else memory.areas.find(place.address)
            fixed = area is not None and not (area.kind == "object" and place.address >= stack)
            key = f"{place.address}.{place.bit} {place.layout.name}" if fixed else None
            places.append(key)
        return {
            "bases": memory.bases,
            "items": memory.items,
            "unseen": memory.unseen,
            "digest": memory.digest(),
            "places": places,
        }


def start(path):
    """Make the engine; ``path`` is a JSON file that describes the program."""
    engine.start(path, StateEngine)


serve = engine.serve
