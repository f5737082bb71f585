"""A debugging session: where it stands in a journey, and what each step leads to.

Steps are computed on the recorded path (places and depths of all events), without a run; the
program is brought only to the moment where the session stops.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from stripe.backend import CallFrame, Inquiry, Journey

LOOKED_BELOW = 50
"""Lines from one on that are looked at for where a breakpoint there can be put."""


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """A line to stop at, wherever ``condition`` (an expression; empty: none) is true."""

    file: str
    line: int
    condition: str = ""


class Session:
    """Stands at ``event`` of a journey, with ``calls`` there, the innermost first."""

    def __init__(self, journey: Journey, *, at_start: bool = False) -> None:
        self.journey = journey
        self.breakpoints: list[Breakpoint] = []
        self.stops_at_failure = True
        self.event = 0
        self.calls: Sequence[CallFrame] = ()
        self.go(1 if at_start else journey.failure)

    def go(self, event: int) -> None:
        """Stand at an event; the first or the last one if there is none of that number."""
        self.event = min(max(event, 1), self.journey.total)
        self.calls = self.journey.go(self.event)

    def step(self, kind: str, *, backwards: bool = False) -> None:
        """Go to the next event, or the one before: ``in``, ``over`` calls, or ``out`` of this one.

        Where there is none, go to the end of the run, or to its start.
        """
        depths = self.journey.depths
        here = depths[self.event - 1]
        deepest = {"in": None, "over": here, "out": here - 1}[kind]
        ahead: Iterable[int]
        if backwards:
            ahead = range(self.event - 1, 0, -1)
        else:
            ahead = range(self.event + 1, self.journey.total + 1)
        fallback = 1 if backwards else self.journey.total
        self.go(next((n for n in ahead if deepest is None or depths[n - 1] <= deepest), fallback))

    def resume(self, *, backwards: bool = False) -> str:
        """Go to the next stop, or the one before.

        Returns:
            why it stops there: ``breakpoint``, ``exception``, or ``entry`` for either end.
        """
        here = self.event
        found: list[tuple[int, str]] = []
        failure = self.journey.failure
        if self.stops_at_failure and (failure < here if backwards else failure > here):
            found.append((failure, "exception"))
        try:
            for each in self.breakpoints:
                events = self._beyond(self.journey.events_at(each.file, each.line), backwards)
                stop: int | None
                if each.condition:
                    stop = self.journey.search(events, each.condition, backwards=backwards)
                else:
                    stop = events[-1 if backwards else 0] if events else None
                if stop is not None:
                    found.append((stop, "breakpoint"))
        except BaseException:
            self.go(here)  # a search leaves the moment
            raise
        choose = max if backwards else min
        end = (1 if backwards else self.journey.total), "entry"
        event, reason = choose(found, key=lambda each: each[0]) if found else end
        self.go(event)
        return reason

    def _beyond(self, events: Sequence[int], backwards: bool) -> Sequence[int]:
        return [n for n in events if (n < self.event if backwards else n > self.event)]

    def nearest_line(self, file: str, line: int) -> int | None:
        """The first line from there on that was executed; ``None`` if no near one was."""
        near = range(line, line + LOOKED_BELOW)
        return next((each for each in near if self.journey.events_at(file, each)), None)

    def evaluate(self, frame: int, expression: str) -> dict[str, Any]:
        """The value of an expression in a call; see :meth:`stripe.backend.Journey.inspect`."""
        return self.journey.inspect(Inquiry(frame, "expression", expression))
