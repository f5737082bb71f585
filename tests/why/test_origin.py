"""Where a value that is asked about was first seen: where it was computed, and not passed on."""

from __future__ import annotations

import pytest

import stripe
from stripe.reduce import Result
from stripe.why.evidence import Kind
from stripe.why.experiments import origin_evidence
from stripe.why.functions import parsed
from stripe.why.origin import printed_texts

CALLS = """\
def product(numbers):
    return numbers[0] * numbers[1]

def total(numbers):
    found = 0
    part = product(numbers)
    found += part
    return found

print("total", total([40, 50]))
"""
HANDED_OVER = """\
def shown(text):
    return text

def shorter(word):
    return word[:-1]

result = shown(shorter("shoes"))
print(result)
"""
GIVEN = """\
name = "value-17"
again = name
print(again)
"""
COMPARED = """\
def half(n):
    m = n / 4
    return m

found = half(90)
assert found == 45.5
"""


COPIED = """\
def kept(n):
    n = n
    return n

print(kept(30 + 7))
"""


def told(folder, program, **options):
    (folder / "prog.py").write_text(program)
    result = stripe.trace("prog.py", directory=folder, values="same", **options)
    return [
        (each.line, each.function, each.says)
        for each in origin_evidence(result, result.slices[0])
        if each.kind is Kind.COMPUTED
    ]


def test_it_is_what_returned_it_and_not_what_passes_it_on(tmp_path):
    assert told(tmp_path, CALLS, check="stdout:/total/") == [
        (2, "product", "2000, which is printed, was first seen here, of all that it needs")
    ]


def test_of_what_was_handed_over_without_a_name_nothing_is_told(tmp_path):
    """It was first seen in a parameter, which has not computed it."""
    assert told(tmp_path, HANDED_OVER, check="stdout:/shoe/") == []


def test_what_only_copies_a_parameter_has_computed_nothing(tmp_path):
    assert told(tmp_path, COPIED, check="stdout:/37/") == []


def test_what_stands_in_the_program_was_not_computed(tmp_path):
    assert told(tmp_path, GIVEN, check="stdout:/value/") == []


def test_of_an_assertion_it_is_what_was_compared(tmp_path):
    assert told(tmp_path, COMPARED, check="exception") == [
        (2, "half", "22.5, which the assertion compared, was first seen here, of all that it needs")
    ]


def test_of_a_run_that_is_whole_it_is_the_first_of_all(tmp_path):
    (tmp_path / "prog.py").write_text(CALLS)
    runs: list[Result] = []
    stripe.trace(
        "prog.py", directory=tmp_path, check="stdout:/total/", unreduced=runs.append, max_tests=1
    )
    (origin,) = origin_evidence(runs[0], runs[0].slices[0])
    assert (origin.line, origin.says) == (2, "2000, which is printed, was first seen here")


def test_the_line_and_its_words_are_looked_for(tmp_path):
    (tmp_path / "prog.py").write_text("print('sum =', [1 + 1, 30])\n")
    result = stripe.trace("prog.py", directory=tmp_path, check="stdout:/sum/")
    assert printed_texts(result.slices[0]) == ["sum = [2, 30]", "sum", "=", "2", "30"]


@pytest.mark.filterwarnings("error")
def test_nothing_is_said_of_what_python_warns_of_in_a_source():
    """`SyntaxWarning: invalid escape sequence` of a library stood on the screen."""
    assert parsed("pattern = '\\S'\n") is not None
    assert parsed("def") is None
