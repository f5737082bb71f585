"""Reducing inputs: tests, time and result size beside other reducers, with the same test scripts;
what a test costs beyond the process it runs; what a second job brings."""

from __future__ import annotations

import argparse
import inspect
import json
import os
import random
import resource
import select
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import textwrap
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks import real_inputs, reducers
from benchmarks.measure import Row, Sizes, interleaved, ratio, value
from stripe.campaign.progress import Progress
from stripe.inputs.plan import Plan
from stripe.inputs.reduction import reduce_input
from stripe.inputs.trial import Trial
from stripe.running.command import script
from stripe.sandbox.commands import CommandPlace, Limits, Runner
from stripe.sandbox.inside.spawn import Spawner
from stripe.sandbox.layers import refused
from stripe.sandbox.walls import Layer, Walls

GOAL_OVERHEAD = 0.4
GOAL_JOBS = 1.8
GOAL_LAYER = 0.3
GENERAL = ("lithium", "picire", "debuggingbook", "delta")
"""Peers that know nothing of a language."""


@dataclass(frozen=True, slots=True)
class Task:
    """An input, the shell commands that test ``$f``, and what is asked of the answer."""

    name: str
    file: str
    content: bytes
    test: str
    units: str
    rivals: tuple[str, ...] = ()
    best_of: tuple[str, ...] = ()
    at_most: int | None = None
    bytes_at_most: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a tool needed, and what it got."""

    tests: int
    size: int
    seconds: float
    ended: bool
    """Whether by itself: some go on for long after their last improvement."""


def run(sizes: Sizes) -> Iterator[Row]:
    for task in tasks():
        rivals = task.rivals if not sizes.quick else ()
        yield from compare(task, rivals)
    yield from overhead(sizes)
    yield from layers(sizes)
    yield from jobs(sizes)


def tasks() -> Iterator[Task]:
    """Inputs of the kinds and sizes of the published figures."""
    dice = random.Random(1)
    for culprits in (1, 8):
        places = sorted(dice.sample(range(896), culprits))
        test = "; ".join(f"grep -q 'culprit-{place}-' \"$f\" || exit 1" for place in places)
        yield Task(
            f"page of 896 lines, {culprits} needed", "page.html", page(places), test, "lines",
            GENERAL, GENERAL,
        )  # fmt: skip
    text = bytearray(dice.choices(b"abcdefghij klm\n", k=2000))
    text[700:701], text[1400:1401] = b"(", b")"
    test = "tr -d '\\n' < \"$f\" | grep -q '(.*)' || exit 1"
    yield Task(
        "2,000 characters, 2 needed", "text.txt", bytes(text), test, "chars", GENERAL, GENERAL
    )
    events = [f"event {number}: move {dice.random():.3f}\n" for number in range(95)]
    places = sorted(dice.sample(range(95), 3))
    test = "; ".join(f"grep -q '^event {place}:' \"$f\" || exit 1" for place in places)
    yield Task(
        "95 events, 3 needed", "events", "".join(events).encode(), test, "events", at_most=39
    )
    fuzz = bytearray(dice.randbytes(1 << 20).replace(b"\xee", b"\xef"))
    fuzz[dice.randrange(1 << 20)] = 0xEE
    test = "LC_ALL=C grep -q -a -P '\\xEE' \"$f\" || exit 1"
    yield Task("1 MB, 1 byte needed", "fuzz.bin", bytes(fuzz), test, "auto", at_most=60)
    yield Task("a picture with lengths", "a.png", picture(), _python(PICTURE), "auto")
    noise = random.Random(6).randbytes(64)
    test = f'test "$(cksum < "$f")" = "{_cksum(noise)}" || exit 1'
    yield Task("64 bytes, all needed", "all.bin", noise, test, "auto")
    if shutil.which("gcc") is not None:
        test = (
            'grep -q \'int main\' "$f" || exit 1; gcc -std=c99 -Wall -c -o /dev/null "$f" '
            "2> said || exit 1; grep -q 'unused variable' said || exit 1"
        )
        yield Task(
            "C of 310 lines", "prog.c", c_program(), test, "auto",
            ("creduce", "cvise", "shrinkray"), ("creduce",), bytes_at_most=30,
        )  # fmt: skip
    program = python_program()
    test = (
        f'{sys.executable} -I -S "$f" > said 2>&1 && exit 1; '
        "tail -n 1 said | grep -q '^ValueError: invalid width' || exit 1; "
        "tail -n 4 said | grep -q 'in _wrap_chunks' || exit 1"
    )
    yield Task(
        f"Python of {len(program.splitlines())} lines", "crash.py", program, test, "python",
        ("cvise", "shrinkray"), ("cvise", "shrinkray"),
    )  # fmt: skip


def page(places: list[int]) -> bytes:
    lines = [f'<tr class="row{i % 2}"><td>cell {i}</td><td>{i * i}</td></tr>' for i in range(896)]
    for place in places:
        lines[place] = f'<select name="culprit-{place}-" size=7>'
    return ("\n".join(lines) + "\n").encode()


PICTURE = """
import sys, struct
data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\\x89PNG\\r\\n\\x1a\\n"
place, chunks = 8, {}
while place < len(data):
    length, kind = struct.unpack(">I4s", data[place : place + 8])
    chunks[kind] = data[place + 8 : place + 8 + length]
    place += 12 + length
