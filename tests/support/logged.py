"""Random programs that log what they execute, and what their log must be.

Unlike those of ``effects.py`` their statements depend on each other's values: calls by calls of
libraries, conditions by returned values, imports by imports.  So what a configuration executes
cannot be told beforehand; but that it executes *nothing else* can:

- Each statement says that it begins (``b12``) as the first thing it evaluates, so that in a
  replay the labels are those of kept events, each used once, in the order of time within a
  function.  Only for generators, and what they call, there is no order: where a ``yield`` is left
  out they go on to the next one, earlier than others that went on before when recorded.
- Each call of the program's own code says that it has returned (``r12``), so that in a replay no
  more calls return in the events of a statement than did in the kept ones when recorded.  But for
  ``bool``, which calls nothing if the definition of what it would call is left out.

The log is the programs' own doing: expressions that call a library which is not the user's code.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from stripe.trace import NONE, Trace

LIBRARY = """\
import functools
import importlib
import os

def b(label):
    os.write(1, f"b{label}\\n".encode())

def r(label, value):
    os.write(1, f"r{label}\\n".encode())
    return value

class each:
    def __init__(self, label, items):
        self.label, self.items, self.first = label, iter(items), True
    def __iter__(self):
        return self
    def __next__(self):
        if not self.first:
            b(self.label)
        self.first = False
        return next(self.items)

def attempt(function, *arguments):
    try:
        return function(*arguments)
    except Exception:
        return 7

def tried(function, *arguments):
    try:
        return function(*arguments)
    finally:
        importlib.invalidate_caches()

def first(function, items):
    for item in items:
        if function(item):
            return item
    return 0

def load(name):
    return importlib.import_module(name)

def number(value):
    return value if isinstance(value, int) else 3
"""
IMPORTER = "import {}\n"
NAME = "logged_library"
PARTS = ("part_one", "part_two")
ANSWERS = ("__len__", "__bool__")
ANSWERING = re.compile(rf"\bdef ({'|'.join(ANSWERS)})\b")
GENERATOR = re.compile(r"g\d+")
BEGIN = re.compile(r"\b(?:b|each)\((\d+)")


@dataclass(frozen=True)
class Program:
    """Files by name; those of ``libraries`` are not the user's code."""

    files: Mapping[str, str]
    libraries: Mapping[str, str]


@dataclass
class Scope:
    """What can be used at a place."""

    functions: list[str] = field(default_factory=list)
    generators: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    modules: list[str] = field(default_factory=list)
    variables: list[str] = field(default_factory=lambda: ["x"])
    inside: str = ""  # the kind of function: "", "function" or "generator"

    def within(self, inside: str) -> Scope:
        return Scope(
            list(self.functions), list(self.generators), list(self.classes), list(self.modules),
            ["x", "y", "z"], inside,
        )  # fmt: skip


