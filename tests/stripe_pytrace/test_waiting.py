"""A worker that waits for a processor, which others have, is not taken for one that hangs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from typing import Any

import pytest

from stripe_pytrace.agent.process import wire
from stripe_pytrace.agent.process.progress import run_waited_for_processor, waited_for_processor
from stripe_pytrace.agent.process.server import FIRST_LOOK
from stripe_pytrace.agent.snapshots.restore import TAIL, Worker
from stripe_pytrace.agent.snapshots.workers import MOST_STILL, Workers
from tests.support.patience import PATIENCE, wait_until


class Starved:
    """A worker that has no processor for a while, and then tells what came of its run.

    If it ``waits`` for something, it tells that when nobody listens any more.
    """

    spent = 0.5

    def __init__(self, waits: bool) -> None:
        self.waits = waits
        self.reader, self._told = os.pipe()
        self.exited, self._ended = os.pipe()
        late = PATIENCE if waits else 3 * MOST_STILL * FIRST_LOOK
        self._later = threading.Timer(late, self._tell)
        self._later.start()

    def _tell(self) -> None:
        wire.send(self._told, {"end": "exit"})
        os.write(self._told, TAIL.pack(0))

    def close(self) -> None:
        self._later.cancel()
        self._later.join()
        for each in (self.reader, self._told, self.exited, self._ended):
            os.close(each)


@pytest.mark.parametrize("waits", [False, True])
def test_who_has_no_processor_is_waited_for(waits: bool) -> None:
    worker: Any = Starved(waits)
    source, host = os.pipe()
    try:
        message, late = Workers()._hear(worker, source, limit=1.0)
        assert not late
        assert wire.whole(message, TAIL.size) is not waits
    finally:
        worker.close()
        os.close(source)
        os.close(host)


@pytest.mark.parametrize(("code", "waits"), [("while True: pass", False), ("input()", True)])
def test_what_waits(code: str, waits: bool) -> None:
    code = f"print(flush=True)\n{code}"
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        worker = object.__new__(Worker)
        worker.process = process.pid
        wait_until(lambda: worker.waits is waits)  # it may just have said so
    finally:
        process.kill()
        process.communicate()


STARTS = """\
import os, sys, time
if os.fork():
    os.wait()
else:
    while True:
        pass
"""


def test_time_in_which_a_run_waits_for_a_processor_is_that_of_what_it_has_started():
    """A plain run is below its witness, which waits only for it: on a busy machine it was ended."""
    spin = "while True: pass"
    one = {min(os.sched_getaffinity(0))}
    words = [[sys.executable, "-c", text] for text in (STARTS, spin, spin)]
    started = [
        subprocess.Popen(each, preexec_fn=lambda: os.sched_setaffinity(0, one), process_group=0)
        for each in words
    ]
    try:
        run = started[0].pid
        while run_waited_for_processor(run) < 0.5 + waited_for_processor(run):
            assert all(each.poll() is None for each in started)
    finally:
        for each in started:
            os.killpg(each.pid, signal.SIGKILL)
            each.wait()
