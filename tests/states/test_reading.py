"""The result as JSON: described by its schema, read again as it was written, refused if damaged."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any, get_args

import pytest

from stripe.dd import Reason
from stripe.errors import UsageError
from stripe.reduce.reading import loaded
from stripe.report.causes import causes_lines
from stripe.report.html.causes import page
from stripe.report.pictures import dot, svg
from stripe.report.sarif_causes import sarif
from stripe.report.schema import text
from stripe.report.style import Style
from stripe.results import causes
from stripe.states.deltas import Change
from stripe.states.graph import Kind, Step
from stripe.states.links import Shown
from stripe.states.overlay import Role, Side
from stripe.states.reading import from_json
from stripe.states.result import CausesResult
from tests.states.answers import answer, sample
from tests.support.mutations import mutant
from tests.support.needs import LEFT_OUT

jsonschema = pytest.importorskip("jsonschema", reason=LEFT_OUT)

SCHEMA = json.loads(text("causes"))

ANSWERS: dict[str, Callable[[], CausesResult]] = {
    "found": sample,
    "ended": lambda: answer(certified=False, stopped=Reason.MAX_TESTS),
}


@pytest.fixture(params=ANSWERS)
def result(request: pytest.FixtureRequest) -> CausesResult:
    return ANSWERS[request.param]()


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_names_are_those_of_the_kinds_they_stand_for() -> None:
    for named, kind in (
        (causes.KindName, Kind),
        (causes.StepName, Step),
        (causes.ChangeName, Change),
        (causes.SideName, Side),
        (causes.RoleName, Role),
        (causes.ShownName, Shown),
    ):
        assert get_args(named.__value__) == tuple(each.value for each in kind)


def test_what_is_written_is_what_the_schema_says(result: CausesResult) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(result.to_json())))


def test_what_is_read_is_what_was_written(result: CausesResult) -> None:
    written = json.dumps(result.to_json())
    again = from_json(json.loads(written))
    assert json.dumps(again.to_json()) == written
    assert list(causes_lines(again, Style())) == list(causes_lines(result, Style()))
    for form in (page, svg.document, dot.document, sarif):
        assert form(again) == form(result)


def damaged(change: Callable[[Any], object]) -> Any:
    data = json.loads(json.dumps(sample().to_json()))
    change(data)
    return data


def vertex(data: Any) -> Any:
    return data["chain"][0]["graph"]["vertices"][1]


def edge(data: Any) -> Any:
    return data["chain"][0]["graph"]["edges"][0]


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("chain"),
        lambda data: data.update(more=1),
        lambda data: data.update(matched=99),
        lambda data: data["fail"].update(end=1),
        lambda data: data["chain"][0].update(line=0),
        lambda data: data["chain"][0].update(backtrace=[]),
        lambda data: data["chain"][0].update(variables=[]),
        lambda data: data["chain"][0]["variables"][0].update(change="turn"),
        lambda data: data["chain"][0]["graph"].update(vertices=[]),
        lambda data: data["chain"][0]["graph"]["vertices"].extend([vertex(data)] * 60),
        lambda data: data["chain"][0]["graph"]["vertices"][0].update(kind="atom"),
        lambda data: vertex(data).update(kind="thing"),
        lambda data: vertex(data).update(side="left"),
        lambda data: vertex(data).update(type="x" * 201),
        lambda data: vertex(data).update(role="guilt"),
        lambda data: edge(data).update({"to": 60}),
        lambda data: edge(data).update({"from": -1}),
        lambda data: edge(data).update(step="over"),
        lambda data: edge(data).update(key=None),
        lambda data: edge(data).update(side="changed"),
        lambda data: data["transitions"][0].update(to=7),
        lambda data: data["transitions"].append(data["transitions"][1]),
        lambda data: data["transitions"][0].update({"from": 1}),
        lambda data: data["links"][0].update({"from": 7}),
        lambda data: data["links"][0].update(shown="yes"),
        lambda data: data["source"][0].update(text=None),
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


def outcome(document: str) -> str:
    """``refused``, ``shown``, or what went wrong: every form is no larger than what was read."""
    try:
        result = from_json(loaded(document, "it"))
    except UsageError as error:
        return "refused" if error.slug in ("not-a-result", "result-version") else repr(error)
    try:
        forms = [
            "\n".join(causes_lines(result, Style())), page(result), svg.document(result),
            dot.document(result), json.dumps(sarif(result)), json.dumps(result.to_json()),
        ]  # fmt: skip
    except Exception as error:
        return repr(error)
    large = [form[:60] for form in forms if len(form) > 300_000 + 100 * len(document)]
    return f"too large: {large}" if large else "shown"


@pytest.mark.parametrize("seed", range(2))
def test_what_is_damaged_is_refused_or_shown(seed: int) -> None:
    random_ = random.Random(seed)
    written = json.dumps(sample().to_json())
    validator = jsonschema.Draft202012Validator(SCHEMA)
    found: Counter[str] = Counter()
    for number in range(200):
        document = mutant(written, random_)
        what = outcome(document)
        found[what] += 1
        if what == "shown" and number % 5 == 0:
            assert validator.is_valid(json.loads(document)), (seed, number)
    assert set(found) == {"refused", "shown"}
    assert min(found.values()) > 4, "mutants of both kinds"


def test_forms_grow_with_the_document() -> None:
    """A chain of many steps in one file with many lines, as somebody may have made it up."""
    data = sample().to_json()
    count = 400
    data["chain"] = data["chain"][:1] * count
    data["transitions"] = [
        {"from": n, "to": n + 1, "direct": True} for n in range(count - 1)
    ]  # fmt: skip
    data["links"] = []
    data["source"] = [{"file": "prog.py", "line": n, "text": "x"} for n in range(1, 5000)]
    assert outcome(json.dumps(data)) == "shown"
