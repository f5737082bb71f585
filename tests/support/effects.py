"""Random programs whose effects tell which of their events took effect.

The programs of :func:`programs` do nothing but call a library that is not the user's code
(``LIBRARY``): what it writes, it writes at once, one label a line, and what it decides comes
from a script given as argument.  No statement reads what another computed, so dropping events
changes nothing but what those events write themselves, if the replay is sound.

:class:`Oracle` says what a configuration must write.  It knows the backend's trace (which
statement each event executed, in which activation, called by which event) and the source, and
nothing of plans, sites or instrumentation: every kept event writes the labels that stand in
its own part of its statement, in the order of time.  Two kinds of statements write more than
once: a ``for`` header writes ``Nn`` whenever it fetches an item, and a ``with`` header writes
``Nx`` when its body is left, that is, before the first event that is neither in the body nor
called from there.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import strategies as st

from stripe.trace import NONE, Trace

LIBRARY_NAME = "effects_library"
LIBRARY = """\
import os
import sys

script = iter(sys.argv[1])
items_left = 60


class Boom(Exception):
    pass


class Bang(Boom):
    pass


class Other(Exception):
    pass


def emit(label):
    os.write(1, f"{label}\\n".encode())
    return label


def cond():
    return next(script, "0") == "1"


def check(label):
    emit(label)
    return cond()


def pick(label):
    emit(label)
    return 2 * cond() + cond()


def yes(label):
    emit(label)
    return True


def no(label):
    emit(label)
    return False


def make(label, error=Boom):
    emit(label)
    return error(label)


def fail(label, error=Boom):
    emit(label)
    raise error(label)


def broken():
    raise Other


def call(function):
    return function()


def decorate(label):
    emit(label)
    return lambda function: function


def items(number):
    global items_left
    for item in range(number):
        items_left -= 1
        if items_left < 0:
            return
        yield item


class each:
    def __init__(self, label, number):
        emit(label)
        self.label = label
        self.items = items(number)

    def __iter__(self):
        return self

    def __next__(self):
        emit(f"{self.label}n")
        return next(self.items)


class manager:
    def __init__(self, label, swallow=False):
        emit(label)
        self.label = label
        self.swallow = swallow

    def __enter__(self):
        emit(f"{self.label}e")
        return self

    def __exit__(self, *error):
        emit(f"{self.label}x")
        return self.swallow
"""
RAISES = "fail"
"""The one among these that never returns."""
LABELLED = ("emit", "check", "pick", "yes", "no", "make", RAISES, "decorate", "each", "manager")

# --- programs ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A program and the script of its decisions."""

    source: str
    script: str


@dataclass
class Names:
    """What may be called at a place of the program."""

    functions: list[str] = field(default_factory=list)
    generators: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    managers: list[str] = field(default_factory=list)

    def inner(self) -> Names:
        return Names(
            list(self.functions), list(self.generators), list(self.classes), list(self.managers)
        )


@dataclass(frozen=True)
class Place:
    """Where a statement is to stand."""

    depth: int
    names: Names
    function: bool = False  # whether in one
    around: tuple[str, ...] = ()  # what would be recursive to call
    generator: bool = False
    loop: bool = False
    handler: bool = False
    guarded: bool = False  # inside of try or with: no yield, it might never be resumed

    def within(self, name: str, **changes: Any) -> Place:
        """The body of the function, or a method of the class, called ``name``."""
        facts: dict[str, Any] = {
            "function": True,
            "generator": False,
            "loop": False,
            "handler": False,
        }
        facts |= {"guarded": False, "around": (*self.around, name), **changes}
        return self.inside(**facts)

    def beside(self, **changes: Any) -> Place:
        """A block that belongs to the same statement; what is defined in it is seen in it."""
        return replace(self, names=self.names.inner(), **changes)

    def inside(self, **changes: Any) -> Place:
        """A block of a statement that stands here."""
        return self.beside(depth=self.depth - 1, **changes)


