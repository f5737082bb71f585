"""An interpreter that ``agent/compiling/versions.py`` does not know: tried, then trusted.

A few programs are run, recorded, and replayed in both control modes, forked and in fresh processes:
in full, which has to do what the plain run did, and without the lines marked ``# out``, which has
to do what the program does where these lines say ``pass``.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from stripe.backend import Target
from stripe.errors import StripeError, UsageError
from stripe.kit.memo import recall, remember
from stripe.kit.slots import scratch_copies
from stripe.run_equality import difference
from stripe.sandbox.scratch import Scratch
from stripe.sandbox.walls import Layer
from stripe_pytrace.agent.compiling.versions import NEWEST, OLDEST
from stripe_pytrace.host import BOOT
from stripe_pytrace.interpreter import Interpreter
from stripe_pytrace.recording import PythonRecording
from stripe_pytrace.runner import Runner

_OUT = re.compile(r"^( *)\S.*  # out$", re.MULTILINE)

_ORDINARY = """\
def half(number):
    number *= 5  # out
    if number % 2:
        raise ValueError(f"{number} is odd")
    return number // 2

def deep(levels):
    return levels and 1 + deep(levels - 1)

found = []
for each in [*range(4), "x"]:
    try:
        found.append(half(each))
    except ValueError as error:
        found.append(str(error))
        continue
    except TypeError:
        found.append("no number")
    else:
        found[-1] += deep(3)
    finally:
        found.append("|")
        found.append("-")  # out
while len(found) > 3:
    found.pop()
    found.pop()  # out
    if found[-1] == "|":
        break
else:
    found.append("else")
squares = {each: each * each for each in range(3) if each}
squares[5] = 25  # out
print(found, squares, sum(number for number in squares.values()))
"""

_SUSPENDED = """\
import asyncio

def count(last):
    number = 0
    while number < last:
        sent = yield number
        number += 1
        number += sent or 0  # out

def both():
    yield from count(3)
    yield "and"  # out
    yield from sorted(count(2), reverse=True)

async def ticks(last):
    for number in range(last):
        await asyncio.sleep(0)
        yield number

async def main():
    total = 1
    async for each in ticks(3):
        total += each
        total *= 2  # out
    return await asyncio.gather(asyncio.sleep(0, total), asyncio.sleep(0, "done"))

numbers = count(9)
print(next(numbers), numbers.send(3), [*both()])
numbers.close()
print(asyncio.run(main()))
"""

_SPECIAL = """\
from __future__ import annotations
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps

def counted(function):
    @wraps(function)
    def wrapper(*arguments):
        wrapper.calls += 1
        return function(*arguments)
    wrapper.calls = 0
    return wrapper

@dataclass(order=True)
class Point:
    x: int
    y: int = 2

    @property
    def size(self):
        return self.x + self.y

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

@contextmanager
def told(name):
    print("enter", name)
    try:
        yield name
    finally:
        print("leave", name)  # out

@counted
def kind(value):
    match value:
        case Point(x=0):
            return "at zero"
        case [first, *rest] if rest:
            return f"{first} and {len(rest)}"
        case {"a": int(number)} | int(number):
            return number
    return "other"

with told("a") as name, told("b"):
    point = Point(1) + Point(2)
    point.y += 5  # out
    print(name, point.size, max(Point(0), point))
print([kind(each) for each in (Point(0), [1, 2, 3], {"a": 4}, 5, None)], kind.calls)
try:
    raise ExceptionGroup("two", [KeyError("k"), OSError("o")])
except* KeyError as group:
    print("keys", len(group.exceptions))
except* OSError:
    print("system")
del point
raise SystemExit(len(name))
"""

PROGRAMS = ((_ORDINARY, 65), (_SUSPENDED, 65), (_SPECIAL, 52))
"""The programs of the self-check, each with how many events it has."""


def require_tried(interpreter: Interpreter, layer: Layer, target: Target) -> list[str]:
    """Notes on the interpreter for ``target``, if it is one that we do not know.

    It has passed the self-check: made for each new build, told on standard error, and remembered.

    Raises UsageError ``unknown-version`` if it fails; that is not remembered.
    """
    number = ".".join(map(str, interpreter.version[:2]))
    if interpreter.version[:2] > NEWEST.number:
        what = f"Python {number} is not known to this version of STRIPE ({OLDEST} to {NEWEST} are)"
    elif not interpreter.gil:
        what = f"This Python {number} is a free-threaded build"
    else:
        return []
    path = os.path.realpath(interpreter.path)
    tried = repr((path, interpreter, _ours(), layer))
    if recall(f"self-check of {path}", tried) is None:
        target.deadline.start_phase(f"trying Python {number}")
        if why := _flaw(interpreter, layer):
            raise UsageError(
                "unknown-version",
                f"{what}, and the self-check failed: {why}",
                f"Take one that is known, with --python {NEWEST}; or a newer version of STRIPE.",
            )
        remember(f"self-check of {path}", tried, "passed")
        sys.stderr.write(f"stripe: {what}: self-check passed\n")
    return [f"{what}: its self-check passed."]


def _ours() -> str:
    """Which agent it is that was tried."""
    agent = b"".join(path.read_bytes() for path in sorted(BOOT.parent.rglob("*.py")))
    return hashlib.sha256(agent).hexdigest()


def _flaw(interpreter: Interpreter, layer: Layer) -> str:
    """What the self-check found; nothing, if all is well."""
    for text, events in PROGRAMS:
        with closing(Scratch()) as scratch:
            try:
                why = _difference(interpreter, layer, scratch.path, text, events)
            except StripeError as error:
                why = f"{error.message} [{error.slug}]"
        if why:
            return why
    return ""


def _difference(
    interpreter: Interpreter, layer: Layer, folder: Path, text: str, events: int
) -> str:
    (folder / "without.py").write_text(_OUT.sub(r"\1pass", text))
    without = subprocess.run(
        [interpreter.path, "without.py"],
        cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False,
    )  # fmt: skip
    (folder / "program.py").write_text(text)
    target = Target("program.py", directory=folder)
    with scratch_copies(target, layer) as workspace:
        # Recording it compares the plain run, the recorded one and a full replay.
        recording = PythonRecording(Runner(target, (), interpreter, workspace))
    try:
        return _replayed_otherwise(recording, without, text, events)
    finally:
        recording.close()


def _replayed_otherwise(
    recording: PythonRecording,
    without: subprocess.CompletedProcess[bytes],
    text: str,
    events: int,
) -> str:
    trace = recording.trace
    if len(trace) != events:
        return f"{len(trace)} events instead of {events}"
    out = {number for number, line in enumerate(text.splitlines(), 1) if line.endswith("# out")}
    everything = range(len(trace))
    kept = [each for each in everything if trace.statements[trace.statement[each]].line not in out]
    for strict in (False, True):
        for fresh in (False, True):
            with recording.replay(everything, strict=strict, fresh=fresh) as seen:
                if why := difference(recording.plain, seen):
                    return f"replayed in full, it differs: {why}"
            with recording.replay(kept, strict=strict, fresh=fresh) as seen:
                outcome = (without.stdout, without.stderr, without.returncode)
                if (seen.stdout, seen.stderr, seen.status) != outcome:
                    return f"without some lines, it ends otherwise: {seen.detail or seen.stdout!r}"
    return ""
