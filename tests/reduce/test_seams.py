"""What lies between two rounds of a loop around another one: without it, they are one round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from stripe.backend import Recording, Target
from stripe.checks import parse_checks
from stripe.reduce import Settings, reduce
from stripe.reduce.groups import rounds, within
from stripe.reduce.seams import seams
from stripe_pytrace.backend import PythonBackend

FOR = """\
for a in range(3):
    b = 0
    for c in range(2):
        b += c
    if b:
        b = 1
    a = b
"""
WHILE = """\
a = 0
while a < 3:
    b = 0
    while b < 2:
        b += 1
    a += 1
"""
TWO_INSIDE = """\
for a in range(2):
    for b in range(2):
        c = b
    d = a
    for b in range(2):
        c = b
    e = a
"""
IN_A_FUNCTION = """\
def f():
    for a in range(2):
        for b in range(1):
            c = b
        d = a
f()
f()
"""
ALONE = "for a in range(3):\n    for b in range(2):\n        c = b\n"
NOTHING_INSIDE = "for a in range(3):\n    b = a\n    c = b\n"
OF_A_CALL = "def f(x):\n    return x\nfor a in range(3):\n    b = f(a)\n    c = b\n"

FOUND = {
    "FOR": ["5_18 6_19 7_20 1_21 2_22", "5_8 6_9 7_10 1_11 2_12"],
    "WHILE": ["6_17 2_18 3_19", "6_9 2_10 3_11"],
    "TWO_INSIDE": ["7_13 1_14"],  # not what lies between two loops in one round
    "IN_A_FUNCTION": ["5_7 2_8", "5_19 2_20"],
    "ALONE": [],
    "NOTHING_INSIDE": [],
    "OF_A_CALL": [],
}
"""Of loops in their order, the last one first."""


def recorded(folder, source: str) -> Recording:
    (folder / "prog.py").write_text(source, "utf-8")
    return PythonBackend().record(Target("prog.py", directory=folder))


@pytest.mark.parametrize("name", FOUND)
def test_what_lies_between_the_inner_loops_of_two_rounds(name, tmp_path):
    recording = recorded(tmp_path, globals()[name])
    try:
        trace = recording.trace
        loops = seams(trace, range(len(trace)), rounds(trace, within(trace)))
        found = [" ".join(map(trace.name, each)) for loop in loops for each in loop.seams]
        assert found == FOUND[name]
    finally:
        recording.close()


SUMS = """\
data = []
{appends}
result = {{}}
for row in range({count}):
    total = 0
    for each in data[row]:
        total += each
    result[row] = total
print(sum(result.values()))
"""


def program(rows: Sequence[Sequence[int]]) -> str:
    """What adds up each row, and prints the sum of all; a row can go if another counts twice."""
    appends = "\n".join(f"data.append({row})" for row in rows)
    return SUMS.format(appends=appends, count=len(rows))


ROWS = {
    "two of them become one": ([[1, 2], [4, 1], [2, 1]], 2),
    "each is needed": ([[1, 2], [4, 1], [2, 4]], 3),
    "what had to stay goes once another one has gone": ([[1, 2], [4, 1], [2, 3], [2, 1]], 2),
}


@pytest.mark.parametrize("case", ROWS)
def test_rounds_that_can_be_one_are(case, tmp_path):
    rows, left = ROWS[case]
    recording = recorded(tmp_path, program(rows))
    try:
        (found,) = reduce(recording, parse_checks(["stdout"]), Settings()).slices
        statements = recording.trace.statements
        kept = Counter(statements[recording.trace.statement[event]].line for event in found.events)
    finally:
        recording.close()
    assert found.certified
    assert sum(kept[line] for line in range(2, 2 + len(rows))) == left
    total, result = len(rows) + 4, len(rows) + 7
    assert (kept[total], kept[result]) == (left, left)
