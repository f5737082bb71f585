"""Smaller arguments for failing parametrised tests, as ``stripe.inputs`` finds them.

That is the one thing for which the tests' own process has to import our package ``stripe``; so
it is imported by name, and only when it was asked for.
"""

from __future__ import annotations

import importlib
from collections.abc import Generator
from typing import Any

import pytest

TITLE = "reduced by stripe"
ARGUMENTS = pytest.StashKey[dict[str, Any]]()
"""The parameters of a test, as they were before it ran."""


class Reductions:
    """Adds the reduced arguments to the report of each test that fails."""

    def __init__(self, max_time: float) -> None:
        self._max_time = max_time
        try:
            self._inputs: Any = importlib.import_module("stripe.inputs.failing_test")
        except ImportError as error:
            raise pytest.UsageError(
                "--stripe-reduce needs stripe-trace where the tests run, which cannot be beside "
                f"the payment library: {error}"
            ) from None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        # Copies of the parameters: the test may change them.
        if isinstance(item, pytest.Function):
            item.stash[ARGUMENTS] = self._inputs.copies(parameters(item))
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if report.when == "call" and report.failed and call.excinfo is not None:
            arguments = item.stash.get(ARGUMENTS, None)
            if arguments and isinstance(item, pytest.Function):
                wanted = item._fixtureinfo.argnames
                text = self._inputs.reduced(
                    item.obj,
                    item.originalname,
                    arguments,
                    {name: item.funcargs[name] for name in wanted if name not in arguments},
                    call.excinfo.value,
                    elapsed=call.duration,
                    max_time=self._max_time,
                )
                report.sections.append((TITLE, text))
        return report


def parameters(item: pytest.Function) -> dict[str, Any]:
    """What a test gets from ``parametrize``, and not through fixtures."""
    callspec = getattr(item, "callspec", None)
    if callspec is None or hasattr(item.obj, "hypothesis"):
        return {}  # Hypothesis reduces its examples itself
    return {
        name: value
        for name, value in callspec.params.items()
        if name in item.funcargs and item.funcargs[name] is value
    }
