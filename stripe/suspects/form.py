"""The document of a result, after its model (:mod:`stripe.results.suspects`)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from stripe.interventions import Ended, Line
from stripe.results import suspects as model
from stripe.results.formats import SUSPECTS
from stripe.results.model import UNSET

if TYPE_CHECKING:
    from stripe.suspects.result import Place, SuspectsResult

ENDED = [each.name.lower() for each in Ended]
"""How attempts end, as documents name it."""


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
            result,
            carried=UNSET,
            **{name: result.ended.get(name, 0) for name in ENDED},
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
