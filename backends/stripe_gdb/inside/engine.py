"""The engine: one gdb that runs the program again and again.

The host loads this file into gdb once, then sends requests (:func:`answer`).  All work at a
stop is done in ``Breakpoint.stop``, which returns False: gdb goes on without telling anybody.
"""

import ctypes
import functools
import json
import os
import signal
import sys
import time

import gdb

from . import streams
from .call_traps import Alarms, Called
from .clean_up import Leftovers
from .control import comes_back, edges
from .crash_location import SIZE_OF_SIGINFO, whereabouts
from .demangler import short
from .library_stops import LibraryStops
from .requests import Requests, told_fault
from .watchdog import Watchdog

PTRACE_PEEKUSER, PTRACE_GETFPREGS, PTRACE_SETFPREGS, PTRACE_GETSIGINFO = 3, 14, 15, 0x4202
PLACES = {"rsp": 19 * 8, "rbp": 4 * 8, "rax": 10 * 8, "rdi": 14 * 8}
"""Where registers are in ``struct user`` of x86-64 Linux."""
XMM0, XMM1 = 160 // 8, 176 // 8
"""Words of ``struct user_fpregs_struct``."""
ptrace = ctypes.CDLL(None).ptrace
ptrace.argtypes = [ctypes.c_long] * 4
ptrace.restype = ctypes.c_long

SETTINGS = (
    "set pagination off",
    "set confirm off",
    "set height 0",
    "set width 0",
    "set style enabled off",
    "set stop-on-solib-events 0",
    "set libthread-db-search-path /nonexistent",
    "set print thread-events off",
    "set print inferior-events off",
    "set print frame-arguments none",
    "set disable-randomization on",
    "set breakpoint pending off",
    "set detach-on-fork on",
    "set follow-fork-mode parent",
    "set can-use-hw-watchpoints 0",
    "maint set target-async off",  # both make a stop faster
    "maint set target-non-stop off",
    # The program gets its signals as always; handlers of its own work, and so does dying.
    "handle all nostop noprint pass",
    # These may come from the very instruction a breakpoint is at.  gdb 13 has trouble with a
    # program that dies while it steps over one, so it stops, and we see to the rest (_caught).
    "handle SIGSEGV SIGBUS SIGILL SIGFPE stop print pass",
    "catch exec",
)


class Stop(gdb.Breakpoint):
    """A breakpoint at the first instruction of a block."""

    def stop(self):
        return self.engine.stopped(self)


