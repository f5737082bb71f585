"""The critical slice of a failing test: runs ``stripe trace -m stripe_testcase`` for it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from stripe_pytest.invocation import explain, options, project

HERE = Path(__file__).parent

HELPER = "stripe_testcase"
"""What the command traces a single test by: ``HELPER DIRECTORY TEST [ARGUMENTS OF PYTEST]``."""


def trace(
    config: pytest.Config, command: list[str], nodeid: str, seconds: float, more: list[str]
) -> tuple[int, str, bool]:
    """Trace one test; as :func:`~stripe_pytest.invocation.explain`."""
    words = [
        *command, "trace", "--check", "exception", "--show", "source,summary", "--input", "",
        "--python", sys.executable, "--max-time", str(seconds), "-q",
        "--exclude", str(HERE / "*"), *more,
    ]  # fmt: skip
    words += ["-m", HELPER, "--", *arguments(config, nodeid)]
    return explain(config, words)


def arguments(config: pytest.Config, nodeid: str) -> list[str]:
    """The directory pytest was called in, the test, and what else it was called with."""
    path, separator, rest = nodeid.partition("::")
    test = f"{config.rootpath / path}{separator}{rest}"
    directory = os.path.relpath(config.invocation_params.dir, project(config))
    return [directory, test, *options(config), "--rootdir", str(config.rootpath)]
