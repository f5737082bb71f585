"""``stripe input --units python`` through the real command."""

from __future__ import annotations

import signal
import sys

from tests.e2e.harness import Room, Run
from tests.support.patience import PATIENCE, wait_until

CRASH = '''\
"""Marks of a class, and what they come to."""

import sys  # not needed

LIMIT = 3


class Table:
    """Names and marks."""

    def __init__(self, rows, *, title="marks"):
        self.rows = rows
        self.title = title

    def average(self, name):
        # The mistake: a name without marks.
        marks = [mark for other, mark in self.rows if other == name and mark < 7]
        total = 0
        for mark in marks:
            total += mark
        if total > LIMIT and marks:
            return total // len(marks)
        else:
            return total / len(marks)


def report(table, names):
    for name in names:
        try:
            print(name, table.average(name))
        finally:
            sys.stdout.flush()


report(Table([("ann", 1), ("bob", 2)]), ["ann", "bob", "cid"])
'''

SMALL = """\
import sys  # not needed


def average(marks):
    if len(marks) > 3 and marks:
        return sum(marks) // len(marks)
    else:
        return sum(marks) / len(marks)


print(average([1, 2]))
print(average([]))
"""


def answer(run: Run, status: int = 0) -> str:
    assert run.status == status, run
    text = run.result["failing"]["text"]
    assert isinstance(text, str)
    return text


def reduce(room: Room, *options: str, command: bool = True, program: str = CRASH) -> Run:
    room.file("crash.py", program)
    run = ("--", sys.executable, "-I", "-S", "@@") if command else ()
    return room.stripe("input", "crash.py", *options, "--json", "-", *run,
                       writes=("crash.reduced.py",))  # fmt: skip


def test_a_crash_and_its_traceback(room: Room) -> None:
    run = reduce(room, "--jobs", "2", program=SMALL)
    assert answer(run) == "def average():\n    return 0 / 0\naverage()\n"
    assert run.result["failure"]["answer"] == run.result["failure"]["original"]
    assert "ZeroDivisionError in average at crash.py" in run.result["failure"]["original"]
    assert run.result["units"] == "python"  # chosen by --units auto
    assert run.result["certified"] is True
    assert run.result["notes"] == []
    assert {"statements", "lines", "deletion"} < {level["units"] for level in run.result["levels"]}


LEAST = "for name in None:\n    None.average\n"
GREP = "#!/bin/sh\ngrep -q 'average' crash.py && grep -q 'for' crash.py\n"


def script(room: Room, text: str = GREP) -> str:
    room.file("test.sh", text).chmod(0o755)
    return "./test.sh"


def test_the_report_names_what_was_certified(room: Room) -> None:
    room.file("crash.py", CRASH)
    run = room.stripe("input", "crash.py", "--units", "python", "--test", script(room),
                      writes=("crash.reduced.py",))  # fmt: skip
    assert run.status == 0, run
    assert "1-minimal      yes, in lines and syntax" in run.out
    assert (room.work / "crash.reduced.py").read_text() == LEAST


def test_any_number_of_jobs_gives_the_same_and_what_is_tested_compiles(room: Room) -> None:
    log = room.elsewhere / "tested"
    log.mkdir()
    keep = f'cp crash.py {log}/"$(cksum < crash.py | tr " " -)".py\n'
    test = script(room, "#!/bin/sh\n" + keep + GREP[10:])
    room.environment["STRIPE_SANDBOX_LAYER"] = "none"  # or there would be no copies
    alone = reduce(room, "--test", test, "--unsafe", command=False)
    del room.environment["STRIPE_SANDBOX_LAYER"]
    candidates = list(log.iterdir())
    assert len(candidates) > 20
    for candidate in candidates:
        compile(candidate.read_bytes(), "<candidate>", "exec")
    together = reduce(room, "--test", test, "--jobs", "3", command=False)
    assert answer(together) == answer(alone) == LEAST
    for name in ("tests", "levels", "certified"):
        assert together.result[name] == alone.result[name]


def test_with_characters_afterwards(room: Room) -> None:
    run = reduce(room, "--units", "python,chars", "--test", script(room), command=False)
    assert answer(run) in ("averagefor", "foraverage")
    assert run.result["units"] == "chars"
    assert run.result["certified"] is True


def test_budgets_and_going_on(room: Room) -> None:
    test = script(room)
    whole = reduce(room, "--test", test, command=False)
    first = reduce(room, "--test", test, "--max-tests", "20", command=False)
    assert first.result["certified"] is False
    assert "--resume" in first.err
    assert len(answer(first)) < len(CRASH)
    second = reduce(room, "--test", test, "--resume", command=False)
    assert answer(second) == answer(whole)
    executed = [run.result["tests"]["executed"] for run in (first, second, whole)]
    # What was tested before is not tested again, but for the certificate.
    assert executed[0] + executed[1] > executed[2] > executed[1]


def test_killed_and_resumed(room: Room) -> None:
    room.file("crash.py", CRASH)
    arguments = ("input", "crash.py", "--test", script(room, GREP + "s=$?; sleep 0.02; exit $s\n"))
    process = room.start(*arguments, "-v")
    with room.never_outlived_by(process):
        wait_until(lambda: (room.work / "crash.reduced.py").exists())
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=PATIENCE)
    wait_until(lambda: not room.processes())
    wait_until(lambda: not list(room.tmp.iterdir()))
    assert "average" in (room.work / "crash.reduced.py").read_text()
    run = room.stripe(*arguments, "--resume", "--json", "-", writes=("crash.reduced.py",))
    assert answer(run) == LEAST
    assert run.result["tests"]["resumed"] > 0


def test_a_program_that_needs_its_comments(room: Room) -> None:
    run = reduce(room, "--units", "python", "--test",
                 script(room, "#!/bin/sh\ngrep -q mistake: crash.py\n"), command=False)  # fmt: skip
    assert "# The mistake" in answer(run)
    assert len(answer(run).splitlines()) == 3
    assert run.result["units"] == "lines"
    assert "Only lines" in run.result["notes"][0]


def test_what_is_no_python(room: Room) -> None:
    room.file("crash.py", "def f(:\n    average\n    for\n")
    run = room.stripe("input", "crash.py", "--test", script(room), "--json", "-",
                      writes=("crash.reduced.py",))  # fmt: skip
    assert run.result["units"] == "chars"  # auto
    run = room.stripe("input", "crash.py", "--units", "python", "--test", script(room), "--json",
                      "-", writes=("crash.reduced.py",))  # fmt: skip
    assert answer(run) == "    average\n    for\n"
    assert run.result["units"] == "lines"


def test_no_difference_between_trees(room: Room) -> None:
    room.file("crash.py", CRASH)
    run = room.stripe("input", "crash.py", "--units", "python", "--mode", "diff", "--test",
                      script(room))  # fmt: skip
    run.refused("no-trees", "--units", status=2)
    run = room.stripe("input", "crash.py", "--mode", "diff", "--test", script(room), "--json", "-",
                      writes=("crash.failing.py", "crash.passing.py"))  # fmt: skip
    assert run.result["units"] == "chars"  # chosen by --units auto
    assert run.result["certified"] is True
