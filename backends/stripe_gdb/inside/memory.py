"""The state of the stopped program: frames, variables, and all that they lead to, as plain data.

A :class:`Memory` has what a ``stripe.snapshots.Snapshot`` is made of, fit for JSON:

- ``items``: ``(kind, type, text, how, parts)`` each.  ``text`` is the value, ``None`` of a null
  pointer only; ``how`` says how one like it is made, ``None`` if that cannot be; ``parts`` are
  ``(step, key, item)`` each, in the steps of ``stripe.states.graph``
- ``bases``: parts as well: frames (``f:x``, key as ``stripe.states`` has it), and one for all
  variables that are there from beginning to end (``m:x``, ``""``)
- ``unseen``: what is there and was not looked into, and how often

An item is a place of a type: pointers to it lead to the same one, whatever its address is.  A heap
block of several elements is an array of type ``T[]``; its elements have the step ``x[]``.  A
pointer into the middle of a text, or to the end of an array, leads to an item of its own, which is
so many bytes further in (``of``) another.  Memory is read in pages and decoded here: gdb is asked
for types and symbols only.
"""

import hashlib
import json
from collections import deque, namedtuple

import gdb

from . import atoms
from .layouts import POINTER, block_of
from .memory_map import MemoryMap, Unreadable
from .symbols import variables
from .unions import Unions

MOST_ITEMS = 20_000
MOST_PARTS = 2_000
LONGEST = 100_000
"""Characters of a text."""

DEEPEST = 6
"""Of members in members, pointers are counted to this depth to choose among those of a union."""

Item = namedtuple("Item", "kind type text how parts")
Place = namedtuple("Place", "address layout bit bits inside", defaults=(0, 0, None))
"""Where an item is; ``inside`` is the record that it is a member of: (place, member)."""


