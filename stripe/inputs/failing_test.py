"""Smaller arguments for a test function that failed: for a test runner, which asks by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from stripe.errors import StripeError
from stripe.inputs.calls.call import Call, Parameters, consumer, copied_value, same_place
from stripe.inputs.calls.experiment import Experiment
from stripe.inputs.calls.reduction import Reduction


def copies(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return copies of arguments, as far as they can be copied."""
    memo: dict[int, Any] = {}
    found = {}
    for name, value in arguments.items():
        try:
            found[name] = copied_value(value, memo)
        except Exception:  # it is shared by all runs
            found[name] = value
    return found


def reduced(
    function: Callable[..., Any],
    name: str,
    arguments: Mapping[str, Any],
    others: Mapping[str, Any],
    error: BaseException,
    *,
    elapsed: float,
    max_time: float,
) -> str:
    """Return what is to be said about smaller arguments with which a test fails at the same line.

    Args:
        function: the test; a method is bound.
        name: how it is called.
        arguments: what is reduced, as it was before the test ran.
        others: what else it is called with.
        error: what it raised.
        elapsed: seconds it took.
        max_time: seconds that reducing may take.
    """
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    observed = Call(
        partial(function, **others),
        name,
        dict(arguments),
        Parameters(keyword_only=tuple(arguments)),
        exception=error,
        consumes=id if code is None else consumer(code),
    )
    # The text of a rewritten assertion has the values in it, so only the line counts.
    experiment = Experiment(observed, same=same_place, limit=max(5.0, 10 * elapsed))
    reduction = Reduction(experiment, order=(), log=0, max_tests=None, max_time=max_time)
    try:
        smaller = reduction.minimise()
    except StripeError as problem:
        return f"not reduced: {problem}"
    known = "no single part can be left out" if reduction.certified else "there was no more time"
    return f"{observed.format(smaller)}\n{known}; {experiment.tests} tests"
