"""Without the library of results, what writes or reads them as JSON is refused, and only that."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = """\
import sys
sys.modules["msgspec"] = None
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
        [sys.executable, "-c", COMMAND, *words, *(["--force"] if "--json" in words else [])],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert ("[no-library]" in done.stderr) == refused
    assert (done.returncode, bool(done.stdout)) == ((2, False) if refused else (0, True)), done
