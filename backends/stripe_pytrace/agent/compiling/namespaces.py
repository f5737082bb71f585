"""Which names a module, function or class body binds, and where a name used in it lives."""

from __future__ import annotations

import _ast as ast
import builtins

from .trees import children, walk

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from typing import Any

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
BUILTINS = frozenset(dir(builtins))


class Scope:
    """The names of a module, function or class body."""

    def __init__(self, tree: Any, name: str, outer: Scope | None) -> None:
        self.outer = outer
        self.name = name
        self.is_class = isinstance(tree, ast.ClassDef)
        # Whether somebody may look at all that a class has, as dataclasses do.
        self.is_looked_at = self.is_class and bool(tree.decorator_list or tree.bases)
        self.bound: set[str] = set()
        self.shared: set[str] = set()  # used by functions inside
        self.declared: dict[str, bool] = {}  # name: whether global (else nonlocal)
        self.parameters: set[str] = set()
        self.modules: dict[str, str] = {}  # names that imports bound to modules
        if isinstance(tree, FUNCTIONS):
            given = tree.args
            every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
            self.parameters = {each.arg for each in every if each is not None}
        self.bound |= self.parameters
        for statement in tree.body:
            self._bind(statement)
        self.bound -= self.declared.keys()
        top = self.module()
        top.bound.update(name for name, is_global in self.declared.items() if is_global)

    def module(self) -> Scope:
        scope = self
        while scope.outer is not None:
            scope = scope.outer
        return scope

    def _bind(self, statement: ast.AST) -> None:
        """Collect what a statement binds, without what functions inside bind."""
        todo: list[ast.AST] = [statement]
        while todo:
            node = todo.pop()
            if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                self.bound.add(node.name)
                continue
            if isinstance(node, ast.Lambda):
                continue
            if isinstance(node, COMPREHENSIONS):
                # Only `:=` binds outside of it.
                self.bound.update(
                    each.target.id for each in walk(node) if isinstance(each, ast.NamedExpr)
                )
                continue
            if isinstance(node, (ast.Global, ast.Nonlocal)):
                self.declared.update(dict.fromkeys(node.names, isinstance(node, ast.Global)))
            elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                self.bound.add(node.id)
            elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
                self.bound.add(node.name)
            elif isinstance(node, ast.MatchMapping) and node.rest:
                self.bound.add(node.rest)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                for alias in node.names:
                    name = alias.asname or alias.name.partition(".")[0]
                    self.bound.add(name)
                    if isinstance(node, ast.Import):
                        self.modules[name] = alias.name if alias.asname else name
                    elif alias.name[:1].islower():
                        self.modules.setdefault(name, "")  # perhaps a module
            todo += children(node)

    def locate(self, name: str) -> str | None:
        """The location of a name used here; None for what is built in."""
        if self.outer is None:
            return f"::{name}" if name in self.bound or name not in BUILTINS else None
        if name in self.bound:
            return f"{self.name}:{name}" if name in self.shared else name
        is_global = self.declared.get(name, False)
        outer: Scope = self.outer
        while not is_global and outer.outer is not None:
            if name in outer.bound and not outer.is_class:
                return f"{outer.name}:{name}"
            outer = outer.outer
        return self.module().locate(name)

    def share(self, name: str) -> None:
        """A function inside uses ``name``, which it does not bind."""
        scope: Scope | None = self
        while scope is not None and scope.outer is not None:
            if name in scope.bound and not scope.is_class:
                scope.shared.add(name)
                return
            scope = scope.outer

    def module_of(self, name: str) -> str | None:
        """The module that ``name`` stands for, as far as imports tell."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.bound:
                return scope.modules.get(name)
            scope = scope.outer
        return None
