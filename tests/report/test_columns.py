"""Long columns of a result are short texts, which are read within bounds."""

from __future__ import annotations

import base64
import json
import zlib
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stripe.campaign.log import LogEntry
from stripe.dd import Outcome
from stripe.documents import columns
from stripe.documents.columns import CODED, LONG, Columns, column
from stripe.errors import UsageError
from stripe.reduce import Result
from stripe.reduce.reading import parse
from stripe.report.jsonfile import as_json
from stripe.report.schema import text
from stripe.trace import NONE
from tests.support.results import result_of, slice_of, trace_of


def some_result() -> Result:
    """A result with a slice and all columns."""
    trace = trace_of([1, 2, 2, 2, 3], "a\nb\nc\n")
    ranges = array("i", [0, 2, 4, 5])
    log = (LogEntry(1, Outcome.FAIL, 3, ranges),)
    return result_of(trace, slice_of(trace, [0, 1, 4], log=log, governing=(2, 3)))


@given(st.lists(st.integers(-1, 2**31 - 2)))
def test_what_is_written_is_read(numbers: list[int]) -> None:
    assert Columns().read(column(numbers)) == numbers
    long = numbers + list(range(LONG + 1))
    coded = column(array("i", long))
    assert isinstance(coded, str)
    assert Columns().read(coded) == long


def test_what_stays_the_same_is_read() -> None:
    long = [7] * 200_000 + [NONE] * 100_000 + [7, 8]
    assert Columns().read(column(long)) == long


def test_loops_take_next_to_no_room() -> None:
    assert len(column([7, 8, 9] * 100_000)) < 5000
    assert len(column(range(300_000))) < 5000


@pytest.mark.parametrize("value", [[1, 2], None, "zlip", 7])
def test_all_else_is_as_it_is(value: object) -> None:
    assert Columns().read(value) is value


def packed(data: bytes) -> str:
    return CODED + base64.b64encode(data).decode()


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (CODED + "%", "cannot be read"),
        (packed(b"nothing"), "cannot be read"),
        (packed(zlib.compress(b"12345")), "cut off"),
        (packed(zlib.compress(bytes(400))[:-6]), "cut off"),
        (packed(zlib.compress(bytes(4_000_000))), "more than"),
    ],
)
def test_what_cannot_be_read_is_refused(value: str, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        Columns(1000).read(value)


def test_all_columns_of_a_document_count() -> None:
    reader = Columns(LONG + 100)
    coded = column(range(LONG + 1))
    reader.read(coded)
    with pytest.raises(ValueError, match="more than"):
        reader.read(coded)


def test_a_long_result_is_read_as_it_was_written(monkeypatch: pytest.MonkeyPatch) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    result = some_result()
    plain = result.to_json()
    monkeypatch.setattr(columns, "LONG", 1)
    short = as_json(result.to_json()).decode()
    assert isinstance(json.loads(short)["trace"]["statement"], str)
    jsonschema.validate(json.loads(short), json.loads(text("trace")))
    again = parse(short, "r.json")
    monkeypatch.undo()
    assert again.to_json() == plain


def test_results_of_the_version_before_are_read() -> None:
    plain = some_result().to_json()
    before = json.dumps({**plain, "version": 2})
    assert parse(before, "r.json").to_json() == plain


def test_a_column_that_is_none_is_told_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = some_result().to_json()
    plain["trace"]["caller"] = "zlib:%"
    with pytest.raises(UsageError, match="a column in short") as refused:
        parse(json.dumps(plain), "r.json")
    assert refused.value.slug == "not-a-result"
