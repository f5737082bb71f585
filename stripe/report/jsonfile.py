"""The one door for results written to files; :mod:`stripe.report.reading` reads them."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from stripe.errors import UsageError
from stripe.files import replace_file


def check_writable(target: str) -> None:
    """Refuse a target that cannot be written, before hours are spent on the result."""
    if target == "-":
        return
    path = Path(target)
    folder = path.parent
    if path.is_dir():
        reason = "it is a directory"
    elif not folder.is_dir():
        reason = f"there is no directory {str(folder)!r}"
    elif path.exists() and not os.access(path, os.W_OK):
        reason = "it may not be written"
    elif not path.exists() and not os.access(folder, os.W_OK):
        reason = f"nothing may be written in {str(folder)!r}"
    else:
        return
    raise UsageError(
        "cannot-write",
        f"The file {target!r} cannot be written: {reason}.",
        "Give another file, or - for standard output.",
    )


def write_out(text: str) -> None:
    """Write a whole document to standard output, as UTF-8 whatever the terminal is set to."""
    sys.stdout.flush()
    try:
        binary = sys.stdout.buffer
    except AttributeError:
        sys.stdout.write(text)  # a stream of the caller's, for text only
        return
    binary.write(text.encode())
    binary.flush()


def write_json(data: dict[str, Any], target: str) -> None:
    """Write ``data`` as JSON; see :func:`write_text`."""
    write_text(json.dumps(data, ensure_ascii=True, separators=(",", ":")) + "\n", target)


def write_text(text: str, target: str) -> None:
    """Write ``text`` to a file (``-``: standard output); never leave half of one behind."""
    if target == "-":
        write_out(text)
        return
    try:
        replace_file(Path(target), text.encode())
    except OSError as error:
        raise UsageError(
            "cannot-write",
            f"The file {target!r} cannot be written: {error.strerror or error}.",
            "Give another file, or - for standard output.",
        ) from None
