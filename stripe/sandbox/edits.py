"""Notices that somebody changes what runs read in a directory that is not copied for them."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path

from stripe.sandbox.copies import Stamp, stamp
from stripe.sandbox.reads import Stamps
from stripe.sandbox.restoration import changed_meanwhile

_SHARE = 20
"""Looking takes no more than one part in so many of the time."""


class Edits:
    """Whether what the recorded run read in ``directory`` is still the same.

    Args:
        stamps: what made the stamps of what was read.
        reads: those, by path; others than relative ones are of no interest here.
    """

    def __init__(self, directory: Path, stamps: Stamps, reads: Mapping[str, str]) -> None:
        self._stamps = stamps
        self._reads = {path: each for path, each in reads.items() if not os.path.isabs(path)}
        self._paths = {path: os.path.normpath(directory / path) for path in self._reads}
        self._seen = {path: _status(place) for path, place in self._paths.items()}
        self._next = 0.0

    def require_none(self) -> None:
        """Look, unless that was done a moment ago.

        Raises:
            UsageError: ``directory-changed``.
        """
        began = time.monotonic()
        if began < self._next:
            return
        touched = [
            path for path, place in self._paths.items() if _status(place) != self._seen[path]
        ]
        # Touched, or written with the same content: that is no change.
        changed = [path for path in touched if self._stamps.stamp(path) != self._reads[path]]
        if changed:
            raise changed_meanwhile([path.rstrip("/") for path in changed])
        self._seen.update((path, _status(self._paths[path])) for path in touched)
        now = time.monotonic()
        self._next = now + _SHARE * (now - began)


def _status(path: str) -> tuple[Stamp | None, Stamp | None]:
    """Of a path, and of what it leads to if it is a link."""
    found: list[Stamp | None] = []
    for look in (os.lstat, os.stat):
        try:
            found.append(stamp(look(path)))
        except OSError:
            found.append(None)
    return found[0], found[1]
