"""The magic ``%%why`` in a notebook that is really executed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.notebook.executing import run_cells
from tests.support.needs import LEFT_OUT

pytest.importorskip("nbformat", reason=LEFT_OUT)

CRASH = """\
def first(items):
    return items[0]

for row in [[1], []]:
    print(first(row))
"""

CELLS = [
    "%load_ext stripe_magic",
    f"%%why --json why.json\n{CRASH}",
    "_.result['happened']['symptom']",
    "%%why\nprint('total', 3)\n",
    "%%why 'unfinished\nprint(1)\n",
    "%%why --help\npass\n",
    "%%why --json -\nprint(1)\n",
    "limit = 3",
    "%%why\nprint(1 / limit)\n",
]


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Any]]:
    """The directory of an executed notebook, and what each of its cells shows."""
    folder = tmp_path_factory.mktemp("notebook")
    return folder, run_cells(CELLS, folder, tmp_path_factory.mktemp("outer"))


def text(outputs: list[Any]) -> str:
    [output] = [each for each in outputs if each["output_type"] == "execute_result"]
    return str(output["data"]["text/plain"])


def test_why_a_cell_fails(outputs: tuple[Path, list[Any]]) -> None:
    lines = text(outputs[1][1]).splitlines()
    assert lines[0] == "IndexError: list index out of range  (cell.py:2)"
    assert lines[2] == " 1  cell.py:2 in first:  return items[0]"
    assert any("items = []" in line for line in lines)
    assert len(lines) <= 24
    assert not any(line.startswith("next") for line in lines), "the file of the cell is gone"
    assert text(outputs[1][2]) == "'exception'"
    written = json.loads((outputs[0] / "why.json").read_text())
    assert written["places"][0]["file"] == "cell.py"


def test_one_that_does_not_fail_shows_how_to_ask(outputs: tuple[Path, list[Any]]) -> None:
    assert "1  total 3" in text(outputs[1][3])


@pytest.mark.parametrize(
    ("cell", "slug"), [(4, "bad-option"), (6, "bad-option"), (8, "names-of-cells")]
)
def test_errors_are_sentences(outputs: tuple[Path, list[Any]], cell: int, slug: str) -> None:
    said = json.dumps(outputs[1][cell])
    assert f"[{slug}]" in said
    assert "Traceback" not in said


def test_help_is_that_of_why(outputs: tuple[Path, list[Any]]) -> None:
    assert "stripe why" in outputs[1][5][0]["text"]
