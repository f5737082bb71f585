"""Which files count as the user's code, as the runtime is told it: regular expressions of POSIX."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_WILD = {"**": ".*", "*": "[^/]*", "?": "[^/]"}
_PIECE = re.compile(r"\*\*|[*?]|[^*?]+")
_SPECIAL = re.compile(r"[.^$+(){}|\[\]\\]")


def expression(names: Sequence[str], copy: Callable[[str], str]) -> str:
    """The expression for absolute paths of what is named; empty if nothing is.

    A name is a module, with those below it (``JSON::PP``), a file, a folder or a glob, in which
    two stars go over folders.  ``copy``: what a path of the user's is called by a run.
    """
    return "|".join(f"({_expression(name, copy)})" for name in names)


def _expression(name: str, copy: Callable[[str], str]) -> str:
    name = copy(name) if name.startswith("/") else name.removeprefix("./")
    path = name.replace("::", "/").rstrip("/")
    text = "".join(
        _WILD.get(piece) or _SPECIAL.sub(r"\\\g<0>", piece) for piece in _PIECE.findall(path)
    )
    return f"{'^' if path.startswith('/') else '/'}{text}(/|[.]p[lm]$|$)"
