"""How fast Perl programs are recorded and replayed, beside the same programs in Python.

``python -m benchmarks.perl [--seconds 5]`` takes pairs of programs of one text in both languages,
records each pair, and replays random configurations of them in turns, both backends in one run:
tests a second by the clock, the CPU milliseconds of one (a busy machine changes these less), and
what recording costs against the plain run, in CPU.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from stripe.backend import AUTOMATIC, Recording, Target, choose_backend
from tests.stripe_perl.bare import BareHost

LOOP = 2_000
RECORDINGS = 5
"""Of each program, in turns with plain runs, which take some hundredths of a second."""

IN_A_ROW = 20
"""Replays of one recording before those of the other: what they cost is told in hundredths."""

PROGRAMS = {
    "loop": (
        f"""total = 0
n = 0
while n < {LOOP}:
    n += 1
    if n % 3 == 0:
        continue
    total += n
print(total)
""",
        f"""my $total = 0;
my $n = 0;
while ($n < {LOOP}) {{
    $n += 1;
    next if $n % 3 == 0;
    $total += $n;
}}
print "$total\\n";
""",
    ),
    "calls": (
        """def fib(n):
    if n < 2:
        return n
    left = fib(n - 1)
    return left + fib(n - 2)
print(fib(12))
""",
        """sub fib {
    my $n = shift;
    return $n if $n < 2;
    my $left = fib($n - 1);
    return $left + fib($n - 2);
}
print fib(12), "\\n";
""",
    ),
    "small": (
        "x = 1\ny = 2\nfor i in range(5):\n    x += y\nprint(x)\n",
        "my $x = 1;\nmy $y = 2;\nfor my $i (1 .. 5) {\n    $x += $y;\n}\nprint $x;\n",
    ),
}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.perl")
    asked.add_argument("--seconds", type=float, default=5.0, help="for the replays of a pair")
    options = asked.parse_args()
    print(f"{'program':8} {'':7} {'events':>8} {'tests/s':>8} {'CPU ms':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name, texts in PROGRAMS.items():
            compare(name, texts, Path(folder), options.seconds)
        tell_recording(Path(folder))


def compare(name: str, texts: tuple[str, str], folder: Path, seconds: float) -> None:
    """Measure a pair and tell it."""
    files = [folder / f"{name}{suffix}" for suffix in (".py", ".pl")]
    recordings = []
    for file, text in zip(files, texts, strict=True):
        file.write_text(text, "utf-8")
        target = Target(file.name, directory=folder, python=AUTOMATIC)
        recordings.append(choose_backend(target).record(target))
    try:
        measured = in_turns(recordings, seconds)
    finally:
        for recording in recordings:
            recording.close()
    for language, recording, found in zip(("Python", "Perl"), recordings, measured, strict=True):
        rate, cpu = found.count / found.seconds, 1000 * found.cpu / found.count
        print(f"{name:8} {language:7} {len(recording.trace):8,} {rate:8.0f} {cpu:8.1f}")


def tell_recording(folder: Path) -> None:
    """What recording costs, in CPU seconds of perl against those of the plain run."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        for name in ("loop", "calls"):
            text = PROGRAMS[name][1].replace(f"{LOOP}", "300000").replace("fib(12)", "fib(21)")
            Path("long.pl").write_text(text, "utf-8")
            recorded = plain = 0.0
            for _ in range(RECORDINGS):
                began = spent()
                host = BareHost("long.pl")
                host.close()
                recorded += spent() - began
                began = spent()
                host.plain()
                plain += spent() - began
            ratio = recorded / plain
            print(f"recording {name}: {len(host.trace):,} events, {ratio:.1f} times the plain run")
    finally:
        os.chdir(before)


def spent() -> float:
    """CPU seconds of the processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@dataclass
class Measured:
    """Replays of one recording: how many, and the seconds they took, by the clock and in CPU."""

    count: int = 0
    seconds: float = 0.0
    cpu: float = 0.0


def in_turns(recordings: list[Recording], seconds: float) -> list[Measured]:
    """Replay random configurations of each, some in a row of each."""
    dice = random.Random(1)
    measured = [Measured() for _ in recordings]
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        share = dice.choice([0.3, 0.6, 0.9])
        for recording, found in zip(recordings, measured, strict=True):
            length = range(len(recording.trace))
            rows = [[e for e in length if dice.random() < share] for _ in range(IN_A_ROW)]
            kept = [recording.trace.close(row) for row in rows]
            below, own, began = spent_below(), time.process_time(), time.monotonic()
            for events in kept:
                with recording.replay(events):
                    pass
            found.seconds += time.monotonic() - began
            found.cpu += time.process_time() - own + spent_below() - below
            found.count += IN_A_ROW
    return measured


def spent_below() -> float:
    """CPU seconds of all processes below this one, and of those that ended and were waited for."""
    parents, ticks = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        parents[int(folder.name)] = int(words[1])
        ticks[int(folder.name)] = sum(map(int, words[11:15]))
    below, found = {os.getpid()}, 0
    while more := {each for each, parent in parents.items() if parent in below} - below:
        below |= more
        found += sum(ticks[each] for each in more)
    return found / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
