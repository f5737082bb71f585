"""An input cut into units, and put together again from those that are kept.

Units are numbered from 0 in the order of the input.  A configuration is a tuple of such numbers;
all of them together give the input back, byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol

from stripe.dd import Configuration

ROOT = -1
"""The parent of a unit that has none."""

_BLOCK = 256


class Units(Protocol):
    """An input as units."""

    def __len__(self) -> int:
        """How many units there are."""
        ...

    @property
    def hierarchical(self) -> bool:
        """Whether units lie within others, and go with them."""
        ...

    def parent(self, unit: int) -> int | None:
        """The unit around ``unit``, if there is one."""
        ...

    def weight(self, unit: int) -> int:
        """About how many bytes are gone without ``unit``, beside those of units within it."""
        ...

    def render(self, configuration: Configuration[int]) -> bytes:
        """The input with these units alone.  The parents of each must be among them."""
        ...


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass over an input, of several in one kind of units."""

    name: str
    """What it tries."""
    units: Units
    by_tree: bool = False
    """Whether it works on the syntax tree of a Python program."""


class Beside:
    """Units none of which lies within another."""

    hierarchical = False

    def parent(self, unit: int) -> int | None:
        """None has one."""
        return None

    def weight(self, unit: int) -> int:
        """What is not weighed weighs the same."""
        return 1


class Nested:
    """Units within units; one comes before those within it.

    Args:
        parents: the unit around each, or ``ROOT``.
    """

    hierarchical = True

    def __init__(self, parents: Sequence[int]) -> None:
        self._parents = parents

    def __len__(self) -> int:
        return len(self._parents)

    def parent(self, unit: int) -> int | None:
        """The unit around ``unit``, if there is one."""
        around = self._parents[unit]
        return None if around == ROOT else around

    def weight(self, unit: int) -> int:
        """What is not weighed weighs the same."""
        return 1


class Within:
    """The units of a part of an input, as they are there; what is around them is written anew."""

    def __init__(self, units: Units) -> None:
        self._units = units

    def __len__(self) -> int:
        return len(self._units)

    @property
    def hierarchical(self) -> bool:
        """As those are."""
        return self._units.hierarchical

    def parent(self, unit: int) -> int | None:
        """As those have it."""
        return self._units.parent(unit)

    def weight(self, unit: int) -> int:
        """As those have it."""
        return self._units.weight(unit)


class Flat(Beside):
    """Units that follow each other: lines, characters, tokens."""

    def __init__(self, pieces: Sequence[bytes]) -> None:
        self._pieces = pieces
        self._data = b"".join(pieces)
        self._bounds = [0, *accumulate(map(len, pieces))]

    def __len__(self) -> int:
        return len(self._pieces)

    def render(self, configuration: Configuration[int]) -> bytes:
        bounds = self._bounds
        return b"".join(
            self._data[bounds[configuration[start]] : bounds[configuration[end - 1] + 1]]
            if consecutive
            else b"".join(map(self._pieces.__getitem__, configuration[start:end]))
            for start, end, consecutive in _blocks(configuration)
        )


class Bytes(Beside):
    """Every byte a unit."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def __len__(self) -> int:
        return len(self._data)

    def render(self, configuration: Configuration[int]) -> bytes:
        return b"".join(
            self._data[configuration[start] : configuration[end - 1] + 1]
            if consecutive
            else bytes(map(self._data.__getitem__, configuration[start:end]))
            for start, end, consecutive in _blocks(configuration)
        )


def _blocks(configuration: Configuration[int]) -> Iterator[tuple[int, int, bool]]:
    """Cut a configuration in blocks, and tell of each whether its units are consecutive.

    An input may have millions of units, nearly all of which are kept at first: blocks grow as long
    as they are consecutive, so that these are copied whole and in a few steps.
    """
    start, size = 0, _BLOCK
    while start < len(configuration):
        end = min(start + size, len(configuration))
        consecutive = configuration[end - 1] - configuration[start] == end - 1 - start
        if consecutive or size == _BLOCK:
            yield start, end, consecutive
            start = end
        size = size * 2 if consecutive else max(_BLOCK, size // 8)


@dataclass(slots=True)
class Node:
    """A unit of a tree: ``start``, the units within it, ``end``.

    ``separator`` stands before it, unless it is the first of those kept beside it: the comma
    between two elements goes with either.

    ``hollow`` is written after ``start`` if none of the units within it is kept, but for clauses,
    as ``else`` in a statement of Python.
    """

    parent: int = ROOT
    separator: bytes = b""
    start: bytes = b""
    end: bytes = b""
    hollow: bytes = b""
    is_clause: bool = False


class Tree(Nested):
    """The units of a document, each with its text before and after those within it."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        super().__init__([node.parent for node in nodes])
        self._nodes = nodes

    def weight(self, unit: int) -> int:
        """The bytes of the unit's own text."""
        node = self._nodes[unit]
        return len(node.separator) + len(node.start) + len(node.end)

    def render(self, configuration: Configuration[int]) -> bytes:
        nodes = self._nodes
        written: list[bytes] = []
        inside: list[int] = []
        hollow: list[bytes] = []  # what is still to be written of those, if nothing is in them
        begun: set[int] = set()
        for unit in configuration:
            node = nodes[unit]
            while inside and inside[-1] != node.parent:
                left = nodes[inside.pop()]
                written += (hollow.pop(), left.end)
            if hollow:
                if node.is_clause:
                    written.append(hollow[-1])
                hollow[-1] = b""
            if node.parent in begun:
                written.append(node.separator)
            else:
                begun.add(node.parent)
            written.append(node.start)
            inside.append(unit)
            hollow.append(node.hollow)
        while inside:
            written += (hollow.pop(), nodes[inside.pop()].end)
        return b"".join(written)
