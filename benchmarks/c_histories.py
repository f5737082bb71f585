"""Versions of a C program that gcc and make build: changes that interlock, and one line to blame.

All changes but that one leave what the program computes as it is, so whatever builds fails if and
only if it has that line.  Most parts of the difference do not build: parameters, names, fields and
new functions stand in a prototype, in a definition, and wherever they are used.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from stripe.units.alignment import stretches

LAYERS = 3
"""A function calls only functions of the layer below, so the program ends soon."""

FUNCTIONS = 24
"""In each file."""

MODULUS = 1009

WIDE = 3
"""More arguments than that stand on a line each."""

MAKEFILE = """\
OBJECTS := $(patsubst %.c,%.o,$(wildcard *.c))

program: $(OBJECTS)
\t$(CC) -o $@ $(OBJECTS)

%.o: %.c
\t$(CC) -O0 -MMD -Werror=implicit-function-declaration -c -o $@ $<

-include $(wildcard *.d)
"""

Files = dict[str, str]


@dataclass
class Line:
    """A statement: its text, in which ``{0}`` is the first local variable; or a call."""

    text: str
    called: str = ""
    arguments: list[str] = field(default_factory=list)


@dataclass
class Function:
    """A function of numbers; ``key`` stays as it is when the function gets another name."""

    key: str
    name: str
    module: int
    layer: int
    public: bool
    parameters: int
    locals: list[str]
    body: list[Line]
    types: list[str]
    runs: bool = False


class Program:
    """A program in the making.

    Args:
        seed: of all that is drawn.
        modules: how many files of functions it has.
    """

    def __init__(self, seed: int, modules: int) -> None:
        self.draw = random.Random(seed)
        self.functions: dict[str, Function] = {}
        self.fields = [[f"field_{module}_{n}" for n in range(4)] for module in range(modules)]
        self.culprit = ""
        self._names = 0
        for module in range(modules):
            for number in range(FUNCTIONS):
                self._define(module, number)
        self._mark_run()

    def _fresh(self, stem: str) -> str:
        self._names += 1
        return f"{stem}_{self._names}"

    def _define(self, module: int, number: int) -> None:
        draw = self.draw
        layer = number * LAYERS // FUNCTIONS
        key = f"m{module}_f{number}"
        public = number == FUNCTIONS - 1 or draw.random() < 0.3
        made = Function(
            key, key, module, layer, public, draw.randint(1, 4), ["a", "b", "c", "d"], [], []
        )
        made.types = ["int"] * made.parameters
        made.body = [self._line(made) for _ in range(draw.randint(6, 26))]
        self.functions[key] = made

    def _line(self, of: Function) -> Line:
        draw = self.draw
        target, other = draw.sample(range(4), 2)
        number = draw.randrange(2, MODULUS)
        below = [
            each
            for each in self.functions.values()
            if each.layer == of.layer - 1 and (each.module == of.module or each.public)
        ]
        if below and draw.random() < 0.15:
            called = draw.choice(below)
            text = f"{{{target}}} = ({{{target}}} + CALL) % {MODULUS};"
            return Line(text, called.key, [self._argument() for _ in range(called.parameters)])
        if draw.random() < 0.12:
            name = f"FIELD{draw.randrange(4)}"
            return Line(f"state.{name} = {{{other}}}; {{{target}}} += state.{name} % {number};")
        return Line(f"{{{target}}} = ({{{target}}} * {number} + {{{other}}}) % {MODULUS};")

    def _argument(self) -> str:
        return str(self.draw.randrange(MODULUS))

    def _mark_run(self) -> None:
        """Mark what runs: the entries of every third file, and all that these call."""
        pending = [f"m{module}_f{FUNCTIONS - 1}" for module in self.run_modules]
        while pending:
            each = self.functions[pending.pop()]
            if not each.runs:
                each.runs = True
                pending += [line.called for line in each.body if line.called]

    @property
    def run_modules(self) -> range:
        """The files whose entries are called."""
        return range(0, len(self.fields), 3)

    # --- texts

    def files(self) -> Files:
        """The version as it is now."""
        found = {"Makefile": MAKEFILE, "main.c": self._main()}
        for module in range(len(self.fields)):
            found[f"mod{module}.h"] = self._header(module)
            found[f"mod{module}.c"] = self._source(module)
        return found

    def _of(self, module: int) -> list[Function]:
        return [each for each in self.functions.values() if each.module == module]

    @staticmethod
    def _signature(each: Function) -> str:
        comma = ",\n        " if each.parameters > WIDE else ", "
        parameters = comma.join(f"{each.types[n]} p{n}" for n in range(each.parameters))
        return f"{'' if each.public else 'static '}int {each.name}({parameters})"

    def _header(self, module: int) -> str:
        lines = [f"{self._signature(each)};" for each in self._of(module) if each.public]
        return f"#ifndef MOD{module}\n#define MOD{module}\n" + "\n".join(lines) + "\n#endif\n"

    def _source(self, module: int) -> str:
        own = self._of(module)
        others = {
            self.functions[line.called].module for each in own for line in each.body if line.called
        }
        text = "".join(f'#include "mod{number}.h"\n' for number in sorted({module, *others}))
        text += "\nstruct state {\n"
        text += "".join(f"    int {name};\n" for name in self.fields[module]) + "};\n\n"
        text += "static struct state state __attribute__((unused));\n\n"
        unused = "__attribute__((unused)) "
        text += "".join(f"{unused}{self._signature(each)};\n" for each in own if not each.public)
        return text + "".join(f"\n{self._text(each)}" for each in own)

    def _text(self, each: Function) -> str:
        lines = [self._signature(each), "{"]
        lines += [f"    int {name} = p0 + {n};" for n, name in enumerate(each.locals)]
        lines += [f"    {self._statement(each, line)}" for line in each.body]
        total = " + ".join(each.locals)
        return "\n".join([*lines, f"    return ({total}) % {MODULUS};", "}", ""])

    def _statement(self, of: Function, line: Line) -> str:
        text = line.text.format(*of.locals)
        if line.called:
            called = self.functions[line.called]
            comma = ",\n        " if called.parameters > WIDE else ", "
            text = text.replace("CALL", f"{called.name}({comma.join(line.arguments)})")
        return re.sub(r"FIELD(\d)", lambda found: self.fields[of.module][int(found[1])], text)

    def _main(self) -> str:
        entries = [self.functions[f"m{n}_f{FUNCTIONS - 1}"] for n in self.run_modules]
        text = "#include <stdio.h>\n" + "".join(f'#include "mod{e.module}.h"\n' for e in entries)
        text += "\nint main(void)\n{\n    long sum = 0;\n"
        for each in entries:
            numbers = ", ".join(str(each.module + n) for n in range(each.parameters))
            text += f"    sum += {each.name}({numbers});\n"
        return text + '    printf("%ld\\n", sum);\n    return 0;\n}\n'

    # --- changes, which leave what is computed as it is

    def change(self) -> None:
        """A change of some kind."""
        kinds = (
            (self._touch, 40),
            (self._rename_local, 8),
            (self._widen, 12),
            (self._retype, 8),
            (self._rename_function, 8),
            (self._add_helper, 12),
            (self._rename_field, 4),
        )
        [chosen] = self.draw.choices([kind for kind, _ in kinds], [many for _, many in kinds])
        chosen()

    def _any(self) -> Function:
        return self.draw.choice(list(self.functions.values()))

    def _touch(self) -> None:
        each = self._any()
        row = self.draw.randrange(len(each.body) + 1)
        which = self.draw.randrange(4)
        kept = f"{{{which}}} = {{{which}}} + {self.draw.randrange(MODULUS)} * 0;"
        each.body[row:row] = [Line(kept) for _ in range(self.draw.randint(1, 5))]

    def _rename_local(self) -> None:
        each = self._any()
        each.locals[self.draw.randrange(4)] = self._fresh("local")

    def _widen(self) -> None:
        each = self._any()
        each.parameters += 1
        each.types.append("int")
        for other in self.functions.values():
            for line in other.body:
                if line.called == each.key:
                    line.arguments.append(self._argument())

    def _retype(self) -> None:
        each = self._any()
        number = self.draw.randrange(each.parameters)
        each.types[number] = "long" if each.types[number] == "int" else "int"

    def _rename_function(self) -> None:
        each = self._any()
        each.name = self._fresh("function")

    def _rename_field(self) -> None:
        fields = self.draw.choice(self.fields)
        fields[self.draw.randrange(4)] = self._fresh("field")

    def _add_helper(self) -> None:
        """Add a function that gives nothing, and some who call it."""
        module = self.draw.randrange(len(self.fields))
        name = self._fresh("helper")
        public = self.draw.random() < 0.3
        body = [Line("{0} = {0} + 0;") for _ in range(self.draw.randint(1, 8))]
        body += [Line(f"{{{n}}} = 0;") for n in range(4)]
        made = Function(name, name, module, 0, public, 1, ["a", "b", "c", "d"], body, ["int"])
        users = [each for each in self.functions.values() if each.module == module or public]
        for user in self.draw.sample(users, min(len(users), self.draw.randint(1, 4))):
            row = self.draw.randrange(len(user.body) + 1)
            user.body.insert(row, Line("{0} = {0} + CALL;", name, [self._argument()]))
        self.functions[name] = made

    def make_wrong(self) -> None:
        """Add the line to blame, to a function that runs."""
        running = [each for each in self.functions.values() if each.runs]
        each = self.draw.choice(running)
        which = self.draw.randrange(4)
        line = Line(f"{{{which}}} = {{{which}}} + 1;")
        each.body.append(line)
        self.culprit = line.text.format(*each.locals)


def hunks(before: Files, after: Files) -> int:
    """How many stretches of lines differ."""
    count = 0
    for path in before.keys() | after.keys():
        one, other = (files.get(path, "").split("\n") for files in (before, after))
        if one != other:
            count += len(stretches(one, other))
    return count


def two_versions(seed: int, wanted: int) -> tuple[list[Files], str]:
    """Two versions with so many hunks between them, and the line to blame."""
    program = Program(seed, max(4, wanted // 40))
    before = program.files()
    while (missing := wanted - 1 - hunks(before, program.files())) > 0:
        for _ in range(missing // 8 + 1):
            program.change()
    program.make_wrong()
    return [before, program.files()], program.culprit


def commits(seed: int, count: int, wanted: int) -> tuple[list[Files], str]:
    """A history of so many commits, with so many hunks in them, and the line to blame."""
    program = Program(seed, max(4, count // 12))
    versions = [program.files()]
    guilty = program.draw.randrange(count)
    done = 0
    for number in range(count):
        while done < wanted * (number + 1) // count or program.files() == versions[-1]:
            before = program.files()
            program.change()
            done += hunks(before, program.files())
        if number == guilty:
            program.make_wrong()
        versions.append(program.files())
    return versions, program.culprit
