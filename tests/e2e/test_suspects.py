"""``stripe suspects`` through the real command, and its search on small programs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from stripe.cli.suspects import expected, read_cases
from stripe.errors import NotReducible, UsageError
from stripe.suspects import Case, find_suspects, suspect_search
from tests.e2e.harness import Room

COUNT = """\
import sys

def count(words, least):
    total = 0
    for word in words:
        if len(word) > least:
            total += 1
    return total

print(count(sys.argv[1:], 3))
"""
CASES = [
    Case("edge", ("abc", "abcd"), b"", b"2\n"),
    Case("none", ("a", "b"), b"", b"0"),
    Case("all", ("abcd", "abcde"), b"", b"2"),
    Case("empty", (), b"", b"0"),
]

SHOP = """\
import re

CODE = re.compile(r"^[a-z]+\\d$")

class Basket:
    def __init__(self, limit):
        self.items = []
        self.limit = limit

    def add(self, name):
        if len(self.items) > self.limit:
            raise ValueError("full")
        self.items.append(name)

def valid(code):
    return CODE.match(code) is not None
"""
SHOP_TESTS = """\
import pytest
from shop import Basket, valid

@pytest.fixture
def basket():
    return Basket(2)

def test_some(basket):
    basket.add("a")
    basket.add("b")
    assert basket.items == ["a", "b"]

def test_full(basket):
    basket.add("a")
    basket.add("b")
    with pytest.raises(ValueError):
        basket.add("c")

def test_files(basket, tmp_path):
    (tmp_path / "x").write_text("1")
    basket.add((tmp_path / "x").read_text())

def test_code():
    assert valid("ab1")
    assert not valid("ab")

def test_codes():
    assert valid("ab12")
"""


def suspects(path: Path, text: str, cases=(), *arguments: str, **options):
    (path / "prog.py").write_text(text)
    return find_suspects("prog.py", arguments, cases=cases, directory=path, **options)


def run_tests(path: Path, files: dict[str, str], runner: str, *arguments: str, **options):
    for name, text in files.items():
        (path / name).write_text(text)
    return find_suspects(runner, arguments, module=True, directory=path, **options)


def test_the_report(room: Room) -> None:
    """Of cases one fails: the place, in words, as a diff, as values and as JSON."""
    room.program(COUNT)
    folder = room.work / "cases"
    folder.mkdir()
    for each in CASES:
        (folder / f"{each.name}.out").write_bytes(each.expected)
        (folder / f"{each.name}.args").write_text(" ".join(each.arguments))
    files = ("--json", "found.json", "--html", "found.html", "--sarif", "found.sarif")
    words = ("--cases", "cases", *files, "--max-tests", "90", "prog.py")
    run = room.stripe("suspects", *words, writes=files[1::2])
    assert run.status == 0, run.err
    # Whichever was found first at a line is told at once.
    assert re.search(r"stripe: prog\.py:6: `.+` instead of `.+` repairs 1 of 1 failing", run.err)
    assert "1. prog.py:6, in count" in run.out
    assert "this change makes the failing test pass, and breaks none of 3 passing" in run.out
    assert "+        if len(word) >= least:" in run.out
    assert "first values: False, True" in run.out
    assert "with the change: True, True" in run.out
    assert "the fix" not in run.out
    found = json.loads((room.work / "found.json").read_text())
    assert found["format"] == "stripe-suspects-result"
    assert found["places"][0]["still_passing"] == 3
    assert (found["places"][0]["turns_right"], found["places"][0]["breaks"]) == (["edge"], [])
    assert 0 < found["first_place"] <= found["final_place"] <= found["seconds"]
    written = [(room.work / each).read_bytes() for each in files[1::2]]
    assert b"<h1>Suspects" in written[1]
    assert json.loads(written[2])["runs"][0]["results"][0]["fixes"]
    shown = room.stripe("show", "found.json")
    assert shown.out == run.out
    again = ("--html", "again.html", "--sarif", "again.sarif")
    assert room.stripe("show", "found.json", *again, writes=again[1::2]).status == 0
    assert [(room.work / each).read_bytes() for each in again[1::2]] == written[1:]
    # What the slice says stands beside each line, or why there is none.
    said = {each["slice"] for each in found["ranking"]}
    if found["slice"] is None:
        assert said == {None}
        assert "not compared with a critical slice of edge" in found["notes"][-1]
    else:
        assert "critical" in said
        assert "executions of edge" in run.out


def test_the_suite_decides(tmp_path: Path) -> None:
    """One failing run alone names any line; what spoils runs that are right is out."""
    alone = suspects(tmp_path, COUNT, CASES[:1], max_tests=90)
    assert {4, 6, 10} <= {each.line for each in alone.places}
    assert "proves little" in " ".join(alone.notes)
    whole = suspects(tmp_path, COUNT, CASES, max_tests=90)
    assert [(each.line, each.kept) for each in whole.places] == [(6, 3), (10, 3)]


def test_pytest_with_fixtures_and_what_is_executed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A method, and a pattern that is compiled when the module is imported.

    Plugins are loaded as usual; of those, xdist would run the tests elsewhere.
    """
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    options = "[pytest]\naddopts = -n 2 -p no:asyncio -p no:pytest-lsp\n"
    files = {"shop.py": SHOP, "test_shop.py": SHOP_TESTS, "pytest.ini": options}
    words = ("test_shop.py::test_full", "test_shop.py::test_some", "test_shop.py::test_files")
    found = run_tests(tmp_path, files, "pytest", *words, max_tests=60)
    assert found.failing == ("test_shop.py::test_full",)
    assert found.places[0].line == 11
    assert found.places[0].words.startswith("`len(self.items) >= self.limit`")
    assert not any(each.file == "test_shop.py" for each in found.ranking)


