"""Without a library, what needs it is refused before anything is run, and only that."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = """\
import sys
for name in sys.argv.pop(1).split(","):
    sys.modules[name] = None
from stripe.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("words", "refused"),
    [
        (["trace", "p.py", "--check", "stdout"], False),
        (["trace", "p.py", "--check", "stdout", "--json", "r.json"], True),
        (["input", "p.py", "--check", "stdout", "-q", "--", sys.executable, "@@"], False),
        (["input", "p.py", "--check", "stdout", "--json", "r.json", "--", "cat", "@@"], True),
        (["show", "r.json"], True),
    ],
)
def test_only_json_needs_the_library(words: list[str], refused: bool, tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("print(1)\n")
    written = '{"format": "stripe-result", "version": 4}'
    (tmp_path / "r.json").write_text("" if "--json" in words else written)
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, "msgspec", *words,
         *(["--force"] if "--json" in words else [])],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert ("[no-library]" in done.stderr) == refused
    assert (done.returncode, bool(done.stdout)) == ((2, False) if refused else (0, True)), done


def without(names: str, *words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "p.py").write_text("a = 1\nb = 2\nprint(a)\n")
    return subprocess.run(
        [sys.executable, "-c", COMMAND, names, *words], cwd=folder, capture_output=True, text=True
    )


def test_a_slice_is_told_without_any_library(tmp_path: Path) -> None:
    done = without("jinja2,msgspec,platformdirs,rich", "trace", "p.py", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (
        "the package rich, which does it, is not installed with stripe. [no-library]" in done.stderr
    )
    assert done.stdout.splitlines() == [
        "stdout: 2 of 3 events kept", "1-minimal  yes", "p.py:1: a = 1", "p.py:3: print(a)",
    ]  # fmt: skip


def test_other_reports_need_one_and_say_so_before_anything_is_run(tmp_path: Path) -> None:
    script = ("sh", "-c", "touch ran")
    done = without("rich", "input", "p.py", "--check", "stdout", "--", *script, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "[no-library]" in done.stderr
    assert not (tmp_path / "ran").exists()
