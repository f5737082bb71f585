"""Plans: what each activation of a replay does at each site it passes.

The *path* of a recorded activation is the sequence of codes that keep everything dropped
would read: one for every site passed, in order.  A plan is the path with the kept events
marked, from which loop iterations that keep nothing are left out whole: the cost of a
replay follows what is kept.
"""

from __future__ import annotations

from itertools import compress
from mmap import ACCESS_READ, mmap

from ..process import wire
from ..process.descriptors import LowNumbersTaken
from ..process.natives import Struct, bisect_left, bisect_right

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

CALL = Struct("=9i")
"""A row of ``Tables.calls``."""

SHORT = 64
"""Codes of an activation up to which the same ones have the same start in ``Tables.calls``."""

DENSE = 8
"""Where one of so many events is kept, all of a path is walked: to find what can be left out takes
longer."""

Landing = tuple[int, int, int]
"""Of a LAND code: site, position after the handler if it is one, event that goes on there or -1."""

NO_LANDING: Landing = (-1, -1, -1)
NONE_KNOWN: dict[int, Landing] = {}


class Loop:
    """One execution of a loop in the path of an activation.

    ``heads`` are the positions of the codes its header reads before each iteration; what
    is from the last of them to ``end`` (exclusive) never is left out, for it says how
    control left the loop.
    """

    __slots__ = ("end", "heads", "start")

    def __init__(self, start: int, heads: Sequence[int], end: int) -> None:
        self.start = start
        self.heads = heads
        self.end = end


class Path:
    """A recorded activation.

    ``dropped`` and ``kept`` are its codes with all events dropped or kept; ``events`` the
    numbers of its events and ``positions`` where they stand, both ascending; ``landings``
    maps the positions of LAND codes to what is known of them; ``wide`` tells how many codes an
    event has, if not one; ``resumes``, of one that was suspended for good, how often its last
    event was resumed.
    """

    __slots__ = (
        "dropped", "events", "kept", "landings", "loop_starts", "loops", "positions", "resumes",
        "wide",
    )  # fmt: skip
    dropped: memoryview
    kept: memoryview
    events: memoryview
    positions: memoryview
    loops: Sequence[Loop]
    loop_starts: Sequence[int]
    landings: dict[int, Landing]
    wide: dict[int, int]
    resumes: int


