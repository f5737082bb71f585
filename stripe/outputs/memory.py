"""What we wrote, and where: so that what we find there can be told from what is somebody else's.

For each path, a small file in the user's caches holds what kind of thing we wrote there, and the
digests of the two latest contents (of which the last may not have got there).  What has been
changed since then is not ours any more; and what cannot be remembered is not ours either.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from stripe.files import caches, replace_file

KEPT_DAYS = 365
"""What was not written again for so long is forgotten."""


def remember(path: Path, kind: str, data: bytes) -> None:
    """Note that ``data`` is about to be written to ``path`` (without links)."""
    note = _note_path(path)
    before = _read(note, kind)[:1]
    text = json.dumps({"kind": kind, "digests": [_digest(data), *before]})
    with suppress(OSError):
        if not note.parent.is_dir():
            note.parent.mkdir(parents=True, exist_ok=True)
        if not note.exists():
            _forget_old(note.parent)
        replace_file(note, text.encode())


def is_ours(path: Path, kind: str) -> bool:
    """Whether the file ``path`` (without links) is what we wrote there, and of this kind."""
    digests = _read(_note_path(path), kind)
    if not digests:
        return False
    try:
        return _digest(path.read_bytes()) in digests
    except OSError:
        return False


def _note_path(path: Path) -> Path:
    return caches() / "written" / sha256(os.fsencode(path)).hexdigest()


def _read(note: Path, kind: str) -> list[str]:
    try:
        data = json.loads(note.read_bytes())
        return [str(each) for each in data["digests"]] if data["kind"] == kind else []
    except (OSError, ValueError, KeyError, TypeError):
        return []


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def _forget_old(folder: Path) -> None:
    oldest = time.time() - KEPT_DAYS * 24 * 3600
    for each in folder.iterdir():
        with suppress(OSError):
            if each.stat().st_mtime < oldest:
                each.unlink()
