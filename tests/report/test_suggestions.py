"""One check for each line of output: only that line meets it, also behind a shell."""

from __future__ import annotations

import re
import shlex

from hypothesis import given
from hypothesis import strategies as st

from stripe.checks import parse_check
from stripe.report.suggestions import line_checks

LINE = st.text(st.sampled_from("ab1 /+=:.*'\"\\\\^$()[]{}|?"), max_size=8)


@given(st.lists(LINE, max_size=6))
def test_a_check_is_met_by_its_line_alone(lines: list[str]) -> None:
    for check, line in line_checks(lines):
        [part] = parse_check(shlex.split(shlex.quote(check))[0]).parts
        pattern = getattr(part, "pattern", None)
        assert isinstance(pattern, re.Pattern)
        assert [each for each in lines if pattern.search(each)] == [line]


def test_it_says_no_more_than_needed() -> None:
    lines = ["sum: 10", "sum of squares: 3", "mul: 0", "1.5 x", "same", "same", ""]
    assert [check for check, _ in line_checks(lines)] == [
        "stdout:/^sum:/", "stdout:/^sum of/", "stdout:/^mul/", "stdout:/^1/",
    ]  # fmt: skip