class Tables:
    """The recorded run as replays need it; made by the host (``paths.py`` there)."""

    def __init__(self, path: str) -> None:
        with open(path, "rb", buffering=0) as stream:
            data = wire.receive(stream.fileno())
            offset = stream.tell()
            with LowNumbersTaken():
                self._sections = memoryview(mmap(stream.fileno(), 0, access=ACCESS_READ))
        sections: dict[str, memoryview] = {}
        for name, size in data["sections"].items():
            sections[name] = self._sections[offset : offset + size]
            offset += size

        def numbers(name: str) -> memoryview:
            return sections[name].cast("i")

        self.activation = numbers("activation")  # of each event
        self.position = numbers("position")  # of each event in its activation's path
        self._events = numbers("events")  # grouped by activation
        self._positions = numbers("positions")  # likewise
        self._start = numbers("start")  # of each activation's codes, plus the end of the last
        self._first_event = numbers("first_event")
        self._function = numbers("function")  # of each activation
        self._dropped = sections["dropped"]
        self._kept = sections["kept"]
        self._loops: dict[int, tuple[list[Loop], list[int]]] = {
            activation: (
                [Loop(start, memoryview(heads).cast("i"), end) for start, heads, end in loops],
                [start for start, _, _ in loops],
            )
            for activation, loops in data["loops"].items()
        }
        self._landings: dict[int, dict[int, Landing]] = data["landings"]
        self._wide: dict[int, dict[int, int]] = data["wide"]
        self._resumes: dict[int, int] = data["resumes"]
        # A row for each activation that an event called: the caller, the function, where in the
        # caller's path its event begins to be the one that is happening, and where it no longer
        # is; the activation, where its codes start and end, the row of the first call that it
        # makes, and WHOLE, SPECIAL or SOUGHT.
        self.calls = sections["calls"]
        self._row = numbers("row")  # of the call of each activation, 0 if no event called it
        self._first_call = numbers("first_call")  # likewise of the first it makes
        self.codes = bytes(self._kept)
        self.entries: dict[int, list[int]] = data["entries"]  # event: activations entered
        # Of a part of a run: how many activations had begun before it; of those that were open
        # then, how many had begun before each, and which it is here.
        self.before: int = data["before"]
        self.opened: dict[int, int] = data["opened"]
        # What stands for the event that was happening in these then: no event has that number.
        self._happening = {activation: -2 - activation for activation in self.opened.values()}
        self.roots: list[int] = data["roots"]

    def __len__(self) -> int:
        return len(self.activation)

    @property
    def activations(self) -> int:
        """How many there are."""
        return len(self._function)

    def function(self, activation: int) -> int:
        return self._function[activation]

    def begun(self, function: int, bound: Sequence[int], before: int) -> int | None:
        """The first activation of ``function``, not ``bound`` yet, with an event ``before``."""
        for activation, which in enumerate(self._function):
            first = self._first_event[activation]
            if which == function and first < self._first_event[activation + 1]:
                if bound[activation]:
                    continue
                if self._events[first] >= before:
                    break
                return activation
        return None

    def first_call(self, activation: int) -> int:
        """Where in ``calls`` the row is of the first call that an activation makes."""
        return self._first_call[activation] * CALL.size

    def row(self, activation: int) -> int:
        """Where in ``calls`` the row is of the call of ``activation``."""
        return self._row[activation] * CALL.size

    def call_after(self, activation: int) -> int:
        """Where in ``calls`` the row is of the call that comes after that of ``activation``.

        The first, which fits none, if no event of these called it.
        """
        row = self._row[activation]
        return (row + 1) * CALL.size if row else 0

    def landing(self, activation: int, position: int) -> Landing:
        """What is known of the landing at a position of an activation's path."""
        return self._landings.get(activation, NONE_KNOWN).get(position, NO_LANDING)

    def event_at(self, activation: int, position: int) -> int | None:
        """The event that is happening when an activation has come to a position of its path.

        Less than -1 if it is one before the part that was recorded.
        """
        event = self.landing(activation, position)[2]
        if event != -1:
            return event
        first, end = self._first_event[activation], self._first_event[activation + 1]
        which = bisect_right(self._positions, position, first, end) - 1
        return int(self._events[which]) if which >= first else self._happening.get(activation)

    def path(self, activation: int) -> Path:
        codes = slice(self._start[activation], self._start[activation + 1])
        events = slice(self._first_event[activation], self._first_event[activation + 1])
        path = Path()
        path.dropped = self._dropped[codes]
        path.kept = self._kept[codes]
        path.events = self._events[events]
        path.positions = self._positions[events]
        path.loops, path.loop_starts = self._loops.get(activation, ((), ()))
        path.landings = self._landings.get(activation, {})
        path.wide = self._wide.get(activation, {})
        path.resumes = self._resumes.get(activation, -1)
        return path


class Marks(dict[int, "Sequence[int] | None"]):
    """The ascending positions of some events by activation; of many, found when asked for."""

    def __init__(self, tables: Tables, data: bytes) -> None:
        """``data``: a flag for each event of the run, or numbers, ascending, where that is less."""
        super().__init__()
        self._tables = tables
        self._flags = b""
        if data and len(data) == len(tables):
            self._flags = data
            self.update(dict.fromkeys(compress(tables.activation, data)))
            return
        self._events = memoryview(data).cast("i")
        groups: dict[int, list[int]] = {}
        activation, position = tables.activation, tables.position
        for event in self._events:
            groups.setdefault(activation[event], []).append(position[event])
        self.update(groups)

    @property
    def events(self) -> Iterable[int]:
        """These events, ascending."""
        return compress(range(len(self._flags)), self._flags) if self._flags else self._events

    def positions(self, activation: int) -> Sequence[int]:
        """Those in an activation."""
        found = self.get(activation, ())
        if found is None:
            path = self._tables.path(activation)
            first, size = path.events[0], len(path.events)
            flags: Any = self._flags[first : first + size]
            if path.events[-1] - first >= size:  # others happened in between
                flags = map(self._flags.__getitem__, path.events)
            found = self[activation] = list(compress(path.positions, flags))
        return found


