"""Files that are whole, old or new, at any time."""

from __future__ import annotations

import os
from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """Write ``data`` beside ``path`` and rename it: nobody ever sees half of it.

    A device or pipe cannot be replaced; it is written to.  Raises :class:`OSError`.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path = path.resolve()
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        partial.write_bytes(data)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
