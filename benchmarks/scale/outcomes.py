"""Outcomes of tests on disk: what one search has asked, no search after it has to run again."""

from __future__ import annotations

import hashlib
import os
import struct
import time
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from stripe.dd import Outcome

RECORD = struct.Struct("<16scf")
LETTERS = {outcome: outcome.name[:1].encode() for outcome in Outcome}
OUTCOMES = {letter: outcome for outcome, letter in LETTERS.items()}


class Tested(NamedTuple):
    """What a test came to, and the seconds of CPU that it took when it ran."""

    outcome: Outcome
    seconds: float


class Outcomes:
    """A test function that runs a configuration once, on whatever day.

    - ``file``: where it remembers
    - ``run``: the test
    - ``spent``: seconds of CPU that all tests asked for took when they ran
    - ``ran``: seconds of this process's own in those that ran now
    """

    def __init__(self, file: Path, run: Callable[[Sequence[int]], Outcome]) -> None:
        self.spent = 0.0
        self.ran = 0.0
        self._file = file
        self._run = run
        self._known: dict[bytes, Tested] = {}
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists():
            data = file.read_bytes()
            whole = len(data) - len(data) % RECORD.size
            for digest, letter, seconds in RECORD.iter_unpack(data[:whole]):
                self._known[digest] = Tested(OUTCOMES[letter], seconds)
            os.truncate(file, whole)

    def __call__(self, events: Sequence[int]) -> Outcome:
        digest = self._digest(events)
        tested = self._known.get(digest)
        if tested is None:
            began, own = cpu(), time.process_time()
            outcome = self._run(events)
            self.ran += time.process_time() - own
            tested = self._known[digest] = Tested(outcome, cpu() - began)
            with self._file.open("ab") as file:
                file.write(RECORD.pack(digest, LETTERS[outcome], tested.seconds))
        self.spent += tested.seconds
        return tested.outcome

    def seconds(self, events: Sequence[int]) -> float:
        """Seconds of CPU of the test of a configuration, which is run unless it has been."""
        self(events)
        return self._known[self._digest(events)].seconds

    @staticmethod
    def _digest(events: Sequence[int]) -> bytes:
        return hashlib.blake2b(array("I", events).tobytes(), digest_size=16).digest()


TICK = os.sysconf("SC_CLK_TCK")


def cpu() -> float:
    """Seconds of CPU of this process, of those below it, and of theirs that have ended."""
    ticks = 0
    waiting = _children(os.getpid())
    while waiting:
        child = waiting.pop()
        try:
            fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += sum(map(int, fields[11:15]))
        waiting += _children(child)
    times = os.times()
    return time.process_time() + times.children_user + times.children_system + ticks / TICK


def _children(process: int) -> list[int]:
    try:
        return [
            int(each)
            for each in Path(f"/proc/{process}/task/{process}/children").read_text().split()
        ]
    except OSError:
        return []
