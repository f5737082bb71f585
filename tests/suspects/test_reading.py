"""What is special about reading the result; tests/results has the rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stripe.report.schema import text
from stripe.results.suspects import from_json
from stripe.suspects import Line, find_suspects
from tests.support.needs import LEFT_OUT

jsonschema = pytest.importorskip("jsonschema", reason=LEFT_OUT)

SCHEMA = json.loads(text("suspects"))


def test_what_a_real_search_finds_is_valid_too(tmp_path: Path) -> None:
    """And what came of changes is counted line by line."""
    program = "import sys\nn = int(sys.argv[1])\nif n > 3:\n    n -= 1\nprint(n)\n"
    (tmp_path / "prog.py").write_text(program)
    found = find_suspects("prog.py", ["3"], expect=b"2", directory=tmp_path, max_tests=20)
    jsonschema.Draft202012Validator(SCHEMA).validate(found.to_json())
    assert from_json(json.loads(json.dumps(found.to_json()))) == found
    assert [text for (_, line), text in found.source.items()] == program.splitlines()
    counted = found.lines
    assert sum(each.offered for each in counted) == found.offered
    assert sum(each.tried for each in counted) == found.tried > 5
    assert found.tallies[Line(found.places[0].file, found.places[0].line)].repaired > 0
