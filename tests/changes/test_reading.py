"""The result as JSON: described by its schema, read again as it was written, refused if damaged."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stripe.changes import find_changes
from stripe.changes.reading import from_json
from stripe.changes.result import ChangesResult
from stripe.dd import Outcome
from stripe.errors import UsageError
from stripe.report.changes import SECTIONS, changes_lines
from stripe.report.html.changes import page
from stripe.report.schema import text
from stripe.report.style import Style
from tests.changes.answers import answer_to, divides, interfering
from tests.support.needs import LEFT_OUT

jsonschema = pytest.importorskip("jsonschema", reason=LEFT_OUT)

SCHEMA = json.loads(text("changes"))

ANSWERS: dict[str, Callable[[], ChangesResult]] = {
    "found": lambda: answer_to(interfering(), divides),
    "ended": lambda: answer_to(interfering(), divides, max_tests=2),
    "bisected": lambda: answer_to(interfering(), divides, bisect=True, algorithm="dd+"),
}


@pytest.fixture(scope="module", params=ANSWERS)
def result(request: pytest.FixtureRequest) -> ChangesResult:
    return ANSWERS[request.param]()


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_what_is_written_is_what_the_schema_says(result: ChangesResult) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(result.to_json())


def test_what_is_read_is_what_was_written(result: ChangesResult) -> None:
    written = json.dumps(result.to_json())
    again = from_json(json.loads(written))
    assert json.dumps(again.to_json()) == written
    assert list(changes_lines(again, Style(), SECTIONS)) == list(
        changes_lines(result, Style(), SECTIONS)
    )
    assert page(again) == page(result)


def test_times_are_read_as_they_were_measured(result: ChangesResult) -> None:
    """Nine tests in just over 39.387 ms: rounded to that, they would be one more a second."""
    timed = replace(result, seconds=9 / 228.4999)
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


def damaged(change: Callable[[Any], object]) -> Any:
    data = json.loads(json.dumps(answer_to(interfering(), divides).to_json()))
    change(data)
    return data


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("log"),
        lambda data: data.update(more=1),
        lambda data: data.update(blamed=None),
        lambda data: data["blamed"][0].update(lines=["no sign"]),
        lambda data: data["blamed"][0]["alone"].update(outcome="MAYBE"),
        lambda data: data["edits"].update(answer=[0, 99]),
        lambda data: data["edits"].update(answer=[0]),
        lambda data: data["edits"].update(of=2**40),
        lambda data: data["files"][0]["passages"][0].update(before=0),
        lambda data: data["files"][0]["passages"][0]["lines"].append(["+text", 7]),
        lambda data: data["log"][0].update(ranges=[3, 1]),
        lambda data: data["log"][0].update(size=99),
        lambda data: data["log"][0].update(predicted=0),
        lambda data: data["tests"].update(executed=99),
        lambda data: data.update(stopped="somehow"),
        lambda data: data.update(format="stripe-result"),
    ],
)
def test_damage_is_noticed(change: Callable[[Any], object]) -> None:
    from_json(damaged(lambda data: None))
    with pytest.raises(UsageError) as caught:
        from_json(damaged(change))
    assert caught.value.slug == "not-a-result"


def test_another_version_is_refused() -> None:
    with pytest.raises(UsageError) as caught:
        from_json(damaged(lambda data: data.update(version=2)))
    assert caught.value.slug == "result-version"
