"""A result as its model (:mod:`stripe.results.changes`), and the result of a document."""

from __future__ import annotations

from typing import Any

from stripe.campaign.answer import Level
from stripe.campaign.log import LogEntry
from stripe.changes.narrative import narrative
from stripe.changes.result import Blamed, ChangedFile, ChangesResult, Passage, Tested
from stripe.dd import Outcome
from stripe.results import changes as model
from stripe.results.formats import CHANGES


def document_of(result: ChangesResult) -> model.Document:
    """The document of a result."""
    return model.Document.copy_of(
        result,
        format=CHANGES.name,
        version=CHANGES.version,
        lines=model.Lines(result.lines, result.blamed_lines),
        blamed=tuple(
            model.Blamed.copy_of(
                each,
                lines=[sign + text for sign, text in each.lines],
                alone=_tested(each.alone),
                without=_tested(each.without),
            )
            for each in result.blamed
        ),
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
    )


def _tested(found: Tested) -> model.Tested:
    return model.Tested.copy_of(found, outcome=found.outcome and found.outcome.name)


def from_json(data: Any, name: str = "the result") -> ChangesResult:
    """The result of which ``data`` is the JSON form; ``name`` is what errors call it.

    Nothing in it is believed: what is not as the model says is refused, so that every report can
    show what is read, in a time that grows with the size of the document.

    Raises:
        UsageError: ``not-a-result``, ``result-version``.
    """
    document = CHANGES.read(model.Document, data, name, model.check)
    tests = document.tests
    return ChangesResult(
        **document.members("format", "version", "lines", "blamed", "patch", "files", "failure",
                           "edits", "log", "rest", "narrative", "tests", "levels"),
        lines=document.lines.changed,
        blamed_lines=document.lines.blamed,
        blamed=tuple(map(_blamed_of, document.blamed)),
        patch=document.patch.encode("utf-8", "surrogatepass"),
        files=tuple(map(_file_of, document.files)),
        outcomes=tests.outcomes,
        predicted=tests.predicted,
        cached=tests.cached,
        resumed=tests.resumed,
        failure=document.failure.bad,
        failure_now=document.failure.answer,
        levels=tuple(Level(**each.members()) for each in document.levels),
        of=document.edits.of,
        edits=document.edits.answer,
        log=tuple(
            LogEntry(**each.members("outcome"), outcome=Outcome[each.outcome])
            for each in document.log
        ),
        rest=_tested_of(document.rest),
    )  # fmt: skip


def _blamed_of(blamed: model.Blamed) -> Blamed:
    return Blamed(
        **blamed.members("lines", "alone", "without"),
        lines=tuple((line[0], line[1:]) for line in blamed.lines),
        alone=_tested_of(blamed.alone),
        without=_tested_of(blamed.without),
    )


def _file_of(file: model.File) -> ChangedFile:
    passages = (
        Passage(each.before, each.after, tuple((line[0], line[1:], by) for line, by in each.lines))
        for each in file.passages
    )
    return ChangedFile(file.before, file.after, tuple(passages))


def _tested_of(found: model.Tested) -> Tested:
    return Tested(found.outcome and Outcome[found.outcome], found.predicted)
