"""Syntax trees, as tree-sitter reads them, as units within units.

- A unit is a node of the tree; nodes with nothing but one node in them are one unit with it.
- The words and brackets of a node with others in it are a unit of their own, its *frame*: so that
  ``if (x) f();`` becomes ``f();`` when the frame and the condition are left out.
- The word or sign between two nodes (``,`` ``+`` ``=`` ``:``) goes with either of them.
- Blanks go with what follows.  What the grammar does not understand is cut like all else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import compress
from typing import TYPE_CHECKING

from stripe.dd import Configuration
from stripe.inputs.grammars import parser_for
from stripe.inputs.units import ROOT

if TYPE_CHECKING:
    from tree_sitter import Node as Parsed

FRAMES = True


def syntax(data: bytes, file: str) -> Syntax:
    """The units of the syntax tree of ``data``.

    Args:
        data: the input; it need not be valid.
        file: its name, which tells the language.

    Raises:
        UsageError: ``no-grammar``.
    """
    return _Writer(data).tree(_read(parser_for(file).parse(data).root_node))


@dataclass(slots=True)
class Facts:
    """What is known of a unit."""

    parent: int
    """The unit around it, or ROOT."""
    beside: int
    """The first of the units that lie in the same node; of a frame or a comment, itself."""
    row: int
    """The first of the units between which there are commas, this among them."""


@dataclass(slots=True)
class Joint:
    """What stands before a unit if there are others before it that lie in the same node."""

    beside: int
    row: int
    lead: bytes = b""
    """Written if none of its row is there, but others are..."""
    comma: bytes = b""
    """...and this if one of its row is."""


class Syntax:
    """Units whose text may lie between that of others."""

    hierarchical = True

    def __init__(self, facts: list[Facts], pieces: list[tuple[int, bytes | Joint]]) -> None:
        self._facts = facts
        self._owners = [owner for owner, _ in pieces]
        self._pieces = pieces

    def __len__(self) -> int:
        return len(self._facts)

    def parent(self, unit: int) -> int | None:
        around = self._facts[unit].parent
        return None if around == ROOT else around

    def render(self, configuration: Configuration[int]) -> bytes:
        kept = bytearray(len(self._facts))
        beside: dict[int, int] = {}  # the first of them that is kept
        row: dict[int, int] = {}
        for unit in configuration:
            kept[unit] = 1
            facts = self._facts[unit]
            beside.setdefault(facts.beside, unit)
            row.setdefault(facts.row, unit)
        written = bytearray()
        here = -1
        for place in compress(range(len(self._pieces)), map(kept.__getitem__, self._owners)):
            owner, piece = self._pieces[place]
            if isinstance(piece, bytes):
                text = piece
            elif row.get(piece.row, owner) != owner:
                text = piece.comma
            elif beside.get(piece.beside, owner) != owner:
                text = piece.lead
            else:
                continue
            if place > here + 1 and _word(written[-1:]) and _word(text[:1]):
                written += b" "  # words do not grow together
            written += text
            here = place
        return bytes(written)


def _word(character: bytes | bytearray) -> bool:
    return character.isalnum() or character >= b"\x80" or character == b"_"


@dataclass(slots=True)
class _Item:
    """A node of the parsed tree; a word or a sign has no items."""

    kind: str
    end: int
    token: bool
    comment: bool
    items: list[_Item] = field(default_factory=list)


def _read(root: Parsed) -> _Item:
    """Copy a parsed tree, without chains and without what has no text."""
    cursor = root.walk()
    path: list[_Item] = []
    while True:
        node = cursor.node
        assert node is not None, "a cursor is somewhere"
        path.append(_Item(node.type, node.end_byte, not node.is_named, node.is_extra))
        if cursor.goto_first_child():
            continue
        while True:
            item = _plain(path.pop())
            if not path:
                return item
            node = cursor.node
            assert node is not None, "a cursor is somewhere"
            if node.end_byte > node.start_byte:
                path[-1].items.append(item)
            if cursor.goto_next_sibling():
                break
            cursor.goto_parent()


def _plain(item: _Item) -> _Item:
    """A node as short as can be."""
    items = item.items
    if all(each.token for each in items):
        item.items = []
    elif len(items) == 1:
        return items[0]
    elif items[0].kind == item.kind:  # a + b + c
        item.items = items[0].items + items[1:]
    return item


@dataclass(slots=True)
class _Entry:
    """Something to write, or to open."""

    item: _Item
    unit: int | None = None
    """None for what belongs to the frame."""
    joint: Joint | None = None


class _Writer:
    """Numbers the units, and gives every byte to one of them."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._position = 0
        self._facts: list[Facts] = []
        self._pieces: list[tuple[int, bytes | Joint]] = []
        self._leads: dict[int, bytes] = {}

    def tree(self, root: _Item) -> Syntax:
        todo = self._open(ROOT, root)
        while todo:
            entry = todo.pop()
            assert entry.unit is not None, "frames have numbers, too"
            if entry.item.items:
                todo += self._open(entry.unit, entry.item)
            else:
                self._write(entry.unit, entry.item.end, entry.joint)
        if self._position < len(self._data):
            self._write(self._unit(ROOT), len(self._data), None)
        return Syntax(self._facts, self._pieces)

    def _unit(self, parent: int) -> int:
        number = len(self._facts)
        self._facts.append(Facts(parent, number, number))
        return number

    def _open(self, around: int, item: _Item) -> list[_Entry]:
        """What is in a node, last things first."""
        entries = [_Entry(each) for each in item.items or [item]]
        joints, tail = _joints(entries, item.kind)
        frame = around
        if (FRAMES or around == ROOT) and any(
            each.item.token and number not in joints.values() for number, each in enumerate(entries)
        ):
            frame = self._unit(around)
        before: Facts | None = None
        for number, entry in enumerate(entries):
            if entry.item.token:
                continue
            entry.unit = self._unit(around)
            facts = self._facts[entry.unit]
            if entry.item.comment:
                continue
            if before is not None:
                facts.beside = before.beside
            if number in joints:
                sign = entries[joints[number]]
                if before is not None and sign.item.kind == ",":
                    facts.row = before.row
                sign.unit = entry.unit
                sign.joint = Joint(facts.beside, facts.row)
            before = facts
        for number, entry in enumerate(entries):
            if entry.unit is None:
                entry.unit = frame
                if number == tail and before is not None:
                    entry.joint = Joint(frame, before.row)
        return entries[::-1]

    def _write(self, unit: int, end: int, joint: Joint | None) -> None:
        """Give what is left up to ``end`` to a unit."""
        text = self._data[self._position : end]
        if not text:
            return
        self._position = end
        if joint is None:
            self._pieces.append((unit, text))
            return
        if unit == joint.row:
            joint.lead = self._leads[unit] = text
        else:
            joint.lead, joint.comma = self._leads.get(joint.row, b""), text
        self._pieces.append((unit, joint))


def _joints(entries: list[_Entry], kind: str) -> tuple[dict[int, int], int | None]:
    """The sign that stands alone between a node and the one before it, by the node's place;
    and the place of a comma after the last."""
    joints: dict[int, int] = {}
    first = True
    run: list[int] = []
    for number, entry in enumerate(entries):
        if entry.item.token:
            run.append(number)
        elif not entry.item.comment:
            if not first and len(run) == 1 and _joins(entries[run[0]].item.kind, kind):
                joints[number] = run[0]
            first = False
            run = []
    tail = run[0] if run and not first and entries[run[0]].item.kind == "," else None
    return joints, tail


def _joins(sign: str, kind: str) -> bool:
    """Whether a sign goes with what it stands before, in a node of a kind."""
    return sign not in "()[]{}" and (sign != ";" or not kind.startswith("for"))
