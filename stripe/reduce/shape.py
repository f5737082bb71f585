"""What the JSON form of a result must be, in all its parts, before anything is made of it.

First each value for itself (:data:`RESULT`: the published schema, with what it leaves open), then
what values say of each other (:func:`check_relations`): numbers point to what is there, counts are
those of what they count.  Reports rely on it: what passes can be shown, in a time that grows with
the size of the document.
"""

from __future__ import annotations

import base64
import binascii
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from stripe.campaign.shape import (
    COUNT,
    NAME,
    NOTE,
    SECONDS,
    STOPPED,
    TEST,
    TESTS_RUN,
    check_ranges,
    check_test,
    check_tests,
)
from stripe.documents.forms import (
    LARGEST,
    WrongError,
    ascending,
    boolean,
    each,
    integer,
    integers,
    mapping,
    nullable,
    number,
    one_of,
    record,
    several,
    system_text,
    text,
    unicode,
    within,
)
from stripe.reduce.passes import PASSES
from stripe.reduce.result import HEAD, OLDEST, VERSION
from stripe.trace import NONE
from stripe.trace.levels import LEVELS

MOST_LINES = 10_000_000
"""The largest number of a line, and of a column."""

MOST_MARKS = 200_000_000
"""Slices times what each may keep: events, statements, lines.  Reports mark all of it."""

DIGEST = "0123456789abcdef"


def _base_64(value: Any) -> None:
    """Bytes as Base64."""
    if type(value) is not str:
        raise WrongError("a text", value)
    try:
        base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        raise WrongError("Base64", value) from None


def digest(value: Any) -> None:
    """A SHA-256 as hexadecimal digits."""
    if type(value) is not str or len(value) != 64 or not set(value) <= set(DIGEST):
        raise WrongError("64 hexadecimal digits", value)


def directory(value: Any) -> None:
    """An absolute path."""
    system_text(value)
    if not os.path.isabs(value):
        raise WrongError("an absolute path", value)


def _something(value: Any) -> None:
    """What names something to run."""
    system_text(value)
    if not value:
        raise WrongError("a text that is not empty", value)


EVENT = integer()
LINE = integer(1, MOST_LINES)
PARENT = integer(NONE)
PARENTS = integers(NONE)

FILE = record({"path": system_text, "text": unicode}, {"elsewhere": each(LINE)})

STATEMENT = record({
    "id": COUNT, "file": COUNT, "kind": NAME, "function": NAME, "line": LINE, "header_end": LINE,
    "end_line": LINE, "column": integer(0, MOST_LINES), "parent": PARENT,
})  # fmt: skip

TRACE = record({
    "statement": integers(), "activation": integers(), "caller": PARENTS, "scope": PARENTS,
    "control": nullable(PARENTS),
    "activations": each(record({"function": NAME, "file": COUNT, "caller": PARENT})),
}, {
    "window": record({"first": COUNT, "total": COUNT}),
    "stored": record({"name": NAME, "sha256": digest}),
})  # fmt: skip

EXCEPTION = record({
    "type": NAME, "message": text(), "file": text(), "line": integer(0, MOST_LINES),
    "statement": nullable(COUNT),
}, {"event": nullable(COUNT), "compared": text(), "innermost": text()})  # fmt: skip

RECORDED = record({
    "end": one_of("EXITED", "SIGNAL", "TIMEOUT", "DIVERGED", "BLOCKED", "HARMFUL", "CUT"),
    "status": integer(-LARGEST), "stdout": text(HEAD), "stderr": text(HEAD),
    "digests": several(digest, digest), "exception": nullable(EXCEPTION),
}, {"unwritten": NOTE})  # fmt: skip

TARGET = record(
    {
        "program": _something, "arguments": each(system_text), "module": boolean,
        "directory": directory, "stdin": _base_64, "python": nullable(_something),
        "include": each(system_text), "exclude": each(system_text),
        "timeout": nullable(number(1e-9)), "memory": nullable(integer(1, 2**63 - 1)),
    },
    # Not in results of earlier versions:
    {"engine": nullable(NAME), "tty": boolean, "window": text(), "whole": each(system_text)},
)  # fmt: skip

TESTS = record(TESTS_RUN)

LEVEL = record({
    "level": one_of(*LEVELS[:-1]), "units": COUNT, "kept": COUNT, "before": COUNT, "events": COUNT,
    "tests": COUNT, "seconds": SECONDS, "certified": boolean, "ranges": integers(),
})  # fmt: skip

