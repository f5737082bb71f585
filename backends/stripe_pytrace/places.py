"""Where a window begins and ends, in a run that has been recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from stripe.trace.window import UNBOUNDED, Extent, Function, Line, Window, empty, not_found
from stripe_pytrace.paths import LogReader
from stripe_pytrace.window_reader import Windowing

MOST_NAMED = 8
"""Functions or lines that an error names."""


def read_window(
    window: Window,
    log: Sequence[int],
    files: Sequence[dict[str, Any]],
    check: Callable[[], object] = lambda: None,
) -> LogReader:
    """Read the part of a log that is in a window; its trace knows where it lies in the run.

    Raises :class:`~stripe.errors.NotReducible` ``window-not-found`` or ``empty-window``.
    """
    bounds = window.counted
    if bounds is None:
        scout = Scout(window.places)
        LogReader(log, files, check, windowing=scout.of)
        bounds = window.among(scout.total, scout.found())
        if bounds[0] >= bounds[1]:
            raise empty(*bounds, scout.total)
        if bounds[1] == scout.total:
            bounds = bounds[0], UNBOUNDED
    start, stop = bounds
    reader, total = _read(log, files, check, start, stop)
    if total <= start:
        raise empty(start, stop, total)
    if total == stop:
        # It ends with the run after all, which is something else than to go on without a trace.
        reader, _ = _read(log, files, check, start, UNBOUNDED)
    reader.trace.extent = Extent(start, total)
    return reader


def _read(
    log: Sequence[int],
    files: Sequence[dict[str, Any]],
    check: Callable[[], object],
    start: int,
    stop: int,
) -> tuple[LogReader, int]:
    """Read the events from ``start`` to ``stop - 1``; also, how many there are in all."""
    parts: list[Windowing] = []

    def part(reader: LogReader) -> Windowing:
        parts.append(Windowing(reader, start, stop))
        return parts[0]

    return LogReader(log, files, check, windowing=part), parts[0].total


class Scout(Windowing):
    """Finds the first and the last event of places, and counts; holds nothing."""

    def __init__(self, places: Sequence[Line | Function]) -> None:
        self._places = places
        self._found: dict[Line | Function, tuple[int, int]] = {}

    def of(self, reader: LogReader) -> Scout:
        """The same, for a reader."""
        super().__init__(reader, UNBOUNDED, UNBOUNDED)
        self._functions = {
            number: place
            for number, (name, _) in enumerate(reader.functions)
            for place in self._places
            if isinstance(place, Function) and place.fits(name)
        }
        paths = [file.path for file in reader.trace.files]
        self._lines = {
            statement.id: place
            for statement in reader.trace.statements
            for place in self._places
            if isinstance(place, Line)
            and statement.line <= place.line <= statement.header_end
            and ("/" + paths[statement.file]).endswith("/" + place.file.removeprefix("./"))
        }
        return self

    def found(self) -> dict[Line | Function, tuple[int, int]]:
        """The first and last event of each place; raises if there is one without any."""
        for place in self._places:
            if place not in self._found:
                raise not_found(place, self._near(place))
        return self._found

    def began(self, function: int) -> None:
        """See :class:`Windowing`."""
        place = self._functions.get(function)
        if place is not None:
            at = self.base + len(self.reader.trace.statement)
            self._found.setdefault(place, (at, UNBOUNDED))

    def ended(self, function: int) -> None:
        """See :class:`Windowing`."""
        place = self._functions.get(function)
        if place is not None:
            first, _ = self._found[place]
            self._found[place] = first, self.base + len(self.reader.trace.statement) - 1

    def seen(self) -> None:
        """See :class:`Windowing`."""
        statement = self.columns[0]
        for number, place in self._lines.items():
            if not statement.count(number):
                continue
            first, last = statement.index(number), len(statement) - 1
            while statement[last] != number:
                last -= 1
            before = self._found.get(place, (self.base + first, 0))
            self._found[place] = (
                min(before[0], self.base + first), max(before[1], self.base + last),
            )  # fmt: skip

    def _near(self, place: Line | Function) -> list[str]:
        """What somebody may have meant."""
        if isinstance(place, Function):
            names = [name for name, _ in self.reader.functions if name != "<module>"]
            from difflib import get_close_matches

            return get_close_matches(place.name, names, MOST_NAMED, 0.0)
        trace = self.reader.trace
        lines = {
            (abs(each.line - place.line), each.line)
            for each in trace.statements
            if ("/" + trace.files[each.file].path).endswith("/" + place.file)
        }
        return [f"{place.file}:{line}" for _, line in sorted(lines)[:MOST_NAMED]]
