"""What others that watch a program cost it: its own processor seconds, watched and plain.

They are told less than STRIPE records: which lines were executed at all (coverage), which
functions were called (viztracer), each line (``sys.settrace``, with nothing but a count).  They
take part where they are installed; ``make bench`` does so.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from benchmarks.measure import Row, ratio
from benchmarks.programs import rounds_for

COUNTING = """
import runpy, sys
lines = 0
def local(frame, event, argument):
    global lines
    lines += event == "line"
    return local
program, *sys.argv[1:] = sys.argv[1:]
sys.settrace(lambda frame, event, argument: local)
runpy.run_path(program, run_name="__main__")
"""


def watchers(folder: Path) -> Iterator[tuple[str, list[str], dict[str, str]]]:
    """What each is called, its words before the program's, and its variables."""
    yield "plain", [], {}
    yield "sys.settrace counting lines", ["-c", COUNTING], {}
    if find_spec("coverage"):
        words = ["-m", "coverage", "run", f"--data-file={folder / 'coverage'}"]
        yield "coverage, core sysmon", words, {"COVERAGE_CORE": "sysmon"}
    if find_spec("viztracer"):
        words = ["-m", "viztracer", "--quiet", "-o", str(folder / "viztracer.json"), "--"]
        yield "viztracer", words, {}


def run(program: Path, folder: Path, events: int, rounds: int) -> Iterator[Row]:
    """A row for each, of a ``program`` that tells its seconds (``programs.STATEMENTS``)."""
    times = folder / "times-watched"
    found: dict[str, list[float]] = {}
    for _ in range(rounds):
        for name, words, variables in watchers(folder):
            times.write_bytes(b"")
            subprocess.run(
                [sys.executable, *words, program.name, str(rounds_for(events)), str(times)],
                cwd=program.parent,
                env={**os.environ, **variables},
                stdout=subprocess.DEVNULL,
                check=True,
            )
            found.setdefault(name, []).append(float(times.read_text("utf-8")))
    plain = found.pop("plain")
    for name, seconds in found.items():
        yield ratio("recording", f"  beside it, {name} / plain", seconds, plain)
