"""A replay that waits for what cannot come is ended at once; one that waits for a time is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from stripe.backend import End
from tests.support.recordings import recorded
from tests.support.tables import tables

LONG = 100.0
"""Seconds after which a replay would be ended in any case: tests fail by that, if they do."""

# Programs, and lines: without these the program waits for ever.
TABLES = tables(__file__)
WAITING = TABLES["waiting"]


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