@pytest.mark.parametrize("include", [(), ("*",)])
def test_helpers_of_tests_are_suspected_only_when_included(tmp_path: Path, include) -> None:
    """A mixin with the tests' code, beside them; the file of the test itself never is."""
    (tmp_path / "tests").mkdir()
    files = {
        "half.py": "def half(n):\n    return n // 3\n",
        "tests/__init__.py": "class Mixin:\n    def check(self, n):\n"
        "        assert self.run(n) == 2\n",
        "tests/test_half.py": "from half import half\nfrom tests import Mixin\n"
        "class TestHalf(Mixin):\n    run = staticmethod(half)\n"
        "    def test_four(self):\n        self.check(4)\n",
    }
    found = run_tests(tmp_path, files, "pytest", max_tests=10, include=include)
    assert {each.file for each in found.ranking} == (
        {"half.py", "tests/__init__.py"} if include else {"half.py"}
    )


def test_a_pattern_that_is_compiled_on_import(tmp_path: Path) -> None:
    text = (
        'import re\nCODE = re.compile("^a$")\n\n'
        "def valid(code):\n    return bool(CODE.match(code))\n"
    )
    tests = (
        "from code_ import valid\ndef test_a():\n    assert valid('a')\n"
        "def test_no():\n    assert not valid('ba')\ndef test_ab():\n    assert valid('ab')\n"
    )
    found = run_tests(
        tmp_path, {"code_.py": text, "test_c.py": tests}, "pytest", "test_c.py", max_tests=60
    )
    best = found.places[0]
    assert (best.line, best.words) == (2, "`'^a'` instead of `'^a$'`")


def test_unittest(tmp_path: Path) -> None:
    text = "def half(n):\n    return n / 2\n"
    tests = (
        "import unittest\nfrom half import half\nclass T(unittest.TestCase):\n"
        "    def test_odd(self):\n        self.assertEqual(half(3), 1)\n"
        "    def test_even(self):\n        self.assertEqual(half(4), 2)\n"
        "    def test_parts(self):\n        for n in (0, 2):\n            with self.subTest(n=n):\n"
        "                self.assertEqual(half(n), n // 2)\n"
    )
    found = run_tests(tmp_path, {"half.py": text, "test_half.py": tests}, "unittest", "test_half")
    assert found.failing == ("test_half.T.test_odd",)
    assert (found.places[0].line, found.places[0].words) == (2, "`n // 2` instead of `n / 2`")


