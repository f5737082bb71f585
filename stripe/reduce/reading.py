"""Reading a result from its JSON form (:meth:`stripe.reduce.Result.to_json`)."""

from __future__ import annotations

import base64
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stripe.backend import End, Target, UncaughtException
from stripe.campaign.log import LogEntry
from stripe.campaign.shape import Format
from stripe.checks import Shown
from stripe.dd import Outcome, Reason
from stripe.documents.columns import Columns
from stripe.documents.loading import load
from stripe.index_set import packed
from stripe.reduce.levels import LevelAnswer
from stripe.reduce.passes import Pass
from stripe.reduce.result import (
    OLDEST,
    VERSION,
    CriticalSlice,
    Dependence,
    Freer,
    RecordedRun,
    Result,
    Statistics,
)
from stripe.reduce.shape import RESULT, check_relations
from stripe.reduce.stored import STORED, followed
from stripe.trace import Activation, SourceFile, Statement, Trace, enclosing, governing
from stripe.trace.columns import Numbers
from stripe.trace.levels import LEVELS
from stripe.trace.window import Extent

FORMAT = Format(
    "stripe-result",
    VERSION,
    "stripe",
    "A result is written by: stripe trace PROGRAM --json RESULT.json",
    "Trace the program again with this version of stripe.",
    OLDEST,
)


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
        FORMAT.refuse(name, f"it is not JSON ({error})")


def from_json(data: Any, name: str = "the result", folder: Path | None = None) -> Result:
    """The result of which ``data`` is the JSON form; see :func:`parse`.

    All of ``data`` is checked first (:mod:`stripe.reduce.shape`): every report can show what this
    returns.
    """
    try:
        data = expanded(data, folder, name)
    except ValueError as error:
        FORMAT.refuse(name, f"{error}")
    FORMAT.require(data, name, RESULT, check_relations)
    return result_of(data)


def expanded(data: Any, folder: Path | None = None, name: str = "the result") -> Any:
    """A document with lists in place of columns in short; the rest is as it is.

    Where it points to its trace, the columns are those of the file in ``folder``.

    Raises :class:`ValueError`, whose text says why; UsageError: ``no-trace``.
    """
    read = Columns().read

    def within(value: Any, *names: str) -> Any:
        if not isinstance(value, dict):
            return value
        return {name: read(each) if name in names else each for name, each in value.items()}

    if not isinstance(data, dict):
        return data
    data = dict(data)
    parents = ("caller", "scope", "control")
    trace = data.get("trace")
    if isinstance(trace, dict) and STORED in trace:
        trace = followed(trace, folder, name)
    data["trace"] = within(trace, "statement", "activation", *parents)
    if isinstance(data.get("slices"), list):
        data["slices"] = [within(each, "events", "governing") for each in data["slices"]]
        for each in data["slices"]:
            if isinstance(each, dict) and "freer" in each:
                each["freer"] = within(each["freer"], "events")
            if isinstance(each, dict) and isinstance(each.get("log"), list):
                each["log"] = [within(entry, "ranges") for entry in each["log"]]
    return data


def result_of(data: dict[str, Any]) -> Result:
    """The result, where all is checked."""
    recorded, target = data["recorded"], data["target"]
    trace = trace_of(data)
    return Result(
        command=tuple(map(str, data["command"])),
        control=str(data["control"]),
        algorithm=str(data["algorithm"]),
        trace=trace,
        slices=tuple(
            slice_of(each, trace, same=data.get("values") == "same") for each in data["slices"]
        ),
        notes=tuple(map(str, data["notes"])),
        statistics=_statistics_of(**data["statistics"]),
        recorded=None if recorded is None else _recorded_of(recorded),
        target=None if target is None else _target_of(target),
        # These are not in results of earlier versions.
        values=str(data.get("values", "free")),
        sandbox=str(data.get("sandbox", "")),
        interpreter=str(data.get("interpreter", "")),
    )


def trace_of(data: dict[str, Any]) -> Trace:
    """The trace of a document."""
    found = data["trace"]
    control = found["control"]

    def numbers(column: list[int] | memoryview[int]) -> Numbers:
        return column if isinstance(column, memoryview) else array("i", column)

    def find_control() -> Numbers:
        return enclosing(trace) if control is None else numbers(control)

    trace = Trace(
        files=[
            SourceFile(str(each["path"]), str(each["text"]), tuple(each.get("elsewhere", ())))
            for each in data["files"]
        ],
        statements=[
            Statement(
                id=each["id"],
                file=each["file"],
                kind=str(each["kind"]),
                line=each["line"],
                header_end=each["header_end"],
                end_line=each["end_line"],
                column=each["column"],
                function=str(each["function"]),
                parent=each["parent"],
            )
            for each in data["statements"]
        ],
        activations=[
            Activation(number, str(each["function"]), each["file"], each["caller"])
            for number, each in enumerate(found["activations"])
        ],
        statement=numbers(found["statement"]),
        activation=numbers(found["activation"]),
        caller=numbers(found["caller"]),
        scope=numbers(found["scope"]),
        find_control=find_control,
        extent=Extent(**found["window"]) if "window" in found else None,
    )
    return trace


