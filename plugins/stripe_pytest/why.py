"""The short answer for a failing test: runs ``stripe why -m pytest`` for it."""

from __future__ import annotations

import sys

import pytest

from stripe_pytest.invocation import explain, in_its_file


def why(
    config: pytest.Config, command: list[str], nodeid: str, seconds: float, more: list[str]
) -> tuple[int, str, bool]:
    """Ask why one test fails; as :func:`~stripe_pytest.invocation.explain`."""
    words = [
        *command, "why", "-q", "--python", sys.executable, "--max-time", str(seconds), *more,
        "-m", "pytest", "--", *in_its_file(config, nodeid),
    ]  # fmt: skip
    words[-1] += "".join(nodeid.partition("::")[1:])
    return explain(config, words)
