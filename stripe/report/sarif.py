"""A result as SARIF 2.1.0 (OASIS), the form in which editors take findings and code flows.

Each slice is a result of the rule ``critical-slice``.  Its first code flow is the slice alone,
because viewers show the first only; the second is the whole run, with what is kept ``essential``,
the conditions that led there ``important``, and the rest ``unimportant``.  A run of more than
:data:`MOST` events is folded there to what is kept, and to both ends of what is not.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from stripe.backend import languages
from stripe.reduce import CriticalSlice, Result
from stripe.report.happened import raised_at, sentence
from stripe.report.source import ELSEWHERE
from stripe.report.style import plural, printable
from stripe.report.summary import minimality
from stripe.trace import NONE, Statement
from stripe.trace.statement_texts import columns_of
from stripe.version import __version__

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

MOST = 10_000
"""Locations of a code flow: what large viewers accept."""

LAST_COLUMN = 100_000
"""Statements further right on a line are told without their column: finding it takes long."""

type Json = dict[str, Any]

RULE: Json = {
    "id": "critical-slice",
    "name": "CriticalSlice",
    "shortDescription": {"text": "The executions a behaviour needs."},
    "fullDescription": {
        "text": "Found by running the program again and again with executions left out: these "
        "alone show the behaviour, and none of them can be left out."
    },
    "help": {"text": "Ask of each kept line: should this have mattered?"},
    "defaultConfiguration": {"level": "none"},
}

type Marks = tuple[frozenset[int], frozenset[int]]
"""The kept events, and those that decided that they ran."""


def sarif(result: Result) -> Json:
    """The result as a SARIF log."""
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [Run(result).to_json()]}


class Run:
    """The one run of the log."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self.trace = result.trace
        self.texts = [file.lines for file in result.trace.files]
        self.depths = depths(result)

    def to_json(self) -> Json:
        found = self.result
        run: Json = {
            "tool": {"driver": driver([RULE])},
            "columnKind": "unicodeCodePoints",
            "artifacts": [
                {
                    "location": uri(file.path),
                    "sourceLanguage": languages().get(PurePosixPath(file.path).suffix, "other"),
                }
                for file in self.trace.files
            ],
            "results": [self.slice(each) for each in found.slices],
            "invocations": [
                {
                    "executionSuccessful": not found.interrupted,
                    "arguments": list(found.command),
                    "toolExecutionNotifications": [
                        *(
                            {"level": "note", "message": {"text": printable(each)}}
                            for each in found.notes
                        ),
                        *self.elsewhere(),
                    ],
                }
            ],
        }
        if found.target is not None:
            base = found.target.directory.as_posix().rstrip("/") + "/"
            run["originalUriBaseIds"] = {"PROGRAM": {"uri": f"file://{quoted(base)}"}}
        return run

    def elsewhere(self) -> Iterator[Json]:
        """A note for each file with lines that ran where nothing is recorded; these are no steps
        of a code flow."""
        for number, file in enumerate(self.trace.files):
            if file.elsewhere:
                artifact = {**uri(file.path), "index": number}
                yield {
                    "level": "note",
                    "message": {"text": f"{plural(len(file.elsewhere), 'line')} {ELSEWHERE}."},
                    "locations": [
                        {
                            "physicalLocation": {
                                "artifactLocation": artifact,
                                "region": {"startLine": line},
                            }
                        }
                        for line in file.elsewhere[:MOST]
                    ],
                }

    def slice(self, found: CriticalSlice) -> Json:
        """One slice as a SARIF result."""
        head = f"{len(found.events)} of {plural(found.of, 'event')} suffice for {found.name}"
        lines = len(found.lines(self.trace))
        text = f"{printable(head)}, on {plural(lines, 'line')}; 1-minimal: {minimality(found)}."
        if said := sentence(self.result, found):
            text = f"{said}. {text}"
        events = list(self.whole(found))
        folded = f", {len(events)} of them shown" if len(events) < found.of else ""
        answer: Json = {
            "ruleId": "critical-slice",
            "ruleIndex": 0,
            "kind": "informational",
            "level": "none",
            "message": {"text": text},
            "locations": [self.location(place(self.result, found))],
            "codeFlows": [
                self.flow("The critical slice", found, list(found.events[:MOST]), None),
                self.flow(
                    f"The whole run: {plural(found.of, 'event')}{folded}",
                    found, events, (frozenset(found.events), frozenset(found.governing)),
                ),
            ],
            "relatedLocations": [
                self.location(self.trace.statements[number], position)
                for position, number in enumerate(found.statements(self.trace))
            ],
            "partialFingerprints": {"stripeCheck/v1": f"{found.check}"},
            "properties": {
                "check": found.check,
                "eventsKept": len(found.events),
                "conditions": len(found.governing),
                "events": found.of,
                "tests": found.tests,
                "oneMinimal": found.certified,
                "certifiedAt": found.certified_at,
                "reproducedInFreshProcess": found.verified,
            },
        }  # fmt: skip
        if not found.events:
            del answer["codeFlows"][0]
        return answer

    def whole(self, found: CriticalSlice) -> Iterator[int]:
        """The events of the second code flow."""
        size = len(self.trace)
        if size <= MOST:
            yield from range(size)
            return
        left = MOST
        before = NONE
        for event in (*found.events, size):
            gap = range(before + 1, event)
            shown = gap if len(gap) <= 2 else (gap[0], gap[-1])
            for each in (*shown, *((event,) if event < size else ())):
                if left == 0:
                    return
                left -= 1
                yield each
            before = event

    def flow(self, text: str, found: CriticalSlice, events: list[int], kept: Marks | None) -> Json:
        """One code flow; with ``kept``, and what decided that it ran, the rest is unimportant."""
        return {
            "message": {"text": text},
            "threadFlows": [{"locations": [self.step(found, each, kept) for each in events]}],
        }

    def step(self, found: CriticalSlice, event: int, kept: Marks | None) -> Json:
        statement = self.trace.statements[self.trace.statement[event]]
        step: Json = {
            "location": self.location(statement),
            "executionOrder": self.trace.time(event),
            "nestingLevel": self.depths[event],
            "importance": importance(event, kept),
        }
        step["location"]["message"] = {"text": self.trace.name(event)}
        values = found.held(event)
        if values and step["importance"] == "essential":
            step["state"] = {
                printable(name): {"text": printable(value)} for name, value in values.items()
            }
        return step

    def location(self, statement: Statement, number: int | None = None) -> Json:
        lines = self.texts[statement.file]
        region: Json = {"startLine": statement.line}
        if statement.line <= len(lines) and statement.column <= LAST_COLUMN:
            # Columns of the trace count bytes of UTF-8.
            before = columns_of(lines[statement.line - 1], 0, statement.column)
            region["startColumn"] = len(before) + 1
        if statement.header_end > statement.line:
            region["endLine"] = statement.header_end
        location: Json = {
            "physicalLocation": {
                "artifactLocation": {
                    **uri(self.trace.files[statement.file].path),
                    "index": statement.file,
                },
                "region": region,
            },
            "logicalLocations": [{"name": statement.function, "kind": kind(statement.function)}],
        }
        if number is not None:
            location["id"] = number
        return location


