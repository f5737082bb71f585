"""What to look at in a statement, to see whether it reads and writes what it did: its variables.

The source says which (``scanner.py``), the debug information where they are (``variables.py``).
``a[i].x`` is looked at as that one field of that one element; what a pointer alone stands for is
whom it points to.  Only a function that is not the user's is taken to look at text it is handed,
for the statements of others are looked at themselves.  What macros hide is not seen.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from stripe_gdb.declarations import KEYWORDS, SCALARS, SourceText, declared
from stripe_gdb.effects import ASSIGNING, FILLING, READING, STEPPING, parts_of
from stripe_gdb.scanner import Token, closing, split, words
from stripe_gdb.variables import LONGEST, Shape, Type, Variables

NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)[uUlL]*")
MAKING = re.compile(r"alloc|dup|open|new|make|create", re.IGNORECASE)
"""In the names of functions that make objects: a new one may be where an old one was."""
COPYING = words("memcpy memmove memset memcmp fread fwrite")

type Place = tuple[Sequence[Any], ...]

RETURNED = "what is returned"
"""What a look at the value that a function gives is called."""


@dataclass(frozen=True, slots=True)
class Look:
    """What is looked at ``after`` the statement, or before it; see ``inside/variable_reads.py``."""

    name: str
    place: Place
    shape: Shape
    after: bool
    size: int = 0
    makes: bool = False

    @property
    def job(self) -> tuple[Place, Shape, int, int]:
        """As engines take it."""
        return self.place, self.shape, int(self.after), self.size


@dataclass(frozen=True, slots=True)
class Path:
    """A variable with what follows it, as far as that was understood."""

    place: Place
    type: Type
    first: int
    end: int


class Statements:
    """Finds the looks of blocks; ``functions`` are the names of the user's."""

    def __init__(self, variables: Variables, functions: Collection[str]) -> None:
        self._variables = variables
        self._functions = functions

    def looks(
        self, source: SourceText, line: int, address: int, ordinal: int, blocks: int
    ) -> list[Look]:
        """Those of the block at ``address``, the ``ordinal``-th of the ``blocks`` of its line."""
        found: dict[tuple[str, bool], Look] = {}
        for phrase in source.at(line):
            for tokens in parts_of(phrase.tokens, ordinal, blocks):
                for look in Reading(tokens, address, self._variables, self._functions).looks():
                    found.setdefault((look.name, look.after), look)
        return list(found.values())


