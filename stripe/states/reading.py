"""The result of a document (:mod:`stripe.results.causes`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stripe.results import causes as model
from stripe.results.formats import CAUSES
from stripe.snapshots import Call, Moment
from stripe.states.chain import Transition
from stripe.states.deltas import Change
from stripe.states.graph import Kind, Operation, Step
from stripe.states.isolation import Cause, Variable
from stripe.states.links import Link, Shown
from stripe.states.moments import Match
from stripe.states.overlay import Arc, Node, Overlay, Role, Side
from stripe.states.result import CausesResult


def from_json(data: Any, name: str = "the result") -> CausesResult:
    """The result of which ``data`` is the JSON form; ``name`` is what errors call it.

    Nothing in it is believed: what is not as the model says is refused, so that every report can
    show what is read, in a time that grows with the size of the document.

    Raises:
        UsageError: ``not-a-result``, ``result-version``.
    """
    document = CAUSES.read(model.Document, data, name, model.check)
    chain, tests = tuple(map(_cause_of, document.chain)), document.tests
    return CausesResult(
        **document.members("format", "version", "failing", "passing", "chain", "transitions",
                           "links", "source", "tests"),
        failing=document.failing.input,
        passing=document.passing.input,
        ends=(document.failing.end, document.passing.end),
        chain=chain,
        transitions=tuple(
            Transition(chain[each.before], chain[each.after], each.direct)
            for each in document.transitions
        ),
        links=tuple(
            Link(chain[each.before], chain[each.after], Shown(each.shown),
                 **each.members("before", "after", "shown"))
            for each in document.links
        ),
        outcomes=tests.outcomes,
        cached=tests.cached,
        resumed=tests.resumed,
        source={(each.file, each.line): each.text for each in document.source},
    )  # fmt: skip


def _cause_of(cause: model.Cause) -> Cause:
    return Cause(
        Match(
            Moment(cause.file, cause.line, cause.occurrence),
            Moment(cause.file, cause.line, cause.occurrence_when_passing),
            tuple(Call(**each.members()) for each in cause.backtrace),
        ),
        _variables_of(cause.variables),
        _variables_of(cause.context),
        cause.differences,
        cause.certified,
        _overlay_of(cause.graph),
    )


def _variables_of(variables: Sequence[model.Variable]) -> tuple[Variable, ...]:
    return tuple(
        Variable(each.name, Change(each.change), each.passing or "", each.failing or "")
        for each in variables
    )


def _overlay_of(graph: model.Graph) -> Overlay:
    nodes = (
        Node(
            **each.members("kind", "side", "role"),
            kind=Kind(each.kind),
            side=Side(each.side),
            role=each.role and Role(each.role),
        )
        for each in graph.vertices
    )
    arcs = (
        Arc(
            **each.members("step", "key", "side", "role"),
            operation=Operation(Step(each.step), each.key),
            side=Side(each.side),
            role=each.role and Role(each.role),
        )
        for each in graph.edges
    )
    return Overlay(tuple(nodes), tuple(arcs), graph.passing, graph.failing)
