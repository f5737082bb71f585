"""Changes the state of the stopped program.

What is told is as JSON has it: ``contents``: ``[ref, [[step, key, ref], ...]]`` for all that is new
or has other parts than before, a ref being ``[new, item]``; ``made``: for each new item, by its
number as a text, ``[kind, type, text, how]``.

The new state is laid out before anything is written.  Variables, members and elements are where
their owners have them.  What only pointers lead to stays where it was; if it is new, or has grown
beyond its block, the program is made to call ``malloc``, and each pointer to it or into it is
adjusted.  What nothing leads to any more is left alone: the program may free it.
"""

import gdb

from .allocation import CannotBeMade, allocate
from .layouts import POINTER, block_of
from .memory import Place


class Alteration:
    """A change of the state in ``memory``; ``sizes``: what to tell the next one of it."""

    def __init__(self, memory, told):
        self.memory = memory
        self.contents = {
            tuple(ref): [(step, key, tuple(part)) for step, key, part in parts]
            for ref, parts in told["contents"]
        }
        self.made = {int(number): each for number, each in told["made"].items()}
        self.sizes = dict(memory.sizes)
        self._owners = {}
        self._order = []
        self._places = {}
        self._slots = {
            number: {key: memory.places[part] for _, key, part in memory.items[number].parts}
            for _, _, number in memory.bases
        }
        self._owned_before = {
            part
            for item in memory.items
            if item.kind not in ("pointer", "opaque")
            if not (item.how and item.how[0] == "inside")
            for _, _, part in item.parts
        }

    def apply(self):
        """Do it.  Raises CannotBeMade before anything that matters has changed."""
        self._reach()
        self._lay_out()
        inferior = gdb.selected_inferior()
        for address, data, bit, bits in list(self._writes()):
            if bits:
                size = (bit + bits + 7) // 8
                before = int.from_bytes(inferior.read_memory(address, size).tobytes(), "little")
                mask = (1 << bits) - 1 << bit
                data = (before & ~mask | data << bit & mask).to_bytes(size, "little")
            try:
                inferior.write_memory(address, data)
            except gdb.error as error:
                raise CannotBeMade(str(error)) from error

    # -- what there is

    def _parts(self, ref):
        if ref in self.contents:
            return self.contents[ref]
        new, number = ref
        if new:
            return []
        return [(step, key, (False, part)) for step, key, part in self.memory.items[number].parts]

    def _kind(self, ref):
        return self.made[ref[1]][0] if ref[0] else self.memory.items[ref[1]].kind

    def _type(self, ref):
        return self.made[ref[1]][1] if ref[0] else self.memory.items[ref[1]].type

    def _how(self, ref):
        return self.made[ref[1]][3] if ref[0] else self.memory.items[ref[1]].how

    def _inside(self, ref):
        how = self._how(ref)
        return how is not None and how[0] == "inside"

    def _depth(self, ref):
        """How many things it is in: what moves is copied before its parts are set."""
        depth = 0
        while ref in self._owners:
            ref = self._owners[ref][0]
            depth += 1
        return depth

    def _reach(self):
        """All that is in the new state, and who has what."""
        pending = [(False, number) for _, _, number in self.memory.bases]
        seen = set(pending)
        for ref in pending:  # which grows
            self._order.append(ref)
            points = self._kind(ref) == "pointer" or self._inside(ref)
            for step, key, part in self._parts(ref):
                if not points:
                    if part in self._owners:
                        raise CannotBeMade("the same thing at two places")
                    self._owners[part] = ref, step, key
                if part not in seen:
                    seen.add(part)
                    pending.append(part)

    # -- where it will be

    def _lay_out(self):
        for ref in self._order:
            if (ref[0] or ref[1] not in self._slots) and not self._inside(ref):
                place = self._place(ref)
                if place is not None and place.layout.kind == "union":
                    member = next((key for _, key, _ in self._parts(ref)), None)
                    self.sizes[place.address, place.layout.name] = member

    def _place(self, ref):
        """Where an item is in the new state; None if it has no address."""
        if ref not in self._places:
            if ref in self._owners:
                self._places[ref] = self._slot(ref, *self._owners[ref])
            else:
                self._places[ref] = self._root(ref)
        return self._places[ref]

    def _slot(self, ref, owner, step, key):
        """The place in its owner."""
        if owner[1] in self._slots and not owner[0]:
            place = self._slots[owner[1]][key]
            before = (part for _, name, part in self.memory.items[owner[1]].parts if name == key)
            if place is None and not ref[0] and ref[1] in before:
                return None
            return self._fit(ref, place)
        place = self._place(owner)
        if place is None:
            raise CannotBeMade("it has no address")
        if step in ("x[1]", "x[]"):
            element = place.layout.target
            return self._fit(ref, Place(place.address + key * element.size, element))
        field = next((each for each in place.layout.fields if each.name == key), None)
        if field is None:
            raise CannotBeMade(f"{place.layout.name} has no {key}")
        layout = field.layout
        if self._type(ref).endswith("[]") and layout.kind == "array":
            layout = block_of(layout.target, self._count(ref), f"{layout.target.name}[]")
        at = Place(place.address + field.offset, layout, field.bit, field.bits)
        return self._fit(ref, at)

    def _fit(self, ref, place):
        """The place, if it is one for such an item."""
        if place is None or place.layout is None:
            raise CannotBeMade("it has no address")
        name, type = place.layout.name, self._type(ref)
        if type != name and not (place.layout.kind == "union" and type.startswith(f"{name} (")):
            raise CannotBeMade(f"{type} instead of {name}")
        if place.layout.kind == "array" and not type.endswith("[]") and self._kind(ref) == "array":
            parts = self._parts(ref)
            if self._how(ref) and len(parts) != place.layout.count:
                raise CannotBeMade("an array of another length")
        return place

    def _root(self, ref):
        """The place of what only pointers lead to."""
        new, number = ref
        if not new:
            place = self.memory.places[number]
            if place is None or self._kind(ref) == "opaque":
                return place
            area = self.memory.areas.find(place.address)
            detached = number in self._owned_before  # that place may be another's now
            before = self._extent(ref, place.layout, before=True)
            size = self._extent(ref, place.layout)
            if not detached and size == before:
                return place
            room = 0 if area is None else area.high - place.address
            whole = area is not None and area.kind == "heap" and area.low == place.address
            if not detached and size < before and size <= room and (whole or area.kind == "given"):
                if whole:
                    self.sizes[place.address] = size
                return self._resized(ref, place)
            layout = place.layout
        else:
            layout = self.memory.layouts.named(self._type(ref).partition(" (")[0])
            if layout is None:
                layout = self.memory.layouts.named(self._type(ref))
        if layout is None:
            raise CannotBeMade(f"no such type here: {self._type(ref)}")
        how = self._how(ref)
        if how is None:
            raise CannotBeMade(self._type(ref))
        size = max(1, self._extent(ref, layout))
        ended = POINTER if self._type(ref) == "char *[]" else 0  # argv: a null pointer behind it
        address = allocate(self.memory.areas.files, size + ended)
        self.sizes[address] = size
        return self._resized(ref, Place(address, layout))

    def _resized(self, ref, place):
        if place.layout.kind != "array" or not place.layout.name.endswith("[]"):
            return place
        layout = block_of(place.layout.target, self._count(ref), place.layout.name)
        return place._replace(layout=layout)

    def _count(self, ref, before=False):
        """How many elements an array has."""
        how = self._how(ref)
        if how is not None and how[0] == "text":
            return max(how[2], len(how[1]) // 2 + 1)
        if how is not None and how[0] == "bytes":
            return len(how[1]) // 2
        if how is None and not ref[0]:
            return self.memory.places[ref[1]].layout.count
        return len(self.memory.items[ref[1]].parts if before else self._parts(ref))

    def _extent(self, ref, layout, before=False):
        """How many bytes it takes, with what it has at its end."""
        if layout.kind == "array" and layout.name.endswith("[]"):
            return layout.target.size * self._count(ref, before)
        last = layout.trailing
        if last is None:
            return layout.size
        if before:
            parts = [(s, k, (False, n)) for s, k, n in self.memory.items[ref[1]].parts]
        else:
            parts = self._parts(ref)
        part = next((part for _, key, part in parts if key == last.name), None)
        if part is None or not self._type(part).endswith("[]"):
            return layout.size
        inner = (
            block_of(last.layout.target, 0, self._type(part))
            if last.layout.kind == "array"
            else last.layout
        )
        return max(layout.size, last.offset + self._extent(part, inner, before and not part[0]))

    def _address(self, ref):
        """Where a pointer to an item has to lead."""
        if self._inside(ref):
            ((_, _, whole),) = self._parts(ref)
            return self._address(whole) + self._how(ref)[1]
        place = self._place(ref)
        if place is None:
            raise CannotBeMade("it has no address")
        return place.address

    # -- what is written

    def _writes(self):
        """Address, data, and for bitfields the value and where its bits are."""
        for ref in sorted(self._order, key=self._depth):
            place = self._places.get(ref)
            if place is None:
                self._require_same(ref)
                continue
            new, number = ref
            old = None if new else self.memory.places[number]
            moved = old is not None and (old.address, old.bit) != (place.address, place.bit)
            kind = self._kind(ref)
            if kind == "opaque" and not moved:
                continue
            if new and kind == "atom":
                yield from self._atom(self._how(ref), place)
            elif moved and place.bits:
                yield place.address, self._how(ref)[1], place.bit, place.bits
            elif moved:
                size = self._extent(ref, old.layout, before=True)
                yield place.address, self.memory.areas.read(old.address, size), 0, 0
            if kind == "pointer":
                parts = self._parts(ref)
                value = self._address(parts[0][2]) if parts else 0
                data = value.to_bytes(POINTER, "little")
                if new or moved or data != self.memory.areas.read(old.address, POINTER):
                    yield place.address, data, 0, 0
            elif kind == "array" and ref in self.contents and self._type(ref) == "char *[]":
                area = self.memory.areas.find(place.address)
                if area is not None and area.kind == "given":
                    end = place.address + POINTER * len(self._parts(ref))
                    yield end, bytes(POINTER), 0, 0

    def _require_same(self, ref):
        """What has no address (a reference) cannot be changed."""
        if self._kind(ref) != "pointer":
            return
        (referred,) = self.memory.items[ref[1]].parts
        before = self.memory.places[referred[2]]
        after = [part for _, _, part in self._parts(ref)]
        if before is None:
            same = after == [(False, referred[2])]
        else:
            same = len(after) == 1 and before.address == self._address(after[0])
        if not same:
            raise CannotBeMade("a reference cannot be changed")

    def _atom(self, how, place):
        if how is None:
            raise CannotBeMade(place.layout.name)
        kind, value = how[:2]
        if kind == "bits":
            yield place.address, value, place.bit, place.bits
        elif kind == "bytes":
            yield place.address, bytes.fromhex(value), 0, 0
        elif kind == "text":
            yield place.address, bytes.fromhex(value) + b"\0", 0, 0
        elif kind == "wild":
            if self.memory.areas.find(value) is not None:
                raise CannotBeMade("a pointer to nowhere, which leads somewhere here")
            yield place.address, value.to_bytes(POINTER, "little"), 0, 0
        elif kind == "code":
            lows = [low for low, _, name in self.memory.areas.files if name == value]
            if not lows:
                raise CannotBeMade(f"a function of {value}, which is not here")
            yield place.address, (min(lows) + how[2]).to_bytes(POINTER, "little"), 0, 0
