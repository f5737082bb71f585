"""Where the values come from that a line uses, and what uses those that it leaves behind.

By the dynamic dependences of a trace of the same run (:mod:`stripe.trace.dependence`), which does
not follow aliases: it shows where to look, and proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from stripe.backend import Journey, Recording, Target, TravelError, choose_backend
from stripe.debug.critical import events_of
from stripe.reduce.slice_dependences import explainer
from stripe.trace import Dependences

MOST_SHOWN = 20
"""Events that are told at a time."""

MOST_LOOKED_AT = 300_000
"""Executions that are looked at for what a line led to."""

WORDS = {"call": "called from there", "return": "what it returned", "control": "decided there"}


class Flow(NamedTuple):
    """An event that another one depends on, or that depends on it; ``why`` in words."""

    event: int
    file: str
    line: int
    why: str


class ValueFlow:
    """The dependences among the events of a ``journey``, by a trace of ``target``."""

    def __init__(self, target: Target, journey: Journey) -> None:
        self._journey = journey
        self._recording: Recording = choose_backend(target).record(target)
        try:
            trace = self._recording.trace
            self._explain = explainer(trace)
            self._found = Dependences(trace, control=True)
            self._place_of = dict(events_of(trace, journey))
        except BaseException:
            self._recording.close()
            raise
        self._executions: dict[int, list[int]] = {}
        for execution, event in self._place_of.items():
            self._executions.setdefault(event, []).append(execution)

    def origins(self, event: int) -> list[Flow]:
        """The events that wrote, or decided, what an event uses; the latest first."""
        return self._told(
            (on, execution, on)
            for execution in self._executions_of(event)
            for on in reversed(self._found.sources(execution))
        )

    def consequences(self, event: int) -> list[Flow]:
        """The events that use what an event left behind; the earliest first."""
        executions = set(self._executions_of(event))
        first = max(executions) + 1
        return self._told(
            (later, later, on)
            for later in range(first, min(len(self._found.events), first + MOST_LOOKED_AT))
            for on in self._found.sources(later)
            if on in executions
        )

    def _executions_of(self, event: int) -> list[int]:
        found = self._executions.get(event)
        if found is None:
            raise TravelError("No statement begins at this event: go to where its first line is.")
        return found

    def _told(self, pairs: Iterator[tuple[int, int, int]]) -> list[Flow]:
        """The flows of executions, each with the one that depends and the one it depends on."""
        return [*islice(self._flows(pairs), MOST_SHOWN)]

    def _flows(self, pairs: Iterator[tuple[int, int, int]]) -> Iterator[Flow]:
        told = set()
        for shown, reading, writing in pairs:
            event = self._place_of.get(shown)
            if event is not None and event not in told:
                told.add(event)
                dependence = self._explain(reading, writing)
                why = ", ".join(dependence.names) or WORDS.get(dependence.kind, "data")
                yield Flow(event, *self._journey.place(event), why)

    def close(self) -> None:
        """End the processes of the trace."""
        self._recording.close()
