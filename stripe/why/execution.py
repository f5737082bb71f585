"""One execution of a line: what its variables held, what it needed, and what needed it.

It is told from one recorded run and an analysis of its dependences; nothing is left out to prove
them (see :mod:`stripe.trace.dependence`).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice

from stripe.backend import Observation, Recording, Target, Values, Watching, choose_backend
from stripe.errors import NotReducible, UsageError
from stripe.failing_run import HELPER, HELPER_FILES, MOST_EVENTS, environment, without_cache
from stripe.reduce.slice_dependences import dependences
from stripe.results.limits import LONGEST_VALUE
from stripe.trace import Dependences, Trace
from stripe.why.story import own_path, text_of

MOST = 20
"""Executions that are told on either side."""

MOST_SEEN = 100_000
"""Later executions that are looked at for what needs this one."""


@dataclass(frozen=True)
class Execution:
    """An execution of a statement.

    - ``event``: its number in the run, from 1
    - ``values``: of variables that it names; what it sets, as it is after it
    - ``by``: how it and the execution that is asked about depend on each other: names of variables,
      or ``call``, ``return``, ``control``, ``data``; of that itself none
    """

    event: int
    file: str
    line: int
    function: str
    source: str
    values: dict[str, str]
    by: list[str]


@dataclass(frozen=True)
class Neighbourhood:
    """An execution, and those that it depends on and that depend on it, directly.

    - ``number``, ``of``: which execution of its line it is, from 1, and how many there are
    - ``events``: executions in the whole run
    - ``ended``: how the run ended
    - ``notes``: what is not told here, and why
    """

    execution: Execution
    number: int
    of: int
    events: int
    ended: str
    needed: list[Execution]
    needed_by: list[Execution]
    notes: list[str]


def neighbourhood(
    target: Target,
    file: str = "",
    line: int = 0,
    number: int | None = None,
    event: int | None = None,
) -> Neighbourhood:
    """What a run of ``target`` did at a line, or at an event, within its deadline.

    Args:
        target: what is run; of pytest, its last argument names one test.
        file: relative to the target's directory.
        line: any line of a statement's own part.
        number: which of its executions, from 1; the last by default.
        event: instead of a line, the number of an execution in the run, from 1.

    Raises:
        UsageError: ``no-such-execution``; the target cannot be run.
        NotReducible: ``too-long-to-debug``; ``not-executed``; it cannot be replayed honestly;
            the time is over.
    """
    target = _of_test(target) if target.module and target.program == "pytest" else target
    with target.deadline.cutting(), closing(choose_backend(target).record(target, ())) as recording:
        return _neighbourhood(recording, target, _Asked(file, line, number, event))


def _of_test(target: Target) -> Target:
    """The run of a single test in the traced program."""
    *options, test = without_cache(target.arguments)
    return replace(
        target,
        program=HELPER,
        arguments=(".", f"{target.directory}/{test}", *options),
        exclude=(*target.exclude, HELPER_FILES),
        environment=environment(),
    )


@dataclass(frozen=True)
class _Asked:
    """Which execution: of a line (by default the last one), or of the run."""

    file: str
    line: int
    number: int | None
    event: int | None

    def find(self, trace: Trace, target: Target) -> tuple[int, int, int]:
        """Its place in the trace; which execution of its line it is, and of how many."""
        if self.event is None:
            events = _events_at(trace, target, self.file, self.line)
            number = len(events) if self.number is None else self.number
            if not 1 <= number <= len(events):
                raise UsageError(
                    "no-such-execution",
                    f"{self.file}:{self.line} was executed {len(events)} times; there is no "
                    f"execution {number}.",
                    "They are counted from 1; without a number it is the last.",
                )
            return events[number - 1], number, len(events)
        place = self.event - trace.time(0)
        if not 0 <= place < len(trace):
            raise UsageError(
                "no-such-execution",
                f"The run has {len(trace):,} executions; there is no event {self.event}.",
                "Events are counted from 1, in the order of the run.",
            )
        same = [each for each, of in enumerate(trace.statement) if of == trace.statement[place]]
        return place, same.index(place) + 1, len(same)


def _neighbourhood(recording: Recording, target: Target, asked: _Asked) -> Neighbourhood:
    trace = recording.trace
    if len(trace) > MOST_EVENTS:
        raise NotReducible(
            "too-long-to-debug",
            f"The run has {len(trace):,} executions; up to {MOST_EVENTS:,} can be gone through.",
            "Give it a smaller input.",
        )
    event, number, of = asked.find(trace, target)
    target.deadline.start_phase("following dependences")
    notes = list(recording.notes)
    found = Dependences(trace, control=True)
    sources = found.sources(event)
    later = range(event + 1, min(len(trace), event + 1 + MOST_SEEN))
    after = list(islice((each for each in later if event in found.sources(each)), MOST + 1))
    if later.stop < len(trace):
        notes.append(f"What needs it was looked for among the {MOST_SEEN:,} executions after it.")
    if len(sources) > MOST or len(after) > MOST:
        notes.append(f"On either side only {MOST} are told.")
    if not any(each.reads or each.writes for each in trace.statements):
        notes.append("What its statements read and write is not known: only control is told.")
    before, after = sources[-MOST:], after[:MOST]
    target.deadline.start_phase("looking at values")
    shown = sorted({event, *before, *after})
    values = _values(recording, shown, notes)

    labels = _labels(trace, event, sources)

    def told(each: int, by: list[str]) -> Execution:
        return _execution(trace, target, each, values, by)

    needed_by = ((each, _labels(trace, each, found.sources(each))) for each in after)
    return Neighbourhood(
        told(event, []),
        number,
        of,
        len(trace),
        _ended(recording.recorded),
        [told(each, labels.get(each, ["data"])) for each in before],
        [told(each, by.get(event, ["data"])) for each, by in needed_by],
        notes,
    )


def _ended(observation: Observation) -> str:
    raised = observation.exception
    if raised is not None:
        return f"{raised.type}: {raised.message}".removesuffix(": ")[:LONGEST_VALUE]
    return f"{observation.end.name.lower()} {observation.status}"


def _events_at(trace: Trace, target: Target, file: str, line: int) -> Sequence[int]:
    """All executions of the statement that has a line in its own part."""
    statements = [
        each
        for each in trace.statements
        if own_path(trace.files[each.file].path, target) == file
        and each.line <= line <= each.header_end
    ]
    numbers = {each.id for each in statements}
    events = [event for event, number in enumerate(trace.statement) if number in numbers]
    if events:
        return events
    known = sorted({own_path(each.path, target) for each in trace.files})
    raise NotReducible(
        "not-executed",
        f"Line {line} of {file} was not executed in this run.",
        f"Files of which something was: {', '.join(known[:10])}.",
    )


def _values(recording: Recording, shown: Sequence[int], notes: list[str]) -> Values:
    """What variables held in the whole run, at some executions."""
    if not isinstance(recording, Watching):
        notes.append("What variables held cannot be told for programs of this kind.")
        return {}
    with recording.watch(range(len(recording.trace))) as (_, values):
        return {event: dict(values.get(event, {})) for event in shown}


def _labels(trace: Trace, event: int, sources: Sequence[int]) -> dict[int, list[str]]:
    """For what ``event`` depends on, how: a variable has its value from the latest that set it."""
    found: dict[int, list[str]] = {}
    parents = set(trace.parents(event, control=True))
    told: set[str] = set()
    needs = dependences(trace, sorted({event, *sources}), control=True)
    for each in sorted((each for each in needs if each.event == event), key=lambda each: -each.on):
        names = [name for name in each.names if name not in told]
        told.update(names)
        kind = "control" if each.kind == "data" and each.on in parents else each.kind
        found[each.on] = names or [kind]
    return found


def _execution(
    trace: Trace, target: Target, event: int, values: Values, by: list[str]
) -> Execution:
    statement = trace.statements[trace.statement[event]]
    file = trace.files[statement.file]
    held = values.get(event, {})
    return Execution(
        trace.time(event),
        own_path(file.path, target),
        statement.line,
        statement.function,
        text_of(trace, statement),
        {name: value[:LONGEST_VALUE] for name, value in held.items()},
        by,
    )
