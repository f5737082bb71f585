"""``make mutants``: small changes of a source, and whether tests notice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.harm import jail
from tools.mutants import entering
from tools.mutants.__main__ import Jailed, judged, nearest
from tools.mutants.operators import Mutation, functions, mutations
from tools.mutants.rooms import ROOMS, ROOT, Room, equivalents, sample

SOURCE = '''\
"""A module."""

LIMIT = 3


def clip(value, low=0, high=LIMIT):
    """Not below low."""
    if value < low or not value:
        return low
    if value > high:
        raise ValueError(f"{value + 1} is too much")
    for each in range(2):
        try:
            self.rest -= each
        except KeyError:
            break
    return max(value, low)
'''


def changes(source: str) -> set[tuple[str, str]]:
    return {(each.before, each.after) for each in mutations("a.py", source)}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if value < low or not value:", "if (value <= low) or not value:"),
        ("if value < low or not value:", "if (value < low and (not value)):"),
        ("if value < low or not value:", "if value < low or (value):"),
        ("if value < low or not value:", "if (not (value < low or not value)):"),
        ("if value < low or not value:", "if True:"),
        ("if value < low or not value:", "if False:"),
        ("return low", "return None"),
        ('raise ValueError(f"{value + 1} is too much")', "pass"),
        ("for each in range(2):", "for each in range(3):"),
        ("self.rest -= each", "self.rest += each"),
        ("self.rest -= each", "pass"),
        ("except KeyError:", "except ():"),
        ("break", "continue"),
        ("return max(value, low)", "return (min(value, low))"),
        (
            "def clip(value, low=0, high=LIMIT):",
            "def clip(value, low=1, high=LIMIT):",
        ),
    ],
)
def test_a_small_change(before: str, after: str) -> None:
    assert (before, after) in changes(SOURCE)


def test_wording_and_what_a_module_does_are_left_alone() -> None:
    touched = " ".join(before for before, _ in changes(SOURCE))
    assert "LIMIT = 3" not in touched
    assert "Not below" not in touched
    assert all("is too much" not in after for _, after in changes(SOURCE))


def test_each_mutant_is_a_program_and_has_a_name_of_its_own() -> None:
    path = ROOT / "stripe" / "dd" / "searches" / "splitting.py"
    found = mutations(path.name, path.read_text())
    assert len({each.id for each in found}) == len(found)
    for each in found:
        compile(each.text, path.name, "exec")


def test_a_mutant_is_known_again_when_lines_have_moved() -> None:
    moved = SOURCE.replace("LIMIT = 3\n", "LIMIT = 3\nMORE = 4\n")
    assert [each.id for each in mutations("a.py", moved)] == [
        each.id for each in mutations("a.py", SOURCE)
    ]


def test_functions_are_named_by_their_first_line() -> None:
    source = "class A:\n    @property\n    def b(self):\n        def c(): pass\n"
    assert functions(source) == {2: "A.b", 4: "A.b.c"}


def test_functions_that_are_entered() -> None:
    entering.entered.clear()
    entering.listen()
    try:
        changes(SOURCE)
    finally:
        entering.stop()
    path = ROOT / "tools" / "mutants" / "operators.py"
    names = functions(path.read_text())
    found = {names.get(first) for name, first, _ in entering.entered if name.endswith(path.name)}
    assert {"mutations", "_here"} <= found
    assert "functions" not in found
    executed = {line for name, _, line in entering.entered if name.endswith(path.name)}
    texts = {path.read_text().splitlines()[line - 1].strip() for line in executed}
    assert {
        "yield from _here(node)",
        "if isinstance(node, ast.Raise):  # what is raised is wording",
    } <= texts
    assert 'if name in ("annotation", "ops", "op", "ctx"):' in texts


def test_mutants_are_spread_over_a_room() -> None:
    chosen = sample(ROOMS["dd"], 60, 1)
    assert len({each.id for each in chosen}) == 60
    assert max(Counter((each.path, each.function) for each in chosen).values()) == 1
    assert chosen[:30] == sample(ROOMS["dd"], 30, 1)
    assert chosen != sample(ROOMS["dd"], 60, 2)


def test_each_equivalent_has_its_reason() -> None:
    assert all(len(id) == 8 and reason.strip() for id, reason in equivalents().items())


def test_the_tests_nearest_to_a_change_are_run_first() -> None:
    tests: list[dict[str, Any]] = [
        {"test": "slow", "file": "1", "seconds": 3.0, "executed": {"a.py": {"f": [1, 2]}}},
        {"test": "else::where", "file": "2", "seconds": 1.0, "executed": {"a.py": {"g": [2]}}},
        {"test": "quick::one", "file": "1", "seconds": 2.0, "executed": {"a.py": {"f": [1]}}},
    ]
    room = Room(
        "room", "", (), (("guests/", ("else::",)), ("places/", ("else", "quick", "quick::")))
    )

    def names(
        cap: float, kills: dict[tuple[str, str], int], path: str = "a.py", line: int = 3
    ) -> list[str]:
        found = Mutation(path, "f", line, "", "", "", 1, "\n\ndef f():\n    return g()\n")
        return [each["test"] for each in nearest(room, found, tests, Counter(kills), cap)]

    assert names(9, {}) == ["quick::one", "slow"]
    assert names(9, {}, line=5) == ["slow", "quick::one"], "those that execute the line itself"
    assert names(4, {}) == ["quick::one"]
    assert names(0, {("a.py", "slow"): 1}) == ["slow"]
    before = Mutation("a.py", "f", 3, "", "", "", 1, "").id
    assert names(9, {(before, "slow"): 1}) == ["slow", "quick::one"], "what killed it before"
    assert names(9, {}, "other.py") == ["else::where", "quick::one", "slow"]
    assert names(9, {}, "guests/other.py") == ["else::where"]
    assert names(9, {}, "places/other.py") == ["quick::one", "else::where"]


def test_the_tests_that_a_room_names_are_there() -> None:
    for room in ROOMS.values():
        named = {each.partition("::")[0] for _, files in room.guests for each in files}
        assert all((ROOT / place).exists() for place in (*room.tests, *named))


class Suite:
    """Stands in for a jail: tests that fail on the mutant, and on the tree as it is."""

    def __init__(self, mutant: dict[str, str], unchanged: set[str]) -> None:
        self.mutant, self.unchanged = mutant, unchanged
        self.asked: list[list[str]] = []

    def answer(self, job: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(job["tests"])
        for number, test in enumerate(job["tests"], 1):
            if test in (self.mutant if "text" in job else self.unchanged):
                by = test + self.mutant.get(test, "")
                return {"outcome": "killed", "by": by, "ran": job["tests"][:number]}
        return {"outcome": "survived", "ran": job["tests"]}


def verdict(tests: Suite, trusted: dict[str, bool]) -> tuple[str, str]:
    job = {"path": "a.py", "text": "", "tests": ["one", "two", "three"]}
    answer = judged(tests, job, trusted)  # type: ignore[arg-type]
    return answer["outcome"], answer.get("by", "")


def test_a_test_that_fails_without_a_change_kills_nothing() -> None:
    trusted: dict[str, bool] = {}
    assert verdict(Suite({"two": ""}, {"two"}), trusted) == ("survived", "")
    assert trusted == {"two": False}
    sound = Suite({"two": "", "three": ""}, {"two"})
    assert verdict(sound, trusted) == ("killed", "three")
    assert sound.asked == [["one", "three"], ["one", "three"]], (
        "once as it is, after the same tests"
    )
    assert verdict(sound, trusted) == ("killed", "three")
    assert len(sound.asked) == 3, "it is known to pass"
    assert verdict(Suite({}, {"one"}), {}) == ("survived", "")


def test_an_endless_test_is_tried_alone() -> None:
    endless = Suite({"two": " (endless)"}, set())
    assert verdict(endless, {}) == ("killed", "two (endless)")
    assert endless.asked == [["one", "two", "three"], ["two"], ["one", "two"]]


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "toy.py").write_text(
        "def double(number):\n    return number * 2\n\ndef wait():\n    while False: pass\n"
    )
    (tmp_path / "tests" / "test_toy.py").write_text(
        "import toy\n\ndef test_four():\n    toy.wait()\n    assert toy.double(2) == 4\n"
    )
    return tmp_path


def test_a_kill_a_survivor_and_an_endless_one(toy: Path) -> None:
    if reason := jail.unavailable():
        pytest.skip(f"no jail: {reason}")
    source = (toy / "tests" / "toy.py").read_text()
    test = "tests/test_toy.py::test_four"
    jailed = Jailed(toy)

    def answer(text: str, limit: float = 60) -> dict[str, Any]:
        job = {"path": "tests/toy.py", "text": text, "folder": "tests", "tests": [test]}
        return jailed.answer({**job, "limit": 60, "limits": {test: limit}})

    try:
        listed = jailed.answer(
            {"folder": "tests", "tests": ["tests"], "limit": 60, "limits": {}, "all": True}
        )
        killed = answer(source.replace("* 2", "* 3"))
        survived = answer(source.replace("* 2", "+ 2"))
        endless = answer(source.replace("False", "True"), limit=1)
    finally:
        jailed.end()
    assert [each["test"] for each in listed["ran"]] == [test]
    assert (killed["outcome"], killed["by"]) == ("killed", test)
    assert (survived["outcome"], survived["ran"]) == ("survived", [test])
    assert (endless["outcome"], endless["by"]) == ("killed", f"{test} (endless)")
    assert (toy / "tests" / "toy.py").read_text() == source
