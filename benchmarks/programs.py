"""The programs that are measured, and recordings of them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace as changed
from pathlib import Path
from unittest.mock import patch

from stripe.backend import Target
from stripe.sandbox.layers import find_layer
from stripe.sandbox.walls import VARIABLE
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.recording import PythonRecording

SAMPLES = Path(__file__).resolve().parent.parent / "examples" / "sample_programs"

# A loop of statements as programs have them: arithmetic, indexing, attributes, augmented
# assignments, branches taken and not taken, a small call now and then.  Local variables,
# the cheapest statements there are: what is added to each weighs most here.  With a second
# argument, it adds its own CPU time in the loop to that file.
STATEMENTS = """\
import sys
import time


class Account:
    def __init__(self):
        self.balance = 0
        self.moves = 0


def fee(amount, rate):
    part = amount * rate
    return part // 100


def work(rounds):
    account = Account()
    prices = [3, 1, 4, 1, 5, 9, 2, 6]
    total = 0
    for number in range(rounds):
        index = number & 7
        price = prices[index]
        amount = price * 12 + index
        account.balance += amount
        if amount > 60:
            account.moves = account.moves + 1
            total -= price
        else:
            total += price
        if index == 5:
            total += fee(amount, price)
        prices[index] = price ^ (number & 1)
        amount %= 17
        total = (total + amount) % 1000003
    return total, account.balance, account.moves


began = time.process_time()
result = work(int(sys.argv[1]))
taken = time.process_time() - began
if len(sys.argv) > 2:
    with open(sys.argv[2], "a") as file:
        file.write(f"{taken}\\n")
print(*result)
"""


def rounds_for(events: int) -> int:
    """How many rounds of the loop in ``STATEMENTS`` make about that many events."""
    return events * 8 // EVENTS_OF_EIGHT_ROUNDS


EVENTS_OF_EIGHT_ROUNDS = 93


@contextmanager
def statement_program() -> Iterator[Path]:
    """A folder that holds ``STATEMENTS`` as ``program.py``, and nothing else."""
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        directory = Path(folder)
        (directory / "program.py").write_text(STATEMENTS, "utf-8")
        yield directory


@contextmanager
def recorded(target: Target) -> Iterator[PythonRecording]:
    """A recording of ``target``, closed at the end."""
    recording = PythonBackend().record(target)
    assert isinstance(recording, PythonRecording)
    try:
        yield recording
    finally:
        recording.close()


def own_times(target: Target, folder: Path) -> tuple[float, float, float]:
    """The seconds of a processor that a program tells: plain, recorded, replayed in full.

    It is given the path of a file in ``folder`` as its last argument, to which it adds a line.
    There are no walls, behind which nothing lasts.
    """
    times = folder / "times"
    times.write_bytes(b"")
    target = changed(target, arguments=(*target.arguments, str(times)), unsafe=True)
    find_layer.cache_clear()
    try:
        with patch.dict(os.environ, {VARIABLE: "none"}), recorded(target):
            # Should STRIPE fall back to a slower way of replaying, that one comes last.
            first, second, *_, last = map(float, times.read_text("utf-8").split())
    finally:
        find_layer.cache_clear()
    return first, second, last


def sample() -> Target:
    """The sample program that sums and multiplies 0 .. 5."""
    return Target("sample.py", directory=SAMPLES, stdin=b"0\n5\n")


def statements(directory: Path, events: int, *arguments: str) -> Target:
    """The program in a folder made by ``statement_program``, for about so many events."""
    return Target("program.py", (str(rounds_for(events)), *arguments), directory=directory)
