"""The course of a part of the events of a plan: pieces of that, and what leads past the gaps.

To make a plan anew takes as long as it has pieces; where few events are missing, there are as few
gaps.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from ..inside.stack import NONE
from .course import Plan


class Spliced:
    """A plan without the events that are ``gone``, ascending; ``kept`` are those that are left.

    Raises ValueError if one of these would come to be no more.
    """

    def __init__(self, plan: Plan, kept: bytearray, gone: Sequence[int]) -> None:
        course, recorded = plan.course, plan.course.recorded
        if not plan.complete:
            raise ValueError("not all events of the plan come to be")
        for event in gone:
            for called in recorded.children.get((recorded.activation[event], event), ()):
                own = recorded.own[called]
                if own and kept.find(1, own[0], own[-1] + 1) >= 0:
                    raise ValueError("an event is kept without what calls its activation")
        # For each part: its plan, which of that's records is its first, and which it is here.
        self._plans: list[Plan] = []
        self._offsets, self._starts = array("i"), array("i")
        self._lasts = array("i")  # of each part but the last one: up to which stop it goes
        self._size = 0
        since = 0  # the first record of the plan that no part has
        place = 0
        while place < len(gone):
            before, after = kept.rfind(1, 0, gone[place]), kept.find(1, gone[place])
            number = recorded.activation[before] if before != NONE else NONE
            until = 0
            if before != NONE:
                stop = course.at_event[before]
                until = plan.at(stop) + 1
                if since < until:
                    self._add(plan, since, until)
                    self._lasts.append(stop)
            bridge = Plan(course, plan.strict, plan.spared)
            bridge.lead((number, before, 0), after)
            self._add(bridge, 0, len(bridge))
            if after == NONE:
                return
            self._lasts.append(course.at_event[after])
            since = plan.at(course.at_event[after]) + 1
            place = bisect_right(gone, after)
        self._add(plan, since, len(plan))

    def _add(self, plan: Plan, low: int, high: int) -> None:
        self._plans.append(plan)
        self._offsets.append(low)
        self._starts.append(self._size)
        self._size += high - low

    def __len__(self) -> int:
        return self._size

    def at(self, stop: int) -> int:
        """See :meth:`Plan.at`."""
        part = bisect_left(self._lasts, stop)
        return self._starts[part] + self._plans[part].at(stop) - self._offsets[part]

    def stop(self, record: int) -> int:
        """See :meth:`Plan.stop`."""
        part = bisect_right(self._starts, record) - 1
        return self._plans[part].stop(record - self._starts[part] + self._offsets[part])

    def parts(self, low: int, high: int) -> Iterator[memoryview]:
        """See :meth:`Plan.parts`."""
        part = bisect_right(self._starts, low) - 1
        while low < high:
            end = self._starts[part + 1] if part + 1 < len(self._starts) else self._size
            shift = self._offsets[part] - self._starts[part]
            if low < end:
                yield from self._plans[part].parts(low + shift, min(high, end) + shift)
                low = end
            part += 1
