"""What a reduction answers: critical slices of one trace, as data.

Everything here can be written as JSON (:meth:`Result.to_json`); :data:`VERSION` counts the
incompatible changes of that form.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from stripe.dd import Outcome, Reason
from stripe.trace import Trace

VERSION = 1
"""The version of the JSON form."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One executed test: a row of the paper's Figure 5.

    ``ranges`` holds the kept events as first, last + 1, first, last + 1, ...; it is ``None``
    where the log had grown too large to remember which events they were.
    """

    number: int
    outcome: Outcome
    size: int
    ranges: array[int] | None

    def kept(self) -> Iterable[range]:
        """The kept events, as ranges in ascending order."""
        pairs = self.ranges or ()
        for index in range(0, len(pairs), 2):
            yield range(pairs[index], pairs[index + 1])


def to_ranges(events: Iterable[int]) -> array[int]:
    """Ascending ``events`` as first, last + 1 of each unbroken stretch."""
    pairs = array("i")
    for event in events:
        if pairs and pairs[-1] == event:
            pairs[-1] = event + 1
        else:
            pairs.extend((event, event + 1))
    return pairs


@dataclass(frozen=True, slots=True)
class CriticalSlice:
    """The events that reproduce one criterion.

    - ``name``, ``check``: what the criterion is called, and its specification
    - ``events``: the kept events in order; ``of`` is how many the trace has
    - ``outcomes``: tests by outcome; ``resumed``: those of them whose outcome came from a search
      before; ``cached``: questions answered without a test
    - ``certified``: every single event was left out on its own, and each time the criterion
      was lost (1-minimal); if not, ``stopped`` says why
    - ``verified``: the slice alone reproduced the criterion once more in a fresh process;
      ``None`` if that was not tried
    - ``seconds``: duration of search, certification and verification
    - ``log``: the executed tests in order
    """

    name: str
    check: str
    events: tuple[int, ...]
    of: int
    outcomes: Mapping[Outcome, int]
    cached: int
    certified: bool
    stopped: Reason
    verified: bool | None
    seconds: float
    log: Sequence[LogEntry] = field(default=(), repr=False)
    resumed: int = 0

    @property
    def tests(self) -> int:
        """How many tests the search asked for."""
        return sum(self.outcomes.values())

    def statements(self, trace: Trace) -> Mapping[int, int]:
        """How many events of each statement are kept; only statements with any."""
        return Counter(trace.statement[event] for event in self.events)

    def lines(self, trace: Trace) -> set[tuple[int, int]]:
        """The kept lines as (file, line): where a kept statement starts."""
        return lines_of(trace, self.statements(trace))

    def to_json(self, trace: Trace) -> dict[str, Any]:
        """The slice as plain JSON data."""
        executed = Counter(trace.statement)
        return {
            "name": self.name,
            "check": self.check,
            "events": list(self.events),
            "statements": [
                {"statement": number, "kept": kept, "executed": executed[number]}
                for number, kept in sorted(self.statements(trace).items())
            ],
            "tests": {
                "executed": self.tests,
                **{outcome.name: self.outcomes.get(outcome, 0) for outcome in Outcome},
                "cached": self.cached,
                "resumed": self.resumed,
            },
            "certified": self.certified,
            "stopped": self.stopped.value,
            "verified": self.verified,
            "seconds": round(self.seconds, 6),
            "log": [
                {
                    "number": record.number,
                    "outcome": record.outcome.name,
                    "size": record.size,
                    "ranges": None if record.ranges is None else list(record.ranges),
                }
                for record in self.log
            ],
        }


def lines_of(trace: Trace, statements: Iterable[int]) -> set[tuple[int, int]]:
    """Where ``statements`` start, as (file, line)."""
    return {(trace.statements[number].file, trace.statements[number].line) for number in statements}


@dataclass(frozen=True, slots=True)
class Statistics:
    """How long things took, in seconds, and how much was done."""

    plain_seconds: float
    recorded_seconds: float
    total_seconds: float
    replays: int


@dataclass(frozen=True, slots=True)
class Result:
    """The answer of :func:`stripe.trace`: a recorded run and its critical slices.

    ``command`` is the program with its arguments; ``notes`` are facts the user must know.
    """

    command: tuple[str, ...]
    control: str
    algorithm: str
    trace: Trace = field(repr=False)
    slices: tuple[CriticalSlice, ...]
    notes: tuple[str, ...]
    statistics: Statistics

    def __getitem__(self, name: str) -> CriticalSlice:
        """The slice of the check called ``name``."""
        for each in self.slices:
            if each.name == name:
                return each
        raise KeyError(name)

    @property
    def interrupted(self) -> bool:
        """Whether the user ended the search early."""
        return any(each.stopped is Reason.STOPPED for each in self.slices)

    def to_json(self) -> dict[str, Any]:
        """The result as plain JSON data, version :data:`VERSION`.

        ``trace.statement`` gives the statement of each event; event numbers count from 0,
        the times people see from 1.
        """
        trace = self.trace
        return {
            "format": "stripe-result",
            "version": VERSION,
            "command": list(self.command),
            "control": self.control,
            "algorithm": self.algorithm,
            "files": [{"path": file.path, "text": file.text} for file in trace.files],
            "statements": [
                {
                    "id": statement.id,
                    "file": statement.file,
                    "kind": statement.kind,
                    "function": statement.function,
                    "line": statement.line,
                    "header_end": statement.header_end,
                    "end_line": statement.end_line,
                    "column": statement.column,
                }
                for statement in trace.statements
            ],
            "trace": {"statement": list(trace.statement)},
            "slices": [each.to_json(trace) for each in self.slices],
            "notes": list(self.notes),
            "statistics": {
                "plain_seconds": round(self.statistics.plain_seconds, 6),
                "recorded_seconds": round(self.statistics.recorded_seconds, 6),
                "total_seconds": round(self.statistics.total_seconds, 6),
                "replays": self.statistics.replays,
            },
        }