class Inferior:
    """What all runs share: where blocks are, what to observe at them."""

    def __init__(self, job):
        self.image = range(*job["image"])
        self.blocks = job["blocks"]
        self.addresses = [block[0] for block in self.blocks]
        self.main = job["main"]
        self.process = 0
        self.next = self.pointer = 0  # where it goes on, with which stack pointer
        self._loops = {}
        self.names = job["probes"]
        self.probes_at = [()] * len(self.blocks)
        for block, numbers in job["probes_at"]:
            self.probes_at[block] = tuple(numbers)

    def get(self, register):
        """The value of a register, in the main thread, which stops.

        We are in the thread of gdb that is the tracer, so the kernel can be asked: gdb's own
        evaluation takes five times as long.
        """
        value = ptrace(PTRACE_PEEKUSER, self.process, PLACES[register], 0)
        value = int(gdb.parse_and_eval("$" + register)) if value == -1 else value
        if register == "rsp":
            self.pointer = value
        return value

    def set(self, register, value):
        """Change a register."""
        gdb.parse_and_eval(f"${register} = {value}")
        if register == "rip":
            self.next = value
        elif register == "rsp":
            self.pointer = value

    def set_result(self, value):
        """Change what a function that is about to return gives its caller.

        gdb 13 fails to set a vector register where the processor has more state than it knows of
        (AMX), so the kernel is asked.
        """
        gdb.execute(f"set var $rax = $rdx = {value}")
        registers = (ctypes.c_uint64 * 64)()  # struct user_fpregs_struct
        place = ctypes.addressof(registers)
        if ptrace(PTRACE_GETFPREGS, self.process, 0, place) == 0:
            registers[XMM0] = registers[XMM1] = value & 0xFFFFFFFFFFFFFFFF
            ptrace(PTRACE_SETFPREGS, self.process, 0, place)

    @property
    def pid(self):
        """The number of the process."""
        return self.process

    def read(self, address, size):
        """Bytes of the program's memory.  Raises OSError."""
        try:
            return bytes(gdb.selected_inferior().read_memory(address, size))
        except gdb.MemoryError as error:
            raise OSError(str(error)) from error

    def again(self, stop):
        """Whether this is a stop we have seen: nothing ran since.

        A signal that comes while gdb steps over a breakpoint has it start anew, and so hit the
        breakpoint once more.  A loop without another stop in it looks the same.
        """
        here = self.addresses[stop.block]
        if here != self.next:
            self.next = here
            return False
        return self.pointer == self.get("rsp") and not self.loops(stop.block)

    def loops(self, block):
        """Whether control may come from a block to its beginning, nothing having stopped it."""
        if block not in self._loops:
            entry = self.blocks[block][1]
            stops = {
                address for address, each in zip(self.addresses, self.blocks) if each[1] == entry
            }
            self._loops[block] = comes_back(self.addresses[block], stops)
        return self._loops[block]

    def observe(self, activation, values):
        """Read the variables to observe, in the frame that stops."""
        for number in activation.probes:
            try:
                value = gdb.parse_and_eval(self.names[number])
                values[number] = value.format_string(max_elements=200, symbols=False)
            except (gdb.error, ValueError, TypeError):
                pass  # not in scope there, optimised out, or its memory cannot be read
        activation.probes = ()


def tells_fault(callback):
    """Keep what goes wrong in a callback of ours: gdb would only print it, and stop."""

    @functools.wraps(callback)
    def told(self, *arguments):
        try:
            return callback(self, *arguments)
        except (gdb.error, OSError) as error:  # memory that is not there
            self.inaccessible = str(error)
            raise
        except Exception as error:
            self.our_fault = error
            raise

    return told


