"""What cannot work is refused in one paragraph: what happened, why, what to do next."""

from __future__ import annotations

import pty
import shutil
import subprocess
from pathlib import Path

import pytest

from stripe.sandbox.layers import refused
from stripe.sandbox.walls import VARIABLE, Layer
from tests.e2e.harness import Room
from tests.support.patience import PATIENCE


def test_a_missing_file(room: Room) -> None:
    run = room.stripe("trace", "nowhere.py")
    run.refused("no-such-program", "There is no file 'nowhere.py'", "-m MODULE", status=2)


def test_a_folder(room: Room) -> None:
    room.file("package/__main__.py", "print(1)\n")
    run = room.stripe("trace", "package")
    run.refused("no-such-program", "'package' is a folder", "stripe trace -m PACKAGE", status=2)


def test_a_module_that_does_not_exist(room: Room) -> None:
    run = room.stripe("trace", "-m", "no_such_module")
    run.refused("no-such-program", "No module named no_such_module", status=2)


def test_a_syntax_error_in_the_program(room: Room) -> None:
    room.program("x = 1\nprint(x\n")
    run = room.stripe("trace", "prog.py")
    run.refused("syntax-error", "line 2", "'(' was never closed", status=2)


def test_a_syntax_error_in_a_module_it_imports_is_a_crash_like_others(room: Room) -> None:
    room.program("x = 1\nprint(x\n", "broken.py")
    room.program("y = 2\nimport broken\n")
    assert room.trace("prog.py").lines(file="prog.py") == [2]


def test_an_interpreter_too_old_says_which_were_found(room: Room) -> None:
    old = room.elsewhere / "python3.11"
    old.write_text(
        "#!/bin/sh\n"
        'echo; echo \'stripe-interpreter:{"version": [3, 11, 2], "implementation": "cpython"}\''
    )
    old.chmod(0o755)
    room.program("print(1)\n")
    run = room.stripe("trace", "prog.py", "--python", str(old))
    run.refused(
        "interpreter-too-old", "is Python 3.11.2", "sys.monitoring", "3.12", "--python", status=2
    )


@pytest.mark.skipif(shutil.which("python3.11", path="/usr/bin") is None, reason="no python3.11")
def test_a_real_interpreter_too_old(room: Room) -> None:
    room.program("print(1)\n")
    run = room.stripe("trace", "prog.py", "--python", "/usr/bin/python3.11")
    run.refused("interpreter-too-old", "is Python 3.11", status=2)


def test_an_interpreter_that_is_none(room: Room) -> None:
    room.program("print(1)\n")
    run = room.stripe("trace", "prog.py", "--python", "no-such-python")
    run.refused("no-interpreter", "'no-such-python'", "--python", status=2)


@pytest.mark.parametrize(
    ("check", "slug", "words"),
    [
        ("stdout:/^zzz/", "never-matches", ("no line of standard output", "first line is 'one'")),
        ("file:out.txt", "no-file", ("no readable file 'out.txt'", "relative")),
        ("var:y@prog.py:1", "never-reached", ("'y' had no value there",)),
        ("cmd:grep two $STRIPE_STDOUT", "never-matches", ("exited with status 1", "exit with 0")),
        ("cmd:no-such-command", "never-matches", ("was not found",)),
    ],
)
def test_a_criterion_that_never_matches(
    room: Room, check: str, slug: str, words: tuple[str, ...]
) -> None:
    room.program("x = 'one'\nprint(x)\n")
    room.stripe("trace", "prog.py", "--check", check).refused(slug, *words, status=1)


def test_no_output(room: Room) -> None:
    room.program("x = 1\n")
    run = room.stripe("trace", "prog.py")
    run.refused("no-output", "printed nothing", "--check var:NAME@FILE:LINE", status=1)


def test_an_empty_program(room: Room) -> None:
    room.program('"""A docstring."""\n')
    room.stripe("trace", "prog.py").refused("nothing-to-trace", "No statement", status=1)


def test_an_include_that_matches_nothing(room: Room) -> None:
    room.program("print(1)\n")
    run = room.stripe("trace", "prog.py", "--include", "prog.py", "--include", "other.py")
    run.refused("include-matches-nothing", "--include 'other.py'", "prog.py", status=2)