class Reading:
    """One row of tokens at one place of the code."""

    def __init__(
        self,
        tokens: Sequence[Token],
        address: int,
        variables: Variables,
        functions: Collection[str],
    ) -> None:
        self._tokens = tokens
        self._address = address
        self._variables = variables
        self._functions = functions
        self._calls = _calls(tokens)
        called = {each.text for each, after in _pairs(tokens) if after == "("}
        self._makes = any(MAKING.search(name) for name in called)

    def looks(self) -> Iterator[Look]:
        """All that there is to see."""
        new = {each.name for each in declared(self._tokens)}
        for place, token in enumerate(self._tokens):
            if token.kind != "name" or token.text in KEYWORDS or self._at(place + 1) == "::":
                continue
            if self._at(place - 1) in (".", "->", "::", "sizeof") or self._in_sizeof(place):
                continue
            if token.text in new:
                new.discard(token.text)
                yield from self._declared(place)
                continue
            path = self._path(place)
            if path is not None:
                yield from self._used(path, place)

    def _declared(self, place: int) -> Iterator[Look]:
        """A variable that is declared here: set, if it has a value."""
        variable = self._variables.find(self._address, self._at(place))
        end = place + 1
        while self._at(end) == "[":
            end = closing(self._tokens, end) + 1
        if variable is not None and self._at(end) in ("=", "{", "(", ":"):
            yield from self._look(self._at(place), variable.place, variable.type, True)

    def _used(self, path: Path, place: int) -> Iterator[Look]:
        """A variable, element or field that is used here."""
        name = "".join(token.text for token in self._tokens[path.first : path.end])
        before, after = self._at(path.first - 1), self._at(path.end)
        callee, number = self._calls.get(path.first, ("", 0))
        if before == "&" and self._unary(path.first - 1):
            callee, number = self._calls.get(path.first - 1, ("", 0))
            if callee in READING or (callee in FILLING and number == 0):
                yield from self._look(name, path.place, path.type, True)
            return
        if before in STEPPING or after in STEPPING:
            yield from self._look(name, path.place, path.type, False)
            yield from self._look(name, path.place, path.type, True)
            return
        if after in ASSIGNING:
            if after != "=":
                yield from self._look(name, path.place, path.type, False)
            yield from self._look(name, path.place, path.type, True)
            return
        bare = before in ("(", ",", ")") and after in (")", ",")
        if callee and bare and callee not in self._functions:
            yield from self._handed(name, path, callee, number)
        elif not path.type.array:  # of which only the address is used
            yield from self._look(name, path.place, path.type, False)

    def _handed(self, name: str, path: Path, callee: str, number: int) -> Iterator[Look]:
        """Something is handed to a function of a library: it looks at what is there."""
        kind, place = path.type, path.place
        filled = callee in FILLING and number == 0
        filled = filled or (callee in READING and number > int(callee != "scanf"))
        shape: Shape | None = None
        if kind.pointer:
            target = kind.target
            if target.letter:
                shape = ("pt",)
            elif callee in COPYING and number < 2 and target.shape() is not None:
                kind, place = target, (*place, ("ld",))
        elif kind.array and kind.target.letter:
            shape = ("t", kind.count or LONGEST)
        elif kind.array and callee not in COPYING:
            return
        yield from self._look(name, place, kind, filled, shape)

    def _look(
        self, name: str, place: Place, kind: Type, after: bool, shape: Shape | None = None
    ) -> Iterator[Look]:
        shape = shape or kind.shape()
        if shape is not None:
            name = f"{name} afterwards" if after else name
            yield Look(name, place, shape, after, kind.size, self._makes)

    # -- paths

    def _path(self, place: int) -> Path | None:
        """The path that begins with the name at ``place``, with stars in front."""
        variable = self._variables.find(self._address, self._at(place))
        if variable is None or self._at(place + 1) == "(":
            return None
        row: list[Sequence[Any]] = list(variable.place)
        kind = variable.type
        if kind.tag.endswith("reference_type"):
            row.append(("ld",))
            kind = kind.target
        first, end = place, place + 1
        while True:
            found = self._steps(row, kind, end)
            if found is None:
                return None
            kind, end = found
            stepped = self._stepped(first)
            star = first - 2 if stepped else first - 1
            if self._at(star) == "*" and self._unary(star) and (kind.pointer or kind.array):
                if kind.pointer:
                    row.append(("ld",))
                kind = kind.target
                if stepped:
                    row.append(("+", stepped * kind.size))
                first, end = star, end + 1 if self._at(end) in STEPPING else end
            elif self._wrapped(first, end) and self._at(end + 1) in (".", "->", "["):
                first, end = first - 1, end + 1
            else:
                break
        return Path(tuple(row), kind, first, end)

    def _stepped(self, first: int) -> int:
        """By how much ``*++`` or ``*--`` before a path moves it."""
        if self._at(first - 1) not in STEPPING or self._at(first - 2) != "*":
            return 0
        return 1 if self._at(first - 1) == "++" else -1

    def _wrapped(self, first: int, end: int) -> bool:
        """Whether a path is in parentheses of its own, not those of a call."""
        if self._at(first - 1) != "(" or self._at(end) != ")":
            return False
        return self._at(first - 2) != "sizeof" and not self._named(first - 2)

    def _steps(self, row: list[Sequence[Any]], kind: Type, end: int) -> tuple[Type, int] | None:
        """Follow ``[i].field->other`` from ``end``; ``None`` for what is not understood."""
        while True:
            mark = self._at(end)
            if mark == "[":
                close = closing(self._tokens, end)
                index = Index(self, end + 1, close).parsed()
                if index is None or not (kind.pointer or kind.array):
                    return None
                if kind.pointer:
                    row.append(("ld",))
                kind = kind.target
                row.append(("ix", kind.size, index))
                end = close + 1
            elif mark in (".", "->"):
                if mark == "->":
                    row.append(("ld",))
                    kind = kind.target
                found = kind.field(self._at(end + 1))
                if found is None:
                    return None
                row.append(("+", found[0]))
                kind = found[1]
                end += 2
            else:
                return kind, end

    def value(self, place: int) -> tuple[Any, int] | None:
        """The number that the path at ``place`` stands for, for an index, and its end."""
        path = self._path(place)
        if path is None or not path.type.number:
            return None
        return ("v", path.type.size, path.type.signed, path.place), path.end

    def _unary(self, place: int) -> bool:
        """Whether a mark has one operand, which follows."""
        before = self._at(place - 1)
        if before == ")":
            return self._cast(place - 1)
        if place == 0 or before in KEYWORDS:
            return True
        kind = self._tokens[place - 1].kind
        return kind == "mark" and before != "]" and before not in STEPPING

    def _cast(self, close: int) -> bool:
        """Whether what is in the parentheses that end here is a type."""
        depth, place = 1, close
        while depth and place > 0:
            place -= 1
            depth += (self._at(place) == ")") - (self._at(place) == "(")
        inner = [token.text for token in self._tokens[place + 1 : close]]
        return bool(inner) and (
            inner[-1] == "*" or all(word in KEYWORDS or word in SCALARS for word in inner)
        )

    def _in_sizeof(self, place: int) -> bool:
        before = place - 1
        while before >= 0 and self._at(before) in ("(", "*"):
            before -= 1
        return self._at(before) == "sizeof" if before >= 0 else False

    def _named(self, place: int) -> bool:
        """Whether there is a name which is called by the parenthesis that follows."""
        inside = 0 <= place < len(self._tokens)
        return inside and self._tokens[place].kind == "name" and self._at(place) not in KEYWORDS

    def _at(self, place: int) -> str:
        return self._tokens[place].text if 0 <= place < len(self._tokens) else ""

    at = _at

    def token(self, place: int) -> Token:
        """A token of the row."""
        return self._tokens[place]