class Engine(Requests):
    """Runs the program; one request after the other."""

    def __init__(self, job):
        for setting in SETTINGS:
            try:
                gdb.execute(setting, to_string=True)
            except gdb.error:
                pass  # an older or newer gdb has other settings; none of them is vital
        self.program = Inferior(job)
        self.inherited = False
        self.strategy = None
        self.stops = {}
        self.enabled = set()
        self.alarms = Alarms()
        self.job = job
        self.exit_code = None
        self.watchdog = Watchdog()
        self.leftovers = Leftovers(job["orphans"])
        self.settle(job)
        self.library_stops = LibraryStops(self, job)
        self.libraries = self.library_stops.libraries
        gdb.events.exited.connect(self._exited)
        gdb.events.new_thread.connect(self._started_thread)
        gdb.events.stop.connect(self._stopped)
        self.threads = 0
        self.elsewhere = set()  # blocks that another thread than the first came to
        self.signal = None
        self.fault = ""
        self.our_fault = None
        self.inaccessible = ""
        self.replaced = False

    def settle(self, job):
        """Say its environment and its terminal; gdb has read it, and works where it is to work."""
        if not gdb.objfiles():
            raise gdb.error(f"{job['path']} cannot be read")
        self.moved = -job["bias"]  # gdb learns where the program is in memory when that runs
        self.tty = job["tty"]
        if self.tty is not None:
            os.set_inheritable(self.tty, False)  # opened between fork and execution
            gdb.execute(f"set inferior-tty /proc/self/fd/{self.tty}", to_string=True)
        gdb.execute("unset environment", to_string=True)
        self.environment = {}
        self.settle_environment(job["environment"])

    def settle_environment(self, changed):
        """Have these variables in the program's environment."""
        for name, value in changed.items():
            if self.environment.get(name) != value:
                gdb.execute(f"set environment {name}={value}", to_string=True)
                self.environment[name] = value

    # -- events of gdb

    @tells_fault
    def stopped(self, stop):
        watchdog = self.watchdog
        now = watchdog.latest = time.monotonic()
        if self.threads > 1:
            thread = gdb.selected_thread()
            if thread.num != 1:
                self.elsewhere.add(stop.block)
                return False
        elif watchdog.process is None:
            watchdog.process = self.program.process = gdb.selected_inferior().pid
            self.alarms.set(self.library_stops.elsewhere)
        if now > watchdog.deadline:
            watchdog.fired = True
            return True
        if self.program.again(stop):
            return False
        return self.strategy.hit(stop)

    @tells_fault
    def _exited(self, event):
        self.exit_code = getattr(event, "exit_code", None)

    @tells_fault
    def _stopped(self, event):
        if self.library_stops.changed:
            return
        if self.strategy.ended is None and not self.watchdog.fired:
            if isinstance(event, gdb.SignalEvent):
                self.signal = getattr(signal, event.stop_signal, None)
                self.fault = self._failed()
            elif isinstance(event, gdb.BreakpointEvent):
                self.replaced = not self.inaccessible
            elif self.alarms.here():
                self.signal = signal.SIGTRAP

    def _failed(self):
        """How the program failed, which has got a signal."""
        _, thread, _ = gdb.selected_thread().ptid
        information = ctypes.create_string_buffer(SIZE_OF_SIGINFO)
        ptrace(PTRACE_GETSIGINFO, thread, 0, ctypes.addressof(information))
        here = int(gdb.parse_and_eval("$pc"))
        return whereabouts(information, thread, here, self.job)

    def _alarmed(self):
        """Whether a function that is not expected to run begins, and may go on."""
        stop = self.alarms.hit() if self.signal == signal.SIGTRAP else None
        if stop is not None and gdb.selected_thread().num != 1:
            self.alarms.step_past(stop)  # other threads run in full, and call what they like
            return True
        return stop is not None and not self.strategy.hit(stop)

    def _caught(self, number):
        """Whether the program has a handler for a signal; else it is as good as dead."""
        with open(f"/proc/{gdb.selected_inferior().pid}/status", encoding="latin-1") as stream:
            masks = dict(line.split(":", 1) for line in stream if line.startswith("Sig"))
        return bool(int(masks["SigCgt"], 16) >> (number - 1) & 1)

    def _started_thread(self, event):
        self.threads += 1

    # -- breakpoints

    def arm(self, numbers, alarms=()):
        """Have breakpoints at these blocks, and at no others: each one costs, at every stop."""
        self.alarms.at({self.program.addresses[n]: self._describe(n, Called()) for n in alarms})
        wanted = set(numbers)
        for number in self.enabled - wanted:
            self.stops.pop(number).delete()
        for number in wanted - self.enabled:
            stop = Stop(f"*{self.program.addresses[number]}", internal=True)
            stop.silent = True
            stop.engine = self
            self.stops[number] = self._describe(number, stop)
        self.enabled = wanted
        self.library_stops.withdraw()

    def _describe(self, number, stop):
        stop.block = number
        _, stop.function, stop.entry, stop.epilogue = self.program.blocks[number]
        return stop

    # -- runs

    def run(self, strategy, job):
        """Run the program once; what is known of it afterwards."""
        self.strategy = strategy
        self.watchdog.start(job["timeout"])
        started = time.monotonic()
        try:
            self.library_stops.begin(job)
            self.program.next = 0
            self.exit_code = None
            self.threads = 0
            self.elsewhere.clear()
            self.signal = None
            self.fault = ""
            self.our_fault = None
            self.inaccessible = ""
            self.replaced = False
            self.start("run", job)
            self.moved = 0
            while self.goes_on(strategy):
                self.signal = None
                gdb.execute("continue", to_string=True)
            stopped, still = gdb.selected_inferior().pid != 0, self.watchdog.still()
            known = self.replaced or self.inaccessible or self.signal is not None
            if self.our_fault is not None:
                raise self.our_fault
            if stopped and not (known or self.watchdog.fired) and strategy.ended is None:
                raise gdb.error("gdb lost the program")
            if stopped:
                gdb.execute("kill", to_string=True)
        finally:
            self.watchdog.stop()
            left = self.leftovers.end()
            self.leftovers.renew()
        answer = {
            "end": "exited",
            "status": self.exit_code if self.exit_code is not None else 0,
            "event": strategy.innermost(),
            "values": strategy.values,
            "detail": strategy.detail,
            "seconds": time.monotonic() - started,
            "still": still,
            "threads": self.threads > 1,
            "elsewhere": sorted(self.elsewhere),
            "left": left,
        }
        if self.watchdog.fired:
            answer["end"] = "cancelled" if self.watchdog.cancelled else "timeout"
        elif strategy.ended is not None:
            answer["end"] = strategy.ended
        elif self.inaccessible:
            answer["end"] = "diverged"
            answer["detail"] = f"gdb cannot read or change its state: {self.inaccessible}"
        elif self.replaced:
            answer["end"] = "diverged"
            answer["detail"] = "it replaces itself by another program (exec)"
        elif self.signal is not None:
            answer["end"], answer["status"] = "signal", int(self.signal)
            answer["fault"] = self.fault
        elif self.exit_code is None:
            answer["end"] = "signal"
            answer["status"] = int(gdb.convenience_variable("_exitsignal"))
        return answer

    def goes_on(self, strategy):
        """Whether the program, which has stopped, is to be continued."""
        if self.library_stops.changed:
            self.library_stops.follow()
            return strategy.ended is None and self.our_fault is None
        return self.signal is not None and (self._alarmed() or self._caught(self.signal))

    def start(self, command, job):
        """Start the program by a command of gdb's, and wait until it ends or stops."""
        self.settle_environment(job.get("environment", {}))
        terminal = self.tty is not None
        shell = job["simple"] is None or not (self.inherited or terminal)
        gdb.execute("set startup-with-shell " + ("on" if shell else "off"), to_string=True)
        command += " " + job["arguments" if shell else "simple"]
        # What gdb has for standard streams the program inherits.
        with streams.standing_in([] if shell or terminal else job["streams"]):
            gdb.execute(command, to_string=True)

    def demangle(self, job):
        """Names for people, for the symbols of functions."""
        names = {}
        for key, symbol in job["symbols"].items():
            name = symbol
            if symbol.startswith(("_Z", "_R")):
                try:
                    # This is what knows Rust, too.  What gdb takes the program's language to be is
                    # C, as it has read nothing of it.
                    name = gdb.execute("demangle -l c++ -- " + symbol, to_string=True).strip()
                except gdb.error:
                    pass
            names[key] = short(name)
        return {"names": names}

    def edges(self, job):
        """Which blocks control may go to after which, by the machine code."""
        return {"edges": edges(self.program, job["functions"], self.moved)}


engine = None


def start(path, kind=Engine):
    """Make the engine; ``path`` is a JSON file that describes the program."""
    global engine
    with open(path, encoding="utf-8", errors="surrogateescape") as stream:
        engine = kind(json.load(stream))


def serve():
    """Answer requests until there are no more: a line of JSON each, as is the answer.

    They come and go where gdb's machine interface did before, which is of no use any more:
    what gdb says while the program runs nobody asked for.
    """
    sys.stdout.flush()
    gdb.flush()
    requests, answers = os.dup(0), os.dup(1)
    engine.inherited = streams.silence()
    say(answers, {"ready": True})
    engine.watchdog.read(requests)
    while (job := engine.watchdog.next()) is not None:
        try:
            said = getattr(engine, job["request"])(job)
        except gdb.error as error:
            said = {"end": "failed", "detail": str(error)}
        except Exception as error:
            said = {"end": "fault", "detail": told_fault(error)}
        say(answers, said)


def say(descriptor, answer):
    """Write one line, all of it."""
    data = (json.dumps(answer) + "\n").encode("ascii")
    while data:
        data = data[os.write(descriptor, data) :]