def importance(event: int, marks: Marks | None) -> str:
    """What an event is for a slice, in the words of SARIF; conditions are ``important``."""
    if marks is None or event in marks[0]:
        return "essential"
    return "important" if event in marks[1] else "unimportant"


def place(result: Result, found: CriticalSlice) -> Statement:
    """Where to show a slice: at what raised, else at its last event."""
    trace = result.trace
    raised = raised_at(result)
    if raised is not None and found.check == "exception":
        return trace.statements[raised]
    last = found.events[-1] if found.events else len(trace) - 1
    return trace.statements[trace.statement[last]]


def driver(rules: Sequence[Json]) -> Json:
    """What has found the results, and its rules."""
    return {"name": "stripe", "version": __version__, "rules": list(rules)}


def kind(function: str) -> str:
    """The word of SARIF for what a statement is in."""
    return "module" if function == "<module>" else "function"


def uri(path: str) -> Json:
    """The place of a source file: absolute, or relative to where the program ran."""
    pure = PurePosixPath(path)
    if pure.is_absolute():
        return {"uri": f"file://{quoted(path)}"}
    return {"uri": quoted(path), "uriBaseId": "PROGRAM"}


def quoted(path: str) -> str:
    """A path in a URI; names of files are bytes, and need not be UTF-8."""
    return quote(os.fsencode(path))


def depths(result: Result) -> list[int]:
    """How many calls deep each event is."""
    caller = result.trace.caller
    found: list[int] = []
    for event in range(len(result.trace)):
        above = caller[event]
        found.append(0 if above == NONE else found[above] + 1)
    return found
