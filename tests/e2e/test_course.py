"""The lesson: its commands and programs do what it shows, and its answer key is up to date."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import stripe
from docs.course.refresh import PROGRAMS, main, refreshed
from tests.e2e.harness import Room
from tests.e2e.shown import commands_shown, must_print, names

COURSE = PROGRAMS.parent
LESSON = (COURSE / "lesson.md").read_text(encoding="utf-8")
EXAMPLES = commands_shown(LESSON)
PYTHON = re.findall(r"```python\n(.*?)```(?:\n\n```\n(.*?)```)?", LESSON, re.DOTALL)


@pytest.mark.parametrize(("line", "shown"), EXAMPLES, ids=names(EXAMPLES))
def test_a_command_of_the_lesson(room: Room, line: str, shown: str) -> None:
    must_print(room, PROGRAMS, line, shown)


def test_all_commands_are_tried() -> None:
    assert len(EXAMPLES) >= 8
    assert len(EXAMPLES) == len(re.findall(r"^\$ ", LESSON, re.MULTILINE))


def test_programs_are_shown_as_they_are() -> None:
    programs = [path.read_text(encoding="utf-8") for path in PROGRAMS.glob("*.py")]
    shown = [code for code, _ in PYTHON if "import stripe" not in code]
    assert len(shown) == 2
    for code in shown:
        # The comment in the first line speaks to those who open the file.
        assert any(text.removeprefix(comment(text)) == code for text in programs), code


def comment(program: str) -> str:
    return program[: program.index("\n") + 1] if program.startswith("#") else ""


def test_the_example_of_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(shutil.copytree(PROGRAMS, tmp_path / "programs"))
    [(code, output)] = [each for each in PYTHON if "import stripe" in each[0]]
    exec(compile(code, "<lesson>", "exec"), {"__name__": "example"})
    assert capsys.readouterr().out == output


def test_what_the_table_of_the_three_slices_says() -> None:
    found = stripe.trace(
        "heating.py", directory=PROGRAMS, check="stdout:/^power/", control="program", watch=False
    )
    [critical] = found.slices
    dynamic = critical.log[0].size
    row = f"{dynamic} of {len(found.trace)} events |\n"
    assert re.search(rf"^\| dynamic slice .*\| {re.escape(row)}", LESSON, re.MULTILINE)
    row = f"| {len(critical.events)} of {len(found.trace)} events; 7 along the recorded path |\n"
    assert row in LESSON


def test_the_answer_key_is_up_to_date(room: Room) -> None:
    """If not: ``python docs/course/refresh.py docs/course/answers.md``, and read it."""
    answers = (COURSE / "answers.md").read_text(encoding="utf-8")

    def printed(line: str, work: Path) -> str:
        run = room.line(line, cwd=work)
        assert run.status == 0, (line, run)
        return run.out

    assert refreshed(answers, printed) == answers
    headings = r"^## \d\. .*$"
    exercises = (COURSE / "exercises.md").read_text(encoding="utf-8")
    assert re.findall(headings, answers, re.MULTILINE) == re.findall(
        headings, exercises, re.MULTILINE
    )
    # Every command the exercises name in full is answered; options that only show may differ.
    for line in re.findall(r"`(stripe [^`]+)`", exercises):
        assert f"$ {line.partition(' --show ')[0].partition(' -- ')[0]}" in answers, line


def test_refreshing_replaces_what_is_stale(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "One\n\n```console\n$ cat votes.txt | head -n 1\nold\nolder\n$ true\n```\nTwo\n"
    )
    assert main([str(page)]) == 0
    fresh = "One\n\n```console\n$ cat votes.txt | head -n 1\nbea\n$ true\n```\nTwo\n"
    assert page.read_text() == fresh
    assert main([]) == 2
