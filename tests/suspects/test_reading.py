"""The result as JSON: described by its schema, read again as it was written, refused if damaged."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stripe.errors import UsageError
from stripe.report.reading import read_any
from stripe.report.schema import text
from stripe.report.style import Style
from stripe.report.suspects import suspects_lines
from stripe.suspects import Line, SuspectsResult, find_suspects
from stripe.suspects.reading import from_json
from tests.support.needs import LEFT_OUT
from tests.suspects.answers import sample

jsonschema = pytest.importorskip("jsonschema", reason=LEFT_OUT)

SCHEMA = json.loads(text("suspects"))
EVIL = "</code><script>alert(1)</script>\x1b[31m\u202e\udc80\"'&\n--- x\n@@ -1 +1 @@\n"


@pytest.fixture(params=["", EVIL], ids=["usual", "hostile"])
def result(request: pytest.FixtureRequest) -> SuspectsResult:
    return sample(request.param)


def told(result: SuspectsResult) -> list[str]:
    return list(suspects_lines(result, Style(verbose=True)))


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_what_is_read_is_what_was_written(result: SuspectsResult, tmp_path: Path) -> None:
    written = json.dumps(result.to_json())
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(written))
    (tmp_path / "r.json").write_text(written)
    again = read_any(str(tmp_path / "r.json"))
    assert again == result
    assert told(again) == told(result)


def test_what_a_real_search_finds_is_valid_too(tmp_path: Path) -> None:
    """And what came of changes is counted line by line."""
    program = "import sys\nn = int(sys.argv[1])\nif n > 3:\n    n -= 1\nprint(n)\n"
    (tmp_path / "prog.py").write_text(program)
    found = find_suspects("prog.py", ["3"], expect=b"2", directory=tmp_path, max_tests=20)
    jsonschema.Draft202012Validator(SCHEMA).validate(found.to_json())
    assert from_json(json.loads(json.dumps(found.to_json()))) == found
    assert [text for (_, line), text in found.source.items()] == program.splitlines()
    counted = found.tallies.values()
    assert sum(each.offered for each in counted) == found.offered
    assert sum(each.tried for each in counted) == found.tried > 5
    assert found.tallies[Line(found.places[0].file, found.places[0].line)].repaired > 0


def damaged(change: Callable[[Any], object]) -> Any:
    data = json.loads(json.dumps(sample().to_json()))
    change(data)
    return data


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("lines"),
        lambda data: data.update(more=1),
        lambda data: data.update(places=None),
        lambda data: data["places"][0].update(repaired=3),
        lambda data: data["places"][0].update(still_passing=5),
        lambda data: data["places"][0].update(end=8),
        lambda data: data["places"][0].update(turns_right=["a", "b", "c"]),
        lambda data: data["places"][0].update(breaks=["a"]),
        lambda data: data["places"][0].update(line=0),
        lambda data: data["places"][0].update(file="\ud800"),
        lambda data: data["places"][0].update(change="x" * 2000),
        lambda data: data["ranking"][0].update(ochiai="high"),
        lambda data: data["ranking"][0].update(tarantula=-1),
        lambda data: data["lines"][0].update(offered=2),
        lambda data: data["changes"].update(tried=53),
        lambda data: data["changes"].update(offered=51),
        lambda data: data["slice"].update(kept=41),
        lambda data: data["ranking"][0].update(slice="perhaps"),
        lambda data: data["ranking"][0].update(slice=None),
        lambda data: data.update(slice=None),
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
