"""Each verb in each of its phases: the time limit, SIGTERM and Ctrl-C end it.

A row of the table is a command that would take minutes, and the phase in which it would.
"""

from __future__ import annotations

import os
import pty
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from stripe_perl.interpreter import find_perl
from stripe_perl.runtime_library import built_runtime
from tests.e2e.harness import Room
from tests.stripe_gdb.native import needs_cc, needs_gdb
from tests.stripe_perl.perl import needs_perl, why_no_perl
from tests.support.patience import wait_until

LIMIT_SECONDS, SEARCH_SECONDS = "1", "3"
"""Limits for a phase before the search, and for the search, which is to begin within its own."""

GRACE_SECONDS = 60
"""For what takes a moment on an idle machine, and minutes if nothing ends it."""

SLEEPER = "import subprocess\nprint('on')\nsubprocess.run(['sleep', '600'])\n"
LOOP = """\
total = 0
seen = []
for each in range(ROUNDS):
    total += each
    if total > 100:
        total -= 100
    seen.append(total)
print(sum(seen))
"""
CAUSES = """\
import sys
n = int(sys.argv[1])
total = 0
for each in range(20_000):
    total += each * n
if n > 5:
    raise ValueError(total)
"""
LOOP_IN_C = """\
#include <stdio.h>
int main(void)
{
    unsigned sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        sum += i;
        sum ^= i;
    }
    printf("%u\\n", sum);
    return 0;
}
"""
SLEEPER_IN_C = '#include <stdlib.h>\nint main(void)\n{\n    return system("sleep 600");\n}\n'
SLEEPER_IN_PERL = 'print "on\\n";\nsystem("sleep 600");\n'
LOOP_IN_PERL = """\
my ($total, @seen) = 0;
for my $each (1 .. ROUNDS) {
    $total += $each;
    $total -= 100 if $total > 100;
    push @seen, $total;
}
print "@seen[-9 .. -1]\\n";
"""
FUNCTION = "def f():\n"
TEST = "\ndef test_it():\n    assert f() == 3\n"
LONGEST, LONG, MIDDLE = "1_000_000", "5_000", "10_000"
SLOW_COMMAND = "sleep 0.2; ! grep -q 'a99 = 2' prog.py"
SLOW_TEST = "#!/bin/sh\nsleep 0.2\ngrep -q 'line 7$' input.txt && grep -q 'line 99$' input.txt\n"


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


FILES = {
    "sleeper.py": SLEEPER,
    "longest.py": LOOP.replace("ROUNDS", LONGEST),
    "long.py": LOOP.replace("ROUNDS", LONG),
    "middle.py": LOOP.replace("ROUNDS", MIDDLE),
    "causes.py": CAUSES,
    "test_sleeper.py": FUNCTION + indented(SLEEPER) + TEST,
    "test_import.py": SLEEPER + FUNCTION + "    return 2\n" + TEST,
    "test_middle.py": FUNCTION + indented(LOOP.replace("ROUNDS", MIDDLE)) + TEST,
    "test_long.py": FUNCTION
    + indented(LOOP.replace("ROUNDS", LONG))
    + "    return sum(seen)\n"
    + TEST,
    "sleeper.pl": SLEEPER_IN_PERL,
    "longest.pl": LOOP_IN_PERL.replace("ROUNDS", LONGEST),
    "long.pl": LOOP_IN_PERL.replace("ROUNDS", "20_000"),
    "good/prog.py": "".join(f"a{n} = 1\n" for n in range(600)),
    "bad/prog.py": "".join(f"a{n} = {1 + n % 2}\n" for n in range(600)),
    "input.txt": "".join(f"line {n}\n" for n in range(3000)),
    "sleeper.sh": "#!/bin/sh\nsleep 600\n",
    "slow.sh": SLOW_TEST,
}
PROGRAMS_IN_C = {
    "sleeper": SLEEPER_IN_C,
    "longest": LOOP_IN_C.replace("ROUNDS", LONGEST.replace("_", "")),
    "long": LOOP_IN_C.replace("ROUNDS", "3000"),
    "slow": LOOP_IN_C.replace("ROUNDS", "300"),  # each test takes gdb a while
}

