"""A slice in the order somebody reads who goes back from the symptom."""

from __future__ import annotations

from pathlib import Path

import stripe
from stripe.reduce.backward_walk import way_back
from stripe.reduce.result import Dependence
from stripe.report import Style, render
from tests.support.results import slice_of, trace_of

PROGRAM = """\
def small(number):
    return number < 3

total = 0
fee = 5
number = 2
if small(number):
    total = total + fee
print("total", total)
print("end")
"""


def back(folder: Path, style: Style | None = None, **settings: str) -> list[str]:
    (folder / "program.py").write_text(PROGRAM)
    check = "stdout:/^total/"
    result = stripe.trace("program.py", directory=folder, check=check, **settings)  # type: ignore[arg-type]
    return render(result, ["back"], style).splitlines()[1:]


def test_the_nearest_first_and_what_each_is_for(tmp_path: Path) -> None:
    assert back(tmp_path) == [
        ' ▶   0  program.py:9  print("total", total)',
        " ▶   1  program.py:8  total = total + fee   (total)",
        " ▷   2  program.py:7  if small(number):   (decides)",
        " ▶   2  program.py:5  fee = 5   (fee)",
        " ▶   2  program.py:4  total = 0   (total)",
        " ▷   3  program.py:2  return number < 3   (its result)",
    ]


def test_with_kept_conditions(tmp_path: Path) -> None:
    assert back(tmp_path, Style(unicode=False), control="program")[2:] == [
        " >   2  program.py:7  if small(number):   (decides)",
        " >   2  program.py:5  fee = 5   (fee)",
        " >   2  program.py:4  total = 0   (total)",
        " >   3  program.py:2  return number < 3   (its result)",
        " >   3  program.py:6  number = 2   (number)",
        " >   3  program.py:1  def small(number):   (small)",
    ]


def test_events_that_need_each_other_come_once() -> None:
    """A call and what it returns, as in a recursion."""
    trace = trace_of([1, 2, 3], "a\nb\nc\n")
    needs = (Dependence(2, 1, "return", ()), Dependence(1, 2, "call", ()))
    steps = way_back(trace, slice_of(trace, [0, 1, 2], dependences=needs))
    assert [(step.event, step.distance) for step in steps] == [(2, 0), (1, 1), (0, None)]


def test_the_way_back_begins_at_what_the_check_looks_at() -> None:
    """Of a run that prints `total` and then something else, only the first is asked about."""
    trace = trace_of([1, 2, 3, 4], "size = 1\ntotal = 2\nprint(total)\nprint(size)\n")
    needs = (Dependence(2, 1, "data", ("total",)), Dependence(3, 0, "data", ("size",)))
    steps = way_back(trace, slice_of(trace, range(4), dependences=needs, symptom=(2,)))
    known = [(2, 0), (1, 1), (3, None), (0, None)]
    assert [(step.event, step.distance) for step in steps] == known
