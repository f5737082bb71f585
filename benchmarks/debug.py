"""What the debugger that goes backwards costs, and debugpy beside it, which goes forwards.

Recording and reverse continue are told in processor time; all else in seconds that a person waits,
or as ratios to a plain run's (`python program`).  debugpy takes part where it is installed; both
are driven by the same client, through the Debug Adapter Protocol.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import median
from typing import Any
from unittest.mock import patch

from benchmarks.measure import Row, Sizes, ratio, value
from benchmarks.programs import STATEMENTS, rounds_for
from stripe.backend import Inquiry, Journey, Target, TimeTravel, choose_backend
from stripe.debug.breakpoints import Breakpoint, LineBreakpoint
from stripe.debug.session import Session
from stripe.sandbox.layers import find_layer
from stripe.sandbox.walls import VARIABLE

RECORDING_GOAL, REVERSE_GOAL, MEDIAN_GOAL, WORST_GOAL = 5.0, 3.0, 10.0, 100.0
LONG_MEDIAN_GOAL = 40.0
"""Milliseconds, at 10,000,000 events."""

JUMPS = 30
STEPS = 100

CALLS = """\
import sys
import time


def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


began = time.process_time()
for _ in range(int(sys.argv[1])):
    fibonacci(14)
taken = time.process_time() - began
if len(sys.argv) > 2:
    with open(sys.argv[2], "a") as file:
        file.write(f"{taken}\\n")
"""
EVENTS_OF_A_CALL = 1831

SEARCHED = """\
import sys


def work(rounds):
    marked = rounds
    total = 0
    for number in range(rounds):
        price = number & 7
        total += price
        if price == 5:
            total -= marked & 1
    return total


assert work(int(sys.argv[1])) < 0
"""
EVENTS_OF_EIGHT_ROUNDS = 33
ONCE, EACH = 5, 8
"""Lines of ``SEARCHED``: executed once, at the start; and in each round."""


def run(sizes: Sizes) -> Iterator[Row]:
    rounds = sizes.choose(5, 2)
    events = sizes.choose(1_000_000, 100_000)
    loop = STATEMENTS, rounds_for(events), "loops"
    calls = CALLS, events // EVENTS_OF_A_CALL, "calls"
    for text, number, what in (loop, calls):
        yield from recording(text, number, what, rounds)
    for size in (100_000, 1_000_000, *(() if sizes.quick else (10_000_000,))):
        yield from moments(size)
    yield from reverse(events, rounds)
    yield from beside(events, sizes.choose(3, 1))


def recording(text: str, number: int, what: str, rounds: int) -> Iterator[Row]:
    """The program's own time, recorded with checkpoints and once more without."""
    columns: list[list[float]] = [[], [], []]
    with program(text) as folder, tempfile.TemporaryDirectory() as other:
        times = Path(other) / "times"
        for _ in range(rounds):
            times.write_bytes(b"")
            with patch.dict(os.environ, {VARIABLE: "none"}):  # behind walls nothing is written
                find_layer.cache_clear()
                travel(folder, str(number), str(times), unsafe=True).close()
            find_layer.cache_clear()
            for column, told in zip(columns, times.read_text().split(), strict=True):
                column.append(float(told))
    plain, first, second = columns
    yield ratio("debug", f"CPU time of {what}: recorded / plain", first, plain, RECORDING_GOAL)
    yield ratio("debug", "  and compared with that once more / plain", second, plain)