def test_changes_that_hang_crash_or_write_cost_themselves_only(tmp_path: Path) -> None:
    """Loops without end, also in C, and files that another change would find."""
    text = (
        "import os, sys\n\ndef down(n):\n    seen = []\n    while n > 0:\n        n -= 2\n"
        "        seen.append(n)\n    return len(seen)\n\n"
        "if os.path.exists('mark'):\n    print('dirty')\nopen('mark', 'w').close()\n"
        "print(down(int(sys.argv[1])), sum(range(10 ** 3)))\n"
    )
    cases = [Case(str(n), (str(n),), b"", f"{n} 499500".encode()) for n in (1, 3, 4)]
    found = suspects(tmp_path, text, cases, max_tests=60)
    assert found.passing == ("1",)
    assert (found.places[0].line, found.places[0].words) == (6, "`1` instead of `2`")
    assert found.changes.fuel > 0
    assert not (tmp_path / "mark").exists()


def test_a_program_that_leaves_early_has_not_come_to_its_end(tmp_path: Path) -> None:
    """What is right on the way does not count if an exception, or a status, follows."""
    text = "import sys\nprint('right')\nsys.exit(int(sys.argv[1]) + 1)\n"
    found = suspects(tmp_path, text, [Case("a", ("0",), b"", b"right")])
    assert found.failing == ("a",)
    assert found.places[0].line == 3


def test_a_recursion_without_end(tmp_path: Path) -> None:
    """The failing run crashes at once, and its short time must not end right repairs."""
    text = (
        "import sys\n\ndef fib(n):\n    if n < 0:\n        return n\n"
        "    return fib(n - 1) + fib(n - 2)\n\nprint(fib(int(sys.argv[1])))\n"
    )
    cases = [Case(str(n), (str(n),), b"", b"%d" % value) for n, value in ((1, 1), (5, 5), (9, 34))]
    found = suspects(tmp_path, text, cases, max_tests=150)
    assert found.places[0].line == 4
    assert found.places[0].repaired == 3


def test_nothing_fails(tmp_path: Path) -> None:
    with pytest.raises(NotReducible) as error:
        suspects(tmp_path, "print(1)\n", expect=b"1")
    assert error.value.slug == "nothing-fails"


def test_a_test_that_only_fails_after_another_one(tmp_path: Path) -> None:
    """Each is run in a process of its own, and nobody is told that all is well."""
    text = (
        "seen = []\n\ndef add():\n    seen.append(1)\n    return len(seen)\n\n"
        "def test_one():\n    assert add() == 1\n\ndef test_two():\n    assert add() == 1\n"
    )
    with pytest.raises(NotReducible) as error:
        run_tests(tmp_path, {"test_x.py": text}, "pytest", "test_x.py")
    assert error.value.slug == "nothing-fails"
    assert "spoilt by what those leave behind" in str(error.value)


def test_options_that_pytest_does_not_know(tmp_path: Path) -> None:
    """They were meant for us, but are behind ``-m``."""
    files = {"test_x.py": "def test_x():\n    assert 0\n"}
    with pytest.raises(NotReducible) as error:
        run_tests(tmp_path, files, "pytest", "test_x.py", "--max-time", "3")
    assert "pytest does not understand or find 'test_x.py --max-time 3'" in str(error.value)
    assert "stand before -m" in str(error.value.hint)


def test_what_is_wrong_is_in_the_test(tmp_path: Path) -> None:
    with pytest.raises(NotReducible) as error:
        run_tests(tmp_path, {"test_x.py": "def test_x():\n    assert 0\n"}, "pytest", "test_x.py")
    assert error.value.slug == "no-suspects"


def test_a_traceback_is_told_in_whole_lines(tmp_path: Path) -> None:
    with pytest.raises(NotReducible) as error:
        run_tests(tmp_path, {"test_x.py": "def test_x(:\n    assert 0\n"}, "pytest", "test_x.py")
    told = str(error.value)
    assert "SyntaxError: invalid syntax" in told
    first = told.partition("cannot be collected: ")[2].split("\n")[0]
    assert first.startswith((" ", ".", "/", "E"))


