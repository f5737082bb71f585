"""Which part of a run is recorded: ``START..END``, by events, lines or functions.

``1000..2000`` are events by their time, which counts from 1; ``-5000..`` the last 5000;
``parse..`` is all from the first call of ``parse`` on; ``a.py:40..a.py:60`` from where line 40 is
first executed to where line 60 is last; ``parse`` alone from its first call to the end of its last.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from stripe.errors import NotReducible, UsageError

EXAMPLES = (
    "For example: --window 1000..2000, --window parse.., --window a.py:40..a.py:60, "
    "--max-events 5000"
)


class Line(NamedTuple):
    """A line of a file, both as people give them."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Function(NamedTuple):
    """A function, by its name or the end of its qualified name."""

    name: str

    def __str__(self) -> str:
        return f"{self.name}()"

    def fits(self, qualified: str) -> bool:
        """Whether that is the function called so."""
        return qualified == self.name or qualified.endswith("." + self.name)


type Place = int | Line | Function
"""Where a window begins or ends: a time (from 1, or from the end if negative), or a place."""


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a run; ``None`` is its beginning, or its end, which belongs to the window."""

    start: Place | None
    end: Place | None

    @property
    def places(self) -> tuple[Line | Function, ...]:
        """What has to be looked for in the run."""
        return tuple(each for each in (self.start, self.end) if isinstance(each, Line | Function))

    @property
    def counted(self) -> tuple[int, int] | None:
        """First event and the one after the last, counted from 0, if that is known beforehand."""
        if self.places or any(
            isinstance(each, int) and each < 0 for each in (self.start, self.end)
        ):
            return None
        start = self.start - 1 if isinstance(self.start, int) else 0
        return start, self.end if isinstance(self.end, int) else UNBOUNDED

    def among(self, total: int, found: dict[Line | Function, tuple[int, int]]) -> tuple[int, int]:
        """The same in a run of ``total`` events, with places ``found`` at events first to last."""

        def at(place: Place | None, default: int, which: int) -> int:
            if place is None:
                return default
            if isinstance(place, int):
                return place - 1 if place > 0 else total + place
            return found[place][which]

        return max(at(self.start, 0, 0), 0), min(at(self.end, total - 1, 1), total - 1) + 1


UNBOUNDED = 1 << 62
"""More events than any run has."""


def parse_window(text: str) -> Window:
    """The window that a text names.

    Raises :class:`~stripe.errors.UsageError` ``bad-window``.
    """
    parts = re.split(r"\.\.(?!/)", text, maxsplit=1)
    if len(parts) == 1:
        place = _place(text, text)
        if isinstance(place, int):
            rest = f"{text}.. is all from there on, {text}..{text} only that."
            raise UsageError("bad-window", f"--window {text}: where does it end?", rest)
        return Window(place, place)
    start, end = (_place(part.strip(), text) if part.strip() else None for part in parts)
    if start is None and end is None:
        raise UsageError("bad-window", f"--window {text!r} names neither start nor end.", EXAMPLES)
    if isinstance(start, int) and isinstance(end, int) and start > end and (start > 0) == (end > 0):
        raise UsageError("bad-window", f"--window {text}: it ends before it starts.", EXAMPLES)
    return Window(start, end)


def _place(part: str, text: str) -> Place:
    if re.fullmatch(r"[+-]?\d[\d_,]*", part):
        number = int(part.replace(",", "").replace("_", ""))
        if not number:
            raise UsageError("bad-window", "Events are counted from 1.", EXAMPLES)
        return number
    if named := re.fullmatch(
        r"function:(.+)|((?:[^\W\d]\w*|<\w+>)(?:\.(?:\w+|<\w+>))*(?:\(\))?)", part
    ):
        return Function((named[1] or named[2]).removesuffix("()"))
    if line := re.fullmatch(r"(?:line:)?(.+):(\d+)", part):
        return Line(line[1], int(line[2]))
    raise UsageError(
        "bad-window",
        f"--window {text!r}: {part!r} is no time of an event, FILE:LINE or function.",
        EXAMPLES,
    )


def not_found(place: Line | Function, near: list[str]) -> NotReducible:
    """The error for a place that the run did not come to; ``near``: what else there is."""
    what = "was not called" if isinstance(place, Function) else "was not executed"
    known = f" There are: {', '.join(near)}." if near else ""
    return NotReducible(
        "window-not-found",
        f"The window cannot be found: {place} {what} in this run.{known}",
        EXAMPLES,
    )


def empty(start: int, stop: int, total: int) -> NotReducible:
    """The error for a window in which nothing happens."""
    if start >= total:
        why = f"it starts at event {start + 1:,}, and the run has only {total:,}"
    else:
        why = f"it would start at event {start + 1:,} and end at event {stop:,}"
    return NotReducible("empty-window", f"There is nothing in the window: {why}.", EXAMPLES)


@dataclass(frozen=True, slots=True)
class Extent:
    """Where a trace lies in the run: ``first`` events were before it, of ``total``."""

    first: int
    total: int

    def description(self, size: int) -> str:
        """What was recorded, as a sentence; ``size``: events of the trace."""
        outside = self.total - size
        return (
            f"Recorded are {size:,} of {self.total:,} executions, "
            f"{self.first + 1:,} to {self.first + size:,}: "
            f"the {outside:,} outside of that window always take effect."
        )
