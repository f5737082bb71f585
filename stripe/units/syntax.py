"""Syntax trees, read by tree-sitter, as units within units.

- A node is a unit; one with nothing but another node in it is one unit with that.
- The words and brackets of a node that has others in it are a unit of their own, its frame: without
  frame and condition, ``if (x) f();`` becomes ``f();``.
- The sign that stands alone between two nodes (``,`` ``+`` ``=`` ``:``) goes with either of them.
- An end tag goes with its start tag.
- Blanks go with what follows them.  What the grammar does not understand is cut like all else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from stripe.dd import Configuration
from stripe.units.grammars import parser_for
from stripe.units.model import ROOT, Nested

if TYPE_CHECKING:
    from tree_sitter import Node


_END_TAGS = frozenset({"end_tag", "ETag", "jsx_closing_element"})


def syntax(data: bytes, file: str) -> Syntax:
    """The units of the syntax tree of ``data``, which need not be valid.

    ``file`` is its name, whose suffix tells the language.

    Raises:
        UsageError: ``no-grammar``.
    """
    return _Writer(data).tree(_read(parser_for(file).parse(data).root_node))


@dataclass(slots=True)
class Unit:
    """What is known of a unit."""

    parent: int
    """The unit around it, or ROOT."""
    family: int
    """The first of the units that lie in the same node; of a frame or a comment, itself."""
    row: int
    """The first of the units between which there are commas, this among them."""


@dataclass(slots=True)
class Sign:
    """What stands between units, and is written only if there are others before it."""

    family: int
    row: int
    lead: bytes = b""
    """Written if none of its row is there, but others of the family are..."""
    comma: bytes = b""
    """...and this if one of its row is."""


@dataclass(frozen=True, slots=True)
class Either:
    """A piece that is another one where a unit is not kept."""

    unit: int
    text: bytes
    otherwise: bytes


type Piece = bytes | Sign | Either


class Syntax(Nested):
    """Units whose text may lie between that of others."""

    def __init__(self, units: list[Unit], pieces: list[tuple[int, Piece]]) -> None:
        """``pieces`` are the input in its order, each with the unit it belongs to."""
        super().__init__([unit.parent for unit in units])
        self._units = units
        self._pieces = pieces
        self._places: list[list[int]] = [[] for _ in units]
        for place, (owner, _) in enumerate(pieces):
            self._places[owner].append(place)

    def weight(self, unit: int) -> int:
        """The bytes of the unit's own text."""
        pieces = (self._pieces[place][1] for place in self._places[unit])
        return sum(map(_length, pieces))

    def render(self, configuration: Configuration[int]) -> bytes:
        families: dict[int, int] = {}  # the first of each that is kept
        rows: dict[int, int] = {}
        kept = set(configuration)
        for number in configuration:
            unit = self._units[number]
            families.setdefault(unit.family, number)
            rows.setdefault(unit.row, number)
        written = bytearray()
        before = -1
        for place in sorted(chain.from_iterable(map(self._places.__getitem__, configuration))):
            owner, piece = self._pieces[place]
            if isinstance(piece, bytes):
                text = piece
            elif isinstance(piece, Either):
                text = piece.text if piece.unit in kept else piece.otherwise
            elif rows.get(piece.row, owner) != owner:
                text = piece.comma
            elif families.get(piece.family, owner) != owner:
                text = piece.lead
            else:
                continue
            if place > before + 1 and _in_word(written[-1:]) and _in_word(text[:1]):
                written += b" "  # they were two words
            written += text
            before = place
        return bytes(written)


def _length(piece: Piece) -> int:
    if isinstance(piece, bytes):
        return len(piece)
    return len(piece.comma if isinstance(piece, Sign) else piece.text)


def _in_word(character: bytes | bytearray) -> bool:
    return character.isalnum() or character == b"_" or character >= b"\x80"


# --- from the parsed tree to units ----------------------------------------------------------------


@dataclass(slots=True)
class _Item:
    """A node of the parsed tree, or a word or sign of one."""

    kind: str
    end: int
    is_sign: bool
    is_comment: bool
    items: list[_Item] = field(default_factory=list)


