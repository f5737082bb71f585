r"""What counts as the user's code: by default the program's own project, else what globs say.

Globs are those people know from ``.gitignore``, over paths with ``/``:

- ``?`` is one character, ``*`` any number, ``[a-z]`` a set, none of them ``/``; ``**`` is
  anything, ``/`` too.  A glob that matches a folder matches all below it.
- ``mypkg``, ``test_*.py`` (no ``/``): a file or folder of that name anywhere in a project;
  a name without a dot also means the module ``mypkg.py``.
- ``mypkg/**``, ``src/*.py``: from the top of a project; the program's folder and the working
  directory are projects.
- ``*/json/*.py``, ``**/json/*.py``: a folder ``json`` anywhere on the machine.  Without the
  name of a folder (``**/*.py``) an include stays in the projects.
- ``/opt/x/**``, ``~/x``, ``../x``: exactly there.
- What starts with a name also means the library of that name: ``requests``,
  ``json/decoder.py``, the module ``json.decoder``, all modules of the distribution
  ``python-dateutil``, and a file ``decoder.py`` wherever it is in a library.

An include adds to the project.  With "only" nothing else counts than these two name.  Excludes
win.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from stripe.errors import UsageError
from stripe_pytrace.agent.compiling import scope_rules

_WILD = re.compile(r"[*?\[]")


class Scope:
    """Decides which source files count; :meth:`rules` is the same decision as plain data.

    ``projects`` are the folders of the user's code: the program file's and the working
    directory.  ``libraries`` are the interpreter's
    (:attr:`stripe_pytrace.interpreter.Interpreter.libraries`).  ``program`` is the program's
    own file, which counts by default wherever it is.

    Raises :class:`~stripe.errors.UsageError` ``bad-glob``.
    """

    def __init__(
        self,
        projects: Iterable[Path],
        include: Sequence[str] = (),
        only: Sequence[str] = (),
        exclude: Sequence[str] = (),
        libraries: Iterable[str] = (),
        program: Path | None = None,
    ) -> None:
        # As given and resolved: a program may meet its folder by either path.
        folders = [spelling for project in projects for spelling in _spellings(project)]
        self._projects = list(dict.fromkeys(folders))
        self._options = [
            *(f"--include {glob!r}" for glob in include),
            *(f"--only {glob!r}" for glob in only),
        ]
        known = [*libraries, *_environments(self._projects)]
        spelled = [spelling for library in known for spelling in _spellings(library)]
        # The environment a project lies in does not make the project a library; what is
        # installed there is one still, by the name of its folder.
        self._libraries = [
            library
            for library in dict.fromkeys(spelled)
            if not (
                os.path.exists(os.path.join(library, "pyvenv.cfg"))
                and any(_is_in(project, library) for project in self._projects)
            )
        ]
        self._program = os.path.realpath(program) if program else ""
        self._include = [self._compile(glob, "--include") for glob in include]
        self._only = [self._compile(glob, "--only") for glob in only]
        self._exclude = [self._compile(glob, "--exclude") for glob in exclude]
        self._rules = self.rules()

    def rules(self, relocated: Mapping[Path, Path] | None = None) -> dict[str, Any]:
        """The decision as JSON-able data, for ``agent/compiling/scope_rules.py``.

        ``relocated`` maps scratch copies to the folders they are copies of: their files are
        judged by the paths of the originals.
        """
        pairs = [[str(copy), str(original)] for copy, original in (relocated or {}).items()]
        return {
            "projects": self._projects,
            "libraries": self._libraries,
            "program": self._program,
            "relocated": pairs,
            "include": self._include,
            "only": self._only,
            "exclude": self._exclude,
        }

    def wants(self, path: str) -> bool:
        """Whether ``path``, a source file, is the user's code."""
        return scope_rules.wants(self._rules, path)

    def unmatched(self, paths: Iterable[str], rules: dict[str, Any] | None = None) -> list[str]:
        """The options that name files and match none of ``paths``, which a run executed.

        ``rules`` are those the run used, if it had scratch copies.
        """
        used: set[int] = set()
        for path in paths:
            used.update(scope_rules.matched(rules or self._rules, path))
        return [each for number, each in enumerate(self._options) if number not in used]

    def _compile(self, glob: str, option: str) -> dict[str, Any]:
        if not glob.strip("/ ") or "\0" in glob:
            raise UsageError(
                "bad-glob",
                f"{option} {glob!r} names no file.",
                f"Give a file, a folder or a glob: {option} 'mypkg/**', {option} '*/json/*.py'.",
            )
        pattern = {"absolute": "", "project": "", "own": False, "library": ""}
        path = os.path.expanduser(glob)
        while path.startswith("./"):
            path = path[2:].lstrip("/")
        path = re.sub(r"/+", "/", path).rstrip("/")
        rest = re.sub(r"^(?:\*\*?/)+", "", path)
        parts = path.split("/")
        if path in ("", "."):
            pattern["project"] = _expression("**")
            pattern["own"] = True
        elif path.startswith("/"):
            pattern["absolute"] = _expression(path)
        elif ".." in parts:
            # From where the user is, or the program is.
            places = {os.path.normpath(os.path.join(p, path)) for p in self._projects}
            pattern["absolute"] = "|".join(map(_expression, sorted(places)))
        elif rest != path:
            pattern["project"] = _ANYWHERE + _expression(rest)
            if any(_is_folder_name(part) for part in rest.split("/")):
                pattern["absolute"] = _ANYWHERE + _expression(rest)
            else:
                pattern["own"] = True
        else:
            expression = _expression(path)
            literal = not _WILD.search(parts[0])
            if len(parts) == 1:
                if literal and "." not in path:  # a module, named as one imports it
                    expression = f"(?:{expression}|{_expression(path + '.py')})"
                # Anywhere in the project, so maybe also in an environment in it: not that.
                pattern["project"] = _ANYWHERE + expression
                pattern["own"] = True
            else:
                pattern["project"] = expression
            if literal:
                pattern["library"] = expression
            if literal and len(parts) == 1 and option != "--exclude":
                pattern["library"] = f"(?:{expression}|{self._installed(path)})"
        if option == "--exclude":
            pattern["own"] = False  # what the user rules out is out
        return pattern

    def _installed(self, name: str) -> str:
        """The expression for what is called so in libraries: a file, a module, a distribution."""
        if name.endswith(scope_rules.SOURCE_SUFFIXES):
            return _ANYWHERE + _expression(name)
        module = name.replace(".", "/")
        places = [module, f"{module}.py", *_modules_of(name, self._libraries)]
        return "|".join(map(_expression, places))