assert place == len(data) and struct.unpack(">I", chunks[b"IHDR"][:4])[0] >= 40
assert b"wor" in chunks[b"tEXt"]
"""


def picture() -> bytes:
    """A PNG of four chunks."""
    parts = {
        b"IHDR": struct.pack(">IIBBBBB", 100, 100, 8, 2, 0, 0, 0),
        b"tEXt": b"Comment\0hello world, how are you all today?",
        b"IDAT": random.Random(5).randbytes(310),
        b"IEND": b"",
    }
    written = [
        struct.pack(">I", len(text)) + kind + text + struct.pack(">I", zlib.crc32(kind + text))
        for kind, text in parts.items()
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(written)


def _cksum(content: bytes) -> str:
    return subprocess.run(["cksum"], input=content, capture_output=True).stdout.decode().strip()


def _python(program: str) -> str:
    return f'{sys.executable} -I -S -c {shlex.quote(program)} "$f" 2> /dev/null || exit 1'


def c_program() -> bytes:
    dice = random.Random(7)
    lines = [
        "#include <stdio.h>", "#include <stdlib.h>", "#include <string.h>", "",
        "#define LIMIT 64", "typedef struct item { int id; struct item *next; } item;",
        "enum colour { RED, GREEN, BLUE };", "static int table[LIMIT] = { 1, 2, 3, 5, 8, 13 };", "",
    ]  # fmt: skip
    number = 0
    while len(lines) < 288:
        number += 1
        lines += [f"static int work_{number}(int first, int second)", "{"]
        lines += [f"    int total = {dice.randrange(99)};"]
        for _ in range(dice.randrange(1, 4)):
            lines += [
                "    for (int step = first; step < second; step++) {",
                f"        if (step % {dice.randrange(2, 9)} == 0)",
                f"            total += table[step % LIMIT] * {dice.randrange(9)};",
                "        else",
                f"            total -= step / {dice.randrange(1, 9)};",
                "    }",
            ]
        if number > 1:
            lines += [f"    total += work_{number - 1}(first - 1, second / 2);"]
        lines += [f'    printf("{number}: %d\\n", total);', "    return total;", "}", ""]
    lines += [
        "int main(int argc, char **argv)", "{", "    item *head = malloc(sizeof *head);",
        "    int unused_counter = 3;", "    memset(head, 0, sizeof *head);",
        f"    int sum = work_{number}(argc, argc + LIMIT);", "    if (sum > 3) {",
        '        printf("%d %s\\n", sum, argv[0]);', "    }", "    free(head);",
        "    return sum == BLUE;", "}",
    ]  # fmt: skip
    return ("\n".join(lines) + "\n").encode()


def python_program() -> bytes:
    """A module of the standard library, and a call with which it fails."""
    return (inspect.getsource(textwrap) + '\nprint(fill("some words", width=0))\n').encode()


# --- tests and result sizes -----------------------------------------------------------------------


def compare(task: Task, rivals: tuple[str, ...]) -> Iterator[Row]:
    """A row for each rival, and one for us with the goal that they set."""
    found = {name: outcome for name in rivals if (outcome := reduce_with(task, name))}
    for name, outcome in found.items():
        yield _row(task, name, outcome, None)
    mine = reduce_with(task, "stripe")
    assert mine is not None, "we are there"
    ended = [found[name] for name in task.best_of if name in found and found[name].ended]
    goal = min((each.tests for each in ended), default=task.at_most)
    yield _row(task, "stripe", mine, goal)
    if task.bytes_at_most is not None:
        yield value("inputs", f"{task.name}: result", [mine.size], "bytes", task.bytes_at_most)


def _row(task: Task, name: str, outcome: Outcome, goal: int | None) -> Row:
    ended = "" if outcome.ended else ", stopped"
    what = f"{task.name}: {name} ({outcome.size} bytes, {outcome.seconds:.1f} s{ended})"
    return value("inputs", what, [outcome.tests], "tests", goal)


def reduce_with(task: Task, name: str) -> Outcome | None:
    """Have a tool reduce the input of a task; None if it is not there, or fails."""
    with tempfile.TemporaryDirectory() as folder:
        file, test, log = reducers.laid_out(
            Path(folder), task.file, task.content, task.test, 'cksum < "$f"'
        )
        command = (
            reducers.ours(file, test, task.units)
            if name == "stripe"
            else reducers.PEERS[name](file, test, task.units)
        )
        if command is None:
            return None
        began = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=file.parent, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        try:
            in_time = process.wait(reducers.SECONDS) == 0
        except subprocess.TimeoutExpired:
            in_time = False
        finally:
            seconds = time.perf_counter() - began
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            status = process.wait()
        if status > 0:
            return None
        if name == "stripe":
            tests = json.loads(reducers.counted(file).read_text())["tests"]["executed"]
        else:
            tests = len(set(log.read_text().splitlines()))
        return Outcome(tests, file.stat().st_size, seconds, in_time)


# --- what a test costs ----------------------------------------------------------------------------


def overhead(sizes: Sizes) -> Iterator[Row]:
    """A reduction, all around each test included, beside a bare run of the same test after each of
    its own: everything is needed, so every line is tested alone."""
    count = sizes.choose(300, 60)
    content = b"".join(b"line %d\n" % number for number in range(count))
    with tempfile.TemporaryDirectory() as folder:
        file, same = Path(folder, "in.txt"), Path(folder, "same.txt")
        for path in (file, same):
            path.write_bytes(content)
        test = _script(folder, f'exec cmp -s {file} "$1"')
        rounds = [_differences(file, test, same) for _ in range(sizes.choose(5, 2))]
    yield value(
        "inputs", "a test, beyond a bare subprocess", [median(each) for each in rounds],
        "ms", GOAL_OVERHEAD,
    )  # fmt: skip


def _differences(file: Path, test: Path, other: Path) -> list[float]:
    """Milliseconds that each test of a reduction took longer than a bare run, on ``other``."""
    found: list[float] = []
    before = 0.0

    def tested(_: Progress) -> None:
        nonlocal before
        ours = time.perf_counter() - before
        began = time.perf_counter()
        subprocess.run([str(test), str(other)], stdout=subprocess.DEVNULL)
        found.append((ours - (time.perf_counter() - began)) * 1e3)
        before = time.perf_counter()

    trial = Trial(script(str(test), file), file.read_bytes())
    reduce_input(trial, Plan(units="lines"), progress=tested)
    return found[1:]


def layers(sizes: Sizes) -> Iterator[Row]:
    """The shortest of commands in each layer, and as it was before there were sandboxes: started
    and waited for by ourselves.  Blocks of both take turns, so that a slow spell hits both, and
    both find their caches as in a search, which runs one kind only."""
    command, count = ["/bin/sh", "-c", "exec cmp -s /etc/passwd /etc/group"], sizes.choose(25, 10)
    direct = _direct()
    for layer in Layer:
        if layer is not Layer.NONE and refused(layer) is not None:
            continue
        found: dict[str, list[float]] = {"median": [], "99th percentile": []}
        with _runner(layer) as runner:

            def walled(runner: Runner = runner) -> object:
                return runner.run(command, Limits(10.0), heard=False)

            def bare() -> object:
                return direct(command)

            for _ in range(sizes.choose(5, 2)):
                times: list[list[float]] = [[], []]
                for _ in range(sizes.choose(20, 4)):
                    for action, column in zip((bare, walled), times, strict=True):
                        [seconds] = interleaved(count, lambda _, each=action: each(), warm_up=2)  # type: ignore[misc]
                        column += seconds
                for name, part in (("median", 0.5), ("99th percentile", 0.99)):
                    before, now = (_quantile(column, part) for column in times)
                    found[name].append((now - before) * 1e3)
        for name, rounds in found.items():
            goal = GOAL_LAYER if name == "median" else None
            what = f"a command in the layer {layer.value}, beyond a bare one: {name}"
            yield value("inputs", what, rounds, "ms", goal)


def _quantile(times: list[float], part: float) -> float:
    return sorted(times)[int(len(times) * part)]


@contextmanager
def _runner(layer: Layer) -> Iterator[Runner]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(os.path.realpath(folder))
        home = root / "home"
        home.mkdir()
        place = CommandPlace(home, os.environb, None, 2, 2)
        runner = Runner(Walls(layer, root, home, root / "room", home), place)
        try:
            yield runner
        finally:
            runner.close()


def _direct() -> Callable[[list[str]], None]:
    """Runs commands as tests were run without a launcher."""
    null = os.open(os.devnull, os.O_RDWR)
    spawner = Spawner(b"/", os.environb, null, null, null)
    children = os.open(f"/proc/self/task/{os.getpid()}/children", os.O_RDONLY)

    def run(command: list[str]) -> None:
        process = spawner.start([os.fsencode(word) for word in command])
        for which in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE):
            resource.prlimit(process, which, resource.prlimit(process, which))
        descriptor = os.pidfd_open(process)
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        poll.poll(10_000)
        os.close(descriptor)
        os.killpg(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.pread(children, 65536, 0)

    return run


def _script(folder: str, text: str) -> Path:
    test = Path(folder, "test.sh")
    test.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    test.chmod(0o755)
    return test


def jobs(sizes: Sizes) -> Iterator[Row]:
    """Where little is needed, and where much is: the searches differ."""
    for needed in (8, 60):
        places = random.Random(3).sample(range(896), needed)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "page.html")
            file.write_bytes(page(sorted(places)))
            test = _script(
                folder, f'sleep 0.05\ntest "$(grep -c culprit- "$1")" = {needed} || exit 1'
            )
            answers: set[bytes] = set()

            def reduction(
                number: int, test: Path = test, file: Path = file, answers: set[bytes] = answers
            ) -> None:
                trial = Trial(script(str(test), file), file.read_bytes())
                result = reduce_input(trial, Plan(units="lines", jobs=number))
                answers.add(result.failing)

            one, two = interleaved(
                sizes.choose(5, 1), lambda _: reduction(1), lambda _: reduction(2), warm_up=0
            )
            assert len(answers) == 1, "the same answer for any number of jobs"
            what = f"page of 896 lines, {needed} needed, tests of 50 ms: 1 job / 2 jobs"
            yield ratio("inputs", what, one, two, GOAL_JOBS, at_least=True)


def main() -> None:
    """Print the comparison on real files."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.inputs")
    parser.add_argument("--real", action="store_true", required=True)
    parser.add_argument("--aside", action="store_true", help="the files that were set aside")
    parser.add_argument("--only", default="", help="the files of one kind")
    parser.add_argument("--seconds", type=float, default=90.0)
    options = parser.parse_args()
    for line in real_inputs.table(aside=options.aside, only=options.only, seconds=options.seconds):
        print(line, flush=True)


if __name__ == "__main__":
    main()
