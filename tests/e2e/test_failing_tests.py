"""``stripe trace -m pytest``: a failing test is traced, and not how pytest tells of it."""

from __future__ import annotations

import json
import re
import site
import subprocess
import sys
from pathlib import Path

import pytest

from stripe.failing_run import HELPER, environment
from tests.e2e.harness import Room
from tests.support.patience import PATIENCE

HALF = """\
LOG = []

def half(n):
    LOG.append(n)
    return n / 2
"""
TESTS = """\
from half import half

def test_even():
    assert half(4) == 2

def test_odd():
    text = "some"
    assert half(3) == 1

def test_zero():
    assert half(0) == 1
"""
OF_UNITTEST = """\
import unittest
from half import half

class T(unittest.TestCase):
    def test_even(self):
        self.assertEqual(half(4), 2)

    def test_odd(self):
        self.assertEqual(half(3), 1)
"""


BRIEFLY = ("--max-tests", "3")
"""Where it is not the slice that is looked at."""


def kept(text: str) -> list[int]:
    """The lines with kept executions, of all files in their order."""
    return [int(number) for number in re.findall(r"^ ▶ +(\d+)", text, re.MULTILINE)]


@pytest.fixture
def project(room: Room) -> Room:
    for name, text in (("half.py", HALF), ("test_half.py", TESTS), ("test_unit.py", OF_UNITTEST)):
        (room.work / name).write_text(text)
    return room


def load_plugins(room: Room) -> None:
    """Its pytest loads what is installed, as usual: of that, xdist would run tests elsewhere."""
    del room.environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"]
    room.file("pytest.ini", "[pytest]\naddopts = -n 2 -p no:asyncio -p no:pytest-lsp\n")


def test_the_first_failing_test_is_sliced_and_verified_and_others_are_counted(
    project: Room,
) -> None:
    load_plugins(project)
    words = ("--json", "r.json", "-m", "pytest", "-q", "test_half.py")
    run = project.stripe("trace", *words, writes=("r.json",))
    assert run.status == 0, run.err
    assert "exception" in run.out
    assert kept(run.out) == [8, 5]
    assert "note: This is test_half.py::test_odd. 1 other test of those named fails, too" in (
        " ".join(run.out.split())
    )
    # In version 0.1 what runs a test had the name that the plugin of pytest has.
    text = (project.work / "r.json").read_text()
    assert '"stripe_testcase"' in text
    (project.work / "r.json").write_text(text.replace("stripe_testcase", "stripe_pytest"))
    run = project.stripe("verify", "--yes", "--program", "stripe_pytest", "r.json")
    assert run.status == 0, run.err


def test_one_is_named_and_its_search_goes_on(project: Room) -> None:
    """What the helper is reached by is the same each time."""
    words = ("-m", "pytest", "test_half.py::test_zero")
    assert "--resume goes on" in project.stripe("trace", "--max-tests", "1", *words).err
    run = project.stripe("trace", "--resume", *words)
    assert run.status == 0, run.err
    assert kept(run.out) == [11, 5]
    assert "of -m pytest test_half.py::test_zero" in run.out
    assert "resumed" in run.out
    assert "is of another run" not in run.out


def test_what_is_configured_by_a_file_that_is_named(project: Room) -> None:
    """Its name is none of tests."""
    project.file("its.ini", "[pytest]\npython_files = half_*.py\n")
    project.file("half_checks.py", TESTS)
    run = project.stripe("trace", *BRIEFLY, "-m", "pytest", "--", "-c", "its.ini", ".")
    assert run.status == 0, run.err
    assert "half_checks.py::test_odd" in run.out


def test_of_unittest(project: Room) -> None:
    run = project.stripe("trace", "-m", "unittest", "test_unit")
    assert "This is test_unit.T.test_odd." in run.out
    assert kept(run.out) == [9, 5]


def test_who_names_another_check_gets_it(project: Room) -> None:
    words = ("--check", "exit", "-m", "pytest", "test_half.py::test_odd")
    run = project.stripe("trace", *BRIEFLY, *words)
    assert run.status == 0, run.err
    assert "of -m pytest test_half.py::test_odd" in run.out
    assert "This is" not in run.out


def test_that_none_fails_is_told(project: Room) -> None:
    run = project.stripe("trace", "-m", "pytest", "test_half.py::test_even")
    assert run.status == 1
    assert "No test fails: 1 passed." in run.err
    assert "[nothing-fails]" in run.err


def test_what_cannot_be_collected_is_told(project: Room) -> None:
    (project.work / "test_half.py").write_text("import half\nhalf.third\n")
    run = project.stripe("trace", "-m", "pytest", "test_half.py")
    assert run.status == 1
    assert "cannot be collected" in run.err
    assert "AttributeError" in run.err
    assert "stripe suspects -m pytest tries changes" in " ".join(run.err.split())


