"""The exit status of each verb is what the table in docs/options.md says, and its help."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from stripe.cli import main as command
from stripe.cli.verbs import RIGHT_ONE, RUNNING, verb
from stripe.errors import ExitStatus
from tests.e2e.harness import Room

ROOT = Path(__file__).parents[2]
TABLE = (ROOT / "docs/options.md").read_text().partition("## Exit status")[2].partition("\n## ")[0]

CRASH = "import sys\nn = int(sys.argv[1]) if sys.argv[1:] else 0\nprint(6 // n)\n"
TEST = "from prog import one\n\ndef test_one(): assert one() == 1\ndef test_two(): assert one()\n"
ASK = {
    "why": (("crash.py",), ("crash.py", "3")),
    "trace": (("crash.py",), ("silent.py",)),
    "changes": (
        ("HEAD", ".", "--test", "! grep -q bad new.txt", "--output", "answer"),
        ("HEAD", ".", "--test", "true", "--output", "answer"),
    ),
    "causes": (
        ("crash.py", "--fail", "0", "--pass", "1"),
        ("silent.py", "--fail", "1", "--pass", "2"),
    ),
    "suspects": (("-m", "pytest", "test_prog.py"), ("-m", "pytest", "test_prog.py::test_two")),
    "input": (
        ("data.txt", "--output", "answer", "--test", "./bad"),
        ("data.txt", "--output", "answer", "--test", "./good"),
    ),
}
"""For each verb what it can answer, and what it cannot."""


@pytest.fixture
def project(room: Room) -> Room:
    """A project with a program that crashes, a failing test, and a change that is not committed."""
    for name, text in {
        "crash.py": CRASH, "silent.py": "x = 1\n", "prog.py": "def one():\n    return 2\n",
        "test_prog.py": TEST, "data.txt": "this\nis\nbad\n", "new.txt": "fine\n",
    }.items():  # fmt: skip
        (room.work / name).write_text(text)
    for word in ("bad", "good"):
        (room.work / word).write_text(f'#!/bin/sh\ngrep -q {word} "$1"\n')
        (room.work / word).chmod(0o755)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *words], cwd=room.work, check=True)
    (room.work / "new.txt").write_text("fine\nbad\n")
    return room


def test_the_tables_name_all_verbs_that_run_programs_and_every_status() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", TABLE, re.M)
    assert sorted(rows) == sorted(RUNNING)
    told = {int(number) for number in re.findall(r"^\| (\d+) \|", TABLE, re.M)}
    assert {0, 1} | told == {each.value for each in ExitStatus}
    for each in RUNNING:
        text = " ".join(
            verb(each).build_parser().format_help().partition("exit status:\n")[2].split()
        )
        found = {int(number) for number in re.findall(r"(?<![\w-])(\d+) [a-z]", text)}
        assert found == {each.value for each in ExitStatus}, (each, text)


def test_the_readme_names_the_right_verb_as_the_command_does() -> None:
    rows = re.findall(r"^\| ([^|]+) \| (`stripe [^|]+) \|$", (ROOT / "README.md").read_text(), re.M)
    named = {name for _, text in rows for name in re.findall(r"`stripe (\w+)`", text)}
    assert named == {name for _, told in RIGHT_ONE for name in re.findall(r"stripe (\w+)", told)}


@pytest.mark.parametrize("name", ASK)
def test_0_is_an_answer_and_1_none(project: Room, name: str) -> None:
    limit = ("--max-time", "240")
    answered, refused = ASK[name]
    run = project.stripe(name, *limit, *answered, writes=("answer",) * ("answer" in answered))
    assert run.status == ExitStatus.OK, run
    run = project.stripe(name, *limit, *refused)
    assert run.status == ExitStatus.NOT_REDUCIBLE, run
    assert project.stripe(name).status == ExitStatus.USAGE


def test_verify_tells_whether_all_holds(project: Room) -> None:
    project.stripe("trace", "crash.py", "--json", "r.json", writes=("r.json",))
    assert project.stripe("verify", "r.json", "--yes").status == ExitStatus.OK
    (project.work / "crash.py").write_text(CRASH.replace("6 // n", "n"))
    assert project.stripe("verify", "r.json", "--yes").status == ExitStatus.NOT_REDUCIBLE
    assert project.stripe("verify", "none.json").status == ExitStatus.USAGE


@pytest.mark.parametrize("name", RUNNING)
@pytest.mark.parametrize(
    ("error", "status"),
    [(ZeroDivisionError("ours"), ExitStatus.INTERNAL), (KeyboardInterrupt(), 130)],
)
def test_an_error_of_ours_is_3_and_ctrl_c_130(
    monkeypatch: pytest.MonkeyPatch, name: str, error: BaseException, status: int
) -> None:
    def run(words: list[str]) -> int:
        raise error

    monkeypatch.setattr(verb(name), "run", run)
    assert command.main([name]) == status
