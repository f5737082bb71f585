"""A change to be run, as a worker is told of it."""

from __future__ import annotations

import marshal
from collections.abc import Mapping

from ..mutants.deltas import Parsed, Replaced


def written(change: Replaced, files: Mapping[str, Parsed]) -> bytes:
    """The message; a whole function has to be in it, as the worker knows only what there was."""
    path, old, new = change
    which = next(n for n, each in enumerate(files[path].all_code) if each is old)
    return marshal.dumps((path, which, new))


def read(order: bytes, files: Mapping[str, Parsed]) -> Replaced:
    """The change."""
    path, which, new = marshal.loads(order)
    return path, files[path].all_code[which], new
