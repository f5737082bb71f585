"""What a place in a file can name: its function's variables, conditions, texts and statements."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..compiling import trees
from . import facts, inserted_statements, missing_cases
from .deltas import FUNCTIONS, Parsed
from .expression_operators import Names
from .logic_errors import copies

MOST_VARIABLES = 12
MOST_ATOMS = 8
MOST_NUMBERS = 2
MOST_TEXTS, LONG_TEXT = 4, 3
MOST_WORDS = 12
OF_TEXTS = frozenset(
    [
        "split",
        "rsplit",
        "splitlines",
        "strip",
        "lstrip",
        "rstrip",
        "lower",
        "upper",
        "startswith",
        "endswith",
        "partition",
        "rpartition",
        "isdigit",
        "isspace",
        "isalpha",
        "ljust",
        "rjust",
        "encode",
    ]
)


class Surroundings:
    """What a place can name: computed once for a function."""

    def __init__(self, file: Parsed, values: dict[tuple[str, str], Any], lines: set[int]) -> None:
        self._file = file
        self._lines = lines
        self._values = values
        self._names: dict[ast.AST, Names] = {}
        self._atoms: dict[ast.AST, list[str]] = {}
        self._returns: dict[ast.AST, list[str]] = {}
        self._copies: dict[ast.AST, list[str]] = {}
        self._lengths: dict[ast.AST, list[str]] = {}
        self._types = missing_cases.types(file.tree)
        self._calls = facts.calls(file.tree)
        self._functions = {
            each.name: len(each.args.args)
            for each in file.tree.body
            if isinstance(each, ast.FunctionDef)
        }

    def scope(self, node: ast.AST) -> Any:
        """The innermost function that a node is in, or the file."""
        place = self._file.place
        while node in place:
            parent, field, _ = place[node]
            if isinstance(parent, FUNCTIONS) and field == "body":
                return parent
            node = parent
        return self._file.tree

    def function(self, node: ast.AST) -> str:
        """Its qualified name; empty for a file."""
        parts: list[str] = []
        while node in self._file.place:
            parent, field, _ = self._file.place[node]
            if isinstance(parent, FUNCTIONS) and field == "body":
                parts[:0] = [parent.name] + (["<locals>"] if parts else [])
            elif isinstance(parent, ast.ClassDef):
                parts.insert(0, parent.name)
            node = parent
        return ".".join(parts)

    def _owner(self, scope: Any) -> Any:
        """What a function stands in: a class, if it is a method; ``None`` for a file."""
        return self._file.place.get(scope, (None, "", -1))[0]

    def names(self, node: ast.AST) -> Names:
        scope = self.scope(node)
        if scope not in self._names:
            self._names[scope] = self._find(scope, self.function(node))
        return self._names[scope]

    def _find(self, scope: Any, name: str) -> Names:
        variables: dict[str, None] = {}
        attributes: dict[str, dict[str, None]] = {}
        if isinstance(scope, FUNCTIONS):
            arguments = scope.args
            for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
                if argument.arg not in ("self", "cls"):
                    variables[argument.arg] = None
        for each in trees.walk(scope):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                variables[each.id] = None
        seen = self._values.get((self._file.path, name), {})
        owner = self._owner(scope)
        for each in trees.walk(owner if isinstance(owner, ast.ClassDef) else scope):
            if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
                attributes.setdefault(each.value.id, {})[each.attr] = None
        called = {
            each.func.attr
            for each in trees.walk(owner or scope)
            if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)
        }
        return Names(
            list(variables)[:MOST_VARIABLES],
            {of: [each for each in found if each not in called][:MOST_VARIABLES]
             for of, found in attributes.items()},
            self._functions if len(self._functions) <= MOST_VARIABLES else {},
            {held: texts for held, texts in seen.items() if held.isidentifier()},
            _numbers(scope),
            _texts(scope),
            self._types,
            set(_said(scope)),
            list(dict.fromkeys((*facts.own_words(scope), *self._calls.words)))[:MOST_WORDS],
            facts.facts(scope, owner),
            self._calls,
            {held[:-1]: parts for held, parts in seen.items() if held.endswith(".")},
            {held[:-2]: kind for held, (kind, *_) in seen.items() if held.endswith("[]")},
        )  # fmt: skip

    def atoms(self, node: ast.AST) -> list[str]:
        """The conditions that a function has, each by itself."""
        scope = self.scope(node)
        if scope not in self._atoms:
            found: dict[str, None] = {}
            for each in trees.walk(scope):
                test = getattr(each, "test", None)
                if test is not None:
                    parts = test.values if isinstance(test, ast.BoolOp) else [test]
                    asked = [each for each in parts if not isinstance(each, ast.Constant)]
                    found.update(dict.fromkeys(map(ast.unparse, asked)))
            for variable in self.names(node).variables[:6]:
                found[variable] = None
            self._atoms[scope] = list(found)[:MOST_ATOMS]
        return self._atoms[scope]

    def lengths(self, node: ast.AST) -> list[str]:
        """Conditions on lengths that the function does not ask."""
        scope = self.scope(node)
        if scope not in self._lengths:
            self._lengths[scope] = list(dict.fromkeys(missing_cases.lengths(scope)))[:3]
        return self._lengths[scope]

    def held(self, statement: Any) -> bool:
        """Whether a condition held in the failing tests, as far as lines tell."""
        return statement.body[0].lineno in self._lines

    def loops(self, node: ast.AST) -> list[ast.AST]:
        """The loops around, in the function, the innermost first."""
        found: list[ast.AST] = []
        while node in self._file.place:
            node = self._file.place[node][0]
            if isinstance(node, ast.For | ast.While | ast.AsyncFor):
                found.append(node)
            elif isinstance(node, FUNCTIONS):
                break
        return found

    def copies(self, node: ast.AST) -> list[str]:
        """Statements of the function around, which may be missing here."""
        scope = self.scope(node)
        if scope not in self._copies:
            owner = self._owner(scope)
            found = [*copies(scope), *missing_cases.raised(scope), *missing_cases.kept(scope)]
            found += missing_cases.called_elsewhere(scope, owner, self.names(node).variables)
            self._copies[scope] = list(dict.fromkeys(found))
        return self._copies[scope]

    def fillings(self, node: ast.AST) -> list[str]:
        """What may be missing where nothing is done."""
        scope = self.scope(node)
        owner = self._owner(scope)
        return inserted_statements.fillings(scope, owner, self._file.tree, self.names(node))

    def returns(self, node: ast.AST) -> list[str]:
        """The `return`s that the function has somewhere, and might have."""
        scope = self.scope(node)
        if not isinstance(scope, FUNCTIONS):
            return []
        if scope not in self._returns:
            own = list(trees.own(scope))
            if any(isinstance(each, ast.Yield | ast.YieldFrom) for each in own):
                return self._returns.setdefault(scope, ["return"])  # what it returns is not seen
            found: dict[str, None] = {}
            for each in own:
                if isinstance(each, ast.Return) and each.value is not None:
                    found[ast.unparse(each.value)] = None
            names = self.names(node)
            # What was filled step by step is what a function is for.
            found.update(dict.fromkeys((*names.facts.filled[:3], *names.variables[:6])))
            found.update(dict.fromkeys(("None", "0", "True", "False", "[]", "''", "1", "-1")))
            self._returns[scope] = [f"return {text}" for text in list(found)[:16]]
        return self._returns[scope]


def _numbers(scope: Any) -> list[str]:
    """Those that stand in a function; in a file there may be any."""
    found: dict[str, None] = {}
    for each in trees.walk(scope) if isinstance(scope, FUNCTIONS) else ():
        if isinstance(each, ast.Constant) and type(each.value) is int and each.value > 1:
            found[repr(each.value)] = None
    return list(found)[:MOST_NUMBERS]


def _texts(scope: Any) -> list[str]:
    """Short texts that stand in a function."""
    found: dict[str, None] = {}
    for each in trees.walk(scope) if isinstance(scope, FUNCTIONS) else ():
        if isinstance(each, ast.Constant) and type(each.value) is str:
            found[repr(each.value)] = None
    return [each for each in found if 0 < len(ast.literal_eval(each)) <= LONG_TEXT][:MOST_TEXTS]


def _said(scope: Any) -> Iterator[str]:
    """The variables that a function takes for texts, by the methods that it calls."""
    for each in trees.walk(scope) if isinstance(scope, FUNCTIONS) else ():
        if (
            isinstance(each, ast.Attribute)
            and each.attr in OF_TEXTS
            and isinstance(each.value, ast.Name)
        ):
            yield each.value.id
