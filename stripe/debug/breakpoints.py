"""Breakpoints: the events at which a session stops, found on the recorded path or by a search."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import ClassVar

from stripe.backend import Journey, Watched

HITS = re.compile(r"\s*(==|>=|<=|>|<|%)?\s*(\d+)\s*")
COMPARED: dict[str, Callable[[int, int], bool]] = {
    "": operator.eq, "==": operator.eq, ">=": operator.ge, "<=": operator.le,
    ">": operator.gt, "<": operator.lt, "%": lambda hit, every: bool(every) and hit % every == 0,
}  # fmt: skip


class BadBreakpoint(Exception):
    """What was asked for is no breakpoint, and why."""


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """Where to stop, if ``condition`` (an expression; empty: none) is true there.

    ``hits``: at which of these passes, counted from the start of the run (``5``, ``>=5``, ``%5``;
    empty: at each).  ``log``: do not stop, but show this text, with expressions in braces.
    """

    condition: str = ""
    hits: str = ""
    log: str = ""

    reason: ClassVar[str] = "breakpoint"

    def __post_init__(self) -> None:
        if self.hits and not HITS.fullmatch(self.hits):
            raise BadBreakpoint(f"{self.hits!r} is no count of hits: 5, >=5 or %5 are.")

    @property
    def name(self) -> str:
        """For people."""
        raise NotImplementedError

    def events(self, journey: Journey) -> Sequence[int]:
        """Where it may stop, ascending."""
        raise NotImplementedError

    def stops(self, journey: Journey, event: int, *, backwards: bool) -> Iterator[int]:
        """Where it stops after an event, or before, the nearest first."""
        if self.hits:
            match = HITS.fullmatch(self.hits)
            assert match is not None
            compare, number = COMPARED[match[1] or ""], int(match[2])
            passes = self.passes(journey, 0, backwards=False)
            hit = [n for count, n in enumerate(passes, 1) if compare(count, number)]
            yield from beyond(hit, event, backwards=backwards)
        else:
            yield from self.passes(journey, event, backwards=backwards)

    def passes(self, journey: Journey, event: int, *, backwards: bool) -> Iterator[int]:
        """Where its condition holds after an event, or before, the nearest first."""
        ahead = beyond(self.events(journey), event, backwards=backwards)
        if not self.condition:
            yield from ahead
            return
        for found, _ in journey.search(sorted(ahead), self.condition, backwards=backwards):
            yield found

    def logged(self, journey: Journey, first: int, last: int) -> list[tuple[int, str]]:
        """What a log point shows at its passes from one event to another, in order."""
        stops = self.stops(journey, first - 1, backwards=False)
        shown = [*takewhile(lambda event: event <= last, stops)]
        return list(journey.search(shown, log_expression(self.log), backwards=False))


@dataclass(frozen=True, slots=True, kw_only=True)
class LineBreakpoint(Breakpoint):
    """At a line."""

    file: str
    line: int

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.file}:{self.line}"

    def events(self, journey: Journey) -> Sequence[int]:
        """See above."""
        return journey.events_at(self.file, self.line)

    def passes(self, journey: Journey, event: int, *, backwards: bool) -> Iterator[int]:
        """See above."""
        found = journey.passes(self.file, self.line, self.condition, event, backwards=backwards)
        for each, _ in found:
            yield each


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionBreakpoint(Breakpoint):
    """Where calls of a function begin."""

    function: str
    reason: ClassVar[str] = "function breakpoint"

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.function}()"

    def events(self, journey: Journey) -> Sequence[int]:
        """See above."""
        return journey.entries(self.function)


@dataclass(frozen=True, slots=True, kw_only=True)
class RaiseBreakpoint(Breakpoint):
    """Where an exception is raised, of the type ``raised`` if that is not empty."""

    raised: str = ""
    reason: ClassVar[str] = "exception"

    @property
    def name(self) -> str:
        """For people."""
        return f"raise {self.raised}".strip()

    def events(self, journey: Journey) -> Sequence[int]:
        """See above."""
        return [n for n, kind in journey.raised() if self.raised in ("", kind)]


@dataclass(frozen=True, slots=True, kw_only=True)
class DataBreakpoint(Breakpoint):
    """Where a line changes what an expression holds, in one call or in a module."""

    watched: Watched
    reason: ClassVar[str] = "data breakpoint"

    @property
    def name(self) -> str:
        """For people."""
        return self.watched.expression

    def events(self, journey: Journey) -> Sequence[int]:
        """See above."""
        return list(journey.changes(self.watched, 0, backwards=False))

    def stops(self, journey: Journey, event: int, *, backwards: bool) -> Iterator[int]:
        """See above; without a condition they are found one by one."""
        if self.condition or self.hits:
            yield from Breakpoint.stops(self, journey, event, backwards=backwards)
        else:
            yield from journey.changes(self.watched, event, backwards=backwards)


def beyond(events: Sequence[int], event: int, *, backwards: bool) -> Sequence[int]:
    """Those of some events that come after one, or before it: the nearest first."""
    if backwards:
        return [n for n in reversed(events) if n < event]
    return [n for n in events if n > event]


def log_expression(text: str) -> str:
    """An expression for what a log point shows, with the values of what stands in braces."""
    plain = ""
    parts = []
    for number, part in enumerate(re.split(r"\{([^{}]*)\}", text)):
        if number % 2:
            parts.append(f"({part}),")
            plain += "%s"
        else:
            plain += part.replace("%", "%%")
    return f"{plain!r} % ({' '.join(parts)})" if parts else f"{plain!r} % ()"
