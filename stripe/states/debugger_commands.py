"""A change of a state as commands that a person can type into a debugger.

They are made of the plan that a test has carried out, and do what it did or are not told: a command
for each variable, in the innermost call, of values that can be written exactly.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from itertools import islice

from stripe.results.causes import DebuggerCommands
from stripe.snapshots import Backtrace, Kind, Moment, Step
from stripe.states.application import Plan, Ref, Side
from stripe.states.deltas import Difference
from stripe.states.graph import ROOT, Edge, Graph, Operation, named

MOST_COMMANDS = 20
"""Assignments that a person would type."""

LONGEST_COMMAND = 200
"""Characters of one."""

DEEPEST = 5
"""Containers in each other that are written as a literal."""

TOO_LONG = "it would be too long to be typed"


class NotWritableError(Exception):
    """Why a change cannot be typed."""


def debugger_commands(
    debugger: str, difference: Difference, plan: Plan, moment: Moment, backtrace: Backtrace
) -> DebuggerCommands:
    """What to type where the passing run is debugged, from the breakpoint on.

    Args:
        debugger: ``pdb`` or ``gdb``.
        difference, plan: both states, and what of them is applied.
        moment: where it is, in the passing run.
        backtrace: the calls on the stack there.
    """
    writer = (_Gdb if debugger == "gdb" else _Pdb)(difference, plan, moment, backtrace)
    try:
        commands = tuple(writer.commands())
    except NotWritableError as error:
        return DebuggerCommands(debugger, (), str(error))
    return DebuggerCommands(debugger, commands, "")


class _Writer:
    """What both debuggers have in common."""

    def __init__(
        self, difference: Difference, plan: Plan, moment: Moment, backtrace: Backtrace
    ) -> None:
        self.passing, self.failing = difference.passing, difference.failing
        self.contents = plan.contents
        self.moment, self.backtrace = moment, backtrace
        self.bases = {
            vertex: operation
            for operation, vertex in self.passing.children[ROOT].items()
            if self.is_base(operation)
        }
        self.local = {
            operation
            for vertex, base in self.bases.items()
            if base.step is Step.FRAME
            for operation in self.passing.children[vertex]
        }
        self.ways = self._ways()
        self.referred = Counter(each for some in plan.contents.values() for each in some.values())
        self.refers = False

    def start(self) -> str:
        """The command that lets the program run to the breakpoint."""
        raise NotImplementedError

    def is_base(self, base: Operation) -> bool:
        """Whether the variables of a call or module have a name at the moment."""
        raise NotImplementedError

    def assignments(
        self, vertex: int, before: Mapping[Operation, int], after: Mapping[Operation, Ref]
    ) -> Iterator[str]:
        """Gives a vertex of the passing state other parts."""
        raise NotImplementedError

    def commands(self) -> Iterator[str]:
        file, line, occurrence = self.moment
        changes = list(islice(self._changes(), MOST_COMMANDS + 1))
        if len(changes) > MOST_COMMANDS or any(len(each) > LONGEST_COMMAND for each in changes):
            raise NotWritableError(TOO_LONG)
        if self.refers and len(changes) > 1:
            raise NotWritableError("references and other variables change at once")
        yield f"tbreak {file}:{line}"
        if occurrence > 1:
            yield f"ignore 1 {occurrence - 1}"
        yield self.start()
        yield from changes
        yield "continue"

    def _changes(self) -> Iterator[str]:
        for ref, after in self.contents.items():
            if ref.side is Side.KEPT:
                yield from self.assignments(ref.vertex, self.passing.children[ref.vertex], after)

    def _ways(self) -> dict[int, Edge | None]:
        """What has a name at the moment, breadth first, with the edge that comes there first."""
        found: dict[int, Edge | None] = dict.fromkeys(self.bases)
        queue = deque(found)
        while queue:
            source = queue.popleft()
            hidden = self.local if self._is_module(source) else ()
            for operation, target in self.passing.children[source].items():
                if target not in found and operation not in hidden:
                    found[target] = Edge(source, operation, target)
                    queue.append(target)
        return found

    def _is_module(self, vertex: int) -> bool:
        return vertex in self.bases and self.bases[vertex].step is Step.MODULE

    def expression(self, vertex: int, *rest: Operation) -> str:
        """What a vertex of the passing state is called at the moment, or a part of it."""
        if vertex not in self.ways:
            raise NotWritableError("it changes variables of another call or module")
        if self._is_module(vertex) and not self.local.isdisjoint(rest):
            raise NotWritableError("a variable of the innermost call has the same name")
        path = [*reversed(rest)]
        edge = self.ways[vertex]
        while edge is not None:
            path.append(edge.operation)
            edge = self.ways[edge.source]
            if len(path) > LONGEST_COMMAND:
                raise NotWritableError(TOO_LONG)
        for operation in path:
            self.require_name(operation)
        return named(reversed(path))

    def require_name(self, operation: Operation) -> None:
        """Refuses what does not build an expression of the language."""
        key = operation.key
        if operation.step in (Step.VARIABLE, Step.MEMBER) and not (
            isinstance(key, str) and key.isidentifier()
        ):
            raise NotWritableError(f"{key!r} is no name that can be typed")

    def there(self, ref: Ref) -> tuple[Graph, int]:
        """The graph that a vertex of the new state is of, and its number in it."""
        return (self.passing if ref.side is Side.KEPT else self.failing), ref.vertex


class _Pdb(_Writer):
    """Commands of Python's own debugger."""

    LITERALS = frozenset(("int", "float", "str", "bytes", "bool", "NoneType", "tuple"))

    def start(self) -> str:
        file, program = self.backtrace[0].file, self.backtrace[-1].file
        if file != program and not file.startswith("/") and "/" in program:
            raise NotWritableError(f"pdb may look for {file} elsewhere")
        return "continue"

    def is_base(self, base: Operation) -> bool:
        """The innermost call's, and those of its own module where that is the program."""
        if not base.key:
            return True
        own = self.backtrace[-1].function == "<module>" and (
            self.backtrace[-1].file == self.backtrace[0].file
        )
        return base.step is Step.MODULE and base.key == "__main__" and own

    def assignments(
        self, vertex: int, before: Mapping[Operation, int], after: Mapping[Operation, Ref]
    ) -> Iterator[str]:
        kind, type_ = self.passing.vertices[vertex].kind, self.passing.vertices[vertex].type
        if kind is Kind.SEQUENCE and len(before) != len(after):
            inside = ", ".join(map(self.value, after.values()))
            if type_ != "list":
                raise NotWritableError(f"it changes the length of a {type_}")
            yield self._line(f"{self.expression(vertex)}[:] = [{inside}]")
            return
        if kind is Kind.RECORD and any(each.step is Step.INDEX for each in before):
            raise NotWritableError(f"a {type_} cannot be changed")
        if type_ == "set":
            yield from self._members(vertex, before, after)
            return
        for operation in before:
            if operation not in after:
                yield self._line(f"del {self.expression(vertex, operation)}")
        for operation, ref in after.items():
            old = before.get(operation)
            if ref != Ref(Side.KEPT, -1 if old is None else old):
                name, value = self.expression(vertex, operation), self.value(ref)
                yield self._line(f"{self._scope(vertex, operation)}{name} = {value}")

    def _members(
        self, vertex: int, before: Mapping[Operation, int], after: Mapping[Operation, Ref]
    ) -> Iterator[str]:
        name = self.expression(vertex)
        for verb, some, other in (("discard", before, after), ("add", after, before)):
            for operation in some:
                if operation not in other:
                    self.require_name(operation)
                    yield self._line(f"{name}.{verb}({operation.key})")

    def _scope(self, vertex: int, operation: Operation) -> str:
        if self._is_module(vertex) and self.backtrace[0].function != "<module>":
            return f"global {operation.key}; "
        return ""

    def _line(self, statement: str) -> str:
        if ";;" in statement or "$" in statement:
            raise NotWritableError("it has signs in it that mean something else to pdb")
        return f"!{statement}"

    def require_name(self, operation: Operation) -> None:
        super().require_name(operation)
        if operation.step is Step.KEY:
            _require_literal(str(operation.key))

    def value(self, ref: Ref, depth: int = 0) -> str:
        """An expression for what a variable is to hold."""
        graph, vertex = self.there(ref)
        this = graph.vertices[vertex]
        if this.kind is Kind.ATOM:
            if this.type not in self.LITERALS:
                raise NotWritableError(f"a value of {this.type} cannot be written as a literal")
            _require_literal(this.text)
            return this.text
        if ref.side is Side.KEPT:
            self.refers = True
            return self.expression(vertex)
        if self.referred[ref] > 1:
            raise NotWritableError("a new object is referred to more than once")
        if depth > DEEPEST:
            raise NotWritableError(TOO_LONG)
        parts = self.contents[ref].items()
        if this.type == "list":
            return f"[{', '.join(self.value(each, depth + 1) for _, each in parts)}]"
        if this.type == "dict":
            for operation, _ in parts:
                self.require_name(operation)
            pairs = (f"{each.key}: {self.value(part, depth + 1)}" for each, part in parts)
            return f"{{{', '.join(pairs)}}}"
        raise NotWritableError(f"a new {this.type} cannot be written as a literal")


