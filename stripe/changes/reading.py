"""The result of a document (:mod:`stripe.results.changes`)."""

from __future__ import annotations

from typing import Any

from stripe.campaign.answer import Level
from stripe.campaign.log import LogEntry
from stripe.changes.result import Blamed, ChangedFile, ChangesResult, NextCause, Passage, Tested
from stripe.dd import Outcome
from stripe.results import changes as model
from stripe.results.formats import CHANGES


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
                           "edits", "log", "rest", "narrative", "tests", "levels", "next"),
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
        next=None if document.next is None else _next_of(document.next),
    )  # fmt: skip


def _next_of(found: model.Next) -> NextCause:
    return NextCause(
        **found.members("blamed", "patch"),
        blamed=tuple(map(_blamed_of, found.blamed)),
        patch=found.patch.encode("utf-8", "surrogatepass"),
    )


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
