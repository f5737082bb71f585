"""What a run does otherwise at one of its events: a variable is set, a statement left out.

Variables are set in the frame that stands at the event.  Statements are compiled anew, with a
question before them: whether the run is at that event.  The run up to there is the same; the host
compares its path.
"""

from __future__ import annotations

import ast
import builtins
from _frozen_importlib_external import SourceFileLoader
from collections.abc import Callable
from typing import Any

from ..compiling.versions import locals_writer
from ..observing.states import Plain
from .inspection import Expression

AT, TURN = "__stripe_at__", "__stripe_turn__"
"""What changed code calls; names that nobody else has."""


class CannotAlter(Exception):
    """What is asked cannot be done there, and why."""


class Alterations(Plain):
    """``orders``, each with its ``event`` and ``kind``.

    ``refuse`` is told why one cannot be made, and does not return.

    ``set``: the statement ``text`` is executed in the ``frame``-th call.  ``skip``, ``turn``,
    ``return``: of the statement at ``line`` of ``file``, which is left out, or the condition of
    which counts as its opposite, or in place of which the function returns the value of ``text``.
    """

    now: Callable[[], int]

    def __init__(self, orders: list[dict[str, Any]], refuse: Callable[[str], Any]) -> None:
        super().__init__()
        self._refuse = refuse
        self._sets = sorted((o for o in orders if o["kind"] == "set"), key=lambda o: o["event"])
        self._edits: dict[str, list[dict[str, Any]]] = {}
        self.left = {order["event"] for order in orders}
        """The events of those that were not made yet."""
        for order in orders:
            if order["kind"] != "set":
                self._edits.setdefault(order["file"], []).append(order)
        if self._edits:
            self._install()
        self._write = locals_writer() if self._sets else None

    def _install(self) -> None:
        builtins.__dict__[AT], builtins.__dict__[TURN] = self._at, _turned
        plain, edits, main = SourceFileLoader.get_code, self._edits, self.main

        def get_code(loader: Any, name: str) -> Any:
            path = loader.get_filename(name)
            return main(path) if path in edits else plain(loader, name)

        SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]

    def main(self, path: str) -> Any:
        """The code of a file, with what asks for the event where a statement is altered."""
        if path not in self._edits:
            return super().main(path)
        with open(path, "rb") as stream:
            tree = ast.parse(stream.read(), path)
        try:
            for order in self._edits[path]:
                _edit(tree, order)
            return compile(tree, path, "exec", dont_inherit=True)
        except (CannotAlter, SyntaxError) as error:
            return self._refuse(str(error))

    def _at(self, event: int) -> bool:
        if self.now() != event or event not in self.left:
            return False
        self.left.discard(event)
        return True

    @property
    def next_event(self) -> int | None:
        """The event at which variables are to be set next, if there is one."""
        return self._sets[0]["event"] if self._sets else None

    def make(self, event: int, stack: Callable[[], list[Any]]) -> None:
        """Set what is to be set at this event."""
        while self._sets and self._sets[0]["event"] <= event:
            order = self._sets.pop(0)
            try:
                frame = stack()[order["frame"]]
                assert self._write is not None
                self._write(frame, _assigned(frame, order["text"]))
            except Exception as error:
                self._refuse(f"{type(error).__name__}: {error}")
            self.left.discard(order["event"])


def _assigned(frame: Any, text: str) -> dict[str, Any]:
    """Execute a statement; the frame's own variables that it sets.  Global ones are set."""
    names = dict(frame.f_locals)
    before = dict(names)
    exec(Expression(text).code, frame.f_globals, names)
    code = frame.f_code
    own = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}
    found = {}
    for name, value in names.items():
        if name in before and before[name] is value:
            continue
        if frame.f_locals is frame.f_globals or name in own:
            found[name] = value
        elif name in frame.f_globals:
            frame.f_globals[name] = value
        else:
            raise NameError(f"{name!r} is no variable there")
    return found


def _turned(turns: bool, value: Any) -> Any:
    return not value if turns else value


def _edit(tree: ast.Module, order: dict[str, Any]) -> None:
    """Have the statement of a line ask whether the run is at the order's event."""
    line, kind = order["line"], order["kind"]
    block, place = _statement_at(tree, line)
    statement = block[place]
    at = _call(AT, ast.Constant(order["event"]))
    if kind == "turn":
        if not isinstance(statement, (ast.If, ast.While, ast.Assert)):
            raise CannotAlter("only if, while and assert have a condition that can be turned")
        statement.test = _call(TURN, at, statement.test)
    elif kind == "skip":
        block[place] = ast.If(ast.UnaryOp(ast.Not(), at), [statement], [])
    else:
        try:
            value = ast.parse(order["text"].strip(), mode="eval").body
        except SyntaxError as error:
            raise CannotAlter(f"SyntaxError: {error}") from None
        block.insert(place, ast.If(at, [ast.Return(value)], []))
        for node in ast.walk(value):
            ast.copy_location(node, statement)
    place_of = block[place] if kind != "turn" else statement
    for node in ast.walk(place_of):
        if not hasattr(node, "lineno"):
            ast.copy_location(node, statement)


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _statement_at(tree: ast.Module, line: int) -> tuple[list[ast.stmt], int]:
    """The block and the place in it of the statement that begins in a line, with all in it."""
    found = [
        (block, place)
        for node in ast.walk(tree)
        for name in ("body", "orelse", "finalbody")
        if isinstance(block := getattr(node, name, None), list)
        for place, each in enumerate(block)
        if _begins(each) == line
    ]
    if not found:
        raise CannotAlter(f"no statement begins in line {line}")
    block, place = found[0]  # the outermost
    inside = [*ast.walk(block[place])]
    if any(other[number] not in inside for other, number in found):
        raise CannotAlter(f"several statements begin in line {line}")
    return block, place


def _begins(statement: ast.stmt) -> int:
    decorators = getattr(statement, "decorator_list", [])
    return int(min((each.lineno for each in decorators), default=statement.lineno))
