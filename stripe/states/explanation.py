"""What people are told beside a chain: how runs ended, and the lines that it goes through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from stripe.backend import End, Observation
from stripe.checks.crash import signature
from stripe.results import causes as model
from stripe.states.isolation import Cause, Variable

AROUND = 3
"""Lines before and after one of the chain."""

LONGEST = 500
"""Characters of a line."""


def ending(observation: Observation) -> str:
    """How a run ended, in a line: its exception, its status, or the last that it printed."""
    raised = observation.exception
    if raised is not None:
        told = f"{raised.type}: {raised.message}" if raised.message else raised.type
    elif observation.end is not End.EXITED or observation.status:
        told = str(signature(observation))
    else:
        lines = observation.stdout.decode("utf-8", "replace").split("\n")
        printed = [line.rstrip() for line in lines if line.strip()]
        told = f"it prints {printed[-1]}" if printed else "it prints nothing"
        if len(printed) > 1:
            told = f"the last line that it prints is {printed[-1]}"
    return told.partition("\n")[0][:LONGEST]


def passages(chain: Sequence[Cause], directory: Path) -> Iterator[model.SourceLine]:
    """The lines before which there are causes, and those around them."""
    wanted: dict[str, set[int]] = {}
    for cause in chain:
        file, line = cause.match.failing[:2]
        wanted.setdefault(file, set()).update(range(line - AROUND, line + AROUND + 1))
    for file, numbers in wanted.items():
        with suppress(OSError):
            lines = (directory / file).read_text("utf-8", "replace").splitlines()
            for line in sorted(numbers):
                if 1 <= line <= len(lines):
                    yield model.SourceLine(file, line, lines[line - 1][:LONGEST])


def cause_told(cause: Cause) -> model.Cause:
    """A cause as the result has it."""
    failing, passing = cause.match.failing, cause.match.passing
    return model.Cause(
        file=failing.file,
        line=failing.line,
        occurrence=failing.occurrence,
        occurrence_when_passing=passing.occurrence,
        backtrace=tuple(map(model.Call.copy_of, cause.match.backtrace)),
        variables=_variables(cause.variables),
        context=_variables(cause.context),
        differences=cause.deltas,
        certified=cause.certified,
        graph=cause.graph,
        by_hand=cause.by_hand,
    )


def _variables(variables: Sequence[Variable]) -> tuple[model.Variable, ...]:
    return tuple(
        model.Variable(each.name, each.change, each.before or None, each.after or None)
        for each in variables
    )
