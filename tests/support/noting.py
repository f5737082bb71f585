"""Traces made by hand."""

from __future__ import annotations

from array import array

from stripe.trace import NONE, Trace


def happen(
    trace: Trace, statement: int, *, activation: int = 0, caller: int = NONE, scope: int = NONE,
    control: int | None = None,
) -> None:  # fmt: skip
    """One more event; ``control`` only if the trace is to know of it."""
    columns = [trace.statement, trace.activation, trace.caller, trace.scope]
    numbers = [statement, activation, caller, scope]
    if control is not None:
        columns.append(trace.control)
        numbers.append(control)
    for column, number in zip(columns, numbers, strict=True):
        assert isinstance(column, array)
        column.append(number)
