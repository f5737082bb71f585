"""Failing tests of real projects: what each is, how it is traced."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.real.catalog import installed
from tests.real.sdists import unpacked
from tests.real.trial import Program

FAULTS = Path(__file__).parent / "faults.json"
"""Seeded faults, each with a test of the project that fails by it; see ``find.py``."""

PLUGINS = Path(__file__).parents[2] / "plugins"


def failing() -> Iterator[Program]:
    """Each failing test."""
    for fault in json.loads(FAULTS.read_text()):
        yield program(fault)


def program(fault: dict[str, Any]) -> Program:
    _, source = unpacked(fault["package"], fault["version"])
    return Program(
        f"{fault['package']}:{fault['file'].rpartition('/')[2]}:{fault['line']}",
        "stripe_pytest",
        [
            ".", fault["test"], "--assert=plain", "-p", "no:cacheprovider", "-p", "no:randomly",
            "--rootdir", ".", "-o", "addopts=",
        ],
        module=True,
        tree=source,
        patch=(fault["file"], fault["line"], fault["new"]),
        paths=[fault["root"] or ".", PLUGINS, installed()],
        check="exception",
        exclude=[str(PLUGINS / "*")],
    )  # fmt: skip
