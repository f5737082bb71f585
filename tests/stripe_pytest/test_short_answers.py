"""``pytest --stripe``: the short answer of ``stripe why`` below each of the first failures."""

from __future__ import annotations

from pathlib import Path

from tests.stripe_pytest.test_plugin import Project, section
from tests.support.programs import HALF, WITH_A_WRONG_TEST

SHORT = ("--stripe", "--stripe-report", "short")


def test_the_answer_below_a_failure(tmp_path: Path) -> None:
    """Where to look comes first; -x and -k do not keep the tests away that say what is right."""
    project = Project(
        tmp_path, {"half.py": HALF, "test_half.py": WITH_A_WRONG_TEST, "pytest.ini": "[pytest]"}
    )
    options = ("--stripe-max-time=240", "-x", "-k", "odd", "--stripe-html", "pages")
    text = project.pytest(*SHORT, *options)
    assert "stripe: failure 1 of 1, at most 240 s: test_half.py::test_odd" in text
    lines = section(text, "test_odd", "why").strip().splitlines()
    assert lines[0].startswith("AssertionError")
    assert lines[1] == "where to look"
    assert lines[2].split() == ["1", "half.py:2", "in", "half:", "return", "n", "/", "2"]
    assert "with `n // 2` instead of `n / 2` the failing test passes" in lines[3]
    answer = lines[: next(i for i, line in enumerate(lines) if line.startswith("page: "))]
    assert len(answer) <= 24
    page = project.folder / "pages" / "test_half.py_test_odd.html"
    assert f"page: {page}" in lines
    assert "where to look" in page.read_text().lower()
    assert "1-minimal" not in text, "no tables"


def test_an_error_in_a_fixture_and_parameters(tmp_path: Path) -> None:
    """The one that failed is asked about, and not its neighbours of another parameter."""
    tests = """\
import pytest

def third(numbers):
    return numbers[3]

@pytest.mark.parametrize("numbers", [[1, 2, 3, 4], [1, 2]], ids=["four", "t wo"])
def test_third(numbers):
    assert third(numbers)

@pytest.fixture
def broken():
    return third([])

def test_broken(broken):
    pass
"""
    project = Project(tmp_path, {"test_third.py": tests, "pytest.ini": "[pytest]"})
    text = project.pytest(*SHORT, "--stripe-max-time", "240")
    found = section(text, "test_third[t wo]", "why").strip()
    assert found.startswith("IndexError: list index out of range, in test_third[t wo]"), found
    found = section(text, "ERROR at setup of test_broken", "why").strip()
    assert found.startswith("IndexError: list index out of range, in test_broken"), found


def test_only_the_first_failures_are_explained(tmp_path: Path) -> None:
    tests = "".join(f"def test_{n}():\n    assert {n} < 0\n" for n in range(5))
    project = Project(tmp_path, {"test_n.py": tests, "pytest.ini": "[pytest]"})
    text = project.pytest(*SHORT, *project.instead("the answer"))
    assert [section(text, f"test_{n}", "why").strip().splitlines()[0] for n in range(3)] == [
        "the answer"
    ] * 3
    left = section(text, "test_3", "why").strip().splitlines()
    assert left[:2] == [
        "left out after the first 3 (--stripe-report full: all, by their slices)",
        "stripe why -m pytest test_n.py::test_3",
    ]
    assert "stripe: 3 of 5 failures explained; 2 left out after the first 3" in text