_ANYWHERE = "(?s:.*/)?"


def _is_folder_name(part: str) -> bool:
    return not _WILD.search(part) and not part.endswith(scope_rules.SOURCE_SUFFIXES)


def _expression(glob: str) -> str:
    """The regular expression, as text, for a glob and all below what it matches."""
    result = ["(?s:"]
    position = 0
    while position < len(glob):
        rest = glob[position:]
        if rest.startswith("**/") and (not position or glob[position - 1] == "/"):
            result.append(_ANYWHERE)
            position += 3
        elif rest.startswith("**"):
            result.append(".*")
            position += len(rest) - len(rest.lstrip("*"))
        elif rest[0] == "*":
            result.append("[^/]*")
            position += 1
        elif rest[0] == "?":
            result.append("[^/]")
            position += 1
        elif chosen := re.match(r"\[(!?)(\]?[^\]/]*)\]", rest):
            negated, members = chosen.groups()
            # Ranges stay ranges; all else that is special in a set loses its meaning.
            members = re.sub(r"([\\\[\]^&~|])", r"\\\1", members)
            result.append(f"[^/{members}]" if negated else f"[{members}]")
            position += chosen.end()
        else:
            result.append(re.escape(rest[0]))
            position += 1
    result.append("(?:/.*)?)")
    expression = "".join(result)
    try:
        re.compile(expression)
    except re.error:  # a range the wrong way round, [z-a]: then the text itself
        return f"(?s:{re.escape(glob)}(?:/.*)?)"
    return expression


def _spellings(path: str | Path) -> list[str]:
    return list(dict.fromkeys([os.path.abspath(path), os.path.realpath(path)]))


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _modules_of(distribution: str, libraries: Sequence[str]) -> list[str]:
    """The files and folders at the top of what is installed under a name, as for pip."""
    from importlib import metadata  # most runs name no distribution

    top: dict[str, None] = {}
    for found in metadata.distributions(name=distribution, path=list(libraries)):
        for file in found.files or ():
            if file.suffix in scope_rules.SOURCE_SUFFIXES:
                top[file.parts[0]] = None
    return [name for name in top if name != ".."]


def _environments(projects: Iterable[str]) -> list[str]:
    """The virtual environments at the top of the projects, whatever they are called."""
    found = []
    for project in projects:
        try:
            with os.scandir(project) as entries:
                folders = [entry.path for entry in entries if entry.is_dir()]
        except OSError:
            continue
        found += [f for f in folders if os.path.exists(os.path.join(f, "pyvenv.cfg"))]
    return found