def test_without_a_sandbox_nothing_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from stripe.sandbox import walls

    monkeypatch.setattr("stripe_pytrace.backend.find_layer", lambda: (walls.Layer.NONE, "a test"))
    with pytest.raises(UsageError) as error:
        suspects(tmp_path, "print(2)\n", expect=b"1")
    assert error.value.slug == "no-sandbox"


@pytest.mark.parametrize(
    ("words", "slug"),
    [
        (("prog.py",), "no-expectation"),
        (("--expect", "1", "-m", "pytest"), "no-expectation"),
        (("--cases", "no_such_folder", "prog.py"), "no-cases"),
        (("--cases", ".", "prog.py", "1"), "bad-option"),
        (("--cases", ".", "--stdin", "prog.py", "prog.py"), "bad-option"),
        (("--input", "1", "-m", "pytest"), "bad-option"),
        (("--expect", "1", "--stdin", "nothing.txt", "prog.py"), "no-input"),
        ((), "no-program"),
    ],
)
def test_requests_that_cannot_be_understood(room: Room, words, slug) -> None:
    room.program("print(1)\n")
    run = room.stripe("suspects", *words)
    assert run.status == 2
    assert f"[{slug}]" in run.err


def test_the_files_of_cases(tmp_path: Path) -> None:
    (tmp_path / "a.out").write_text("1\n")
    (tmp_path / "a.in").write_text("x")
    (tmp_path / "b.out").write_text("2\n")
    (tmp_path / "b.args").write_text("'two words' three")
    assert read_cases(str(tmp_path)) == [
        Case("a", (), b"x", b"1\n"),
        Case("b", ["two words", "three"], b"", b"2\n"),
    ]
    assert expected(str(tmp_path / "a.out")) == b"1\n"
    assert expected("3 4") == b"3 4"


def test_tests_are_collected_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is to be changed is learnt by the process that has collected them."""
    from stripe_pytrace.trial_processes import Processes

    began: list[object] = []
    start = Processes._start

    def counted(processes: Processes, key: tuple[int, bool]) -> object:
        began.append(key)
        return start(processes, key)

    monkeypatch.setattr(Processes, "_start", counted)
    files = {
        "half.py": "def half(n):\n    return n / 2\n",
        "test_half.py": "from half import half\ndef test_odd():\n    assert half(3) == 1\n"
        "def test_even():\n    assert half(4) == 2\n",
    }
    found = run_tests(tmp_path, files, "pytest", "test_half.py", max_tests=20)
    assert found.places[0].words == "`n // 2` instead of `n / 2`"
    assert began == [(0, False)]


POOL = """\
import os, threading

def work():
    threading.Event().wait()

for _ in range(int(os.environ.get("OMP_NUM_THREADS", "2")) - 1):
    threading.Thread(target=work, daemon=True).start()

def half(n):
    return n / 2
"""
"""Starts threads while it is imported, as numerical libraries do."""

HALVES = """\
from half import half

def test_odd():
    assert half(3) == 1

def test_even():
    assert half(4) == 2
"""


def test_libraries_are_asked_for_one_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With numpy, and so with pandas, tests were refused."""
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    files = {"half.py": POOL, "test_half.py": HALVES}
    found = run_tests(tmp_path, files, "pytest", "test_half.py", max_tests=20, only=["half.py"])
    assert found.places[0].words == "`n // 2` instead of `n / 2`"
    assert not any("threads" in each for each in found.notes)


