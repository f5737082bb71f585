"""Archives as their members: written anew, they are read by others, and the same each time."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable

import pytest

from stripe.units.archives import MOST_BYTES, read_archive
from stripe.units.members import Members
from tests.units.passes import least

FILES = {
    "pkg/__init__.py": b"import os\n\n\ndef culprit(a):\n    return os.sep * a\n",
    "pkg/data/large.txt": b"line\n" * 500,
    "pkg/\xe4.txt": "ä".encode(),
    "pkg-1.dist-info/RECORD": b"pkg/__init__.py,sha256=no,3\n",
    "empty": b"",
}


def zipped(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in files.items():
            file.writestr(name, content)
    return stream.getvalue()


def unzipped(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert file.testzip() is None
        return {info.filename: file.read(info) for info in file.infolist()}


def tarred(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as file:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(content), 1234567890
            file.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def untarred(data: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(data)) as file:
        found = {info.name: file.extractfile(info) for info in file if info.isreg()}
        return {name: stream.read() for name, stream in found.items() if stream is not None}


FORMS: dict[str, tuple[Callable, Callable]] = {
    "zip": (zipped, unzipped),
    "tar": (tarred, untarred),
    "tar.gz": (lambda files: gzip.compress(tarred(files)), untarred),
    "tar.bz2": (lambda files: bz2.compress(tarred(files)), untarred),
    "tar.xz": (lambda files: lzma.compress(tarred(files)), untarred),
}


@pytest.mark.parametrize("form", FORMS)
def test_written_anew_it_has_the_same_in_it(form: str) -> None:
    pack, unpack = FORMS[form]
    archive = read_archive(pack(FILES))
    assert archive is not None
    written = archive.written()
    found, expected = unpack(written), dict(FILES)
    assert "pkg/__init__.py,sha256=" in found.pop("pkg-1.dist-info/RECORD").decode()
    del expected["pkg-1.dist-info/RECORD"]
    assert found == expected
    again = read_archive(written)
    assert again is not None
    assert again.written() == written


@pytest.mark.parametrize("form", FORMS)
def test_any_of_the_members(form: str) -> None:
    pack, unpack = FORMS[form]
    archive = read_archive(pack(FILES))
    assert archive is not None
    units = Members(archive)
    assert units.render(tuple(range(len(units)))) == archive.written()
    folder = [unit for unit in range(len(units)) if units.parent(unit) is None]
    names = unpack(units.render(tuple(u for u in range(len(units)) if u != folder[-1])))
    assert set(names) == set(FILES) - {"empty"}


@pytest.mark.parametrize("form", FORMS)
def test_what_is_needed_of_an_archive(form: str) -> None:
    pack, unpack = FORMS[form]

    def fails(data: bytes) -> bool:
        try:
            found = unpack(data)
        except Exception:
            return False
        return "culprit(a)" in found.get("pkg/__init__.py", b"").decode()

    left = least(pack(FILES), "members", fails)
    assert [*unpack(left)] == ["pkg/__init__.py"]
    assert unpack(left)["pkg/__init__.py"].strip() == b"culprit(a)"


def test_an_archive_in_another() -> None:
    outer = zipped({"inner.zip": zipped(FILES), "other": b"x" * 9000})

    def fails(data: bytes) -> bool:
        try:
            return b"line" in unzipped(unzipped(data)["inner.zip"])["pkg/data/large.txt"]
        except Exception:
            return False

    left = unzipped(unzipped(least(outer, "members", fails))["inner.zip"])
    assert left == {"pkg/data/large.txt": b"line"}


def test_a_single_file_that_is_packed() -> None:
    def fails(data: bytes) -> bool:
        return data[:2] == b"\x1f\x8b" and b"culprit" in gzip.decompress(data)

    left = least(gzip.compress(b"a\nculprit\nb\n"), "members", fails)
    assert gzip.decompress(left) == b"culprit"


@pytest.mark.parametrize(
    "data",
    [
        b"", b"text", b"PK\x05\x06", zipped(FILES)[:-9], gzip.compress(b"a" * 99, mtime=0)[:-12],
        gzip.compress(bytes(MOST_BYTES + 1), mtime=0), tarred(FILES)[:300], b"\x1f\x8b" + bytes(99),
        zipped(FILES).replace(b"PK\x01\x02", b"PK\x01\x03"),
    ],
    ids=range(9),
)  # fmt: skip
def test_what_is_no_archive(data: bytes) -> None:
    assert read_archive(data) is None
