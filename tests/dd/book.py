"""The examples of the Debugging Book, chapter "Reducing Failure-Inducing Inputs", run on our dd.

The chapter debugs function calls: it reduces one argument after the other, numbers and caches its
tests by the values of the arguments, and calls a failure the same exception with the same text.
"""

from __future__ import annotations

import ast
import copy
import warnings
from collections.abc import Callable
from typing import Any, ClassVar

from stripe.dd import Configuration, Outcome, SetOrder, Tester, dd

HTML_MARKUP = """\
def remove_html_markup(s):  # type: ignore
    tag = False
    quote = False
    out = ""

    for c in s:
        if c == '<' and not quote:
            tag = True
        elif c == '>' and not quote:
            tag = False
        elif c == '"' or c == "'" and tag:
            quote = not quote
        elif not tag:
            out = out + c

    # postcondition
    assert '<' not in out and '>' not in out

    return out
"""
MARKUP_TEST = """\
if remove_html_markup('<foo>bar</foo>') != 'bar':
    raise RuntimeError("Missing functionality")
assert remove_html_markup('"foo"') == '"foo"', "My Test"
"""


def mystery(inp: str) -> None:
    if 0 <= inp.find("(") < inp.find(")"):
        raise ValueError("Invalid input")


def string_error(s1: str, s2: str) -> None:
    if s1 in s2:
        raise AssertionError("no substrings")


def list_error(l1: list[int], l2: list[int], maxlen: int) -> None:
    if not len(l1) < len(l2) < maxlen:
        raise AssertionError("invalid string length")


def myeval(inp: str) -> None:
    eval(inp)


def remove_html_markup(s: str) -> None:
    namespace: dict[str, Any] = {}
    exec(HTML_MARKUP, namespace)
    namespace["remove_html_markup"](s)


def run_characters(lines: list[str]) -> None:
    exec("".join(lines) + MARKUP_TEST, {}, {})


class Nodes:
    """Runs `remove_html_markup` without some nodes of its syntax tree."""

    def __init__(self, *, transform: bool) -> None:
        self.tree = ast.parse(HTML_MARKUP)
        self.transform = transform

    def all(self) -> list[ast.AST]:
        """All nodes, parents first, depth first."""
        found: list[ast.AST] = []

        class Collector(ast.NodeVisitor):
            def generic_visit(self, node: ast.AST) -> None:
                found.append(node)
                super().generic_visit(node)

        Collector().visit(self.tree)
        return found

    def reduced(self, keep_list: list[ast.AST]) -> ast.Module:
        for node in ast.walk(self.tree):
            node.marked = True  # type: ignore[attr-defined]
        for node in keep_list:
            node.marked = False  # type: ignore[attr-defined]
        tree = copy.deepcopy(self.tree)
        Reducer(transform=self.transform).visit(tree)
        return tree

    def run(self, keep_list: list[ast.AST]) -> None:
        tree = self.reduced(keep_list)
        tree.body += ast.parse(MARKUP_TEST).body
        try:
            code = compile(tree, "<string>", "exec")
        except Exception:
            raise SyntaxError("Cannot compile") from None
        exec(code, {}, {})


class Reducer(ast.NodeTransformer):
    """Deletes marked nodes, or puts something simpler in their place."""

    INSTEAD: ClassVar[dict[type[ast.AST], Callable[[Any], Any]]] = {
        ast.Assign: lambda node: ast.parse("pass").body[0],
        ast.Compare: lambda node: ast.parse("False", mode="eval").body,
        ast.BoolOp: lambda node: node.values[0],
        ast.If: lambda node: node.body,
    }

    def __init__(self, *, transform: bool) -> None:
        self.instead = self.INSTEAD if transform else {}

    def visit(self, node: Any) -> Any:
        # The book's visitor inherits visit_Constant, so constants stay as well.
        if isinstance(node, ast.Module | ast.Constant) or not node.marked:
            return self.generic_visit(node)
        return self.instead.get(type(node), lambda _: None)(node)


class CallReducer:
    """Reduces the arguments of a failing call, one after the other, until none gets smaller.

    `log` has one line per test, in the words of the book.
    """

    def __init__(self, function: Callable[..., None], mode: Any, **arguments: Any) -> None:
        self.function = function
        self.mode = mode
        self.log: list[str] = []
        self.failing = dict(arguments)
        self.passing = {
            name: type(value)() if reducible(value) else value for name, value in arguments.items()
        }
        self.difference = dict(arguments)
        self._cache: dict[Any, Outcome] = {}
        self._error = self._call(arguments)

    def reduce(self, order: list[str]) -> None:
        """Do it, beginning with the argument that comes first in `order`."""
        shrunk = grown = False
        self.test(self.failing)
        waiting = list(order)
        while waiting:
            name = waiting.pop(0)
            if not reducible(self.failing[name]):
                continue
            passing, failing, difference = self._reduce_argument(name)
            if len(passing) > len(self.passing[name]):
                self.passing[name], self.difference[name], grown = passing, difference, True
                waiting = [other for other in order if other != name]
            if len(failing) < len(self.failing[name]):
                self.failing[name], self.difference[name], shrunk = failing, difference, True
                waiting = [other for other in order if other != name]
        if grown:
            assert self.test(self.passing) is Outcome.PASS
        if shrunk:
            assert self.test(self.failing) is Outcome.FAIL

    def test(self, arguments: dict[str, Any]) -> Outcome:
        """Run a test, unless arguments with these values were tested; lists are not hashable."""
        try:
            key = frozenset(arguments.items())
            if key in self._cache:
                return self._cache[key]
        except TypeError:
            key = None
        error = self._call(arguments)
        outcome = Outcome.PASS if error is None else Outcome.UNRESOLVED
        if error is not None and describe(error) == describe(self._error):
            outcome = Outcome.FAIL
        if key is not None:
            self._cache[key] = outcome
        shown = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        detail = "" if error is None else f" ({describe(error)})"
        call = f"{self.function.__name__}({shown})"
        self.log.append(f"Test #{len(self.log) + 1} {call}: {outcome.name}{detail}")
        return outcome

    def _reduce_argument(self, name: str) -> tuple[Any, Any, Any]:
        value = self.failing[name]

        def part(configuration: Configuration[int]) -> Any:
            items = [value[index] for index in configuration]
            return "".join(items) if isinstance(value, str) else items

        tester = Tester[int](
            lambda configuration: self.test({**self.failing, name: part(configuration)}),
            cache=False,
        )
        order = SetOrder(len(value))
        result = dd(
            range(len(value)),
            tester,
            mode=self.mode,
            split=order,
            check=True,
            certify=False,
            narrator=order,
        )
        return part(result.passing), part(result.configuration), part(result.difference)

    def _call(self, arguments: dict[str, Any]) -> Exception | None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.function(**arguments)
        except Exception as error:
            return error
        return None


def reducible(value: Any) -> bool:
    """Whether there is something to leave out."""
    return isinstance(value, str | list) and len(value) > 0


def describe(error: Exception | None) -> str:
    name, text = type(error).__name__, str(error)
    return f"{name}: {text}" if text else name
