"""The shared libraries with blocks, as the dynamic linker maps and unmaps them.

For debuggers the linker calls a function that does nothing, before it changes what is mapped and
after it (``_dl_debug_state``; what it does it says in ``_r_debug``).  A breakpoint there tells when
blocks of a library are in memory, and when no longer.  Addresses are the same in each run, so the
host knows those of all blocks from an earlier run; here each library is held against that.
"""

import binascii
import os
import struct

AT_BASE = 7
CONSISTENT, ADD, DELETE = range(3)
"""What ``_r_debug`` says: nothing is being changed, or something is to be mapped, or unmapped."""


class Elsewhere(Exception):
    """A library is not what it was in the run that the host knows, or not where it was."""


class Libraries:
    """What the host knows of them: ``job["libraries"]``, and of the linker: ``job["linker"]``.

    Each has its ``paths`` (of the copy in the slot, and the user's), ``start`` in memory,
    ``image``, and its ``blocks``: the first, and the one behind the last.  ``functions`` are the
    places of its code with blocks (address, size), and ``checksum`` is that of what is there.
    ``seen``: where the files are that a run has mapped.
    """

    def __init__(self, job):
        self.all = job["libraries"]
        self.linker = job["linker"]
        self.seen = {}

    def notice(self, base):
        """The address of the linker's function, with the linker mapped at ``base``."""
        return base + self.linker["notice"]

    def present(self, process, base, read, now):
        """The libraries that may have breakpoints, by their numbers, at a call of the function.

        ``now`` are those that have them; ``read(address, size)`` gives what is in memory.

        Raises :class:`Elsewhere`.
        """
        (state,) = struct.unpack("<i", read(base + self.linker["state"], 4))
        if state == DELETE:
            return []
        if state != CONSISTENT:
            return now
        mapped = mappings(process)
        self.seen.update(mapped)
        found = []
        for number, library in enumerate(self.all):
            start = next((mapped[each] for each in library["paths"] if each in mapped), None)
            if start is None:
                continue
            if start != library["start"]:
                raise Elsewhere(f"{told(library)} is not at the address where it was")
            if number not in now and checksum(library, read) != library["checksum"]:
                raise Elsewhere(f"{told(library)} is not the file that it was")
            found.append(number)
        return found


def told(library):
    """A library, for people."""
    return f"the shared library {os.path.basename(library['paths'][0])}"


def checksum(library, read):
    """The checksum of the code in functions with blocks; None if not all of it is there."""
    found = 0
    try:
        for low, size in library["functions"]:
            found = binascii.crc32(read(low, size), found)
    except OSError:  # it is shorter than that
        return None
    return found


def linker_base(process):
    """Where the kernel has mapped the dynamic linker."""
    with open(f"/proc/{process}/auxv", "rb") as stream:
        return dict(struct.iter_unpack("QQ", stream.read()))[AT_BASE]


def mappings(process):
    """Where the files begin whose code is mapped, by their paths."""
    starts, executed = {}, set()
    with open(f"/proc/{process}/maps", encoding="utf-8", errors="surrogateescape") as lines:
        for line in lines:
            span, access, offset, _, _, *name = line.rstrip("\n").split(None, 5)
            if name and name[0].startswith("/"):
                if not int(offset, 16):
                    starts.setdefault(name[0], int(span.split("-")[0], 16))
                if "x" in access:
                    executed.add(name[0])
    return {path: start for path, start in starts.items() if path in executed}
