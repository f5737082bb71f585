"""A pytest plugin that reduces the arguments of failing parametrised tests.

It does nothing unless it is asked for, in one run or in a conftest.py:

    pytest -p stripe.inputs.pytest_helper --stripe-reduce
    pytest_plugins = ["stripe.inputs.pytest_helper"]
"""

from __future__ import annotations

import copy
from collections.abc import Generator
from functools import partial
from typing import Any

import pytest

from stripe.errors import StripeError

from .calls.call import Call, Parameters, consumer, copied_value, same_place
from .calls.experiment import Experiment
from .calls.reduction import Reduction

HEADING = "reduced by stripe"
ARGUMENTS = pytest.StashKey[dict[str, Any]]()
"""The parameters of a test, as they were before it ran."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add our options."""
    group = parser.getgroup("stripe", "reduction of failing tests")
    group.addoption(
        "--stripe-reduce",
        action="store_true",
        help="show smaller arguments with which a failing parametrised test fails at the same line",
    )
    group.addoption(
        "--stripe-reduce-max-time",
        type=float,
        default=60.0,
        metavar="S",
        help="seconds that reducing one test may take (default: 60)",
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Keep copies of the parameters: the test may change them."""
    if isinstance(item, pytest.Function) and item.config.getoption("--stripe-reduce"):
        item.stash[ARGUMENTS] = _parameters(item)
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the reduced arguments to the report of a test that failed."""
    report = yield
    failed = report.when == "call" and report.failed and call.excinfo is not None
    if failed and isinstance(item, pytest.Function) and item.stash.get(ARGUMENTS, None):
        assert call.excinfo is not None
        report.sections.append((HEADING, _reduced(item, call.excinfo.value, call.duration)))
    return report


def _parameters(item: pytest.Function) -> dict[str, Any]:
    """Return copies of what the test gets from `parametrize`, not through fixtures."""
    callspec = getattr(item, "callspec", None)
    if callspec is None or hasattr(item.obj, "hypothesis"):
        return {}  # Hypothesis reduces its examples itself
    memo: dict[int, Any] = {}
    found = {}
    for name, value in callspec.params.items():
        if name in item.funcargs and item.funcargs[name] is value:
            try:
                found[name] = copied_value(value, memo)
            except Exception:  # what cannot be copied is shared by all runs
                found[name] = value
    return found


def _reduced(item: pytest.Function, error: BaseException, elapsed: float) -> str:
    """Return what is to be said about smaller arguments."""
    arguments = item.stash[ARGUMENTS]
    wanted = item._fixtureinfo.argnames
    fixtures = {name: item.funcargs[name] for name in wanted if name not in arguments}
    observed = Call(
        partial(item.obj, **fixtures),
        item.originalname,
        copy.copy(arguments),
        Parameters(keyword_only=tuple(arguments)),
        exception=error,
        consumes=consumer(item.function.__code__) if hasattr(item.function, "__code__") else id,
    )
    limit = max(5.0, 10 * elapsed)
    # The text of a rewritten assertion has the values in it, so only the line counts.
    experiment = Experiment(observed, same=same_place, limit=limit)
    reduction = Reduction(
        experiment,
        order=(),
        log=0,
        max_tests=None,
        max_time=item.config.getoption("--stripe-reduce-max-time"),
    )
    try:
        smaller = reduction.minimise()
    except StripeError as problem:
        return f"not reduced: {problem}"
    known = "no single part can be left out" if reduction.certified else "there was no more time"
    return f"{observed.format(smaller)}\n{known}; {experiment.tests} tests"
