"""What is special about reading the result; tests/results has the rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stripe.changes import find_changes
from stripe.dd import Outcome
from stripe.report.schema import text
from stripe.results.changes import from_json
from stripe.results.model import changed
from tests.changes.answers import answer_to, divides, interfering
from tests.support.needs import LEFT_OUT

jsonschema = pytest.importorskip("jsonschema", reason=LEFT_OUT)

SCHEMA = json.loads(text("changes"))


def test_times_are_read_as_they_were_measured() -> None:
    """Nine tests in just over 39.387 ms: rounded to that, they would be one more a second."""
    timed = changed(answer_to(interfering(), divides), seconds=9 / 228.4999)
    again = from_json(json.loads(json.dumps(timed.to_json())))
    assert again.seconds == timed.seconds


def test_what_real_tests_have_shown_is_valid_too(tmp_path: Path) -> None:
    for name, line in (("good", "old"), ("bad", "new")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a").write_text(f"{line} one\nboth\n{line} two\n")
        (tmp_path / name / "b").write_bytes(f"\0 {line}".encode())
    result = find_changes(
        str(tmp_path / "good"),
        str(tmp_path / "bad"),
        test="! grep -q 'new two' a",
        journals=tmp_path / "journals",
    )
    jsonschema.Draft202012Validator(SCHEMA).validate(result.to_json())
    assert from_json(result.to_json()).to_json() == result.to_json()
    assert [each.alone.outcome for each in result.blamed] == [Outcome.FAIL]
    assert result.rest.outcome is Outcome.PASS
