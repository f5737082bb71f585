"""From a slice that fails to one of which no single event can go, coarse steps first.

The second part of the guided search (:mod:`stripe.reduce.guided`).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, compress, filterfalse, islice

from stripe.dd import BudgetExhausted, Reason
from stripe.reduce.groups import Bodies, joined, steps, within
from stripe.reduce.passes import BODIES, EVENTS, is_pass
from stripe.reduce.removal import LONG, Removal
from stripe.reduce.settings import CERTIFICATE_SECONDS
from stripe.trace import NONE
from stripe.trace.model import OPPOSITE, flags

HARDLY = 0.95
"""The share of a run from which on hardly anything of it has been left out."""

FEW = 3
"""Fewer events are left out one by one rather than together."""


class GuidedSearch(Removal):
    """Which events are left out when."""

    def run(self) -> None:
        """Until no single event can be left out."""
        self.bodies()
        while len(self.search.tried) < len(self.search.current):
            self.events()

    @is_pass(BODIES)
    def bodies(self) -> None:
        """Leave out what happened in a round of a loop or in a call, the outermost first.

        The round and the call stay: the next ones go on from there.
        """
        around, statement = within(self.trace), self.trace.statement
        holding = set(self.guided.roots)
        for event in self.guided.roots:
            while (event := around[event]) != NONE and event not in holding:
                holding.add(event)
        current = self.search.current
        outer = set(map(around.__getitem__, current))
        # What is never left out is not looked at.
        never = flags((NONE, *holding), len(self.trace) + 1)  # the last one is that of NONE
        chosen = never.translate(OPPOSITE)
        some = map(chosen.__getitem__, map(around.__getitem__, current))
        inside = Bodies(array("i", compress(current, some)), around)
        depth: dict[int, int] = {NONE: 0}
        for event in sorted(outer):
            if event != NONE and self.kept[event]:
                depth[event] = depth.get(around[event], 0) + 1
        levels: dict[tuple[int, int], array[int]] = {}
        for body in range(len(inside) - 1, -1, -1):
            event = inside.around[body]
            level = depth.get(event, 0), statement[event]
            levels.setdefault(level, array("i")).append(body)
        del around  # a number for each event of the run
        order = [inside.chosen(which) for _, which in sorted(levels.items())]

        def count(body: Iterable[int]) -> int:
            return sum(1 + inside.size(event) for event in body if self.kept[event])

        def following(start: int, place: int) -> Iterator[Sequence[int]]:
            units = chain(islice(order[start], place, None), *order[start + 1 :])
            yield from (body for body in units if count(body) >= FEW)
            yield from self.again()

        for number, units in enumerate(order):
            later = partial(following, number, len(units))
            for place, unit in enumerate(units, 1):
                if count(unit) < FEW:
                    continue
                went = self.leave(
                    "body",
                    unit,
                    stays=partial(following, number, place),
                    goes=joined(partial(steps, units, place, 1), later),
                )
                if went:
                    self.sweep(units[place:], partial(following, number, place))

    @is_pass(EVENTS)
    def events(self) -> None:
        """Leave out each single event that is left, if it can be, and its like."""
        order = array("i", filterfalse(self.search.tried.__contains__, self.order()))
        place = 0
        while place < len(order):
            event = order[place]
            place += 1
            if event in self.search.tried or not self.kept[event]:
                continue
            later = joined(partial(self.singles, order, place), self.again)
            if self.alone(event, later):
                self.follow(event, later)
                if len(order) - place > 2 * len(self.search.current):
                    order = array("i", filter(self.kept.__getitem__, order[place:]))
                    place = 0
            elif self.is_idle():
                raise BudgetExhausted(Reason.IDLE)

    def is_idle(self) -> bool:
        """Whether hardly anything goes: many single events stayed, and more than as many are left.

        With fewer, or where most are known to stay without a test, the certificate is near; so it
        is where tests are quick.
        """
        most, size = self.guided.max_idle, len(self.search.current)
        left, tested = size - len(self.search.tried), self.search.tester.statistics
        return (
            0 < most <= len(self.search.tried)
            and size > max(2 * most, HARDLY * len(self.trace))
            and tested.tests >= most
            and left * tested.elapsed > CERTIFICATE_SECONDS * tested.tests
        )

    def again(self) -> Iterator[Sequence[int]]:
        """What is left out once each single event was tried, if that is of use and soon found."""
        if self.search.tester.speculates and len(self.search.current) < LONG:
            yield from zip(filterfalse(self.search.tried.__contains__, self.order()))

    def singles(self, order: array[int], place: int) -> Iterator[tuple[int]]:
        """Each event from a place on that is kept, as a group."""
        return zip(filter(self.kept.__getitem__, memoryview(order)[place:]))
