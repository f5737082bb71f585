"""Which events a criterion probably looks at: where a guided search begins.

A guess, allowed to be wrong: what printed which line is not recorded, so it is taken from the
source and from the number of lines.  A backward slice of the events chosen here is the first
thing tested (:mod:`stripe.reduce.guided`); if it does not reproduce, the search widens it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import compress, count

from stripe.backend import Observation, Probe
from stripe.checks import Criterion
from stripe.checks.part import EXCEPTION, EXIT, SIGNAL, STDERR, STDOUT, Place
from stripe.checks.scanner import SIGILS
from stripe.trace import Statement, Trace
from stripe.trace.columns import walk
from stripe.trace.model import NONE

TEXT = re.compile(r"""(?<!\\)(["'])((?:\\.|(?!\1)[^\\\n])*)\1""")
"""A quoted text, as most languages write it."""


def criterion_events(trace: Trace, criterion: Criterion) -> tuple[int, ...]:
    """The events ``criterion`` probably looks at, in order; at least one."""
    found: set[int] = set()
    for place in criterion.check.places:
        found.update(_looked_at(trace, place, criterion.recorded))
    return tuple(sorted(found)) or (len(trace) - 1,)


def _looked_at(trace: Trace, place: Place, recorded: Observation) -> Iterable[int]:
    """The events that wrote what a place shows."""
    if place.probe is not None:
        return _setting(trace, place.probe)
    if place.location in (STDOUT, STDERR):
        return _printing(trace, place, recorded)
    if place.location in (EXCEPTION, SIGNAL):
        return _raising_and_telling(trace, recorded)
    if place.location == EXIT:
        return raising(trace, recorded) or _writers(trace, EXIT)[-1:]
    return _writers(trace, place.location)


def _writers(trace: Trace, location: str) -> list[int]:
    """The events of statements that write ``location``."""
    return _events_of(trace, (each for each in trace.statements if location in each.writes))


def _events_of(trace: Trace, statements: Iterable[Statement]) -> list[int]:
    """The events of ``statements``, in order."""
    chosen = bytearray(len(trace.statements))
    for each in statements:
        chosen[each.id] = 1
    return list(compress(count(), map(chosen.__getitem__, walk(trace.statement))))


def comparing(trace: Trace, criterion: Criterion) -> list[int]:
    """The event of a failing ``assert``, if the criterion has all that its operands held."""
    exception = criterion.recorded.exception
    if exception is None or not exception.operands or None in exception.operands:
        return []
    asked = any(place.location == EXCEPTION for place in criterion.check.places)
    return raising(trace, criterion.recorded) if asked else []


def raising(trace: Trace, recorded: Observation) -> list[int]:
    """The event that raised the uncaught exception."""
    if recorded.exception is None:
        return []
    number = recorded.exception.statement
    for event in range(len(trace) - 1, -1, -1):
        if number is None or trace.statement[event] == number:
            return [event]
    return []


def _raising_and_telling(trace: Trace, recorded: Observation) -> list[int]:
    """The same, and what runs of the exception itself as it is printed: nobody calls that."""
    found = raising(trace, recorded)
    after = range(found[-1] + 1, len(trace)) if found else ()
    return found + [event for event in after if trace.caller[event] == NONE]


def _setting(trace: Trace, probe: Probe) -> list[int]:
    """The last event at the probe's line, and what set the variable last before it."""
    at_line = [
        each
        for each in trace.statements
        if each.line <= probe.line <= each.header_end
        and ("/" + trace.files[each.file].path).endswith("/" + probe.file)
    ]
    name = probe.name.lstrip(SIGILS)
    last = _events_of(trace, at_line)[-1:]
    for event in last:
        file = trace.statements[trace.statement[event]].file
        for before in range(event, -1, -1):
            statement = trace.statements[trace.statement[before]]
            if statement.file == file and any(
                location.lstrip("*?").removeprefix("::").lstrip(SIGILS) == name
                for location in statement.writes
            ):
                return sorted({before, event})
    return last


def _cut_short(trace: Trace, recorded: Observation) -> set[int]:
    """The event that raised the uncaught exception, and the calls it came through."""
    found: set[int] = set()
    for event in raising(trace, recorded):
        while event != NONE:
            found.add(event)
            event = trace.caller[event]
    return found


def _printing(trace: Trace, place: Place, recorded: Observation) -> list[int]:
    """The events that printed what is compared."""
    events = _writers(trace, place.location)
    if place.lines is None:
        return events
    cut_short = _cut_short(trace, recorded)
    events = [event for event in events if event not in cut_short]
    pattern = place.lines
    text = recorded.stdout if place.location == STDOUT else recorded.stderr
    lines = text.decode("utf-8", "surrogateescape").split("\n")
    if lines[-1] == "":
        lines.pop()
    matching = [bool(pattern.search(line.removesuffix("\r"))) for line in lines]
    pieces = {
        number: quoted(trace, trace.statements[number])
        for number in {trace.statement[event] for event in events}
    }
    aligned = align(trace, events, lines, pieces)
    if aligned is not None:
        return [event for event, line in aligned if matching[line]]
    wanted = [line for line, matches in zip(lines, matching, strict=True) if matches]
    fitting = {
        number for number, texts in pieces.items() if any(fits(line, texts) for line in wanted)
    }
    return [event for event in events if trace.statement[event] in fitting]


def align(
    trace: Trace, events: Sequence[int], lines: Sequence[str], pieces: dict[int, list[str]]
) -> list[tuple[int, int]] | None:
    """Pairs of an event and the line it printed, if each printed one line."""
    if len(events) != len(lines):
        return None
    for event, line in zip(events, lines, strict=True):
        if not fits(line, pieces[trace.statement[event]]):
            return None
    return list(zip(events, range(len(lines)), strict=True))


def fits(line: str, texts: Sequence[str]) -> bool:
    """Whether a statement with the quoted ``texts`` may have printed ``line``.

    One text in it is enough: others may be formats, separators, keys.
    """
    return not texts or any(text in line for text in texts)


def quoted(trace: Trace, statement: Statement) -> list[str]:
    """What stands in quotes in a statement's own lines, as far as it is printed as it stands."""
    lines = trace.files[statement.file].lines[statement.line - 1 : statement.header_end]
    found = []
    for match in TEXT.finditer("\n".join(lines)):
        for piece in re.split(r"\{[^{}]*\}|%[-\d.]*[a-z]|\\.", match[2]):
            if len(piece.strip()) > 1:
                found.append(piece.strip())
    return found
