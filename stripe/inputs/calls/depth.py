"""Brings a passing and a failing call together within the parts in which they differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from stripe.dd import Configuration, Mode, Outcome
from stripe.inputs.calls.values import Tree

type State = dict[str, tuple[int, ...]]
type Place = tuple[str, int]
"""An argument, and a part of it."""
type Search = Callable[
    [Sequence[Place], Callable[[Configuration[int]], State], Mode],
    tuple[Configuration[int], Configuration[int]],
]
"""Runs dd; returns the passing and the failing configuration."""


class Depth:
    """Two calls that differ in parts of some arguments, and what lies in these parts.

    Level by level: what is left of the difference is emptied on both sides if it can be, and dd
    tells which of the parts in it make the difference. In the end every single part is tried.

    Args:
        trees: the parts of each argument.
        passing: what is kept of each argument in the passing call.
        failing: the same of the failing one; it has all that the passing one has.
        search: dd on some places.
        attempt: the outcome of a call; None when no more may be tested.
    """

    def __init__(
        self,
        trees: Mapping[str, Tree],
        passing: State,
        failing: State,
        search: Search,
        attempt: Callable[[State], Outcome | None],
    ) -> None:
        self.passing = passing
        self.failing = failing
        self._trees = trees
        self._search = search
        self._attempt = attempt

    def go(self, mode: Mode) -> bool:
        """Make the difference as small as it gets; in mode "+" by the passing call alone.

        Returns:
            Whether no single part is left that could be moved to the other side.
        """
        level = 1
        while any(self._level(place) > level for place in self.between()):
            level += 1
            if not self._empty(level, mode):
                return False
            self._apart(level, mode)
        return level == 1 or self._move_singly(mode)

    def between(self) -> list[Place]:
        """The places in which both calls differ, in order."""
        return [
            (name, part)
            for name, kept in self.failing.items()
            for part in sorted(set(kept) - set(self.passing[name]))
        ]

    def difference(self) -> State:
        """What is between both, with the parts around it."""
        places = self.between()
        names = {name for name, _ in places}
        return {
            name: tuple(sorted({part for other, part in self._around(places) if other == name}))
            for name in self.failing
            if name in names
        }

    # --- steps ----------------------------------------------------------------------------------

    def _empty(self, level: int, mode: Mode) -> bool:
        """Try what is between both without anything from `level` on; whether tests were left."""
        shallow = self._with([place for place in self.between() if self._level(place) < level])
        outcome = self._attempt(shallow)
        if outcome is Outcome.PASS:
            self.passing = shallow
        elif outcome is Outcome.FAIL and mode == "+-":
            self.failing = shallow
        return outcome is not None

    def _apart(self, level: int, mode: Mode) -> None:
        """Run dd on the parts at `level`, each with all within it."""
        between = self.between()
        deep = [place for place in between if self._level(place) == level]
        around = set(self._around(deep))
        # What is empty and less deep is moved as well; what is around others goes with them.
        deltas = [
            place
            for place in between
            if self._level(place) == level or (self._level(place) < level and place not in around)
        ]
        if not deep or len(deltas) < 2:
            return
        within = self._within(between)

        def state(configuration: Configuration[int]) -> State:
            chosen = [deltas[number] for number in configuration]
            return self._with(
                [*self._around(chosen), *(one for place in chosen for one in within[place])]
            )

        passing, failing = self._search(deltas, state, mode)
        self.passing, failed = state(passing), state(failing)
        if mode == "+-":
            self.failing = failed

    def _move_singly(self, mode: Mode) -> bool:
        """Try to move every single part, until none can be; whether tests were left."""
        moved = True
        while moved:
            moved = False
            for state in self._moves(mode):
                outcome = self._attempt(state)
                if outcome is None:
                    return False
                if outcome is Outcome.PASS and state != self.passing:
                    self.passing, moved = state, True
                elif outcome is Outcome.FAIL and mode == "+-" and state != self.failing:
                    self.failing, moved = state, True
                if moved:
                    break
        return True

    def _moves(self, mode: Mode) -> Iterator[State]:
        """Yield what becomes of both calls when one part is moved to the other side."""
        between = self.between()
        within = self._within(between)
        for name, part in between:
            parent = self._trees[name].parent(part)
            if parent is None or parent in self.passing[name]:
                yield self._with([(name, part)])
            if mode == "+-":
                gone = {one for _, one in within[name, part]}
                kept = tuple(one for one in self.failing[name] if one not in gone)
                yield {**self.failing, name: kept}

    # --- places ---------------------------------------------------------------------------------

    def _with(self, places: Iterable[Place]) -> State:
        """Return the passing call with these places."""
        more: dict[str, set[int]] = {}
        for name, part in places:
            more.setdefault(name, set()).add(part)
        return {
            name: tuple(sorted(more[name].union(kept))) if name in more else kept
            for name, kept in self.passing.items()
        }

    def _around(self, places: Iterable[Place]) -> Iterator[Place]:
        """Yield the places and all parts they lie in."""
        for name, part in places:
            inside: int | None = part
            while inside is not None:
                yield name, inside
                inside = self._trees[name].parent(inside)

    def _within(self, places: Iterable[Place]) -> dict[Place, list[Place]]:
        """Return for each place itself and those of the places that lie in it."""
        within: dict[Place, list[Place]] = {}
        for place in places:
            for around in self._around([place]):
                within.setdefault(around, []).append(place)
        return within

    def _level(self, place: Place) -> int:
        return sum(1 for _ in self._around([place]))
