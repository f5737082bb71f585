"""Mistakes that are met while tests are collected: there is no test yet that could fail."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from stripe.errors import NotReducible
from stripe.results.suspects import Found
from stripe.suspects import SuspectsResult, find_suspects
from stripe_pytrace.runner import Runner
from tests.support.patience import PATIENCE

TABLES = """\
NUMBERS = [1, 2, 4, 8]


def steps(numbers):
    found = []
    for place in range(len(numbers) + 1):
        found.append(numbers[place + 1] - numbers[place])
    return found


STEPS = steps(NUMBERS)
"""
"""Computed when it is imported: an IndexError."""

OTHERS = """\
def double(n):
    return 2 * n
"""

FILES = {
    "pytest": {
        "tables.py": TABLES,
        "others.py": OTHERS,
        "test_tables.py": "from others import double\nfrom tables import STEPS\n\n\n"
        "def test_number():\n    assert len(STEPS) == 3\n\n\n"
        "def test_all():\n    assert STEPS == [1, double(1), 4]\n",
        "test_others.py": "from others import double\n\n\n"
        "def test_double():\n    assert double(3) == 6\n",
    },
    "unittest": {
        "tables.py": TABLES,
        "others.py": OTHERS,
        "test_tables.py": "import unittest\nfrom others import double\n"
        "from tables import STEPS\n\n\n"
        "class Tables(unittest.TestCase):\n"
        "    def test_number(self):\n        self.assertEqual(len(STEPS), 3)\n\n"
        "    def test_all(self):\n        self.assertEqual(STEPS, [1, double(1), 4])\n",
        "test_others.py": "import unittest\nfrom others import double\n\n\n"
        "class Others(unittest.TestCase):\n"
        "    def test_double(self):\n        self.assertEqual(double(3), 6)\n",
    },
}

LOADED = "unittest.loader._FailedTest.test_tables"


def search(path: Path, runner: str, *arguments: str, **options) -> SuspectsResult:
    files = FILES[runner] | options.pop("files", {})
    for name, text in files.items():
        (path / name).parent.mkdir(exist_ok=True)
        (path / name).write_text(text)
    words = (*arguments, "-pno:cacheprovider") if runner == "pytest" else arguments
    return find_suspects(runner, words, module=True, directory=path, **options)


@pytest.mark.parametrize(
    ("runner", "arguments", "failing", "passing"),
    [
        ("pytest", (), "test_tables.py", "test_others.py::test_double"),
        ("pytest", ("test_tables.py::test_all", "test_others.py"), "test_tables.py",
         "test_others.py::test_double"),
        ("unittest", (), LOADED, "test_others.Others.test_double"),
        ("unittest", ("test_tables", "test_others"), LOADED, "test_others.Others.test_double"),
    ],
)  # fmt: skip
def test_what_cannot_be_collected_is_a_failing_test(
    tmp_path: Path, runner, arguments, failing, passing
) -> None:
    """With the change it can, and its tests pass, as well as those of the other module."""
    found = search(tmp_path, runner, *arguments, max_tests=24)
    assert (found.failing, found.passing) == ((failing,), (passing,))
    best = found.places[0]
    assert (best.file, best.line) == ("tables.py", 6)
    assert (best.repaired, best.broken, best.kept) == (1, 0, 1)
    assert best.found == (Found(1, 1) if "::" in "".join(arguments) else Found(2, 2))
    assert any("IndexError" in note and note.startswith(failing) for note in found.notes)
    # The line that only what fails executes is before those that passing tests do as well.
    ochiai = found.ochiai_ranks()
    assert {each.file for each in found.ranking[:3]} == {"tables.py"}
    assert min(ochiai.values()) == 1


def test_a_change_has_to_make_the_tests_pass_that_appear(tmp_path: Path) -> None:
    """All of them: with another number they are collected, and the first of two passes."""
    test = (
        "import unittest\nfrom tables import LAST\n\n\n"
        "class Tables(unittest.TestCase):\n"
        "    def test_a(self):\n        self.assertGreater(LAST, 0)\n\n"
        "    def test_b(self):\n        self.assertEqual(LAST, 4)\n"
    )
    files = {"tables.py": "LAST = (1, 2, 4)[3]\n", "test_tables.py": test}
    found = search(tmp_path, "unittest", files=files, max_tests=30)
    assert [(each.line, each.found) for each in found.places] == [(1, Found(2, 2))]
    assert found.places[0].words == "`(1, 2, 4)[-1]` instead of `(1, 2, 4)[3]`"
    # Another number, `2` for `3`, does as well; `[0]`, `0`, `1` and `-3` make one pass only.
    assert found.places[0].others == 1


def test_a_table_that_is_made_at_the_top(tmp_path: Path) -> None:
    """What is outside of functions is changed as well; and ranked where nothing repairs it."""
    top = "NUMBERS = (1, 2, 4)\nSTEPS = [NUMBERS[n + 1] - NUMBERS[n] for n in range(3)]\n"
    test = "from tables import STEPS\n\n\ndef test_all():\n    assert STEPS == [1, {}]\n"
    files = {"tables.py": top, "test_tables.py": test.format(2)}
    found = search(tmp_path, "pytest", files=files, max_tests=60)
    assert (found.places[0].line, found.places[0].found) == (2, Found(1, 1))
    files["test_tables.py"] = test.format("'no number'")
    found = search(tmp_path, "pytest", files=files, max_tests=6)
    assert found.places == ()
    assert {(each.file, each.line) for each in found.ranking} == {
        ("tables.py", 1),
        ("tables.py", 2),
    }


@pytest.mark.parametrize("runner", ["pytest", "unittest"])
def test_an_import_that_does_not_end(
    tmp_path: Path, runner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is ended, and told; others that import the same are not waited for once more."""
    monkeypatch.setattr("stripe_pytrace.baseline_tests.MOST_STAND", 0.5)
    monkeypatch.setattr("stripe_pytrace.collection.LEAST_ENDLESS", 0.1)
    hang = (
        "def steps(n):\n    while n > 1:\n        n -= 0\n    return [n, 2, 4]\n\n\n"
        "STEPS = steps(2)\n"
    )
    again = FILES[runner]["test_tables.py"].replace("Tables", "More")
    files = {"tables.py": hang, "test_more.py": again}
    found = search(tmp_path, runner, files=files, max_tests=24, max_time=400)
    assert len(found.failing) == 2
    assert len(found.passing) == 1
    assert found.places[0].file == "tables.py"
    assert found.places[0].found == Found(4, 4)
    assert any("does not end when it is collected" in note for note in found.notes)


