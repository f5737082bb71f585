"""The document of a result, after its model (:mod:`stripe.results.slices`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from stripe.documents.columns import column
from stripe.reduce.stored import NAMES, STORED, columns_of
from stripe.results import slices as model
from stripe.results.formats import CONTAINED, SLICES
from stripe.results.model import UNSET
from stripe.results.searches import Test, Tests

if TYPE_CHECKING:
    from stripe.reduce.result import CriticalSlice, RecordedRun, Result
    from stripe.trace import Trace


def document_of(result: Result, stored: Mapping[str, str] | None) -> model.Document:
    """The document of a result; ``stored`` is where its trace is, if it is not in itself."""
    trace, recorded, target = result.trace, result.recorded, result.target
    control = result.control == "program"
    facts: dict[str, Any]
    if stored is None:
        facts = columns_of(trace, control=control)
    else:
        facts = {**dict.fromkeys(NAMES, STORED), "stored": model.Stored(**stored)}
        facts["control"] = STORED if control else None
    return model.Document.copy_of(
        result,
        format=SLICES.name,
        version=CONTAINED if stored is None else SLICES.version,
        files=[model.File(each.path, each.text, each.elsewhere or UNSET) for each in trace.files],
        statements=[model.Statement.copy_of(each) for each in trace.statements],
        trace=model.Trace(
            **facts,
            activations=tuple(map(model.Activation.copy_of, trace.activations)),
            window=UNSET if trace.extent is None else model.Window.copy_of(trace.extent),
        ),
        recorded=None if recorded is None else _recorded(recorded),
        target=None
        if target is None
        else model.Target.copy_of(target, directory=str(target.directory)),
        slices=[_slice(each, trace) for each in result.slices],
        statistics=model.Statistics.copy_of(result.statistics),
        dead_values=[model.DeadValue.copy_of(each) for each in result.dead_values],
    )


def _recorded(run: RecordedRun) -> model.Recorded:
    raised = run.exception
    return model.Recorded.copy_of(
        run, exception=None if raised is None else model.Raised.copy_of(raised)
    )


def _slice(found: CriticalSlice, trace: Trace) -> model.Slice:
    executed = Counter(trace.statement)
    others = found.others
    return model.Slice.copy_of(
        found,
        events=column(found.events),
        statements=[
            model.KeptStatement(number, kept, executed[number])
            for number, kept in sorted(found.statements(trace).items())
        ],
        tests=Tests.counted(found.outcomes, found.cached, found.resumed),
        log=[
            Test.copy_of(
                each,
                ranges=None if each.ranges is None else column(each.ranges),
            )
            for each in found.log
        ],
        dependences=found.dependences,
        values=sorted(found.values.items()),
        governing=column(found.governing),
        tried=column(found.tried) if found.tried else UNSET,
        symptom=column(found.symptom) if found.symptom else UNSET,
        shown=[(each.what, each.lines, each.of) for each in found.shown],
        levels=[
            model.Level.copy_of(each, level=each.name, ranges=list(each.ranges))
            for each in found.levels
        ],
        passes=[model.Pass.copy_of(each) for each in found.passes],
        freer=UNSET
        if found.freer is None
        else model.Freer.copy_of(found.freer, events=column(found.freer.events)),
        others=UNSET if others is None else sorted(others.items()),
        looks=UNSET if others is None else found.looks,
    )
