"""A run to be made, as a worker is told of it: the code that is changed, and what is watched."""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from typing import Any

from .deltas import Parsed
from .passengers import Carried, Task
from .readings import Around, Reading
from .views import Acts, Value, View


def written(task: Task, files: Mapping[str, Parsed]) -> bytes:
    """The message; a whole function has to be in it, as the worker knows only what there was."""
    path, old, new = task.change
    which = next(n for n, each in enumerate(files[path].all_code) if each is old)
    watched = _Told().watcher(task.watcher) if isinstance(task.watcher, Carried) else None
    return marshal.dumps((path, which, new, watched))


def read(order: bytes, files: Mapping[str, Parsed]) -> Task:
    """The run."""
    path, which, new, watched = marshal.loads(order)
    watcher = None if watched is None else _watcher(*watched)
    return Task((path, files[path].all_code[which], new), watcher)


class _Told:
    """Views as plain data, with the number of what they read: what several read is one."""

    def __init__(self) -> None:
        self._readings: dict[Reading, int] = {}

    def watcher(self, carried: Carried) -> tuple[Any, ...]:
        view = self._view(carried.view)
        others = [(number, self._view(each)) for number, each in carried.passengers.items()]
        readings = [(each.code, each.names) for each in self._readings]
        return readings, view, others, tuple(carried.around)

    def _view(self, view: View) -> tuple[Any, ...] | None:
        if isinstance(view, Value):
            return self._number(view.reading), view.tested
        return (self._steps(view.steps), view.targets) if isinstance(view, Acts) else None

    def _number(self, reading: Reading) -> int:
        return self._readings.setdefault(reading, len(self._readings))

    def _steps(self, steps: list[Any]) -> list[Any]:
        return [tuple(self._part(each) for each in step) for step in steps]

    def _part(self, part: Any) -> Any:
        if isinstance(part, Reading):
            return self._number(part)
        return self._steps(part) if isinstance(part, list) else part


def _watcher(
    readings: list[Any], view: Any, others: list[Any], around: tuple[frozenset[str], ...]
) -> Carried:
    known = [Reading(*each) for each in readings]
    return Carried(
        _view(view, known), {number: _view(each, known) for number, each in others}, Around(*around)
    )


def _view(told: tuple[Any, ...] | None, known: list[Reading]) -> View:
    if told is None:
        return View()
    what, more = told
    return Value(known[what], more) if isinstance(what, int) else Acts(_steps(what, known), more)


def _steps(steps: list[Any], known: list[Reading]) -> list[Any]:
    return [tuple(_part(each, known) for each in step) for step in steps]


def _part(part: Any, known: list[Reading]) -> Any:
    if isinstance(part, int):
        return known[part]
    return _steps(part, known) if isinstance(part, list) else part
