"""The document of a result, after its model (:mod:`stripe.results.changes`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stripe.changes.narrative import narrative
from stripe.results import changes as model
from stripe.results.formats import CHANGES

if TYPE_CHECKING:
    from stripe.changes.result import Blamed, ChangesResult, NextCause, Tested


def document_of(result: ChangesResult) -> model.Document:
    """The document of a result."""
    return model.Document.copy_of(
        result,
        format=CHANGES.name,
        version=CHANGES.version,
        lines=model.Lines(result.lines, result.blamed_lines),
        blamed=tuple(map(_blamed, result.blamed)),
        patch=result.patch.decode("utf-8", "replace"),
        files=tuple(
            model.File.copy_of(
                file,
                passages=[
                    model.Passage.copy_of(
                        each, lines=[(sign + text, by) for sign, text, by in each.lines]
                    )
                    for each in file.passages
                ],
            )
            for file in result.files
        ),
        failure=model.Failure(result.failure, result.failure_now),
        edits=model.Edits.copy_of(result, answer=list(result.edits)),
        log=tuple(
            model.Test.copy_of(
                each,
                outcome=each.outcome.name,
                ranges=None if each.ranges is None else list(each.ranges),
            )
            for each in result.log
        ),
        rest=_tested(result.rest),
        narrative=tuple(map(model.Told.copy_of, narrative(result))),
        tests=model.Tests.counted(
            result.outcomes, result.cached, result.resumed, predicted=result.predicted
        ),
        levels=tuple(map(model.Level.copy_of, result.levels)),
        next=None if result.next is None else _next(result.next),
    )


def _next(found: NextCause) -> model.Next:
    return model.Next.copy_of(
        found,
        blamed=tuple(map(_blamed, found.blamed)),
        patch=found.patch.decode("utf-8", "replace"),
    )


def _blamed(each: Blamed) -> model.Blamed:
    return model.Blamed.copy_of(
        each,
        lines=[sign + text for sign, text in each.lines],
        alone=_tested(each.alone),
        without=_tested(each.without),
    )


def _tested(found: Tested) -> model.Tested:
    return model.Tested.copy_of(found, outcome=found.outcome and found.outcome.name)
