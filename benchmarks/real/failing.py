"""Failing tests of real projects: what each is, how it is traced."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from benchmarks.real.catalog import DATA, installed
from benchmarks.real.sdists import unpacked
from benchmarks.real.trial import Program
from stripe.failing_run import GUEST, HELPER

FAULTS = DATA / "faults.json"
"""Seeded faults, each with a test of the project that fails by it; see ``find.py``."""


def failing() -> Iterator[Program]:
    """Each failing test."""
    for fault in json.loads(FAULTS.read_text()):
        yield program(fault)


def program(fault: dict[str, Any]) -> Program:
    _, source = unpacked(fault["package"], fault["version"])
    module, arguments, check = HELPER, pytest_arguments(fault["test"]), "exception"
    if fault.get("runner") == "unittest":
        file, _, rest = fault["test"].partition("::")
        name = file.removesuffix(".py").replace("/", ".") + "." + rest.replace("::", ".")
        module, arguments, check = "unittest", [name], "stderr"
    return Program(
        f"{fault['package']}:{fault['file'].rpartition('/')[2]}:{fault['line']}",
        module,
        arguments,
        module=True,
        tree=source,
        patch=(fault["file"], fault["line"], fault["new"]),
        paths=[fault["root"] or ".", GUEST, installed()],
        check=check,
        exclude=[str(GUEST / "*")],
    )


def pytest_arguments(test: str) -> list[str]:
    """As ``pytest --stripe`` has a test traced."""
    return [".", test, "-p", "no:randomly", "-o", "addopts=", "--rootdir", "."]
