"""The values that a replay has shown, by event: of variables, and of parts of what failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stripe.backend import Observation, Values
from stripe.kit.engines import Facts
from stripe.trace import Trace
from stripe.trace.statement_texts import columns_of

LONGEST_PART = 60
"""Characters of an expression whose value is told."""


def failed_at(trace: Trace, recorded: Observation) -> tuple[int, int] | None:
    """Line and column of the statement that raised what ended the run."""
    raised = recorded.exception
    if raised is None or raised.event is None:
        return None
    statement = trace.statements[trace.statement[raised.event]]
    return statement.line, statement.column


def watched_values(facts: Facts, trace: Trace, readable: Callable[[str], str]) -> Values:
    """What the agent has told of variables and parts (see ``agent/observing/watch.py``).

    Parts come after variables, in the order in which they were computed: the last one is what the
    statement failed on.
    """
    found = {
        event: {name: readable(text) for name, text in values.items()}
        for event, values in facts.get("watched", {}).items()
    }
    for event, parts in facts.get("parts", {}).items():
        file = trace.files[trace.statements[trace.statement[event]].file]
        held = found.setdefault(event, {})
        for position, text in parts.items():
            name = source_at(file.lines, *position)
            if len(name) <= LONGEST_PART:
                held.pop(name, None)
                held[name] = readable(text)
    return found


def source_at(lines: Sequence[str], first: int, start: int, last: int, end: int) -> str:
    """The text of an expression on one line; ``start`` and ``end`` count bytes of its lines."""
    if first == last:
        return columns_of(lines[first - 1], start, end).strip()
    head, tail = columns_of(lines[first - 1], start, None), columns_of(lines[last - 1], 0, end)
    return " ".join(text.strip() for text in (head, *lines[first : last - 1], tail))
