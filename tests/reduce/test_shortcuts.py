"""Chains whose last executions are used: shorter ways lead to others that do as well."""

from __future__ import annotations

from array import array
from collections import Counter

from stripe.backend import Target
from stripe.checks import parse_checks
from stripe.reduce import Settings, reduce
from stripe.reduce.shortcuts import Chain, chains, shortcuts
from stripe.trace import Dependences
from stripe_pytrace.backend import PythonBackend

CHAIN = """\
seed = 1
for number in range(30):
    seed = seed * 5 % 13
print(seed)
"""


def test_as_many_are_left_as_are_used_then_one_more_at_either_end():
    found = shortcuts(Chain(array("i", range(4)), 1))
    assert [*map(list, found)] == [[1, 2, 3], [0, 1, 2], [2, 3], [1, 2], [0, 1]]


def test_chains_are_what_only_the_next_one_needs(tmp_path):
    (tmp_path / "prog.py").write_text(CHAIN, "utf-8")
    recording = PythonBackend().record(Target("prog.py", directory=tmp_path))
    try:
        trace = recording.trace
        steps = [
            event
            for event in range(len(trace))
            if trace.statements[trace.statement[event]].line == 3
        ]
        last = len(trace) - 1
        events = Dependences(trace).slice([last])
        (found,) = chains(trace, events, Dependences(trace, events), {last})
    finally:
        recording.close()
    assert [*found.events] == steps
    assert found.used == 1  # by the last line


LINES = """\
WORDS = "the quick brown fox jumps over a lazy dog while seven wizards brew".split()
seed = 41
words = []
for number in range(300):
    seed = (seed * 75 + 74) % 65537
    words.append(WORDS[seed // 5 % len(WORDS)])
def wrap(words, width):
    lines = []
    line = ""
    for word in words:
        if len(line) + len(word) + 1 > width:
            lines.append(line)
            line = word
        else:
            line = line + " " + word if line else word
    lines.append(line)
    return lines
print("longest", max(len(line) for line in wrap(words, 40)))
"""


def test_an_earlier_number_that_does_as_well_takes_the_way_to_a_late_one_along(tmp_path):
    """The first line of forty letters takes words 39 to 44; others come to as much."""
    (tmp_path / "prog.py").write_text(LINES, "utf-8")
    recording = PythonBackend().record(Target("prog.py", directory=tmp_path))
    try:
        (found,) = reduce(recording, parse_checks(["stdout"]), Settings()).slices
        statements, statement = recording.trace.statements, recording.trace.statement
        kept = Counter(statements[statement[event]].line for event in found.events)
    finally:
        recording.close()
    assert found.certified
    assert kept[5] < 12
