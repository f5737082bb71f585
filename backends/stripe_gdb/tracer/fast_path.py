"""Lanes: runs in which the tracer is asked only where it is needed.

A lane stands between an engine and its strategy.  ``arrive`` tells the strategy what happened since
the last stop, ``depart`` says what is expected next.
"""

from __future__ import annotations

import os
import struct
from array import array
from bisect import bisect_right
from typing import Any

from ..inside.stack import NONE, Activation
from . import hooks
from .expected_path import BEGINS, TAKES_PLACE, Course, Plan
from .process import Process

FIRST, MORE = 4096, 4
"""So many records are written first, and so many times as many after that: of what is left out in
vain, many runs come to their end soon.
"""


class Lane:
    """A run without one: each gate stops."""

    routine = hooks.TRAP

    def __init__(self, process: Process, strategy: Any) -> None:
        self.process = process
        self.strategy = strategy
        process.pass_by(self.routine)

    def arrive(self) -> bool:
        """The program has stopped, or ends; whether the run has to be ended."""
        return False

    def depart(self, entry: bool, function: int) -> None:
        """The strategy has seen to a stop."""


class NotingLane(Lane):
    """A recorded run: what happens at gates is noted, and read when there is no more room."""

    routine = hooks.RECORD_STOPS

    def __init__(self, process: Process, strategy: Any, stops: Any) -> None:
        super().__init__(process, strategy)
        self._stops = stops
        self._set()

    def _set(self) -> None:
        start, end = hooks.RECORDS_AT, hooks.RECORDS_AT + hooks.ROOM
        area = self.process.code.area.start
        self.process.put(area + hooks.NEXT, struct.pack("<QQ", start, end))

    def arrive(self) -> bool:
        """See :class:`Lane`."""
        process = self.process
        area = process.code.area.start
        (end,) = struct.unpack("<Q", os.pread(process.memory, 8, area + hooks.NEXT))
        size = end - hooks.RECORDS_AT
        if not size:
            return False
        notes = array("Q", os.pread(process.memory, size, hooks.RECORDS_AT))
        self._set()
        over: bool = self.strategy.take_all(notes[1::2], notes[0::2], self._stops)
        return over


