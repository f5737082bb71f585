"""How soon the command begins, and how long it says nothing.

Processor seconds are those of the command and of all that it started, the program included: on a
busy machine they say more than wall seconds.
"""

from __future__ import annotations

import os
import pty
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.measure import Row, Sizes, value
from benchmarks.programs import statement_program, statements

IMPORTS_GOAL = 0.3
SILENCE_GOAL = 1.0
"""Seconds: of a processor for a command's own imports, and without a word on a terminal."""

IMPORTED = """\
import sys
from stripe.cli.main import main

status = main(sys.argv[1:])
print(*sys.modules, file=sys.stderr)
sys.exit(status)
"""

COMMAND = (sys.executable, "-m", "stripe")
WAITING = 600.0

ENVIRONMENT = {
    name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
}
"""Commands find their bytecode, as where they are installed."""


def run(sizes: Sizes) -> Iterator[Row]:
    rounds = sizes.choose(10, 2)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "one.py").write_text('print("hello")\n')
        words = ["trace", "--python", sys.executable, "one.py"]
        trace = [*COMMAND, *words]
        processor(trace, folder)  # finds out what it then knows
        names = imported(words, folder)
        importing = [sys.executable, "-c", f"import {', '.join(names)}"]
        plain: list[float] = []
        helped: list[float] = []
        imports: list[float] = []
        traced: list[float] = []
        for _ in range(rounds):
            plain.append(processor([sys.executable, "-c", "pass"], folder))
            helped.append(processor([*COMMAND, "--help"], folder))
            imports.append(processor(importing, folder) - plain[-1])
            traced.append(processor(trace, folder))
    yield value("start", "python -c pass, processor", plain, "s")
    yield value("start", "stripe --help, processor", helped, "s")
    yield value("start", "stripe trace: its own imports, processor", imports, "s", IMPORTS_GOAL)
    yield value("start", "stripe trace of one line, processor", traced, "s")
    events = sizes.choose(1_000_000, 100_000)
    first, longest = silence(events)
    goal = None if sizes.quick else SILENCE_GOAL
    yield value("start", f"{events:,} events: seconds until anything is told", [first], "s", goal)
    what = f"{events:,} events: longest silence until the first test"
    yield value("start", what, [longest], "s", goal)


def imported(words: Sequence[str], folder: str) -> list[str]:
    """The modules that a command imports, in order."""
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED, *words],
        cwd=folder,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    found = done.stderr.splitlines()[-1].split()
    return [name for name in found if name not in ("__main__", "__mp_main__")]


def processor(words: Sequence[str], folder: str) -> float:
    """Seconds of a processor that a command takes, with all that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        words,
        cwd=folder,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def silence(events: int) -> tuple[float, float]:
    """Seconds until the command says something on a terminal; and the most until it tests."""
    with statement_program() as folder:
        target = statements(folder, events)
        words = [
            *COMMAND,
            "trace",
            target.program,
            "--max-time",
            str(WAITING),
            "--",
            *target.arguments,
        ]
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(folder)
            os.execv(words[0], words)
        began = last = time.monotonic()
        first = longest = 0.0
        said = b""
        while b"tests, " not in said and select.select([terminal], [], [], WAITING)[0]:
            try:
                said += os.read(terminal, 1 << 16)
            except OSError:  # it has ended
                break
            now = time.monotonic()
            first = first or now - began
            longest = max(longest, now - last)
            last = now
        os.kill(child, signal.SIGTERM)
        while select.select([terminal], [], [], WAITING)[0]:
            try:
                if not os.read(terminal, 1 << 16):
                    break
            except OSError:
                break
        os.waitpid(child, 0)
        os.close(terminal)
    return first, longest