class Index:
    """Understands an index: numbers, paths, and sums and products of these."""

    def __init__(self, reading: Reading, first: int, end: int) -> None:
        self._reading = reading
        self._place = first
        self._end = end

    def parsed(self) -> Any:
        """The index as ``inside/variable_reads.py`` takes it; ``None`` if it is not understood."""
        found = self._sum()
        return found if self._place == self._end else None

    def _sum(self) -> Any:
        return self._row(("+", "-"), lambda: self._row(("*", "/", "%"), self._factor))

    def _row(self, marks: tuple[str, ...], operand: Any) -> Any:
        left = operand()
        while left is not None and self._place < self._end and self._here() in marks:
            mark = self._here()
            self._place += 1
            right = operand()
            if right is None:
                return None
            left = (mark, left, right)
        return left

    def _factor(self) -> Any:
        if self._place >= self._end:
            return None
        token = self._reading.token(self._place)
        number = NUMBER.fullmatch(token.text)
        if number is not None:
            self._place += 1
            return int(number[1], 0) if not re.fullmatch(r"0\d+", number[1]) else None
        if token.text in STEPPING:
            self._place += 1
            found = self._factor()
            return None if found is None else ("+" if token.text == "++" else "-", found, 1)
        if token.text == "(":
            self._place += 1
            found = self._sum()
            if self._here() != ")":
                return None
            self._place += 1
            return found
        if token.kind != "name":
            return None
        value = self._reading.value(self._place)
        if value is None:
            return None
        found, self._place = value
        if self._here() in STEPPING and self._place < self._end:
            self._place += 1
        return found

    def _here(self) -> str:
        return self._reading.at(self._place)


def _calls(tokens: Sequence[Token]) -> dict[int, tuple[str, int]]:
    """For each place that an argument begins at, the function called, and which argument it is."""
    found: dict[int, tuple[str, int]] = {}
    for place in range(1, len(tokens)):
        callee = tokens[place - 1]
        if tokens[place].text != "(" or callee.kind != "name" or callee.text in KEYWORDS:
            continue
        start = place + 1
        for number, argument in enumerate(split(tokens[start : closing(tokens, place)], ",")):
            found[start] = (callee.text, number)
            if argument and argument[0].text == "(":  # a cast
                found[start + closing(argument, 0) + 1] = (callee.text, number)
            start += len(argument) + 1
    return found


def _pairs(tokens: Sequence[Token]) -> Iterator[tuple[Token, str]]:
    return ((token, after.text) for token, after in itertools.pairwise(tokens))


def returned(variables: Variables, low: int, tokens: Sequence[Token]) -> Look | None:
    """What a ``return`` hands back, if that is a number or a pointer."""
    if not tokens or tokens[0].text != "return" or len(tokens) < 2:
        return None
    kind = variables.returned(low)
    shape = None if kind is None else kind.shape()
    if kind is None or shape is None or not (kind.number or kind.pointer) or kind.size > 8:
        return None
    return Look(RETURNED, (), ("rax", kind.size, shape), True)
