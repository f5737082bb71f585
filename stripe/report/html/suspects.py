"""The page of suspects: one file without a script, in the style of the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stripe.dd import Reason
from stripe.report.html import heat
from stripe.report.html.diff import Hunk, hunks_of
from stripe.report.markup import template
from stripe.report.style import cut, middle, rate
from stripe.report.summary import STOPPED
from stripe.report.suspects import (
    LEGEND,
    SAID,
    STANDING,
    beforehand,
    evidence,
    suspected,
    which_values,
    without_values,
)
from stripe.suspects import Line, Place, SuspectsResult
from stripe.suspects.spectrum import FORMULAS

WIDEST_NAME = 120
"""Characters of a file's name."""

MOST_ROWS = 1000
"""Rows of the ranking."""

MOST_NAMES = 200
"""Tests that are named."""

COUNTS = ("offered", "tried", "repaired", "partly", "broken")
"""What the ranking tells of changes."""


@dataclass(frozen=True, slots=True)
class _ShownPlace:
    """A place, in words; ``stands``: what the slice says of its line, if there is one."""

    place: Place
    where: str
    anchor: str
    evidence: str
    hunks: Sequence[Hunk]
    which_values: str
    no_values: str
    stands: str


def page(result: SuspectsResult) -> str:
    """The whole page as text."""
    what = suspected(result)
    slices = () if result.slice is None else ("slice",)
    return template("html/suspects.html.jinja").render(
        result=result,
        suspected=cut(what, WIDEST_NAME),
        suspected_is_program=what == result.program,
        lost=result.changes.fuel + result.changes.crashed,
        rate=rate(result.runs, result.seconds),
        stopped="" if result.stopped is Reason.FINISHED else STOPPED[result.stopped],
        beforehand=beforehand(result),
        places=[_place(each, result) for each in result.places],
        legend=[(heat.part(name, 0, 16), words) for name, words in heat.WORDS.items()],
        files=heat.code_files(result),
        columns=(*COUNTS, *FORMULAS, *slices),
        ranking=list(_ranking(result)),
        slice_legend=LEGEND,
        names_told=_names,
        widest_name=WIDEST_NAME,
        shades=heat.SHADES,
        width=heat.WIDTH,
        height=heat.HEIGHT,
    )


def _names(names: Sequence[str]) -> Iterator[str]:
    """The names of tests, as many as are told."""
    yield from (cut(name, 2 * WIDEST_NAME) for name in names[:MOST_NAMES])
    if len(names) > MOST_NAMES:
        yield f"and {len(names) - MOST_NAMES} more"


def _place(each: Place, result: SuspectsResult) -> _ShownPlace:
    return _ShownPlace(
        each,
        where=f"{middle(each.file, WIDEST_NAME)}:{each.line}",
        anchor=f"f{heat.anchors(result).get(each.file, 0)}l{each.line}",
        evidence=evidence(each),
        hunks=[Hunk(each.line, each.line, [(" ", each.source, "")])]
        if each.diff is None
        else hunks_of(each.diff),
        which_values=which_values(each),
        no_values=without_values(each),
        stands="" if result.slice is None else SAID[result.standing(each)],
    )


def _ranking(result: SuspectsResult) -> Iterator[tuple[int, bool, str, str, Sequence[object]]]:
    """Rank, whether it is a place, file and line, the anchor if it is in the page, all numbers."""
    files = heat.anchors(result)
    places = {(each.file, each.line) for each in result.places}
    source, tallies = result.source, result.tallies
    for each in result.ranking[:MOST_ROWS]:
        at = Line(each.file, each.line)
        tally = tallies.get(at)
        cells: list[object] = [getattr(tally, name, 0) or "" for name in COUNTS]
        scores = (getattr(each, name) for name in FORMULAS)
        cells += ("∞" if score is None else f"{score:.3f}" for score in scores)
        if each.slice is not None:
            cells.append(STANDING[each.slice])
        anchor = f"f{files[each.file]}l{each.line}" if at in source else ""
        where = f"{middle(each.file, WIDEST_NAME)}:{each.line}"
        yield each.rank, at in places, where, anchor, cells
