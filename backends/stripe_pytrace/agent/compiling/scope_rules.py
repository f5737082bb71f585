"""Which source files are the user's code: the decision itself, on plain data.

This runs inside the traced interpreter, so it imports the standard library only and takes
its rules as a JSON-able dictionary, made by ``stripe_pytrace.scope.Scope.rules``:

``projects``   folders of the user's code, absolute
``libraries``  folders of library code, absolute: standard library, site-packages, environments
``program``    the program's file: counts by default, whatever its name; ``""``: none
``relocated``  ``[from, to]`` pairs: a scratch copy and the folder it is a copy of
``include``, ``only``, ``exclude``
               patterns: ``{"absolute": R, "project": R, "own": bool, "library": R}`` where each R
               is a regular expression for a full path, for a path relative to a project, or for a
               path relative to a library folder; ``""`` matches nothing.
               ``own``: in a project, match only what counts by default.
"""

from __future__ import annotations

import os

from ..process.lazy import imported

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

SOURCE_SUFFIXES = (".py", ".pyw")
PACKAGE_FOLDERS = frozenset({"site-packages", "dist-packages"})
NOT_SOURCES = frozenset({"__pycache__", "__pypackages__", "node_modules"})


def wants(rules: dict[str, Any], path: str) -> bool:
    """Whether the file ``path``, a code object's ``co_filename``, is the user's code.

    Asks the file system at most for symbolic links: decide once per file, and keep it.
    """
    if not path or path.startswith("<"):  # <string>, <frozen importlib._bootstrap>
        return False
    spellings = _spellings(rules, path)
    is_program = rules["program"] in spellings
    if not is_program and not path.endswith(SOURCE_SUFFIXES):
        return False  # a template's name, say: there is no Python to parse
    if any(_matches(rules, pattern, spellings) for pattern in rules["exclude"]):
        return False
    if any(_matches(rules, pattern, spellings) for pattern in rules["include"]):
        return True
    if rules["only"]:
        return any(_matches(rules, pattern, spellings) for pattern in rules["only"])
    return is_program or _is_own(rules, spellings)


def prepare(rules: dict[str, Any]) -> None:
    """Get ready to decide, in the traced interpreter before it can import what is the user's."""
    if rules["include"] or rules["only"] or rules["exclude"]:
        imported("re")


def matched(rules: dict[str, Any], path: str) -> list[int]:
    """The numbers of the patterns, of includes and then of "only", that match ``path``."""
    spellings = _spellings(rules, path)
    return [
        number
        for number, pattern in enumerate([*rules["include"], *rules["only"]])
        if _matches(rules, pattern, spellings)
    ]


def _spellings(rules: dict[str, Any], path: str) -> list[str]:
    """``path`` as it is and with symbolic links resolved, both as paths of the original."""
    path = os.path.abspath(path)
    return list(dict.fromkeys(_original(rules, p) for p in (path, os.path.realpath(path))))


def _original(rules: dict[str, Any], path: str) -> str:
    for copy, original in rules["relocated"]:
        inside = _inside(copy, path)
        if inside is not None:
            return os.path.join(original, inside)
    return path


def _inside(folder: str, path: str) -> str | None:
    """``path`` relative to ``folder``, or ``None`` if it is not below it."""
    start = folder.rstrip("/") + "/"
    return path[len(start) :] if path.startswith(start) else None


def _is_library(rules: dict[str, Any], path: str) -> bool:
    if not PACKAGE_FOLDERS.isdisjoint(path.split("/")):
        return True
    return any(_inside(library, path) is not None for library in rules["libraries"])


def _is_own(rules: dict[str, Any], spellings: list[str]) -> bool:
    """The default: in a project, and neither a library nor in a hidden folder or a cache.

    A link into a library (an environment made of links) does not make its target the user's,
    but a link in a project to sources elsewhere does.
    """
    if any(_is_library(rules, path) for path in spellings):
        return False
    for path in spellings:
        for project in rules["projects"]:
            inside = _inside(project, path)
            if inside is not None:
                folders = inside.split("/")[:-1]
                if not any(name.startswith(".") or name in NOT_SOURCES for name in folders):
                    return True
    return False


def added(rules: dict[str, Any], path: str) -> bool:
    """Whether ``path``, which is wanted, is neither the program nor in one of the projects."""
    spellings = _spellings(rules, path)
    return rules["program"] not in spellings and not _is_own(rules, spellings)


def installed(paths: Iterable[str]) -> dict[str, int]:
    """How many of ``paths`` each installed package has, by the name it is imported by."""
    found: dict[str, int] = {}
    for path in paths:
        if within := _installed_as(path):
            name = within.partition("/")[0].removesuffix(".py")
            found[name] = found.get(name, 0) + 1
    return found


def _installed_as(path: str) -> str:
    """``path`` relative to the folder of packages that it is in, wherever that is; or ``""``."""
    parts = path.split("/")
    for number in range(len(parts) - 1, 0, -1):
        if parts[number - 1] in PACKAGE_FOLDERS:
            return "/".join(parts[number:])
    return ""


def _fullmatch(pattern: str, path: str) -> bool:
    return imported("re").fullmatch(pattern, path) is not None


def _matches(rules: dict[str, Any], pattern: dict[str, Any], spellings: list[str]) -> bool:
    for path in spellings:
        if pattern["absolute"] and _fullmatch(pattern["absolute"], path):
            return True
        if pattern["project"]:
            for project in rules["projects"]:
                inside = _inside(project, path)
                found = inside is not None and _fullmatch(pattern["project"], inside)
                if found and (not pattern["own"] or _is_own(rules, spellings)):
                    return True
        if pattern["library"]:
            for inside in [
                *(_inside(library, path) for library in rules["libraries"]),
                _installed_as(path),
            ]:
                if inside is not None and _fullmatch(pattern["library"], inside):
                    return True
    return False


def set_aside(job: dict[str, Any]) -> Callable[[str], bool]:
    """Of which files importing them is part of the statement that imports, by a job."""
    rules = job["scope"]
    return lambda path: bool(rules["include"]) and not job["opened"] and added(rules, path)


def scope(job: dict[str, Any]) -> Callable[[str], bool]:
    """Which files are the user's code, by the rules of a job."""
    rules = job["scope"]
    prepare(rules)
    return lambda path: wants(rules, path)
