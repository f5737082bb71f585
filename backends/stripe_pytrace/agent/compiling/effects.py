"""The reads and writes of one statement, without those of the statements within it."""

from __future__ import annotations

import _ast as ast

from .namespaces import Scope
from .trees import children, fields, walk

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

Flow = tuple[tuple[str, ...], tuple[str, ...]]


# Methods of built-in types that leave the object as it is.
PURE_METHODS = frozenset(
    """
    as_integer_ratio bit_count bit_length capitalize casefold center conjugate copy count decode
    difference encode endswith expandtabs find format format_map from_bytes fromkeys get group
    groupdict groups hex index intersection is_integer isalnum isalpha isascii isdecimal isdigit
    isdisjoint isidentifier islower isnumeric isprintable isspace issubset issuperset istitle
    isupper items join keys ljust lower lstrip match most_common partition removeprefix
    removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith
    strip swapcase symmetric_difference title to_bytes translate union upper values zfill
    __init__ __repr__ __str__ isoformat strftime total_seconds fullmatch finditer findall
    """.split()  # noqa: SIM905
)

# Built-in functions that change an argument; classes and all others do not.
IMPURE_FUNCTIONS = frozenset({"next", "setattr", "delattr", "exec", "eval", "super", "anext"})

# Library modules with a state of their own.
STATEFUL_MODULES = frozenset({"random", "os", "sys", "sqlite3", "logging", "shutil"})

# Library modules whose functions leave their arguments as they are.
PURE_MODULES = frozenset(
    """
    math cmath re json itertools functools operator string textwrap statistics copy time datetime
    decimal fractions collections hashlib struct base64 typing
    """.split()  # noqa: SIM905
)

SELF = "self"

# Called with these names, a function or method works on files.
FILE_CALLS = frozenset(
    """
    open write writelines writerow writerows write_text write_bytes read_text read_bytes unlink
    remove rename replace_file mkdir makedirs rmdir rmtree touch dump symlink truncate close flush
    """.split()  # noqa: SIM905
)


