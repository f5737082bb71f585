"""``stripe.inputs.reduce_file``: what the command line does, as a function."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from stripe.cli.main import main
from stripe.dd import Reason
from stripe.errors import NotReducible, UsageError
from stripe.inputs import reduce_file

CONTENT = "".join(f"line {number}\n" for number in range(20)) + "culprit\n"

GREP = ["grep", "-q", "culprit", "@@"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text(CONTENT)
    Path("empty.txt").write_text("")
    test = Path("test.sh")
    test.write_text('#!/bin/sh\ngrep -q culprit "$1"\n')
    test.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(
    "request_",
    [
        {"command": GREP, "check": "exit"},
        {"command": "grep -q 'culprit' in.txt", "check": ["exit"]},
        {"command": ["grep", "culprit"], "check": ["stdout", "exit"]},
        {"command": ["grep", "culprit", "-"], "stdin": True, "check": "stdout"},
        {"command": ["grep", "-q", "culprit", "x"], "argument": 3, "check": "exit"},
        {"command": ["grep", "-q", "culprit", "%%"], "placeholder": "%%", "check": "exit"},
        {"test": "./test.sh"},
        {"test": Path("test.sh")},
    ],
)
def test_a_line_is_left(request_: dict[str, Any]) -> None:
    result = reduce_file("in.txt", units="lines", **request_)
    assert result.answer == b"culprit\n"
    assert result.certified
    assert result.verified
    assert Path("in.txt").read_text() == CONTENT


def test_the_command_line_says_the_same() -> None:
    result = reduce_file("in.txt", GREP, check="exit").to_json()
    assert main(["input", "in.txt", "-q", "--json", "out", "--check", "exit", "--", *GREP]) == 0
    told = json.loads(Path("out").read_text())
    for each in (result, told):
        del each["seconds"], each["output"]
    assert told == result


def test_both_answers_of_a_difference_and_all_that_came_before() -> None:
    told: list[tuple[bytes, bool]] = []
    result = reduce_file(
        "in.txt", test="test.sh", mode="diff", passing="empty.txt", units="lines,chars",
        improved=lambda content, fails: told.append((content, fails)),
    )  # fmt: skip
    assert result.passing is not None
    assert len(result.failing) == len(result.passing) + 1
    assert b"culprit" in result.failing
    assert b"culprit" not in result.passing
    assert told[-2:] == [(result.failing, True), (result.passing, False)]
    assert all((b"culprit" in content) == fails for content, fails in told)


def test_it_goes_on_where_it_ended(tmp_path: Path) -> None:
    first = reduce_file("in.txt", GREP, check="exit", journals=tmp_path / "notes", max_tests=5)
    assert first.stopped is Reason.MAX_TESTS
    second = reduce_file("in.txt", GREP, check="exit", journals=tmp_path / "notes", resume=True)
    assert second.answer == b"culprit"
    assert second.resumed > 0
    assert not list((tmp_path / "notes").iterdir()), "nobody needs to come back"


def test_tests_run_at_a_time() -> None:
    assert reduce_file("in.txt", test="test.sh", jobs=2).answer == b"culprit"


@pytest.mark.parametrize(
    ("path", "request_", "slug"),
    [
        ("none.txt", {"command": ["true"]}, "no-input"),
        (".", {"command": ["true"]}, "no-input"),
        ("in.txt", {}, "no-command"),
        ("in.txt", {"command": "  "}, "no-command"),
        ("in.txt", {"command": ["no-such-command-at-all"]}, "no-such-command"),
        ("in.txt", {"test": "none.sh"}, "no-such-test"),
        ("in.txt", {"test": "in.txt"}, "not-executable"),
        ("in.txt", {"test": "test.sh", "check": "exit"}, "bad-option"),
        ("in.txt", {"test": "test.sh", "command": ["true"]}, "bad-option"),
        ("in.txt", {"command": ["true", "x"], "argument": 1, "stdin": True}, "bad-option"),
        ("in.txt", {"command": ["true"], "passing": "empty.txt"}, "bad-option"),
        ("in.txt", {"command": ["false"], "mode": "max", "passing": "none"}, "no-input"),
        ("in.txt", {"command": ["true"], "mode": "least"}, "unknown-mode"),
        ("in.txt", {"command": ["true"], "algorithm": "best"}, "unknown-algorithm"),
        ("in.txt", {"command": ["false"], "units": "line"}, "unknown-units"),
        ("in.txt", {"command": ["true"], "check": "var:x@y.py:3"}, "bad-check"),
    ],
)
def test_requests_that_cannot_be_understood(path: str, request_: dict[str, Any], slug: str) -> None:
    with pytest.raises(UsageError) as caught:
        reduce_file(path, **request_)
    assert caught.value.slug == slug


def test_a_command_that_does_not_fail() -> None:
    with pytest.raises(NotReducible) as caught:
        reduce_file("in.txt", [sys.executable, "-c", ""])
    assert caught.value.slug == "no-crash"
