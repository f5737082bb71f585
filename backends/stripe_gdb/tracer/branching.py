"""Branches: replays of configurations that begin alike are forked from one run, the trunk.

The trunk replays a configuration.  Before the first event that a branch leaves out, it forks; the
child goes on without that event, and without the others that the branch leaves out, as a run of
its own: with outputs that begin with what the trunk has printed, and its own limits.  The trunk
waits, and goes on when that run has ended.  It ends when it has come to the last branch, or when
it or a branch has done what lasts: branches that it has not come to get no answer.  Neither do
those that begin where a fork would not be like a run from the beginning (``shared.py``).
"""

from __future__ import annotations

import os
import time
from array import array
from collections.abc import Mapping, Sequence
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Any

from ..inside.stack import NONE, unwind
from .course import Course, Plan
from .lanes import FollowingLane
from .shared import Descriptors, Folders, Unsafe, require_forkable
from .splicing import Spliced
from .template import fork

if TYPE_CHECKING:
    from .engine import Engine
    from .process import Process
    from .tracee import Stop


class Trunk:
    """What is done at certain events of a replay.

    ``job`` has ``branches``, the events that each leaves out, and their ``timeout``.

    Raises :class:`Unsafe`.
    """

    def __init__(self, engine: Engine, job: Mapping[str, Any]) -> None:
        self.answers: list[tuple[int, dict[str, Any]]] = []
        self._over = False
        self.refused = ""  # why there is no fork, at the latest place where there was none
        self._engine = engine
        self._job = job
        self._due: dict[int, list[tuple[int, Sequence[int]]]] = {}
        for number, gone in enumerate(job["branches"]):
            if gone:  # else it is the trunk
                self._due.setdefault(gone[0], []).append((number, gone))
        warden = engine.leftovers.warden
        if warden is None or not warden.descriptors:
            raise Unsafe("nobody would tell what it does to the world")
        self._warden = warden
        folders = (engine.job["directory"], engine.job["environment"]["TMPDIR"])
        self._folders = Folders(folders, [os.path.dirname(each) for each in folders])

    def stopping(self, course: Course, plan: Plan) -> list[int]:
        """The records at which branches begin."""
        stops = sorted(map(course.at_event.__getitem__, self._due))
        found = [plan.at(stop) for stop in stops]
        return [each for each, stop in zip(found, stops, strict=True) if plan.stop(each) == stop]

    def arrive(self, process: Process, strategy: Any, stop: Stop) -> bool:
        """The trunk has come to a stop: run the branches that begin here; whether it is over."""
        due = self._due.pop(coming(strategy, stop), ())
        if due:
            try:
                self._run(process, strategy, stop, due)
            except Unsafe as error:
                self.refused = str(error)
            except OSError as error:
                self.refused = str(error)
                return True  # what is not as it should be is found out without branches
            if self._over:
                return True
        return not self._due

    def _lasting(self) -> bool:
        return self._warden.dirty() or self._folders.changed()

    def _run(
        self,
        process: Process,
        strategy: Any,
        stop: Stop,
        due: Sequence[tuple[int, Sequence[int]]],
    ) -> None:
        engine, lane, template = self._engine, self._engine.lane, self._engine.template
        if template is None or not isinstance(lane, FollowingLane):
            raise Unsafe("there is no course")
        whole = lane.plan
        assert isinstance(whole, Plan)
        self._over = self._lasting()
        if self._over:
            raise Unsafe("it has done what lasts")
        registers = bytes(process.registers)
        files = None
        try:
            require_forkable(process)
            files = Descriptors(process, template.files[1:])
            for number, gone in due:
                other = without(strategy, gone)
                try:
                    plan = Spliced(whole, other.kept, gone)
                except ValueError:
                    continue
                child = fork(process, registers)
                began = time.monotonic()
                its = partial(lane.branch, child, other, plan)
                status, detail = engine.attend(child, other, self._job["timeout"], its, stop)
                facts = engine.facts(other, status, detail, began)
                engine.tell(facts, other, self._job)
                stdout, stderr = files.printed()
                files.restore()
                engine.go_back(process, lane, self._job["timeout"])
                self._over = engine.cancelled or engine.forked or self._lasting()
                if self._over:
                    return
                facts["stdout"] = stdout.decode("latin-1")
                facts["stderr"] = stderr.decode("latin-1")
                self.answers.append((number, facts))
        finally:
            process.put_registers(registers)
            if files is not None:
                files.close()


def coming(strategy: Any, stop: Stop) -> int:
    """The event that a replayer goes on with at a stop; NONE if it cannot be said."""
    if stop.entry:
        return NONE
    stack = strategy.stack
    unwind(stack, strategy.program.get("rsp"))
    top = stack[-1] if stack and stack[-1].entry == stop.function else None
    if top is None or top.plan is None or top.left or top.next >= len(top.plan):
        return NONE
    event: int = strategy.recorded.own[top.number][top.plan[top.next]]
    return event


def without(strategy: Any, gone: Sequence[int]) -> Any:
    """A replayer that goes on from here without some of the events that are still to come."""
    found = copy(strategy)
    found.kept, found.values = bytearray(strategy.kept), dict(strategy.values)
    found.executed = array("i", strategy.executed)
    for event in gone:
        found.kept[event] = 0
    recorded, kept = found.recorded, found.kept
    changed = {recorded.activation[event] for event in gone}
    found.stack = [each.copy() for each in strategy.stack]
    for each in found.stack:
        if each.plan is not None and each.number in changed:
            own = recorded.own[each.number]
            each.plan = [place for place in each.plan if kept[own[place]]]
    return found
