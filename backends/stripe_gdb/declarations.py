"""What the text of native programs declares: functions, their variables, fields, globals.

An approximation: without scopes within functions, and types only as far as their spelling shows
that a value is a number.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from stripe_gdb.scanner import Phrase, Token, closing, phrases, split, words

KEYWORDS = words(
    """
    alignas alignof as async auto await bool break case catch char class const const_cast
    constexpr continue crate decltype default delete do double dyn dynamic_cast else enum
    explicit extern false final float fn for friend if impl in inline int let long loop
    match mod move mut mutable namespace new noexcept nullptr operator override private
    protected pub public ref register reinterpret_cast restrict return short signed sizeof
    static static_cast struct super switch template this throw trait true try typedef
    typeid typename union unsafe unsigned use using virtual void volatile where while
    yield NULL self Self i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 str
    """
)
SCALARS = words(
    """
    bool char double float int long short signed unsigned size_t ssize_t int8_t int16_t
    int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t ptrdiff_t i8 i16
    i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 let mut
    """
)
QUALIFIERS = words("class const enum extern mut static struct union volatile")
NO_TYPES = words("return else case goto throw delete new in sizeof yield")


@dataclass(slots=True)
class Names:
    """The variables of a file, by their declarations: an approximation, without scopes."""

    shared: dict[str, bool] = field(default_factory=dict)
    """Those of the file; True for scalars."""
    fields: set[str] = field(default_factory=set)
    """Members of structures and classes."""


@dataclass(slots=True)
class Function:
    """What the text of one function declares; True for scalars."""

    parameters: dict[str, bool] = field(default_factory=dict)
    variables: dict[str, bool] = field(default_factory=dict)
    arrays: set[str] = field(default_factory=set)
    exposed: set[str] = field(default_factory=set)
    """Variables whose address is taken somewhere."""
    main: bool = False


NOWHERE = Function()


class SourceText:
    """The phrases of a file, the functions they belong to, and the names it declares."""

    def __init__(self, text: str) -> None:
        self.names = Names()
        self._phrases = phrases(text)
        self._by_line: dict[int, list[Phrase]] = {}
        self._owner: dict[int, Function] = {}
        for phrase in self._phrases:
            if not self._declare(phrase):
                for line in range(phrase.first, phrase.last + 1):
                    self._by_line.setdefault(line, []).append(phrase)

    def at(self, line: int) -> list[Phrase]:
        """The phrases that stand on a line, wholly or in part."""
        return self._by_line.get(line, [])

    def function(self, phrase: Phrase) -> Function:
        """The function a phrase belongs to."""
        return self._owner.get(id(phrase), NOWHERE)

    def _around(self, phrase: Phrase) -> Function | None:
        """The function that a phrase stands in."""
        scope = phrase.scope
        while scope is not None:
            if id(scope) in self._owner:
                return self._owner[id(scope)]
            scope = scope.scope
        return None

    def _declare(self, phrase: Phrase) -> bool:
        """Note what a phrase declares; return whether it is the header of a function."""
        owner = self._around(phrase)
        tokens = phrase.tokens
        if owner is None and phrase.end == "{" and _is_function(tokens):
            owner = Function(main="main" in {token.text for token in tokens})
            self._owner[id(phrase)] = owner
            owner.parameters.update((each.name, each.scalar) for each in parameters(tokens))
            return True
        if owner is None:
            scope = phrase.scope.tokens if phrase.scope else []
            for each in declared(tokens):
                if any(token.text in ("struct", "class", "union") for token in scope):
                    self.names.fields.add(each.name)
                elif all(token.text != "extern" for token in tokens):
                    self.names.shared[each.name] = each.scalar
            return False
        self._owner[id(phrase)] = owner
        for each in declared(tokens):
            owner.variables[each.name] = each.scalar
            if each.array:
                owner.arrays.add(each.name)
        for before, token in itertools.pairwise(tokens):
            if before.text == "&" and token.kind == "name":
                owner.exposed.add(token.text)
        return False


def _is_function(tokens: Sequence[Token]) -> bool:
    """Whether a phrase before ``{`` is the header of a function."""
    names = {token.text for token in tokens if token.kind == "name"}
    if "fn" in names:
        return True
    if names & {"class", "enum", "namespace", "impl", "trait", "mod"}:
        return False
    marks = {token.text for token in tokens if token.kind == "mark"}
    return "(" in marks and ("=" not in marks or "operator" in names)


class Declared(NamedTuple):
    """A variable that a phrase declares."""

    name: str
    scalar: bool
    array: bool


def declared(tokens: Sequence[Token]) -> Iterator[Declared]:
    """The variables that a statement, or the header of a loop, declares."""
    for place, token in enumerate(tokens):
        if token.text == "let" and token.kind == "name":
            yield from _bound(tokens[place + 1 :])
    for start in (0, *(at + 2 for at, token in enumerate(tokens) if token.text == "for")):
        parts = split(tokens[start:], ",")
        first = _declarator(parts[0])
        if first is None:
            continue
        yield first
        for part in parts[1:]:
            names = list(itertools.takewhile(lambda token: token.text in "*&", part))
            if len(names) < len(part) and part[len(names)].kind == "name":
                pointer = bool(names)
                array = part[len(names) + 1 : len(names) + 2]
                is_array = bool(array) and array[0].text == "["
                yield Declared(
                    part[len(names)].text, first.scalar and not pointer and not is_array, is_array
                )


def parameters(tokens: Sequence[Token]) -> Iterator[Declared]:
    """The parameters in the header of a function."""
    start = next((at for at, token in enumerate(tokens) if token.text == "("), len(tokens))
    for part in split(tokens[start + 1 : closing(tokens, start)], ","):
        rust = next((at for at, token in enumerate(part) if token.text == ":"), None)
        if rust is not None and part[rust - 1].kind == "name":
            scalar = any(token.text in SCALARS for token in part[rust + 1 :])
            plain = all(token.text not in ("&", "[", "<") for token in part[rust + 1 :])
            yield Declared(part[rust - 1].text, scalar and plain, False)
            continue
        found = _declarator(part)
        if found is not None:
            yield found._replace(array=False, scalar=found.scalar and not found.array)


def _declarator(tokens: Sequence[Token]) -> Declared | None:
    """What ``TYPE NAME ...`` declares; None if it does not look like that."""
    found: list[str] = []
    pointer = scalar = False
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if token.kind == "name":
            if token.text in NO_TYPES:
                return None
            if token.text not in QUALIFIERS:
                found.append(token.text)
            scalar = scalar or token.text in SCALARS
        elif token.text == "::" and found:
            found.pop()
        elif token.text == "<" and found:
            end = _angle(tokens, place)
            if end is None:
                break
            scalar, place = False, end
        elif token.text in ("*", "&", "&&"):
            pointer = True
        else:
            break
        place += 1
    if len(found) < 2 or found[-1] in KEYWORDS or tokens[place - 1].kind != "name":
        return None
    follows = tokens[place].text if place < len(tokens) else ""
    if follows not in ("", "=", ",", ")", "[", ":", "(", ";"):
        return None
    array = follows == "["
    return Declared(found[-1], scalar and not pointer and not array, array)


def _angle(tokens: Sequence[Token], start: int) -> int | None:
    """Where the template arguments that begin at ``start`` end; None if they are none."""
    depth = 0
    for place in range(start, len(tokens)):
        text = tokens[place].text
        depth += (text == "<") - (text == ">") - 2 * (text == ">>")
        if depth <= 0:
            return place
        if tokens[place].kind == "mark" and text not in "<>,::*&()[]":
            return None
    return None


def _bound(tokens: Sequence[Token]) -> Iterator[Declared]:
    """The names that the pattern of a ``let`` of Rust binds."""
    rest = list(tokens)
    marks = [at for at, token in enumerate(rest) if token.text in (":", "=")]
    pattern = rest[: marks[0]] if marks else rest
    scalar = all(token.text not in ("&", "Vec", "vec", "String", "Box", "[") for token in rest)
    for at, token in enumerate(pattern):
        called = at + 1 < len(pattern) and pattern[at + 1].text in ("(", "::")
        if token.kind == "name" and token.text not in KEYWORDS and not called:
            yield Declared(token.text, scalar, False)
