"""Executes notebooks as Jupyter does, and looks that nothing is left behind."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.leftovers import nothing_left
from tests.support.needs import LEFT_OUT
from tests.support.patience import PATIENCE


def execute(notebook: Any, folder: Path, outer: Path) -> list[list[Any]]:
    """Run all cells in ``folder``, going on after errors; what each cell shows.

    ``outer`` is a folder of the caller's for temporary files.
    """
    nbclient = pytest.importorskip("nbclient", reason=LEFT_OUT)
    pytest.importorskip("ipykernel", reason=LEFT_OUT)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IPYTHONDIR", str(outer / ".ipython"))
        patch.setenv("JUPYTER_RUNTIME_DIR", str(outer / ".runtime"))
        with nothing_left(outer / "tmp", patch):
            client = nbclient.NotebookClient(
                notebook, timeout=PATIENCE, allow_errors=True, kernel_name="python3",
                resources={"metadata": {"path": str(folder)}},
            )  # fmt: skip
            client.execute()
    return [cell.get("outputs", []) for cell in notebook.cells]


def run_cells(cells: Sequence[str], folder: Path, outer: Path) -> list[list[Any]]:
    """The same of a notebook with these cells."""
    nbformat = pytest.importorskip("nbformat", reason=LEFT_OUT)
    made = [nbformat.v4.new_code_cell(each) for each in cells]
    return execute(nbformat.v4.new_notebook(cells=made), folder, outer)


def shown(outputs: list[Any]) -> str:
    """The HTML of a cell's value."""
    [output] = [each for each in outputs if each["output_type"] == "execute_result"]
    return str(output["data"]["text/html"])
