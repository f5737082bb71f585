"""Reading a result from its JSON form (:meth:`stripe.suspects.SuspectsResult.to_json`).

Nothing in it is believed: what does not have the form of a result is refused, so that every report
can show what is read, in a time that grows with the size of the document.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from stripe.campaign.shape import COUNT, NAME, NOTE, SECONDS, STOPPED, Format
from stripe.dd import Reason
from stripe.documents.forms import (
    WrongError,
    boolean,
    each,
    integer,
    nullable,
    number,
    one_of,
    record,
    system_text,
    text,
    within,
)
from stripe.interventions import Ended, Line
from stripe.suspects import result as written
from stripe.suspects.ranks import Suspect
from stripe.suspects.result import LONGEST, VERSION, Place, SuspectsResult
from stripe.suspects.slices import SliceView, Standing
from stripe.suspects.spectrum import FORMULAS
from stripe.suspects.tallies import Effect, Tally

FORMAT = Format(
    written.FORMAT,
    VERSION,
    "stripe suspects",
    "A result is written by: stripe suspects --json RESULT.json -m pytest",
    "Search again with this version of stripe.",
)

SHORT = text(LONGEST)


def _path(value: Any) -> None:
    NAME(value)
    system_text(value)


LINE = {"file": _path, "line": integer(1)}

PLACE = record({
    **LINE, "end": integer(1), "function": NAME, "change": SHORT, "kind": NAME, "size": COUNT,
    "diff": nullable(text()), "repaired": integer(1), "failing": integer(1),
    "still_passing": COUNT, "broken": COUNT, "passing": COUNT, "others": COUNT,
    "values": record({"before": each(SHORT), "after": each(SHORT)}, {"first": integer(1)}),
    "source": SHORT,
    "turns_right": each(text()), "breaks": each(text()),
}, {"found": nullable(record({"tests": COUNT, "passing": COUNT}))})  # fmt: skip

SCORE = nullable(number())

RANKED = record({
    **LINE, "rank": integer(1), "repairs": COUNT, **dict.fromkeys(FORMULAS, SCORE),
    "slice": nullable(one_of(*(standing.value for standing in Standing))),
})  # fmt: skip

SLICE = record({
    "run": NOTE, "check": NOTE, "kept": COUNT, "of": COUNT, "certified": boolean,
    "dynamic": boolean,
})  # fmt: skip

TALLY = record({**LINE, "offered": COUNT, **{effect.name.lower(): COUNT for effect in Effect}})

RESULT = record({
    "format": one_of(FORMAT.name), "version": integer(VERSION, VERSION), "program": NOTE,
    "places": each(PLACE), "ranking": each(RANKED), "lines": each(TALLY), "failing": each(text()),
    "passing": each(text()), "left_out": each(text()),
    "changes": record({
        "offered": COUNT, "tried": COUNT, **{ended.name.lower(): COUNT for ended in Ended},
    }, {"carried": COUNT}),  # in results of before 0.2; not used
    "runs": COUNT, "stopped": STOPPED, "seconds": SECONDS,
    "source": each(record({**LINE, "text": NAME})), "sandbox": NOTE, "slice": nullable(SLICE),
    "notes": each(NOTE),
})  # fmt: skip


def from_json(data: Any, name: str = "the result") -> SuspectsResult:
    """The result of which ``data`` is the JSON form; ``name`` is what errors call it.

    Raises:
        UsageError: ``not-a-result``, ``result-version``.
    """
    FORMAT.require(data, name, RESULT, _check_relations)
    return _result_of(data)


def _check_relations(data: Mapping[str, Any]) -> None:
    """Parts are no more than what they are of."""
    changes = data["changes"]
    within([changes["tried"]], changes["offered"] + 1, "changes", "tried", single=True)
    if changes["tried"] != sum(changes[each.name.lower()] for each in Ended):
        raise WrongError("the sum of how they ended", changes["tried"], "changes", "tried")
    for index, place in enumerate(data["places"]):
        for part, whole in (("repaired", "failing"), ("still_passing", "passing"),
                            ("broken", "passing")):  # fmt: skip
            within([place[part]], place[whole] + 1, "places", index, part, single=True)
        for names, count in (("turns_right", "repaired"), ("breaks", "broken")):
            within([len(place[names])], place[count] + 1, "places", index, names, single=True)
        if found := place.get("found"):
            within([found["passing"]], found["tests"] + 1, "places", index, "found", single=True)
        if place["end"] < place["line"]:
            raise WrongError("a line behind the first", place["end"], "places", index, "end")
    for index, tally in enumerate(data["lines"]):
        if sum(tally[each.name.lower()] for each in Effect) > tally["offered"]:
            raise WrongError("as many as were tried", tally["offered"], "lines", index, "offered")

    sliced = data["slice"]
    if sliced is not None:
        within([sliced["kept"]], sliced["of"] + 1, "slice", "kept", single=True)
    for index, ranked in enumerate(data["ranking"]):
        if (ranked["slice"] is None) != (sliced is None):
            what = "nothing: there is no slice" if sliced is None else "what the slice says"
            raise WrongError(what, ranked["slice"], "ranking", index, "slice")


def _result_of(data: Mapping[str, Any]) -> SuspectsResult:
    ranking = data["ranking"]
    changes = data["changes"]
    return SuspectsResult(
        program=data["program"],
        places=tuple(map(_place_of, data["places"])),
        ranking=tuple(
            Suspect(each["file"], each["line"], each["rank"], _score(each["ochiai"]),
                    each["repairs"])
            for each in ranking
        ),
        spectrum={
            name: {Line(each["file"], each["line"]): _score(each[name]) for each in ranking}
            for name in FORMULAS
        },
        failing=tuple(data["failing"]),
        passing=tuple(data["passing"]),
        left_out=tuple(data["left_out"]),
        offered=changes["offered"],
        tried=changes["tried"],
        ended={name: changes[name] for each in Ended if changes[name := each.name.lower()]},
        runs=data["runs"],
        stopped=Reason(data["stopped"]),
        seconds=float(data["seconds"]),
        source={Line(each["file"], each["line"]): each["text"] for each in data["source"]},
        tallies={
            Line(each["file"], each["line"]): Tally(
                each["offered"], **{effect.name.lower(): each[effect.name.lower()]
                                    for effect in Effect}
            )
            for each in data["lines"]
        },
        sandbox=data["sandbox"],
        notes=tuple(data["notes"]),
        slice=None if data["slice"] is None else _slice_of(data["slice"], ranking),
    )  # fmt: skip


def _score(score: float | None) -> float:
    return math.inf if score is None else float(score)


def _slice_of(data: Mapping[str, Any], ranking: Sequence[Mapping[str, Any]]) -> SliceView:
    standing = {
        Line(each["file"], each["line"]): Standing(each["slice"])
        for each in ranking
        if each["slice"] != Standing.ABSENT.value
    }
    return SliceView(
        data["run"], data["check"], standing, data["kept"], data["of"], data["certified"],
        data["dynamic"],
    )  # fmt: skip


def _place_of(data: Mapping[str, Any]) -> Place:
    return Place(
        file=data["file"],
        line=data["line"],
        end=data["end"],
        function=data["function"],
        kind=data["kind"],
        words=data["change"],
        diff=data["diff"],
        size=data["size"],
        repaired=data["repaired"],
        failing=data["failing"],
        kept=data["still_passing"],
        broken=data["broken"],
        passing=data["passing"],
        others=data["others"],
        before=tuple(data["values"]["before"]),
        after=tuple(data["values"]["after"]),
        nth=data["values"].get("first", 1),
        source=data["source"],
        righted=tuple(data["turns_right"]),
        spoiled=tuple(data["breaks"]),
        found=(found["tests"], found["passing"]) if (found := data.get("found")) else None,
    )
