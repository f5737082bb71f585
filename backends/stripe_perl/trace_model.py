"""The trace of a recorded run of a Perl program."""

from __future__ import annotations

import base64
import os
import struct
import zlib
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from stripe.errors import UsageError
from stripe.trace import NONE, Activation, SourceFile, Statement, Trace
from stripe_perl.control import LOOPS, Site, control_parents

_NODE = struct.Struct("iii")

STEPPING = "stepping"
"""The engine that replays by stops, as the first STRIPE did (Cleve & Zeller 2000)."""


def make_trace(directory: Path, relative: Callable[[str], str], path: Mapping[str, Any]) -> Trace:
    """The trace of a run, of which the host told the sites and the nodes.

    ``relative``: a path of the run as it is seen from the working directory, if it is in there.
    """
    sites = [Site(*row) for row in path["sites"]]
    return _Maker(directory, relative, sites).trace(_read_nodes(path))


def _read_nodes(path: Mapping[str, Any]) -> list[tuple[int, int, int]]:
    return list(_NODE.iter_unpack(zlib.decompress(base64.b64decode(path["nodes"]))))


def nodes_up_to(path: Mapping[str, Any], event: int) -> dict[str, Any]:
    """The path of a run up to an event, at which replays are cut off as they go on."""
    nodes = _read_nodes(path)
    fixed = [True, *(Site(*row).fixed == "1" for row in path["sites"])]
    events = [number for number, (site, *_) in enumerate(nodes) if site > 0 and not fixed[site]]
    kept = b"".join(_NODE.pack(*each) for each in nodes[: events[event] + 1])
    return {**path, "nodes": base64.b64encode(zlib.compress(kept)).decode(), "cut": event}


def _function(site: Site) -> str:
    """The name of the code that a site belongs to."""
    name = site.function.removeprefix("main::")
    if not name:
        return "<program>"
    return f"sub at {site.line}" if name.endswith("__ANON__") else name


def require_stops(path: Mapping[str, Any]) -> None:
    """Refuse a run that cannot be replayed by stops.

    Raises:
        UsageError: ``engine-unsupported``.
    """
    nodes = _read_nodes(path)
    for site, _, _ in nodes[1:]:
        if site < 0:
            why = "a program that calls its own code"
        elif not int((row := Site(*path["sites"][site - 1])).stops):
            why = f"what begins in the middle of line {row.line}"
        else:
            continue
        raise UsageError(
            "engine-unsupported",
            f"The engine {STEPPING} goes from statement to statement, and cannot follow {why}.",
            "Leave --engine out.",
        )


class _Maker:
    """Makes a trace of nodes; see ``runtime/model.h`` for what these are."""

    def __init__(
        self, directory: Path, relative: Callable[[str], str], sites: Sequence[Site]
    ) -> None:
        self._directory = directory
        self._relative = relative
        self._sites = sites
        self._files: dict[str, int] = {}
        self._statements: list[Statement] = []
        self._known: dict[tuple[object, ...], int] = {}
        self._of_site: dict[int, int] = {}
        self._units: dict[int, tuple[str, int]] = {}

    def _file(self, name: str) -> int:
        name = os.path.normpath(self._relative(name))
        return self._files.setdefault(name, len(self._files))

    def _statement(self, number: int) -> int:
        """The statement of a site; the header of a loop has several."""
        if number in self._of_site:
            return self._of_site[number]
        site = self._sites[number - 1]
        line, is_loop = int(site.line), site.kind in LOOPS
        key = ("loop", site.group) if is_loop and site.group != "0" else (number,)
        locations = [
            set() if each == "-" else {*each.split("|")} for each in (site.reads, site.writes)
        ]
        if key not in self._known:
            self._known[key] = len(self._statements)
            where = (line, line, line, 0, self._unit(int(site.unit))[0], NONE)
            shown = "loop" if is_loop else site.op if site.kind == "statement" else site.kind
            made = Statement(self._known[key], self._file(site.file), shown, *where)
            self._statements.append(made)
        found = self._known[key]
        known = self._statements[found]
        both = [tuple(sorted(new.union(old))) for new, old in
                zip(locations, (known.reads, known.writes), strict=True)]  # fmt: skip
        self._statements[found] = replace(known, reads=both[0], writes=both[1])
        self._of_site[number] = found
        return found

    def _unit(self, number: int) -> tuple[str, int]:
        """The name and file of a unit, by its first statement."""
        if number not in self._units:
            first = next(site for site in self._sites if int(site.unit) == number)
            self._units[number] = (_function(first), self._file(first.file))
        return self._units[number]

    def trace(self, nodes: Sequence[tuple[int, int, int]]) -> Trace:
        """The trace; its events are the nodes that can be left out."""
        events: list[int] = []
        event_of, activation_of = [NONE], [0]  # by node, from 1: the event it is in, or is
        activations: list[Activation] = []
        trace = Trace([], self._statements, activations)
        columns = {name: array("i") for name in ("statement", "activation", "caller", "scope")}
        for site, parent, _ in nodes:
            around, within = event_of[parent], activation_of[parent]
            if site < 0:
                name, file = self._unit(-site)
                within = len(activations)
                activations.append(Activation(within, name, file, around))
            elif self._sites[site - 1].fixed == "0":
                inside = around != NONE and columns["activation"][around] == within
                columns["statement"].append(self._statement(site))
                columns["activation"].append(within)
                columns["caller"].append(activations[within].caller)
                columns["scope"].append(around if inside else NONE)
                around = len(events)
                events.append(len(event_of))
            event_of.append(around)
            activation_of.append(within)
        for name, column in columns.items():
            setattr(trace, name, column)
        trace.files = [self._source(name) for name in self._files]
        of_events = [nodes[event - 1][0] for event in events]
        trace.find_control = partial(control_parents, self._sites, of_events, trace.activation)
        return trace

    def _source(self, name: str) -> SourceFile:
        text = (self._directory / name).read_text("utf-8", "replace")
        return SourceFile(name, text)
