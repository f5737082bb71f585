"""The answer as JSON is what its schema says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from stripe.errors import UsageError
from stripe.inputs import InputResult, reduce_file
from stripe.inputs.reading import from_json
from stripe.report.html.inputs import fall, page
from stripe.report.schema import text
from tests.support.needs import LEFT_OUT

jsonschema = pytest.importorskip("jsonschema", reason=LEFT_OUT)

GREP = ["grep", "-q", "culprit", "@@"]


def test_texts_and_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text("one\nculprit\ntwo\n")
    result = reduce_file("in.txt", GREP, check="exit", units="lines")
    valid = jsonschema.Draft202012Validator(json.loads(text("input")))
    told = result.to_json()
    valid.validate(told)
    assert (told["failing"], told["passing"]) == ({"text": "culprit\n"}, None)
    assert {**told["levels"][0], "tests": 0} == {
        "units": "lines", "before": 3, "after": 1, "tests": 0
    }  # fmt: skip
    told = replace(result, failing=b"\xff", passing=b"").to_json()
    valid.validate(told)
    assert (told["failing"], told["passing"]) == ({"base64": "/w=="}, {"text": ""})
    assert told["bytes"] == {"original": 16, "failing": 1, "passing": 0}


@pytest.fixture
def reduced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> InputResult:
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text("".join(f"{number}\n" for number in range(99)) + "<culprit>\n")
    return reduce_file("in.txt", GREP, check="exit", units="lines,chars")


def test_what_was_written_is_read_again(reduced: InputResult) -> None:
    assert from_json(reduced.to_json()) == reduced
    bytes_ = replace(reduced, failing=b"\xff", passing=b"", mode="diff", certified=False)
    assert from_json(bytes_.to_json()) == bytes_


def test_how_it_became_smaller(reduced: InputResult) -> None:
    tests, sizes = zip(*((each.tests, each.bytes) for each in reduced.improvements), strict=True)
    assert list(tests) == sorted(tests)
    assert list(sizes) == sorted(sizes, reverse=True)
    assert (sizes[-1], tests[-1] <= reduced.tests) == (len(b"culprit"), True)


@pytest.mark.parametrize(
    "changed",
    [
        {"mode": "most"},
        {"passing": {"text": ""}},
        {"failing": {}},
        {"failing": {"text": "culprit", "base64": ""}},
        {"failing": {"text": "culprits"}},
        {"improvements": [{"tests": -1, "bytes": 2}]},
        {"version": 99},
        {"tests": {"executed": 1}},
    ],
)
def test_what_is_no_result_is_refused(reduced: InputResult, changed: dict[str, object]) -> None:
    with pytest.raises(UsageError) as caught:
        from_json(reduced.to_json() | changed)
    assert caught.value.slug in ("not-a-result", "result-version")


def test_the_page_has_the_answer_and_its_size_by_tests(reduced: InputResult) -> None:
    text = page(replace(reduced, failing=b"<culprit>"))
    assert "&lt;culprit&gt;" in text
    assert "<culprit>" not in text
    line = fall(reduced)
    assert line.path in text
    assert line.path.count("V") == len(reduced.improvements)
    assert [each.number for each in line.sizes] == [str(reduced.original), "100", "7"]
    assert fall(replace(reduced, original=9)).sizes[0].number == "9"
    assert "Its size" not in page(replace(reduced, improvements=()))
