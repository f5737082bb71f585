"""A result as its model (:mod:`stripe.results.suspects`), and the result of a document."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from stripe.interventions import Ended, Line
from stripe.results import suspects as model
from stripe.results.formats import SUSPECTS
from stripe.results.model import UNSET
from stripe.suspects.ranks import Suspect
from stripe.suspects.result import Place, SuspectsResult
from stripe.suspects.slices import SliceView, Standing
from stripe.suspects.spectrum import FORMULAS
from stripe.suspects.tallies import Tally

ENDED = [each.name.lower() for each in Ended]


def document_of(result: SuspectsResult) -> model.Document:
    """The document of a result."""

    def standing(line: Line) -> Any:
        return None if result.slice is None else result.slice.of_line(line).value

    return model.Document.copy_of(
        result,
        format=SUSPECTS.name,
        version=SUSPECTS.version,
        places=tuple(map(_place, result.places)),
        ranking=tuple(
            model.Ranked(
                file=each.file,
                line=each.line,
                rank=each.rank,
                repairs=each.repairs,
                slice=standing(each.at),
                **{name: _finite(scores[each.at]) for name, scores in result.spectrum.items()},
            )
            for each in result.ranking
        ),
        lines=tuple(
            model.Tally.copy_of(tally, file=file, line=line)
            for (file, line), tally in result.tallies.items()
        ),
        changes=model.Changes.copy_of(
            result, carried=UNSET, **{name: result.ended.get(name, 0) for name in ENDED}
        ),
        source=tuple(
            model.SourceLine(file, line, text) for (file, line), text in result.source.items()
        ),
        slice=result.slice and model.SliceView.copy_of(result.slice),
    )


def _finite(score: float) -> float | None:
    return None if score == math.inf else score


def _place(place: Place) -> model.Place:
    return model.Place.copy_of(
        place,
        values=model.Values(tuple(place.before), tuple(place.after), place.nth),
        found=place.found and model.Found(*place.found),
    )


def from_json(data: Any, name: str = "the result") -> SuspectsResult:
    """The result of which ``data`` is the JSON form; ``name`` is what errors call it.

    Nothing in it is believed: what is not as the model says is refused, so that every report can
    show what is read, in a time that grows with the size of the document.

    Raises:
        UsageError: ``not-a-result``, ``result-version``.
    """
    document = SUSPECTS.read(model.Document, data, name, model.check)
    ranking, changes = document.ranking, document.changes
    return SuspectsResult(
        **document.members("format", "version", "places", "ranking", "lines", "changes", "source",
                           "slice"),
        **changes.members(*ENDED, "carried"),
        places=tuple(map(_place_of, document.places)),
        ranking=tuple(
            Suspect(each.file, each.line, each.rank, _score(each.ochiai), each.repairs)
            for each in ranking
        ),
        spectrum={
            name: {Line(each.file, each.line): _score(getattr(each, name)) for each in ranking}
            for name in FORMULAS
        },
        ended={name: count for name in ENDED if (count := getattr(changes, name))},
        source={Line(each.file, each.line): each.text for each in document.source},
        tallies={
            Line(each.file, each.line): Tally(**each.members("file", "line"))
            for each in document.lines
        },
        slice=None if document.slice is None else _slice_of(document.slice, ranking),
    )  # fmt: skip


def _score(score: float | None) -> float:
    return math.inf if score is None else score


def _slice_of(found: model.SliceView, ranking: Sequence[model.Ranked]) -> SliceView:
    standing = {
        Line(each.file, each.line): Standing(each.slice)
        for each in ranking
        if each.slice != Standing.ABSENT.value
    }
    return SliceView(**found.members(), standing=standing)


def _place_of(place: model.Place) -> Place:
    return Place(
        **place.members("values", "found"),
        before=place.values.before,
        after=place.values.after,
        nth=place.values.first,
        found=None if place.found is None else (place.found.tests, place.found.passing),
    )
