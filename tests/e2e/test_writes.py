"""What the command writes harms nothing: no input, no other output, no file of the user's."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.harness import Room, command
from tests.e2e.test_harm import SLOW, start_search
from tests.e2e.test_input import GREP, script, start
from tests.support.patience import PATIENCE, wait_until

PROGRAM = "a = 1\nb = 2\nprint(a)\n"


@pytest.fixture
def program(room: Room) -> str:
    """A program, and other names of it."""
    room.program(PROGRAM, "p.py")
    os.link(room.work / "p.py", room.work / "hard.py")
    (room.work / "soft.py").symlink_to("p.py")
    return "p.py"


@pytest.mark.parametrize(
    ("option", "name"),
    [("--json", "p.py"), ("--html", "./p.py"), ("--sarif", "hard.py"), ("--json", "soft.py")],
)
def test_the_program_is_not_overwritten(room: Room, program: str, option: str, name: str) -> None:
    run = room.stripe("trace", "--force", option, name, program)
    run.refused("output-is-input", "the program", name, status=2)


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--json", "in.txt", "--stdin", "in.txt", "p.py"], "the input"),
        (["--json", "in.txt", "p.py", "in.txt"], "an argument"),
        (["--json", "in.txt", "p.py", "--", "--data=in.txt"], "an argument"),
        (["--json", "check.sh", "--check", "cmd:sh check.sh", "p.py"], "the check"),
        (["--json", "p.py", "-m", "p"], "the module"),
        (["--html", "helper.py", "--check", "var:x@helper.py:1", "p.py"], "the check"),
    ],
)
def test_nothing_else_that_is_read_is_overwritten(
    room: Room, program: str, words: list[str], what: str
) -> None:
    for name in ("in.txt", "check.sh", "helper.py"):
        room.file(name, "x = 1\n")
    room.stripe("trace", "--force", *words).refused("output-is-input", what, status=2)


def test_standard_input_is_not_overwritten(room: Room, program: str) -> None:
    path = room.file("in.txt", "x\n")
    with path.open("rb") as stdin:
        process = room.start("trace", "--force", "--json", "in.txt", program, stdin=stdin)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert b"[output-is-input]" in err
    assert path.read_text() == "x\n"


def test_a_module_of_the_program_is_not_overwritten(room: Room) -> None:
    """Only the run shows that it is one; even then the result is not lost."""
    room.program("import helper\nprint(helper.x)\n", "p.py")
    helper = room.file("helper.py", "x = 1\n")
    run = room.stripe("trace", "--force", "--json", "helper.py", "p.py", writes=("helper-2.py",))
    assert run.status == 0
    assert "'helper-2.py'" in run.err
    assert helper.read_text() == "x = 1\n"
    assert room.result(room.work / "helper-2.py")["format"] == "stripe-result"


def test_outputs_do_not_collide(room: Room, program: str) -> None:
    run = room.stripe("trace", "--json", "x", "--html", "./x", program)
    run.refused("outputs-collide", "--json", "--html", status=2)


def test_what_is_there_is_kept(room: Room, program: str) -> None:
    notes = room.file("notes", "mine\n")
    run = room.stripe("trace", program, "--json", "notes", "--input", "")
    run.refused("output-exists", "--force", status=2)
    run = room.stripe("trace", program, "--json", "notes", "--force", writes=("notes",))
    assert run.status == 0
    assert room.result(notes)["format"] == "stripe-result"
    # From now on it is ours.
    run = room.stripe("trace", program, "--json", "notes", writes=("notes",))
    assert run.status == 0


def test_a_full_disk_loses_nothing(room: Room, program: str) -> None:
    process = room.start("trace", program, "--json", "/dev/full", "--html", "page.html")
    with room.never_outlived_by(process):
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert b"1-minimal" in out
    assert b"No space left on device. [cannot-write]" in err
    (kept,) = room.tmp.iterdir()
    assert str(kept).encode() in err
    assert room.result(kept / "answer")["format"] == "stripe-result"
    assert (room.work / "page.html").exists()


def test_a_full_standard_output_is_told(room: Room, program: str) -> None:
    with open("/dev/full", "wb") as stdout:
        process = room.start("trace", program, stdout=stdout)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert b"Standard output cannot be written: No space left on device. [cannot-write]" in err
    (kept,) = room.tmp.iterdir()
    assert str(kept).encode() in err
    assert room.result(kept / "result.json")["format"] == "stripe-result"


# --- show, verify


def test_show_and_verify_overwrite_nothing(room: Room, program: str) -> None:
    room.file("r.json", room.trace(program).out)
    for verb, option in (("show", "--html"), ("show", "--json"), ("verify", "--json")):
        for name in ("r.json", "./r.json", "p.py", "soft.py"):
            run = room.stripe(verb, "r.json", option, name, "--force")
            run.refused("output-is-input", name, status=2)


# --- input


@pytest.fixture
def text(room: Room) -> str:
    room.file("s.txt", "one\nculprit\nthree\n")
    room.file("p.txt", "one\n")
    script(room, GREP)
    os.link(room.work / "s.txt", room.work / "hard.txt")
    (room.work / "soft.txt").symlink_to("s.txt")
    return "s.txt"


@pytest.mark.parametrize(
    ("option", "name", "what"),
    [("--json", "s.txt", "the input"), ("--output", "hard.txt", "the input"),
     ("--json", "soft.txt", "the input"), ("--output", "test.sh", "the test script")],
)  # fmt: skip
def test_input_overwrites_nothing_it_reads(
    room: Room, text: str, option: str, name: str, what: str
) -> None:
    run = room.stripe("input", text, "--force", option, name, "--test", "./test.sh")
    run.refused("output-is-input", what, status=2)


def test_input_overwrites_no_other_input(room: Room, text: str) -> None:
    run = room.stripe("input", text, "--force", "--mode", "max", "--passing", "p.txt",
                      "--output", "p.txt", "--test", "./test.sh")  # fmt: skip
    run.refused("output-is-input", "the input that passes", status=2)
    run = room.stripe("input", text, "--force", "--output", "p.txt", "--", "cat", "@@", "p.txt")
    run.refused("output-is-input", "an argument", status=2)


@pytest.mark.parametrize("names", [("x", "./x"), ("-", "/dev/stdout")])
def test_the_outputs_of_input_do_not_collide(room: Room, text: str, names: tuple[str, str]) -> None:
    run = room.stripe("input", text, "--json", names[0], "--output", names[1],
                      "--test", "./test.sh")  # fmt: skip
    run.refused("outputs-collide", status=2)


def test_a_users_file_of_the_default_name_is_kept(room: Room, text: str) -> None:
    mine = room.file("s.reduced.txt", "mine\n")
    run = room.stripe("input", text, "--test", "./test.sh", "--units", "lines",
                      writes=("s.reduced-2.txt",))  # fmt: skip
    assert run.status == 0
    assert "'s.reduced-2.txt'" in run.err
    assert "s.reduced-2.txt" in run.out
    assert mine.read_text() == "mine\n"
    assert (room.work / "s.reduced-2.txt").read_text() == "culprit\n"
    run = room.stripe("input", text, "--output", "s.reduced.txt", "--test", "./test.sh")
    run.refused("output-exists", "--force", status=2)


def test_the_answer_goes_to_standard_output(room: Room, text: str) -> None:
    run = room.stripe("input", text, "--test", "./test.sh", "--units", "lines", "--output", "-")
    assert (run.status, run.out, run.err) == (0, "culprit\n", "")


def test_an_answer_whose_folder_has_gone_is_kept_elsewhere(room: Room, text: str) -> None:
    folder = room.elsewhere / "gone"
    folder.mkdir()
    away = script(room, f"#!/bin/sh\nrm -rf {folder}\n{GREP[10:]}", "away.sh")
    # In a sandbox it could not remove it.
    room.environment["STRIPE_SANDBOX_LAYER"] = "none"
    process = room.start(
        "input", text, "--test", away, "--unsafe", "--output", str(folder / "answer")
    )
    with room.never_outlived_by(process):
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert b"[cannot-write]" in err
    (kept,) = room.tmp.iterdir()
    assert (kept / "answer").read_text() == "culprit"
    assert str(kept / "answer").encode() in err
    assert str(kept / "answer").encode() in out


# --- signals


def result_after(process: subprocess.Popen[bytes], path: Path) -> dict[str, object]:
    process.communicate(timeout=PATIENCE)
    data = json.loads(path.read_text())
    assert isinstance(data, dict)
    return data


@pytest.mark.parametrize("numbers", [[signal.SIGHUP], [signal.SIGTERM] * 2, [signal.SIGINT] * 5])
def test_trace_writes_the_best_so_far(room: Room, numbers: list[signal.Signals]) -> None:
    process = start_search(room, "--json", "out.json", "--html", "out.html")
    with room.never_outlived_by(process):
        for number in numbers:
            os.killpg(process.pid, number)
        data = result_after(process, room.work / "out.json")
    assert process.returncode == (130 if numbers[0] is signal.SIGINT else 128 + numbers[0])
    assert data["format"] == "stripe-result"
    assert "Traceback" not in (room.elsewhere / "err").read_text()
    assert "<html" in (room.work / "out.html").read_text()
    room.must_be_clean()


def interrupt_until_it_ends(process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)
        try:
            process.wait(0.3)
        except subprocess.TimeoutExpired:
            continue


def test_a_later_ctrl_c_writes_it_too(room: Room) -> None:
    process = start_search(room, "--json", "out.json", "--timeout", "60", "--jobs", "2")
    with room.never_outlived_by(process):
        interrupt_until_it_ends(process)
        data = result_after(process, room.work / "out.json")
    assert process.returncode == 130
    assert data["format"] == "stripe-result"
    room.must_be_clean()


@pytest.mark.skipif(shutil.which("timeout") is None, reason="needs timeout of coreutils")
def test_timeout_leaves_the_best_so_far(room: Room) -> None:
    """It sends its signal to the command, and to the whole group at the same time."""
    process = start_search(room, "--json", "out.json", words=["timeout", "600", *command()])
    with room.never_outlived_by(process):
        process.send_signal(signal.SIGTERM)  # does what it does when the time is over
        data = result_after(process, room.work / "out.json")
    assert process.returncode == 128 + signal.SIGTERM
    assert data["format"] == "stripe-result"
    room.must_be_clean()


@pytest.mark.parametrize("ended", [False, True])
def test_signals_that_were_ignored_at_the_start_stay_so(room: Room, ended: bool) -> None:
    """A shell starts jobs in the background with SIGINT ignored, ``nohup`` with SIGHUP."""
    words = [sys.executable, "-c", IGNORING, *command()]
    process = start_search(room, "--json", "out.json", words=words)
    with room.never_outlived_by(process):
        for number in [signal.SIGINT, signal.SIGHUP] + [signal.SIGTERM] * ended:
            os.killpg(process.pid, number)
        data = result_after(process, room.work / "out.json")
    assert process.returncode == (128 + signal.SIGTERM if ended else 0)
    assert data["format"] == "stripe-result"
    room.must_be_clean()


IGNORING = """
import os, signal, sys
for number in (signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])
"""


def test_verify_writes_what_it_knows(room: Room) -> None:
    room.program(SLOW)
    found = room.stripe("trace", "prog.py", "--max-tests", "4", "--json", "r.json",
                        writes=("r.json",))  # fmt: skip
    assert found.status == 0
    err = (room.elsewhere / "err").open("wb")
    process = room.start("verify", "--yes", "r.json", "-v", "--json", "v.json", stderr=err)
    err.close()
    said = room.elsewhere / "err"
    with room.never_outlived_by(process):
        wait_until(lambda: b" events" in said.read_bytes() or process.poll() is not None)
        os.killpg(process.pid, signal.SIGTERM)
        data = result_after(process, room.work / "v.json")
    assert process.returncode == 128 + signal.SIGTERM
    assert data["interrupted"] is True


@pytest.mark.parametrize("numbers", [[signal.SIGTERM], [signal.SIGINT] * 2])
def test_input_writes_the_best_so_far(room: Room, numbers: list[signal.Signals]) -> None:
    process = start(room, "--json", "out.json")
    with room.never_outlived_by(process):
        for number in numbers:
            os.killpg(process.pid, number)
        data = result_after(process, room.work / "out.json")
    assert process.returncode == (130 if numbers[0] is signal.SIGINT else 128 + numbers[0])
    assert data["stopped"] == "stopped"
    answer = (room.work / "in.reduced.txt").read_text()
    assert "culprit" in answer
    assert data["failing"] == {"text": answer}
    room.must_be_clean()


def test_a_later_ctrl_c_cuts_off_a_test_of_input(room: Room) -> None:
    process = start(room, "--json", "out.json", seconds="2")
    with room.never_outlived_by(process):
        interrupt_until_it_ends(process)
        data = result_after(process, room.work / "out.json")
    assert process.returncode == 130
    assert data["verified"] is None
    assert data["failing"] == {"text": (room.work / "in.reduced.txt").read_text()}
    room.must_be_clean()
