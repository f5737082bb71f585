"""A result that one version of Python has saved is verified on another one."""

from __future__ import annotations

import itertools
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.harness import Room

VERSIONS = ("3.12", "3.13", "3.15")
TOP = Path(__file__).parents[2]

# The rounds of the first loop are as many as the version has it: from there on nothing is at the
# same place in both runs.
SHIFTED = """\
import contextlib
import sys


@contextlib.contextmanager
def entered(value):
    yield value


def count(rounds):
    total = 0
    for number in range(rounds):
        with entered(number) as one, entered(number + 1) as other:
            total += one * other
    return total


rounds = 0
for _ in range(sys.version_info[1]):
    rounds += 1
first = count(3)
second = [each for each in range(first) if each % 3]
match second:
    case [one, *_]:
        print(one + count(2))
"""


def interpreter(version: str) -> str:
    """The path of an interpreter, or skip the test and say which one is missing."""
    beside = TOP / ".venv" / version / "bin" / "python"
    found = str(beside) if beside.exists() else shutil.which(f"python{version}")
    asked = "import sys; print('%d.%d' % sys.version_info[:2])"
    # What stands for one on PATH need not start one, as those of pyenv.
    if found is None or said(found, "-c", asked) != version:
        pytest.skip(f"there is no Python {version} here")
    return found


def said(*command: str) -> str:
    """What a command prints."""
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return run.stdout.strip()


@pytest.mark.parametrize(("saved", "verified"), list(itertools.permutations(VERSIONS, 2)))
def test_the_place_is_found_again(room: Room, saved: str, verified: str) -> None:
    before, after = interpreter(saved), interpreter(verified)
    room.program(SHIFTED)
    run = room.stripe(
        "trace", "--python", before, "--json", "r.json", "-q", "prog.py", writes=("r.json",)
    )
    assert run.status == 0, run.err
    run = room.stripe("verify", "--yes", "--python", after, "r.json")
    assert run.status == 0, run.out + run.err
    flat = " ".join(run.out.split())
    assert "the run takes another course" in flat
    assert "the slice HOLDS" in flat
