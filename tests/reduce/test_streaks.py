"""Rounds and calls in a row: they go together where none of them can go alone."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import replace

from stripe.backend import Target
from stripe.checks import parse_checks
from stripe.reduce import CriticalSlice, Settings, reduce
from stripe.reduce.streaks import streaks
from stripe_pytrace.backend import PythonBackend

FIVE, SEVEN = array("i", range(5)), array("i", range(10, 17))


def test_a_part_of_each_group_side_by_side_from_the_end_on_the_smaller_group_first():
    found = streaks([SEVEN, FIVE], 1 / 2)
    assert [*map(list, found)] == [[3, 4], [1, 2], [14, 15, 16], [11, 12, 13]]


def test_nothing_alone_is_a_streak():
    assert [*map(list, streaks([SEVEN, FIVE], 1 / 3))] == [[15, 16], [13, 14], [11, 12]]


CALLS = """\
side = 0
def turn():
    global side
    side = (side + 1) % 13
for number in range(27):
    turn()
print(side)
"""
TOWERS = """\
pegs = {"a": list(range(6, 0, -1)), "b": [], "c": []}
def move(source, target):
    disk = pegs[source].pop()
    pegs[target].append(disk)
def hanoi(count, source, target, spare):
    if count == 0:
        return
    hanoi(count - 1, source, spare, target)
    move(source, target)
    hanoi(count - 1, spare, target, source)
hanoi(6, "a", "c", "b")
print([len(pegs[name]) for name in "abc"])
"""
ALL_NEEDED = """\
def twice(number):
    return 2 * number
number = 1
for step in range(40):
    number = twice(number)
print(number)
"""


def searched(folder, source: str, jobs: int = 1) -> tuple[CriticalSlice, Counter[int]]:
    """The slice, and how many executions of each line it has."""
    (folder / "prog.py").write_text(source, "utf-8")
    recording = PythonBackend().record(Target("prog.py", directory=folder))
    try:
        settings = replace(Settings(), jobs=jobs)
        (found,) = reduce(recording, parse_checks(["stdout"]), settings).slices
        statements, statement = recording.trace.statements, recording.trace.statement
        return found, Counter(statements[statement[event]].line for event in found.events)
    finally:
        recording.close()


def test_calls_that_go_in_a_row_only(tmp_path):
    found, kept = searched(tmp_path, CALLS)
    assert found.certified
    assert kept[4] == 1  # of 27: thirteen of them change nothing


def test_calls_within_calls_that_go_in_a_row(tmp_path):
    found, kept = searched(tmp_path, TOWERS)
    assert found.certified
    assert kept[4] < 63  # of as many moves, none of which can go alone


def test_the_same_with_two_jobs(tmp_path):
    alone, _ = searched(tmp_path, CALLS)
    together, _ = searched(tmp_path, CALLS, jobs=2)
    assert (together.events, together.tests) == (alone.events, alone.tests)


def test_next_to_nothing_is_tried_where_all_is_needed(tmp_path):
    found, kept = searched(tmp_path, ALL_NEEDED)
    assert found.certified
    assert kept[2] == 40
    assert found.tests <= 1.2 * len(found.events)
