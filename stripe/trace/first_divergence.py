"""The place where two runs of a program part, in words."""

from __future__ import annotations

from operator import countOf

from stripe.trace.model import Trace
from stripe.trace.statement_texts import StatementTexts

LONGEST = 60
"""Characters of a value, or of a statement, that a message quotes."""


def place(trace: Trace, event: int) -> str:
    """Where an event is: file, line and text, and which of its executions if there are more."""
    number = trace.statement[event]
    statement = trace.statements[number]
    file = trace.files[statement.file]
    text = f"{file.path}:{statement.line}, {cut(StatementTexts(trace).own(statement))}"
    times = countOf(trace.statement, number)
    if times == 1:
        return text
    nth = countOf(trace.statement[: event + 1], number)
    return f"{text} (execution {nth} of {times})"


def parted(trace: Trace, event: int, name: str, one: str, other: str) -> str:
    """What two runs saw differently; of texts that are alike, only what they are of."""
    held = f"another {name}"
    if one != other:
        held = f"{name} is {cut(one)} in one, {cut(other)} in another"
    return f"Runs first part at {place(trace, event)}: {held}."


def cut(text: str) -> str:
    """A text that is not too long to be shown."""
    return text if len(text) <= LONGEST else text[:LONGEST] + "..."
