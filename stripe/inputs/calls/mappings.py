"""Makes memory that a forked process shares with its parent its own.

Pages of a mapping that is *shared* are the same in both, and no wall of the kernel comes between
them: what a child writes there, the parent and the file behind it have at once.
"""

from __future__ import annotations

import ctypes
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_READ, _WRITE, _EXECUTE = 1, 2, 4
_PRIVATE, _FIXED, _ANONYMOUS, _NO_RESERVE = 0x02, 0x10, 0x20, 0x4000
_MOVE, _MOVE_TO = 1, 2
_PIECE = 1 << 20

_LINE = re.compile(
    rb"(?P<start>[0-9a-f]+)-(?P<end>[0-9a-f]+) (?P<mode>[r-][w-][x-][sp]) (?P<offset>[0-9a-f]+) "
    rb"(?P<major>[0-9a-f]+):(?P<minor>[0-9a-f]+) (?P<inode>\d+) *(?P<path>.*)"
)


@dataclass(frozen=True, slots=True)
class _Mapping:
    start: int
    length: int
    protection: int
    offset: int
    inode: int
    path: str


def unshare_memory() -> None:
    """Put a private copy, at the same address, in the place of every shared mapping.

    Also of those that cannot be written: who has mapped a file that was open for writing may ask
    for that later. What cannot be read, as the memory of a device, is zero in the copy.

    Raises:
        OSError: when that cannot be done.
    """
    for mapping in list(_shared()):
        if not _map_file(mapping):
            _copy(mapping)


def _shared() -> Iterator[_Mapping]:
    with open("/proc/self/maps", "rb") as lines:
        for line in lines:
            found = _LINE.match(line.rstrip(b"\n"))
            if found is None or not found["mode"].endswith(b"s"):
                continue
            start = int(found["start"], 16)
            flags = zip(found["mode"][:3], (_READ, _WRITE, _EXECUTE), strict=True)
            yield _Mapping(
                start,
                int(found["end"], 16) - start,
                sum(bit for letter, bit in flags if letter != ord("-")),
                int(found["offset"], 16),
                int(found["inode"]),
                os.fsdecode(found["path"]),
            )


def _map_file(mapping: _Mapping) -> bool:
    """Map the same file once more, privately, which copies what is written only."""
    try:
        file = os.open(mapping.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW)
    except (OSError, ValueError):
        return False
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode) or status.st_ino != mapping.inode:
            return False
        flags = _PRIVATE | _FIXED | _NO_RESERVE
        _mmap(mapping.start, mapping.length, mapping.protection, flags, file, mapping.offset)
    except OSError:  # may not be executed, for instance
        return False
    finally:
        os.close(file)
    return True


def _copy(mapping: _Mapping) -> None:
    """Copy what is there now."""
    flags = _PRIVATE | _ANONYMOUS | _NO_RESERVE
    copy = _mmap(0, mapping.length, _READ | _WRITE, flags, -1, 0)
    zeros = bytes(_PIECE)
    # A device's memory cannot be read so, and may be huge.
    readable = 0 if _is_device(mapping.path) else mapping.length
    memory = os.open("/proc/self/mem", os.O_RDONLY | os.O_CLOEXEC)
    try:
        for place in range(0, readable, _PIECE):
            length = min(_PIECE, readable - place)
            piece = _read(memory, mapping.start + place, length)
            if piece != zeros[: len(piece)]:  # else it takes no memory
                ctypes.memmove(copy + place, piece, len(piece))
    finally:
        os.close(memory)
    library = _library()
    if library.mprotect(copy, mapping.length, mapping.protection):
        _raise("mprotect")
    library.mremap.restype = ctypes.c_void_p
    moved = library.mremap(copy, mapping.length, mapping.length, _MOVE | _MOVE_TO, mapping.start)
    if moved != mapping.start:
        _raise("mremap")


def _is_device(path: str) -> bool:
    try:
        return stat.S_ISCHR(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def _read(memory: int, address: int, length: int) -> bytes:
    try:
        piece = os.pread(memory, length, address)
        if len(piece) == length:
            return piece
    except OSError:
        piece = b""
    if length <= 4096:
        return piece.ljust(length, b"\0")
    # Some of it is beyond the end of the file.
    pages = range(0, length, 4096)
    return b"".join(_read(memory, address + page, min(4096, length - page)) for page in pages)


def _mmap(address: int, length: int, protection: int, flags: int, file: int, offset: int) -> int:
    library = _library()
    library.mmap.restype = ctypes.c_void_p
    found: int | None = library.mmap(address, length, protection, flags, file, offset)
    if found is None or found == ctypes.c_void_p(-1).value:
        _raise("mmap")
    assert found is not None
    return found


def _library() -> Any:
    """The C library, called with the types these calls have; nobody else's copy of it."""
    library = ctypes.CDLL(None, use_errno=True)
    size, address = ctypes.c_size_t, ctypes.c_void_p
    library.mmap.argtypes = (
        *(address, size, ctypes.c_int, ctypes.c_int),
        *(ctypes.c_int, ctypes.c_long),
    )
    library.mremap.argtypes = (address, size, size, ctypes.c_int, address)
    library.mprotect.argtypes = (address, size, ctypes.c_int)
    return library


def _raise(what: str) -> None:
    number = ctypes.get_errno()
    raise OSError(number, os.strerror(number), what)
