"""The document of a result, after its model (:mod:`stripe.results.causes`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stripe.results import causes as model
from stripe.results.formats import CAUSES
from stripe.results.searches import Tests

if TYPE_CHECKING:
    from stripe.states.isolation import Cause, Variable
    from stripe.states.result import CausesResult


def document_of(result: CausesResult) -> model.Document:
    """The document of a result."""
    number = {id(cause): number for number, cause in enumerate(result.chain)}
    failed, passed = result.ends
    return model.Document.copy_of(
        result,
        format=CAUSES.name,
        version=CAUSES.version,
        failing=model.Run(result.failing, failed),
        passing=model.Run(result.passing, passed),
        chain=tuple(map(_cause, result.chain)),
        transitions=tuple(
            model.Transition.copy_of(
                each, before=number[id(each.before)], after=number[id(each.after)]
            )
            for each in result.transitions
        ),
        links=tuple(
            model.Link.copy_of(each, before=number[id(each.before)], after=number[id(each.after)])
            for each in result.links
        ),
        source=tuple(
            model.SourceLine(file, line, text) for (file, line), text in result.source.items()
        ),
        tests=Tests.counted(result.outcomes, result.cached, result.resumed),
    )


def _cause(cause: Cause) -> model.Cause:
    failing, passing = cause.match.failing, cause.match.passing
    return model.Cause.copy_of(
        cause,
        file=failing.file,
        line=failing.line,
        occurrence=failing.occurrence,
        occurrence_when_passing=passing.occurrence,
        backtrace=tuple(map(model.Call.copy_of, cause.match.backtrace)),
        variables=_variables(cause.variables),
        context=_variables(cause.context),
        differences=cause.deltas,
        graph=model.Graph.copy_of(
            cause.overlay,
            vertices=tuple(map(model.Vertex.copy_of, cause.overlay.nodes)),
            edges=[
                model.Edge.copy_of(each, step=each.operation.step, key=each.operation.key)
                for each in cause.overlay.links
            ],
        ),
    )


def _variables(variables: Sequence[Variable]) -> tuple[model.Variable, ...]:
    return tuple(
        model.Variable.copy_of(each, passing=each.before or None, failing=each.after or None)
        for each in variables
    )
