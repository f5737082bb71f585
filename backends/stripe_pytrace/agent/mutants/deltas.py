"""One change of one place in a file: made in its syntax tree, and compiled as one function.

A delta names a node by its number in the file's tree, says ``how`` (``replace`` it, put something
``before`` or ``after`` it, ``swap`` it with the next one, ``join`` it with that), and has the text
of what comes there.
Only the function around the place is compiled again; a place outside of functions takes the whole
file.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from types import CodeType
from typing import Any

from ..compiling import trees
from ..compiling.versions import GENERATOR_FLAGS

Delta = tuple[str, int, str, str]
"""File, number of the node, how, text."""

Replaced = tuple[str, CodeType, CodeType]
"""File, and the code of a function in it, or of all of it, before and after a change."""

REPLACE, BEFORE, AFTER, SWAP, JOIN = "replace", "before", "after", "swap", "join"
TURN = "turn"
TOGETHER = {JOIN: 2, TURN: 3}
"""How many statements one after the other are replaced together."""

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_FUTURE = 0x1FE0000  # the flags of ``from __future__ import ...``
_HEADERS = ("decorator_list", "returns", "type_params", "type_comment")


class Parsed:
    """A file of the user's: its tree, whose nodes are numbered, and the code it is compiled to."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path = path
        self.source = source
        self.tree = ast.parse(source)
        self.code = compile(source, path, "exec", dont_inherit=True)
        self.all_code = list(walk(self.code))
        self.nodes: list[ast.AST] = []
        self.place: dict[ast.AST, tuple[ast.AST, str, int]] = {}
        self._known: dict[ast.AST, Around] = {}
        self._units: dict[ast.AST, ast.FunctionDef | ast.AsyncFunctionDef | None] = {}
        self._number(self.tree)

    def _number(self, node: ast.AST) -> None:
        pending = [node]
        while pending:
            node = pending.pop()
            self.nodes.append(node)
            for field, value in ast.iter_fields(node):
                if isinstance(value, ast.AST):
                    if not isinstance(value, ast.expr_context | ast.operator | ast.cmpop
                                      | ast.boolop | ast.unaryop):  # fmt: skip
                        self.place[value] = (node, field, -1)
                        pending.append(value)
                elif isinstance(value, list):
                    for index, each in enumerate(value):
                        if isinstance(each, ast.AST) and not isinstance(each, ast.cmpop):
                            self.place[each] = (node, field, index)
                            pending.append(each)

    def unit(self, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """The outermost function in whose body a node is, ``None`` outside of all."""
        if node not in self._units:
            found, inner = None, node
            while inner in self.place:
                parent, field, _ = self.place[inner]
                if isinstance(parent, FUNCTIONS) and field == "body":
                    found = parent
                inner = parent
            self._units[node] = found
        return self._units[node]

    def span(self, number: int) -> tuple[int, int]:
        """The lines of the outermost function that a node is in; none outside of all."""
        unit = self.unit(self.nodes[number])
        return (0, 0) if unit is None else (first_line(unit), int(unit.end_lineno or 0))

    def statement(self, node: ast.AST) -> ast.AST:
        """The innermost statement that a node is in."""
        while not isinstance(node, ast.stmt) and node in self.place:
            node = self.place[node][0]
        return node

    def classes(self, node: ast.AST) -> list[str]:
        """The classes that an outermost function is in, the outermost first."""
        found: list[str] = []
        while node in self.place:
            node = self.place[node][0]
            if isinstance(node, ast.ClassDef):
                found.insert(0, node.name)
        return found

    def codes(self) -> dict[tuple[str, int], CodeType]:
        """The functions' code, by name and first line."""
        return {key(code): code for code in walk(self.code)}

    def changed(self, number: int, how: str, text: str) -> tuple[CodeType, CodeType]:
        """The code of a function, or of the whole file, before and after a change.

        Raises what the compiler raises, and ``ValueError`` if the functions have become others.
        """
        node = self.nodes[number]
        self._around(node)  # adds to its functions what is not undone
        parent, field, _ = self.place[node]
        before = getattr(parent, field)
        items = list(before) if isinstance(before, list) else None
        try:
            self.apply(number, how, text)
            return self.compiled(node)
        finally:
            if items is not None:
                before[:] = items
            setattr(parent, field, before)

    def apply(self, number: int, how: str, text: str) -> ast.AST:
        """Make the change in the tree, which is not undone; the node whose place it has."""
        node = self.nodes[number]
        parent, field, index = self.place[node]
        if isinstance(node, ast.stmt):
            fresh: list[Any] = list(ast.parse(text).body)
            _locate(fresh, node)
            block = getattr(parent, field)
            index = block.index(node)
            if how == SWAP:
                block[index : index + 2] = [block[index + 1], node]
            elif how in TOGETHER:
                block[index : index + TOGETHER[how]] = fresh
            elif how == REPLACE:
                block[index : index + 1] = fresh or [ast.copy_location(ast.Pass(), node)]
            else:
                after = index + (how == AFTER)
                block[after:after] = fresh
            return node
        new = ast.parse(text, mode="eval").body
        _locate([new], node)
        if index < 0:
            setattr(parent, field, new)
        else:
            getattr(parent, field)[index] = new
        return node

    def compiled(self, node: ast.AST) -> tuple[CodeType, CodeType]:
        """The code around a node, as it was and as it is now: of a function, or the file."""
        around = self._around(node)
        if around is None:
            return self.code, compile(self.tree, self.path, "exec", dont_inherit=True)
        new = around.compiled(self.path)
        if len(new.co_freevars) != len(around.old.co_freevars):
            raise ValueError("it uses other variables of the functions around it")
        return around.old, new

    def _around(self, node: ast.AST) -> Around | None:
        """The outermost function that a node is in."""
        unit = self.unit(node)
        if unit is None:
            return None
        if unit not in self._known:
            old = next(
                code
                for code in walk(self.code)
                if code.co_name == unit.name and code.co_firstlineno == first_line(unit)
            )
            self._known[unit] = Around(unit, self.classes(unit), old)
        return self._known[unit]


class Codes:
    """The code of files, with the change that is made; ``late``: old and new, by path."""

    def __init__(self, files: Mapping[str, Parsed]) -> None:
        self._files = files
        self.late: dict[str, tuple[CodeType, CodeType]] = {}

    def get(self, path: str) -> CodeType | None:
        """The code of a file, if it is one of ours."""
        file = self._files.get(path)
        if file is None:
            return None
        return replaced(file.code, *self.late[path]) if path in self.late else file.code


def first_line(node: Any) -> int:
    """The line of its first decorator, or its own: as compiled."""
    lines: list[int] = [node.lineno, *(each.lineno for each in node.decorator_list)]
    return min(lines)


def key(code: CodeType) -> tuple[str, int]:
    """What a function is known by in its file."""
    return code.co_qualname, code.co_firstlineno


def walk(code: CodeType) -> Iterator[CodeType]:
    """A code object and all in it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from walk(each)


def pairs(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """The functions in two versions of one that correspond."""
    yield old, new
    left = [each for each in new.co_consts if isinstance(each, CodeType)]
    for inner in old.co_consts:
        if isinstance(inner, CodeType):
            same = next((each for each in left if key(each) == key(inner)), None)
            if same is not None:
                left.remove(same)
                yield from pairs(inner, same)


def replaced(code: CodeType, old: CodeType, new: CodeType) -> CodeType:
    """Code in which one function's is replaced."""
    if code is old:
        return new
    constants = tuple(
        replaced(each, old, new) if isinstance(each, CodeType) else each for each in code.co_consts
    )
    if all(a is b for a, b in zip(constants, code.co_consts, strict=True)):
        return code
    return code.replace(co_consts=constants)


def _locate(fresh: list[Any], like: Any) -> None:
    """Let all that is new stand where the old was."""
    for top in fresh:
        for each in trees.walk(top):
            if hasattr(each, "lineno"):
                ast.copy_location(each, like)


class Around:
    """A function that can be compiled by itself, again and again; ``old``: as it is in the file."""

    def __init__(self, unit: Any, classes: list[str], old: CodeType) -> None:
        self.old = old
        self._unit = unit
        self._kept = _kept(old)
        self._names = (*classes, unit.name)
        codes = {key(each)[1]: each for each in walk(old)}
        for each in trees.walk(unit):
            if isinstance(each, FUNCTIONS) and each is not unit:
                inner = codes.get(first_line(each))
                if inner is not None and inner.co_name == each.name:
                    each.body += _kept(inner)
        self._bare = _bare(unit, old)
        body: list[Any] = [self._bare]
        for name in reversed(classes):
            around: Any = ast.parse(f"class {name}: pass").body[0]
            around.body = body
            body = [around]
        self._module = ast.Module(body=body, type_ignores=[])
        ast.fix_missing_locations(self._module)

    def compiled(self, path: str) -> CodeType:
        """Its code, with as much around it as decides about its names."""
        old = self.old
        self._bare.body = [*self._unit.body, *self._kept]
        flags = old.co_flags & _FUTURE
        code: CodeType = compile(self._module, path, "exec", flags=flags, dont_inherit=True)
        for name in self._names:
            code = next(each for each in walk(code) if each.co_name == name and each is not code)
        # Where it is defined: in a class or under a condition of the real file.
        return code.replace(co_firstlineno=old.co_firstlineno, co_qualname=old.co_qualname)


def _bare(unit: Any, old: CodeType) -> Any:
    """A function without a body, and without what is evaluated where it is defined.

    Like all in it, it goes on to use the variables of functions around it, and to be a generator:
    what has been defined already could not take other code.
    """
    fields = {name: getattr(unit, name) for name in unit._fields if name not in _HEADERS}
    arguments = unit.args
    plain = [ast.arg(arg=each.arg) for each in (*arguments.posonlyargs, *arguments.args)]
    count = len(arguments.posonlyargs)
    none = ast.Constant(value=None)
    fields["args"] = ast.arguments(
        posonlyargs=plain[:count],
        args=plain[count:],
        vararg=arguments.vararg and ast.arg(arg=arguments.vararg.arg),
        kwonlyargs=[ast.arg(arg=each.arg) for each in arguments.kwonlyargs],
        kw_defaults=[none if each else None for each in arguments.kw_defaults],
        kwarg=arguments.kwarg and ast.arg(arg=arguments.kwarg.arg),
        defaults=[none for _ in arguments.defaults],
    )
    bare = type(unit)(**fields | {"body": []}, decorator_list=[], type_params=[])  # 3.12 asks
    ast.copy_location(bare, unit)
    bare.lineno = old.co_firstlineno
    return bare


def _kept(code: CodeType) -> list[ast.stmt]:
    """What is never executed, and has a function use what it used."""
    lines = [f"if 0: {name}" for name in code.co_freevars]
    if code.co_flags & GENERATOR_FLAGS & ~0x80:
        lines.append("if 0: yield")
    return ast.parse("\n".join(lines)).body