class Writer:
    """Writes one program, asking ``draw`` for every choice."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any], size: int) -> None:
        self.draw = draw
        self.left = size
        self.count = 0

    def number(self) -> int:
        self.count += 1
        return self.count

    def choose(self, options: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(options))

    def block(self, place: Place, longest: int = 4) -> list[str]:
        lines: list[str] = []
        for _ in range(self.draw(st.integers(1, longest))):
            lines += self.statement(place)
            if self.left <= 0:
                break
        return lines

    def body(self, place: Place) -> list[str]:
        return indented(self.block(place))

    def statement(self, place: Place) -> list[str]:
        self.left -= 1
        options: list[Callable[[Place], list[str]]] = [self.simple, self.simple, self.one_line]
        if place.names.functions or place.names.classes:
            options += [self.calling, self.calling]
        if place.names.generators:
            options += [self.consuming]
        if place.generator and not place.guarded:
            options += [self.yielding, self.yielding]
        if place.depth > 0 and self.left > 0:
            options += [
                self.if_, self.while_, self.for_, self.try_, self.try_, self.with_, self.match,
                self.function, self.class_,
            ]  # fmt: skip
            options += [self.generator, self.manager] if not place.generator else []
        return self.choose(options)(place)

    # -- simple statements

    def simple(self, place: Place) -> list[str]:
        return [self.small(place)]

    def small(self, place: Place) -> str:
        label = self.number()
        options = [
            f"emit({label})",
            f"emit({label})",
            f"value_{label} = emit({label})",
            f"value_{label}: int = emit({label})",
            f"(value_{label} := emit({label}))",
            f"(lambda: emit({label}))()",
            f"call(lambda: emit({label}))",
            f"[emit({label}) for _ in (1, 2)]",
            f"assert yes({label})",
            "pass",
            f"raise make({label})",
            f"raise make({label}, Bang)",
            f"raise make({label}, Other)",
            f"fail({label})",
            f"fail({label}, Bang)",
            f"value_{label} = fail({label}, Other)",
            f"[fail({label}) for _ in (1, 2)]",
            f"raise fail({label})",
            f"assert no({label})",
            f"assert fail({label})",
        ]
        if place.function:
            options += [
                "return",
                f"return emit({label})",
                f"return [emit({label}) for _ in (1, 2)]",
            ]
            options += [f"return fail({label})", f"return fail({label}, Other)"]
        if place.loop:
            options += ["break", "continue", "break", "continue"]
        if place.handler:
            options += ["raise", f"raise make({label}) from None"]
        return str(self.choose(options))

    def one_line(self, place: Place) -> list[str]:
        first, second = self.quiet(), self.small(place)
        number = self.number()
        options = [
            [f"{first}; {second}"],
            [f"{self.quiet()}; {first}; {second}"],
            [f"if check({number}): {first}; {second}"],
            [f"if cond(): {second}", f"else: {first}"],
            [f"while check({number}): {first}; {self.small(place.inside(loop=True))}"],
            [f"for _ in each({number}, 2): {self.small(place.inside(loop=True))}; {first}"],
            [f"with manager({number}): {first}; {second}"],
            [f"with fail({number}): {first}; {second}"],
            [f"try: {second}", f"except Boom: {first}"],
            [f"try: {second}", f"finally: {first}"],
            [f"try: {first}", f"finally: {second}"],
            ["emit(", f"    {number},", ")"],
        ]
        if place.generator:  # the exit may come late
            options = [option for option in options if "manager" not in option[0]]
        return list(self.choose(options))

    def quiet(self) -> str:
        return f"emit({self.number()})"

    def calling(self, place: Place) -> list[str]:
        names = place.names
        options = []
        for name in names.functions:
            options += [
                f"{name}()",
                f"value_{self.number()} = {name}()",
                f"(lambda: {name}())()",
                f"call({name})",
                f"[{name}() for _ in (1,)]",
                f"list(map(lambda _: {name}(), (1,)))",
            ]
            if place.function:
                options.append(f"return {name}()")
        for name in names.classes:
            options += [f"{name}()", f"{name}.static()", f"{name}.method({name})"]
        chosen = str(self.choose(options))
        if any(name in chosen for name in place.around):
            return ["if cond():", f"    {chosen}"]
        return [chosen]

    def consuming(self, place: Place) -> list[str]:
        name = self.choose(place.names.generators)
        kind = self.choose(["for", "next", "list", "from"])
        if kind == "for":
            return [f"for _ in {name}():", *self.body(place.inside(loop=True))]
        if kind == "list":
            return [f"list({name}())"]
        if kind == "from" and place.generator and not place.guarded:
            return [f"yield from {name}()"]
        keep = f"source_{self.number()}"
        lines = [f"{keep} = {name}()"]
        for _ in range(self.draw(st.integers(1, 3))):
            lines += [f"next({keep}, None)", self.quiet()]
        return lines

    def yielding(self, place: Place) -> list[str]:
        label = self.number()
        plain = [f"yield emit({label})", "yield", f"value_{label} = yield"]
        return [self.choose([*plain, *plain, f"yield fail({label})"])]

    # -- compound statements

    def if_(self, place: Place) -> list[str]:
        inner = place.inside()
        number = self.number()
        header = self.choose([f"check({number})", "cond()", f"check({number})", f"fail({number})"])
        lines = [f"if {header}:", *self.body(inner)]
        for _ in range(self.draw(st.integers(0, 2))):
            lines += [f"elif check({self.number()}):", *self.body(inner.beside())]
        if self.draw(st.booleans()):
            lines += ["else:", *self.body(inner.beside())]
        return lines

    def while_(self, place: Place) -> list[str]:
        test = self.choose(["check", "check", "check", "fail"])
        lines = [f"while {test}({self.number()}):", *self.body(place.inside(loop=True))]
        if self.draw(st.booleans()):
            lines += ["else:", *self.body(place.inside())]
        return lines

    def for_(self, place: Place) -> list[str]:
        number = self.draw(st.integers(0, 3))
        label = self.number()
        usual = [f"each({label}, {number})", f"items({number})"]
        header = self.choose([*usual, *usual, f"fail({label})"])
        lines = [f"for item in {header}:", *self.body(place.inside(loop=True))]
        if self.draw(st.booleans()):
            lines += ["else:", *self.body(place.inside())]
        return lines

    def try_(self, place: Place) -> list[str]:
        inner = place.inside(guarded=True)
        lines = ["try:", *self.body(inner)]
        clauses = self.choose(
            [
                [],
                ["except Boom:"],
                ["except (Boom, Other) as error:"],
                ["except Bang:", "except Boom as error:"],
                ["except AssertionError:", "except Exception:"],
                ["except Other:", "except:"],
                ["except broken():", "except Boom:"],
                ["except:"],
            ]
        )
        for clause in clauses:
            lines += [clause, *self.body(inner.beside(handler=True))]
        if clauses and self.draw(st.booleans()):
            lines += ["else:", *self.body(inner.beside())]
        if not clauses or self.draw(st.booleans()):
            lines += ["finally:", *self.body(inner.beside(handler=False))]
        return lines

    def with_(self, place: Place) -> list[str]:
        managers = []
        if not place.generator:
            swallow = self.choose(["", ", True"])
            managers.append(f"manager({self.number()}{swallow})")
            if self.draw(st.booleans()):
                managers.append(f"manager({self.number()}) as held")
            if self.draw(st.integers(0, 3)) == 0:
                managers.append(f"fail({self.number()})")
            if self.draw(st.integers(0, 3)) == 0:
                managers.append(f"manager({self.number()})")
        if place.names.managers and (not managers or self.draw(st.booleans())):
            managers.append(f"{self.choose(place.names.managers)}()")
        if not managers:
            return self.simple(place)
        return [f"with {', '.join(managers)}:", *self.body(place.inside(guarded=True))]

    def match(self, place: Place) -> list[str]:
        lines = [f"match {self.choose(['pick', 'pick', 'pick', 'fail'])}({self.number()}):"]
        patterns = ["case 0:", "case 1 | 2:", "case 3 if cond():", "case int() if cond():"]
        for _ in range(self.draw(st.integers(1, 3))):
            lines += indented([self.choose(patterns), *self.body(place.inside())])
        if self.draw(st.booleans()):
            lines += indented([self.choose(["case _:", "case other:"]), *self.body(place.inside())])
        return lines

    def calm(self) -> list[str]:
        """Statements that raise nothing."""
        return [
            self.quiet(),
            f"if check({self.number()}):",
            *indented([self.quiet()]),
            f"for item in each({self.number()}, 2):",
            *indented([self.quiet()]),
        ][: self.choose([1, 3, 5])]

    # -- definitions

    def function(self, place: Place) -> list[str]:
        name = f"function_{self.number()}"
        inner = place.within(name)
        inner.names.functions.append(name)
        lines = self.define(name, inner)
        place.names.functions.append(name)
        return [*lines, f"{name}()"]

    def define(self, name: str, inner: Place, parameters: str = "") -> list[str]:
        label = self.number()
        lines = self.choose([[], [], [f"@decorate({label})"]])
        if not lines and not parameters and self.draw(st.booleans()):
            parameters = f"default=emit({label})"
        return [*lines, f"def {name}({parameters}):", *self.body(inner)]

    def generator(self, place: Place) -> list[str]:
        name = f"generator_{self.number()}"
        inner = place.within(name, generator=True)
        lines = [f"def {name}():", *self.body(inner), *indented(self.yielding(inner))]
        if self.draw(st.booleans()):
            lines += self.body(inner)
        place.names.generators.append(name)
        return [*lines, *self.consuming(place)]

    def class_(self, place: Place) -> list[str]:
        name = f"Class{self.number()}"
        body = place.beside(depth=0, function=False, generator=False, loop=False, handler=False)
        method = place.within(name)
        lines = [f"class {name}:"]
        if self.draw(st.booleans()):
            lines += self.body(body)
        lines += indented(["def __init__(self):", *self.body(method.beside())])
        lines += indented(["def method(self):", *self.body(method.beside())])
        lines += indented(["@staticmethod", "def static():", *self.body(method.beside())])
        place.names.classes.append(name)
        return [*lines, f"{name}()"]

    def manager(self, place: Place) -> list[str]:
        name = f"Manager{self.number()}"
        lines = [f"class {name}:"]
        lines += indented(["def __enter__(self):", *indented(self.calm())])
        swallow = self.choose(["return True", "return False", "pass"])
        lines += indented(["def __exit__(self, *error):", *indented([*self.calm(), swallow])])
        place.names.managers.append(name)
        return lines


def indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]


@st.composite
def programs(draw: Any, size: int = 40) -> Case:
    """A program of about ``size`` statements, and its script."""
    writer = Writer(draw, size)
    lines = [f"from {LIBRARY_NAME} import *"]
    place = Place(4, Names())
    while writer.left > 0:
        statement = writer.statement(place)
        if draw(st.booleans()):  # else most programs end soon
            statement = ["try:", *indented(statement), "except Exception:", "    pass"]
        lines += statement
    script = draw(st.text(st.sampled_from("01"), max_size=40))
    return Case("\n".join(lines) + "\n", script)


# --- the oracle ----------------------------------------------------------------------------------


class Oracle:
    """What the configurations of a recorded run must write."""

    def __init__(self, trace: Trace, source: str) -> None:
        self.trace = trace
        every = list(ast.walk(ast.parse(source)))
        nodes: dict[Any, Any] = {place_of(node): node for node in every if is_node(node)}
        for node in every:
            if isinstance(node, ast.AnnAssign):  # evaluated late it is one of its own
                late = node.annotation
                nodes["Annotation", late.lineno, late.col_offset] = late
        self.nodes: list[Any] = [
            nodes[each.kind, each.line, each.column] for each in trace.statements
        ]
        self.last = [self._last_inside(statement) for statement in range(len(self.nodes))]
        self.labels = [own_labels(node) for node in self.nodes]
        # Of headers: what goes on to be there, for a loop or a body.
        self.made = [own_labels(node, returned=True) for node in self.nodes]
        self.exits: dict[int, list[int]] = {}  # event: with headers left just before it
        for event in range(len(trace)):
            if isinstance(self._node(event), ast.With) and self._made(event):
                self.exits.setdefault(self._end_of_body(event), []).insert(0, event)

    def writes(self, kept: Iterable[int]) -> list[str]:
        """The labels that a configuration writes, in order."""
        chosen = set(kept)
        written: list[str] = []
        for event in range(len(self.trace) + 1):
            for header in self.exits.get(event, ()):
                if header in chosen:
                    written += [f"{label}x" for label in reversed(self._made(header))]
            if event in chosen:
                written += self._writes(event)
        return written

    def forced(self, control: bool) -> set[int]:
        """The events that later statements rely on, whatever else is dropped.

        Definitions and what binds generators; what Python looks at; yields, and all
        that a yield needs: a generator that does not stop where it stopped runs on too early.
        """
        forced = {event for event in range(len(self.trace)) if self._is_relied_on(event)}
        pending = [event for event in forced if self._yields(event)]
        while pending:
            parents = set(self.trace.parents(pending.pop(), control=control)) - forced
            forced |= parents
            pending += parents
        return forced

    def pure(self, event: int) -> bool:
        """Whether the event does nothing but write."""
        node = self._node(event)
        return isinstance(node, ast.Expr) and ast.unparse(node).startswith("emit(")

    # -- events

    def _node(self, event: int) -> Any:
        return self.nodes[self.trace.statement[event]]

    def _labels(self, event: int) -> list[str]:
        return self.labels[self.trace.statement[event]]

    def _made(self, event: int) -> list[str]:
        return self.made[self.trace.statement[event]]

    def _writes(self, event: int) -> list[str]:
        labels, made, node = self._labels(event), self._made(event), self._node(event)
        if isinstance(node, ast.For):
            return [*([] if self._is_fetch(event) else labels), *(f"{each}n" for each in made)]
        if isinstance(node, ast.With):
            return [t for each in labels for t in ([each, f"{each}e"] if each in made else [each])]
        return labels

    def _is_fetch(self, event: int) -> bool:
        """Whether a ``for`` header only fetches: its scope is the event that began the loop."""
        scope = self.trace.scope[event]
        return scope != NONE and self.trace.statement[scope] == self.trace.statement[event]

    def _is_relied_on(self, event: int) -> bool:
        node = self._node(event)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ImportFrom)):
            return True
        if isinstance(node, ast.Assign) and ast.unparse(node).startswith("source_"):
            return True
        function = self.trace.statements[self.trace.statement[event]].function
        asked = ("__exit__", "__init__")  # Python looks at what these return, or raises
        returns = isinstance(node, ast.Return) and function.endswith(asked)
        return returns or self._yields(event)

    def _yields(self, event: int) -> bool:
        node = self._node(event)
        value = getattr(node, "value", None)
        return isinstance(node, (ast.Expr, ast.Assign)) and isinstance(
            value, (ast.Yield, ast.YieldFrom)
        )

    def _end_of_body(self, header: int) -> int:
        """The first event that is neither in the body of a ``with`` nor called from there."""
        trace = self.trace
        first = trace.statement[header]
        inside = {header}
        for event in range(header + 1, len(trace)):
            mine = trace.activation[event] == trace.activation[header]
            in_block = mine and first < trace.statement[event] <= self.last[first]
            if in_block or (not mine and trace.caller[event] in inside):
                inside.add(event)
            else:
                return event
        return len(trace)

    def _last_inside(self, statement: int) -> int:
        """The last statement within a compound one; statements are numbered as they stand."""
        statements = self.trace.statements
        inside = {statement}
        for each in statements[statement + 1 :]:
            if each.parent not in inside:
                break
            inside.add(each.id)
        return max(inside)


def is_node(node: ast.AST) -> bool:
    return isinstance(node, (ast.stmt, ast.ExceptHandler))


def place_of(node: Any) -> tuple[str, int, int]:
    decorators = getattr(node, "decorator_list", None)
    line = decorators[0].lineno if decorators else node.lineno
    return type(node).__name__, line, node.col_offset


def own_labels(node: Any, *, returned: bool = False) -> list[str]:
    """The labels that a statement's own part writes, in order; ``returned``: of what returns."""
    labels: list[str] = []

    def visit(each: Any, times: int) -> bool:
        """Whether it goes on after this."""
        if isinstance(each, ast.ListComp):
            times *= 2
        found: list[str] = []
        is_named = isinstance(each, ast.Call) and isinstance(each.func, ast.Name)
        if is_named and each.func.id in LABELLED:
            found.append(str(ast.literal_eval(each.args[0])))
            if each.func.id == RAISES:
                labels.extend([] if returned else found)
                return False
        for child in ast.iter_child_nodes(each):
            inner = isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case))
            if not inner and not visit(child, times):
                return False
        labels.extend(found * times)
        return True

    visit(node, 1)
    return labels