def slice_of(data: dict[str, Any], trace: Trace, *, same: bool) -> CriticalSlice:
    """One slice of a document; ``same``: where it does not say so itself."""
    tests, events = data["tests"], packed(data["events"])
    deciding = data.get("governing")
    return CriticalSlice(
        name=str(data["name"]),
        check=str(data["check"]),
        events=events,
        of=len(trace),
        outcomes={outcome: int(tests[outcome.name]) for outcome in Outcome if tests[outcome.name]},
        cached=int(tests["cached"]),
        resumed=int(tests["resumed"]),
        certified=bool(data["certified"]),
        stopped=Reason(data["stopped"]),
        verified=data["verified"],
        seconds=float(data["seconds"]),
        log=tuple(
            LogEntry(
                int(each["number"]),
                Outcome[each["outcome"]],
                int(each["size"]),
                None if each["ranges"] is None else array("i", each["ranges"]),
            )
            for each in data["log"]
        ),
        evidence=str(data["evidence"]),
        dependences=tuple(
            Dependence(event, on, str(kind), tuple(map(str, names)))
            for event, on, kind, names in data["dependences"]
        ),
        values={
            event: {str(name): str(text) for name, text in values.items()}
            for event, values in data["values"]
        },
        # Not in results of earlier versions:
        same=bool(data.get("same", same)),
        freer=Freer(packed(data["freer"]["events"]), int(data["freer"]["tests"]))
        if "freer" in data
        else None,
        untried=str(data.get("untried", "")),
        undecided={str(why): count for why, count in data.get("undecided", {}).items()},
        governing=governing(trace, events) if deciding is None else tuple(deciding),
        shown=tuple(
            Shown(str(what), tuple(map(str, lines)), of)
            for what, lines, of in data.get("shown", ())
        ),
        others={
            event: {str(name): (str(then), str(now)) for name, (then, now) in names.items()}
            for event, names in data["others"]
        }
        if "others" in data
        else None,
        looks=int(data.get("looks", 0)),
        level=str(data.get("level", LEVELS[-1])),
        levels=tuple(_level_of(each) for each in data.get("levels", ())),
        passes=tuple(Pass(**each) for each in data.get("passes", ())),
    )


def _statistics_of(*, uses: Mapping[str, tuple[int, int]] | None = None, **data: Any) -> Statistics:
    found = {str(name): (used, missed) for name, (used, missed) in (uses or {}).items()}
    return Statistics(**data, uses=found)


def _level_of(data: dict[str, Any]) -> LevelAnswer:
    return LevelAnswer(
        name=str(data["level"]),
        units=data["units"],
        kept=data["kept"],
        before=data["before"],
        events=data["events"],
        tests=data["tests"],
        seconds=float(data["seconds"]),
        certified=bool(data["certified"]),
        ranges=array("i", data["ranges"]),
    )


def _exception(*, compared: str = "", **raised: Any) -> UncaughtException:
    return UncaughtException(**raised, operands=(compared,) if compared else ())


def _recorded_of(data: dict[str, Any]) -> RecordedRun:
    raised = data["exception"]
    first, second = data["digests"]
    return RecordedRun(
        end=End[data["end"]].name,
        status=int(data["status"]),
        stdout=str(data["stdout"]),
        stderr=str(data["stderr"]),
        digests=(str(first), str(second)),
        exception=None if raised is None else _exception(**raised),
        unwritten=str(data.get("unwritten", "")),
    )


def _target_of(data: dict[str, Any]) -> Target:
    return Target(
        program=str(data["program"]),
        arguments=tuple(map(str, data["arguments"])),
        module=bool(data["module"]),
        directory=Path(data["directory"]),
        stdin=base64.b64decode(data["stdin"], validate=True),
        python=data["python"],
        include=tuple(map(str, data["include"])),
        exclude=tuple(map(str, data["exclude"])),
        timeout=data["timeout"],
        memory=data["memory"],
        window=data.get("window", ""),  # not in results of earlier versions
        whole=tuple(map(str, data.get("whole", ()))),
        engine=data.get("engine"),  # not in results of earlier versions
        tty=bool(data.get("tty", False)),  # not in results of earlier versions
    )
