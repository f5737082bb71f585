"""How fast Perl programs are recorded and replayed, beside the same programs in Python.

``python -m benchmarks.perl [--seconds 5]`` takes pairs of programs of one text in both languages,
records each pair, and replays random configurations of them in turns, both backends in one run:
tests a second, the milliseconds of one, and what recording costs against the plain run, in CPU.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import tempfile
import time
from pathlib import Path

from stripe.backend import AUTOMATIC, Recording, Target, choose_backend
from tests.stripe_perl.bare import BareHost

LOOP = 2_000

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
    print(f"{'program':8} {'':7} {'events':>8} {'tests/s':>8} {'ms':>8}")
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
    for language, recording, (rate, each) in zip(
        ("Python", "Perl"), recordings, measured, strict=True
    ):
        print(f"{name:8} {language:7} {len(recording.trace):8,} {rate:8.0f} {each:8.2f}")


def tell_recording(folder: Path) -> None:
    """What recording costs, in CPU seconds of perl against those of the plain run."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        for name in ("loop", "calls"):
            text = PROGRAMS[name][1].replace(f"{LOOP}", "300000").replace("fib(12)", "fib(21)")
            Path("long.pl").write_text(text, "utf-8")
            began = spent()
            host = BareHost("long.pl")
            host.close()
            recorded = spent()
            host.plain()
            ratio = (recorded - began) / (spent() - recorded)
            print(f"recording {name}: {len(host.trace):,} events, {ratio:.1f} times the plain run")
    finally:
        os.chdir(before)


def spent() -> float:
    """CPU seconds of the processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def in_turns(recordings: list[Recording], seconds: float) -> list[tuple[float, float]]:
    """Tests a second of each, and the milliseconds of one."""
    dice = random.Random(1)
    counts, spent = [0] * len(recordings), [0.0] * len(recordings)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        share = dice.choice([0.3, 0.6, 0.9])
        for place, recording in enumerate(recordings):
            events = [e for e in range(len(recording.trace)) if dice.random() < share]
            kept = recording.trace.close(events)
            began = time.monotonic()
            with recording.replay(kept):
                pass
            spent[place] += time.monotonic() - began
            counts[place] += 1
    return [(count / each, 1000 * each / count) for count, each in zip(counts, spent, strict=True)]


if __name__ == "__main__":
    main()