@pytest.mark.parametrize("face", ["pytest", "unittest"])
def test_what_starts_threads_on_import_is_imported_anew_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, face: str
) -> None:
    """A process with threads cannot be forked; one that has not imported anything yet, can."""
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    tests = HALVES
    if face == "unittest":
        tests = HALVES.replace("def test_", "    def test_").replace("()", "(self)")
        tests = tests.replace("    assert", "        assert")
        head = "import unittest\nclass T(unittest.TestCase):\n    def test_odd"
        tests = tests.replace("    def test_odd", head, 1)
    files = {"half.py": POOL, "test_half.py": tests}
    found = run_tests(tmp_path, files, face, "test_half" + ".py" * (face == "pytest"), max_tests=20)
    assert len(found.passing) == len(found.failing) == 1
    assert found.places[0].words == "`n // 2` instead of `n / 2`"
    assert found.places[0].broken == 0
    note = next(each for each in found.notes if "starts threads" in each)
    assert "work (half.py:3) (2 threads)" in note
    assert "You have set OMP_NUM_THREADS: unset it" in note


def test_a_test_that_kills_its_process_is_one_that_fails(tmp_path: Path) -> None:
    """The others are run without it, and their part of the spectrum is whole."""
    files = {
        "m.py": "import os\n\ndef end(n):\n    if n >= 3:\n        os._exit(1)\n    return n\n",
        "test_m.py": "from m import end\n"
        + "".join(f"def test_{n}():\n    assert end({n}) == {n}\n" for n in range(4)),
    }
    found = run_tests(tmp_path, files, "pytest", "test_m.py", max_tests=30)
    assert found.failing == ("test_m.py::test_3",)
    assert len(found.passing) == 3
    assert found.places[0].repaired == 1


def test_with_hardly_any_time_something_is_tried(tmp_path: Path) -> None:
    found = suspects(tmp_path, COUNT, CASES, max_time=0.01)
    assert found.tried >= 10


def test_with_hardly_any_time_tests_are_run(tmp_path: Path) -> None:
    """To collect them takes all of it: that was said to be no test that fails."""
    files = {
        "half.py": "def half(n):\n    return n / 2\n",
        "test_half.py": "from half import half\ndef test_odd():\n    assert half(3) == 1\n",
    }
    found = run_tests(tmp_path, files, "pytest", "test_half.py", max_time=0.01)
    assert found.failing == ("test_half.py::test_odd",)
    assert found.tried >= 10


def test_tests_for_which_there_was_no_time_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They were said to be no test that fails."""
    from stripe_pytrace.baseline_tests import Looking

    monkeypatch.setattr(Looking, "_all", lambda looking, numbers: {})
    files = {"test_x.py": "def test_x():\n    assert 0\n"}
    with pytest.raises(NotReducible) as error:
        run_tests(tmp_path, files, "pytest", "test_x.py")
    assert "in the time for that, and are left out: test_x.py::test_x." in str(error.value)
    assert "there is none" not in str(error.value)
    assert "No test was seen to fail" in str(error.value)


def test_the_test_that_is_asked_about_is_run_before_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where they took all the time it was left out, and said not to fail."""
    from stripe_pytrace.baseline_tests import Looking

    orders = []
    look = Looking._all

    def noted(looking, numbers):
        orders.append([looking.names[each] for each in numbers])
        return look(looking, numbers)

    monkeypatch.setattr(Looking, "_all", noted)
    names = [f"test_half.py::{each}" for each in ("test_even", "test_odd[3]", "test_odd[5]")]
    files = {
        "half.py": "def half(n):\n    return n // 2\n",
        "test_half.py": "import pytest\nfrom half import half\ndef test_even():\n"
        "    assert half(4) == 2\n@pytest.mark.parametrize('n', [3, 5])\ndef test_odd(n):\n"
        "    assert half(n) == n / 2\n",
    }
    run_tests(tmp_path, files, "pytest", "test_half.py", failing=["test_half.py::test_odd"])
    assert orders[0] == [*names[1:], names[0]]


def test_skipped_tests_are_counted_as_left_out(tmp_path: Path) -> None:
    files = {
        "half.py": "def half(n):\n    return n / 2\n",
        "test_half.py": "import pytest\nfrom half import half\n"
        "def test_odd():\n    assert half(3) == 1\n"
        "@pytest.mark.skip\ndef test_never():\n    assert half(3) == 1\n"
        "@pytest.mark.xfail\ndef test_some_day():\n    assert half(3) == 2\n",
    }
    found = run_tests(tmp_path, files, "pytest", "test_half.py", max_tests=20)
    assert found.failing == ("test_half.py::test_odd",)
    assert found.left_out == ("test_half.py::test_never", "test_half.py::test_some_day")


