"""Every face begins with what happened in the recorded run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from stripe.backend import UncaughtException
from stripe.reduce import RecordedRun, Result
from stripe.reduce.reading import from_json
from stripe.report import SECTIONS, Style, fragment, render
from stripe.report.happened import rows, sentence
from stripe.report.html import page
from stripe.report.sarif import sarif
from tests.support.fake import SAMPLE, SAMPLE_INPUT
from tests.support.results import reduced, result_of, slice_of, trace_of

TEXT = "a = 0\nb = 1\nc = b / a\n"


def crashed(message: str = "division by zero", event: int | None = None) -> Result:
    trace = trace_of([1, 2, 3], TEXT)
    raised = UncaughtException("ZeroDivisionError", message, "prog.py", 3, 2, event)
    recorded = RecordedRun("EXITED", 1, "", "", ("0" * 64, "0" * 64), raised)
    found = slice_of(trace, [0, 2], "exception", check="exception")
    return replace(result_of(trace, found), recorded=recorded)


def told(result: Result, **style: Any) -> list[str]:
    return list(rows(result, Style(**style)))


def test_the_exception_its_line_and_the_exit_status() -> None:
    assert told(crashed(event=2)) == [
        "exception    ZeroDivisionError: division by zero",
        "raised by    3_3  prog.py:3  c = b / a",
        "exit status  1",
    ]
    assert told(crashed())[1] == "raised by    prog.py:3  c = b / a"


def test_a_run_that_was_cut_off_and_where_it_goes_on() -> None:
    trace = trace_of([1, 2, 1], "while True:\n    pass\n")
    recorded = RecordedRun("CUT", 0, "", "", ("0" * 64, "0" * 64), None)
    found = slice_of(trace, [0, 2], "hang", check="hang")
    assert told(replace(result_of(trace, found), recorded=recorded)) == [
        "end         it was cut off in a loop that goes on",
        "goes on at  1_3  prog.py:1  while True:",
    ]


def test_of_a_line_with_several_statements_the_condition_that_goes_on() -> None:
    trace = trace_of([1, 2, 1], "while x: x += 1\n\n")
    trace.statements = [
        replace(each, line=1, column=column)
        for each, column in zip(trace.statements, (0, 9), strict=True)
    ]
    recorded = RecordedRun("CUT", 0, "", "", ("0" * 64, "0" * 64), None)
    found = slice_of(trace, [0, 2], "hang", check="hang")
    facts = told(replace(result_of(trace, found), recorded=recorded))
    assert facts[1] == "goes on at  1_3  prog.py:1  while x:"


def test_the_lines_a_check_looks_at() -> None:
    result = reduced(SAMPLE, "sum=stdout:/^sum/", "stdout", stdin=SAMPLE_INPUT)
    assert told(result) == [
        "exit status  0",
        "sum          sum = 15",
        "stdout       sum = 15",
        "             mul = 0",
    ]
    assert told(from_json(result.to_json())) == told(result)


def test_of_several_slices_each_row_says_which() -> None:
    result = reduced(SAMPLE, "stdout:/^sum/", "stdout:/^mul/", stdin=SAMPLE_INPUT)
    assert told(result)[1:] == ["stdout:/^sum/  sum = 15", "stdout:/^mul/  mul = 0"]


def test_the_value_and_the_file_a_check_looks_at() -> None:
    result = reduced("x = 'one\\n'\nprint(x)\n", "var:x@prog.py:1")
    assert told(result)[1:] == ["x@prog.py:1  'one\\n'"]


def test_of_many_lines_the_first() -> None:
    result = reduced("for i in range(30):\n    print(i)\n", "stdout")
    assert told(result)[1:] == [
        "stdout       0",
        *(f"             {number}" for number in range(1, 5)),
        "             ... 25 lines more",
    ]


def test_an_older_result_tells_of_its_streams() -> None:
    data = reduced(SAMPLE, "stdout", stdin=SAMPLE_INPUT).to_json()
    del data["slices"][0]["shown"]
    assert told(from_json(data))[1:] == ["stdout       sum = 15", "             mul = 0"]


@pytest.mark.parametrize(("number", "text"), [(11, "11 (SIGSEGV)"), (250, "250")])
def test_a_signal_by_its_name(number: int, text: str) -> None:
    result = crashed()
    assert result.recorded is not None
    recorded = replace(result.recorded, end="SIGNAL", status=number, exception=None)
    assert told(replace(result, recorded=recorded)) == [f"signal  {text}"]


def test_texts_of_the_program_control_nothing_and_stay_within_the_width() -> None:
    lines = told(crashed("\x1b[2J" + "x" * 300 + "\nmore"), width=80)
    assert lines[0].startswith("exception    ZeroDivisionError: \\x1b[2Jxxx")
    assert all(len(line) <= 80 for line in lines)


def test_it_stands_first_in_every_face() -> None:
    result = crashed()
    assert render(result, SECTIONS).splitlines()[1].startswith("exception    ZeroDivisionError")
    html = page(result)
    assert html.index("ZeroDivisionError: division by zero") < html.index('class="cards"')
    notebook = fragment(result)
    assert notebook.index("ZeroDivisionError: division by zero") < notebook.index("<table>")
    said = sarif(result)["runs"][0]["results"][0]["message"]["text"]
    assert said.startswith("ZeroDivisionError: division by zero, raised in line 3. 2 of 3 events")


def test_a_table_alone_is_just_that() -> None:
    assert "ZeroDivisionError" not in render(crashed(), ["table"])


def test_the_line_that_raised_says_so() -> None:
    assert " ▶   3 1/1  │ c = b / a  ← ZeroDivisionError\n" in render(crashed(), ["source"])
    assert "← ZeroDivisionError" in page(crashed())


def test_one_sentence_about_a_line_of_output() -> None:
    result = reduced(SAMPLE, "stdout:/^sum/", stdin=SAMPLE_INPUT)
    assert sentence(result, result.slices[0]) == "Printed: sum = 15"
