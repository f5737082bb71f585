"""The document of a result, after its model (:mod:`stripe.results.inputs`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stripe.results import inputs as model
from stripe.results.formats import INPUTS
from stripe.results.searches import Tests

if TYPE_CHECKING:
    from stripe.inputs.result import InputResult


def document_of(result: InputResult) -> model.Document:
    """The document of a result."""
    passing = result.passing
    return model.Document.copy_of(
        result,
        format=INPUTS.name,
        version=INPUTS.version,
        bytes=model.Bytes(
            result.original, len(result.failing), None if passing is None else len(passing)
        ),
        failing=_content(result.failing),
        passing=None if passing is None else _content(passing),
        failure=model.Failure(result.failure, result.failure_now),
        tests=Tests.counted(result.outcomes, result.cached, result.resumed),
        levels=tuple(map(model.Level.copy_of, result.levels)),
        improvements=tuple(map(model.Improvement.copy_of, result.improvements)),
    )


def _content(content: bytes) -> model.Content:
    try:
        return model.Content(text=content.decode())
    except UnicodeDecodeError:
        return model.Content(base64=content)