def test_a_conftest_that_cannot_be_imported(tmp_path: Path) -> None:
    """Then no test at all is collected."""
    files = {"conftest.py": "import tables\n"}
    found = search(tmp_path, "pytest", files=files, max_tests=60)
    assert (found.failing, found.passing) == (("conftest.py",), ())
    assert found.places[0].line == 6
    assert found.places[0].found == Found(3, 3)


def test_tests_that_fail_beside_it(tmp_path: Path) -> None:
    """A change counts as a whole repair if it repairs both."""
    files = {
        "tables.py": TABLES.replace(
            "STEPS =", "def late():\n    return steps([1, 2])\n\n\nSTEPS ="
        ),
        "lazy.py": "def late():\n    from tables import late\n    return late()\n",
        "test_lazy.py": "from lazy import late\n\n\ndef test_late():\n    assert late() == [1]\n",
    }
    found = search(tmp_path, "pytest", files=files, max_tests=60)
    assert found.failing == ("test_lazy.py::test_late", "test_tables.py")
    assert (found.places[0].line, found.places[0].repaired) == (6, 2)


def test_a_function_that_is_called_only_when_it_is_imported(tmp_path: Path) -> None:
    """Tests are collected, and find the table wrong: no test executes what makes it."""
    files = {
        "tables.py": TABLES.replace("range(len(numbers) + 1)", "range(len(numbers) - 2)")
        + "\n\ndef sum_of_steps():\n    return sum(STEPS)\n",
        "test_tables.py": "from tables import sum_of_steps\n\n\n"
        "def test_sum():\n    assert sum_of_steps() == 7\n",
    }
    found = search(tmp_path, "pytest", files=files, max_tests=90)
    assert ("tables.py", 6) in {(each.file, each.line) for each in found.places}


def test_the_traceback_is_told_where_only_tests_are_executed(tmp_path: Path) -> None:
    files = {"test_x.py": "import nothing_of_that_name\n"}
    with pytest.raises(NotReducible) as error:
        search(tmp_path, "pytest", "test_x.py", files=files)
    assert error.value.slug == "no-suspects"
    assert "test_x.py cannot be collected" in str(error.value)
    assert "No module named 'nothing_of_that_name'" in str(error.value)


def test_no_tests(tmp_path: Path) -> None:
    with pytest.raises(NotReducible) as error:
        search(tmp_path, "pytest", "test_x.py", files={"test_x.py": "x = 1\n"})
    assert error.value.slug == "no-tests"


def test_who_asks_about_a_test_in_it_is_told(tmp_path: Path) -> None:
    """An editor does, by the name of a test that cannot be collected now."""
    found = search(tmp_path, "pytest", failing=["test_tables.py::test_all"], max_tests=4)
    assert found.failing == ("test_tables.py",)


def test_each_slot_learns_that_a_conftest_imports_what_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where another one has learnt it while its own process was being started."""
    files = {
        "conftest.py": "import tables\n",
        "tables.py": "LEAST = 3 + 0\n\n\ndef enough(n):\n    return n > LEAST\n",
        "test_tables.py": "from tables import enough\n\n\n"
        "def test_three():\n    assert enough(3)\n\n\ndef test_two():\n    assert not enough(2)\n",
    }
    both, started, stay = threading.Barrier(2, timeout=PATIENCE), [], Runner.stay

    def together(runner: Runner, number: int, job: dict[str, Any]) -> object:
        if job["cold"] and not job["early"]:
            started.append(number)
            both.wait()
        return stay(runner, number, job)

    monkeypatch.setattr(Runner, "stay", together)
    found = search(tmp_path, "pytest", files=files, jobs=2)
    assert sorted(started) == [0, 1]
    assert {(each.line, each.broken) for each in found.places if each.repaired} >= {(1, 0)}