PASS = record({
    "name": one_of(*PASSES), "tests": COUNT, "successes": COUNT, "events": COUNT,
    "seconds": SECONDS,
})  # fmt: skip

SLICE = record({
    "name": NOTE, "check": NOTE, "events": integers(),
    "statements": each(record({"statement": COUNT, "kept": COUNT, "executed": COUNT})),
    "tests": TESTS, "certified": boolean, "stopped": STOPPED,
    "verified": nullable(boolean), "seconds": SECONDS,
    "log": each(record(TEST)),
    "evidence": text(1000),
    "dependences": each(several(
        EVENT, EVENT, one_of("data", "call", "return", "control"), each(text())
    )),
    "values": each(several(EVENT, mapping(text()))),
}, {  # not in results of earlier versions
    "governing": integers(), "undecided": mapping(COUNT), "untried": NOTE, "same": boolean,
    "freer": record({"events": integers(), "tests": COUNT}),
    "others": each(several(EVENT, mapping(several(text(), text())))), "looks": COUNT,
    "shown": each(several(NOTE, each(NOTE), COUNT)),
    "level": one_of(*LEVELS), "levels": each(LEVEL), "passes": each(PASS),
})  # fmt: skip

RESULT = record({
    "format": one_of("stripe-result"), "version": integer(OLDEST, VERSION),
    "command": each(system_text), "control": one_of("trace", "program"), "algorithm": NAME,
    "files": each(FILE), "statements": each(STATEMENT), "trace": TRACE,
    "recorded": nullable(RECORDED), "target": nullable(TARGET), "slices": each(SLICE),
    "notes": each(NOTE),
    "statistics": record({
        "plain_seconds": SECONDS, "recorded_seconds": SECONDS, "total_seconds": SECONDS,
        "replays": COUNT,
    }, {"uses": mapping(several(COUNT, COUNT))}),
}, {
    "values": one_of("auto", "free", "same"),
    "sandbox": one_of("", "namespaces", "landlock", "none"), "interpreter": NOTE,
})  # fmt: skip


def check_relations(data: Mapping[str, Any]) -> None:
    """Whether what values of a document say of each other is so; each alone must be as it should.

    Raises :class:`~stripe.documents.forms.WrongError`.
    """
    size = len(data["trace"]["statement"])
    lines = _check_statements(data["statements"], [each["text"] for each in data["files"]])
    _check_trace(data)
    raised = data["recorded"] and data["recorded"]["exception"]
    if raised and raised["statement"] is not None:
        path = ("recorded", "exception", "statement")
        within([raised["statement"]], len(data["statements"]), *path, single=True)
    if raised and raised.get("event") is not None:
        within([raised["event"]], size, "recorded", "exception", "event", single=True)
    executed = Counter(data["trace"]["statement"])
    slices = data["slices"]
    if len(slices) * (size + lines + len(data["statements"])) > MOST_MARKS:
        most = MOST_MARKS // (size + lines + len(data["statements"]))
        raise WrongError(f"at most {most} slices of so much", slices, "slices")
    for index, found in enumerate(slices):
        try:
            _check_slice(found, data["trace"]["statement"], executed)
        except WrongError as error:
            raise error.below(index).below("slices") from None


def _check_statements(statements: Sequence[Mapping[str, Any]], texts: Sequence[str]) -> int:
    """Statements stand in their files; how many lines these have together."""
    lines = [len(text.splitlines()) for text in texts]
    # Parts of statements do not overlap but in the lines where one ends and another begins.
    left = [2 * count + 1000 for count in lines]
    for index, each_ in enumerate(statements):
        path = ("statements", index)
        if each_["id"] != index:
            raise WrongError(f"{index}, its place", each_["id"], *path, "id")
        within([each_["file"]], len(texts), *path, "file", single=True)
        if not each_["line"] <= each_["header_end"] <= each_["end_line"]:
            expected = "line, header_end and end_line in this order"
            raise WrongError(expected, each_["header_end"], *path, "header_end")
        if each_["parent"] >= index:
            raise WrongError(f"an earlier statement than {index}", each_["parent"], *path, "parent")
        left[each_["file"]] -= each_["header_end"] - each_["line"]
        if left[each_["file"]] < 0:
            expected = "statements that do not cover more lines than there are"
            raise WrongError(expected, each_["header_end"], *path, "header_end")
    return sum(lines)


