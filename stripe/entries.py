"""The entry points of a group, read from the installed distributions without importing any.

:func:`importlib.metadata.entry_points` takes longer to read a full environment than most programs
take to run: it parses every distribution.  Here those are passed over that do not name the group.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from typing import Any

from stripe.tuples import NamedTuple

_METADATA = (".dist-info", ".egg-info")


class Entry(NamedTuple):
    """A line ``name = module:attributes`` of a distribution."""

    name: str
    value: str

    def load(self) -> Any:
        """What it names.  Raises what importing it raises, or AttributeError."""
        module, _, attributes = self.value.partition(":")
        found: Any = importlib.import_module(module.strip())
        for attribute in filter(None, attributes.partition("[")[0].strip().split(".")):
            found = getattr(found, attribute)
        return found


def entries(group: str) -> list[Entry]:
    """The entries of ``group``, by name; of two versions of a distribution, those of the first."""
    if any(os.path.isfile(folder) for folder in sys.path):
        # A zip file, which may hold distributions.
        from importlib.metadata import entry_points

        return sorted(Entry(each.name, each.value) for each in entry_points(group=group))
    found = [entry for text in _declared(group) for entry in _parsed(text, group)]
    return sorted(dict.fromkeys(found))


def _declared(group: str) -> Iterator[str]:
    """The texts that name the group."""
    seen: set[str] = set()
    for folder in sys.path:
        try:
            with os.scandir(folder or ".") as listing:
                names = sorted(each.name for each in listing if each.name.endswith(_METADATA))
        except OSError:
            continue
        for name in names:
            words = name.rpartition(".")[0].split("-")[0].lower().replace(".", "_").split("_")
            distribution = "-".join(filter(None, words))
            if distribution in seen:
                continue
            seen.add(distribution)
            try:
                path = os.path.join(folder, name, "entry_points.txt")
                with open(path, "rb") as stream:
                    text = stream.read()
            except OSError:
                continue
            if group.encode() in text:
                yield text.decode("utf-8", "replace")


def _parsed(text: str, group: str) -> Iterator[Entry]:
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            section = line.strip("[]").strip()
        elif section == group and "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            yield Entry(name.strip(), value.strip())
