"""Changes that need no run of their own: what they come to is decided by the run of another one.

A run of one change carries the others of its site as passengers.  Each time the site is executed,
what they would make of it is found out by reading variables (``views.py``), and compared with what
the change that is run makes of it.  A passenger that never differs comes to what that run comes
to: it would have done the same.  (Propagating and partitioning state infection: Just, Ernst,
Fraser, *Efficient mutation analysis by propagating and partitioning state infection*, ISSTA 2014.)

Before, one run of the program as it is, which carries all, tells apart those that never differ from
it, and by the first execution in which they do, and how.  Only what is alike there goes together.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from .deltas import WATCH, Delta, Parsed, Replaced
from .operations import Key, Unknown
from .readings import Around, names_held
from .views import Site, View, Views

MOST_READ = 12_000
"""Times that something is found out in a run; and then no more."""

MOST_AT_FIRST = 40_000
"""The same for the run of the program as it is."""

READING_SECONDS = 0.06
"""Seconds of a processor that it takes to read so often, which a run gets in addition..."""

FIRST_SECONDS = 0.4
"""...and the first one."""

LEAST = 4
"""Changes of a function for which a run of it as it is pays."""

SAME, UNTOLD = 0, -1
"""Classes: as the program is; not known."""

_frame: Callable[[int], Any] = sys._getframe


class Watcher:
    """What is called each time before a site is executed; see :data:`~.deltas.WATCH`."""

    seconds = READING_SECONDS

    def install(self) -> None:
        """In the process of the run."""
        setattr(builtins, WATCH, self)

    def told(self) -> dict[str, Any]:
        """What came of it, for messages."""
        raise NotImplementedError


class Carried(Watcher):
    """Passengers of one change: which of them came to the same each time."""

    def __init__(self, view: View, passengers: Mapping[int, View], around: Around) -> None:
        """``around``: the variables that there are."""
        self.view, self.passengers, self.around = view, passengers, around
        self._left = dict(passengers)
        self._held: Callable[[Any], Any] = dict
        self._count = 0

    def install(self) -> None:
        """See :class:`Watcher`."""
        views = self.view, *self.passengers.values()
        names = frozenset[str]().union(*(each.names for each in views))
        self._held = names_held(names, self.around)
        super().install()

    def __call__(self, _site: int) -> bool:
        if not self._left:
            return False
        try:
            self._look(self._held(_frame(1)))
        except (Unknown, RecursionError, MemoryError):
            self._left.clear()
        return False

    def _look(self, held: Any) -> None:
        self._count += 1 + len(self._left)
        if self._count > MOST_READ:
            raise Unknown
        found = self.view.key(held)
        for number, view in list(self._left.items()):
            try:
                if view.key(held) == found:
                    continue
            except Unknown:
                pass
            del self._left[number]

    def told(self) -> dict[str, Any]:
        return {"same": list(self._left)}


class First(Watcher):
    """All changes of a function, beside the program as it is: when each first differs, and how."""

    seconds = FIRST_SECONDS

    def __init__(
        self,
        sites: Sequence[tuple[View, Mapping[int, View]]],
        held: Sequence[Callable[[Any], Any]],
    ) -> None:
        self._sites = [(view, dict(views)) for view, views in sites]
        self._held = held
        self._count = 0
        self._executions = [0] * len(sites)
        self._known: dict[Key, int] = {}
        self._classes: dict[int, int] = {}

    def __call__(self, site: int) -> bool:
        view, left = self._sites[site]
        if not left:
            return False
        self._executions[site] += 1
        self._count += len(left)
        try:
            if self._count > MOST_AT_FIRST:
                raise Unknown
            self._look(site, view, left, self._held[site](_frame(1)))
        except (Unknown, RecursionError, MemoryError):
            self._classes |= dict.fromkeys(left, UNTOLD)
            left.clear()
        return False

    def _look(self, site: int, view: View, left: dict[int, View], held: Any) -> None:
        as_it_is: Key | None
        try:
            as_it_is = view.key(held)
        except Unknown:
            as_it_is = None  # they are alike or not by what they come to now
        for number, each in list(left.items()):
            try:
                found = each.key(held)
                if found == as_it_is:
                    continue
                known = site, self._executions[site], found
                self._classes[number] = self._known.setdefault(known, len(self._known) + 1)
            except Unknown:
                self._classes[number] = UNTOLD
            del left[number]

    def told(self) -> dict[str, Any]:
        return {"classes": self._classes}


class Task:
    """One run to be made: code to put in the place of other code, and what watches it."""

    first = False

    def __init__(self, change: Replaced, watcher: Watcher | None = None) -> None:
        self.change = change
        self.watcher = watcher

    @property
    def more(self) -> float:
        """Seconds of a processor that it may take in addition."""
        return 0.0 if self.watcher is None else self.watcher.seconds

    def learn(self, facts: dict[str, Any]) -> None:
        """Hear what came of it."""


class _Seen(NamedTuple):
    site: Site
    view: View
    group: tuple[int, int]


class Sharing:
    """What is known of changes on one test: which go together, and what has been decided."""

    def __init__(self, files: Mapping[str, Parsed]) -> None:
        self._files = files
        self._views: dict[str, Views] = {}
        self._known: dict[Delta, _Seen | None] = {}
        self._members: dict[tuple[int, int], list[Delta]] = {}
        self._decided: dict[Delta, dict[str, Any]] = {}
        self._number = 0

    def decided(self, delta: Delta) -> dict[str, Any] | None:
        """What a change came to that was carried by another one's run."""
        return self._decided.get(delta)

    def firsts(self, deltas: Sequence[Delta], coming: Sequence[Delta]) -> list[Task]:
        """Runs of functions as they are, for changes of which nothing is known yet."""
        if all(each in self._known for each in deltas):
            return []
        groups: dict[Any, dict[Delta, tuple[Site, View]]] = {}
        for delta in dict.fromkeys((*deltas, *coming)):
            if delta in self._known:
                continue
            self._known[delta] = None
            path, number, how, text = delta
            file = self._files[path]
            unit = file.unit(file.nodes[number])
            if unit is None:
                continue
            if path not in self._views:
                self._views[path] = Views(file)
            found = self._views[path].view(number, how, text)
            if found is not None:
                groups.setdefault((path, unit), {})[delta] = found
        return [
            task
            for (path, _), found in groups.items()
            if len(found) >= LEAST and (task := self._first(path, found)) is not None
        ]

    def _first(self, path: str, found: dict[Delta, tuple[Site, View]]) -> Task | None:
        views, file = self._views[path], self._files[path]
        sites: dict[Site, dict[int, View]] = {}
        deltas = list(found)
        for number, delta in enumerate(deltas):
            site, view = found[delta]
            sites.setdefault(site, {})[number] = view
        originals = [views.original(site) for site in sites]
        held = [
            names_held(
                original.names.union(*(each.names for each in those.values())), views.around(site)
            )
            for original, (site, those) in zip(originals, sites.items(), strict=True)
        ]
        try:
            code = file.watched([each.number for each in sites])
        except (SyntaxError, ValueError, RecursionError, TypeError):
            return None
        watcher = First(list(zip(originals, sites.values(), strict=True)), held)
        return _FirstTask((path, *code), watcher, self, found)

    def learn_first(self, found: dict[Delta, tuple[Site, View]], facts: dict[str, Any]) -> None:
        """Take down what a run of the program as it is told of changes."""
        classes = facts.get("told", {}).pop("classes", None)
        if classes is None or facts["end"] != "exited":
            return
        self._number += 1
        for number, (delta, (site, view)) in enumerate(found.items()):
            which = classes.get(number, SAME)
            if which == SAME:
                self._decided[delta] = facts
            elif which != UNTOLD:
                group = self._number, which
                self._known[delta] = _Seen(site, view, group)
                self._members.setdefault(group, []).append(delta)

    def task(self, delta: Delta) -> Task:
        """The run of a change, with passengers; raises what the compiler raises."""
        path, number, how, text = delta
        file = self._files[path]
        seen = self._known.get(delta)
        members = [] if seen is None else [
            each for each in self._members[seen.group]
            if each != delta and each not in self._decided
        ]  # fmt: skip
        if seen is None or not members:
            return Task((path, *file.changed(number, how, text)))
        carried: dict[int, View] = {}
        for index, each in enumerate(members):
            other = self._known[each]
            assert other is not None
            carried[index] = other.view
        around = self._views[path].around(seen.site)
        code = file.watched([seen.site.number], (number, how, text))
        if delta in self._members[seen.group]:  # its run decides, or cannot
            self._members[seen.group].remove(delta)
        return _CarryingTask((path, *code), Carried(seen.view, carried, around), self, members)

    def learn(self, members: Sequence[Delta], facts: dict[str, Any]) -> None:
        """Take down what a run decided."""
        for index in facts.get("told", {}).pop("same", ()):
            if facts["end"] == "exited":
                self._decided[members[index]] = facts


class _FirstTask(Task):
    first = True

    def __init__(self, change: Replaced, watcher: Watcher, sharing: Sharing, found: Any) -> None:
        super().__init__(change, watcher)
        self._sharing, self._found = sharing, found

    def learn(self, facts: dict[str, Any]) -> None:
        self._sharing.learn_first(self._found, facts)


class _CarryingTask(Task):
    def __init__(self, change: Replaced, watcher: Watcher, sharing: Sharing, members: Any) -> None:
        super().__init__(change, watcher)
        self._sharing, self._members = sharing, members

    def learn(self, facts: dict[str, Any]) -> None:
        self._sharing.learn(self._members, facts)


def share(facts: dict[str, Any]) -> dict[str, Any]:
    """What is told of a change that another one's run has decided."""
    return {**facts, "carried": True, "dirty": False}
