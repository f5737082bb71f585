"""STRIPE at work with harmful commands of the user's: tests of ``stripe input``, check commands."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from stripe.cli.main import main
from tests.harm.programs import Program
from tests.harm.world import OWN

LINES = "".join(f"{word}\n" for word in ("tree", "one", "two", "three"))
TRACED = "one = 1\ntwo = 2\nprint(one)\n"
READING = """\
import os, sys
os.system("sh {script} " + sys.argv[1])
print(open(sys.argv[1]).read())
"""
INPUT = ("in.txt", "--units", "lines", "--output", str(OWN / "answer.txt"))


def place(program: Program, folder: Path) -> None:
    """What a user would have beside the script."""
    (folder / program.file).write_text(f"#!/bin/sh\n{program.path.read_text('utf-8')}")
    (folder / program.file).chmod(0o755)
    (folder / "in.txt").write_text(LINES)
    (folder / "traced.py").write_text(TRACED)
    (folder / "reading.py").write_text(READING.format(script=program.file))


def run_commands(program: Program, tests: int, say: Callable[[str, str], None]) -> None:
    """Have ``stripe`` run the script in all the ways it does."""
    script = f"./{program.file}"
    python = os.environ["STRIPE_PYTHON"]
    budget = ("--max-tests", str(tests), "--timeout", "3", "-q")
    ways: dict[str, Sequence[str]] = {
        "record": ("input", *INPUT, "--test", script, *budget),
        "input --check": ("input", *INPUT, "--check", "stdout:/tree/", *budget, "--",
                          python, "reading.py", "@@"),
        "trace --check cmd:": ("trace", "traced.py", "--check",
                              f"cmd:{script}; grep -q 1 \"$STRIPE_STDOUT\"", *budget),
        "trace": ("trace", "reading.py", *budget, "--", "in.txt"),
    }  # fmt: skip
    for step, words in ways.items():
        status = main(words)
        how = "recorded" if status in (0, 1) else "BackendError" if status == 3 else "UsageError"
        say(step, f"{how}: exit status {status}")
