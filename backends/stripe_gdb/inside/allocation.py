"""New memory: the program itself is made to call its ``malloc``."""

import struct

import gdb

DYNAMIC_SYMBOLS, FUNCTION = 11, 2
HEADER_OF_SECTION = "<IIQQQQIIQQ"


class CannotBeMade(Exception):
    """There is nothing here to make such a state of."""


def allocate(files, size):
    """The address of a new block of so many zeros.  Raises CannotBeMade.

    ``files``: what is mapped, as (from, up to, path).
    """
    malloc = next((at for at in map(_malloc, _bases(files)) if at), None)
    try:
        if malloc is None:  # linked statically
            malloc = int(gdb.parse_and_eval("(long) &malloc"))
        called = f"((void *(*)(unsigned long)) {malloc})({size})"
        address = int(gdb.parse_and_eval(called))
    except gdb.error as error:
        raise CannotBeMade(str(error)) from error
    if not address:
        raise CannotBeMade("the program has no memory left")
    gdb.selected_inferior().write_memory(address, bytes(size))
    return address


def _bases(files):
    """Each file, and where it begins in memory; the C library first."""
    found = {}
    for low, _, name in files:
        found[name] = min(low, found.get(name, low))
    return sorted(found.items(), key=lambda each: "/libc." not in each[0])


_offsets = {}  # type: ignore[var-annotated]


def _malloc(place):
    name, base = place
    if name not in _offsets:
        try:
            with open(name, "rb") as stream:
                _offsets[name] = defined(stream.read(), b"malloc")
        except (OSError, struct.error):
            _offsets[name] = None
    offset = _offsets[name]
    return None if offset is None else base + offset


def defined(data, name):
    """Where a library has a function, in bytes from where it begins; None if it has not."""
    if data[:5] != b"\x7fELF\x02" or data[16] != 3:
        return None
    (start,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    sections = [struct.unpack_from(HEADER_OF_SECTION, data, start + n * size) for n in range(count)]
    for section in sections:
        if section[1] != DYNAMIC_SYMBOLS:
            continue
        names = sections[section[6]][4]
        for place in range(section[4], section[4] + section[5], 24):
            at, info, _, index, value, _ = struct.unpack_from("<IBBHQQ", data, place)
            if index and info & 15 == FUNCTION and data.startswith(name + b"\0", names + at):
                return value
    return None