class Plan:
    """The codes of one activation in one replay, and the way back to the recorded path."""

    __slots__ = ("codes", "origins", "path", "starts")

    def __init__(self, path: Path, marked: Sequence[int], keep: bool) -> None:
        """``marked``: ascending positions of the events that take effect, or, if not
        ``keep``, of those that do not."""
        self.path = path
        self.starts: list[int] = []  # where each copied stretch begins in ``codes``
        self.origins: list[int] = []  # and in the path
        self.codes: Any = bytearray()
        source = path.dropped if keep else path.kept
        if keep and path.loops and len(marked) * DENSE < len(path.events):
            for start, end in stretches(path, marked):
                self._copy(source, start, end)
            self._mark(marked, path.kept)
        else:
            self._copy(source, 0, len(source))
            self._mark_all(marked, path.kept if keep else path.dropped)

    @classmethod
    def whole(cls, path: Path, codes: bytes | bytearray) -> Plan:
        """The plan of an activation of which all is kept, whose ``codes`` are there already."""
        plan = cls.__new__(cls)
        plan.path, plan.starts, plan.origins, plan.codes = path, [0], [0], codes
        return plan

    def _copy(self, source: memoryview, start: int, end: int) -> None:
        if start < end:
            self.starts.append(len(self.codes))
            self.origins.append(start)
            self.codes += source[start:end]

    def _mark_all(self, positions: Sequence[int], source: memoryview) -> None:
        """Mark positions of a path that is there as a whole."""
        codes, wide = self.codes, self.path.wide
        told = bytes(source)  # twice as fast as a view
        for position in positions:
            codes[position] = told[position]
        if wide:
            for position in filter(wide.__contains__, positions):
                end = position + wide[position]
                codes[position:end] = told[position:end]

    def _mark(self, positions: Sequence[int], source: memoryview) -> None:
        codes, wide = self.codes, self.path.wide
        stretch, shift = -1, 0
        following = 0
        for position in positions:
            while position >= following:
                stretch += 1
                shift = self.starts[stretch] - self.origins[stretch]
                more = stretch + 1 < len(self.origins)
                following = self.origins[stretch + 1] if more else len(source) + 1
            for where in range(position, position + wide.get(position, 1)):
                codes[where + shift] = source[where]

    def origin(self, index: int) -> int:
        """The position in the path of the code at ``index``."""
        stretch = bisect_left(self.starts, index + 1) - 1
        return self.origins[stretch] + index - self.starts[stretch]

    def index(self, position: int) -> int:
        """The index of the first code that stands at ``position`` of the path or after."""
        stretch = bisect_left(self.origins, position + 1) - 1
        if stretch < 0:
            return 0
        index = self.starts[stretch] + position - self.origins[stretch]
        end = self.starts[stretch + 1] if stretch + 1 < len(self.starts) else len(self.codes)
        return min(index, end)


def stretches(path: Path, kept: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The stretches of a path that are not left out, in order, adjoining ones joined.

    Works through the nested loops with a stack of its own: loops nest as deep as they like.
    """
    loops, starts, length = path.loops, path.loop_starts, len(path.dropped)
    # Ranges still to be walked, the next one last: where it begins, where to look for
    # loops from (an iteration begins at its loop's own header), where it ends.
    pending: list[tuple[int, int, int]] = [(0, 0, length)]
    begin = position = 0
    while pending:
        low, search, high = pending.pop()
        if low > position:
            if position > begin:
                yield begin, position
            begin = low
        which = bisect_left(starts, search)
        if which == len(loops) or starts[which] >= high:
            position = high
            continue
        loop = loops[which]
        position = loop.heads[0]
        if loop.end < high:
            pending.append((loop.end, loop.end, high))
        parts = [*iterations(loop, kept), (loop.heads[-1], loop.end)]
        pending.extend((start, start + 1, end) for start, end in reversed(parts))
    if position > begin:
        yield begin, position


def iterations(loop: Loop, kept: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The iterations before the last that hold a kept event, as ranges of the path.

    The event that makes a loop's iterator stands before the first of the heads.  It fetches
    the first item as well, so when it is kept, the first iteration is.
    """
    heads = loop.heads
    last = heads[-1]
    which = bisect_left(kept, loop.start if len(heads) > 1 else last)
    while which < len(kept) and kept[which] < last:
        number = max(bisect_left(heads, kept[which] + 1) - 1, 0)
        yield heads[number], heads[number + 1]
        which = bisect_left(kept, heads[number + 1])
