"""Executions of several statements that can only go together: what is made, and what is used."""

from __future__ import annotations

from array import array
from collections import Counter

import pytest

from stripe.backend import Target
from stripe.checks import parse_checks
from stripe.reduce import CriticalSlice, Settings, reduce
from stripe.reduce.abreast import OFTEN, abreast
from stripe.reduce.groups import VERY_OFTEN, Abreast, remaining, within
from stripe.trace import Trace
from stripe_pytrace.backend import PythonBackend

MADE_AND_USED = """\
made = []
for number in range(40):
    made.append(number)
found = ""
for each in made:
    if each in (20, 25, 31):
        found += str(each)
print(found)
"""
ALL_BUT_ONE = """\
made = []
seed = 1
for number in range(40):
    seed = seed * 5 % 101
    made.append(seed * 1000 + number)
found = ""
for each in made:
    if each % 1000 in (20, 25, 31):
        found += str(each)
print(found)
"""
ONE_MORE = """\
made = [0]
for number in range(40):
    made.append(number)
found = ""
for each in made:
    if each in (20, 25, 31):
        found += str(each)
print(found)
"""
LAST_IN_FIRST_OUT = """\
class Link:
    def __init__(self, value, rest):
        self.value = value
        self.rest = rest
chain = None
for number in range(40):
    chain = Link(number, chain)
while chain is not None:
    last = chain.value
    chain = chain.rest
print("first", last)
"""


def searched(folder, source: str) -> tuple[CriticalSlice, Counter[int]]:
    """The slice of what a program prints, and how often each line is in it."""
    (folder / "prog.py").write_text(source, "utf-8")
    recording = PythonBackend().record(Target("prog.py", directory=folder))
    try:
        (found,) = reduce(recording, parse_checks(["stdout"]), Settings()).slices
        trace = recording.trace
        kept = (trace.statements[trace.statement[event]] for event in found.events)
        return found, Counter(each.line for each in kept)
    finally:
        recording.close()


KEPT = {
    "MADE_AND_USED": {3: 4, 5: 4, 7: 3},
    "ALL_BUT_ONE": {5: 4, 7: 4, 9: 3},  # each seed needs the one before
    "ONE_MORE": {3: 5, 5: 6, 7: 3},
    "LAST_IN_FIRST_OUT": {3: 1, 4: 1, 7: 2, 10: 1},
}


@pytest.mark.parametrize("name", KEPT)
def test_what_is_made_goes_with_its_turn(name, tmp_path):
    found, lines = searched(tmp_path, globals()[name])
    assert found.certified
    assert {line: lines[line] for line in KEPT[name]} == KEPT[name]


def side_by_side(folder, source: str) -> tuple[Trace, list[Abreast]]:
    (folder / "prog.py").write_text(source, "utf-8")
    recording = PythonBackend().record(Target("prog.py", directory=folder))
    try:
        trace = recording.trace
        return trace, list(abreast(trace, range(len(trace)), within(trace)))
    finally:
        recording.close()


def named(trace: Trace, found: Abreast) -> list[list[str]]:
    """The first and the last execution of each statement."""
    return [[trace.name(group[0]), trace.name(group[-1])] for group in found.statements]


@pytest.mark.parametrize(("times", "many"), [(OFTEN, 1), (OFTEN - 1, 0)])
def test_statements_executed_equally_often_are_side_by_side(times, many, tmp_path):
    source = f"a = b = 0\nwhile b < {times}:\n    a += 1\n    b += 1\n"
    trace, found = side_by_side(tmp_path, source)
    expected = [[["3_3", "3_36"], ["4_4", "4_37"]]] * many
    assert [named(trace, each) for each in found[-1:]] == expected


def test_what_is_executed_once_more_is_without_its_last_execution_or_without_its_first(tmp_path):
    trace, found = side_by_side(tmp_path, f"for number in range({OFTEN}):\n    a = number\n")
    assert [named(trace, each) for each in found] == [
        [["2_2", "2_24"], ["1_1", "1_23"]],
        [["2_2", "2_24"], ["1_3", "1_25"]],
    ]


def test_those_in_whose_rounds_least_happened_come_first_and_then_from_the_middle_on(tmp_path):
    source = "for number in range(12):\n    a = number\n    if a not in (3, 6):\n        b = 1\n"
    _, found = side_by_side(tmp_path, source)
    assert [*found[-1].order] == [6, 3, 5, 7, 4, 8, 9, 2, 10, 1, 11, 0]


@pytest.mark.parametrize(("times", "many"), [(VERY_OFTEN, 4), (VERY_OFTEN - 1, 1)])
def test_all_of_them_but_one_are_tried_if_they_are_executed_very_often(times, many):
    columns = [array("i", range(first, 3 * times, 3)) for first in range(3)]
    found = list(Abreast(columns, range(times)).chosen())
    assert [[*each[1]] for each in found] == [[3, 4, 5], [3, 4], [3, 5], [4, 5]][:many]


def test_a_part_of_them_is_made_when_it_is_asked_for():
    units = Abreast([array("i", [5, 6]), array("i", [1, 9])], [1, 0])
    assert [[*each] for each in units] == [[6, 9], [1, 5]]
    assert [[*each] for each in units[1:]] == [[1, 5]]
    assert units.there([0, 1, 0, 0, 0, 1, 1, 0, 0, 1])
    assert not units.there([0, 1, 0, 0, 0, 1, 1, 0, 0, 0])


def test_of_those_that_are_left_any_event_is():
    units = Abreast([array("i", [0, 1, 2]), array("i", [3, 4, 5])], [2, 0, 1])
    left = remaining(units, bytearray([0, 1, 0, 0, 0, 1]))
    assert [[*each] for each in left] == [[2, 5], [1, 4]]
