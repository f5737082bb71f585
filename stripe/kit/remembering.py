"""What a backend has found out and need not find out again: small files in the user's caches."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

from stripe.files import caches, replace_file


def is_remembered(what: str) -> bool:
    """Whether ``what`` was found to be so before."""
    with suppress(OSError):
        return _path(what).read_text("utf-8") == what
    return False


def remember(what: str) -> None:
    """Let ``what`` be known from now on; where no file can be written, it is found out again."""
    path = _path(what)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, what.encode())


def _path(what: str) -> Path:
    return caches() / "found" / hashlib.sha256(what.encode()).hexdigest()
