"""Where the events of a critical slice, and places that an answer names, are in a journey.

A slice counts executions of statements, a journey lines that control comes to.  Both are in the
order of the run, so that the one is aligned with the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from stripe.backend import Journey, Target, choose_backend
from stripe.errors import UsageError
from stripe.reduce.result import CriticalSlice, RecordedRun, Result
from stripe.report.reading import read_any
from stripe.results.why import Document
from stripe.trace import Trace

KINDS = {"data": "for {names}", "call": "which it calls", "return": "for what it returned",
         "control": "which it decides"}  # fmt: skip
"""Why one event needs another, said of the latter."""

TESTERS = "pytest", "unittest"

MOST_REASONS = 3
MOST_SKIPPED = 12
"""Executions and lines that are skipped to find the next pair of them."""


def kept_events(source: str, check: str, journey: Journey, folder: Path) -> dict[int, str]:
    """The events of a slice in a file, each with why it is kept.

    ``folder`` is where the program runs; ``check`` is the criterion, or its name, if the file has
    several.

    Raises :class:`~stripe.errors.UsageError` ``no-such-slice``, or ``other-run`` if the slice is
    not of this run; and all that reading a file raises.
    """
    result = read_any(source)
    if not isinstance(result, Result):
        raise UsageError(
            "no-such-slice",
            f"{source} is no critical slice.",
            "stripe trace PROGRAM --json FILE writes one.",
        )
    found = next((s for s in result.slices if not check or check in (s.name, s.check)), None)
    if found is None:
        names = ", ".join(each.check for each in result.slices)
        raise UsageError(
            "no-such-slice", f"{source} has no slice for {check!r}.", f"It has: {names}."
        )
    places = dict(events_of(result.trace, journey))
    files = [each for each in result.trace.files if each.path in journey.files()]
    other_text = any(_text(folder / each.path) != each.text for each in files)
    if not places or other_text or _ended_otherwise(result, journey):
        raise UsageError(
            "other-run",
            f"The slice in {source} is not one of this run: the program, or its input, is another.",
            "Make it anew, with the same arguments: stripe trace PROGRAM --json FILE.",
        )
    reasons = _reasons(result.trace, found)
    return {
        places[event]: reasons.get(event, "nobody knows why")
        for event in found.events
        if event in places
    }


def event_of(execution: int, target: Target, journey: Journey) -> int:
    """The event of an execution of a statement, by its number in a trace, from 1.

    Raises :class:`~stripe.errors.UsageError` ``no-such-execution``; all that recording raises.
    """
    with closing(choose_backend(target).record(target)) as recording:
        places = dict(events_of(recording.trace, journey))
        if execution - 1 not in places:
            raise UsageError(
                "no-such-execution",
                f"The run has no execution {execution:,} with a line of its own; it executes "
                f"{len(recording.trace):,} statements.",
                "Take the number of another one near it, as a report shows it.",
            )
        return places[execution - 1]


def _ended_otherwise(result: Result, journey: Journey) -> bool:
    """Whether a trace is of a run that did something else: it raised, or printed, other things."""
    before, now = result.recorded, RecordedRun.from_observation(journey.ending)
    if before is None:
        return False
    if before.exception is not None and now.exception is not None:
        return not before.exception.is_as(now.exception)
    target = result.target
    if target is not None and target.module and target.program in TESTERS:
        return False  # the tester told of it, where the debugger runs the test alone
    return (before.end, before.status, before.exception, before.digests) != (
        now.end, now.status, now.exception, now.digests
    )  # fmt: skip


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""


def _reasons(trace: Trace, found: CriticalSlice) -> Mapping[int, str]:
    texts: dict[int, list[str]] = {each: ["the check looks at it"] for each in found.symptom}
    for each in found.dependences:
        statement = trace.statements[trace.statement[each.event]]
        place = f"{trace.files[statement.file].path}:{statement.line}"
        why = KINDS[each.kind].format(names=", ".join(each.names))
        texts.setdefault(each.on, []).append(f"{place} needs it {why}")
    return {
        event: "; ".join([*dict.fromkeys(said)][:MOST_REASONS]) for event, said in texts.items()
    }


def events_of(trace: Trace, journey: Journey) -> Iterator[tuple[int, int]]:
    """Events of a trace, and those of a journey, as far as they have one: pairs in their order.

    Some executions have no line of their own (``while True``, ``break``), and some lines begin no
    statement (the further lines of a long one): the pair is taken for which the fewest are skipped.
    """
    statements = [trace.statements[number] for number in trace.statement]
    begins = [(trace.files[each.file].path, each.line) for each in statements]
    places = [journey.place(event) for event in range(1, journey.total + 1)]
    one = other = 0
    while one < len(begins) and other < len(places):
        if one and begins[one] == begins[one - 1] and begins[one] != places[other]:
            yield one, other  # several statements in one line
            one += 1
            continue
        skipped = next(
            (
                (more, total - more)
                for total in range(MOST_SKIPPED)
                for more in range(total + 1)
                if one + more < len(begins)
                and other + total - more < len(places)
                and begins[one + more] == places[other + total - more]
            ),
            None,
        )
        if skipped is None:
            one, other = one + 1, other + 1
            continue
        one, other = one + skipped[0], other + skipped[1]
        yield one, other + 1
        file, line = begins[one]
        last = statements[one].header_end
        one, other = one + 1, other + 1
        while (
            last > line
            and other < len(places)
            and places[other][0] == file
            and (
                line < places[other][1] <= last
                or (places[other][1] == line < places[other - 1][1] <= last)
            )
        ):
            other += 1


def named_place(source: str) -> tuple[str, int] | None:
    """The first place that an answer of ``stripe why`` names; ``None`` if the file is no answer."""
    answer = read_any(source)
    if not isinstance(answer, Document) or not answer.places:
        return None
    place = answer.places[0]
    return place.file, place.line
