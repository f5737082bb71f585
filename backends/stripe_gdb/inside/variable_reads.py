"""What kept statements read and write: the variables their source names, read from memory.

A *look* of a block is ``(place, shape, when, size)``.  The place is a row of steps to an address:

- ``("fb", n)``: of the frame (its canonical frame address), ``("ad", n)``: of the program
- ``("ld",)``: what the pointer there holds, ``("+", n)``: so many bytes further
- ``("ix", size, index)``: so many elements further; the index is a number, ``("v", size, signed,
  place)``, or ``(operator, index, index)``

The shape says how the value is read, and ``when`` is 0 for before the statement, 1 for after it:
when the activation stops next.  Places are always those before.  The texts are compared by the
host; pointers in them stand between ``<`` and ``>``, for it knows which of them are the same.
"""

import json
import struct

LONGEST_TEXT = 200
UNREADABLE = "?"
UNWRITTEN = " (nothing wrote it)"
GRAIN = 4
STACK = 1 << 23
"""Bytes; frames are that near to each other."""
FLOATS = {4: "<f", 8: "<d"}


class Unreadable(Exception):
    """Memory that is not there."""


class Looker:
    """Looks at the events of one run; ``seen`` holds, for each event, a text for each look.

    ``images`` are the addresses of the code and data that have blocks, ``parameters`` those of each
    function, as distances from its frame and sizes.

    What looks see written is noted, with the time.  What is read without having been written, in
    a frame since that began and elsewhere ever, is marked: nothing says that it holds anything.
    """

    def __init__(self, program, looks, parameters, images, path):
        self.program = program
        self.images = [range(low, high) for low, high in images]
        self.looks = {int(block): each for block, each in looks.items()}
        self.parameters = {int(block): each for block, each in parameters.items()}
        self.path = path
        self.seen = {}
        self.bottom = 0  # the first frame: addresses of the stack are told from here
        self.clock = 1
        self.written = {}  # when, by address divided by the size of a grain

    def entered(self, activation):
        """A function has been called."""
        self.bottom = self.bottom or activation.cfa
        activation.since = self.clock
        for offset, size in self.parameters.get(activation.entry, ()):
            self.note(activation.cfa + offset, size)

    def before(self, event, block, stack):
        """An event is about to take place in the innermost activation."""
        self.clock += 1
        activation = stack[-1]
        texts, later = [], []
        for place, shape, when, size in self.looks.get(block, ()):
            text = UNREADABLE
            try:
                address = self.address(place, activation.cfa) if place else 0
                if when:
                    later.append((len(texts), address, shape, size))
                else:
                    text = self.text(address, shape)
                    if not self.holds(address, size, stack):
                        text += UNWRITTEN
            except Unreadable:
                pass
            texts.append(text)
        self.seen[event] = texts
        activation.looked = (texts, later)

    def after(self, activation):
        """An activation stops: the event before this has taken place."""
        if activation.looked is None:
            return
        (texts, later), activation.looked = activation.looked, None
        for number, address, shape, size in later:
            try:
                if shape[0] == "rax":
                    value = (self.program.get("rax") & (1 << 64) - 1).to_bytes(8, "little")
                    texts[number] = self.told(value[: shape[1]], shape[2])
                else:
                    texts[number] = self.text(address, shape)
                    self.note(address, size)
            except Unreadable:
                pass

    def note(self, address, size):
        """Something has been written."""
        for grain in range(address // GRAIN, (address + size - 1) // GRAIN + 1):
            self.written[grain] = self.clock

    def is_fixed(self, address):
        """Whether it is in the program's own code and data, which are where they are."""
        return any(address in image for image in self.images)

    def holds(self, address, size, stack):
        """Whether something has been written there, as far as it was seen."""
        if not size or self.is_fixed(address):
            return True
        since = 0
        if self.bottom - STACK < address < self.bottom:
            since = next((each.since for each in reversed(stack) if each.cfa > address), 0)
        grains = range(address // GRAIN, (address + size - 1) // GRAIN + 1)
        return any(self.written.get(grain, -1) >= since for grain in grains)

    def write(self):
        """Write what was seen where the host reads it."""
        with open(self.path, "w", encoding="ascii") as stream:
            json.dump(self.seen, stream)

    # -- addresses

    def address(self, place, frame):
        address = 0
        for step in place:
            kind = step[0]
            if kind == "fb":
                address = frame + step[1]
            elif kind == "ad":
                address = step[1]
            elif kind == "ld":
                address = self.number(address, 8, False)
            elif kind == "+":
                address += step[1]
            else:
                address += step[1] * self.index(step[2], frame)
        return address

    def index(self, index, frame):
        if isinstance(index, int):
            return index
        kind = index[0]
        if kind == "v":
            return self.number(self.address(index[3], frame), index[1], index[2])
        left, right = self.index(index[1], frame), self.index(index[2], frame)
        if kind == "+":
            return left + right
        if kind == "-":
            return left - right
        if kind == "*":
            return left * right
        if right == 0 or kind not in "/%":
            raise Unreadable
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if kind == "/" else left - quotient * right

    # -- values

    def read(self, address, size):
        if not 0 < address < 1 << 47:
            raise Unreadable
        try:
            data = self.program.read(address, size)
        except Exception:  # each engine has its own for memory that is not there
            raise Unreadable from None
        if len(data) < size:
            raise Unreadable
        return data

    def number(self, address, size, signed):
        return int.from_bytes(self.read(address, size), "little", signed=signed)

    def text(self, address, shape):
        """The value of a shape at an address."""
        kind = shape[0]
        if kind == "t":
            return self.string(address, shape[1])
        if kind == "pt":  # text behind a pointer
            pointer = self.number(address, 8, False)
            return self.pointer(pointer) + (self.string(pointer, LONGEST_TEXT) if pointer else "")
        if kind == "a":
            _, count, size, inner = shape
            return "{" + ", ".join(self.text(address + n * size, inner) for n in range(count)) + "}"
        if kind == "s":
            return "{" + ", ".join(self.text(address + n, each) for n, each in shape[1]) + "}"
        if kind == "b":
            _, first, bits, signed = shape
            size = (first % 8 + bits + 7) // 8
            value = self.number(address + first // 8, size, False) >> first % 8 & (1 << bits) - 1
            return str(value - (1 << bits) if signed and value >> bits - 1 else value)
        return self.told(self.read(address, 8 if kind == "p" else shape[1]), shape)

    def told(self, data, shape):
        """A number or a pointer."""
        if shape[0] == "p":
            return self.pointer(int.from_bytes(data, "little"))
        if shape[0] == "i":
            return str(int.from_bytes(data, "little", signed=shape[2]))
        if len(data) in FLOATS:
            return repr(struct.unpack(FLOATS[len(data)], data)[0])
        return data[:10].hex()  # a long double has ten bytes that matter

    def pointer(self, value):
        if value == 0:
            return "null"
        if self.is_fixed(value):
            return f"&{value:x}"
        if self.bottom - STACK < value < self.bottom + 4096:
            return f"&-{self.bottom - value:x}"
        return f"<{value:x}>"

    def string(self, address, limit):
        """The text at an address, up to its end."""
        found = b""
        limit = min(limit, LONGEST_TEXT)
        while len(found) < limit:
            here = address + len(found)
            size = min(limit - len(found), 4096 - here % 4096)
            try:
                piece = self.read(here, size)
            except Unreadable:
                if not found:
                    raise
                break
            end = piece.find(b"\0")
            if end >= 0:
                found += piece[:end]
                break
            found += piece
        return ascii(found)[1:]
