"""Recording and replaying on each Python there is, beside 3.13 (or the oldest), in one run.

Those that ``tools/find-python`` finds, version by version; others, and only these, if
``STRIPE_BENCH_PYTHONS`` names them (paths, with ``:`` between).
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace as changed
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.measure import Row, Sizes, interleaved, ratio, value
from benchmarks.programs import recorded, sample, statement_program, statements
from benchmarks.replay import random_configurations, replayed
from stripe_pytrace.agent.compiling import versions
from stripe_pytrace.interpreter import examine
from stripe_pytrace.recording import PythonRecording

ROOT = Path(__file__).resolve().parent.parent
AGENT = Path(versions.__file__).parent
BESIDE = "3.13"


def run(sizes: Sizes) -> Iterator[Row]:
    found = pythons()
    beside = BESIDE if BESIDE in found else next(iter(found))
    yield from recording(sizes, found, beside)
    yield from replaying(sizes, found, beside)


def pythons() -> dict[str, str]:
    """Interpreters, by version."""
    named = os.environ.get("STRIPE_BENCH_PYTHONS", "")
    paths = named.split(":") if named else [_found(str(each)) for each in versions.VERSIONS]
    told = [examine(path) for path in paths if path]
    return {".".join(map(str, each.version[:2])) + "t" * (not each.gil): each.path for each in told}


def _found(version: str) -> str:
    command = [str(ROOT / "tools/find-python"), "--no-fetch", version]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def recording(sizes: Sizes, found: dict[str, str], beside: str) -> Iterator[Row]:
    """Processor time of recorded runs, short ones and long ones, and how long the log is.

    A short one shows what a start takes; a long one is long enough for that not to weigh.
    """
    for path in found.values():
        keep_bytecode(path)
    rounds = sizes.choose(5, 3)
    with statement_program() as directory:
        for what, events in ("start", 1_000), ("record", sizes.choose(1_000_000, 300_000)):
            target = statements(directory, events)
            seconds: dict[str, list[float]] = {name: [] for name in found}
            lengths: dict[str, float] = {}
            for _ in range(rounds):
                for name, path in found.items():
                    with noted() as notes, recorded(changed(target, python=path)) as one:
                        count = len(one.trace)
                    seconds[name].append(notes[-1][0])
                    lengths[name] = notes[-1][1] / count
            for name, times in seconds.items():
                if what == "record":
                    speeds = [count / each for each in times]
                    yield value("pythons", f"{name}: recording", speeds, "events/s")
                    yield value("pythons", f"{name}: the log", [lengths[name]], "bytes/event")
                if name != beside:
                    label = f"{name} / {beside}: time to {what}"
                    yield ratio("pythons", label, times, seconds[beside])


def keep_bytecode(python: str) -> None:
    """Compile the agent, as the Python that STRIPE runs with has it compiled.

    Else the others would compile it at each start, and that would be what is compared.
    """
    command = [python, "-E", "-m", "compileall", "-q", str(AGENT)]
    subprocess.run(command, check=True)


@contextmanager
def noted() -> Iterator[list[tuple[float, int]]]:
    """The seconds that runs recorded meanwhile took of a processor, and the bytes of their logs."""
    found: list[tuple[float, int]] = []
    read = PythonRecording._read

    def noting(self: PythonRecording, facts: Any, **options: Any) -> None:
        found.append((float(facts["processor"]), self._log.stat().st_size))
        read(self, facts, **options)

    with patch.object(PythonRecording, "_read", noting):
        yield found


def replaying(sizes: Sizes, found: dict[str, str], beside: str) -> Iterator[Row]:
    """Tests by the fork server, interleaved."""
    with ExitStack() as stack:
        actions = []
        for path in found.values():
            one = stack.enter_context(recorded(changed(sample(), python=path)))
            actions.append(replayed(one, random_configurations(one.trace, sizes.choose(100, 12))))
        taken = dict(zip(found, interleaved(sizes.choose(200, 30), *actions), strict=True))
    for name, times in taken.items():
        yield value("pythons", f"{name}: tests", [1 / each for each in times], "/s")
        if name != beside:
            yield ratio("pythons", f"{name} / {beside}: time of a test", times, taken[beside])
