"""Reading a result from its JSON form (:meth:`stripe.reduce.Result.to_json`)."""

from __future__ import annotations

import base64
import json
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from stripe.backend import End, Target, UncaughtException
from stripe.dd import Outcome, Reason
from stripe.errors import UsageError
from stripe.reduce.result import (
    VERSION,
    CriticalSlice,
    Dependence,
    LogEntry,
    Recorded,
    Result,
    Statistics,
)
from stripe.trace import NONE, Activation, SourceFile, Statement, Trace

MAKE_ONE = "A result is written by: stripe trace PROGRAM --json RESULT.json"


def parse(text: str, name: str) -> Result:
    """The result that ``text`` holds; ``name`` is what errors call it.

    Raises :class:`~stripe.errors.UsageError` ``not-a-result`` or ``result-version``.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        refuse(name, f"it is not JSON ({error})")
    return from_json(data, name)


def from_json(data: Any, name: str = "the result") -> Result:
    """The result of which ``data`` is the JSON form; see :func:`parse`."""
    if not isinstance(data, dict) or data.get("format") != "stripe-result":
        refuse(name, 'it does not say "format": "stripe-result"')
    if data.get("version") != VERSION:
        raise UsageError(
            "result-version",
            f"{name} has version {data.get('version')!r} of the result format; this is "
            f"version {VERSION}.",
            "Trace the program again with this version of stripe.",
        )
    try:
        result = result_of(data)
        check(result)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        refuse(name, f"it is damaged ({type(error).__name__}: {error})")
    return result


def refuse(name: str, why: str) -> NoReturn:
    raise UsageError("not-a-result", f"{name} is no result of stripe: {why}.", MAKE_ONE)


def result_of(data: dict[str, Any]) -> Result:
    """The result, where nothing is checked yet."""
    size = len(data["trace"]["statement"])
    recorded, target = data["recorded"], data["target"]
    return Result(
        command=tuple(map(str, data["command"])),
        control=str(data["control"]),
        algorithm=str(data["algorithm"]),
        trace=trace_of(data),
        slices=tuple(slice_of(each, size) for each in data["slices"]),
        notes=tuple(map(str, data["notes"])),
        statistics=Statistics(**data["statistics"]),
        recorded=None if recorded is None else recorded_of(recorded),
        target=None if target is None else target_of(target),
        sandbox=str(data.get("sandbox", "")),  # not in results of earlier versions
    )


def trace_of(data: dict[str, Any]) -> Trace:
    found = data["trace"]
    control = found["control"]

    def find_control() -> array[int]:
        if control is None:
            raise LookupError("control parents are stored for control mode program only")
        return array("i", control)

    return Trace(
        files=[SourceFile(str(each["path"]), str(each["text"])) for each in data["files"]],
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
        statement=array("i", found["statement"]),
        activation=array("i", found["activation"]),
        caller=array("i", found["caller"]),
        scope=array("i", found["scope"]),
        find_control=find_control,
    )


def slice_of(data: dict[str, Any], size: int) -> CriticalSlice:
    tests = data["tests"]
    return CriticalSlice(
        name=str(data["name"]),
        check=str(data["check"]),
        events=tuple(data["events"]),
        of=size,
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
    )


def recorded_of(data: dict[str, Any]) -> Recorded:
    raised = data["exception"]
    first, second = data["digests"]
    return Recorded(
        end=End[data["end"]].name,
        status=int(data["status"]),
        stdout=str(data["stdout"]),
        stderr=str(data["stderr"]),
        digests=(str(first), str(second)),
        exception=None if raised is None else UncaughtException(**raised),
    )


def target_of(data: dict[str, Any]) -> Target:
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
        engine=data.get("engine"),  # not in results of earlier versions
        tty=bool(data.get("tty", False)),  # not in results of earlier versions
    )


def check(result: Result) -> None:
    """Raise ValueError where a number points to nothing: reports rely on them."""
    trace = result.trace
    size = len(trace)
    statements, files, activations = (
        len(trace.statements), len(trace.files), len(trace.activations),
    )  # fmt: skip
    for number, each in enumerate(trace.statements):
        if each.id != number or not 0 <= each.file < files:
            raise ValueError(f"statement {number}")
        if not 1 <= each.line <= each.header_end or not NONE <= each.parent < number:
            raise ValueError(f"the place of statement {number}")
    arrays = (trace.activation, trace.caller, trace.scope)
    if any(len(each) != size for each in arrays):
        raise ValueError("the arrays of the trace differ in length")
    within(trace.statement, 0, statements)
    within(trace.activation, 0, activations)
    for parents in (trace.caller, trace.scope):
        if any(not NONE <= parent < event for event, parent in enumerate(parents)):
            raise ValueError("a parent that is no earlier event")
    for found in result.slices:
        ascending(found.events)
        within(found.events, 0, size)
        within(list(found.values), 0, size)
        within([each.event for each in found.dependences], 0, size)
        within([each.on for each in found.dependences], 0, size)
        for entry in found.log:
            if entry.ranges is not None:
                within(entry.ranges, 0, size + 1)
                ascending(entry.ranges)
                if len(entry.ranges) % 2:
                    raise ValueError("a range without an end")


def within(numbers: Sequence[int], low: int, high: int) -> None:
    if len(numbers) and not low <= min(numbers) <= max(numbers) < high:
        raise ValueError(f"a number outside {low} to {high - 1}")


def ascending(numbers: Sequence[int]) -> None:
    if any(numbers[index] >= numbers[index + 1] for index in range(len(numbers) - 1)):
        raise ValueError("numbers that do not ascend")