def test_a_test_that_hangs_fails_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not run once more for the values before the change: it would tell none."""
    from stripe_pytrace.trial_processes import Processes

    asked: list[dict[str, Any]] = []
    ask = Processes.ask

    def counted(processes: Processes, request: dict[str, Any], **more: Any) -> object:
        asked.append(request)
        return ask(processes, request, **more)

    monkeypatch.setattr(Processes, "ask", counted)
    text = "import sys\nn = int(sys.argv[1])\nwhile n != 1:\n    n -= 2\nprint('done')\n"
    cases = [Case(each, (each,), b"", b"done") for each in ("3", "4")]
    found = suspects(tmp_path, text, cases, timeout=2.0, max_time=240, max_tests=5)
    assert (found.failing, found.passing) == (("4",), ("3",))
    values = found.places[0].values
    assert (values.before, values.after) == ((), ("False",))
    assert [each["old"] for each in asked if each["task"] == "show"] == [False]
    assert any("Tests hang, which is taken for their failure: " in each for each in found.notes)


def test_how_long_a_test_hangs_is_not_how_long_a_change_may_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Had each change as long, there would be time for nine."""
    monkeypatch.setattr(suspect_search, "LOOKING", 0.2)
    files = {
        "bits.py": "def bits(n):\n    count = 0\n    while n:\n        n ^= n - 1\n"
        "        count += 1\n    return count\n",
        "test_bits.py": "from bits import bits\n\ndef test_127():\n    assert bits(127) == 7\n",
    }
    found = run_tests(tmp_path, files, "pytest", "test_bits.py", max_time=120, max_tests=80)
    assert found.tried > 50
    assert found.places[0].line == 4
    assert "n &= n - 1" in (found.places[0].diff or "")


@pytest.mark.parametrize("tester", [True, False])
def test_a_hang_is_told_though_others_had_the_processors_at_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tester: bool
) -> None:
    """Nothing failed then, as it could not be told how it ends; there was time to look again."""
    from stripe_pytrace.trial_processes import Processes

    ask = Processes.ask
    starved: list[object] = []

    def busy(processes: Processes, request: dict[str, Any], **more: Any) -> Any:
        facts = ask(processes, request, **more)
        if request["task"] == "look" and not starved:
            starved.append(request)
            facts = {**facts, "processor": 0.1, "told": {**facts["told"], "starved": True}}
        return facts

    monkeypatch.setattr(Processes, "ask", busy)
    text = "def half(n):\n    while n:\n        n ^= n - 1\n    return n\n"
    limits = {"max_time": 60, "max_tests": 3}
    if tester:
        test = "from half import half\n\ndef test_it():\n    assert half(7) == 0\n"
        files = {"half.py": text, "test_half.py": test}
        found = run_tests(tmp_path, files, "pytest", "test_half.py", **limits)
        assert found.failing == ("test_half.py::test_it",)
    else:
        found = suspects(tmp_path, f"{text}print(half(7))\n", [Case("a", (), b"", b"0")], **limits)
        assert found.failing == ("a",)
    assert starved
    assert any("Tests hang, which is taken for their failure: " in each for each in found.notes)


def test_what_is_executed_before_a_test_is_called_is_changed_there(tmp_path: Path) -> None:
    """By a fixture; and a generator that it makes is not begun before the test is called."""
    files = {
        "half.py": "def half(n):\n    return n / 2\n\n\ndef halves(n):\n    yield n / 2\n",
        "test_half.py": (
            "import pytest\nfrom half import half, halves\n\n\n"
            "@pytest.fixture\ndef made():\n    return half(7)\n\n\n"
            "@pytest.fixture\ndef begun():\n    return halves(7)\n\n\n"
            "def test_made(made):\n    assert made == 3\n\n\n"
            "def test_begun(begun):\n    assert list(begun) == [3]\n"
        ),
    }
    for name, line in (("made", 2), ("begun", 6)):
        found = run_tests(
            tmp_path, files, "pytest", f"test_half.py::test_{name}", "-pno:cacheprovider",
            max_tests=30,
        )  # fmt: skip
        best = [(each.line, each.words) for each in found.places]
        assert best == [(line, "`n // 2` instead of `n / 2`")]