def test_a_nondeterministic_program(room: Room) -> None:
    room.program("import os\nprint(os.urandom(8))\n")
    run = room.stripe("trace", "prog.py")
    run.refused("nondeterministic", "line 1 of stdout is", "seed", status=1)


def test_the_advice_for_a_nondeterministic_program_works(room: Room) -> None:
    text = "import time\nprint(time.time_ns())\nprint('same')\n"
    room.program(text)
    run = room.stripe("trace", "prog.py", "--check", "stdout:/same/")
    run.refused("nondeterministic", "fix its clock", status=1)
    room.program(text.replace("\n", "; time.time_ns = lambda: 7\n", 1))
    assert room.trace("prog.py", "--check", "stdout:/same/").lines() == [3]


def test_hash_order_is_fixed(room: Room) -> None:
    room.program("print({'a', 'b', 'c', 'd'}, hash('text'))\n")
    assert room.trace("prog.py").lines() == [1]


def test_a_hash_seed_of_the_user_is_kept(room: Room) -> None:
    room.program("import os\nprint(os.environ['PYTHONHASHSEED'])\n")
    run = room.stripe(
        "trace", "prog.py", "--check", "stdout:/^42$/", environment={"PYTHONHASHSEED": "42"}
    )
    assert run.status == 0


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("while True: pass\n", ()),
        ("import time\ntime.sleep(600)\n", ()),
        ("while True: pass\n", ("--allow-network",)),
    ],
    ids=["busy", "asleep", "run once"],
)
def test_a_program_that_hangs(room: Room, text: str, more: tuple[str, ...]) -> None:
    room.program(text)
    run = room.stripe("trace", "prog.py", "--timeout", "1", *more)
    run.refused("program-hangs", "did not end within 1 second", "--timeout", "--input", status=1)


ASKS = {
    "input": "name = input('name? ')\nprint('hello', name)\n",
    "getpass": "import getpass\nprint(len(getpass.getpass()))\n",
}


@pytest.mark.parametrize("asks", ASKS.values(), ids=list(ASKS))
def test_a_program_that_asks_and_gets_nothing_is_told_of_input(room: Room, asks: str) -> None:
    room.program(asks)
    run = room.stripe("trace", "prog.py")
    assert "--input" in run.out + run.err


@pytest.mark.parametrize("asks", ASKS.values(), ids=list(ASKS))
def test_a_program_that_asks_gets_its_input(room: Room, asks: str) -> None:
    room.program(asks)
    run = room.trace("prog.py", "--input", "Ada\n", "--check", "stdout")
    assert run.lines() == [1, 2]


def test_a_program_that_needs_a_terminal_does_not_get_one(room: Room) -> None:
    room.program(
        "import sys\nif not sys.stdin.isatty():\n    sys.exit('needs a terminal')\nprint('menu')\n"
    )
    assert room.trace("prog.py", "--check", "exit+stderr").lines() == [1, 3]


def test_the_users_own_terminal_is_never_read(room: Room) -> None:
    """/dev/tty is the command's terminal, if it has one; the program has none."""
    room.program("try:\n    open('/dev/tty')\nexcept OSError:\n    print('no terminal')\n")
    parent, child = pty.openpty()
    with open(parent, "rb", buffering=0), open(child, "wb", buffering=0) as terminal:
        process = room.start("trace", "prog.py", stdin=terminal, stderr=subprocess.DEVNULL)
        with room.never_outlived_by(process):
            out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "no terminal" in out.decode()
    room.must_be_clean()


def test_killed_by_a_signal(room: Room) -> None:
    room.program("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n")
    run = room.stripe("trace", "prog.py")
    run.refused("killed", "SIGSEGV", status=1)


def test_a_directory_that_is_too_large(room: Room) -> None:
    """A sparse file: nothing is written, yet a copy would be large.  An overlay copies nothing."""
    if (why := refused(Layer.LANDLOCK)) is not None:
        pytest.skip(why)
    room.program("print(1)\n")
    with Path(room.work, "large").open("wb") as large:
        large.truncate(11 * 10**9)
    run = room.stripe("trace", "prog.py", environment={VARIABLE: Layer.LANDLOCK.value})
    Path(room.work, "large").unlink()
    run.refused("directory-too-large", "smaller", status=2)
