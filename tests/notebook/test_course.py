"""The notebook of the course, executed: what its text says is what its cells show."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.notebook.executing import execute, shown
from tests.support.needs import LEFT_OUT

nbformat = pytest.importorskip("nbformat", reason=LEFT_OUT)

COURSE = Path(__file__).parents[2] / "docs" / "course"


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, list[Any]]]:
    """The code cells with what they show."""
    read = nbformat.read(COURSE / "slices.ipynb", as_version=4)
    nbformat.validate(read)
    assert all(not cell.get("outputs") for cell in read.cells), "outputs would go stale"
    outer = tmp_path_factory.mktemp("course")
    # Only what the notebook says it needs.
    shutil.copytree(COURSE / "programs", outer / "course" / "programs")
    outputs = execute(read, outer / "course", outer)
    return [
        (cell["source"], output)
        for cell, output in zip(read.cells, outputs, strict=True)
        if cell["cell_type"] == "code"
    ]


def text(outputs: list[Any]) -> str:
    return "".join(each["text"] for each in outputs if each.get("name") == "stdout")


def test_no_cell_fails_or_complains(notebook: list[tuple[str, list[Any]]]) -> None:
    for source, outputs in notebook:
        for each in outputs:
            assert each["output_type"] != "error", (source, each)
            assert each.get("name") != "stderr", (source, each)


def test_its_slices(notebook: list[tuple[str, list[Any]]]) -> None:
    first, second = [shown(outputs) for source, outputs in notebook if "%%stripe" in source]
    assert "10 of 16 events kept" in first
    assert "1-minimal: yes" in first
    assert "6 of 16 events kept" in second
    [result] = [shown(outputs) for source, outputs in notebook if source.endswith("\nresult")]
    assert "2 of 12 events kept" in result


def test_its_ddmin(notebook: list[tuple[str, list[Any]]]) -> None:
    [log] = [text(outputs) for source, outputs in notebook if "asked = []" in source]
    assert log.splitlines()[0] == " 1 PASS (1, 2, 3, 4)"
    assert "FAIL (1, 7, 8)" in log
    [counts] = [text(outputs) for source, outputs in notebook if "def count" in source]
    one, three, eight = [int(line.split()[2]) for line in counts.splitlines()]
    assert one < three < eight


def test_its_two_answers(notebook: list[tuple[str, list[Any]]]) -> None:
    [compared] = [text(outputs) for source, outputs in notebook if "def lines" in source]
    assert compared == "one:   [7, 12]\nother: [10, 12]\nboth:  [12]\n"
    assert text(notebook[-1][1]) == "[True, True]\n"
