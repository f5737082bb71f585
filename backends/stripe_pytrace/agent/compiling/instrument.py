"""Compile a program so that control reports every statement before it takes effect.

One pass over the syntax tree serves recording and partial execution; the two differ only
in what stands at a site, chosen by a *dialect* (``dialects.py``).  All original nodes keep
their positions, so tracebacks, warnings and logging print what they always print.  Nothing
is added to any namespace: what the inserted code uses is embedded as constants of the code
objects (``linker.py``), because a local or global of ours would show in ``locals()`` or ``dir()``.
"""

from __future__ import annotations

import _ast as ast
from types import CodeType

from . import sites
from .annotations import NAME, Holder, are_deferred, evaluated
from .asserts import noting
from .compiler_warnings import CompilerWarnings
from .dialects import Dialect, Placeholder
from .linker import Function, key_of, link, mark
from .runs import is_constant, run_lengths, suspends
from .trees import at, call, const, fix_missing_locations, parse, walk
from .versions import HERE, as_lazy, fetch_offsets, places

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Container, Sequence
    from typing import Any

Block = list[ast.stmt]
BLOCKS = (ast.If, ast.While, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith)


class Node:
    """One statement or except clause, as the trace's tables need it (see ``sites``)."""

    __slots__ = (
        "arms", "body_end", "column", "end", "end_line", "function", "header_end", "jumps",
        "kind", "line", "number", "parent",
    )  # fmt: skip

    def __init__(self, number: int, tree: Any, function: int, parent: int) -> None:
        self.number = number
        self.kind = "Annotation" if isinstance(tree, ast.expr) else type(tree).__name__
        decorators = getattr(tree, "decorator_list", None)
        self.line = decorators[0].lineno if decorators else tree.lineno
        self.column = tree.col_offset
        self.end_line = tree.end_lineno
        self.header_end = header_end(tree)
        self.function = function
        self.parent = parent
        self.end = self.body_end = number
        self.arms: list[int] = []  # match: the first node of each case's body
        self.jumps = ""  # kinds of jumps inside: r(eturn, raise), b(reak), c(ontinue)

    def row(self) -> tuple[Any, ...]:
        """The node as plain data, to be sent to the host."""
        return (
            self.kind, self.line, self.header_end, self.end_line, self.column, self.function,
            self.parent, self.end, self.body_end, tuple(self.arms), self.jumps,
        )  # fmt: skip


def header_end(tree: Any) -> int:
    """The last line of a statement's own part, before its first block."""
    blocks = [getattr(tree, name, None) for name in ("body", "cases", "handlers")]
    for block in blocks:
        if isinstance(block, list) and block:
            first = block[0]
            start: Any = getattr(first, "pattern", first)
            lines = [d.lineno for d in getattr(start, "decorator_list", [])]
            below: int = min([*lines, start.lineno])
            parts = [
                part
                for name in ("test", "iter", "target", "items", "args", "returns", "subject",
                             "bases", "keywords", "type", "type_params")
                for part in as_list(getattr(tree, name, None))
            ]  # fmt: skip
            line: int = tree.lineno
            last = max([own_end(part) for part in parts] + [line])
            return max(line, min(last, below))
    return int(tree.end_lineno)


def own_end(part: Any) -> int:
    """The last line of an expression or of something made of expressions."""
    return max((int(getattr(node, "end_lineno", 0) or 0) for node in walk(part)), default=0)


def as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