class _Gdb(_Writer):
    """Commands of gdb, in C."""

    _NUMBER = re.compile(r"-?\d+|-?\d+\.\d+(e[+-]?\d+)?|-?\d+e[+-]?\d+|'[^'\\]'|[A-Za-z_]\w*")

    def commands(self) -> Iterator[str]:
        if self.moment.occurrence > 1:
            raise NotWritableError("gdb does not count executions of a line as moments are counted")
        return super().commands()

    def start(self) -> str:
        return "run"

    def is_base(self, base: Operation) -> bool:
        """The innermost call's, and variables that are there from beginning to end."""
        return not base.key

    def assignments(
        self, vertex: int, before: Mapping[Operation, int], after: Mapping[Operation, Ref]
    ) -> Iterator[str]:
        if before.keys() != after.keys():
            raise NotWritableError("it changes how much memory there is")
        for operation, ref in after.items():
            if ref != Ref(Side.KEPT, before[operation]):
                if operation.step is Step.TARGET:
                    raise NotWritableError("it makes a pointer lead elsewhere")
                yield f"set var {self.expression(vertex, operation)} = {self.value(ref)}"

    def value(self, ref: Ref) -> str:
        """An expression for what a variable is to hold."""
        graph, vertex = self.there(ref)
        this = graph.vertices[vertex]
        if this.kind is Kind.POINTER and this.value is None:
            return "0"
        if this.kind is not Kind.ATOM or not self._NUMBER.fullmatch(this.text):
            raise NotWritableError(f"a value of {this.type} cannot be written as a number")
        return this.text


def _require_literal(text: str) -> None:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise NotWritableError(f"{text[:60]} cannot be written as a literal") from None
    if repr(value) != text:
        raise NotWritableError(f"{text[:60]} cannot be written as a literal")
