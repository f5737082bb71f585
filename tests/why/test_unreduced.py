"""Where nothing could be left out: the recorded run is told, and that nothing of it was tested."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

import stripe
from stripe.backend import Target
from stripe.deadline import Deadline, OutOfTime
from stripe.errors import NotReducible
from stripe.reduce import preconditions
from stripe.report.style import Style
from stripe.report.why import why_lines
from stripe.results.why import Document, from_json
from stripe.why import experiments, inquiry
from stripe.why.inquiry import inquire
from stripe.why.policy import TABLE

PROGRAM = """\
def last(items):
    n = len(items)
    unused = 0
    if n > 1:
        k = n
    return items[k]

first = [1, 2]
second = sorted(first)
print("begin")
print(last(second))
"""
ERRORS = [
    (OutOfTime("out-of-time", "It was over."), "limit"),
    (NotReducible("not-reproducible", "The plain run and the full replay differ."), "refused"),
]


def asked(folder, error, monkeypatch):
    """The answer where ``error`` comes up after the program was recorded."""
    (folder / "prog.py").write_text(PROGRAM)

    def fails(*given, **options):
        raise error

    monkeypatch.setattr(preconditions, "ensure_reproducible", fails)
    monkeypatch.setattr(inquiry, "TABLE", [each for each in TABLE if each.name == "slice"])
    return inquire(Target("prog.py", directory=folder, deadline=Deadline(100)))


@pytest.mark.parametrize(("error", "standing"), ERRORS, ids=["no time", "not reproducible"])
def test_what_was_recorded_is_told_where_nothing_could_be_left_out(
    tmp_path, monkeypatch, error, standing
):
    """There was nothing but the traceback: no values, and no way back."""
    document = asked(tmp_path, error, monkeypatch)
    assert document.experiments[-1].standing == standing
    assert document.analysed
    first = document.places[0]
    assert (first.line, first.function) == (6, "last")
    assert "IndexError was raised here, where k was 2" in {each.says for each in first.why}
    assert [each.line for each in document.story] == [8, 9, 11, 2, 4, 5, 6]
    assert dict(document.story[-1].values) == {"k": "2", "items": "[1, 2]"}
    assert {each.kind for place in document.places for each in place.why} <= {"raised", "depends"}


def test_that_nothing_of_it_was_tested_is_said_above_it(tmp_path, monkeypatch):
    document = asked(tmp_path, ERRORS[0][0], monkeypatch)
    lines = why_lines(document, Style())
    told = "how it came about (as it was recorded; nothing of it was tested)"
    assert told in lines
    assert not any(line.startswith("no matter") for line in lines)
    tested = why_lines(structs.replace(document, analysed=False), Style())
    assert told not in tested
    assert "how it came about" in tested


def test_it_is_told_before_anything_is_left_out(tmp_path, monkeypatch):
    """On a terminal there is a story as soon as there is a recording."""
    (tmp_path / "prog.py").write_text(PROGRAM)
    told: list[Document] = []
    monkeypatch.setattr(inquiry, "TABLE", [each for each in TABLE if each.name == "slice"])
    target = Target("prog.py", directory=tmp_path, deadline=Deadline(100))
    document = inquire(target, better=told.append)
    _, early, late = told
    assert early.analysed
    assert early.story
    assert from_json(early.to_json(), "the answer so far") == early, "as editors read it"
    going = early.experiments[-1]
    assert (going.name, going.standing, going.says) == ("slice", "limit", "it is still going on")
    assert not late.analysed
    assert late.story == document.story
    assert dict(document.story[-1].values) == {"k": "2", "items": "[1, 2]"}, "of the recorded run"


def test_values_are_known_where_the_search_took_all_its_time(tmp_path):
    (tmp_path / "prog.py").write_text(PROGRAM)
    result = stripe.trace(
        "prog.py", directory=tmp_path, values="same", search_time=0.0, unreduced=lambda whole: None
    )
    (found,) = result.slices
    assert len(found.events) == found.of
    assert found.values[found.of - 1]["k"] == "2"


def test_what_it_failed_on_is_that_of_the_run_where_a_slice_saw_other_values(tmp_path, monkeypatch):
    (tmp_path / "prog.py").write_text(PROGRAM)
    plain = experiments._traced

    def other(question, options):
        result = plain(question, options)
        found = result.slices[0]
        strange = replace(found, values={}, others={found.events[-1]: {"k": ("2", "3")}})
        return replace(result, slices=(strange,))

    monkeypatch.setattr(experiments, "_traced", other)
    monkeypatch.setattr(inquiry, "TABLE", [each for each in TABLE if each.name == "slice"])
    document = inquire(Target("prog.py", directory=tmp_path, deadline=Deadline(100)))
    told = {reason.says for reason in document.places[0].why}
    assert "IndexError was raised here, where k was 2" in told
    assert document.analysed, "the slice is of another run, so the recorded way back is told"
    assert [each.line for each in document.story] == [8, 9, 11, 2, 4, 5, 6]
    assert "left out alone, the run no longer shows it" in told
