"""What the script of the page works with, as plain JSON data; it shows texts as they are here."""

from __future__ import annotations

import shlex
from typing import Any

from stripe.reduce import CriticalSlice, Result
from stripe.report.style import printable
from stripe.report.table import Layout
from stripe.report.words import NOUNS

type Data = dict[str, Any]


def data_of(result: Result, layout: Layout) -> Data:
    """Statements, events, and for each slice its events, values and dependences.

    Statements no event executes are left out; ``events`` are positions in ``statements``.
    """
    trace = result.trace
    used = sorted(set(trace.statement))
    place = {number: position for position, number in enumerate(used)}
    return {
        "statements": [
            [trace.statements[number].file, trace.statements[number].line, layout.text(number)]
            for number in used
        ],
        "events": [place[number] for number in trace.statement],
        "slices": [_slice_data(each) for each in result.slices],
        "debug": debug_command(result),
    }


def debug_command(result: Result) -> list[str]:
    """The command whose debugger stands at an event, before and after its number; empty: none."""
    target = result.target
    if target is None or not result.trace.files or target.live:
        return []
    if not all(each.path.endswith(".py") for each in result.trace.files):
        return []
    more = ["--stdin", "FILE"] if target.stdin else []
    module = ["-m"] if target.module else []
    words = [*more, *module, target.program, *target.arguments]
    return ["stripe debug --terminal --at", printable(shlex.join(words))]


def _slice_data(found: CriticalSlice) -> Data:
    return {
        "name": printable(found.name),
        "certified": found.certified,
        "certifiedAt": NOUNS.get(found.certified_at or ""),
        "events": deltas(found.events),
        "governing": deltas(tuple(found.governing)),
        "values": {
            str(event): {
                printable(name): printable(text) for name, text in found.held(event).items()
            }
            for event in sorted(found.with_values)
        },
        "needs": [
            [each.event, each.on, each.kind, *map(printable, each.names)]
            for each in found.dependences
        ],
    }


def deltas(events: tuple[int, ...]) -> list[int]:
    """Ascending numbers as differences: short to write."""
    return [event - before for before, event in zip((0, *events), events, strict=False)]