def _check_trace(data: Mapping[str, Any]) -> None:
    """The arrays of the trace fit together."""
    trace = data["trace"]
    size = len(trace["statement"])
    if not size:
        raise WrongError("at least one event", trace["statement"], "trace", "statement")
    for name in ("activation", "caller", "scope"):
        if len(trace[name]) != size:
            raise WrongError(f"a list of {size}, one for each event", trace[name], "trace", name)
    extent = trace.get("window", {"first": 0, "total": size})
    if extent["first"] + size > extent["total"]:
        expected = f"at least {extent['first'] + size}, for so many are told of"
        raise WrongError(expected, extent["total"], "trace", "window", "total")
    within(trace["statement"], len(data["statements"]), "trace", "statement")
    within(trace["activation"], len(trace["activations"]), "trace", "activation")
    parents = ["caller", "scope"]
    control = trace["control"]
    if data["control"] == "program":
        parents.append("control")
        if control is None or len(control) != size:
            expected = f"a list of {size}, for the control mode is program"
            raise WrongError(expected, control, "trace", "control")
    elif control is not None:
        raise WrongError("null, for the control mode is trace", control, "trace", "control")
    for name in parents:
        for event, parent in enumerate(trace[name]):
            if parent >= event:
                raise WrongError("an earlier event", parent, "trace", name, event)
    for index, each_ in enumerate(trace["activations"]):
        path = ("trace", "activations", index)
        within([each_["file"]], len(data["files"]), *path, "file", single=True)
        within([each_["caller"]], size, *path, "caller", single=True)


def _check_slice(
    found: Mapping[str, Any], statement: Sequence[int], executed: Mapping[int, int]
) -> None:
    """A slice is one of this trace, and what it counts is what it holds."""
    size = len(statement)
    events = found["events"]
    within(events, size, "events")
    ascending(events, "events")
    kept = Counter(statement[event] for event in events)
    counts = [
        {"statement": number, "kept": kept[number], "executed": executed[number]}
        for number in sorted(kept)
    ]
    if found["statements"] != counts:
        raise WrongError("the statements of its events, counted", found["statements"], "statements")
    if "freer" in found:
        within(found["freer"]["events"], size, "freer", "events")
        ascending(found["freer"]["events"], "freer", "events")
    check_tests(found["tests"])
    for index, entry in enumerate(found["log"]):
        try:
            check_test(entry, size)
        except WrongError as error:
            raise error.below(index).below("log") from None
    for index, (event, on, _, _) in enumerate(found["dependences"]):
        within([event, on], size, "dependences", index)
    _check_levels(found, size)
    deciding = found.get("governing", ())
    within(deciding, size, "governing")
    ascending(deciding, "governing")
    if twice := set(deciding).intersection(events):
        raise WrongError("an event that is not kept", min(twice), "governing")
    for name in ("values", "others"):
        numbers = [event for event, _ in found.get(name, ())]
        within(numbers, size, name)
        ascending(numbers, name)
    present = set(events)
    for index, (event, _) in enumerate(found.get("others", ())):
        if event not in present:
            raise WrongError("an event of the slice", event, "others", index, 0)


def _check_levels(found: Mapping[str, Any], size: int) -> None:
    """The levels passed are the first ones, and each is inside the one before."""
    before, level = size, found.get("level", LEVELS[-1])
    levels = found.get("levels", ())
    if levels and len(levels) > LEVELS.index(level) + 1:
        raise WrongError("no level beyond that of the search", levels, "levels")
    for index, answer in enumerate(levels):
        path = ("levels", index)
        if answer["level"] != LEVELS[index]:
            raise WrongError(f"{LEVELS[index]}, its place", answer["level"], *path, "level")
        if answer["kept"] > answer["units"]:
            raise WrongError("at most as many as units", answer["kept"], *path, "kept")
        if answer["before"] != before:
            raise WrongError(f"{before}, the events before", answer["before"], *path, "before")
        ranges = answer["ranges"]
        check_ranges(ranges, size, *path, "ranges")
        if sum(ranges[1::2]) - sum(ranges[::2]) != answer["events"]:
            raise WrongError("the number of events in ranges", answer["events"], *path, "events")
        before = answer["events"]
