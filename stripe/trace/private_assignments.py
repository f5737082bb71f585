"""Assignments to variables that nothing but the statements of their own scope can read (Python).

Told from the source, so that what a recorded run shows of the reads of such a variable is all
there is.  Where anything else might read it (a closure, a generator, a class, a name in a text that
may be code, a function that looks into frames), the variable is not among them.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
GUARDED = (ast.Try, ast.TryStar, ast.With, ast.AsyncWith)
"""Where an exception may be caught, a statement that was executed need not have assigned."""

LATER = (*SCOPES, ast.Lambda, ast.GeneratorExp)
"""What is executed at another time than the statement it is in, and reads the variable then."""

SUSPENDING = (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith)

FRAMES = frozenset({
    "_getframe", "_current_frames", "currentframe", "getargvalues", "getouterframes",
    "getinnerframes", "f_locals", "f_back", "f_globals", "tb_frame", "gi_frame", "capture_locals",
    "show_locals", "settrace", "setprofile", "set_trace", "breakpoint",
})  # fmt: skip
"""Names by which code looks into the frames of others: nothing is told of a run that has some."""

OWN_VARIABLES = frozenset({"locals", "vars", "dir", "eval", "exec"})
"""Functions that read the variables of the one that calls them: nothing is told of such a one."""

REFLECTION = OWN_VARIABLES | {
    "globals", "modules", "import_module", "__import__", "__dict__", "runpy", "__main__",
}  # fmt: skip
"""Names by which code reads variables of modules: nothing is told of these where there is one."""

WORD = re.compile(r"(?<![%)!\w])[^\W\d]\w*")
"""A name in a text; not the letters of a format, as in ``%s``, ``%(name)s``, ``{!r}``."""


class Assignment(NamedTuple):
    """An assignment of one variable, which is done when the next statement of its scope begins.

    - ``location``: the variable, as statements of a trace name it
    - ``computes``: its value comes from variables or calls, and is no constant
    - ``ends``: the variable is gone when its function returns
    """

    location: str
    computes: bool
    ends: bool

    @property
    def name(self) -> str:
        return self.location.removeprefix("::")


type Place = tuple[int, int]
"""Line, from 1, and column, in bytes from 0, at which a statement begins."""


def private_assignments(texts: Sequence[str]) -> list[dict[Place, Assignment]]:
    """Those of each file of a program, of which these are all that are known."""
    files = [_File(tree) for text in texts if (tree := _parsed(text)) is not None]
    if len(files) < len(texts) or any(each.looks_into_frames for each in files):
        return [{} for _ in texts]
    foreign = {name for each in files for name in each.foreign}
    return [each.assignments(foreign) for each in files]


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class _File:
    """A file, and what its source tells of all of it.

    - ``names``: all names in it, those of attributes and imports too
    - ``foreign``: names of attributes, and what it imports from modules
    - ``functions``: its functions
    - ``words``: those of texts that may name variables: templates, queries, formulas.  What is
      printed, or formatted in place, is none
    - ``renames``: it may have another name for one of :data:`OWN_VARIABLES`
    - ``documentation``: the words of texts that are statements; doctest may execute them
    """

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.functions: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
        self.foreign: set[str] = set()
        passive: set[int] = set()
        statements: set[int] = set()
        texts: list[ast.Constant] = []
        called: Counter[str] = Counter()
        used: Counter[str] = Counter()
        nodes = [*ast.walk(tree)]
        self.names = _names(nodes)
        for node in nodes:
            if isinstance(node, ast.Attribute):
                self.foreign.add(node.attr)
            elif isinstance(node, ast.Name):
                used[node.id] += 1
            elif isinstance(node, ast.ImportFrom):
                self.foreign.update(alias.name for alias in node.names)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.functions.append(node)
            elif isinstance(node, ast.JoinedStr):
                passive.update(map(id, node.values))
            elif isinstance(node, ast.Call):
                if isinstance(node.func, ast.Name):
                    called[node.func.id] += 1
                    if node.func.id == "print":
                        passive.update(map(id, node.args))
            elif isinstance(node, ast.Expr):
                statements.add(id(node.value))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.append(node)
        # Under another name, such a function would not be noticed where it is called.
        self.renames = any(used[each] > called[each] for each in OWN_VARIABLES) or any(
            isinstance(each, ast.alias) and each.name in OWN_VARIABLES for each in nodes
        )
        said = [each for each in texts if id(each) in statements]
        named = [each for each in texts if id(each) not in passive | statements]
        self.documentation = {word for each in said for word in WORD.findall(str(each.value))}
        self.words = {word for each in named for word in WORD.findall(str(each.value))}

    @property
    def looks_into_frames(self) -> bool:
        """Whether it may read the variables of functions that it is called by."""
        return bool(FRAMES & self.names) or {"inspect", "stack"} <= self.names

    def assignments(self, foreign: set[str]) -> dict[Place, Assignment]:
        """Those in it; ``foreign``: names that some file has as attributes, or imports."""
        found: dict[Place, Assignment] = {}
        if self.renames:
            return found
        if "*" not in foreign and not REFLECTION & self.names:
            excluded = foreign | self.words | self.documentation
            found.update(_of_scope(self.tree, excluded, "::"))
        for function in self.functions:
            if not OWN_VARIABLES & _names(ast.walk(function)):
                found.update(_of_scope(function, self.words, ""))
        return found


def _of_scope(
    scope: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef, excluded: set[str], prefix: str
) -> Iterator[tuple[Place, Assignment]]:
    """The assignments of a scope, but of the names ``excluded``."""
    own = [*_own(scope.body, guarded=False)]
    inner = [each for node in scope.body for each in ast.walk(node)]
    apart: list[ast.AST] = [each for each in inner if isinstance(each, LATER)]
    apart += [each.target for each, _ in own if isinstance(each, (ast.For, ast.AsyncFor))]
    excluded = excluded | _names(node for each in apart for node in ast.walk(each))
    ends = not prefix and not any(isinstance(each, SUSPENDING) for each in inner)
    for each, guarded in own:
        if isinstance(each, ast.Assign) and len(each.targets) == 1:
            target, value = each.targets[0], each.value
        elif isinstance(each, ast.AnnAssign) and each.value is not None:
            target, value = each.target, each.value
        else:
            continue
        if guarded or not isinstance(target, ast.Name):
            continue
        if target.id.startswith("_") or target.id in excluded:
            continue
        parts = [*ast.walk(value)]
        if any(isinstance(part, (*SUSPENDING, ast.NamedExpr)) for part in parts):
            continue
        computes = any(isinstance(part, ast.Name) for part in parts)
        yield (each.lineno, each.col_offset), Assignment(prefix + target.id, computes, ends)


def _own(body: Iterable[ast.stmt], *, guarded: bool) -> Iterator[tuple[ast.stmt, bool]]:
    """The statements of a scope, without those of scopes in it, and whether one is guarded."""
    for each in body:
        yield each, guarded
        if isinstance(each, SCOPES):
            continue
        inside = guarded or isinstance(each, GUARDED)
        for field in ("body", "orelse", "finalbody"):
            yield from _own(getattr(each, field, ()), guarded=inside)
        for part in (*getattr(each, "handlers", ()), *getattr(each, "cases", ())):
            yield from _own(part.body, guarded=inside)


def _names(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that some nodes have, those of attributes and imports too."""
    found: set[str] = set()
    for each in nodes:
        if isinstance(each, ast.Name):
            found.add(each.id)
        elif isinstance(each, ast.Attribute):
            found.add(each.attr)
        elif isinstance(each, (ast.Global, ast.Nonlocal)):
            found.update(each.names)
        elif isinstance(each, ast.alias):
            found.update(each.name.split("."))
    return found