class Memory:
    """All that the frames from ``frame`` on and the variables of ``program`` lead to.

    ``places``: where each item is, by number, None if it has no address.  ``sizes``: what an
    alteration has made: of blocks the bytes, by address, of unions the member that is meant.
    """

    def __init__(self, program, frame, rules=(), sizes=None):
        self.items = []
        self.places = []
        self.bases = []
        self.unseen = {}
        self.sizes = sizes or {}
        self.layouts = program.layouts
        self.areas = MemoryMap(self.sizes)
        self._unions = Unions(rules)
        self._known = {}
        self._pending = deque()
        self._later = deque(), deque(), deque(), deque(), deque()
        frames = []
        while frame is not None and frame.is_valid():
            if program.owns(frame):
                frames.append((frame.function().name, variables(program, frame)))
            frame = frame.older()
        statics = program.statics()
        self.areas.settle(
            [
                (address, layout)
                for found in (*(each for _, each in frames), statics)
                for _, address, layout in found
                if address is not None and layout.kind != "reference"
            ]
        )
        names = {}
        for depth, (name, found) in enumerate(frames):
            count = names[name] = names.get(name, 0) + 1
            label = "" if not depth else name if count == 1 else f"{name}#{count}"
            self._base("f:x", label, name, found)
        self._base("m:x", "", "globals", statics)
        self._unfold()

    def digest(self):
        """Equal for equal states."""
        plain = [self.bases, [each._replace(how=None) for each in self.items]]
        return hashlib.blake2b(json.dumps(plain).encode("ascii")).hexdigest()

    # -- items

    def _base(self, step, label, type, found):
        number = self._add("record", type, "", None, None)
        self.bases.append((step, label, number))
        parts = self.items[number].parts
        for name, address, layout in found:
            if address is None:
                self._not_seen("variables that are optimised away")
                part = self._add("opaque", layout.name, "", None, None)
            elif layout.kind == "reference":
                part = self._reference(layout, address)
            else:
                part = self._item(Place(address, layout))
            parts.append(("x", name, part))

    def _add(self, kind, type, text, how, place):
        self.items.append(Item(kind, type, text, how, []))
        self.places.append(place)
        return len(self.items) - 1

    def _not_seen(self, what):
        self.unseen[what] = self.unseen.get(what, 0) + 1

    def _set(self, number, **changed):
        self.items[number] = self.items[number]._replace(**changed)

    def _unfold(self):
        """Look into all that is pending; what says least of what it leads to comes last."""
        while True:
            if self._pending:
                number, action, *more = self._pending.popleft()
            else:
                queue = next((each for each in self._later if each), None)
                if queue is None:
                    return
                number, action, *more = queue.popleft()
            try:
                action(number, *more)
            except Unreadable:
                self._opaque(number, "memory that cannot be read")

    def _opaque(self, number, why):
        self._set(number, kind="opaque", text="", how=None)
        self._not_seen(why)

    def _item(self, place):
        """The number of what is at a place: it may be there already."""
        layout = place.layout
        key = place.address, place.bit, layout.name
        known = self._known.get(key)
        if known is None:
            try:
                known = self._known[key] = self._new(place, layout)
            except Unreadable:
                known = self._known[key] = self._add("opaque", layout.name, "", None, place)
                self._not_seen("memory that cannot be read")
        return known

    def _new(self, place, layout):
        kind, name = layout.kind, layout.name
        if kind == "pointer" and layout.target.kind != "code":
            return self._pointer(place, layout)
        if kind in ("int", "char") and layout.size:
            if place.bits:
                data = self.areas.read(place.address, (place.bit + place.bits + 7) // 8)
                value = atoms.number(data, layout, place.bit, place.bits)
                return self._add("atom", name, atoms.told(value, layout), ("bits", value), place)
            data = self.areas.read(place.address, layout.size)
            text = atoms.told(atoms.number(data, layout), layout)
            return self._add("atom", name, text, ("bytes", data.hex()), place)
        if kind == "float":
            data = self.areas.read(place.address, layout.size)
            return self._add("atom", name, atoms.real(data), ("bytes", data.hex()), place)
        if kind == "pointer":
            data = self.areas.read(place.address, layout.size)
            text, how = self._code(int.from_bytes(data, "little"))
            return self._add("atom", name, text, how, place)
        if kind in ("record", "union", "array"):
            text = self._text(place, layout)
            if text is not None:
                return text
            if len(self.items) > MOST_ITEMS:
                self._not_seen("more than can be told")
                return self._add("opaque", name, "", None, place)
            if kind == "array":
                whole = layout.count <= MOST_PARTS
                number = self._add("array", name, "", ("array",) if whole else None, place)
                self._pending.append((number, self._fill_array))
            else:
                number = self._add("record", name, "", ("record",), place)
                action = self._fill_union if kind == "union" else self._fill_record
                self._pending.append((number, action))
            return number
        self._not_seen(name)
        return self._add("opaque", name, "", None, place)

    def _fill_array(self, number):
        place = self.places[number]
        element = place.layout.target
        step = "x[]" if place.layout.name.endswith("[]") else "x[1]"
        parts = self.items[number].parts
        if place.layout.count > MOST_PARTS:
            self._not_seen(f"arrays of more than {MOST_PARTS:,} elements")
        for index in range(min(place.layout.count, MOST_PARTS)):
            at = Place(place.address + index * element.size, element)
            parts.append((step, index, self._item(at)))

    def _fill_record(self, number):
        place = self.places[number]
        parts = self.items[number].parts
        for field in place.layout.fields:
            layout = self._trailing(place, field)
            at = Place(place.address + field.offset, layout, field.bit, field.bits, (place, field))
            parts.append(("x.a", field.name, self._item(at)))

    def _trailing(self, place, field):
        """The layout of a member: an array at the end goes on as far as the block does."""
        if place.layout.trailing is not field or field.layout.kind != "array":
            return field.layout
        area = self.areas.find(place.address)
        if area is None or area.kind != "heap" or area.layout is None or area.layout.count:
            return field.layout
        element = field.layout.target
        count = (area.high - place.address - field.offset) // element.size
        return block_of(element, count, f"{element.name}[]")

    def _fill_union(self, number):
        place = self.places[number]
        meant = self.sizes.get((place.address, place.layout.name))
        field = next((each for each in place.layout.fields if each.name == meant), None)
        if field is None:
            field = self._unions.choose(
                place.layout, self._beside(place), lambda each: self._wrong(place.address, each)
            )
        if field is None:
            return
        self._set(number, type=f"{place.layout.name} ({field.name})")
        at = Place(place.address + field.offset, field.layout, field.bit, field.bits)
        self.items[number].parts.append(("x.a", field.name, self._item(at)))

    def _beside(self, place):
        """The record that a union is in, and the integers in it."""
        if place.inside is None:
            return None
        owner, member = place.inside
        values = {}
        for field in owner.layout.fields:
            if field.layout.kind == "int" and field.name != member.name:
                size = (field.bit + field.bits + 7) // 8 or field.layout.size
                data = self.areas.read(owner.address + field.offset, size)
                value = atoms.number(data, field.layout, field.bit, field.bits)
                names = field.layout.names
                values[field.name] = atoms.told(value, field.layout), value, names
        return owner.layout, member.name, values

    def _wrong(self, address, layout, depth=DEEPEST):
        """How many pointers would lead nowhere if this was there."""
        if layout.kind == "pointer":
            value = int.from_bytes(self.areas.read(address, POINTER), "little")
            if layout.target.kind == "code":
                return int(value != 0 and self._file(value) is None)
            return int(value != 0 and self.areas.find(value) is None)
        if not depth or layout.kind not in ("record", "array"):
            return 0
        if layout.kind == "array":
            element = layout.target
            if element.kind not in ("pointer", "record", "array"):
                return 0
            return sum(
                self._wrong(address + n * element.size, element, depth - 1)
                for n in range(min(layout.count, MOST_PARTS))
            )
        return sum(
            self._wrong(address + each.offset, each.layout, depth - 1) for each in layout.fields
        )

    # -- texts

    def _text(self, place, layout):
        """The item of an array of characters that is a text; None if it is none."""
        if layout.kind != "array" or layout.target.kind != "char" or not layout.count:
            return None
        data = self.areas.read(place.address, min(layout.count, LONGEST))
        if atoms.flags(data):
            return None
        end = data.find(b"\0")
        if end >= 0:
            how = ("text", data[:end].hex(), layout.count)
            return self._add("atom", layout.name, atoms.string(data[:end]), how, place)
        if layout.count > LONGEST:
            self._not_seen(f"texts of more than {LONGEST:,} characters")
            return self._add("opaque", layout.name, "", None, place)
        how = ("bytes", data.hex())
        return self._add("atom", layout.name, atoms.string(data) + " without end", how, place)

    # -- pointers

    def _pointer(self, place, layout):
        value = int.from_bytes(self.areas.read(place.address, POINTER), "little")
        if value == 0:
            return self._add("pointer", layout.name, None, ("pointer",), place)
        number = self._add("pointer", layout.name, "", ("pointer",), place)
        self._follow(number, value, layout.target)
        return number

    def _reference(self, layout, address):
        number = self._add("pointer", layout.name, "", None, None)
        self._follow(number, address, layout.target)
        return number

    def _follow(self, number, value, target):
        if target.kind == "void":
            queue = self._later[4]
        elif target.size == 1:
            queue = self._later[2]
        else:
            queue = self._pending
        queue.append((number, self._lead, value, target))

    def _lead(self, number, value, target, again=False):
        """Have a pointer lead where it does.

        Who says what is in a block of the heap: pointers to the beginning of records, of pointers,
        of numbers; then those to its middle; then those to characters.
        """
        area, ending = self.areas.find(value), self.areas.ending(value)
        block = area or ending
        if not again and block is not None and block.kind == "heap" and block.layout is None:
            plain = target.kind in ("int", "float") and target.size > 1
            if plain or (value != block.low and target.kind != "void"):
                later = self._later[3 if target.size == 1 else 1 if value != block.low else 0]
                later.append((number, self._lead, value, target, True))
                return
        found = None
        if area is not None:
            found = self._object(area, value, target)
        if found is None and ending is not None and ending.layout is not None:
            found = self._further(self._whole(ending), value - ending.low, target)
        if found is None:  # what files have that is no variable of the user's: tables, say
            text, how = self._code(value)
            self._set(number, kind="atom", text=text, how=how)
        else:
            self.items[number].parts.append(("*x", "", found))

    def _whole(self, area):
        return self._item(Place(area.low, area.layout))

    def _object(self, area, value, target):
        """What is in an area, for a pointer to ``target``; None if that is nothing."""
        if area.kind in ("object", "heap"):
            if area.layout is None:
                return self._claim(area, value, target)
            if target.kind == "void":
                return self._any(area, value)
            return self._part(area, value, target)
        if target.kind == "opaque":
            return self._item(Place(value, target))
        if target.kind == "char":
            # Constant texts are never changed where they are, so their ends may be texts as well.
            start = self.areas.beginning(area, value) if area.kind == "given" else value
            text = self.areas.text(start, min(LONGEST, area.high - start))
            if text is None:
                return None
            whole = self._item(Place(start, block_of(target, len(text) + 1, "char[]")))
            return self._further(whole, value - start, target)
        if area.kind == "given" and target.kind == "pointer" and target.target.kind == "char":
            return self._given(area, value, target)
        return None

    def _given(self, area, value, target):
        """An array of pointers with a null one behind the last: ``argv``."""
        count = 0
        while value + count * POINTER < area.high and any(
            self.areas.read(value + count * POINTER, POINTER)
        ):
            count += 1
        return self._item(Place(value, block_of(target, count, f"{target.name}[]")))

    def _claim(self, area, value, target):
        """The first pointer with a type that leads to a heap block says what is in it."""
        if target.kind in ("opaque", "void", "code"):
            return self._item(Place(value, target))
        count = (area.high - value) // target.size if target.size else 0
        if not count:
            return None
        if value != area.low:
            return self._item(Place(value, target))
        if count == 1 or target.trailing is not None:
            area.layout = target
        else:
            area.layout = block_of(target, count, f"{target.name}[]")
        return self._whole(area)

    def _part(self, area, value, target):
        layout, offset = area.layout, value - area.low
        if area.kind == "heap" and not offset and layout.name == f"{target.name}[]":
            return self._whole(area)
        for start, each in self._around(area, offset):
            if each.name == target.name and start == offset:
                return self._item(Place(value, each))
            if target.kind == "char" and each.kind == "array" and each.target.kind == "char":
                whole = self._item(Place(area.low + start, each))
                if self.items[whole].kind == "atom":
                    return self._further(whole, offset - start, target)
        if target.kind == "opaque":
            return self._item(Place(value, target))
        if target.size == 1:
            return self._further(self._whole(area), offset, target, always=True)
        return self._item(Place(value, target)) if value + target.size <= area.high else None

    def _any(self, area, value):
        """What begins at a place, the largest that does."""
        offset = value - area.low
        for start, each in self._around(area, offset):
            if start == offset:
                return self._item(Place(value, each))
        return None

    def _around(self, area, offset):
        """What lies around a byte of an area, the largest first: where it begins, and its layout.

        Of a union these are all members, one after the other.
        """
        pending = [(0, area.layout)]
        while pending:
            start, layout = pending.pop()
            yield start, layout
            inside = offset - start
            if layout.kind == "array":
                element = layout.target
                index = inside // element.size if element.size else 0
                if index < layout.count:
                    pending.append((start + index * element.size, element))
                continue
            if layout.kind not in ("record", "union"):
                continue
            place = Place(area.low + start, layout)
            for field in reversed(list(layout.fields)):
                each = self._trailing(place, field)
                if field.bits == 0 and field.offset <= inside < field.offset + each.size:
                    pending.append((start + field.offset, each))

    def _further(self, whole, offset, target, always=False):
        """What is so many bytes further in another item."""
        if not offset and not always:
            return whole
        key = whole, offset, f"+{target.name}"
        if key not in self._known:
            known = self._known[key] = self._add(
                "record", target.name, f"+{offset}", ("inside", offset), None
            )
            self.items[known].parts.append(("x.a", "of", whole))
        return self._known[key]

    def _file(self, address):
        return next((each for each in self.areas.files if each[0] <= address < each[1]), None)

    def _code(self, address):
        """Something in a file, a function by its name; ``how``: which file, and where in it."""
        if address == 0:
            return "null", ("bytes", "00" * POINTER)
        file = self._file(address)
        if file is None:
            return "(invalid)", ("wild", address)
        name = file[2]
        offset = address - min(low for low, _, other in self.areas.files if other == name)
        block = gdb.block_for_pc(address)
        function = block.function if block is not None else None
        text = str(function) if function is not None and block.start == address else ""
        return text or f"{name.rpartition('/')[2]}+{offset:#x}", ("code", name, offset)
