"""The paper's program on a real debugger: Figure 6 of Cleve & Zeller (AADEBUG 2000)."""

from __future__ import annotations

import shutil

import pytest

import stripe
from tests.stripe_gdb.native import EXAMPLES, needs_cc, needs_gdb

pytestmark = [needs_gdb, needs_cc]

READ_A = 'fprintf(stderr, "a? ") #1'
ADDITIONS = [f"sum = sum + a #{number}" for number in range(2, 7)]
STEPS = [f"a = a + 1 #{number}" for number in range(1, 6)]
PRINT_SUM = r'printf("sum = %d\n", sum) #1'
PRINT_MUL = r'printf("mul = %d\n", mul) #1'


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> stripe.Result:
    folder = tmp_path_factory.mktemp("paper")
    shutil.copy(EXAMPLES / "sample.c", folder)
    return stripe.trace(
        "sample.c",
        directory=folder,
        stdin="0\n5\n",
        check=["all=stdout", "sum=stdout:/^sum/", "mul=stdout:/^mul/"],
        algorithm="ddmin",
    )


def kept_lines(result: stripe.Result, name: str) -> list[str]:
    """The kept executions, as their text and which execution of that line they are."""
    trace = result.trace
    lines = trace.files[0].lines
    times: dict[int, int] = {}
    found = []
    for event, number in enumerate(trace.statement):
        line = trace.statements[number].line
        times[line] = times.get(line, 0) + 1
        if event in result[name].events:
            found.append(f"{lines[line - 1].split(';')[0].strip()} #{times[line]}")
    return found


def test_the_slice_for_all_output_is_that_of_figure_6(result: stripe.Result) -> None:
    kept = kept_lines(result, "all")
    assert len(kept) == 15
    one_zero = "mul = mul * a #1"
    expected = ["sum = 0 #1", READ_A, one_zero, *ADDITIONS, *STEPS, PRINT_SUM, PRINT_MUL]
    assert sorted(kept) == sorted(expected)


def test_the_slice_for_the_sum_is_that_of_figure_6(result: stripe.Result) -> None:
    kept = kept_lines(result, "sum")
    assert len(kept) == 13
    assert sorted(kept) == sorted(["sum = 0 #1", READ_A, *ADDITIONS, *STEPS, PRINT_SUM])


def test_the_slice_for_the_product_is_one_of_six(result: stripe.Result) -> None:
    read, multiply, show = kept_lines(result, "mul")
    assert (read, show) == (READ_A, PRINT_MUL)
    assert multiply in [f"mul = mul * a #{number}" for number in range(1, 7)]


def test_slices_are_certified_and_verified(result: stripe.Result) -> None:
    assert [(each.certified, each.verified) for each in result.slices] == [(True, True)] * 3


@pytest.mark.parametrize(
    ("check", "events", "most"), [("stdout", 15, 38), ("stdout:/^sum/", 13, 24)]
)
def test_what_the_source_tells_saves_tests(tmp_path, check: str, events: int, most: int) -> None:
    """As in Python: a backward slice and a sweep by hand need 36 and 26 tests there."""
    shutil.copy(EXAMPLES / "sample.c", tmp_path)
    guided = stripe.trace("sample.c", directory=tmp_path, stdin="0\n5\n", check=check)
    (found,) = guided.slices

    assert (len(found.events), found.certified) == (events, True)
    assert found.tests <= most
