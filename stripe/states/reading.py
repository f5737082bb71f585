"""Reading a result from its JSON form (:meth:`stripe.states.result.CausesResult.to_json`).

Nothing in it is believed: what does not have the form of a result is refused, so that every report
can show what is read, in a time that grows with the size of the document.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from stripe.campaign.shape import (
    COUNT,
    NAME,
    NOTE,
    SECONDS,
    STOPPED,
    TESTS_RUN,
    Format,
    check_tests,
)
from stripe.dd import Outcome, Reason
from stripe.documents.forms import (
    LARGEST,
    Form,
    WrongError,
    ascending,
    boolean,
    each,
    integer,
    mapping,
    nullable,
    one_of,
    record,
    text,
    within,
)
from stripe.snapshots import Call, Moment
from stripe.states.chain import Transition
from stripe.states.deltas import Change
from stripe.states.graph import Kind, Operation, Step
from stripe.states.isolation import Cause, Variable
from stripe.states.links import Link, Shown
from stripe.states.moments import Match
from stripe.states.overlay import LONGEST_TEXT, MOST, Arc, Node, Overlay, Role, Side
from stripe.states.result import VERSION, CausesResult

FORMAT = Format(
    "stripe-causes-result",
    VERSION,
    "stripe causes",
    "A result is written by: stripe causes PROGRAM --fail INPUT --pass INPUT --json RESULT.json",
    "Search again with this version of stripe.",
)

SHORT = text(LONGEST_TEXT)
ROLE = nullable(one_of(*(role.value for role in Role)))


def _key(value: Any) -> None:
    """A name, or an index."""
    if type(value) is str:
        SHORT(value)
    else:
        integer(-LARGEST)(value)


def _at_most(count: int, form: Form) -> Form:
    """A list of no more than so many."""
    some = each(form)

    def items(value: Any) -> None:
        some(value)
        if len(value) > count:
            raise WrongError(f"a list of at most {count}", value)

    return items


GRAPH = record({
    "vertices": _at_most(MOST, record({
        "kind": one_of(*(kind.value for kind in Kind)), "type": SHORT,
        "side": one_of(*(side.value for side in Side)), "passing": SHORT, "failing": SHORT,
        "role": ROLE, "equal": COUNT, "different": COUNT,
    })),
    "edges": _at_most(MOST * MOST, record({
        "from": COUNT, "to": COUNT, "step": one_of(*(step.value for step in Step)), "key": _key,
        "was": nullable(_key), "side": one_of("both", "passing", "failing"), "role": ROLE,
        "skipped": COUNT,
    })),
    "passing": COUNT, "failing": COUNT,
})  # fmt: skip

VALUE = nullable(NOTE)

VARIABLE = record({
    "name": NOTE, "change": one_of(*(change.value for change in Change)), "passing": VALUE,
    "failing": VALUE,
})  # fmt: skip

CAUSE = record({
    "file": NAME, "line": integer(1), "occurrence": integer(1),
    "occurrence_when_passing": integer(1),
    "backtrace": each(record({"function": NAME, "file": NAME, "line": COUNT})),
    "variables": each(VARIABLE), "context": each(VARIABLE), "differences": COUNT,
    "certified": boolean, "graph": GRAPH,
})  # fmt: skip

RUN = record({"input": NOTE, "end": NOTE})

RESULT = record({
    "format": one_of(FORMAT.name), "version": integer(VERSION, VERSION), "program": NOTE,
    "fail": RUN, "pass": RUN, "check": NOTE, "chain": each(CAUSE),
    "transitions": each(record({"from": COUNT, "to": COUNT, "direct": boolean})),
    "links": each(record({
        "from": COUNT, "to": COUNT, "shown": one_of(*(shown.value for shown in Shown)),
        "without": each(NOTE), "with": each(NOTE), "why": NOTE,
    })),
    "moments": COUNT, "matched": COUNT,
    "source": each(record({"file": NAME, "line": integer(1), "text": NAME})),
    "tests": record(TESTS_RUN), "undecided": mapping(COUNT), "certified": boolean,
    "stopped": STOPPED, "seconds": SECONDS, "notes": each(NOTE),
})  # fmt: skip


def from_json(data: Any, name: str = "the result") -> CausesResult:
    """The result of which ``data`` is the JSON form; ``name`` is what errors call it.

    Raises:
        UsageError: ``not-a-result``, ``result-version``.
    """
    FORMAT.require(data, name, RESULT, _check_relations)
    return _result_of(data)


def _check_relations(data: Mapping[str, Any]) -> None:
    """Numbers point to what is there, counts are those of what they count."""
    check_tests(data["tests"])
    within([data["matched"]], data["moments"] + 1, "matched", single=True)
    for name in ("transitions", "links"):
        for index, pair in enumerate(data[name]):
            for end in ("from", "to"):
                within([pair[end]], len(data["chain"]), name, index, end, single=True)
            ascending([pair["from"], pair["to"]], name, index)
        ascending([pair["to"] for pair in data[name]], name)
    for index, cause in enumerate(data["chain"]):
        if not cause["backtrace"]:
            raise WrongError("a call at least", [], "chain", index, "backtrace")
        if not cause["variables"]:
            raise WrongError("a variable at least", [], "chain", index, "variables")
        vertices = cause["graph"]["vertices"]
        if not vertices or vertices[0]["kind"] != Kind.ROOT.value:
            raise WrongError("a root", vertices, "chain", index, "graph", "vertices")
        for number, edge in enumerate(cause["graph"]["edges"]):
            for end in ("from", "to"):
                where = ("chain", index, "graph", "edges", number, end)
                within([edge[end]], len(vertices), *where, single=True)


def _result_of(data: dict[str, Any]) -> CausesResult:
    tests = data["tests"]
    chain = tuple(map(_cause_of, data["chain"]))
    return CausesResult(
        program=data["program"],
        failing=data["fail"]["input"],
        passing=data["pass"]["input"],
        check=data["check"],
        chain=chain,
        transitions=tuple(
            Transition(chain[each["from"]], chain[each["to"]], each["direct"])
            for each in data["transitions"]
        ),
        moments=data["moments"],
        matched=data["matched"],
        outcomes={outcome: tests[outcome.name] for outcome in Outcome if tests[outcome.name]},
        cached=tests["cached"],
        resumed=tests["resumed"],
        undecided=data["undecided"],
        certified=data["certified"],
        stopped=Reason(data["stopped"]),
        seconds=float(data["seconds"]),
        source={(each["file"], each["line"]): each["text"] for each in data["source"]},
        ends=(data["fail"]["end"], data["pass"]["end"]),
        notes=tuple(data["notes"]),
        links=tuple(
            Link(
                chain[each["from"]],
                chain[each["to"]],
                Shown(each["shown"]),
                tuple(each["without"]),
                tuple(each["with"]),
                each["why"],
            )
            for each in data["links"]
        ),
    )


def _cause_of(data: Mapping[str, Any]) -> Cause:
    calls = tuple(Call(each["function"], each["file"], each["line"]) for each in data["backtrace"])
    return Cause(
        Match(
            Moment(data["file"], data["line"], data["occurrence"]),
            Moment(data["file"], data["line"], data["occurrence_when_passing"]),
            calls,
        ),
        _variables_of(data["variables"]),
        _variables_of(data["context"]),
        data["differences"],
        data["certified"],
        _overlay_of(data["graph"]),
    )


def _variables_of(data: Sequence[Mapping[str, Any]]) -> tuple[Variable, ...]:
    return tuple(
        Variable(each["name"], Change(each["change"]), each["passing"] or "", each["failing"] or "")
        for each in data
    )


def _overlay_of(data: Mapping[str, Any]) -> Overlay:
    return Overlay(
        tuple(
            Node(
                Kind(each["kind"]),
                each["type"],
                Side(each["side"]),
                each["passing"],
                each["failing"],
                _role_of(each["role"]),
                each["equal"],
                each["different"],
            )
            for each in data["vertices"]
        ),
        tuple(
            Arc(
                each["from"],
                each["to"],
                Operation(Step(each["step"]), each["key"]),
                Side(each["side"]),
                _role_of(each["role"]),
                each["was"],
                each["skipped"],
            )
            for each in data["edges"]
        ),
        data["passing"],
        data["failing"],
    )


def _role_of(name: str | None) -> Role | None:
    return None if name is None else Role(name)
