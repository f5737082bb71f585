"""The next cause: changes that make it fail without any of the answer."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from stripe.changes import ChangesResult, find_changes
from stripe.cli.main import main
from stripe.dd import Outcome, Reason
from stripe.report.changes import changes_lines
from stripe.report.html.changes import page
from stripe.report.style import Style
from stripe.results.changes import from_json

TEST = "! cat a b c | grep -q bad || { echo it is bad; exit 1; }"
"""It prints the same, whichever file is bad."""


def versions(folder: Path, good: dict[str, str], bad: dict[str, str]) -> tuple[str, str]:
    """Two directories."""
    for name, files in (("good", good), ("bad", bad)):
        (folder / name).mkdir()
        for file, text in files.items():
            (folder / name / file).write_text(text)
    return str(folder / "good"), str(folder / "bad")


def three(folder: Path) -> tuple[str, str]:
    """Two files that are bad in the bad version, and one that is another, but good."""
    return versions(
        folder,
        {"a": "1\n2\n3\n", "b": "4\n5\n6\n", "c": "7\n"},
        {"a": "1\nbad\n3\n", "b": "4\n5\nbad\n", "c": "8\n"},
    )


def found_in(folder: Path, max_tests: int | None = None) -> ChangesResult:
    """The answer, and the next one."""
    good, bad = three(folder)
    return find_changes(good, bad, test=TEST, journals=folder, and_then=True, max_tests=max_tests)


def test_the_next_cause_has_nothing_of_the_first(tmp_path: Path) -> None:
    result = found_in(tmp_path)
    assert result.certified
    assert result.next is not None
    assert result.next.certified
    assert result.next.verified
    paths = [[each.path for each in part] for part in (result.blamed, result.next.blamed)]
    assert sorted(paths) == [["a"], ["b"]]
    assert result.next.blamed_lines == 1


@pytest.mark.parametrize("which", ["first", "next"])
def test_each_patch_alone_makes_the_good_version_fail(tmp_path: Path, which: str) -> None:
    result = found_in(tmp_path)
    assert result.next is not None
    patch = result.patch if which == "first" else result.next.patch
    subprocess.run(["git", "apply", "-"], input=patch, cwd=tmp_path / "good", check=True)
    ended = subprocess.run(["sh", "-c", TEST], cwd=tmp_path / "good", check=False)
    assert ended.returncode == 1
    texts = [(tmp_path / "good" / name).read_text() for name in "abc"]
    assert sum("bad" in each for each in texts) == 1


def test_it_is_not_searched_for_anew(tmp_path: Path) -> None:
    """What the first search has tested is known to the second: both versions, at least."""
    result = found_in(tmp_path)
    assert result.next is not None
    assert result.next.tests < result.tests


def test_where_the_others_pass_there_is_none(tmp_path: Path) -> None:
    good, bad = versions(
        tmp_path, {"a": "1\n", "b": "2\n", "c": ""}, {"a": "bad\n", "b": "3\n", "c": ""}
    )
    result = find_changes(good, bad, test=TEST, journals=tmp_path, and_then=True)
    assert result.rest.outcome is Outcome.PASS
    assert result.next is None
    assert "No next cause was looked for: with all other changes, the test passes." in result.notes


def test_a_limit_of_tests_holds_for_both(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
    first = found_in(tmp_path / "a")
    result = found_in(tmp_path / "b", max_tests=first.tests)
    assert result.stopped is Reason.FINISHED
    assert result.next is not None
    assert result.next.stopped is Reason.MAX_TESTS
    assert not result.next.certified
    assert result.ends == [Reason.FINISHED, Reason.MAX_TESTS]


def test_reports_have_it(tmp_path: Path) -> None:
    result = found_in(tmp_path)
    read = from_json(json.loads(json.dumps(result.to_json())))
    assert read.next == result.next
    text = "\n".join(changes_lines(read, Style()))
    assert "next cause: 1 line makes" in text
    assert "there is another cause among them, which is told below" in text
    assert "The next cause" in page(read)
    assert text.count("+bad") == 2


def test_the_command_writes_a_second_patch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = three(tmp_path)
    monkeypatch.chdir(tmp_path)
    words = ["--test", TEST, "--and-then", "second.patch", "-q"]
    assert main(["changes", good, bad, *words]) == 0
    patches = [(tmp_path / name).read_text() for name in ("changes.patch", "second.patch")]
    assert all(each.count("+bad") == 1 for each in patches)
    assert patches[0] != patches[1]
    assert "second.patch" in capsys.readouterr().out
