"""The sample programs, run as their first lines say: what each slice must teach."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.e2e.harness import Room
from tests.stripe_gdb.native import needs_calls, needs_cc, needs_gdb

FOLDER = Path(__file__).parents[2] / "examples" / "sample_programs"

# How many executions of which line are kept.
SAMPLES = {
    # The sale of apples in the north, and that both shops were given one stock.
    "shops.py": {3: 1, 6: 1, 8: 2, 11: 1, 12: 1, 17: 1, 18: 1, 19: 1, 23: 1},
    # One zero factor decides mul, five additions make sum; b and the loop test are not needed.
    "sample.py": {3: 1, 4: 1, 5: 1, 8: 5, 9: 1, 10: 5, 11: 1, 12: 1},
    # The calls that lead to the crash, once each, and the record it died on: the third.
    "crash.py": {
        3: 1, 11: 1, 12: 1, 15: 1, 18: 1, 20: 1, 25: 1, 26: 1, 28: 3, 29: 1, 36: 1,
    },
    # Line 25 is the mistake; the shipping it should have used is not in the slice.
    "wrong_total.py": {
        3: 1, 5: 1, 6: 1, 7: 1, 11: 1, 14: 3, 15: 3, 16: 3, 21: 1, 23: 1, 24: 1, 25: 1, 26: 1,
        34: 1,
    },
    # Of 24 activations three matter: 6, 6 - 3 and 0.
    "recursion.py": {7: 1, 12: 1, 14: 4, 17: 2, 19: 2, 20: 2, 23: 1, 24: 1, 25: 1, 27: 1},
    # The deposit (34) and the transfer (37) that left Alice with 10, and the one that failed.
    "account.py": {
        7: 1, 10: 1, 16: 1, 20: 1, 26: 1, 3: 1, 31: 1, 11: 1, 12: 1, 32: 1, 33: 1, 34: 1, 17: 1,
        37: 1, 27: 2, 23: 1, 42: 1, 22: 1,
    },
    # All lines are read, and one of them is looked at.
    "read_file.py": {3: 1, 8: 1, 9: 9, 14: 1, 15: 1, 21: 1, 25: 1, 28: 1},
    # Line 35, in the finally, runs three times, line 33 two times: that is the failure.  What was
    # compared counts, 2 and 3, and not which fruit is in the list behind the 3.
    "cleanup.py": {
        23: 1, 24: 1, 25: 1, 26: 1, 33: 2, 35: 3, 36: 1, 39: 1, 40: 1, 44: 1, 45: 1,
    },
    # One record through all stages; the others are only read over.
    "pipeline.py": {
        3: 1, 14: 1, 15: 5, 18: 1, 21: 1, 22: 4, 23: 1, 24: 1, 27: 1, 29: 4, 32: 1, 36: 1, 37: 1,
        38: 2, 40: 1, 43: 1, 44: 2, 46: 1,
    },
    # The faulty condition (23) is in the slice.
    "condition.py": {3: 1, 4: 1, 15: 1, 16: 1, 18: 3, 19: 3, 23: 1, 24: 1, 25: 1, 29: 1},
}  # fmt: skip

# How many tests the guided search may use.
BUDGETS = {
    "shops.py": 40, "sample.py": 34, "crash.py": 18, "wrong_total.py": 24, "recursion.py": 20,
    "account.py": 45, "read_file.py": 70, "cleanup.py": 40, "pipeline.py": 72, "condition.py": 20,
}  # fmt: skip

CHAINS = {
    # The argument count, the size, the element beyond the array, and the faulty call.
    "shell_sort.py": [("argc", "3"), ("size", "2"), ("a[2]", "0"), ("value", "0"), ("a[0]", "0")],
    # The same in C: the element is what happens to be in the heap behind the two numbers.
    "shell_sort.c": [("argc", "3"), ("size", "2"), ("a[2]", "0"), ("value", "0"), ("a[0]", "0")],
}


def run_line(program: str) -> str:
    first, second = (FOLDER / program).read_text().splitlines()[:2]
    begin, go_on = ("/* ", "   ") if program.endswith(".c") else ("# ", "# ")
    assert first.startswith((f"{begin}Run: stripe trace ", f"{begin}Run: stripe causes "))
    assert second.startswith(go_on)
    return first.removeprefix(f"{begin}Run: ")


@pytest.fixture
def samples(room: Room) -> Room:
    """A room with copies of the sample programs."""
    shutil.copytree(FOLDER, room.work, dirs_exist_ok=True)
    return room


def run_in_shell(room: Room, line: str, target: Path) -> tuple[dict[int, int], int]:
    """Run a command line as it is written: the kept events of each line, and the tests used."""
    line = line.replace("stripe trace", f"stripe trace --json {target}", 1)
    run = room.line(line)
    assert run.status == 0, run
    assert "1-minimal      yes" in run.out
    assert "fresh process  reproduced" in run.out
    data = json.loads(target.read_text())
    (found,) = data["slices"]
    assert found["certified"] is True
    lines = [data["statements"][data["trace"]["statement"][e]]["line"] for e in found["events"]]
    return {line: lines.count(line) for line in lines}, found["tests"]["executed"]


@pytest.mark.quality
@pytest.mark.parametrize("program", SAMPLES)
def test_the_slice_of_a_sample(samples: Room, program: str) -> None:
    kept, tests = run_in_shell(samples, run_line(program), samples.elsewhere / "result.json")
    assert kept == SAMPLES[program]
    assert tests <= BUDGETS[program]


@pytest.mark.parametrize(
    "program",
    [
        each
        if each.endswith(".py")
        else pytest.param(each, marks=[needs_gdb, needs_cc, needs_calls])
        for each in CHAINS
    ],
)
def test_the_causes_in_a_sample(samples: Room, program: str) -> None:
    line = run_line(program).replace("stripe causes", "stripe causes --json -", 1)
    found = samples.line(line).result
    chain = found["chain"]
    steps = [chain[0], *(chain[each["to"]] for each in found["transitions"])]
    assert [
        (each["name"], each["failing"]) for step in steps for each in step["variables"]
    ] == CHAINS[program]
    assert found["certified"] is True
    assert all(each["direct"] for each in found["transitions"])
    texts = (FOLDER / program).read_text().splitlines()
    ends = [texts[chain[each["to"]]["line"] - 1].strip() for each in found["transitions"]]
    assert any(end.startswith("shell_sort(a, argc)") for end in ends), (
        "a transition falls on the faulty call"
    )


def test_no_sample_is_left_out() -> None:
    assert {path.name for path in FOLDER.glob("*.py")} == {*SAMPLES, *CHAINS} - {"shell_sort.c"}


def test_the_paper_keeps_16_events(samples: Room) -> None:
    """Cleve & Zeller 2000; Python keeps 16 of its 31 events for both, 13 for sum, 4 for mul."""
    run = samples.trace(
        "sample.py", "--input", "0\n5\n", "--check", "sum=stdout:/^sum/",
        "--check", "mul=stdout:/^mul/",
    )  # fmt: skip
    assert run.kept(0) == {3: 1, 5: 1, 8: 5, 10: 5, 11: 1}
    assert run.kept(1) == {4: 1, 5: 1, 9: 1, 12: 1}
    assert run.slice(0)["tests"]["executed"] <= 24
    assert run.slice(1)["tests"]["executed"] <= 14


def test_trace_control_drops_the_faulty_condition(samples: Room) -> None:
    run = samples.trace("condition.py", "--check", "stdout:/^to pay/")
    assert 23 not in run.lines()
    assert run.kept() == {4: 1, 15: 1, 16: 1, 18: 3, 19: 3, 24: 1, 25: 1, 29: 1}


def test_the_table_of_the_samples_has_the_same_commands() -> None:
    text = (FOLDER / "README.md").read_text()
    for program in (*SAMPLES, *CHAINS):
        assert f"`{program}`" in text
        assert f"`{run_line(program)}`" in text
