"""The page of changes that make a test fail: one file, in the style of the page of a slice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from stripe.changes.narrative import narrative
from stripe.report.changes import author, chart_of, minimality, next_sentence, place, sentence, told
from stripe.report.html.chart import drawing
from stripe.report.html.diff import Hunk
from stripe.report.markup import template
from stripe.report.summary import VERIFIED
from stripe.report.words import PREDICTED, WORDS, outcomes
from stripe.results.changes import ChangesResult, NextCause


@dataclass(frozen=True, slots=True)
class _ShownFile:
    """A file of the answer; ``makers``: where it was changed, and by whom."""

    name: str
    path: str
    new: bool
    gone: bool
    makers: Sequence[tuple[str, str]]
    hunks: Sequence[Hunk]


def page(result: ChangesResult) -> str:
    """The whole page as text."""
    return template("html/changes.html.jinja").render(
        result=result,
        sentence=sentence(result),
        minimality=minimality(result),
        verified=VERIFIED[result.verified],
        outcomes=outcomes(result.outcomes),
        levels=list(filter(told, result.levels)),
        files=list(_files(result)),
        story=narrative(result),
        drawing=drawing(chart_of(result)),
        words=WORDS,
        predicted=PREDICTED if any(each.predicted for each in result.log) else None,
        patch=result.patch.decode("utf-8", "replace").splitlines(),
        next=None if result.next is None else _next(result, result.next),
    )


def _next(result: ChangesResult, found: NextCause) -> dict[str, Any]:
    """What the page shows of the next cause."""
    return {
        "sentence": next_sentence(result, found),
        "minimality": minimality(found),
        "patch": found.patch.decode("utf-8", "replace").splitlines(),
    }


def _files(result: ChangesResult) -> Iterator[_ShownFile]:
    for file in result.files:
        path = file.after or file.before
        owners = {by for passage in file.passages for _, by in passage.lines}
        yield _ShownFile(
            name=f"{file.before} → {path}" if file.before not in ("", path) else path,
            path=path,
            new=not file.before,
            gone=not file.after,
            makers=[
                (place(each), author(each))
                for number, each in enumerate(result.blamed)
                if number in owners or each.path == path
            ],
            hunks=[
                Hunk(each.before, each.after, [
                    (text[0], text[1:], result.blamed[by].commit[:7] if by >= 0 else "")
                    for text, by in each.lines
                ])
                for each in file.passages
            ],
        )  # fmt: skip