def moments(events: int) -> Iterator[Row]:
    """Milliseconds to any moment and to the value of an expression there."""
    chance, taken = Random(events), []
    with program(STATEMENTS) as folder:
        began = time.perf_counter()
        subprocess.run(
            [sys.executable, "prog.py", str(rounds_for(events))], cwd=folder,
            stdout=subprocess.DEVNULL, check=True,
        )  # fmt: skip
        plain = time.perf_counter() - began
        began = time.perf_counter()
        with closing(travel(folder, str(rounds_for(events)))) as journey:
            begins = time.perf_counter() - began
            used = processor_time_of(os.getpid())
            for _ in range(JUMPS):
                event = chance.randint(1, journey.total)
                began = time.perf_counter()
                journey.go(event)
                journey.inspect(Inquiry(0, "expression", "len(globals())"))
                taken.append((time.perf_counter() - began) * 1e3)
            used = (processor_time_of(os.getpid()) - used) * 1e3 / JUMPS
            copies = memory_of(os.getpid())
    what = f"{events:,} events"
    goal = LONG_MEDIAN_GOAL if events > 1_000_000 else MEDIAN_GOAL
    yield value("debug", f"to any moment, {what}: median", [median(taken)], "ms", goal)
    yield value("debug", f"to any moment, {what}: worst", [max(taken)], "ms", WORST_GOAL)
    yield value("debug", f"  processor time of a jump, {what}: mean", [used], "ms")
    yield value("debug", f"until the session begins, {what}", [begins], "s")
    yield value("debug", f"  a plain run, {what}", [plain], "s")
    if copies:
        yield value("debug", f"memory of all copies, {what}", [copies / (1 << 20)], "MiB")