class FollowingLane(Lane):
    """A replay along a course."""

    routine = hooks.FOLLOW

    def __init__(
        self, process: Process, strategy: Any, course: Course, plan: Plan, job: Any
    ) -> None:
        super().__init__(process, strategy)
        self.course = course
        self._log = bool(job.get("executed") or job["raising"])
        self._area = process.code.area.start
        self.plan = plan
        self._at = NONE  # the record that was expected at the latest stop; NONE: no one
        self._low = self._high = 0  # the records that are in memory
        self._most = FIRST
        self._placed: list[Activation] = []  # what the places of activations are about
        poison = strategy.poison
        process.put(hooks.FILLS_AT, course.fills.tobytes())
        period = poison.period
        process.put(hooks.POISON_AT, period * (1 + hooks.MOST_FILLED // len(period)))
        process.put(self._area + hooks.RESULT, struct.pack("<Q", poison.result))
        self._expect(NONE)

    # -- what happened

    def arrive(self) -> bool:
        """See :class:`Lane`."""
        if self._at == NONE:
            return False
        memory = self.process.memory
        (there,) = struct.unpack("<Q", os.pread(memory, 8, self._area + hooks.NEXT))
        record = (there - hooks.RECORDS_AT) // hooks.RECORD + self._low
        if record > self._at:
            self._catch_up(record)
        return False

    def _catch_up(self, record: int) -> None:
        """Have the strategy in the state that it would have after the records before this one."""
        course, strategy, plan = self.course, self.strategy, self.plan
        strategy.stops += record - self._at
        if self._log:
            for each in range(self._at, record):
                stop = plan.stop(each)
                if course.kind[stop] == TAKES_PLACE:
                    strategy.executed.append(course.number[stop])
        self._at = record
        stop = plan.stop(record - 1)
        kind, number = course.kind[stop], course.number[stop]
        event = NONE
        if kind == TAKES_PLACE:
            number, event = course.recorded.activation[number], number
        line: list[tuple[int, int, int]] = []
        made = 0
        stack = strategy.stack
        while True:
            depth = course.depth[number]
            line.append((number, event, made))
            if depth < len(stack) and stack[depth].number == number:
                break
            siblings = course.recorded.children[course.callers[number], course.events[number]]
            made = bisect_right(siblings, number)
            number, event = course.callers[number], course.events[number]
        del stack[depth + 1 :]
        size = hooks.SLOT * len(line)
        places = os.pread(self.process.memory, size, hooks.SLOTS_AT + hooks.SLOT * depth)
        del self._placed[depth:]
        for index, (number, event, made) in enumerate(reversed(line)):
            cfa, _, stack_pointer, base = struct.unpack_from("<4Q", places, hooks.SLOT * index)
            if index:
                stack.append(Activation(number, course.recorded.entries[number], cfa))
            top = stack[-1]
            own = course.recorded.own[number]
            if index or top.plan is None:
                kept = strategy.kept
                top.plan = [place for place, each in enumerate(own) if kept[each]]
            top.stack_pointer, top.base_pointer = stack_pointer, base
            top.position, top.child, top.expected = event, made, NONE
            if event != NONE:
                place = bisect_right(own, event) - 1
                top.next = bisect_right(top.plan, place)
                top.expected = strategy.expected(own, place)
            elif index == len(line) - 1 and kind == BEGINS:
                top.next = 0
            else:
                top.next = len(top.plan)
            self._placed.append(top)

    # -- what is expected

    def depart(self, entry: bool, function: int) -> None:
        """See :class:`Lane`."""
        self._expect(self._following(entry, function))

    def _following(self, entry: bool, function: int) -> int:
        """The record that is expected; NONE if it cannot be said."""
        stack = self.strategy.stack
        top = stack[-1] if stack else None
        if top is None or top.plan is None or top.left or top.number == NONE:
            return NONE
        course, number = self.course, top.number
        if course.depth[number] != len(stack) - 1 or (not entry and top.entry != function):
            return NONE
        if entry:
            stop = course.at_entry[number]
        elif top.position == NONE:
            stop = course.at_end[number]
        elif top.child:
            siblings = course.recorded.children[number, top.position]
            stop = course.at_end[siblings[top.child - 1]]
        else:
            stop = course.at_event[top.position]
        return self.plan.at(stop + 1)

    def _expect(self, record: int) -> None:
        """Have a record be the next."""
        process = self.process
        there = hooks.NEVER_AT
        if record != NONE and record < len(self.plan):
            if not self._low <= record < self._high:
                self._write(record)
            there = hooks.RECORDS_AT + hooks.RECORD * (record - self._low)
            self._place()
        else:
            record = NONE
        self._at = record
        process.put(self._area + hooks.NEXT, struct.pack("<Q", there))

    def _write(self, record: int) -> None:
        """Have records in memory, from this one on, and none behind them."""
        high = min(len(self.plan), record + self._most)
        self.process.put(hooks.RECORDS_AT, self.plan.bytes(record, high))
        self.process.put(hooks.RECORDS_AT + hooks.RECORD * (high - record), hooks.NEVER)
        self._low, self._high = record, high
        self._most = min(MORE * self._most, hooks.ROOM // hooks.RECORD - 1)

    def _place(self) -> None:
        """Tell what is known of the activations, as far as it is not told."""
        stack, placed = self.strategy.stack, self._placed
        del placed[len(stack) :]
        depth = len(stack)
        while depth and not (depth <= len(placed) and placed[depth - 1] is stack[depth - 1]):
            depth -= 1
        depth = max(0, min(depth, len(stack) - 1))  # the last one has moved
        del placed[depth:]
        made = b"".join(
            struct.pack("<4Q", each.cfa, each.cfa - 8, each.stack_pointer, each.base_pointer)
            for each in stack[depth:]
        )
        if depth + len(made) // hooks.SLOT < hooks.MOST_SLOTS:
            self.process.put(hooks.SLOTS_AT + hooks.SLOT * depth, made)
        placed.extend(stack[depth:])
