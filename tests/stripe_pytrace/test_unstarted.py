"""Exceptions thrown into generators and coroutines that have not started, or elsewhere did.

Each program prints a letter a line between what is tried; leaving out any of these prints leaves
the others, and nothing else changes.
"""

from __future__ import annotations

from contextlib import closing
from itertools import combinations

import pytest

from stripe.backend import End, Target
from stripe_pytrace.backend import PythonBackend

THROWN = """\
def numbers():
    yield 1
print("a")
try:
    numbers().throw(ValueError)
except ValueError:
    print("b")
print("c")
"""
GUARDED = """\
def numbers():
    try:
        yield 1
    finally:
        print("never")
it = numbers()
print("a")
try:
    it.throw(ValueError)
except ValueError:
    print("b")
print(next(it, "c"))
"""
CLOSED = """\
def numbers():
    yield 1
print("a")
numbers().close()
print("b")
print("c")
"""
COROUTINE = """\
async def work():
    return 1
print("a")
try:
    work().throw(ValueError)
except ValueError:
    print("b")
work().close()
print("c")
"""
ASYNCHRONOUS = """\
async def items():
    yield 1
print("a")
try:
    items().athrow(ValueError).send(None)
except ValueError:
    print("b")
try:
    items().aclose().send(None)
except StopIteration:
    print("c")
try:
    items().asend(None).throw(KeyError)
except KeyError:
    print("d")
"""
CANCELLED = """\
import asyncio
async def work():
    print("never")
async def main():
    print("a")
    task = asyncio.create_task(work())
    task.cancel()
    await asyncio.sleep(0)
    print("b")
asyncio.run(main())
print("c")
"""
TIMEOUT = """\
import asyncio
async def slow():
    return 3
async def main():
    print("a")
    try:
        async with asyncio.timeout(0):
            await asyncio.gather(slow(), asyncio.sleep(5))
    except TimeoutError:
        print("b")
asyncio.run(main())
print("c")
"""
GROUP = """\
import asyncio
async def work():
    print("never")
async def main():
    print("a")
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(work())
            raise ValueError
    except* ValueError:
        print("b")
asyncio.run(main())
print("c")
"""
ADDRESS_USED_AGAIN = """\
def numbers():
    yield 1
it = numbers()
next(it)
del it
print("a")
try:
    numbers().throw(ValueError)
except ValueError:
    print("b")
print("c")
"""
FOREIGN = """\
import threading
def numbers():
    yield 1
    print("a")
    yield 2
it = numbers()
thread = threading.Thread(target=next, args=(it,))
thread.start()
thread.join()
next(it)
try:
    it.throw(ValueError)
except ValueError:
    print("b")
print("c")
"""
PROGRAMS = {
    "throw": THROWN,
    "throw into try": GUARDED,
    "close": CLOSED,
    "coroutine": COROUTINE,
    "asynchronous generator": ASYNCHRONOUS,
    "task cancelled": CANCELLED,
    "timeout": TIMEOUT,
    "task group": GROUP,
    "address used again": ADDRESS_USED_AGAIN,
    "started by a thread": FOREIGN,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_prints_around_it_can_be_left_out_one_by_one(name, tmp_path):
    source = PROGRAMS[name]
    (tmp_path / "program.py").write_text(source)
    with closing(PythonBackend().record(Target("program.py", directory=tmp_path))) as recording:
        trace = recording.trace
        assert min(trace.activation) >= 0
        printed = recording.plain.stdout.decode().split()
        rows = source.splitlines()
        prints = {}
        for event, statement in enumerate(trace.statement):
            row = rows[trace.statements[statement].line - 1].strip()
            if row.startswith("print("):
                prints[event] = row.rpartition('"')[0][-1]
        assert sorted(prints.values()) == sorted(printed)
        for size in range(len(prints) + 1):
            for gone in combinations(prints, size):
                kept = [event for event in range(len(trace)) if event not in gone]
                with recording.replay(kept) as run:
                    assert run.end is End.EXITED
                    left = [each for event, each in prints.items() if event not in gone]
                    assert run.stdout.decode().split() == left