def _read(root: Node) -> _Item:
    """Copy a parsed tree, without what has no text; however deep it is."""
    cursor = root.walk()
    path: list[_Item] = []
    node: Node | None = root
    while node is not None:
        is_sign = not node.is_named and node.child_count == 0
        path.append(_Item(node.type, node.end_byte, is_sign, node.is_extra))
        if not cursor.goto_first_child():
            while True:
                item = _simple(path.pop())
                if not path:
                    return item
                ended = cursor.node
                if ended is not None and ended.start_byte < ended.end_byte:
                    path[-1].items.append(item)
                if cursor.goto_next_sibling():
                    break
                cursor.goto_parent()
        node = cursor.node
    raise AssertionError("a cursor is somewhere")


def _simple(item: _Item) -> _Item:
    """A node without needless levels."""
    items = item.items
    if item.kind == "ERROR":  # what it has is no frame for anything
        for each in items:
            each.is_sign = False
    if all(each.is_sign for each in items) or item.kind in _END_TAGS:
        item.items = []
    elif len(items) == 1:
        return items[0]
    elif items[0].kind == item.kind:  # a + b + c
        item.items = items[0].items + items[1:]
    return item


@dataclass(slots=True)
class _Entry:
    """An item whose unit is, or will be, known."""

    item: _Item
    unit: int = ROOT
    sign: Sign | None = None


class _Writer:
    """Numbers the units, and gives every byte to one of them."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._position = 0
        self._units: list[Unit] = []
        self._pieces: list[tuple[int, Piece]] = []
        self._leads: dict[int, bytes] = {}  # what stands before the first of a row

    def tree(self, root: _Item) -> Syntax:
        to_do = self._opened(ROOT, root)
        while to_do:
            entry = to_do.pop()
            if entry.item.items:
                to_do += self._opened(entry.unit, entry.item)
            else:
                self._write(entry.unit, entry.item.end, entry.sign)
        if self._position < len(self._data):
            self._write(self._unit(ROOT), len(self._data), None)
        return Syntax(self._units, self._pieces)

    def _unit(self, parent: int) -> int:
        number = len(self._units)
        self._units.append(Unit(parent, number, number))
        return number

    def _opened(self, around: int, node: _Item) -> list[_Entry]:
        """What is in a node, the last first."""
        entries = [_Entry(each) for each in node.items]
        between, last_comma = _between(node)
        frame = around
        if sum(each.is_sign for each in node.items) > len(between):
            frame = self._unit(around)
        before: Unit | None = None
        for number, entry in enumerate(entries):
            if entry.item.is_sign:
                entry.unit = frame
                continue
            if entry.item.kind in _END_TAGS and number > 0:
                entry.unit = entries[0].unit
                continue
            entry.unit = self._unit(around)
            if entry.item.is_comment:
                continue
            unit = self._units[entry.unit]
            if before is not None:
                unit.family = before.family
            if before is not None and number in between:
                sign = entries[between[number]]
                if sign.item.kind == ",":
                    unit.row = before.row
                sign.unit, sign.sign = entry.unit, Sign(unit.family, unit.row)
            before = unit
        if before is not None and last_comma is not None:
            entries[last_comma].sign = Sign(frame, before.row)
        return entries[::-1]

    def _write(self, unit: int, end: int, sign: Sign | None) -> None:
        """Give what is left up to ``end`` to a unit."""
        text = self._data[self._position : end]
        self._position += len(text)
        if not text:
            return
        if sign is None:
            self._pieces.append((unit, text))
            return
        if sign.row == unit:
            sign.lead = self._leads[unit] = text
        else:
            sign.lead, sign.comma = self._leads.get(sign.row, b""), text
        self._pieces.append((unit, sign))


def _between(node: _Item) -> tuple[dict[int, int], int | None]:
    """The places of signs that stand alone between two items, by that of the second; and the place
    of a comma behind the last item."""
    between: dict[int, int] = {}
    seen = False
    signs: list[int] = []
    for number, item in enumerate(node.items):
        if item.is_sign:
            signs.append(number)
        elif not item.is_comment:
            if seen and len(signs) == 1 and _joins(node.items[signs[0]].kind, node.kind):
                between[number] = signs[0]
            seen = True
            signs = []
    behind = signs[0] if seen and signs and node.items[signs[0]].kind == "," else None
    return between, behind


def _joins(sign: str, kind: str) -> bool:
    """Whether a sign goes with the item it stands before: not the semicolons in a loop's head."""
    return sign not in "()[]{}" and not (sign == ";" and kind.startswith("for"))
