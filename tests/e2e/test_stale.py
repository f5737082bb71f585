"""Whatever a run read may change between a search that ended early and its resumption: then what
the search before found out is not used.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.harness import Room

PROGRAM = """\
import os
import excluded
import library
first = open("data.txt").read()
second = open(os.environ["OUTSIDE"]).read()
third = os.environ.get("THIRD")
total = 0
for number in range(4):
    total = total + 1
print(total)
"""
LINES = [7, 8, 9, 10]


class Scene:
    """A search, and all that it rests on; nothing of that shows in what the recorded run does."""

    def __init__(self, room: Room) -> None:
        self.room = room
        room.program(PROGRAM)
        self.data = room.file("data.txt", "1\n")
        self.module = room.file("excluded.py", "value = 1\n")
        self.script = room.file("check.sh", 'grep -q 4 "$STRIPE_STDOUT"\n')
        self.outside = room.elsewhere / "outside.txt"
        self.library = room.elsewhere / "site-packages" / "library.py"
        self.python = room.elsewhere / "python"
        self.library.parent.mkdir()
        self.outside.write_text("1\n")
        self.library.write_text("value = 1\n")
        for name in ("one", "two"):
            path = room.elsewhere / f"{name}.sh"
            path.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
            path.chmod(0o755)
        self.python.symlink_to("one.sh")
        self.environment = {
            "OUTSIDE": str(self.outside),
            "PYTHONPATH": str(self.library.parent),
            "THIRD": "1",
        }

    def trace(self, *options: str, **more: str) -> tuple[int, list[int], list[str]]:
        """Outcomes used again, lines of the slice, notes."""
        run = self.room.stripe(
            "trace", "prog.py", "--exclude", "excluded.py", "--python", str(self.python),
            "--check", "cmd:sh check.sh", "--algorithm", "ddmin", "--json", "-", *options,
            environment={**self.environment, **more},
        )  # fmt: skip
        assert run.status == 0, run
        assert run.slice()["certified"] or "--max-tests" in options
        return run.slice()["tests"]["resumed"], run.lines(), run.result["notes"]


@pytest.fixture
def scene(room: Room) -> Scene:
    return Scene(room)


def put_back(path: Path, text: str) -> None:
    """Change a file, and give it back its time of modification."""
    before = path.stat()
    path.write_text(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def retarget(link: Path, goal: str) -> None:
    link.unlink()
    link.symlink_to(goal)


CHANGES: dict[str, tuple[Callable[[Scene], object], str]] = {
    "data with its time put back": (lambda s: put_back(s.data, "3\n"), "data.txt changed"),
    "data outside": (lambda s: s.outside.write_text("2\n"), "outside.txt changed"),
    "the environment": (lambda s: s.environment.update(THIRD="2"), "THIRD changed"),
    "the script that judges": (
        lambda s: s.script.write_text('grep -q "^4" "$STRIPE_STDOUT"\n'), "check.sh changed"
    ),
    "the interpreter behind a link": (lambda s: retarget(s.python, "two.sh"), "python changed"),
    "a library": (lambda s: s.library.write_text("value = 2\n"), "library.py changed"),
    "a module that hides another": (
        lambda s: s.room.file("library.py", "value = 2\n"), "library.py is new"
    ),
}  # fmt: skip


def test_what_was_read_has_changed(scene: Scene) -> None:
    scene.trace("--max-tests", "1")
    # One after the other: what was found out before a change is in the journal at the next one.
    for change, (make, told) in CHANGES.items():
        make(scene)
        resumed, _, notes = scene.trace("--resume", "--max-tests", "1")
        assert resumed == 0, change
        assert [note for note in notes if "journal" in note and "of another run" in note], change
        if "hides" not in change:
            assert [note for note in notes if told in note], (change, notes)


def test_nothing_has_changed(scene: Scene) -> None:
    scene.trace("--max-tests", "12", SSH_TTY="/dev/pts/1")
    # Of no concern: a file nobody reads, the terminal, what we write ourselves.
    (scene.room.elsewhere / "other.txt").write_text("")
    resumed, lines, notes = scene.trace("--resume", SSH_TTY="/dev/pts/2")
    assert resumed > 0
    assert lines == LINES
    assert not [note for note in notes if "another run" in note]


def test_our_own_output_is_no_change(room: Room) -> None:
    # Whatever is imported, Python lists the folder of the program.
    room.program(
        "import other\ntotal = 0\nfor n in range(4):\n    total = total + 1\nprint(total)\n"
    )
    room.file("other.py", "")
    options = ("trace", "prog.py", "--algorithm", "ddmin", "--html", "page.html")
    room.stripe(*options, "--max-tests", "8", writes=("page.html",))
    run = room.stripe(*options, "--resume", "--json", "-", writes=("page.html",))
    assert run.slice()["tests"]["resumed"] > 0, run.result["notes"]


# --- stripe input

INPUT = "".join(f"line {number}\n" for number in range(30)) + "culprit\n"


def reduce(room: Room, *options: str) -> tuple[int, str, list[str]]:
    run = room.stripe("input", "in.txt", "--json", "-", *options, writes=("in.reduced.txt",))
    assert run.status == 0, run
    result = run.result
    return result["tests"]["resumed"], result["failing"]["text"], result["notes"]


def executable(path: Path, text: str) -> str:
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("changed", ["test.sh", "pattern", "helper.sh", ""])
def test_what_the_test_of_an_input_reads(room: Room, changed: str) -> None:
    room.file("in.txt", INPUT)
    place = room.elsewhere
    (place / "pattern").write_text("culprit\n")
    executable(place / "helper.sh", f'#!/bin/sh\ngrep -q -f {place}/pattern "$1"\n')
    script = executable(place / "test.sh", f'#!/bin/sh\n{place}/helper.sh "$1"\n')
    reduce(room, "--test", script, "--max-tests", "12")
    if changed:
        text = (place / changed).read_text()
        (place / changed).write_text(
            text.replace("culprit", "culp") + "\n" * (changed[-2:] == "sh")
        )
    resumed, failing, notes = reduce(room, "--test", script, "--resume")
    if changed:
        assert resumed == 0
        assert failing == ("culp" if changed == "pattern" else "culprit")
        assert [note for note in notes if f"{changed} changed" in note], notes
    else:
        assert resumed > 0
        assert failing == "culprit"


def test_a_file_the_command_names(room: Room) -> None:
    room.file("in.txt", INPUT)
    pattern = room.file("pattern", "culprit\n")
    command = ("--check", "stdout", "--units", "lines", "--", "grep", "-f", "pattern", "@@")
    first = ("--max-tests", "5")
    reduce(room, *first, *command)
    pattern.write_text("culpri\n")
    resumed, failing, notes = reduce(room, "--resume", *command)
    assert resumed == 0
    assert failing.strip() == "culprit"
    assert [note for note in notes if "pattern changed" in note], notes


def test_another_version_behind_a_link(room: Room) -> None:
    installed = Path("~/.pyenv/versions").expanduser().glob("3.1[2-9].*/bin/python")
    versions = sorted(installed)[:2]
    if len(versions) < 2:
        pytest.skip("there are no two interpreters")
    link = room.elsewhere / "python"
    room.program("total = 0\nfor n in range(4):\n    total = total + 1\nprint(total)\n")
    options = ("trace", "prog.py", "--algorithm", "ddmin", "--python", str(link), "--json", "-")
    link.symlink_to(versions[0])
    room.stripe(*options, "--max-tests", "3")
    retarget(link, str(versions[1]))
    run = room.stripe(*options, "--resume", "--max-tests", "1")
    assert run.slice()["tests"]["resumed"] == 0
    assert [note for note in run.result["notes"] if "python changed" in note], run.result["notes"]


@pytest.mark.skipif(
    shutil.which("gdb") is None or shutil.which("cc") is None, reason="gdb and cc are needed"
)
def test_what_a_native_program_reads(room: Room) -> None:
    room.file(
        "prog.c",
        '#include <stdio.h>\nint main(void)\n{\n    int x = 0, total = 0;\n'
        '    FILE *file = fopen("data.txt", "r");\n    fscanf(file, "%d", &x);\n'
        '    for (int n = 0; n < 3; n++)\n        total = total + 1;\n'
        '    printf("%d\\n", total);\n    return 0;\n}\n',
    )  # fmt: skip
    data = room.file("data.txt", "1\n")
    options = ("trace", "prog.c", "--algorithm", "ddmin", "--json", "-")
    for change in ("", "2\n"):
        room.stripe(*options, "--max-tests", "3")
        if change:
            data.write_text(change)
        run = room.stripe(*options, "--resume", "--max-tests", "1")
        told = [note for note in run.result["notes"] if "data.txt changed" in note]
        assert bool(told) == bool(change), run.result["notes"]
        assert (run.slice()["tests"]["resumed"] == 0) == bool(change)
