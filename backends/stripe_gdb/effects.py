"""What the statements of native programs probably read and write, guessed from their source.

The guess has no types and follows no pointers: names, fields, and one location for all that is
reached through pointers.  It only orders the search (``stripe.trace.dependence``): where it is
wrong a slice takes more tests, and is certified all the same.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from stripe_gdb.declarations import KEYWORDS, Function, Names, SourceText, declared
from stripe_gdb.scanner import Token, closing, split, words

ASSIGNING = words("= += -= *= /= %= &= |= ^= <<= >>=")
STEPPING = frozenset(("++", "--"))
CHANGING = ASSIGNING | STEPPING
POINTED = ".*"
"""What is reached through pointers, whichever they are."""

STREAMS = {
    **dict.fromkeys(words("printf puts putchar vprintf cout print println"), "<stdout>"),
    **dict.fromkeys(words("perror cerr clog eprint eprintln stderr"), "<stderr>"),
    **dict.fromkeys(words("scanf getchar gets stdin cin getline read_line lines"), "<stdin>"),
    "stdout": "<stdout>",
    **dict.fromkeys(words("exit _exit _Exit abort quick_exit assert panic"), "<exit>"),
    **dict.fromkeys(
        words("fopen fwrite fputs fputc putc fprintf ofstream fclose remove"), "<file>"
    ),
}
"""What a name in a statement tells of its input and output."""

READING = words("scanf fscanf sscanf getline")
"""Functions that set what they are handed."""

HARMLESS = words(
    """
    abs assert atof atoi atol begin c_str cbegin cend clone cmp compare contains count
    empty end ends_with eprintln exp fabs find floor fmod format fprintf fputs free front
    get is_empty isalnum isalpha isdigit islower ispunct isspace isupper iter labs len
    length log memcmp pow print printf println putchar puts rbegin rend sin size snprintf
    sprintf sqrt starts_with strchr strcmp strlen strncmp strrchr strstr strtod strtol
    strtoul substr to_string tolower toupper top what unwrap
    """
)
"""Functions and methods that change nothing they are handed, or what is clear (``sprintf``)."""

FILLING = words("fgets fread memcpy memmove memset snprintf sprintf strcat strcpy strncpy")
"""Functions that change their first argument."""


@dataclass(slots=True)
class Effects:
    """What a statement reads and writes, as locations of ``stripe.trace.Statement``."""

    reads: dict[str, None] = field(default_factory=dict)
    writes: dict[str, None] = field(default_factory=dict)

    def add(self, other: Effects) -> None:
        self.reads |= other.reads
        self.writes |= other.writes


class EffectsOf:
    """Guesses the effects of blocks.

    Args:
        text: gives the text of a source file by its path.
        paths: all source files of the program.
    """

    def __init__(self, text: Callable[[str], str], paths: Iterable[str]) -> None:
        self._files = {path: SourceText(text(path)) for path in paths}
        self._home: dict[str, str] = {}  # the module of each shared variable
        for path, source in self._files.items():
            module = os.path.splitext(os.path.basename(path))[0]
            for name in source.names.shared:
                self._home.setdefault(name, module)

    def effects(self, path: str, line: int, ordinal: int, blocks: int) -> Effects:
        """The effects of the ``ordinal``-th of the ``blocks`` of a line, in order of address."""
        source = self._files[path]
        found = Effects()
        for phrase in source.at(line):
            function = source.function(phrase)
            for tokens in parts_of(phrase.tokens, ordinal, blocks):
                found.add(Guess(tokens, function, source.names, self._home).effects)
            if phrase.end == "}" and path.endswith(".rs"):
                found.writes["<return>"] = None  # the value of the block
            if phrase.first != phrase.last:
                # A statement over many lines is many blocks: they hand values to each other.
                whole = f"({phrase.first})"
                found.reads[whole] = found.writes[whole] = None
        return found


def parts_of(tokens: Sequence[Token], ordinal: int, blocks: int) -> list[Sequence[Token]]:
    """What of a phrase a block of its line stands for: a ``for`` header has two blocks."""
    if blocks < 2 or tokens[0].text != "for" or len(tokens) < 2 or tokens[1].text != "(":
        return [tokens]
    end = closing(tokens, 1)
    header = split(tokens[2:end], ";")
    if len(header) < 3:
        return [tokens]
    if ordinal == 0:
        return [header[0]]
    return [*header[1:], tokens[end + 1 :]]


class Guess:
    """The effects of a row of tokens in a function."""

    def __init__(
        self, tokens: Sequence[Token], function: Function, names: Names, home: dict[str, str]
    ) -> None:
        self.effects = Effects()
        self._tokens = tokens
        self._function = function
        self._names = names
        self._home = home
        self._words = {token.text for token in tokens if token.kind == "name"}
        self._declared = {each.name for each in declared(tokens)}
        self._named: set[str] = set()
        self._filled: set[int] = set()  # places of arguments that a call only writes
        for place, token in enumerate(tokens):
            if token.kind == "text":
                for name in re.findall(r"\{(\w+)[:}]", token.text):  # println!("{name}")
                    self._read(self._location(name))
            elif token.kind == "name":
                self._name(place)

    def _name(self, place: int) -> None:
        text, before, after = self._at(place), self._at(place - 1), self._at(place + 1)
        if text == "return":
            self._write("<return>")
            if self._function.main:
                self._write("<exit>")
        stream = STREAMS.get(text)
        if stream is not None and not (stream == "<file>" and self._words & {"stdout", "stderr"}):
            self._write(stream)
            if stream in ("<stdin>", "<file>"):
                self._read(stream)
        if text in KEYWORDS or "::" in (before, after) or after == "!":
            return
        if before in (".", "->"):
            self._field(place)
        elif after == "(" and text not in self._declared:
            self._call(text, place + 1)
            if text in self._function.variables or text in self._function.parameters:
                self._read(self._location(text))  # a pointer to a function, or a lambda
        else:
            self._variable(place)

    def _call(self, called: str, opening: int) -> None:
        """What a call does to its arguments; they begin after the place ``opening``."""
        start = opening + 1
        arguments = self._tokens[start : closing(self._tokens, opening)]
        for number, argument in enumerate(split(arguments, ",")):
            at, start = start, start + len(argument) + 1
            taken = bool(argument) and argument[0].text in ("&", "*")
            for place in range(at, at + len(argument)):
                name = self._at(place)
                if (
                    self._tokens[place].kind != "name"
                    or name in KEYWORDS
                    or self._at(place + 1) in ("(", "[", ".", "->", "::")
                    or self._at(place - 1) in (".", "->", "::")
                ):
                    continue
                location = self._location(name)
                if called in READING:
                    if taken:
                        self._write(location)
                        self._filled.add(place)
                    elif not self._scalar(name):
                        self._write("*" + location)
                elif called in FILLING:
                    if number == 0:
                        self._change(name, location)
                elif called not in HARMLESS and (taken or not self._scalar(name)):
                    self._write("?" + location)
                    if name in self._function.parameters:
                        self._write("?<argument>")

    def _variable(self, place: int) -> None:
        """What happens to a variable, and to what it leads to."""
        if place in self._filled:
            return
        name, location = self._at(place), self._location(self._at(place))
        end, steps = self._chain(place + 1)
        before, after = self._at(place - 1), self._at(end)
        here = name in self._declared and name not in self._named
        self._named.add(name)
        starred = before == "*" and not here and self._unary(place - 1)
        changed = (
            after in CHANGING or before in STEPPING
            or (before == ">>" and "cin" in self._words)
        )  # fmt: skip
        if not here and (steps or (starred and after not in STEPPING)):
            self._read(location)
            self._reached(name, location, starred, steps, end, changed=changed)
            return
        if changed or here:
            self._write(location)
        if after != "=" and not here and before != ">>":
            self._read(location)
            if name in self._function.exposed:
                self._read(POINTED)
        if starred and self._at(end + 1) in ASSIGNING:  # *p++ = c
            self._change(name, location)

    def _reached(
        self, name: str, location: str, starred: bool, steps: list[str], end: int, *, changed: bool
    ) -> None:
        """What happens to that which a variable leads to by ``steps``, which end before ``end``."""
        called = self._at(end) == "("
        last = steps[-1] if steps else ""
        by_field = last in (".", "->")
        if called and last == "[":
            self._call(name, end)
        by_pointer = starred or "->" in steps or ("[" in steps and not self._array(name))
        if by_pointer:
            self._read(POINTED)
        if changed and not by_field:
            self._change(name, location, by_pointer)
        elif changed and not by_pointer:
            self._write("*" + location)
        if by_field and called and self._at(end - 1) not in HARMLESS:
            self._write("?" + location)

    def _field(self, place: int) -> None:
        """What happens to a field, of whatever object."""
        end, steps = self._chain(place + 1)
        before_chain, after = self._at(place + 1), self._at(end)
        if before_chain == "(":
            return  # a method
        field = "." + self._at(place)
        if after in CHANGING:
            if not steps:
                self._write(field)
            elif "." not in steps and "->" not in steps:
                self._write("*" + field)
        if after != "=" or steps:
            self._read(field)

    def _change(self, name: str, location: str, by_pointer: bool = False) -> None:
        """An element of a variable, or what it points to, is assigned."""
        if by_pointer or not self._array(name):
            self._write(POINTED)
        self._write("*" + location)
        if name in self._function.parameters:
            self._write("*<argument>")

    def _chain(self, place: int) -> tuple[int, list[str]]:
        """Follow ``[i].field->other`` from ``place``; return its end, and its marks."""
        steps: list[str] = []
        while True:
            mark = self._at(place)
            if mark == "[":
                place = closing(self._tokens, place) + 1
            elif mark in (".", "->"):
                place += 2
            else:
                return place, steps
            steps.append(mark)

    def _unary(self, place: int) -> bool:
        """Whether the ``*`` at ``place`` follows a pointer instead of multiplying."""
        if place == 0:
            return True
        before = self._tokens[place - 1]
        return before.text in KEYWORDS or (before.kind == "mark" and before.text not in ")]")

    def _at(self, place: int) -> str:
        return self._tokens[place].text if 0 <= place < len(self._tokens) else ""

    def _array(self, name: str) -> bool:
        if name in self._function.variables:
            return name in self._function.arrays
        return name not in self._function.parameters

    def _scalar(self, name: str) -> bool:
        for where in (self._function.variables, self._function.parameters, self._names.shared):
            if name in where:
                return where[name]
        return name not in self._home

    def _location(self, name: str) -> str:
        if name in self._function.variables or name in self._function.parameters:
            return name
        if name in self._names.shared:
            return "::" + name
        if name in self._names.fields:  # of `this`
            return "." + name
        return f"{self._home[name]}::{name}" if name in self._home else name

    def _read(self, location: str) -> None:
        self.effects.reads[location] = None

    def _write(self, location: str) -> None:
        self.effects.writes[location] = None
