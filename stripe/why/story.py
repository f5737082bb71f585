"""How it came about: few steps from cause to symptom, with the values of the recorded run.

They are taken from the critical slice, back along its dependences; executions of a line that are
needed as well are counted and not told.  A slice whose kept events saw other values than the
recorded run is one of another run: nothing is told from it, nor where what they saw is unknown.
Where nothing was left out, they are those of the recorded run, and it is said that they are not
tested.
"""

from __future__ import annotations

from stripe.backend import Target
from stripe.reduce import CriticalSlice, Result
from stripe.reduce.backward_walk import StepBack, way_back
from stripe.results.limits import LONGEST_VALUE
from stripe.results.why import MOST_STEPS, Step
from stripe.trace import Statement, Trace
from stripe.trace.statement_texts import StatementTexts
from stripe.trace.unrecorded_definitions import DECLARATIONS

MOST_VALUES = 4
"""Variables of a step that are told."""

SHORT_VALUE = 30
"""Characters of a value that stands before longer ones."""


def is_whole(found: CriticalSlice) -> bool:
    """Whether nothing was left out: what is told of it is the recorded run, and was not tested."""
    return len(found.events) == found.of and not found.certified


def story(result: Result, found: CriticalSlice) -> tuple[Step, ...]:
    """The steps, the earliest first; none if the slice explains another run."""
    if not is_whole(found) and (found.others or (found.others is None and not found.same)):
        return ()
    trace = result.trace
    told: dict[int, StepBack] = {}
    again: dict[int, int] = {}
    lines: set[tuple[int, int]] = set()
    for step in way_back(trace, found):
        number = trace.statement[step.event]
        statement = trace.statements[number]
        if step.distance is None or statement.kind in DECLARATIONS:
            continue
        if number in told:
            again[number] += 1
        elif (line := (statement.file, statement.line)) not in lines:  # as `die ... if ...`
            told[number], again[number] = step, 0
            lines.add(line)
    steps = sorted(told.items(), key=lambda item: (item[1].distance or 0, -item[1].event))
    chosen = sorted((each for each in steps[:MOST_STEPS]), key=lambda item: item[1].event)
    return tuple(_step(result, found, number, step, again[number]) for number, step in chosen)


def _step(result: Result, found: CriticalSlice, number: int, step: StepBack, again: int) -> Step:
    statement = result.trace.statements[number]
    held = [*found.values.get(step.event, {}).items()]
    raised = result.recorded.exception if result.recorded else None
    if raised is not None and raised.event == step.event:
        held.reverse()  # the last that was computed is what it failed on
    held.sort(key=lambda each: len(each[1]) > SHORT_VALUE)
    values = tuple(
        (name[:LONGEST_VALUE], value[:LONGEST_VALUE]) for name, value in held[:MOST_VALUES]
    )
    file = result.trace.files[statement.file]
    return Step(
        own_path(file.path, result.target),
        statement.line,
        statement.function,
        text_of(result.trace, statement),
        values,
        again,
    )


def text_of(trace: Trace, statement: Statement) -> str:
    """What a statement has of its first line."""
    return StatementTexts(trace).own(statement)[:LONGEST_VALUE]


def own_path(path: str, target: Target | None) -> str:
    """A file as it is called from where the program runs."""
    if target is not None:
        prefix = f"{target.directory}/"
        if path.startswith(prefix):
            return path[len(prefix) :]
    return path
