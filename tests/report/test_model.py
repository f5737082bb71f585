"""The result as JSON: described by its schema, read again as it was written, refused if damaged."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

import stripe
from stripe.errors import UsageError
from stripe.reduce import Result
from stripe.reduce.reading import from_json, parse
from stripe.report import SECTIONS, render
from stripe.report.schema import text
from tests.support.fake import SAMPLE, SAMPLE_INPUT
from tests.support.needs import LEFT_OUT
from tests.support.results import reduced, result_of, slice_of, trace_of

jsonschema = pytest.importorskip("jsonschema", reason=LEFT_OUT)

SCHEMA = json.loads(text())
SAMPLES = Path(__file__).parents[2] / "examples" / "sample_programs"

PROGRAMS: dict[str, tuple[str, dict[str, Any]]] = {
    "values": ("sample.py", {"stdin": "0\n5\n", "check": ["stdout:/^sum/", "m=stdout:/^mul/"]}),
    "exception": ("crash.py", {"check": "exception", "algorithm": "ddmin"}),
    "program": ("condition.py", {"control": "program", "check": "stdout:/^to pay/"}),
    "stopped": ("wrong_total.py", {"check": "stdout", "max_tests": 3}),
    "levels": ("wrong_total.py", {"check": "stdout", "level": "rounds"}),
}


@pytest.fixture(scope="module", params=PROGRAMS)
def result(request: pytest.FixtureRequest) -> Result:
    program, settings = PROGRAMS[request.param]
    return stripe.trace(program, directory=SAMPLES, **settings)


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_what_is_written_is_what_the_schema_says(result: Result) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(result.to_json())


def test_what_is_read_is_what_was_written(result: Result) -> None:
    written = json.dumps(result.to_json())
    again = parse(written, "it")
    assert json.dumps(again.to_json()) == written
    assert render(again, SECTIONS) == render(result, SECTIONS)


def test_a_result_made_without_a_backend_is_valid_too() -> None:
    result = reduced(SAMPLE, "stdout", stdin=SAMPLE_INPUT)
    jsonschema.Draft202012Validator(SCHEMA).validate(result.to_json())
    assert parse(json.dumps(result.to_json()), "it").to_json() == result.to_json()


def test_values_are_those_of_the_slice_alone() -> None:
    """Without the other additions, `sum` is what the kept ones make it."""
    result = stripe.trace("sample.py", directory=SAMPLES, stdin="0\n5\n", check="stdout:/^mul/")
    [found] = result.slices
    seen = {result.trace.name(event): dict(values) for event, values in found.values.items()}
    assert seen == {
        "4_2": {"mul": "1"},
        "5_3": {"a": "0"},
        "9_7": {"mul": "0", "a": "0"},
        "12_31": {"mul": "0"},
    }


def test_dependences_name_the_variables() -> None:
    result = stripe.trace(
        "sample.py", directory=SAMPLES, stdin="0\n5\n", check="stdout:/^mul/", watch=False
    )
    [found] = result.slices
    name = result.trace.name
    assert [
        (name(each.event), name(each.on), each.kind, each.names) for each in found.dependences
    ] == [
        ("9_7", "4_2", "data", ("mul",)),
        ("9_7", "5_3", "data", ("a",)),
        ("12_31", "9_7", "data", ("mul",)),
    ]
    assert found.values == {}


def damaged(change: Any) -> Any:
    trace = trace_of([1, 2, 3], "a = 1\nb = 2\nprint(b)\n")
    data = result_of(trace, slice_of(trace, [1, 2])).to_json()
    change(data)
    return data


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("trace"),
        lambda data: data["slices"][0]["events"].append(99),
        lambda data: data["slices"][0].update(events=[2, 1]),
        lambda data: data["slices"][0].update(values=[[7, {}]]),
        lambda data: data["slices"][0].update(others=[[0, {}]]),
        lambda data: data["slices"][0].update(others=[[1, {"a": ["1"]}]]),
        lambda data: data["slices"][0].update(looks=-1),
        lambda data: data.update(values="some"),
        lambda data: data["slices"][0].update(dependences=[[1, -3, "data", []]]),
        lambda data: data["trace"]["statement"].__setitem__(0, 5),
        lambda data: data["trace"]["caller"].__setitem__(0, 2),
        lambda data: data["trace"]["scope"].pop(),
        lambda data: data["statements"][0].update(line=0),
        lambda data: data["statements"][1].update(file=1),
        lambda data: data.update(files=None),
        lambda data: data.update(slices=[[]]),
        lambda data: data.update(statistics={"seconds": 1}),
    ],
)
def test_damage_is_noticed(change: Any) -> None:
    from_json(damaged(lambda data: None))
    with pytest.raises(UsageError) as caught:
        from_json(damaged(change))
    assert caught.value.slug == "not-a-result"


@pytest.mark.parametrize("written", ["", "[]", "{}", '{"format": "else"}', "[" * 100_000])
def test_what_is_no_result_is_refused(written: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(written, "it")
    assert caught.value.slug == "not-a-result"


def test_another_version_is_refused() -> None:
    data = copy.deepcopy(damaged(lambda data: data.update(version=1)))
    with pytest.raises(UsageError) as caught:
        from_json(data)
    assert caught.value.slug == "result-version"
