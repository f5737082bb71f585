"""``stripe notebook``: a cell comes in as JSON, what is shown goes out; without any notebook."""

from __future__ import annotations

import json
import sys

import pytest

from tests.e2e.harness import Room

CELL = "import sys\nx = sys.argv[1]\nprint('said', x)\nprint('no', file=sys.stderr)\n"


def asked(**more: object) -> str:
    whole = {"line": "", "cell": CELL, "names": [], "python": sys.executable, **more}
    return json.dumps(whole)


def test_the_answer_is_all_that_a_notebook_shows(room: Room) -> None:
    run = room.stripe("notebook", stdin=asked(line="--check stdout -- 'a b'"))
    assert run.status == 0, run.err
    answer = run.result
    assert answer["stdout"] == "said a b\n"
    assert answer["stderr"] == "no\n"
    assert answer["text"] == "stdout: 3 of 4 events kept, 1-minimal"
    assert answer["html"].startswith('<div class="stripe-slice">')
    assert answer["result"]["target"] is None
    assert [each["path"] for each in answer["result"]["files"]] == ["cell.py"]


def test_names_of_other_cells_are_refused(room: Room) -> None:
    run = room.stripe("notebook", stdin=asked(cell="print(limit)\n", names=["limit", "other"]))
    run.refused("names-of-cells", "The cell uses limit, which other cells define.", status=2)


@pytest.mark.parametrize("text", ["", "no JSON", "[]", '{"line": ""}', asked(line=3)])
def test_what_no_notebook_says_is_refused(room: Room, text: str) -> None:
    run = room.stripe("notebook", stdin=text)
    run.refused("bad-arguments", "%load_ext stripe_magic", status=2)
