"""What a test costs that leaves out one event of many: forked from a replay, or from the beginning.

Seconds of a processor that all of it takes, the search's part included, for single removals spread
over a slice; of a program that prints as it goes, and of one that prints at its end, which is the
worst case: nothing can be ended early.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.measure import Row, Sizes, ratio, value
from benchmarks.programs import recorded
from stripe.backend import Target
from stripe.checks import parse_checks
from stripe.dd import Outcome, Tester
from stripe.index_set import packed, without_one
from stripe_pytrace.recording import PythonRecording

GOAL = 5.0
WORST = 1.0
SIZES = (600, 2000, 6000)
TESTS = 128

PRINTING = """\
state = 1
for number in range({rounds}):
    state = (state * 31 + number) % 1000003
    print(state)
    unused = number
    unused = number + 1
    unused = number + 2
    unused = number + 3
"""
AT_ITS_END = PRINTING.replace("print(state)", "state ^= number") + "print(state)\n"


def run(sizes: Sizes) -> Iterator[Row]:
    for what, source in (("prints as it goes", PRINTING), ("prints at its end", AT_ITS_END)):
        for size in SIZES[: sizes.choose(len(SIZES), 1)]:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "prog.py"
                path.write_text(source.format(rounds=size // 3), "utf-8")
                with recorded(Target(path.name, directory=Path(folder))) as recording:
                    plain, forked = compared(recording, sizes.choose(3, 1))
            told = f"a test of one removal of {size:,}, {what}: from the beginning / forked"
            goal = WORST if source is AT_ITS_END else GOAL if size == SIZES[-1] else None
            yield ratio("branches", told, plain, forked, goal, at_least=True)
            yield value("branches", "  forked", [each * 1000 for each in forked], "CPU ms")


def compared(recording: PythonRecording, rounds: int) -> tuple[list[float], list[float]]:
    """Seconds of a processor for each test, in each round, in both ways; they have to agree."""
    (check,) = parse_checks(["stdout"])
    criterion = check.reference(recording.recorded)
    stdout = criterion.recorded.stdout if criterion.check.whole_stdout else None
    tester = Tester(lambda _: False, close=recording.trace.close)
    whole = needed(recording)
    times: tuple[list[float], list[float]] = [], []
    for number in range(rounds + 1):
        places = range(number, len(whole), max(1, len(whole) // TESTS))
        began = processor()
        alone = []
        for place in places:
            with recording.replay(tester.closed(without_one(whole, place))) as run:
                alone.append(criterion.judge(run))
        middle = processor()
        candidates = [tester.closed(without_one(whole, place)) for place in places]
        together = [
            Outcome.UNRESOLVED if run is None else criterion.judge(run)
            for run in recording.branches(candidates, stdout=stdout)
        ]
        ended = processor()
        if together != alone:
            raise RuntimeError("a forked test has come to something else")
        if number:
            times[0].append((middle - began) / len(places))
            times[1].append((ended - middle) / len(places))
    return times


def needed(recording: PythonRecording) -> tuple[int, ...]:
    """The events of the slice: all but those that nothing needs."""
    trace = recording.trace
    lines = trace.files[0].lines
    return packed(
        event
        for event, number in enumerate(trace.statement)
        if "unused" not in lines[trace.statements[number].line - 1]
    )


def processor() -> float:
    """Seconds of a processor that this process has used, and all that it has started."""
    ticks = 0
    for process in family(os.getpid()):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def family(process: int) -> Sequence[int]:
    """A process, and those below it."""
    found = [process]
    for thread in os.listdir(f"/proc/{process}/task"):
        children = Path(f"/proc/{process}/task/{thread}/children").read_text().split()
        for child in children:
            found += family(int(child))
    return found
