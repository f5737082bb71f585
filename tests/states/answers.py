"""Results of searches for causes, made by hand: two states each, and what is to blame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from stripe.dd import Outcome, Reason
from stripe.results.causes import (
    Call,
    Cause,
    CausesResult,
    DebuggerCommands,
    Link,
    Run,
    Shown,
    SourceLine,
    Transition,
    Variable,
)
from stripe.results.causes import (
    Graph as Drawn,
)
from stripe.results.formats import CAUSES
from stripe.results.searches import Tests
from stripe.states import Content, Graph, Kind, Operation, Place, Step, unfold
from stripe.states.deltas import differences
from stripe.states.overlay import overlay

KINDS: dict[type, tuple[Kind, Step]] = {
    list: (Kind.SEQUENCE, Step.INDEX),
    dict: (Kind.MAPPING, Step.KEY),
}


def state(frames: Mapping[str, Mapping[str, Any]]) -> Graph:
    """The graph of calls with their variables: lists, dicts, shared ones, and what has a repr."""
    known: dict[Place, Content] = {}
    kept: list[Any] = []

    def place(value: Any) -> Place:
        kept.append(value)
        shared = isinstance(value, list | dict)
        where = Place(id(value) if shared else ("atom", len(kept)), type(value).__name__)
        if where not in known:
            if not shared:
                known[where] = Content(Kind.ATOM, repr(value), text=repr(value))
                return where
            known[where] = Content(Kind.OPAQUE)  # there already if it is in itself
            kind, step = KINDS[type(value)]
            parts = list(enumerate(value)) if isinstance(value, list) else value.items()
            known[where] = Content(
                kind,
                parts=[
                    (Operation(step, key if step is Step.INDEX else repr(key)), place(each))
                    for key, each in parts
                ],
            )
        return where

    bases = {}
    for depth, (function, variables) in enumerate(frames.items()):
        parts = [(Operation(Step.VARIABLE, name), place(each)) for name, each in variables.items()]
        where = Place(("frame", depth), function)
        known[where] = Content(Kind.RECORD, parts=parts)
        bases[Operation(Step.FRAME, function if depth else "")] = where
    return unfold(bases, known.__getitem__)


def laid_over(
    passing: Graph, failing: Graph, cause: Sequence[str] = (), context: Sequence[str] = ()
) -> Drawn:
    """Both graphs, with the differences of these names as cause and context."""
    found = differences(passing, failing)
    numbers = {each.name: each.number for each in found.deltas}
    return overlay(found, [numbers[each] for each in cause], [numbers[each] for each in context])


def cause_at(
    line: int,
    passing: Mapping[str, Mapping[str, Any]],
    failing: Mapping[str, Mapping[str, Any]],
    cause: Sequence[str],
    context: Sequence[str] = (),
    file: str = "prog.py",
) -> Cause:
    """A cause before a line: differences by their names."""
    graphs = state(passing), state(failing)
    found = differences(*graphs)
    named = {each.name: each for each in found.deltas}
    calls = tuple(Call(function, file, line) for function in failing)

    def variables(names: Sequence[str]) -> tuple[Variable, ...]:
        deltas = [named[name] for name in names]
        return tuple(
            Variable(each.name, each.change, each.before or None, each.after or None)
            for each in deltas
        )

    return Cause(
        file,
        line,
        1,
        1,
        calls,
        variables(cause),
        variables(context),
        len(found.deltas),
        True,
        laid_over(*graphs, cause, context),
        DebuggerCommands("pdb", (f"tbreak {file}:{line}", "continue"), "")
        if line % 2
        else DebuggerCommands("pdb", (), "it cannot be typed"),
    )


def answer(*chain: Cause, evil: str = "", **changes: Any) -> CausesResult:
    """A result with a transition between each two causes; ``evil`` is in every text."""
    lines = range(1, 12)
    pairs = list(pairwise(range(len(chain))))
    files = dict.fromkeys(each.file for each in chain)
    told: dict[str, Any] = {
        "format": CAUSES.name, "version": CAUSES.version,
        "program": f"prog.py{evil}", "check": f"exception{evil}", "chain": chain,
        "failing": Run(f"1 2{evil}", f"ValueError: bad{evil}"),
        "passing": Run(f"3 4{evil}", f"it prints 7{evil}"),
        "transitions": tuple(Transition(*pair, pair[0] % 2 == 0) for pair in pairs),
        "links": tuple(
            Link(*pair, Shown.NOT, (), (), f"it is not{evil}") if pair[0] % 2 else
            Link(*pair, Shown.VALUES, ("1",), ("2",), "")
            for pair in pairs
        ),
        "moments": 20, "matched": 12,
        "counts": Tests.counted({Outcome.FAIL: 3, Outcome.PASS: 4}, 2, 1),
        "undecided": {f"why{evil}": 1}, "certified": True,
        "stopped": Reason.FINISHED, "seconds": 1.5,
        "code": tuple(
            SourceLine(file, n, f"line_{n} = {n}{evil}") for file in files for n in lines
        ),
        "notes": (f"A note.{evil}",),
    }  # fmt: skip
    return CausesResult(**{**told, **changes})


def sample() -> CausesResult:
    """Two transitions, with a shared list, a new one, and one that is gone."""
    shared = [1, 2]
    other = [1, 5]
    return answer(
        cause_at(3, {"main": {"n": 4, "same": "x"}}, {"main": {"n": 3, "same": "x"}}, ["n"]),
        cause_at(
            5,
            {"work": {"a": shared, "k": 1}, "main": {"a": shared, "n": 4}},
            {"work": {"a": other, "k": 2}, "main": {"a": other, "n": 3}},
            ["a[1]"],
            ["k"],
        ),
        cause_at(
            9,
            {"main": {"n": 4, "found": None, "gone": [7]}},
            {"main": {"n": 3, "found": {"key": [1]}, "gone": None}},
            ["found"],
        ),
    )