def reverse(events: int, rounds: int) -> Iterator[Row]:
    """Backwards to what happened at the start of the run."""
    number = str(events * 8 // EVENTS_OF_EIGHT_ROUNDS)
    once = LineBreakpoint(file="prog.py", line=ONCE)
    condition = LineBreakpoint("number == 3", file="prog.py", line=EACH)
    plain: list[float] = []
    columns: dict[str, list[float]] = {"hit once": [], "with a condition": []}
    with program(SEARCHED) as folder:
        for _ in range(rounds):
            began = processor_time_of_ended()
            subprocess.run(
                [sys.executable, "prog.py", number], cwd=folder, capture_output=True, check=False
            )
            plain.append(processor_time_of_ended() - began)
            for (_, column), each in zip(columns.items(), (once, condition), strict=True):
                column.append(backwards(folder, number, each))
    for what, column in columns.items():
        text = f"reverse continue over {events:,} events, breakpoint {what} / plain run"
        yield ratio("debug", text, column, plain, REVERSE_GOAL)


def backwards(folder: Path, number: str, breakpoint_: Breakpoint) -> float:
    """Seconds of a processor that a reverse continue from the failure takes."""
    with closing(travel(folder, number)) as journey:
        session = Session(journey)
        session.breakpoints = [breakpoint_]
        began = processor_time_of(os.getpid())
        reason = session.resume(backwards=True)
        taken = processor_time_of(os.getpid()) - began
    assert (reason, session.calls[0].line) == ("breakpoint", breakpoint_.line)  # type: ignore[attr-defined]
    return taken


def beside(events: int, rounds: int) -> Iterator[Row]:
    """Forwards from the start to a breakpoint with a condition, and single steps."""
    if not find_spec("debugpy"):
        return
    commands = {"ours": ["stripe", "debug"], "debugpy": ["debugpy.adapter"]}
    found: dict[str, list[list[float]]] = {name: [[], [], []] for name in commands}
    number = events * 8 // EVENTS_OF_EIGHT_ROUNDS
    with program(SEARCHED) as folder:
        for _ in range(rounds):
            for name, command in commands.items():
                figures = driven(command, folder, number)
                for column, figure in zip(found[name], figures, strict=True):
                    column.append(figure)
    whats = (
        "from the launch to the first line",
        f"continue to a condition that holds after {number:,} passes",
        f"{STEPS} steps",
    )
    for index, what in enumerate(whats):
        goal = 1.0 if index else None
        yield ratio(
            "debug", f"{what}: ours / debugpy", found["ours"][index], found["debugpy"][index], goal
        )


def driven(command: list[str], folder: Path, number: int) -> tuple[float, float, float]:
    """Seconds of a launch, a continue to a condition and steps behind it."""
    path = str(folder / "prog.py")
    with closing(Client(command, folder)) as client:
        client.ask("initialize", adapterID="benchmark", pathFormat="path", linesStartAt1=True)
        began = time.perf_counter()
        launch = client.send(
            "launch", program=path, args=[str(number)], cwd=str(folder), stopOnEntry=True,
            console="internalConsole", python=[sys.executable], justMyCode=True,
        )  # fmt: skip
        client.wait("initialized")
        client.ask("setExceptionBreakpoints", filters=[])
        client.ask("configurationDone")
        client.answer(launch)
        client.wait("stopped")
        launched = time.perf_counter() - began
        thread = client.ask("threads")["threads"][0]["id"]
        condition = {"line": EACH, "condition": f"number == {number - STEPS}"}
        client.ask("setBreakpoints", source={"path": path}, breakpoints=[condition])
        began = time.perf_counter()
        client.ask("continue", threadId=thread)
        client.wait("stopped")
        went = time.perf_counter() - began
        began = time.perf_counter()
        for _ in range(STEPS):
            client.ask("next", threadId=thread)
            client.wait("stopped")
            client.ask("stackTrace", threadId=thread, levels=1)
        return launched, went, time.perf_counter() - began


class Client:
    """A client of the Debug Adapter Protocol, of a module that speaks it on its streams."""

    def __init__(self, module: list[str], folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", *module], cwd=folder, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._number = 0
        self._messages: list[dict[str, Any]] = []

    def send(self, command: str, **arguments: Any) -> int:
        """Ask, and wait for nothing; the number of the request."""
        self._number += 1
        message = {"seq": self._number, "type": "request", "command": command}
        data = json.dumps({**message, "arguments": arguments}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self._process.stdin.flush()
        return self._number

    def ask(self, command: str, **arguments: Any) -> Any:
        """The body of the answer."""
        return self.answer(self.send(command, **arguments))

    def answer(self, number: int) -> Any:
        """The body of the answer to a request."""
        told = self._take("request_seq", number)
        assert told["success"], told
        return told.get("body")

    def wait(self, event: str) -> None:
        """Until an event is told; what was told before of its kind counts."""
        self._take("event", event)

    def _take(self, key: str, wanted: Any) -> dict[str, Any]:
        while True:
            for message in self._messages:
                if message.get(key) == wanted:
                    self._messages.remove(message)
                    return message
            self._messages.append(self._receive())

    def _receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        length = 0
        while line := self._process.stdout.readline().strip():
            name, _, told = line.partition(b": ")
            length = int(told) if name == b"Content-Length" else length
        message: dict[str, Any] = json.loads(self._process.stdout.read(length))
        return message

    def close(self) -> None:
        """End it."""
        self.send("disconnect", terminateDebuggee=True)
        try:
            self._process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()


@contextmanager
def program(text: str) -> Iterator[Path]:
    """A folder that holds ``prog.py``, and nothing else."""
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        (Path(folder) / "prog.py").write_text(text, "utf-8")
        yield Path(folder)


def travel(folder: Path, *arguments: str, unsafe: bool = False) -> Journey:
    """Record the program of a folder."""
    target = Target("prog.py", arguments, directory=folder, unsafe=unsafe)
    backend = choose_backend(target)
    assert isinstance(backend, TimeTravel)
    return backend.travel(target)


def memory_of(ancestor: int) -> int:
    """Bytes of all processes that descend from one: what several share counts once.

    0: the kernel does not tell.
    """
    found = 0
    for process in descendants(ancestor):
        try:
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        found += sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:"))
    return found


def processor_time_of_ended() -> float:
    """Seconds that processes have used which this one has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def processor_time_of(ancestor: int) -> float:
    """Seconds that one process has used, and all that descend from it, ended ones too."""
    ticks = sum(sum(map(int, each[11:15])) for each in descendants(ancestor).values())
    return ticks / os.sysconf("SC_CLK_TCK")


def descendants(ancestor: int) -> dict[int, list[str]]:
    """Their numbers, and that of the ancestor; with what ``/proc`` tells of each."""
    told: dict[int, list[str]] = {}
    for each in Path("/proc").iterdir():
        if each.name.isdecimal():
            try:
                told[int(each.name)] = (each / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
    found, left = {}, [ancestor]
    while left:
        process = left.pop()
        found[process] = told[process]
        left += [each for each, facts in told.items() if int(facts[1]) == process]
    return found


if __name__ == "__main__":
    from benchmarks.__main__ import main

    sys.argv.insert(1, "debug")
    sys.exit(main())
