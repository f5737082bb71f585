"""The answer as JSON is what its schema says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from stripe.inputs import reduce_file
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