class Unsupported(Exception):
    """A statement that cannot be instrumented; carries its line."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line
        self.why = why


class Instrumenter:
    """Instruments one file.

    ``first_site`` and ``first_node`` are the numbers its sites and nodes start from, so
    that they are unique across files; ``first_function`` likewise.  ``probes`` maps a line
    to the (number, expression source) pairs to observe there.  ``aside``: that the module is
    imported is part of the statement that imports it, and only calls of its functions are recorded.
    """

    def __init__(
        self,
        dialect: Dialect,
        first_site: int,
        first_node: int,
        first_function: int,
        probes: dict[int, list[tuple[int, str]]] | None = None,
        whole: Sequence[str] = (),
        aside: bool = False,
    ) -> None:
        self.dialect = dialect
        self.aside = aside
        self._outside = aside  # amid what is only executed when the module is imported
        self.first_site = first_site
        self.first_node = first_node
        self.first_function = first_function
        self.probes = probes or {}
        self.sites: list[tuple[int, int, int]] = []  # kind, node, number of codes
        self.nodes: list[Node] = []
        self.functions: list[tuple[str, int, int]] = []  # qualified name, first line, node
        self.function_of: dict[tuple[int, str], int] = {}
        self.fetches: dict[tuple[int, int, int, int], int] = {}  # position of FOR_ITER: site
        self.annotating: dict[tuple[int, int], int] = {}  # start of an annotation: function
        self.tracked: list[Function] = []
        self.runs: dict[int, int] = {}  # sites: how many statements are reported there
        self.noting: set[int] = set()  # functions whose code notes that they start
        self.resuming: set[int] = set()  # those whose code tells that they are resumed
        self._telling: list[Container[Any]] = []  # their statements that do
        self.tangled = False  # whether something is done when a generator is closed
        self.leads: dict[int, int] = {}  # functions: the site that their start reports
        self._whole = whole
        self._within = 0  # functions around that run whole
        self._source = b""
        self._spare: dict[tuple[int, int], Any] | None = None
        self.wholes: set[str] = set()
        self._run = 1
        self._function = first_function
        self._prefix = ""
        self._deferred = False

    def compile(self, source: bytes, filename: str, plain: CodeType) -> CodeType:
        """The instrumented code of ``source``, whose own code is ``plain``.

        Raises SyntaxError as ``compile`` does, and :class:`Unsupported`.
        """
        with CompilerWarnings():
            tree = parse(source, filename)
        self._source = source
        self._deferred = are_deferred(tree)
        self._enter_function("<module>", 0, -1)
        held = evaluated(tree)
        tree.body = self._scope_body(tree.body, -1)
        if self.aside:
            tree.body = set_aside(tree.body)
        self._annotations(held, 0, -1)
        fix_missing_locations(tree)
        with CompilerWarnings():
            # The program's own warnings at compile time were shown when the plain source
            # was compiled (see program.py); ours ("'complex' object is not callable") never.
            code: CodeType = compile(tree, filename, "exec", dont_inherit=True)
        if HERE.laziness:
            code = as_lazy(code, plain)
        return link(code, self.dialect.constants, self._function_object)

    def _function_object(self, code: CodeType) -> Function | None:
        number = self.number_of(code)
        if number is None:
            return None
        annotates = code.co_name == NAME and number in self.annotating.values()
        lead = self.leads.get(number, sites.NO_LEAD)
        fetches, notes = fetch_offsets(code, self.fetches), number in self.noting
        function = Function(code, number, fetches, annotates, lead, notes=notes)
        function.resumes = number in self.resuming
        self.tracked.append(function)
        return function

    def number_of(self, code: CodeType) -> int | None:
        """The number of the function that ``code`` is of, plain or instrumented."""
        if code.co_name == NAME and self.annotating:
            for _, (line, _, column, _) in places(code):
                number = self.annotating.get((line or 0, column or 0))
                if number is not None:
                    return number
        return self.function_of.get(key_of(code))

    # -- bookkeeping

    def _enter_function(self, name: str, line: int, node: int) -> int:
        number = self._number_function(name, line, node)
        if not (self._within or self._outside):
            self.function_of[(line, name)] = number
        return number

    def _number_function(self, name: str, line: int, node: int) -> int:
        self.functions.append((self._prefix + name, line, node))
        return self.first_function + len(self.functions) - 1

    def _node(self, tree: Any, parent: int) -> Node:
        node = Node(self.first_node + len(self.nodes), tree, self._function, parent)
        self.nodes.append(node)
        return node

    def _site(self, kind: int, node: Node, codes: int = 1) -> int:
        self.sites.append((kind, node.number, codes))
        return self.first_site + len(self.sites) - 1

    def _last_node(self) -> int:
        return self.first_node + len(self.nodes) - 1

    # -- blocks

    def _scope_body(
        self, body: Block, parent: int, function: int | None = None, generator: bool = True
    ) -> Block:
        """The body of a module, ``function`` or class; what must come first stays first."""
        head = 0
        if is_docstring(body[0]) if body else False:
            self._node(body[0], parent)
            head = 1
        while head < len(body) and is_future_import(body[head]):
            self._node(body[head], parent)
            head += 1
        rest = self._block(body[head:], parent, may_be_silent=True)
        if function is not None:
            lead, rest = self.dialect.led(rest)
            if lead is not None:
                self.leads[function] = lead
            if not generator and (started := self.dialect.started(mark(function), body[0])):
                self.noting.add(function)
                rest = [*started, *rest]
        return [*body[:head], *(self.dialect.scope(rest) if rest else [])]

    def _block(self, body: Block, parent: int, may_be_silent: bool = False) -> Block:
        """Instrument the statements of a block.

        A block in which control would pass no site gets one, so that the path tells
        whether control went through it.
        """
        silent = not may_be_silent and not any(speaks(statement) for statement in body)
        result: Block = []
        runs = run_lengths(body, self.probes) if self.dialect.in_runs else [1] * len(body)
        for statement, run in zip(body, runs, strict=True):
            self._run = run
            node = self._node(statement, parent)
            if silent:
                silent = False
                site = self._site(sites.PASSED, node)
                result += self.dialect.passed(site, statement)
            new = self._statement(statement, node)
            node.end = self._last_node()
            if node.body_end == node.number:
                node.body_end = node.end
            result += self._with_probes(statement, new)
        return result

    def _with_probes(self, statement: ast.stmt, new: Block) -> Block:
        probes = self.probes.get(statement.lineno)
        if not probes:
            return new
        observe: Block = []
        for number, expression in probes:
            observe += self.dialect.probe(number, expression, statement)
        if isinstance(statement, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            return [*observe, *new]
        if isinstance(statement, BLOCKS):
            statement.body = [*observe, *statement.body]
        return [*new, *observe]

    # -- statements

    def _statement(self, tree: ast.stmt, node: Node) -> Block:
        method = getattr(self, "_" + type(tree).__name__.lower(), None)
        if method is not None:
            result: Block = method(tree, node)
            return result
        if not is_event(tree):
            return [tree]
        if isinstance(tree, (ast.Import, ast.ImportFrom)):
            tree.is_lazy = 0  # type: ignore[union-attr]  # see as_lazy
        elif isinstance(tree, (ast.Raise, ast.Break, ast.Continue)):
            self._jump(node, {"Raise": "r", "Break": "b", "Continue": "c"}[node.kind])
        telling = any(tree in each for each in self._telling)
        site = self._site(sites.YIELDS if telling else sites.EVENT, node)
        if self._run > 1:
            self.runs[site] = self._run
        if isinstance(tree, (ast.Break, ast.Continue, ast.Pass)):
            return [*self.dialect.computing(site, tree, self._run), tree]
        if isinstance(tree, ast.Assert):
            tree.test = noting(tree.test, node.number)
        return self.dialect.simple(site, tree, self._run)

    def _jump(self, node: Node, kind: str) -> None:
        """Note a jump on every statement it may leave (for control dependence)."""
        number = node.parent
        while number >= self.first_node:
            parent = self.nodes[number - self.first_node]
            if parent.kind in ("FunctionDef", "AsyncFunctionDef", "ClassDef"):
                break
            if kind not in parent.jumps:
                parent.jumps += kind
            if kind in "bc" and parent.kind in ("For", "While", "AsyncFor"):
                break
            number = parent.parent

    def _return(self, tree: ast.Return, node: Node) -> Block:
        self._jump(node, "r")
        telling = any(tree in each for each in self._telling)
        site = self._site(sites.YIELDS if telling else sites.EVENT, node)
        return self.dialect.returning(site, tree, self._run)

    def _functiondef(self, tree: Any, node: Node) -> Block:
        site = self._site(sites.EVENT, node)
        outer = self._function, self._prefix
        outside = self._outside
        line = tree.decorator_list[0].lineno if tree.decorator_list else tree.lineno
        is_class = isinstance(tree, ast.ClassDef)
        held = evaluated(tree)
        whole = not is_class and self._runs_whole(self._prefix + tree.name)
        self._prefix += tree.name + "."
        if not is_class:
            self._annotations(held, line, node.number)
        self._function, self._prefix = outer
        self._outside = outside and is_class
        self._within += whole
        self._function = self._enter_function(tree.name, line, node.number)
        self._prefix += tree.name + ("." if is_class else ".<locals>.")
        leading = None if is_class else self._function
        generator = isinstance(tree, ast.AsyncFunctionDef) or suspends(tree.body)
        if generator and not self._within and isinstance(tree, ast.FunctionDef):
            self._resuming(tree.body)
        body = self._scope_body(tree.body, node.number, leading, generator)
        tree.body = body or [ast.Pass()]
        if whole:
            tree.body = self._as_it_is(tree)
            self._within -= 1
        self._outside = outside
        if is_class:
            self._annotations(held, line, node.number)
        self._function, self._prefix = outer
        if is_class and Placeholder.NUMBERED in self.dialect.constants:
            first = tree.decorator_list[0] if tree.decorator_list else tree
            tree.decorator_list.insert(0, at(first, const(Placeholder.NUMBERED)))
        return self.dialect.simple(site, tree)

    _asyncfunctiondef = _classdef = _functiondef

    def _annotations(self, held: list[Holder], line: int, node: int) -> None:
        """Make the annotations of a function, class or module events of a function of theirs."""
        if not held or not self._deferred:
            return
        outer, self._function = self._function, self._number_function(NAME, line, node)
        for number, (holder, field) in enumerate(held):
            value = getattr(holder, field)
            if not (self._within or self._outside):
                self.annotating[value.lineno, value.col_offset] = self._function
            site = self._site(sites.ANNOTATION, self._node(value, node), number)
            setattr(holder, field, self.dialect.annotation(site, number, value))
        self._function = outer

    def _resuming(self, body: Block) -> None:
        """Have the generator that is entered tell that it is resumed, if it can."""
        telling = self.dialect.resuming(body)
        if telling is not None:
            self.resuming.add(self._function)
            self._telling.append(telling)

    def _runs_whole(self, name: str) -> bool:
        """Whether a function is run as those of libraries are: nothing in it is an event."""
        for each in self._whole:
            if name == each or name.endswith("." + each):
                self.wholes.add(each)
                return True
        return False

    def _as_it_is(self, tree: Any) -> Block:
        """The body of a function as the program has it."""
        if self._spare is None:
            with CompilerWarnings():
                again = parse(self._source)
            self._spare = {
                (each.lineno, each.col_offset): each.body
                for each in walk(again)
                if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))
            }
        return self._spare[tree.lineno, tree.col_offset]  # type: ignore[no-any-return]

    def _if(self, tree: Any, node: Node) -> Block:
        site = self._site(sites.BRANCH, node, 2)
        tree.body = self._block(tree.body, node.number)
        node.body_end = self._last_node()
        tree.orelse = self._block(tree.orelse, node.number)
        if isinstance(tree, ast.While):
            return self.dialect.loop(site, tree)
        return self.dialect.branch(site, tree)

    _while = _if

    def _for(self, tree: Any, node: Node) -> Block:
        make = self._site(sites.MAKE, node)
        fetch = self._site(sites.FETCH, node)
        tree.body = self._block(tree.body, node.number)
        node.body_end = self._last_node()
        tree.orelse = self._block(tree.orelse, node.number)
        result = self.dialect.iteration(make, tree)
        if not self.dialect.fetching or isinstance(tree, ast.AsyncFor):
            # The instruction that fetches stands at the iterable, or at the whole statement.
            self.fetches[position(tree.iter)] = self.fetches[position(tree)] = fetch
        return result

    _asyncfor = _for

    def _with(self, tree: Any, node: Node) -> Block:
        self.tangled = self.tangled or suspends(tree.body)
        site = self._site(sites.CONTEXT, node)
        items = [self._site(sites.ITEM, node) for _ in tree.items[1:]]
        tree.body = self._block(tree.body, node.number)
        leaving = self._site(sites.LEAVING, node)
        result = self.dialect.context([site, *items], leaving, tree)
        # What leaves, and was caught for the exit, goes on leaving here, within no other statement;
        # and control comes here at once if an item keeps back what a later one raises.
        return [*result, *self.dialect.passed(self._site(sites.PASSED, node), tree)]

    _asyncwith = _with

    def _match(self, tree: ast.Match, node: Node) -> Block:
        if len(tree.cases) > sites.LAST_BRANCH:
            raise Unsupported(tree.lineno, "a match statement of more than 249 cases")
        site = self._site(sites.BRANCH, node, 2)
        for case in tree.cases:
            node.arms.append(self._last_node() + 1)
            case.body = self._block(case.body, node.number)
        return self.dialect.choice(site, tree)

    def _try(self, tree: Any, node: Node) -> Block:
        self.tangled = self.tangled or suspends(tree.body)
        tree.body = self._block(tree.body, node.number)
        if tree.handlers:
            # Without this site, a statement that raised when recorded, but does not now,
            # would let control fall out of the body before it can leave for the handler.
            end = self._site(sites.PASSED, node)
            tree.body += self.dialect.passed(end, tree.handlers[0])
        for handler in tree.handlers:
            clause = self._node(handler, node.number)
            site = self._site(sites.HANDLER, clause)
            handler.body = self._block(handler.body, clause.number)
            clause.end = clause.body_end = self._last_node()
            self.dialect.handler(site, handler)
        tree.orelse = self._block(tree.orelse, node.number)
        if tree.finalbody:
            site = self._site(sites.FINALLY, node)
            tree.finalbody = [
                *self.dialect.landing(site, tree.finalbody[0]),
                *self._block(tree.finalbody, node.number),
            ]
        return [tree]

    _trystar = _try


def is_docstring(tree: ast.stmt) -> bool:
    return is_constant(tree) and isinstance(tree.value.value, str)  # type: ignore[attr-defined]


def is_future_import(tree: ast.stmt) -> bool:
    return isinstance(tree, ast.ImportFrom) and tree.module == "__future__" and tree.level == 0


def is_event(tree: ast.stmt) -> bool:
    """Whether executing the statement is an event.  Declarations have no execution."""
    return not (is_constant(tree) or isinstance(tree, (ast.Global, ast.Nonlocal)))


def speaks(tree: ast.stmt) -> bool:
    """Whether control that passes the statement passes a site."""
    if isinstance(tree, (ast.Try, ast.TryStar)):
        return any(speaks(statement) for statement in tree.body) or bool(tree.finalbody)
    return is_event(tree)


def position(tree: Any) -> tuple[int, int, int, int]:
    return tree.lineno, tree.end_lineno, tree.col_offset, tree.end_col_offset


def set_aside(body: Block) -> Block:
    """The body of a module that tells when it begins and ends; what must come first stays first."""
    head = sum(is_docstring(each) for each in body[:1])
    while head < len(body) and is_future_import(body[head]):
        head += 1
    if head == len(body):
        return body
    begins, ends = (
        at(body[head], ast.Expr(call(Placeholder.ASIDE, const(begins)))) for begins in (True, False)
    )
    return [*body[:head], begins, at(body[head], ast.Try(body[head:], [], [], [ends]))]
