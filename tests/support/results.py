"""Results made by hand, to show reports what a search would take long to find."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from stripe.checks import parse_check
from stripe.dd import Outcome, Reason
from stripe.reduce import CriticalSlice, Result, Settings, Statistics, reduce
from stripe.trace import NONE, Activation, SourceFile, Statement, Trace
from tests.support.fake import record


def trace_of(lines: Sequence[int], text: str, path: str = "prog.py") -> Trace:
    """A trace that executes these lines of ``text``, a statement a line."""
    source = SourceFile(path, text)
    statements = [
        Statement(number, 0, "Expr", number + 1, number + 1, number + 1, 0, "<module>")
        for number in range(len(source.lines))
    ]
    size = len(lines)
    none = array("i", [NONE]) * size
    return Trace(
        [source],
        statements,
        [Activation(0, "<module>", 0, NONE)],
        array("i", [line - 1 for line in lines]),
        array("i", [0]) * size,
        none,
        none,
        lambda: none,
    )


def slice_of(
    trace: Trace, events: Sequence[int], name: str = "stdout", **facts: Any
) -> CriticalSlice:
    """A slice that keeps ``events``."""
    values: dict[str, Any] = {
        "name": name,
        "check": "stdout",
        "events": tuple(events),
        "of": len(trace),
        "outcomes": {Outcome.FAIL: 3, Outcome.PASS: 4, Outcome.UNRESOLVED: 5},
        "cached": 2,
        "certified": True,
        "stopped": Reason.FINISHED,
        "verified": True,
        "seconds": 0.5,
    }
    return CriticalSlice(**values | facts)


def result_of(trace: Trace, *slices: CriticalSlice, notes: Sequence[str] = ()) -> Result:
    """A result with these slices."""
    statistics = Statistics(0.01, 0.02, 1.0, 15)
    return Result(("prog.py",), "trace", "ddmin", trace, slices, tuple(notes), statistics)


def reduced(text: str, *checks: str, stdin: bytes = b"", **settings: Any) -> Result:
    """The result of really reducing a program, by the paper's search unless told otherwise."""
    parsed = [parse_check(check) for check in checks]
    recording = record(text, stdin, [probe for check in parsed for probe in check.probes])
    return reduce(
        recording, parsed, Settings(**{"algorithm": "ddmin", **settings}), command=("prog.py",)
    )
