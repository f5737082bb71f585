"""Of a line that several statements share, each has its own part."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stripe.trace.first_divergence import place
from stripe.trace.statement_texts import StatementTexts, only_loop
from tests.support.results import trace_of


def test_each_statement_has_its_part_of_the_line() -> None:
    trace = trace_of([1, 2, 3], "é = 'ü'; while é: x = 1\n")
    first = trace.statements[0]
    trace.statements = [
        replace(first, line=1, column=0),
        replace(first, id=1, line=1, column=11),
        replace(first, id=2, line=1, column=21),
    ]
    texts = StatementTexts(trace)
    assert [texts.own(each) for each in trace.statements] == ["é = 'ü'", "while é:", "x = 1"]
    assert place(trace, 1) == "prog.py:1, while é:"


def test_a_file_that_ends_before_the_statement() -> None:
    trace = trace_of([1, 2], "a\nb\n")
    trace.files = [replace(trace.files[0], text="")]  # it was not to be read
    assert StatementTexts(trace).own(trace.statements[1]) == ""
    assert place(trace, 1) == "prog.py:2, "


@pytest.mark.parametrize(
    ("line", "header"),
    [
        ("while (i >= 0) i--;", "while (i >= 0)"),
        ("n = 1; while (f(g(i), ')') /* ) */) { i--; }", "while (f(g(i), ')') /* ) */)"),
        ("do n = n * 3 % 7; while (n); // while there is some", "while (n)"),
        ('puts("for (;;)"); for (;;) ;', "for (;;)"),
        ("'outer: while i >= 0 && f('{') { i -= 1; }", "while i >= 0 && f('{')"),
        ("for x in 1.. { n += x }", "for x in 1.."),
        ("loop { n += 1 }", "loop"),
        ("while (a) while (b) b--;", "while (a) while (b) b--;"),
        ("n = n + 1; }", "n = n + 1; }"),
        ("while (a &&", "while (a &&"),
    ],
)
def test_the_only_loop_of_a_line(line: str, header: str) -> None:
    assert only_loop(line) == header