class Writer:
    """Writes one program, choosing at random."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.count = 0

    def program(self) -> Program:
        chance = self.chance
        names = [name for name in PARTS if chance.random() < 0.6]
        importers = {f"{name}_user": IMPORTER.format(name) for name in names}
        files = {}
        for number, name in enumerate(names):
            earlier = names[:number] + [f"{each}_user" for each in names[:number]]
            files[f"{name}.py"] = self.file(earlier, chance.randint(2, 5))
        everything = [*names, *importers]
        files["program.py"] = self.file(everything, chance.randint(6, 14))
        libraries = {NAME: LIBRARY, **importers}
        return Program(files, {f"{name}.py": text for name, text in libraries.items()})

    def file(self, modules: Sequence[str], size: int) -> str:
        lines = [
            f"from {NAME} import *",
            "import contextlib",
            "import functools",
            "x, y, z = 2, 1, 3",
        ]
        scope = Scope(variables=["x", "y", "z"])
        for name in modules:
            if self.chance.random() < 0.8:
                scope.modules.append(name)
                lines.append(self.importing(name))
        for _ in range(size):
            if self.chance.random() < 0.4:
                lines += self.definition(scope)
            else:
                lines += ["try:", *self.block(scope, 3, 2), "except Exception:", "    pass"]
        return "\n".join(lines) + "\n"

    def importing(self, name: str) -> str:
        label = self.label()
        return self.chance.choice([f"import {name}", f"{name} = b({label}) or load('{name}')"])

    def label(self) -> int:
        self.count += 1
        return self.count

    # -- expressions

    def atom(self, scope: Scope) -> str:
        return str(self.chance.choice([*scope.variables, *"0123"]))

    def call(self, scope: Scope, label: int, argument: str) -> str:
        """A call of the program's code."""
        options = [f"{name}({argument})" for name in scope.functions]
        options += [f"{name}({argument}).some" for name in scope.classes]
        options += [f"{name}({argument}).method({argument})" for name in scope.classes]
        options += [f"bool({name}({argument}))" for name in scope.classes]
        if scope.modules and self.chance.random() < 0.2:
            module = self.chance.choice(scope.modules)
            inner = module.removesuffix("_user")
            return f"{module}.{inner}.x" if inner != module else f"{module}.x"
        if not options:
            return argument
        return f"r({label}, number({self.chance.choice(options)}))"

    def value(self, scope: Scope, label: int) -> str:
        chance = self.chance
        one, two = self.atom(scope), self.atom(scope)
        plain = [one, f"{one} + {two}", f"{one} > {two}", f"{one} // {two}", f"{one} % 3"]
        if not (scope.functions or scope.generators or scope.classes) or chance.random() < 0.3:
            return chance.choice(plain)
        calls = [self.call(scope, label, one), self.call(scope, label, two)]
        options = [
            calls[0],
            f"{calls[0]} + {calls[1]}",
            f"{calls[0]} or {calls[1]}",
            f"{calls[0]} and {calls[1]}",
            f"{calls[0]} if {one} > 1 else {calls[1]}",
            f"any({self.call(scope, label, 'i')} for i in ({one}, {two}, 5))",
            f"all([{self.call(scope, label, 'i')} for i in ({one}, {two})])",
        ]
        if scope.functions:
            name = chance.choice(scope.functions)
            options += [
                f"attempt({name}, {one})",
                f"tried({name}, {one})",
                f"first({name}, [{one}, {two}, 2])",
                f"sum(map({name}, [{one}, {two}]))",
                f"max([{one}, {two}, 4], key={name})",
                f"sorted([{one}, {two}, 4], key={name})[0]",
                f"functools.reduce(lambda i, j: i + {name}(j), [{one}, {two}])",
                f"len(list(filter({name}, [{one}, {two}])))",
                f"next(filter({name}, [{one}, {two}]), 1)",
                f"int(str.zfill('1', number({name}({one}))))",
            ]
        if scope.generators:
            name = chance.choice(scope.generators)
            options += [
                f"any(i > {one} for i in {name}({two}))",
                f"max({name}({one}), default={two})",
                f"sum({name}({one}))",
                f"next({name}({one}), {two})",
                f"(next({name}({one}), 0) or next({name}({two})))",
                f"sum(i for i, _ in zip({name}({one}), range(2)))",
            ]
        if scope.classes:
            name = chance.choice(scope.classes)
            options += [
                f"hasattr({name}({one}), 'absent')",
                f"getattr({name}({one}), 'absent', {two})",
                f"len({name}({one}))",
                f"({name}({one}) == {two})",
            ]
        return chance.choice(options)

    def begun(self, scope: Scope) -> str:
        label = self.label()
        return f"b({label}) or ({self.value(scope, label)})"

    # -- statements

    def block(self, scope: Scope, depth: int, longest: int = 3) -> list[str]:
        lines: list[str] = []
        for _ in range(self.chance.randint(1, longest)):
            lines += self.statement(scope, depth - 1)
        return [f"    {line}" for line in lines]

    def statement(self, scope: Scope, depth: int) -> list[str]:
        options = [self.assign] * 5 + [self.expression] * 2 + [self.fail]
        if scope.inside:
            options += [self.returning]
        if scope.inside == "generator":
            options += [self.yielding] * 2
        if depth > 0:
            options += [self.if_] * 2 + [self.try_] * 2 + [self.while_, self.for_, self.with_]
        return self.chance.choice(options)(scope, depth)

    def assign(self, scope: Scope, depth: int) -> list[str]:
        return [f"{self.chance.choice('xyz')} = {self.begun(scope)}"]

    def expression(self, scope: Scope, depth: int) -> list[str]:
        return [self.begun(scope)]

    def fail(self, scope: Scope, depth: int) -> list[str]:
        label = self.label()
        condition = f"{self.atom(scope)} > {self.atom(scope)}"
        return self.chance.choice(
            [
                [f"assert b({label}) or {condition}"],
                [f"if b({label}) or {condition}:", f"    raise b({self.label()}) or ValueError"],
                [f"if b({label}) or {condition}:", f"    {{}}[b({self.label()})]"],
            ]
        )

    def returning(self, scope: Scope, depth: int) -> list[str]:
        label = self.label()
        return [
            f"if b({label}) or {self.atom(scope)} > {self.atom(scope)}:",
            f"    return {self.begun(scope)}",
        ]

    def yielding(self, scope: Scope, depth: int) -> list[str]:
        label, atom = self.label(), self.atom(scope)
        options = [f"yield b({label}) or {atom}", f"y = b({label}) or (yield {atom})"]
        return [self.chance.choice(options)]

    def if_(self, scope: Scope, depth: int) -> list[str]:
        lines = [f"if {self.begun(scope)}:", *self.block(scope, depth)]
        if self.chance.random() < 0.4:
            lines += ["else:", *self.block(scope, depth)]
        return lines

    def while_(self, scope: Scope, depth: int) -> list[str]:
        label, turn = self.label(), f"turn_{self.label()}"
        test = f"while b({label}) or {turn} < {self.chance.randint(1, 3)}:"
        step = f"    {turn} += b({self.label()}) or 1"
        return [f"{turn} = 0", test, step, *self.block(scope, depth)]

    def for_(self, scope: Scope, depth: int) -> list[str]:
        label = self.label()
        items = f"range({self.chance.randint(0, 3)})"
        if scope.generators and self.chance.random() < 0.6:
            items = f"{self.chance.choice(scope.generators)}({self.atom(scope)})"
        lines = [f"for i in b({label}) or each({label}, {items}):", *self.block(scope, depth)]
        if self.chance.random() < 0.3:
            lines += [f"    if b({self.label()}) or i > {self.atom(scope)}:", "        break"]
        return lines

    def try_(self, scope: Scope, depth: int) -> list[str]:
        lines = ["try:", *self.block(scope, depth)]
        clause = self.chance.choice(["", "except ValueError:", "except Exception:", "except:"])
        if clause:
            lines += [clause, *self.block(scope, depth)]
        if not clause or self.chance.random() < 0.3:
            lines += ["finally:", *self.block(scope, depth)]
        return lines

    def with_(self, scope: Scope, depth: int) -> list[str]:
        label = self.label()
        errors = self.chance.choice(["", "Exception", "ValueError"])
        manager = f"contextlib.suppress({errors})"
        if scope.classes and self.chance.random() < 0.6:
            manager = f"{self.chance.choice(scope.classes)}({self.atom(scope)})"
        return [f"with b({label}) or {manager}:", *self.block(scope, depth)]

    # -- definitions

    def definition(self, scope: Scope) -> list[str]:
        options = [self.function] * 3 + [self.generator] * 2 + [self.class_]
        return self.chance.choice(options)(scope, 0)

    def function(self, scope: Scope, depth: int) -> list[str]:
        name = f"f{self.label()}"
        decorator = ["@functools.cache"] if self.chance.random() < 0.1 else []
        lines = [*decorator, *self.define(name, scope, "function")]
        scope.functions.append(name)
        return lines

    def generator(self, scope: Scope, depth: int) -> list[str]:
        name = f"g{self.label()}"
        lines = self.define(name, scope, "generator")
        scope.generators.append(name)
        return lines

    def define(
        self, name: str, scope: Scope, kind: str, first: str = "", truth: bool = False
    ) -> list[str]:
        inner = scope.within(kind)
        lines = [f"def {name}({first}x=1):", "    y, z = 2, x"]
        if kind == "function" and not first and self.chance.random() < 0.3:
            label = self.label()
            lines += [
                f"    if b({label}) or x > 0:",
                f"        return b({label + 1}) or r({label + 1}, number({name}(x - 1))) + 1",
            ]
            self.count += 1
        if truth:
            inner.inside = ""
        lines += self.block(inner, 2)
        last = f"b({self.label()}) or {self.atom(inner)}" + (" > 1" if truth else "")
        lines.append(f"    {'yield' if kind == 'generator' else 'return'} {last}")
        return lines

    def class_(self, scope: Scope, depth: int) -> list[str]:
        name = f"C{self.label()}"
        lines = [f"class {name}:"]
        lines += ["    def __init__(self, x=1):", f"        self.value = b({self.label()}) or x"]
        methods = ["method", "__len__", "__bool__", "__eq__", "__getattr__", "some", "__enter__"]
        for method in methods:
            if self.chance.random() < 0.6:
                body = self.define(method, scope, "function", "self, ", method in ANSWERS)
                lines += ["    @property"] if method == "some" else []
                lines += [f"    {line}" for line in body]
        lines += ["    def __exit__(self, *error):", f"        return b({self.label()}) or x > 1"]
        lines += ["    def __hash__(self):", "        return 1"]
        lines += [f"    held = {self.begun(scope.within(''))}"]
        scope.classes.append(name)
        return lines