SLEEPING = "sleep 600"
"""The phase has begun when there is such a process; others are named on the terminal."""
RECORDING, SEARCHING = "recording the program", " tests/s"

ROWS = {
    "trace: running": (SLEEPING, "trace sleeper.py --check stdout"),
    "trace: recording": (RECORDING, "trace longest.py --check stdout --timeout 100"),
    "trace: searching": (SEARCHING, "trace long.py"),
    "trace: searching, two jobs": (SEARCHING, "trace long.py --jobs 2"),
    "trace: pytest, collecting": (SLEEPING, "trace -m pytest test_import.py"),
    "trace: pytest, testing": (SLEEPING, "trace -m pytest test_sleeper.py"),
    "trace: pytest, searching": (SEARCHING, "trace -m pytest test_long.py"),
    "suspects: collecting": (SLEEPING, "suspects -m pytest test_import.py"),
    "suspects: testing": (SLEEPING, "suspects -m pytest test_sleeper.py"),
    "suspects: running": (SLEEPING, "suspects --expect 3 sleeper.py"),
    "suspects: searching": (SEARCHING, "suspects --expect 3 long.py"),
    "causes: running": (SLEEPING, "causes sleeper.py --fail 7 --pass 3"),
    "causes: searching": (SEARCHING, "causes causes.py --fail 7 --pass 3"),
    "changes: testing": (SLEEPING, "changes good bad --test", "sleep 600; exit 1"),
    "changes: building": (SLEEPING, "changes good bad --test false --build", "sleep 600; exit 1"),
    "changes: searching": (SEARCHING, "changes good bad --test", SLOW_COMMAND),
    "input: running": (SLEEPING, "input input.txt --test ./sleeper.sh"),
    "input: searching": (SEARCHING, "input input.txt --test ./slow.sh"),
    "input: two jobs": (SEARCHING, "input input.txt --test ./slow.sh --jobs 2"),
    "why: running": (SLEEPING, "why sleeper.py --check stdout"),
    "why: recording": (RECORDING, "why longest.py --check stdout --timeout 100"),
    "why: searching": (SEARCHING, "why middle.py --check stdout"),
    "why: collecting": (SLEEPING, "why -m pytest test_import.py"),
    "why: testing": (SLEEPING, "why -m pytest test_sleeper.py"),
    "why: a test, searching": (SEARCHING, "why -m pytest test_middle.py"),
    "why: native, running": (SLEEPING, "why ./sleeper --check stdout"),
    "why: native, searching": (SEARCHING, "why ./slow --check stdout"),
    "why: Perl, running": (SLEEPING, "why sleeper.pl --check stdout"),
    "why: Perl, searching": (SEARCHING, "why long.pl --check stdout"),
    "trace: Perl, running": (SLEEPING, "trace sleeper.pl --check stdout"),
    "trace: Perl, recording": (RECORDING, "trace longest.pl --check stdout"),
    "trace: Perl, searching": (SEARCHING, "trace long.pl --check stdout"),
    "verify: running": (SLEEPING, "verify --yes sleeper.json"),
    "verify: replaying": (SEARCHING, "verify --yes long.json"),
    **{
        f"trace: {engine}, {phase}": (seen, f"trace {name} --engine {engine}")
        for engine in ("gdb", "ptrace")
        for phase, seen, name in (
            ("running", SLEEPING, "./sleeper --check stdout"),
            ("recording", RECORDING, "./longest --check stdout"),
            ("searching", SEARCHING, "./slow" if engine == "gdb" else "./long"),
        )
    },
}


def words(row: str) -> list[str]:
    _, command, *more = ROWS[row]
    return [*command.split(), *more]