def test_the_project_s_python_needs_pytest_and_nothing_of_ours(project: Room) -> None:
    """Of an environment beside the project."""
    project.environment.pop("VIRTUAL_ENV", None)
    folder = project.work / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (libraries,) = folder.glob("lib/python*/site-packages")
    # Of a folder that is not there 3.15 prints a line at its start.
    there = [folder for folder in site.getsitepackages() if Path(folder).is_dir()]
    Path(libraries, "pytest.pth").write_text("\n".join(there))
    python = folder / "bin" / "python"
    done = subprocess.run([python, "-c", "import stripe_pytest"], capture_output=True, text=True)
    assert "No module named 'stripe_pytest'" in done.stderr
    words = ("trace", "-m", "pytest", "test_half.py::test_odd")
    # Here, what is installed beside pytest is known to it, and not there; pytest says so.
    run = project.stripe(*words, environment={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": ""})
    assert "No module named 'stripe_pytest'" in " ".join(run.err.split())
    run = project.stripe(*words)
    assert run.status == 0, run.err
    assert kept(run.out) == [8, 5]
    assert "work/.venv/bin/python (Python" in " ".join(run.out.split())


WRAPPING = """\
import pytest

@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    return (yield)
"""


@pytest.mark.parametrize("name", ["test_odd", "test_own"])
def test_a_replay_prints_no_frames_of_the_runner(tmp_path: Path, name: str) -> None:
    """To print them took up to a fifth of a replay's processor time; the test's own are there."""
    (tmp_path / "half.py").write_text(HALF)
    own = "\nimport pytest\n\ndef test_own():\n    pytest.fail('by its own word')\n"
    (tmp_path / "test_half.py").write_text(TESTS + own)
    (tmp_path / "conftest.py").write_text(WRAPPING)
    words = [sys.executable, "-m", HELPER, str(tmp_path), f"test_half.py::{name}"]
    run = subprocess.run(
        words, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=PATIENCE
    )
    assert run.returncode == 1
    frames = re.findall(r'File ".*/(\w+)\.py", line \d+, in (\w+)', run.stderr)
    assert ("test_half", name) in frames
    assert "python" not in {file for file, _ in frames}  # _pytest/python.py calls tests
    assert not {"_callers", "conftest"} & {file for file, _ in frames}
    assert len(frames) < 8


NEEDED = """\
def test_sum():
    found = 3
    assert found == 4
"""


def test_of_which_all_is_needed_is_certified(room: Room) -> None:
    """What raised can be left out: the test passes then, and does not fail by what is ours."""
    room.program(NEEDED, "test_sum.py")
    run = room.stripe(
        "trace", "-m", "pytest", "--json", "r.json", "--", "test_sum.py", writes=("r.json",)
    )
    assert run.status == 0, run
    [found] = json.loads((room.work / "r.json").read_text())["slices"]
    assert (found["certified"], len(found["events"])) == (True, 2)
    assert "all of it is needed" in run.out


def test_what_was_set_before_the_test_and_is_read_is_named(room: Room) -> None:
    """It runs in an import, which is not recorded: a slice alone would not lead there."""
    (room.work / "rates.py").write_text("BASE = 3\nOTHER = 4\nRATES = {'a': BASE}\n")
    (room.work / "rated.py").write_text(
        "from rates import OTHER, RATES\n\ndef rated(x):\n    return x * RATES['a']\n"
    )
    (room.work / "test_rated.py").write_text(
        "from rated import rated\n\ndef test_rated():\n    assert rated(2) == 8\n"
    )
    run = room.stripe("trace", "-m", "pytest", "test_rated.py")
    assert run.status == 0, run.err
    told = " ".join(run.out.split())
    assert "What is kept reads what rates.py:3, rates.py:1 set before the test." in told


DRAWING = """\
import random

def test_word():
    text = "".join(random.choice("abcdefgh") for _ in range(20))
    unused = len(text)
    assert text == "a", text
"""


def test_random_numbers_are_seeded_where_a_test_is_not_the_same_in_each_run(room: Room) -> None:
    (room.work / "test_word.py").write_text(DRAWING)
    words = ("--json", "r.json", "-m", "pytest", "-q", "test_word.py")
    run = room.stripe("trace", *words, writes=("r.json",))
    assert run.status == 0, run.err
    assert kept(run.out) == [4, 6]
    assert "With its random numbers seeded (random.seed(0)" in " ".join(run.out.split())
    again = room.stripe("verify", "--yes", "--program", "stripe_testcase", "r.json")
    assert again.status == 0, again.err


def test_what_a_seed_does_not_mend_is_refused_as_it_is(room: Room) -> None:
    text = DRAWING.replace("random", "secrets")
    (room.work / "test_word.py").write_text(text)
    run = room.stripe("trace", "-m", "pytest", "-q", "test_word.py")
    assert run.status == 1
    assert "[nondeterministic]" in run.err
    assert "seeded" not in run.out
