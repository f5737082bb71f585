"""Groups of events: what tells executions of a statement apart, and which are worth a test."""

from __future__ import annotations

import pytest

from stripe.backend import Target
from stripe.reduce.groups import Promise, Roles, rounds, within
from stripe.trace import Trace
from stripe_pytrace.backend import PythonBackend

WHILE = """\
kinds = [0, 1, 0, 2] * 3
place = 0
while place < len(kinds):
    kind = kinds[place]
    if kind:
        place += 0
    if kind == 2:
        place += 0
    place += 1
"""
FOR = """\
for kind in [0, 1, 0, 2] * 3:
    place = kind
    if kind:
        place += 0
    if kind == 2:
        place += 0
    place += 1
"""


def roles(folder, source: str) -> tuple[Trace, Roles]:
    (folder / "prog.py").write_text(source, "utf-8")
    recording = PythonBackend().record(Target("prog.py", directory=folder))
    try:
        trace = recording.trace
        return trace, Roles(trace, range(len(trace)), rounds(trace, within(trace)))
    finally:
        recording.close()


@pytest.mark.parametrize("source", [WHILE, FOR], ids=["while", "for"])
def test_rounds_that_went_the_same_way_after_the_same_have_one_role(tmp_path, source):
    trace, found = roles(tmp_path, source)
    last = trace.statements[-1].id
    numbers = [found.of(event) for event in range(len(trace)) if trace.statement[event] == last]
    period = numbers[4:8]
    assert len(numbers) == 12
    assert len(set(period)) == 4  # a round of kind 0 after one of 1 is not one after one of 2
    assert numbers[8:] == period


def test_a_kind_that_stays_is_given_up_the_sooner_the_smaller_it_is():
    def tried(size: int) -> int:
        promise, times = Promise(), 0
        while promise.pays("kind", size):
            promise.hear("kind", went=False)
            times += 1
        return times

    assert 1 < tried(1) < tried(3) < tried(100)
    promise = Promise()
    for _ in range(tried(3)):
        promise.hear("one", went=False)
    assert not promise.pays("one", 3)
    assert promise.pays("other", 3)
    assert promise.pays("one", 100)


def test_a_kind_of_which_some_go_is_tried_for_longer():
    promise = Promise()
    for number in range(40):
        promise.hear("kind", went=number % 4 == 0)
    assert promise.pays("kind", 3)
