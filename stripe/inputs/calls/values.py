"""Values that can be taken apart: what their parts are, and how a value with fewer parts is built.

A *part* is an element of a sequence or a set, an item of a dict, a character, a byte; parts may
have parts again. `Tree` numbers all of them, parents first, so that a configuration of numbers
says which of them are kept.
"""

from __future__ import annotations

import copy
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

DEEPEST = 50
"""Parts of parts that lie deeper are kept whole: what nests further is rather a graph."""

TELLING = frozenset({str, bytes, int, bool, type(None)})
"""Types whose values are the same if they are equal."""

type Kept = list[tuple[int, Any]]
"""Parts to keep: the position each has in the value, and what it is now."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """How one value is taken apart."""

    parts: tuple[Any, ...]
    build: Callable[[Kept], Any]
    """Makes a value of the same type out of the parts to keep."""
    droppable: bool = True
    """Whether parts can go; the fields of a named tuple cannot."""
    atoms: bool = False
    """Whether parts have no parts of their own, as characters have none."""


class NotPlain(Exception):
    """The value holds what cannot be compared by its contents alone."""


class Tree:
    """All parts of a value, numbered from 0 in the order of the value, parents first.

    A process that was forked builds values, too: numbers are in arrays, for to look at an object is
    to write to it, and a page that is written to has to be copied.

    Args:
        value: what to take apart. It is never changed.
        depth: how many levels of parts count; None for all of them, 1 for the outermost only.
    """

    def __init__(self, value: Any, depth: int | None = None) -> None:
        self.parents: list[int | None] = []
        """Part -> the part it lies in."""
        self._root = self._node_of(value, None, DEEPEST if depth is None else depth, ())
        self.everything = tuple(range(len(self.parents)))
        """All parts."""

    def parent(self, part: int) -> int | None:
        """Return the part that `part` lies in, or None."""
        return self.parents[part]

    def build(self, kept: Iterable[int]) -> Any:
        """Return the value with these parts only; a part goes together with the one it lies in.

        Of what nothing was left out, the very object is in it.
        """
        return self._root.build(sorted(kept))

    def _node_of(
        self, value: Any, owner: int | None, depth: int, around: tuple[int, ...]
    ) -> _Leaf | _Node:
        shape = None if depth <= 0 or id(value) in around else _shape(value)
        if shape is None:
            return _Leaf(value)
        around = (*around, id(value))
        node = _Node(value, shape)
        for part in shape.parts:
            number = len(self.parents)
            node.starts.append(number)
            if shape.droppable:
                self.parents.append(owner)
            if not shape.atoms:
                inside = number if shape.droppable else owner
                node.children.append(self._node_of(part, inside, depth - 1, around))
        node.starts.append(len(self.parents))
        return node


@dataclass(frozen=True, slots=True)
class _Leaf:
    value: Any

    def build(self, kept: Sequence[int]) -> Any:
        return self.value


@dataclass(frozen=True, slots=True)
class _Node:
    value: Any
    shape: _Shape
    children: list[_Leaf | _Node] = field(default_factory=list)
    """None for atoms, which have nothing in them."""
    starts: array[int] = field(default_factory=lambda: array("q"))
    """Where the numbers begin of each part and what is in it, and where the last ones end."""

    def build(self, kept: Sequence[int]) -> Any:
        """Return the value with those of the parts that are `kept`, which are in order."""
        if len(kept) == self.starts[-1] - self.starts[0]:
            return self.value
        if self.shape.atoms:
            positions = (number - self.starts[0] for number in kept)
            return self.shape.build([(at, self.shape.parts[at]) for at in positions])
        parts = self._parts(kept) if self.shape.droppable else self._fields(kept)
        return self.shape.build(list(parts))

    def _parts(self, kept: Sequence[int]) -> Iterator[tuple[int, Any]]:
        after = 0
        while after < len(kept):
            start = after
            position = bisect_right(self.starts, kept[start]) - 1
            after = bisect_left(kept, self.starts[position + 1], start)
            if kept[start] == self.starts[position]:
                yield position, self.children[position].build(kept[start + 1 : after])

    def _fields(self, kept: Sequence[int]) -> Iterator[tuple[int, Any]]:
        for position, child in enumerate(self.children):
            start, end = (bisect_left(kept, self.starts[at]) for at in (position, position + 1))
            yield position, child.build(kept[start:end])


def key(value: Any) -> Any:
    """Return something hashable that is equal for values that no program can tell apart.

    Containers of Python's own, nested in any way, are compared by their contents, so unhashable
    ones have a key as well; other objects are the same only if they are the same object.

    Raises:
        NotPlain: when the value holds a container of another type, or itself.
    """
    return _key(value, DEEPEST + 1)


def _key(value: Any, depth: int) -> Any:
    kind = type(value)
    if kind in TELLING:
        return kind, value
    if kind in (float, complex):
        return kind, repr(value)  # tells -0.0 from 0.0, and equals for nan
    if kind is bytearray:
        return kind, bytes(value)
    if depth <= 0:
        raise NotPlain
    if kind in (list, tuple):
        kinds = tuple(map(type, value))
        if TELLING.issuperset(kinds):
            return kind, kinds, tuple(value)
        return kind, tuple(_key(part, depth - 1) for part in value)
    if kind in (set, frozenset):
        return kind, frozenset(_key(part, depth - 1) for part in value)
    if kind is dict:
        return kind, tuple((_key(k, depth - 1), _key(v, depth - 1)) for k, v in value.items())
    if _shape(value) is not None:
        raise NotPlain
    return kind, id(value)


def parts_of(value: Any) -> tuple[Any, ...] | None:
    """Return the parts of a value in order, or None if it is one whole."""
    shape = _shape(value)
    return None if shape is None else shape.parts


def with_parts(value: Any, parts: Iterable[Any]) -> Any:
    """Return a new value with these in the place of its parts, which are as many."""
    shape = _shape(value)
    assert shape is not None, "it has parts"
    return shape.build(list(enumerate(parts)))


def _shape(value: Any) -> _Shape | None:
    """Return how to take `value` apart, or None if it is one whole."""
    kind = type(value)
    if kind is str:
        return _Shape(tuple(value), lambda kept: "".join(part for _, part in kept), atoms=True)
    if kind in (bytes, bytearray):
        return _Shape(tuple(value), lambda kept: kind(part for _, part in kept), atoms=True)
    if kind in (list, tuple):
        return _Shape(tuple(value), lambda kept: kind(part for _, part in kept))
    if isinstance(value, set | frozenset):
        return _checked(value, _Shape(_ordered(value), lambda kept: kind(p for _, p in kept)))
    if isinstance(value, Mapping):
        return _mapping(value)
    if isinstance(value, tuple) and hasattr(kind, "_make"):
        make = kind._make
        return _Shape(tuple(value), lambda kept: make(p for _, p in kept), droppable=False)
    return _sequence(value)


def _ordered(value: Iterable[Any]) -> tuple[Any, ...]:
    """The elements of a set in an order that does not depend on hashes."""
    parts = list(value)
    if any(all(isinstance(part, kind) for part in parts) for kind in (str, bytes, int)):
        return tuple(sorted(parts))
    return tuple(sorted(parts, key=repr))


def _mapping(value: Mapping[Any, Any]) -> _Shape | None:
    kind: Any = type(value)
    keys = tuple(value)
    if kind is dict:
        return _Shape(
            tuple(value.values()), lambda kept: {keys[index]: part for index, part in kept}
        )
    if not hasattr(kind, "__delitem__") or not hasattr(kind, "__setitem__"):
        return None

    def build(kept: Kept) -> Any:
        return _fewer(value, {keys[index]: part for index, part in kept}, keys)

    return _checked(value, _Shape(tuple(value[key] for key in keys), build))


def _sequence(value: Any) -> _Shape | None:
    """Any other type with a length and elements by position.

    The first way to build it again that gives back what there is will do: a copy from which
    elements are deleted keeps all other attributes; then the type called with the elements; then
    slices, added up.
    """
    kind = type(value)
    if isinstance(value, type | memoryview) or not (
        hasattr(kind, "__len__") and hasattr(kind, "__getitem__")
    ):
        return None
    try:
        parts = tuple(value[index] for index in range(len(value)))
    except Exception:
        return None
    atoms = isinstance(value, str | bytes) or (
        bool(parts) and all(type(part) in (str, kind) and len(part) == 1 for part in parts)
    )

    def with_deletions(kept: Kept) -> Any:
        return _fewer(value, dict(kept), range(len(parts)))

    def from_elements(kept: Kept) -> Any:
        return kind([part for _, part in kept])

    def from_text(kept: Kept) -> Any:
        return kind("".join(part for _, part in kept))

    def from_slices(kept: Kept) -> Any:
        pieces = (value[index : index + 1] for index, _ in kept)
        whole = value[0:0]
        for piece in pieces:
            whole = whole + piece
        return whole

    ways = [from_elements, from_slices] if not atoms else [from_text, from_elements, from_slices]
    if hasattr(kind, "__delitem__"):
        ways.insert(0, with_deletions)
    for build in ways:
        shape = _checked(value, _Shape(parts, build, atoms=atoms or build is from_slices))
        if shape is not None:
            return shape
    return None


def _fewer(value: Any, kept: Mapping[Any, Any], places: Iterable[Any]) -> Any:
    """Return a copy of `value` without what is not kept, and with what has changed in it."""
    places = tuple(places)
    parts = {place: value[place] for place in places}
    fewer = copy.deepcopy(value, {id(part): part for part in parts.values()})
    for place in reversed(places):  # from the back: the positions before stay valid
        if place not in kept:
            del fewer[place]
        elif kept[place] is not parts[place]:
            fewer[place] = kept[place]
    return fewer


def _checked(value: Any, shape: _Shape) -> _Shape | None:
    """Return the shape if it can build the value again, and one with a part less."""
    whole = list(enumerate(shape.parts))
    try:
        for kept in (whole, whole[1:]):
            built = shape.build(kept)
            if type(built) is not type(value) or len(built) != len(kept):
                return None
            for found, (_, part) in zip(_parts(built), kept, strict=True):
                if found is not part and found != part:
                    return None
    except Exception:  # a constructor of the user's may raise whatever it likes
        return None
    return shape


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, set | frozenset):
        return _ordered(value)
    if isinstance(value, Mapping):
        return [value[place] for place in value]
    return [value[index] for index in range(len(value))]
