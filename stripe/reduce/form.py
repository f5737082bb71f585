"""A result as its model (:mod:`stripe.results.slices`), and the result of a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stripe.backend import End, Target, UncaughtException
from stripe.campaign.log import LogEntry
from stripe.checks import Shown
from stripe.dd import Outcome
from stripe.documents import columns
from stripe.index_set import packed
from stripe.reduce.levels import LevelAnswer
from stripe.reduce.passes import Pass
from stripe.reduce.result import CriticalSlice, Dependence, Freer, RecordedRun, Result, Statistics
from stripe.reduce.stored import NAMES, STORED, columns_of
from stripe.results import slices as model
from stripe.results.formats import CONTAINED, SLICES
from stripe.results.model import UNSET
from stripe.results.searches import Test, Tests
from stripe.trace import Activation, SourceFile, Statement, Trace, enclosing, governing
from stripe.trace.window import Extent


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
    )


def column(numbers: Sequence[int]) -> Any:
    """A column, as it is written."""
    return columns.column(numbers)


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
                outcome=each.outcome.name,
                ranges=None if each.ranges is None else column(each.ranges),
            )
            for each in found.log
        ],
        dependences=found.dependences,
        values=sorted(found.values.items()),
        governing=column(found.governing),
        tried=column(found.tried) if found.tried else UNSET,
        shown=[(each.what, each.lines, each.of) for each in found.shown],
        levels=[
            model.Level.copy_of(each, level=each.name, ranges=list(each.ranges))
            for each in found.levels
        ],
        passes=[model.Pass.copy_of(each) for each in found.passes],
        freer=UNSET
        if found.freer is None
        else model.Freer(column(found.freer.events), found.freer.tests),
        others=UNSET if others is None else sorted(others.items()),
        looks=UNSET if others is None else found.looks,
    )


def result_of(document: model.Document) -> Result:
    """The result that a checked document holds."""
    recorded, target = document.recorded, document.target
    trace = _trace_of(document)
    same = document.values == "same"
    return Result(
        **document.members("format", "version", "files", "statements", "trace", "recorded",
                           "target", "slices", "statistics"),
        trace=trace,
        slices=tuple(_slice_of(each, trace, same=same) for each in document.slices),
        statistics=Statistics(**document.statistics.members()),
        recorded=None if recorded is None else _recorded_of(recorded),
        target=None
        if target is None
        else Target(**target.members("directory"), directory=Path(target.directory)),
    )  # fmt: skip


def _trace_of(document: model.Document) -> Trace:
    found = document.trace

    def find_control() -> Any:
        return enclosing(trace) if found.control is None else found.control

    trace = Trace(
        files=[SourceFile(**each.members()) for each in document.files],
        statements=[Statement(**each.members()) for each in document.statements],
        activations=[
            Activation(id=number, **each.members()) for number, each in enumerate(found.activations)
        ],
        **found.members("control", "activations", "window", "stored"),
        find_control=find_control,
        extent=None if found.window is UNSET else Extent(**found.window.members()),
    )
    return trace


def _recorded_of(run: model.Recorded) -> RecordedRun:
    raised = run.exception
    return RecordedRun(
        **run.members("end", "exception"),
        end=End[run.end].name,
        exception=None
        if raised is None
        else UncaughtException(
            **raised.members("compared"), operands=(raised.compared,) if raised.compared else ()
        ),
    )


def _slice_of(found: model.Slice, trace: Trace, *, same: bool) -> CriticalSlice:
    """One slice of a document; ``same``: where it does not say so itself."""
    events, deciding = packed(found.events), found.governing
    return CriticalSlice(
        **found.members("events", "statements", "tests", "log", "dependences", "values",
                        "governing", "shown", "levels", "same", "passes", "freer", "others",
                        "tried"),
        events=events,
        of=len(trace),
        outcomes=found.tests.outcomes,
        cached=found.tests.cached,
        resumed=found.tests.resumed,
        log=tuple(
            LogEntry(each.number, Outcome[each.outcome], each.size, each.ranges)
            for each in found.log
        ),
        dependences=tuple(Dependence(*each) for each in found.dependences),
        values=dict(found.values),
        governing=governing(trace, events) if deciding is UNSET else tuple(deciding),
        tried=() if found.tried is UNSET else tuple(found.tried),
        shown=tuple(Shown(*each) for each in found.shown),
        levels=tuple(
            LevelAnswer(name=each.level, **each.members("level")) for each in found.levels
        ),
        same=same if found.same is UNSET else found.same,
        passes=tuple(Pass(**each.members()) for each in found.passes),
        freer=None
        if found.freer is UNSET
        else Freer(packed(found.freer.events), found.freer.tests),
        others=None if found.others is UNSET else dict(found.others),
    )  # fmt: skip
