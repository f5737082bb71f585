"""Lengths and counts: what they count goes with them, in formats that insist on both."""

from __future__ import annotations

import json
import pickle
import random
import struct
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stripe.units.lengths import Counted
from tests.units.passes import least


def netstrings(data: bytes) -> list[bytes]:
    found = []
    while data:
        length, _, data = data.partition(b":")
        found.append(data[: int(length)])
        assert data[int(length) :][:1] == b","
        data = data[int(length) + 1 :]
    return found


def body(data: bytes) -> bytes:
    head, _, body = data.partition(b"\r\n\r\n")
    fields = dict(line.split(b": ") for line in head.split(b"\r\n")[1:])
    assert int(fields[b"Content-Length"]) == len(body)
    return body


def redis(data: bytes) -> bytes:
    head, text, end = data.split(b"\r\n")
    assert (head[:1], int(head[1:]), end) == (b"$", len(text), b"")
    return text


def table(data: bytes) -> list[list[str]]:
    count, *rows = data.decode().splitlines()
    assert int(count) == len(rows)
    found = [row.split() for row in rows]
    assert all(int(row[0]) == len(row) - 1 for row in found)
    return [row[1:] for row in found]


@pytest.mark.parametrize(
    ("data", "fails", "left"),
    [
        (b"5:hello,10:a bug is x,", lambda d: b"bug" in netstrings(d)[1], b"0:,3:bug,"),
        (b"P / H\r\nContent-Length: 21\r\nHost: a\r\n\r\nthis is the culprit !",
         lambda d: b"culprit" in body(d), b"P / H\r\nContent-Length: 7\r\nHost: a\r\n\r\nculprit"),
        (b"$11\r\nsome of xyz\r\n", lambda d: b"of" in redis(d), b"$2\r\nof\r\n"),
        (b"3\n2 a b\n3 c here d\n1 e\n", lambda d: any("here" in row for row in table(d)),
         b"1\n1 here \n"),
        (b"1\n3 a b here\n", lambda d: "here" in table(d)[0], b"1\n1 here\n"),
        (b"no numbers here\n", lambda d: True, b"no numbers here\n"),
    ],
)  # fmt: skip
def test_text(data: bytes, fails: Callable[[bytes], bool], left: bytes) -> None:
    assert fails(data)
    assert least(data, "lengths", safe(fails)) == left


def test_what_a_request_sends_is_cut_as_what_it_is() -> None:
    sent = b'{"a": [1, 2], "items": [{"n": 3, "name": "x"}, {"n": -4}, {"n": 5}]}'
    head = b"P / H\r\nContent-Length: %d\r\n\r\n"

    def fails(data: bytes) -> bool:
        return any(item["n"] < 0 for item in json.loads(body(data))["items"])

    left = b'{"items":[{"n":-4}]}'
    found = least(head % len(sent) + sent, "lengths", safe(fails))
    assert found == head % len(left) + left


def safe(fails: Callable[[bytes], bool]) -> Callable[[bytes], bool]:
    """What is no such format does not fail."""

    def check(data: bytes) -> bool:
        try:
            return fails(data)
        except (AssertionError, ValueError, IndexError, KeyError, struct.error):
            return False

    return check


