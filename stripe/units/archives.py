"""Archives as their members, and written anew from some of them: zip, tar, gzip, bzip2, xz.

What is written has right checksums and lengths, and nothing that differs from one time to the next:
the same members are the same bytes. A wheel's ``RECORD`` names what is there.
"""

from __future__ import annotations

import base64
import bz2
import csv
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from typing import Protocol

MOST_BYTES = 1 << 26
"""What has more in it is left as it is."""

UNREADABLE = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, struct.error, EOFError,
    NotImplementedError, RuntimeError, OSError, ValueError, IndexError,
)  # fmt: skip
"""What the standard library raises for what is no archive, or one of a kind it does not know."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file of an archive; ``attributes`` are what the kind of archive tells of it beside."""

    name: str
    content: bytes
    attributes: object = None


@dataclass(frozen=True, slots=True)
class Archive:
    """Members, and the kind of archive that they are written as."""

    kind: str
    members: Sequence[Member]

    def written(self) -> bytes:
        """The bytes of the archive."""
        return _WRITERS[self.kind](_recorded(self.members))


def read_archive(data: bytes) -> Archive | None:
    """The members of an archive; None if it is none, or has too much in it."""
    for kind, read in _READERS.items():
        try:
            members = read(data)
        except UNREADABLE:
            continue
        if members:
            return Archive(kind, members)
    return None


# --- zip ------------------------------------------------------------------------------------------


def _read_zip(data: bytes) -> list[Member]:
    if b"PK\x05\x06" not in data[-66000:]:
        return []
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        infos = file.infolist()
        _must_be_few(sum(info.file_size for info in infos))
        return [Member(info.filename, file.read(info), info.external_attr) for info in infos]


def _write_zip(members: Sequence[Member]) -> bytes:
    written, directory = bytearray(), bytearray()
    for member in members:
        name = member.name.encode("utf-8", "surrogateescape")
        method, packed = _packed(member.content)
        flags = 0 if name.isascii() else 0x800
        facts = struct.pack(
            "<HHHHIIIHH", flags, method, 0, 0x21, zlib.crc32(member.content), len(packed),
            len(member.content), len(name), 0,
        )  # fmt: skip
        end = struct.pack("<HHHII", 0, 0, 0, _external(member), len(written))
        directory += b"PK\x01\x02" + struct.pack("<HH", 0x314, 20) + facts + end + name
        written += b"PK\x03\x04" + struct.pack("<H", 20) + facts + name + packed
    count, start, size = len(members), len(written), len(directory)
    end = struct.pack("<HHHHIIH", 0, 0, count, count, size, start, 0)
    return bytes(written + directory + b"PK\x05\x06" + end)


def _external(member: Member) -> int:
    return member.attributes if isinstance(member.attributes, int) else 0


@lru_cache(maxsize=1024)
def _packed(content: bytes) -> tuple[int, bytes]:
    """The number of the shorter method, and what it makes of a content."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(content) + packer.flush()
    return (8, packed) if len(packed) < len(content) else (0, content)


def _recorded(members: Sequence[Member]) -> Sequence[Member]:
    """The members with a wheel's list of them as it has to be, if there is one."""
    return [
        replace(member, content=_record(member, members)) if is_record(member) else member
        for member in members
    ]


def is_record(member: Member) -> bool:
    """Whether it is a wheel's list of its members."""
    return member.name.endswith(".dist-info/RECORD")


def _record(record: Member, members: Sequence[Member]) -> bytes:
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    for member in members:
        digest = base64.urlsafe_b64encode(sha256(member.content).digest()).rstrip(b"=").decode()
        own = member.name == record.name
        rows.writerow(
            (member.name, "", "") if own
            else (member.name, f"sha256={digest}", len(member.content))
        )  # fmt: skip
    return written.getvalue().encode("utf-8", "surrogateescape")


# --- tar, and what packs a single file ------------------------------------------------------------


def _read_tar(data: bytes) -> list[Member]:
    if data[257:262] != b"ustar":
        return []
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as file:
        infos = file.getmembers()
        _must_be_few(sum(info.size for info in infos if info.isreg()))
        return [Member(info.name, _content(file, info), _of(info)) for info in infos]


def _content(file: tarfile.TarFile, info: tarfile.TarInfo) -> bytes:
    stream = file.extractfile(info) if info.isreg() else None
    return b"" if stream is None else stream.read()


def _of(info: tarfile.TarInfo) -> tuple[int, bytes, str]:
    return info.mode, info.type, info.linkname


def _write_tar(members: Sequence[Member]) -> bytes:
    written = bytearray()
    for member in members:
        info = tarfile.TarInfo(member.name)
        assert isinstance(member.attributes, tuple), "they were read from a tar"
        info.mode, info.type, info.linkname = member.attributes
        info.size = len(member.content)
        written += info.tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape") + member.content
        written += bytes(-len(member.content) % tarfile.BLOCKSIZE)
    return bytes(written + bytes(2 * tarfile.BLOCKSIZE))


def _must_be_few(size: int) -> None:
    if size > MOST_BYTES:
        raise ValueError("there is too much in it")


class _Unpacker(Protocol):
    @property
    def eof(self) -> bool: ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


_PACKERS: Mapping[str, tuple[bytes, Callable[[], _Unpacker], Callable[[bytes], bytes]]] = {
    "gz": (b"\x1f\x8b", lambda: zlib.decompressobj(31), lambda data: gzip.compress(data, mtime=0)),
    "bz2": (b"BZh", bz2.BZ2Decompressor, bz2.compress),
    "xz": (b"\xfd7zXZ", lzma.LZMADecompressor, lzma.compress),
}


def _unpacked(packer: str) -> Callable[[bytes], list[Member]]:
    def read(data: bytes) -> list[Member]:
        magic, unpacker, _ = _PACKERS[packer]
        if not data.startswith(magic):
            return []
        unpacks = unpacker()
        content = unpacks.decompress(data, MOST_BYTES + 1)
        if not unpacks.eof or len(content) > MOST_BYTES:
            raise ValueError("there is too much in it, or its end is missing")
        return _read_tar(content) or [Member("", content)]

    return read


def _packing(packer: str) -> Callable[[Sequence[Member]], bytes]:
    def write(members: Sequence[Member]) -> bytes:
        single = len(members) == 1 and members[0].attributes is None
        return _PACKERS[packer][2](members[0].content if single else _write_tar(members))

    return write


_READERS: Mapping[str, Callable[[bytes], list[Member]]] = {
    "zip": _read_zip,
    "tar": _read_tar,
    **{name: _unpacked(name) for name in _PACKERS},
}
_WRITERS: Mapping[str, Callable[[Sequence[Member]], bytes]] = {
    "zip": _write_zip,
    "tar": _write_tar,
    **{name: _packing(name) for name in _PACKERS},
}
