"""Dynamic dependences: which earlier event wrote what an event reads (Korel & Laski 1988).

They are found in one pass over the events, from what each statement reads and writes
(:class:`~stripe.trace.Statement`).  Aliases are not followed, so a slice may miss events, and
it may hold too many: it is a proposal where to search.  Nobody may take it for an answer.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import compress

from stripe.index_set import packed
from stripe.trace.definitions import Definitions, Ranks
from stripe.trace.effects import Facts
from stripe.trace.model import NONE, OPPOSITE, Trace, flags

SEEN, GONE, DONE = 1, 2, 3
UNSEEN = bytes([GONE, 0, *bytes(254)])
"""For ``translate``: what is kept has not been seen."""

TAKEN = bytes([0, 0, 0, 1, *bytes(252)])
"""For ``translate``: what is done, which is all that was seen."""

MOSTLY = 4
"""Where events are one of so many of all, it is faster to look at all than to look them up."""


class Dependences:
    """The dependences among ``events`` (sorted; all by default), and among any part of them.

    They are found once.  What an event reads is kept as a *definition*: an event wrote there, and
    another definition was there before.  For a part of the events, as if no other one had taken
    effect, it is followed back to the last definition by an event of that part.

    ``facts`` saves the time to find them again, for the same trace.  They are in ``columns``, by
    the places of events among ``events``.
    """

    def __init__(
        self,
        trace: Trace,
        events: Sequence[int] | None = None,
        *,
        control: bool = False,
        facts: Facts | None = None,
    ) -> None:
        self.events: Sequence[int] = range(len(trace)) if events is None else events
        self.columns = Definitions(trace, self.events, facts or Facts(trace), control=control)

    def sources(self, event: int, among: Iterable[int] | None = None) -> list[int]:
        """The events that ``event`` depends on directly, the earliest first."""
        resolve = self._whole if among is None else _Resolving(self.columns, self.flags(among))
        place = self.columns.place(event)
        found = {on if on >= 0 else resolve(~on) for on in self._wanted(place)}
        return [self.events[on] for on in sorted(found - {NONE, place}) if resolve.kept[on]]

    @cached_property
    def _whole(self) -> _Resolving:
        """What resolves definitions among all the events."""
        return _Resolving(self.columns, self.flags(None))

    def initial(self, among: Iterable[int] | None = None) -> set[int]:
        """The events that write something that nothing wrote before."""
        kept = self.flags(among)
        resolve = _Resolving(self.columns, kept)
        writer, before = self.columns.writer, self.columns.before
        # Nearly all replace what was surely written; others (``~place``) are looked at closely.
        unsure = kept.translate(OPPOSITE) + b"\1" * (len(kept) + 1)
        looked_at = map(unsure.__getitem__, map(writer.__getitem__, before))
        found = set()
        for definition in compress(range(len(before)), looked_at):
            replaced, place = before[definition], writer[definition]
            place = place if place >= 0 else ~place
            if definition and replaced >= 0 and kept[place] and resolve(replaced) == NONE:
                found.add(self.events[place])
        return found

    def slice(
        self, criterion: Iterable[int], among: Iterable[int] | None = None
    ) -> tuple[int, ...]:
        """All events that the events of ``criterion`` depend on, these included; sorted.

        Those of ``criterion`` that are not among the events are left out.
        """
        columns, kept = self.columns, self.flags(among)
        start, targets, writer = columns.start, columns.targets, columns.writer
        (caller, scope), more = columns.parents[:2], columns.parents[2:]
        heads, later = columns.heads, columns.later
        resolve = _Resolving(columns, kept)
        state = self._states(criterion, kept)
        # What is needed came earlier, nearly always: so from the last one on, the next one that was
        # seen is looked for.  ``todo`` is what was seen behind that, at ``high`` or later.
        high = len(state) - 1
        todo: list[int] = []
        push, pop, last = todo.append, todo.pop, state.rfind
        while True:
            if todo:
                place = pop()
            else:
                high = place = last(SEEN, 0, high)
                if place < 0:
                    break
            state[place] = DONE
            on = caller[place]
            if not state[on]:
                state[on] = SEEN
                if on >= high:
                    push(on)
            on = scope[place]
            if not state[on]:
                state[on] = SEEN
                if on >= high:
                    push(on)
            for column in more:
                on = column[place]
                if not state[on]:
                    state[on] = SEEN
                    if on >= high:
                        push(on)
            for definition in targets[start[place] : start[place + 1]]:
                on = writer[definition]  # the usual case first, as this is where the time goes
                if on < 0 or (found := state[on]) == GONE:
                    on = resolve(definition)
                    found = state[on]
                if not found:
                    state[on] = SEEN
                    if on >= high:
                        push(on)
            link = heads[place] if heads else NONE
            while link != NONE:
                on, link = later[link], later[link + 1]
                if on < 0:
                    on = resolve(~on)
                if not state[on]:
                    state[on] = SEEN
                    if on >= high:
                        push(on)
        state.pop()
        return packed(compress(self.events, state.translate(TAKEN)))

    def _states(self, criterion: Iterable[int], kept: bytearray) -> bytearray:
        """By place, SEEN or GONE before the search; 0: kept, and not seen. The last is of NONE."""
        state = kept.translate(UNSEEN)
        state.append(SEEN)
        for place in map(self.columns.place, criterion):
            state[place] = state[place] or SEEN
        return state

    def flags(self, among: Iterable[int] | None) -> bytearray:
        """By place, whether an event is one of some; or of all."""
        if among is None or among is self.events:
            return bytearray(b"\1") * len(self.events)
        place = self.columns.place
        if place is int:
            return flags(among, len(self.events))
        if isinstance(place, Ranks):
            if len(self.events) * MOSTLY >= place.size:
                return place.chosen(flags(among, place.size))
            return bytearray(map(flags(among, place.size).__getitem__, self.events))
        found = flags(map(place, among), len(self.events) + 1)  # the last one is that of NONE
        del found[-1]
        return found

    def _wanted(self, place: int) -> Iterator[int]:
        """The places that an event depends on, and definitions (``~definition``)."""
        columns = self.columns
        for column in columns.parents:
            yield column[place]
        for definition in columns.targets[columns.start[place] : columns.start[place + 1]]:
            yield ~definition
        link = columns.heads[place] if columns.heads else NONE
        while link != NONE:
            yield columns.later[link]
            link = columns.later[link + 1]


class _Resolving:
    """Follows definitions back to the last one by an event that is ``kept`` (a flag for each)."""

    def __init__(self, columns: Definitions, kept: bytearray) -> None:
        self.kept = kept
        self._columns = columns
        # Ways that have been gone, as ~definition; 0: not yet.  So no call takes longer than there
        # are definitions.
        self._known = array("i")

    def __call__(self, definition: int) -> int:
        """The place that a definition comes to; ``NONE`` if nothing wrote there."""
        kept, writer, before = self.kept, self._columns.writer, self._columns.before
        way = []
        while definition:
            place = writer[definition]
            if kept[place if place >= 0 else ~place]:
                break
            if not self._known:
                self._known = array("i", [0]) * len(writer)
            elif self._known[definition]:
                definition = ~self._known[definition]
                break
            way.append(definition)
            following = before[definition]
            definition = following if following >= 0 else ~following
        for each in way:
            self._known[each] = ~definition
        return self._columns.means(definition)