@pytest.mark.parametrize("option", [(), ("--stdin", "in.txt"), ("--input", "2 3")])
def test_what_the_run_reads(room: Room, option: tuple[str, ...]) -> None:
    """As for ``stripe trace``: our own standard input, if nothing else is named."""
    room.program("a, b = map(int, input().split())\nprint(a - b)\n")
    room.file("in.txt", "2 3")
    words = ("--expect", "5", "--max-tests", "60", "--no-slice", *option)
    run = room.stripe("suspects", *words, "prog.py", stdin="" if option else "2 3")
    assert "`a + b` instead of `a - b`" in run.out, run.err


def test_what_is_suspected_is_not_overwritten(room: Room) -> None:
    """Not even by force: a module that nobody has named."""
    text = "def half(n):\n    return n / 2\n"
    room.program("from half import half\nprint(half(3))\n")
    room.file("half.py", text)
    words = ("--expect", "1", "--max-tests", "20", "--no-slice", "--force", "-q")
    run = room.stripe("suspects", *words, "--html", "half.py", "prog.py", writes=("half-2.py",))
    assert run.status == 0, run.err
    assert (room.work / "half.py").read_text() == text


def test_an_exception_that_a_handler_was_not_written_for(tmp_path: Path) -> None:
    files = {
        "numbers_.py": "def number(text, default):\n    try:\n        return int(text)\n"
        "    except ValueError:\n        return default\n",
        "test_numbers.py": "from numbers_ import number\n"
        "def test_none():\n    assert number(None, 3) == 3\n"
        "def test_word():\n    assert number('a', 4) == 4\n"
        "def test_number():\n    assert number('5', 4) == 5\n",
    }
    found = run_tests(tmp_path, files, "pytest", "test_numbers.py", max_tests=60)
    told = {each.line: each.words for each in found.places}
    assert told[4] == "`(ValueError, TypeError)` instead of `ValueError`"


def test_what_a_passing_test_has_left_behind_is_executed_by_a_failing_one_alone(
    tmp_path: Path,
) -> None:
    """A table is made by the first test that needs it: no line of that was suspected."""
    files = {
        "sizes.py": "table = {}\n\n\ndef fill():\n    table['small'] = 1\n"
        "    table['large'] = 10 // 3\n\n\n"
        "def size(name):\n    if not table:\n        fill()\n    return table[name]\n",
        "test_sizes.py": "from sizes import size\n"
        "def test_small():\n    assert size('small') == 1\n"
        "def test_large():\n    assert size('large') == 10\n",
    }
    found = run_tests(tmp_path, files, "pytest", "test_sizes.py", max_tests=60)
    assert found.failing == ("test_sizes.py::test_large",)
    assert 6 in {each.line for each in found.ranking}
    assert 6 in {each.line for each in found.places if each.repaired and not each.broken}


def test_changes_that_are_listed_later_are_of_files_that_nobody_knew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that tries them has begun before, without the second file."""
    monkeypatch.setattr("stripe.suspects.order.LINES_AT_ONCE", 1)
    files = {
        "early.py": "def twice(n):\n    return n + n\n",
        "late.py": "def half(n):\n    return n / 2\n",
        "test_both.py": "from early import twice\nfrom late import half\n"
        "def test_odd():\n    assert twice(half(3)) == 2\n"
        "def test_even():\n    assert twice(half(4)) == 4\n",
    }
    found = run_tests(tmp_path, files, "pytest", "test_both.py", max_tests=120)
    assert ("late.py", "n // 2") in {(each.file, each.words.split("`")[1]) for each in found.places}
