"""Reading a result from its JSON form (:meth:`stripe.reduce.Result.to_json`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from stripe.backend import End, Target, UncaughtException
from stripe.campaign.log import LogEntry
from stripe.checks import Shown
from stripe.documents.loading import load
from stripe.index_set import packed
from stripe.reduce.levels import LevelAnswer
from stripe.reduce.passes import Pass
from stripe.reduce.result import CriticalSlice, Dependence, Freer, RecordedRun, Result, Statistics
from stripe.reduce.stored import STORED, followed
from stripe.results import slices as model
from stripe.results.formats import SLICES
from stripe.results.model import UNSET
from stripe.trace import Activation, SourceFile, Statement, Trace, enclosing, governing
from stripe.trace.dead_values import DeadValue
from stripe.trace.window import Extent


def parse(text: str, name: str, folder: Path | None = None) -> Result:
    """The result that ``text`` holds; ``name`` is what errors call it.

    ``folder`` is where it was read from: there is its trace, if it points to it.

    Raises :class:`~stripe.errors.UsageError` ``not-a-result``, ``result-version``, ``no-trace``.
    """
    return from_json(loaded(text, name), name, folder)


def loaded(text: str, name: str) -> Any:
    """The JSON that ``text`` holds; raises as :func:`parse`."""
    try:
        return load(text)
    except ValueError as error:
        SLICES.refuse(name, f"it is not JSON ({error})")


def from_json(data: Any, name: str = "the result", folder: Path | None = None) -> Result:
    """The result of which ``data`` is the JSON form; see :func:`parse`.

    All of ``data`` is checked first (:mod:`stripe.results.slices`): every report can show what this
    returns.
    """
    trace = data.get("trace") if isinstance(data, dict) else None
    if isinstance(trace, dict) and STORED in trace:
        try:
            data = {**data, "trace": followed(trace, folder, name)}
        except ValueError as error:
            SLICES.refuse(name, f"{error}")
    return _result_of(SLICES.read(model.Document, data, name, model.check))


def _result_of(document: model.Document) -> Result:
    """The result that a checked document holds."""
    recorded, target = document.recorded, document.target
    trace = _trace_of(document)
    same = document.values == "same"
    return Result(
        **document.members("format", "version", "files", "statements", "trace", "recorded",
                           "target", "slices", "statistics", "dead_values"),
        trace=trace,
        slices=tuple(_slice_of(each, trace, same=same) for each in document.slices),
        statistics=Statistics(**document.statistics.members()),
        recorded=None if recorded is None else _recorded_of(recorded),
        target=None if target is None else _target_of(target),
        dead_values=tuple(DeadValue(**each.members()) for each in document.dead_values),
    )  # fmt: skip


def _target_of(target: model.Target) -> Target:
    include, only = target.include, target.only
    if only is UNSET:  # before there was --only, that is what --include did
        include, only = (), include
    return Target(
        **target.members("directory", "include", "only"),
        directory=Path(target.directory),
        include=include,
        only=only,
    )


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
                        "tried", "symptom"),
        events=events,
        of=len(trace),
        outcomes=found.tests.outcomes,
        cached=found.tests.cached,
        resumed=found.tests.resumed,
        log=tuple(
            LogEntry(each.number, each.outcome, each.size, each.ranges)
            for each in found.log
        ),
        dependences=tuple(Dependence(*each) for each in found.dependences),
        values=dict(found.values),
        governing=governing(trace, events) if deciding is UNSET else tuple(deciding),
        tried=() if found.tried is UNSET else tuple(found.tried),
        symptom=() if found.symptom is UNSET else packed(found.symptom),
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
