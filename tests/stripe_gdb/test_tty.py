"""Programs that insist on a terminal, through the real command."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.harness import Room
from tests.stripe_gdb.native import EXAMPLES, build, needs_cc, needs_gdb, recorded, sample

pytestmark = [needs_gdb, needs_cc]

SCRIPT = "< Name:\n> ada\n< PIN:\n> 1815\n< Amount:\n> 40"


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    shutil.copy(EXAMPLES / "vault.c", room.work)
    build(room.work / "vault.c", room.work, "-w", name="vault")
    yield room
    room.kill_all()


def test_prompts_are_answered_from_a_script(vault: Room) -> None:
    """As the sample says: what it asks for and reads is kept, its own checks are not."""
    first = (EXAMPLES / "vault.c").read_text().splitlines()[0]
    assert f"--tty --input {shlex.quote(SCRIPT)}".replace("'", "$'", 1).replace(
        "\n", "\\n"
    ) in first  # fmt: skip
    check = ("--tty", "--input", SCRIPT, "--check", "stdout:/^balance/")
    run = vault.trace("./vault", *check)
    assert run.lines() == [9, 14, 15, 16, 17, 20, 21, 22, 23, 24, 25]
    assert run.slice()["verified"]
    assert run.result["target"]["tty"]
    (vault.elsewhere / "result.json").write_text(run.out)
    again = vault.stripe("verify", "--yes", str(vault.elsewhere / "result.json"))
    assert again.status == 0, again


def test_words_that_need_a_shell_leave_it_the_terminal(tmp_path: Path) -> None:
    text = (
        "#include <stdio.h>\n#include <unistd.h>\nint main(int count, char **words)\n{\n"
        "    puts(words[1]);\n    return isatty(0) && isatty(1) ? 7 : 0;\n}\n"
    )
    program = build(text, tmp_path)
    with recorded(program, "two words", tty=True) as recording:
        for run in (recording.plain, recording.recorded):
            assert (run.status, run.stdout) == (7, b"two words\n")


def test_without_a_terminal_it_does_nothing(vault: Room) -> None:
    run = vault.trace("./vault", "--check", "exit")
    assert run.lines() == [12]


def test_a_prompt_that_never_comes(vault: Room) -> None:
    # It is known when the program waits for input, long before time is up.
    late = ("--timeout", "1000")
    run = vault.stripe("trace", "--tty", "--input", "< Nmae:\n> ada", *late, "./vault")
    run.refused("tty-script-not-followed", "'Nmae:'", "Name: ", status=2)


def test_input_that_is_no_script(vault: Room) -> None:
    run = vault.stripe("trace", "--tty", "--input", "ada", "./vault")
    run.refused("bad-tty-script", "Line 1", "'> '", status=2)


def test_python_programs_get_no_terminal(vault: Room) -> None:
    vault.program("print(input())")
    run = vault.stripe("trace", "--tty", "--input", "> ada", "prog.py")
    run.refused("no-backend", "no terminal", status=2)


RAW = sample("tty/raw.c")


@pytest.mark.parametrize("wait", ["", "poll(&input, 1, -1) > 0 &&"])
def test_raw_mode(wait: str, tmp_path: Path) -> None:
    """The return key sends a carriage return, and where ^D is a character the input ends too."""
    program = build(RAW.replace("WAIT", wait), tmp_path)
    script = b"< name>\n> ada\n< hello"
    with recorded(program, tty=True, stdin=script) as recording:
        assert recording.plain.stdout == recording.recorded.stdout == b"name> hello ada\n"
    with recorded(program, tty=True) as recording:
        assert recording.plain.stdout == b"name> hello \x04\n"


def test_a_program_that_does_not_mind_the_end_of_its_input(tmp_path: Path) -> None:
    room = Room(tmp_path)
    endless = RAW.replace("WAIT read(0, &c, 1) == 1 &&", "read(0, &c, 1) < 1 ||")
    build(endless, room.work)
    run = room.stripe("trace", "--tty", "--timeout", "1000", "./prog")
    run.refused("tty-input-ended", "25 times", "name> ", status=2)
