"""A replay that waits for what cannot come is ended at once; one that waits for a time is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from stripe.backend import End
from tests.support.recordings import recorded

LONG = 100.0
"""Seconds after which a replay would be ended in any case: tests fail by that, if they do."""

# Programs, and lines: without these the program waits for ever.
WAITING = {
    "a pipe whose writer is the reader": (
        "import os\nr, w = os.pipe()\nos.write(w, b'x')\nprint(os.read(r, 1))\n",
        [3],
    ),
    "a pipe that a child keeps open while it waits for it": (
        "import os\n"
        "r, w = os.pipe()\n"
        "back, there = os.pipe()\n"
        "if os.fork() == 0:\n"
        "    os.read(back, 1)\n"
        "    os.write(w, b'x')\n"
        "    os._exit(0)\n"
        "os.write(there, b'y')\n"
        "print(os.read(r, 1))\n",
        [8],
    ),
    "an alarm that is not set": (
        "import signal\n"
        "signal.signal(signal.SIGALRM, lambda *given: None)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.1)\n"
        "signal.pause()\n"
        "print('x')\n",
        [3],
    ),
    "a signal that nobody sends": (
        "import os, signal\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])\n"
        "os.kill(os.getpid(), signal.SIGUSR1)\n"
        "print(signal.sigwait([signal.SIGUSR1]) > 0)\n",
        [3],
    ),
    "a queue": (
        "import queue, threading\n"
        "jobs, results = queue.Queue(), queue.Queue()\n"
        "worker = threading.Thread(target=lambda: results.put(jobs.get()))\n"
        "worker.start()\n"
        "jobs.put(1)\n"
        "print(results.get())\n",
        [5],
    ),
    "a lock": (
        "import threading\n"
        "lock = threading.Lock()\n"
        "lock.acquire()\n"
        "lock.release()\n"
        "lock.acquire()\n"
        "print('x')\n",
        [4],
    ),
    "a select without a time limit": (
        "import os, select\nr, w = os.pipe()\nos.write(w, b'x')\n"
        "print(len(select.select([r], [], [])))\n",
        [3],
    ),
    "an event loop without events": (
        "import asyncio\n"
        "async def main():\n"
        "    done = asyncio.Event()\n"
        "    done.set()\n"
        "    await done.wait()\n"
        "    print('x')\n"
        "asyncio.run(main())\n",
        [4],
    ),
}


@pytest.mark.parametrize("case", WAITING)
def test_what_can_make_no_progress_ends_at_once(tmp_path: Path, case: str) -> None:
    program, lines = WAITING[case]
    with recorded(tmp_path, program, timeout=LONG) as recording:
        trace = recording.trace
        everything = range(len(trace))
        kept = [
            each for each in everything if trace.statements[trace.statement[each]].line not in lines
        ]
        assert len(kept) < len(everything)
        for _ in range(2):
            with recording.replay(kept) as run:
                assert run.end is End.BLOCKED
            with recording.replay(everything) as run:
                assert run.end is End.EXITED


TIMED = {
    "sleep": "import time\ntime.sleep(0.4)\n",
    "an alarm": (
        "import signal\nsignal.signal(signal.SIGALRM, lambda *given: None)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.4)\nsignal.pause()\n"
    ),
    "an alarm in a child": (
        "import os, signal\n"
        "if os.fork() == 0:\n"
        "    signal.setitimer(signal.ITIMER_REAL, 0.4)\n"
        "    signal.pause()\n"
        "os.wait()\n"
    ),
    "alarms again and again": (
        "import signal\nrung = []\nsignal.signal(signal.SIGALRM, lambda *given: rung.append(1))\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.1, 0.2)\n"
        "while len(rung) < 3:\n    signal.pause()\n"
    ),
    "a timer in a thread": "import threading\nthreading.Timer(0.4, int).start()\n",
    "another program": "import subprocess\nsubprocess.run(['sleep', '0.4'])\n",
    "a poll with a time limit": "import select\nselect.poll().poll(400)\n",
    "an event loop": "import asyncio\nasyncio.run(asyncio.sleep(0.4))\n",
}


@pytest.mark.parametrize("case", TIMED)
def test_what_waits_for_a_time_goes_on(tmp_path: Path, case: str) -> None:
    text = TIMED[case] + "print('awake')\n"
    with (
        recorded(tmp_path, text, timeout=LONG) as recording,
        recording.replay(range(len(recording.trace))) as run,
    ):
        assert (run.end, run.stdout) == (End.EXITED, b"awake\n")


def test_a_replay_that_computes_for_ever_ends_by_the_time_limit(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text(
        "import itertools\nn = itertools.count()\nn = [1]\nprint(sum(n))\n"
    )
    with recorded(tmp_path) as recording, recording.replay([0, 1, 3]) as run:
        assert run.end is End.TIMEOUT
