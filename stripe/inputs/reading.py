"""The result of a document (:mod:`stripe.results.inputs`)."""

from __future__ import annotations

from typing import Any

from stripe.campaign.answer import Level
from stripe.inputs.result import Improvement, InputResult
from stripe.results import inputs as model
from stripe.results.formats import INPUTS


def from_json(data: Any, name: str = "the result") -> InputResult:
    """The result of which ``data`` is the JSON form; ``name`` is what errors call it.

    Raises:
        UsageError: ``not-a-result``, ``result-version``.
    """
    document = INPUTS.read(model.Document, data, name, model.check)
    tests = document.tests
    return InputResult(
        **document.members("format", "version", "bytes", "failing", "passing", "failure", "tests",
                           "levels", "improvements"),
        original=document.bytes.original,
        failing=document.failing.data,
        passing=None if document.passing is None else document.passing.data,
        failure=document.failure.original,
        failure_now=document.failure.answer,
        outcomes=tests.outcomes,
        cached=tests.cached,
        resumed=tests.resumed,
        levels=tuple(Level(**each.members()) for each in document.levels),
        improvements=tuple(Improvement(**each.members()) for each in document.improvements),
    )  # fmt: skip
