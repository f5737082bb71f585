"""Where variables are in memory and how their values are read, by the debug information.

Locations hold without optimisation: an offset from the frame, or an address.  What is described
otherwise (in registers, in other threads' memory) is not known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stripe_gdb.elf import Executable, Unit

TRANSPARENT = (
    "DW_TAG_typedef",
    "DW_TAG_const_type",
    "DW_TAG_volatile_type",
    "DW_TAG_restrict_type",
    "DW_TAG_atomic_type",
)
PARAMETER = "DW_TAG_formal_parameter"
LOCAL = "fb"
"""How a place in a frame begins."""
SCOPES = ("DW_TAG_lexical_block", "DW_TAG_subprogram")
RECORDS = ("DW_TAG_structure_type", "DW_TAG_class_type")
ADDRESS, FRAME, DEREFERENCE = 0x03, 0x91, 0x06
SIGNED = (0x05, 0x06, 0x0D)
FLOATING = (0x04,)
LETTERS = (0x06, 0x08)
LONGEST = 200
"""Characters of a text that are compared."""
MOST_ELEMENTS = 64
"""So many elements of an array are compared."""
DEEPEST = 4
"""Records in records that are compared."""

type Shape = Sequence[Any]
"""How a value is read: for ``inside/variable_reads.py``."""


@dataclass(frozen=True, slots=True)
class Variable:
    """``place`` is the beginning of an address: for ``inside/variable_reads.py``."""

    place: tuple[Sequence[Any], ...]
    type: Type


class Type:
    """A type of the program, without its qualifiers and names."""

    def __init__(self, entry: Any) -> None:
        while entry is not None and entry.tag in TRANSPARENT:
            entry = _target(entry)
        self._entry = entry
        self.tag: str = "" if entry is None else entry.tag.removeprefix("DW_TAG_")

    @property
    def size(self) -> int:
        """Bytes; 0 if it is not known."""
        if self.pointer:
            return 8
        if self.array:
            return (self.count or 0) * self.target.size
        return _number(self._entry, "DW_AT_byte_size")

    @property
    def pointer(self) -> bool:
        return self.tag in ("pointer_type", "reference_type", "rvalue_reference_type")

    @property
    def array(self) -> bool:
        return self.tag == "array_type"

    @property
    def number(self) -> bool:
        """Whether it is a whole number."""
        return self.tag in ("base_type", "enumeration_type") and not self.floating

    @property
    def floating(self) -> bool:
        return self.tag == "base_type" and self._encoding in FLOATING

    @property
    def letter(self) -> bool:
        """Whether it is a character."""
        return self.tag == "base_type" and self.size == 1 and self._encoding in LETTERS

    @property
    def signed(self) -> bool:
        return self.tag == "base_type" and self._encoding in SIGNED

    @property
    def target(self) -> Type:
        """What a pointer leads to, or what an array has elements of."""
        if self.array and len(self._ranges) > 1:
            return _Inner(self._entry, self._skipped + 1)
        return Type(_target(self._entry))

    @property
    def count(self) -> int | None:
        """How many elements an array has, if that is fixed."""
        ranges = self._ranges
        if not ranges:
            return None
        for name, more in (("DW_AT_count", 0), ("DW_AT_upper_bound", 1)):
            found = ranges[0].attributes.get(name)
            if found is not None and isinstance(found.value, int):
                return int(found.value) + more
        return None

    def field(self, name: str) -> tuple[int, Type] | None:
        """The offset and the type of a member that is no bit-field."""
        if self.tag not in ("structure_type", "class_type", "union_type"):
            return None
        for member in self._members:
            found = _text(member, "DW_AT_name")
            offset = _number(member, "DW_AT_data_member_location")
            if found == name:
                if "DW_AT_bit_size" in member.attributes:
                    return None
                return offset, Type(_target(member))
            if not found:  # an anonymous union or structure
                inner = Type(_target(member)).field(name)
                if inner is not None:
                    return offset + inner[0], inner[1]
        return None

    def shape(self, depth: int = 0) -> Shape | None:
        """How a value of it is read; ``None`` for what is not compared."""
        if self.pointer:
            return ("p",)
        if self.floating:
            return ("f", self.size)
        if self.number:
            return ("i", self.size, self.signed)
        if self.array:
            return self._array(depth)
        if self.tag in ("structure_type", "class_type") and depth < DEEPEST:
            return self._record(depth)
        return None

    def _array(self, depth: int) -> Shape | None:
        count, element = self.count, self.target
        if count is None or not element.size:
            return None
        if element.letter:
            return ("t", count)
        inner = element.shape(depth + 1)
        return None if inner is None else ("a", min(count, MOST_ELEMENTS), element.size, inner)

    def _record(self, depth: int) -> Shape | None:
        members = []
        for member in self._members:
            if "DW_AT_external" in member.attributes:
                continue  # of the class, not of the object
            offset = _number(member, "DW_AT_data_member_location")
            kind = Type(_target(member))
            bits = _number(member, "DW_AT_bit_size")
            if bits:
                first = _number(member, "DW_AT_data_bit_offset")
                inner: Shape | None = ("b", first, bits, kind.signed)
                offset = 0
            else:
                inner = kind.shape(depth + 1)
            if inner is not None:
                members.append((offset, inner))
        return ("s", members) if members else None

    @property
    def _encoding(self) -> int:
        return _number(self._entry, "DW_AT_encoding")

    _skipped = 0

    @property
    def _ranges(self) -> list[Any]:
        children = self._entry.iter_children()
        return [each for each in children if each.tag == "DW_TAG_subrange_type"][self._skipped :]

    @property
    def _members(self) -> list[Any]:
        return [each for each in self._entry.iter_children() if each.tag == "DW_TAG_member"]


class _Inner(Type):
    """An array of several dimensions, without the first of them."""

    def __init__(self, entry: Any, skipped: int) -> None:
        super().__init__(entry)
        self._skipped = skipped


@dataclass(frozen=True, slots=True)
class _Scope:
    ranges: Sequence[tuple[int, int]]
    names: Mapping[str, Variable]

    def holds(self, address: int) -> bool:
        return any(low <= address < high for low, high in self.ranges)


class Variables:
    """The variables of modules by their names, where these mean them."""

    def __init__(self, modules: Iterable[Executable]) -> None:
        self._units: list[tuple[list[_Scope], dict[str, Variable]]] = []
        self._returned: dict[int, Type] = {}
        self._parameters: dict[int, list[tuple[int, int]]] = {}
        for module in modules:
            for unit in module.units:
                if unit.rows:
                    self._add_unit(unit, module.bias)

    def _add_unit(self, unit: Unit, bias: int) -> None:
        scopes: list[_Scope] = []
        shared: dict[str, Variable] = {}
        for entry in unit.entries.iter_DIEs():
            if entry.tag in SCOPES:
                self._add_scope(entry, scopes, bias)
            elif entry.tag == "DW_TAG_variable" and entry.get_parent().tag not in SCOPES:
                found = _variable(entry, bias)
                if found is not None:
                    shared[_text(_original(entry), "DW_AT_name")] = found
        self._units.append((scopes, shared))

    def find(self, address: int, name: str) -> Variable | None:
        """The variable that a name means at an address of the code."""
        elsewhere = None
        for scopes, shared in self._units:
            here = [each for each in scopes if each.holds(address)]
            # Inner scopes come after those around them.
            for names in (*(each.names for each in reversed(here)), shared if here else {}):
                if name in names:
                    return names[name]
            elsewhere = elsewhere or shared.get(name)
        return elsewhere

    def parameters(self, low: int) -> Sequence[tuple[int, int]]:
        """Where the function that begins at an address has its parameters, and their sizes."""
        return self._parameters.get(low, ())

    def returned(self, low: int) -> Type | None:
        """What the function that begins at an address returns."""
        return self._returned.get(low)

    def _add_scope(self, entry: Any, scopes: list[_Scope], bias: int) -> None:
        ranges = list(address_ranges(entry, bias))
        scopes.append(_Scope(ranges, variables_of(entry, bias)))
        if entry.tag == "DW_TAG_subprogram" and ranges:
            given = [
                _variable(each, bias) for each in entry.iter_children() if each.tag == PARAMETER
            ]
            self._parameters[ranges[0][0]] = [
                (each.place[0][1], each.type.size) for each in given if each is not None
            ]
            kind = _target(_original(entry))
            if kind is not None:
                self._returned[ranges[0][0]] = Type(kind)


def variables_of(entry: Any, bias: int) -> dict[str, Variable]:
    """The variables of a scope of a module, by their names."""
    names = {}
    for child in entry.iter_children():
        if child.tag in ("DW_TAG_variable", PARAMETER):
            found = _variable(child, bias)
            if found is not None:
                names[_text(_original(child), "DW_AT_name")] = found
    return names


def address_ranges(entry: Any, bias: int) -> Iterator[tuple[int, int]]:
    """The addresses of a scope of a module, from and up to."""
    return ((bias + low, bias + high) for low, high in _ranges_in_file(entry))


def _ranges_in_file(entry: Any) -> Iterator[tuple[int, int]]:
    pieces = entry.attributes.get("DW_AT_ranges")
    if pieces is None:
        low, high = _number(entry, "DW_AT_low_pc"), entry.attributes.get("DW_AT_high_pc")
        if low and high is not None:
            yield low, high.value if high.form == "DW_FORM_addr" else low + high.value
        return
    base = _number(entry.cu.get_top_DIE(), "DW_AT_low_pc")
    lists = entry.dwarfinfo.range_lists()
    for piece in lists.get_range_list_at_offset(pieces.value, entry.cu):
        if hasattr(piece, "base_address"):
            base = piece.base_address
        else:
            start = 0 if piece.is_absolute else base
            yield start + piece.begin_offset, start + piece.end_offset


def _variable(entry: Any, bias: int) -> Variable | None:
    """Where a variable is, if that is at a fixed place of its frame or of the program."""
    found = entry.attributes.get("DW_AT_location")
    if found is None or found.form != "DW_FORM_exprloc" or not found.value:
        return None
    code = bytes(found.value)
    kind = _target(_original(entry))
    if kind is None:
        return None
    if code[0] == ADDRESS and len(code) == 9:
        return Variable((("ad", bias + int.from_bytes(code[1:], "little")),), Type(kind))
    if code[0] == FRAME:
        offset, used = _signed(code[1:])
        if len(code) == 1 + used:
            return Variable(((LOCAL, offset),), Type(kind))
        if code[1 + used :] == bytes((DEREFERENCE,)):  # an array of variable length
            return Variable(((LOCAL, offset), ("ld",)), Type(kind))
    return None


def _signed(code: bytes) -> tuple[int, int]:
    """A number as DWARF has it (SLEB128), and how many bytes that are."""
    value = 0
    for place, byte in enumerate(code):
        value |= (byte & 0x7F) << 7 * place
        if not byte & 0x80:
            if byte & 0x40:
                value -= 1 << 7 * (place + 1)
            return value, place + 1
    return 0, len(code)


def _original(entry: Any) -> Any:
    """What an entry is the definition or an instance of."""
    for name in ("DW_AT_specification", "DW_AT_abstract_origin"):
        if name in entry.attributes and "DW_AT_name" not in entry.attributes:
            return _original(entry.get_DIE_from_attribute(name))
    return entry


def _target(entry: Any) -> Any:
    if entry is None or "DW_AT_type" not in entry.attributes:
        return None
    return entry.get_DIE_from_attribute("DW_AT_type")


def _number(entry: Any, name: str) -> int:
    found = None if entry is None else entry.attributes.get(name)
    return found.value if found is not None and isinstance(found.value, int) else 0


def _text(entry: Any, name: str) -> str:
    found = entry.attributes.get(name)
    return "" if found is None else found.value.decode("utf-8", "replace")
