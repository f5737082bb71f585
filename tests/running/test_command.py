"""A command of the user's: where the candidate goes in it, and what is said if it cannot start."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from stripe.errors import UsageError
from stripe.running.command import command_of, not_started, script


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with an input and another file."""
    (tmp_path / "in.txt").write_text("text")
    (tmp_path / "other.txt").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "options", "holes"),
    [
        ("cat @@ x@@y @", {}, {1, 2}),
        ("cat other.txt in.txt", {}, {2}),
        ("cat other.txt", {}, set()),
        ("cat in.txt", {"stdin": True}, set()),
        ("cat in.txt %", {"placeholder": "%"}, {2}),
        ("cat in.txt other.txt", {"argument": 2}, {2}),
    ],
)
def test_where_the_candidate_goes(words: str, options: dict, holes: set[int]) -> None:
    found = command_of(words.split(), Path("in.txt"), **options)
    assert found.holes == holes
    assert found.stdin is not bool(holes)


def test_words_that_name_files_are_made_absolute_and_others_stay(here: Path) -> None:
    program, *words = command_of(["cat", "other.txt", "-n", ""], Path("in.txt")).words
    assert os.access(program, os.X_OK)
    assert words == [str(here / "other.txt"), "-n", ""]


def test_a_script_gets_the_candidate_as_its_argument(here: Path) -> None:
    (here / "test.sh").write_text("#!/bin/sh\n")
    (here / "test.sh").chmod(0o755)
    found = script("./test.sh", Path("in.txt"))
    assert found.holes == {1}
    assert found.words[0] == str(here / "test.sh")


@pytest.mark.parametrize(
    ("words", "options", "slug"),
    [
        ("no-such-command in.txt", {}, "no-such-command"),
        ("./other.txt in.txt", {}, "no-such-command"),
        ("cat in.txt", {"placeholder": "%"}, "bad-option"),
        ("cat in.txt", {"argument": 2}, "bad-option"),
        ("cat in.txt", {"argument": 0}, "bad-option"),
        ("cat other.txt", {"spread": True}, "bad-option"),
    ],
)
def test_what_cannot_be_meant(words: str, options: dict, slug: str) -> None:
    with pytest.raises(UsageError) as refused:
        command_of(words.split(), Path("in.txt"), **options)
    assert refused.value.slug == slug


@pytest.mark.parametrize(
    ("number", "reason", "hint"),
    [
        (errno.ENOEXEC, "it has no #! line", "names its interpreter"),
        (errno.ENOENT, "No such file", "names its interpreter"),
        (errno.EACCES, "Permission denied", "May you enter all folders"),
        (errno.EPERM, "Operation not permitted", "May you enter all folders"),
    ],
)
def test_why_a_command_cannot_be_started(number: int, reason: str, hint: str) -> None:
    error = not_started(["./test"], OSError(number, os.strerror(number)))
    assert error.slug == "cannot-start"
    assert reason in error.message
    assert hint in error.hint