def needed(row: str) -> list[pytest.MarkDecorator]:
    command = ROWS[row][1]
    if ".pl" in command:
        return [needs_perl]
    return [needs_gdb, needs_cc] if " ./sl" in command or " ./lo" in command else []


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    room = Room(tmp_path_factory.mktemp("files"))
    for name, text in FILES.items():
        room.file(name, text)
    for name in ("sleeper.sh", "slow.sh"):
        (room.work / name).chmod(0o755)
    if shutil.which("cc"):
        for name, text in PROGRAMS_IN_C.items():
            source = room.file(f"{name}.c", text)
            subprocess.run(
                ["cc", "-O0", "-g", "-o", source.with_suffix(""), source.name],
                cwd=room.work, check=True,
            )  # fmt: skip
    for name, text in (("long", FILES["long.py"]), ("sleeper", "print('on')\n")):
        room.program(text, f"{name}.py")
        save = "--json", f"{name}.json", "--max-tests", "3", "-q"
        run = room.stripe("trace", f"{name}.py", *save, writes=(f"{name}.json",))
        assert run.status == 0, run
    room.program(SLEEPER, "sleeper.py")
    return room.work


@pytest.fixture
def ready(room: Room, files: Path) -> Room:
    if not why_no_perl():  # to compile it takes longer than all else
        built = built_runtime(find_perl())
        shutil.copytree(built, room.caches / built.relative_to(os.environ["XDG_CACHE_HOME"]))
    for each in files.iterdir():
        if each.suffix != ".json":
            shutil.copytree(each, room.work / each.name) if each.is_dir() else shutil.copy2(
                each, room.work
            )
        else:  # a result says where its program runs
            room.file(each.name, each.read_text().replace(str(files), str(room.work)))
    return room


@pytest.mark.parametrize("row", [pytest.param(row, marks=needed(row)) for row in ROWS])
def test_the_time_limit(ready: Room, row: str) -> None:
    verb, *rest = words(row)
    seconds = SEARCH_SECONDS if ROWS[row][0] == SEARCHING else LIMIT_SECONDS
    began = time.monotonic()
    answer = ("--output", str(ready.elsewhere / "answer")) if verb in ("changes", "input") else ()
    run = ready.stripe(verb, "--max-time", seconds, *answer, *rest)
    assert time.monotonic() - began < float(seconds) + GRACE_SECONDS, run
    if "[out-of-time]" in run.err:
        assert run.status == 1, run
        assert f"The {seconds} seconds of --max-time" in run.err
        assert "--max-time S" in run.err
        return
    told = run.out + run.err
    # A fast machine is done before, and a test that hangs is a failure.
    ends = (
        "time limit was reached", "(max-time)", "1-minimal      yes", "[no-suspects]",
        "time was over before it had an answer", "no time was left for it", "how sure",
    )  # fmt: skip
    assert any(each in told for each in ends), run


def row_and_signal() -> Iterator[object]:
    """Both signals come to one handler: rows have them in turns, and the first one has both."""
    first, *_ = ROWS
    for place, row in enumerate([first, *ROWS]):
        number = (signal.SIGTERM, signal.SIGINT)[place % 2]
        yield pytest.param(row, number, marks=needed(row))


@pytest.mark.parametrize(("row", "number"), list(row_and_signal()))
def test_a_signal(ready: Room, row: str, number: signal.Signals) -> None:
    phase, *_ = ROWS[row]
    with terminal() as (their, said):
        verb, *rest = words(row)
        patience = ("--max-time", "600") if verb == "why" else ()
        process = ready.start(verb, *patience, *rest, stderr=their)
        with ready.never_outlived_by(process):
            wait_until(
                lambda: begun(ready, phase, said) or process.poll() is not None,
                said,
            )
            assert process.poll() is None, said()
            process.send_signal(number)
            process.communicate(timeout=GRACE_SECONDS)
        assert process.returncode == (130 if number == signal.SIGINT else 128 + number), said()
    assert "Traceback" not in said()
    ready.must_be_clean()


def begun(room: Room, phase: str, said: Callable[[], str]) -> bool:
    if phase != SLEEPING:
        return phase in said()
    return any(each.partition(" ")[2].strip() == phase for each in room.processes())


@contextmanager
def terminal() -> Iterator[tuple[int, Callable[[], str]]]:
    """A terminal to write to, and what was written there so far."""
    ours, theirs = pty.openpty()
    os.set_blocking(ours, False)
    found = bytearray()

    def said() -> str:
        while True:
            try:
                found.extend(os.read(ours, 1 << 16))
            except OSError:
                return found.decode(errors="replace")

    try:
        yield theirs, said
    finally:
        os.close(theirs)
        os.close(ours)
