"""Requests to ``stripe input`` that cannot be understood: nothing is run, nothing is written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from stripe.cli.main import main

WRONG: list[tuple[list[str], str]] = [
    ([], "no-file"),
    (["in.txt"], "no-command"),
    (["none.txt", "--", "true"], "no-input"),
    ([".", "--", "true"], "no-input"),
    (["in.txt", "--", "no-such-command-at-all"], "no-such-command"),
    (["in.txt", "--test", "./none.sh"], "no-such-test"),
    (["in.txt", "--test", "./in.txt"], "not-executable"),
    (["in.txt", "--test", "./test.sh", "--check", "exit"], "bad-option"),
    (["in.txt", "--test", "./test.sh", "--", "true"], "bad-option"),
    (["in.txt", "--units", "line", "--", "false"], "unknown-units"),
    (["in.txt", "--units", "json", "--", "false"], "not-json"),
    (["in.txt", "--mode", "least", "--", "false"], "unknown-mode"),
    (["in.txt", "--mode", "max", "--units", "braces", "--", "false"], "no-trees"),
    (["in.txt", "--passing", "in.txt", "--", "false"], "bad-option"),
    (["in.txt", "--algorithm", "best", "--", "false"], "unknown-algorithm"),
    (["in.txt", "--executor", "moon", "--", "false"], "bad-executor"),
    (["in.txt", "--arg", "2", "--", "false", "x"], "bad-option"),
    (["in.txt", "--placeholder", "%%", "--", "false", "x"], "bad-option"),
    (["in.txt", "--arg", "1", "--stdin", "--", "false", "x"], "bad-option"),
    (["in.txt", "--units", "args", "--", "false", "x"], "bad-option"),
    (["in.txt", "--output", "in.txt", "--", "false"], "output-is-input"),
    (["in.txt", "--output", "none/x", "--", "false"], "cannot-write"),
    (["in.txt", "--check", "var:x@y.py:3", "--", "false"], "bad-check"),
    (["in.txt", "-m", "--", "false"], "unknown-option"),
    (["in.txt", "--unit", "lines", "--", "false"], "unknown-option"),
]


@pytest.mark.parametrize(("arguments", "slug"), WRONG)
def test_errors_teach(
    arguments: list[str],
    slug: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text("a\nb\n")
    Path("test.sh").write_text("#!/bin/sh\n")
    Path("test.sh").chmod(0o755)
    assert main(["input", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    head, _, hint = " ".join(err.split()).partition(f" [{slug}]")
    assert head.startswith("stripe: ")
    assert hint.strip(), "what to do next"
    assert sorted(os.listdir()) == ["in.txt", "test.sh"]