class Effects:
    """Collects the reads and writes of one statement's own part."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.reads: dict[str, None] = {}
        self.writes: dict[str, None] = {}
        self.hidden: list[str] = []  # names of a lambda or comprehension

    def of(self, tree: Any) -> Flow:
        method = getattr(self, "_" + type(tree).__name__.lower(), None)
        if method is not None:
            method(tree)
        else:
            for child in own_parts(tree):
                self.visit(child)
        return tuple(self.reads), tuple(self.writes)

    # -- statements that are more than their expressions

    def _functiondef(self, tree: Any) -> None:
        given = tree.args
        parts = [*tree.decorator_list, *given.defaults, *given.kw_defaults, tree.returns]
        every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
        parts += [each.annotation for each in every if each is not None]
        for part in parts:
            if part is not None:
                self.visit(part)
        self.bind(tree.name)

    _asyncfunctiondef = _functiondef

    def _classdef(self, tree: ast.ClassDef) -> None:
        for part in (*tree.decorator_list, *tree.bases, *tree.keywords):
            self.visit(part)
        self.bind(tree.name)

    def _return(self, tree: ast.Return) -> None:
        if tree.value is not None:
            self.visit(tree.value)
        self.write("<return>")

    def _for(self, tree: Any) -> None:
        self.visit(tree.iter)
        self.visit(tree.target)
        self.update("<next>")

    _asyncfor = _for

    def _augassign(self, tree: ast.AugAssign) -> None:
        self.visit(tree.value)
        if isinstance(tree.target, ast.Name):
            self.use(tree.target.id)
            if tree.target.id == SELF:  # surely no number
                self.mutate_name(SELF, "*")
        elif isinstance(tree.target, ast.Attribute):
            self.read("." + tree.target.attr)
        self.visit(tree.target)

    def _annassign(self, tree: ast.AnnAssign) -> None:
        if self.scope.outer is None or self.scope.is_class:
            self.visit(tree.annotation)
        if tree.value is not None:
            self.visit(tree.value)
            self.visit(tree.target)
        if self.scope.is_class and self.scope.is_looked_at:
            self.write("<return>")  # the decorator or base of a class may ask what it declares

    def _import(self, tree: ast.Import) -> None:
        for alias in tree.names:
            self.modules(alias.name)
            self.bind(alias.asname or alias.name.partition(".")[0])

    def modules(self, name: str) -> None:
        """A module is imported, and with it the packages that it is in."""
        parts = name.split(".")
        for count in range(1, len(parts) + 1):
            self.read(".".join(parts[:count]) + "::")

    def _importfrom(self, tree: ast.ImportFrom) -> None:
        module = tree.module or ""
        if module:
            self.modules(module)
        for alias in tree.names:
            if alias.name == "*":
                self.write(f"{module}::*")
                continue
            if module:
                self.read(f"{module}::{alias.name}")
            self.read(f"{module}.{alias.name}::".lstrip("."))  # perhaps a module
            self.bind(alias.asname or alias.name)

    def _global(self, tree: Any) -> None:
        pass

    _nonlocal = _global

    # -- expressions

    def visit(self, node: ast.AST) -> None:
        """Note what evaluating ``node`` reads and writes."""
        method = getattr(self, "visit_" + type(node).__name__.lower(), None)
        if method is not None:
            method(node)
        else:
            for child in children(node):
                self.visit(child)

    def visit_name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.use(node.id)
        elif isinstance(node.ctx, ast.Store):
            self.bind(node.id)
        else:
            self.use(node.id)
            self.bind(node.id)

    def visit_attribute(self, node: ast.Attribute) -> None:
        self.visit(node.value)
        if isinstance(node.value, ast.Name):
            module = self.scope.module_of(node.value.id)
            if module is not None:
                if node.value.id == "sys" and node.attr in ("stdin", "__stdin__"):
                    self.update("<stdin>")
                self.read(f"{module or node.value.id}::{node.attr}")
                return
        if isinstance(node.ctx, ast.Load):
            self.read("." + node.attr)
        else:
            self.write("." + node.attr)

    def visit_subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)
        self.visit(node.slice)
        if not isinstance(node.ctx, ast.Load):
            self.mutate(node.value, "*")

    def visit_call(self, node: ast.Call) -> None:
        for child in children(node):
            self.visit(child)
        called = node.func
        name = ""
        hands_over = True
        if isinstance(called, ast.Attribute):
            name = called.attr
            module = None
            if isinstance(called.value, ast.Name):
                module = self.scope.module_of(called.value.id)
            pure = name in PURE_METHODS
            if module is not None:
                top = module.partition(".")[0]
                pure = pure or top in PURE_MODULES
                if top in STATEFUL_MODULES:
                    self.mutate(called.value, "*")
            elif not pure:
                self.mutate(called.value, "?")
                if is_super(called.value):
                    self.mutate_name(SELF, "?")
            elif name == "__init__":  # of a base
                self.mutate_name(self.object_made(node, called.value), "?")
            hands_over = not pure
            if is_stream(called.value):
                self.streams(called.value, name)
                return
        elif isinstance(called, ast.Name):
            name = called.id
            if self.scope.locate(name) is None:
                self.builtin(node, name)
                hands_over = name in IMPURE_FUNCTIONS
        if name in FILE_CALLS:
            self.update("<file>")
        if name in ("exit", "_exit", "quit", "abort"):
            self.write("<exit>")
        if hands_over:
            for argument in (*node.args, *(each.value for each in node.keywords)):
                self.mutate(argument, "?")

    @staticmethod
    def object_made(node: ast.Call, base: ast.expr) -> str:
        """The name of the object that a call of ``base.__init__`` makes, as it is by custom."""
        first = node.args[0] if node.args and not isinstance(base, ast.Call) else None
        return first.id if isinstance(first, ast.Name) else SELF

    def builtin(self, node: ast.Call, name: str) -> None:
        """A call of a built-in function."""
        if name == "print":
            stream = next((each.value for each in node.keywords if each.arg == "file"), None)
            if stream is None:
                self.write("<stdout>")
            elif is_stream(stream):
                self.streams(stream, "write")
            else:
                self.update("<file>")
                self.mutate(stream, "*")
        elif name in ("locals", "vars", "dir") and not node.args and not node.keywords:
            if self.scope.outer is not None:
                for each in sorted(self.scope.bound):
                    self.use(each)
        elif name == "input":
            self.update("<stdin>")
            if node.args:
                self.write("<stdout>")

    def streams(self, stream: ast.expr, method: str) -> None:
        """A method of a standard stream is called."""
        assert isinstance(stream, ast.Attribute)
        name = stream.attr.strip("_")
        if name in ("stdout", "stderr"):
            self.write(f"<{name}>")
        elif name == "buffer":
            self.streams(stream.value, method)

    def visit_yield(self, node: ast.AST) -> None:
        for child in children(node):
            self.visit(child)
        self.write("<return>")

    visit_yieldfrom = visit_await = visit_yield

    def visit_lambda(self, node: ast.Lambda) -> None:
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        given = node.args
        every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
        names = [each.arg for each in every if each is not None]
        self.hidden += names
        self.visit(node.body)
        del self.hidden[len(self.hidden) - len(names) :]

    def visit_listcomp(self, node: Any) -> None:
        names = [
            each.id
            for generator in node.generators
            for each in walk(generator.target)
            if isinstance(each, ast.Name)
        ]
        self.visit(node.generators[0].iter)
        self.hidden += names
        for child in children(node):
            if child is not node.generators[0]:
                self.visit(child)
        for condition in node.generators[0].ifs:
            self.visit(condition)
        del self.hidden[len(self.hidden) - len(names) :]

    visit_setcomp = visit_dictcomp = visit_generatorexp = visit_listcomp

    def visit_matchas(self, node: Any) -> None:
        for child in children(node):
            self.visit(child)
        if node.name:
            self.bind(node.name)

    visit_matchstar = visit_matchas

    def visit_matchmapping(self, node: ast.MatchMapping) -> None:
        for child in children(node):
            self.visit(child)
        if node.rest:
            self.bind(node.rest)

    # -- noting

    def read(self, location: str) -> None:
        self.reads[location] = None

    def write(self, location: str) -> None:
        self.writes[location] = None

    def update(self, location: str) -> None:
        self.read(location)
        self.write(location)

    def use(self, name: str) -> None:
        if name in self.hidden:
            return
        location = self.scope.locate(name)
        if location is not None:
            self.read(location)

    def bind(self, name: str) -> None:
        if name in self.hidden:
            return
        location = self.scope.locate(name)
        if location is not None:
            self.write(location)
            if self.scope.is_class:
                self.write("." + name)

    def mutate(self, node: ast.AST, how: str) -> None:
        """What ``node`` refers to is changed (``*``), or handed to somebody who may (``?``)."""
        while True:
            if isinstance(node, (ast.Subscript, ast.Starred)):
                node = node.value
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                node = node.func.value
            elif isinstance(node, ast.Attribute) and node.attr == "__dict__":
                node = node.value
            else:
                break
        if isinstance(node, ast.Attribute):
            self.write(f"{how}.{node.attr}")
        elif isinstance(node, ast.Name):
            self.mutate_name(node.id, how)

    def mutate_name(self, name: str, how: str) -> None:
        """The same, of what a name refers to."""
        location = None if name in self.hidden else self.scope.locate(name)
        if location is not None:
            self.write(how + location)
            if name in self.scope.parameters:
                self.write(how + "<argument>")


def is_super(node: ast.expr) -> bool:
    """Whether it is the object as one of its base class."""
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
    )


def own_parts(tree: Any) -> Iterator[ast.AST]:
    """The expressions of a statement outside of its blocks."""
    for field, value in fields(tree):
        if field in ("body", "handlers", "orelse", "finalbody"):
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.match_case):
                yield part.pattern
                if part.guard is not None:
                    yield part.guard
            elif isinstance(part, ast.AST):
                yield part


def is_stream(node: ast.AST) -> bool:
    """Whether an expression is ``sys.stdout`` or another of the standard streams."""
    if isinstance(node, ast.Attribute) and node.attr == "buffer":
        node = node.value
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "sys"
        and node.attr.strip("_") in ("stdout", "stderr")
    )