def png(*chunks: tuple[bytes, bytes]) -> bytes:
    """A picture, of which nobody looks at the sums."""
    written = [
        struct.pack(">I", len(text)) + kind + text + struct.pack(">I", zlib.crc32(text))
        for kind, text in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(written)


def chunks(data: bytes, start: int, order: str, after: int) -> dict[bytes, bytes]:
    """Chunks by their kind, with the kind behind the length if there are bytes ``after`` them."""
    found = {}
    while start < len(data):
        at, kind = (start, start + 4) if after else (start + 4, start)
        length = struct.unpack(f"{order}I", data[at : at + 4])[0]
        assert start + 8 + length + after <= len(data)
        found[data[kind : kind + 4]] = data[start + 8 : start + 8 + length]
        start += 8 + length + after
    return found


def wave(data: bytes) -> dict[bytes, bytes]:
    assert chunks(data, 0, "<", 0).keys() == {b"RIFF"}
    return chunks(data, 12, "<", 0)


def riff(**parts: bytes) -> bytes:
    inner = b"WAVE" + b"".join(
        name.ljust(4).encode() + struct.pack("<I", len(text)) + text for name, text in parts.items()
    )
    return b"RIFF" + struct.pack("<I", len(inner)) + inner


def boxes(data: bytes) -> dict[bytes, bytes]:
    found = {}
    while data:
        length = struct.unpack(">I", data[:4])[0]
        assert 8 <= length <= len(data)
        found[data[4:8]] = data[8:length]
        data = data[length:]
    return found


def box(kind: bytes, text: bytes) -> bytes:
    return struct.pack(">I", 8 + len(text)) + kind + text


def fields(data: bytes) -> dict[int, bytes]:
    found = {}
    while data:
        found[data[0]] = data[2 : 2 + data[1]]
        assert len(data) >= 2 + data[1]
        data = data[2 + data[1] :]
    return found


@pytest.mark.parametrize(
    ("data", "fails", "left"),
    [
        (png((b"IHDR", b"\0" * 13), (b"tEXt", b"Comment\0hello world"), (b"IEND", b"")),
         lambda d: b"wor" in chunks(d, 8, ">", 4)[b"tEXt"], b"wor"),
        (riff(fmt=b"\1\0\2\0" * 4, data=bytes(range(100)) + b"bug" + bytes(77)),
         lambda d: b"bug" in wave(d)[b"data"], b"bug"),
        (box(b"ftyp", b"isom") + box(b"moov", bytes(50) + b"bug" + bytes(9)) + box(b"mdat", b""),
         lambda d: b"bug" in boxes(d)[b"moov"], b"bug"),
        (b"\1\3ab\xff\7\x0bthe culprit\x09\x1e" + b"z" * 30,
         lambda d: b"cul" in fields(d)[7], b"cul"),
    ],
    ids=["PNG", "WAV", "MP4", "fields"],
)  # fmt: skip
def test_binary(data: bytes, fails: Callable[[bytes], bool], left: bytes) -> None:
    assert fails(data)
    smaller = least(data, "lengths", safe(fails))
    assert safe(fails)(smaller)
    assert left in smaller
    assert len(smaller) < len(data) * 0.65


def test_lengths_around_others_are_made_less_with_them() -> None:
    data = riff(fmt=b"\1\0\2\0" * 4, data=b"a" * 50 + b"bug")
    assert least(data, "lengths", safe(lambda d: wave(d)[b"data"][-3:] == b"bug")) == riff(
        fmt=b"", data=b"bug"
    )


def test_numbers_that_share_a_byte() -> None:
    assert Counted(b"\0\0012").render(()) == b"\0\0"


@settings(max_examples=80)
@given(
    data=st.lists(st.sampled_from([b"2", b"1:", b"\n", b"\n\n", b"ab ", b"\0", b"\1", b"\3"])),
    keep=st.randoms(use_true_random=False),
)  # fmt: skip
def test_whatever_is_left_out_it_only_gets_shorter(data: list[bytes], keep: random.Random) -> None:
    content = b"".join(data)
    units = Counted(content)
    every = tuple(range(len(units)))
    assert units.render(every) == content
    kept: list[int] = []
    for unit in every:
        if keep.random() < 0.5 and units.parent(unit) in (None, *kept):
            kept.append(unit)
    assert len(units.render(tuple(kept))) < len(content) or len(kept) == len(units)
    assert pickle.loads(pickle.dumps(units)).render(tuple(kept)) == units.render(tuple(kept))


def test_few_places_are_there_by_chance() -> None:
    dice = random.Random(1)
    assert len(Counted(dice.randbytes(10_000))) < 200
    text = json.dumps([dice.randrange(1000) for _ in range(1000)], indent=1)
    assert len(Counted(text.encode())) <= 4 * (4 + len(text) // 32)
