"""Copies of programs that count each statement which really executes, by means of their own.

A statement with an expression of its own tells its number when the expression is evaluated:
``x = f()`` becomes ``x = (_count_(7), f())[1]``.  It is still one statement, so the copy has the
events of the original.  What counts is a builtin of ``sitecustomize``, no code of the user's, and
knows nothing of STRIPE: it is another witness of what takes effect.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import Any

from stripe.trace import Trace

COUNTS = ".counts"
"""The file in the working directory that a run's counts go to."""

SITE = '''\
import builtins, fcntl, os, threading

FILE = os.environ.get("COUNTING_FILE")
PID, OUT = None, None

def _count_(number):
    """Tell that a statement executes: in the first process that does, in its main thread."""
    global PID, OUT
    if FILE is None or threading.current_thread() is not threading.main_thread():
        return
    if OUT is None:
        PID = os.getpid()
        opened = os.open(FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC)
        OUT = fcntl.fcntl(opened, fcntl.F_DUPFD_CLOEXEC, 100)
        os.close(opened)
    if os.getpid() == PID:
        os.write(OUT, b"%d\\n" % number)

builtins._count_ = _count_
'''


class Counting(ast.NodeTransformer):
    """Has each statement tell its number, from ``first`` on."""

    def __init__(self, first: int) -> None:
        self.next = first

    def _told(self, value: ast.expr | None) -> ast.expr:
        call = ast.Call(ast.Name("_count_", ast.Load()), [ast.Constant(self.next)], [])
        self.next += 1
        both = ast.Tuple([call, value or ast.Constant(None)], ast.Load())
        return ast.Subscript(both, ast.Constant(1), ast.Load())

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if not isinstance(node.value, ast.Constant):
            node.value = self._told(node.value)
        return node

    def visit_Assign(self, node: Any) -> Any:
        if node.value is not None:
            node.value = self._told(node.value)
        return node

    visit_AugAssign = visit_AnnAssign = visit_Return = visit_Assign

    def visit_If(self, node: Any) -> ast.AST:
        node.test = self._told(node.test)
        return self.generic_visit(node)

    visit_While = visit_If

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        node.test = self._first(node.test)
        return node

    def _first(self, node: Any) -> Any:
        """Have what is evaluated first tell: what an ``assert`` compares has to stay visible."""
        match node:
            case ast.BoolOp():
                node.values[0] = self._first(node.values[0])
            case ast.UnaryOp(ast.Not()):
                node.operand = self._first(node.operand)
            case ast.Compare():
                node.left = self._first(node.left)
            case ast.Call():
                node.func = self._first(node.func)
            case ast.Attribute():
                node.value = self._first(node.value)
            case _:
                return self._told(node)
        return node

    def visit_For(self, node: Any) -> ast.AST:
        node.iter = self._told(node.iter)
        return self.generic_visit(node)

    visit_AsyncFor = visit_For

    def visit_With(self, node: Any) -> ast.AST:
        node.items[0].context_expr = self._told(node.items[0].context_expr)
        return self.generic_visit(node)

    visit_AsyncWith = visit_With

    def visit_Match(self, node: ast.Match) -> ast.AST:
        node.subject = self._told(node.subject)
        return self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        if node.exc is not None:
            node.exc = self._told(node.exc)
        return node

    def visit_FunctionDef(self, node: Any) -> ast.AST:
        # Finalizers may run when the interpreter ends, and has no builtin of ours any more.
        return node if node.name == "__del__" else self.generic_visit(node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node


def count_in(file: Path, first: int) -> int:
    """Have a file count, from number ``first`` on; the number after its last."""
    counting = Counting(first)
    tree = counting.visit(ast.parse(file.read_bytes()))
    file.write_text(ast.unparse(ast.fix_missing_locations(tree)) + "\n")
    return counting.next


class Counts:
    """What the statements of a recorded counting copy are called."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.number: dict[int, int] = {}  # statement: its number
        places = {
            (statement.file, statement.line, statement.column): statement.id
            for statement in trace.statements
        }
        for index, file in enumerate(trace.files):
            for node in ast.walk(ast.parse(file.text)):
                told = number_of(node)
                if told is not None and isinstance(node, ast.stmt):
                    statement = places.get((index, node.lineno, node.col_offset))
                    if statement is not None:
                        self.number[statement] = told

    def expected(self, events: Any) -> Counter[int]:
        """How often each statement counts if just ``events`` take effect."""
        statement = self.trace.statement
        numbers = (self.number.get(statement[event]) for event in events)
        return Counter(number for number in numbers if number is not None)

    def where(self, number: int) -> str:
        """The place of the statement with a number."""
        for statement, each in self.number.items():
            if each == number:
                found = self.trace.statements[statement]
                return f"{self.trace.files[found.file].path}:{found.line}"
        return f"number {number}"

    def loops(self) -> set[int]:
        """Numbers of headers that fetch: they count once a loop, not once an item."""
        kinds = {"For", "AsyncFor"}
        return {
            number
            for statement, number in self.number.items()
            if self.trace.statements[statement].kind in kinds
        }


def number_of(node: ast.AST) -> int | None:
    """The number a statement tells, if it does."""
    for name in ("value", "test", "iter", "subject", "exc", "items"):
        part = getattr(node, name, None)
        if isinstance(part, list):
            part = part[0].context_expr
        for each in ast.walk(part) if isinstance(node, ast.Assert) and part else [part]:
            match each:
                case ast.Subscript(
                    ast.Tuple([ast.Call(ast.Name("_count_"), [ast.Constant(n)]), _])
                ):
                    return n if isinstance(n, int) else None
    return None


def counted(directory: Path) -> Counter[int]:
    """What a run in ``directory`` has counted."""
    try:
        return Counter(map(int, (directory / COUNTS).read_text().split()))
    except FileNotFoundError:
        return Counter()
