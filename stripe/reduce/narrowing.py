"""From a slice that fails to one of which no single event can go, coarse steps first.

The second and the third part of the guided search (:mod:`stripe.reduce.guided`).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain, compress, filterfalse, islice

from stripe.reduce.abreast import abreast
from stripe.reduce.groups import Bodies, Groups, Promise, by_statement, joined, steps
from stripe.reduce.passes import (
    ABREAST,
    BODIES,
    EVENTS,
    PROMISE,
    SEAMS,
    SHORTCUTS,
    STATEMENTS,
    STREAKS,
    is_pass,
)
from stripe.reduce.removal import LITTLE, LONG, Events, Removal
from stripe.reduce.seams import seams
from stripe.reduce.shortcuts import IN_VAIN, MOST, chains, shortcuts
from stripe.reduce.streaks import Streaks
from stripe.trace import NONE
from stripe.trace.model import OPPOSITE, flags

FEW = 3
"""Fewer events are left out one by one rather than together."""


class GuidedSearch(Removal):
    """Which events are left out when."""

    @cached_property
    def streaks(self) -> Streaks:
        """Which rounds and calls are left out together, as soon as single events stay."""
        return Streaks(self)

    def run(self) -> None:
        """Until no single event can be left out, and nothing coarse either.

        What is coarse is tried again once the single events have been: a round may not have gone
        while there was more in it.  That is before the last tests of single events, those that
        certify the answer, as these are made anew whenever something has gone.  It is tried once
        more if anything has gone since, and what takes many tests if much has.
        """
        self.bodies()
        self.seams()
        self.each_event()
        tried: Events = ()
        size = 2 * len(self.search.current)
        while True:
            if tried != self.search.current:
                tried = self.search.current
                much = len(tried) < size - size // LITTLE
                if much:
                    size = len(tried)
                    self.statements()
                    self.bodies()
                    self.seams()
                self.abreast()
                if much:
                    self.shortcuts()
            if len(self.needed) == len(self.search.current):
                return
            self.events()

    @is_pass(STATEMENTS)
    def statements(self) -> None:
        """Leave out statements with all their executions, the one executed last first."""
        groups = self.executions()
        for place, group in enumerate(groups, 1):
            following = joined(partial(islice, groups, place, None), self.again)
            self.leave("statement", group, stays=following, goes=following)

    def executions(self) -> Sequence[Sequence[int]]:
        """The executions of each statement that has several, the one executed last first."""
        groups = [each for each in by_statement(self.trace, self.search.current) if len(each) > 1]
        return groups[::-1]

    @is_pass(ABREAST)
    def abreast(self) -> None:
        """Leave out of statements that are executed equally often the i-th executions together."""
        within = self.guided.around
        for units in abreast(self.trace, self.search.current, within):
            if not units.there(self.kept):
                continue  # it is tried again, since something has gone
            for chosen in units.chosen():
                if self.leave("abreast", chosen[0], goes=partial(steps, chosen, 1, 1)):
                    self.sweep_on(chosen[1:])
                    break
        del within
        self.guided.forget()

    @is_pass(SHORTCUTS)
    def shortcuts(self) -> None:
        """Leave out what only leads from one execution of a statement to a later one."""
        current = self.search.current
        if len(current) >= LONG:
            return
        tests = min(MOST, len(current) // IN_VAIN)
        dependences = self.guided.dependences(current)
        for each in chains(self.trace, current, dependences, self.guided.roots):
            groups = [*islice(shortcuts(each), tests)]
            for place, group in enumerate(groups, 1):
                following = partial(islice, groups, place, None)
                if self.leave("shortcut", group, stays=following):
                    return
            tests -= len(groups)

    @is_pass(BODIES)
    def bodies(self) -> None:
        """Leave out what happened in a round of a loop or in a call, the outermost first.

        The round and the call stay: the next ones go on from there.
        """
        within, statement = self.guided.within, self.trace.statement
        holding = set(self.guided.roots)
        for event in self.guided.roots:
            while (event := within[event]) != NONE and event not in holding:
                holding.add(event)
        current = self.search.current
        outer = set(map(within.__getitem__, current))
        # What is never left out is not looked at.
        never = flags((NONE, *holding), len(self.trace) + 1)  # the last one is that of NONE
        chosen = never.translate(OPPOSITE)
        some = map(chosen.__getitem__, map(within.__getitem__, current))
        inside = Bodies(array("i", compress(current, some)), within)
        depth: dict[int, int] = {NONE: 0}
        for event in sorted(outer):
            if event != NONE and self.kept[event]:
                depth[event] = depth.get(within[event], 0) + 1
        levels: dict[tuple[int, int], array[int]] = {}
        for body in range(len(inside) - 1, -1, -1):
            event = inside.around[body]
            level = depth.get(event, 0), statement[event]
            levels.setdefault(level, array("i")).append(body)
        del within
        self.guided.forget()
        order = [inside.chosen(which) for _, which in sorted(levels.items())]

        def count(body: Iterable[int]) -> int:
            return sum(1 + inside.size(event) for event in body if self.kept[event])

        def following(start: int, place: int) -> Iterator[Sequence[int]]:
            units = chain(islice(order[start], place, None), *order[start + 1 :])
            yield from (body for body in units if count(body) >= FEW)
            yield from self.again()

        promise = Promise(trusts=PROMISE not in self.guided.passes.without)
        for number, units in enumerate(order):
            later = partial(following, number, len(units))
            for place, (body, unit) in enumerate(zip(units.numbers, units, strict=True), 1):
                around = inside.around[body]
                kind = statement[around], self.roles and self.roles.ways[around]
                size = count(unit)
                if size < FEW or not promise.pays(kind, size):
                    continue
                went = self.leave(
                    "body",
                    unit,
                    stays=partial(following, number, place),
                    goes=joined(partial(steps, units, place, 1), later),
                )
                promise.hear(kind, went=went)
                if went:
                    self.sweep(units[place:], partial(following, number, place))

    @is_pass(SEAMS)
    def seams(self) -> None:
        """Leave out what lies between two rounds of a loop around others, so that they are one.

        Each time one has gone, others may go that had to stay before: the rounds after it come
        earlier now.
        """
        within = self.guided.around
        loops = seams(self.trace, self.search.current, within)
        del within
        self.guided.forget()

        def several(unit: Iterable[int]) -> bool:
            return sum(map(self.kept.__getitem__, unit)) > 1

        def following(number: int, place: int) -> Iterator[Sequence[int]]:
            units = chain(
                islice(loops[number].seams, place, None),
                *(each.seams for each in loops[number + 1 :]),
            )
            yield from filter(several, units)
            yield from self.again()

        promise = Promise(trusts=PROMISE not in self.guided.passes.without)
        for number, (kind, units) in enumerate(loops):
            before: Events = ()
            while before is not self.search.current:
                before = self.search.current
                for place, unit in enumerate(units, 1):
                    if not several(unit) or not promise.pays(kind, len(unit)):
                        continue
                    next_ones = partial(following, number, place)
                    goes = joined(partial(steps, units, place, 1), next_ones)
                    went = self.leave("seam", unit, stays=next_ones, goes=goes)
                    promise.hear(kind, went=went)
                    if went:
                        self.sweep(units[place:], next_ones)

    def events(self) -> None:
        """Until no single event can be left out."""
        while len(self.needed) < len(self.search.current):
            self.each_event()

    @is_pass(EVENTS)
    def each_event(self) -> None:
        """Leave out each single event that is left, if it can be, and its like."""
        order = array("i", filterfalse(self.needed.__contains__, self.order()))
        place = 0
        while place < len(order):
            event = order[place]
            place += 1
            if event in self.needed or not self.kept[event]:
                continue
            later = joined(partial(self.singles, order, place), self.again)
            if not self.alone(event, later):
                self.one_stays(later)
            else:
                self.follow(event, later)
                if len(order) - place > 2 * len(self.search.current):
                    order = array("i", filter(self.kept.__getitem__, order[place:]))
                    place = 0

    def one_stays(self, later: Groups) -> None:
        """A single event stays: once several have in a row, several may go at once.

        ``later``: what is left out after that.
        """
        if self.streaks.due():
            if self.streaks.ended:
                self.abreast()
            with self.guided.passes.entered(STREAKS):
                self.streaks.go_on(later)

    def again(self) -> Iterator[Sequence[int]]:
        """What is left out once each single event was tried, if that is of use and soon found."""
        if self.search.tester.speculates and len(self.search.current) < LONG:
            yield from zip(filterfalse(self.needed.__contains__, self.order()))
            yield from self.executions()

    def singles(self, order: array[int], place: int) -> Iterator[tuple[int]]:
        """Each event from a place on that is kept, as a group."""
        return zip(filter(self.kept.__getitem__, memoryview(order)[place:]))