# --- the oracle ----------------------------------------------------------------------------------


class Log:
    """What a configuration of a recorded program may log."""

    def __init__(self, trace: Trace, plain: Sequence[str]) -> None:
        self.trace = trace
        texts = [file.lines for file in trace.files]
        lines = [texts[each.file][each.line - 1] for each in trace.statements]
        self.labels = [(BEGIN.search(line) or [""] * 2)[1] for line in lines]
        self.events = [each for each in range(len(trace)) if self.labels[trace.statement[each]]]
        begun = [entry[1:] for entry in plain if entry[0] == "b"]
        assert begun == [self.labels[trace.statement[event]] for event in self.events]
        self.function = {
            label: (statement.file, statement.function)
            for label, statement in zip(self.labels, trace.statements, strict=True)
        }
        self.returned = self._returns(plain)
        self.unordered = self._in_generators()
        self.asking = {
            label for label, line in zip(self.labels, lines, strict=True) if "bool(" in line
        }
        self.answering = {
            event for event, number in enumerate(trace.statement) if ANSWERING.search(lines[number])
        }

    def _in_generators(self) -> set[tuple[int, str]]:
        """The functions that are generators, or were called by one, however indirectly."""
        below: list[bool] = []
        for activation in self.trace.activations:
            caller = activation.caller
            called = caller != NONE and below[self.trace.activation[caller]]
            below.append(called or GENERATOR.fullmatch(activation.function) is not None)
        return {(each.file, each.function) for each in self.trace.activations if below[each.id]}

    def _returns(self, plain: Sequence[str]) -> Counter[int]:
        """How many calls have returned in the course of each event."""
        returned: Counter[int] = Counter()
        begun = iter(self.events)
        event = NONE
        for entry in plain:
            if entry[0] == "b":
                event = next(begun)
                continue
            # In a recursion, which returns once an event, the innermost that has not yet.
            where = event
            while self.labels[self.trace.statement[where]] != entry[1:] or (
                returned[where] and self._recurs(where)
            ):
                where = self.trace.caller[where]
            returned[where] += 1
        return returned

    def _recurs(self, event: int) -> bool:
        statement = self.trace.statements[self.trace.statement[event]]
        return "(x - 1)" in self.trace.files[statement.file].lines[statement.line - 1]

    def differences(self, kept: Iterable[int], log: Sequence[str]) -> list[str]:
        """What was executed and is not kept."""
        allowed: dict[tuple[int, str], list[str]] = defaultdict(list)
        returned: Counter[str] = Counter()
        chosen = set(kept)
        for event in self.events:
            if event in chosen:
                label = self.labels[self.trace.statement[event]]
                allowed[self.function[label]].append(label)
                returned[label] += self.returned[event]
        place: Counter[tuple[int, str]] = Counter()
        found = []
        for entry in log:
            label = entry[1:]
            if entry[0] == "r":
                returned[label] -= 1
                if returned[label] < 0 and not (label in self.asking and self.answering - chosen):
                    found.append(f"{entry}: a call returned that did not")
                continue
            function = self.function.get(label, (NONE, ""))
            try:
                if function in self.unordered:
                    allowed[function].remove(label)
                else:
                    place[function] = allowed[function].index(label, place[function]) + 1
            except ValueError:
                found.append(f"{entry}: executed, but not kept")
        return found
