"""The result of a document (:mod:`stripe.results.suspects`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from stripe.interventions import Line
from stripe.results import suspects as model
from stripe.results.formats import SUSPECTS
from stripe.suspects.form import ENDED
from stripe.suspects.ranks import Suspect
from stripe.suspects.result import Place, SuspectsResult
from stripe.suspects.slices import SliceView, Standing
from stripe.suspects.spectrum import FORMULAS
from stripe.suspects.tallies import Tally


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
