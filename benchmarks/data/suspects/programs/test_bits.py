import pytest
from bits import (
    address,
    checksum,
    crc8,
    deltas,
    from_gray,
    gray,
    mask_of,
    packed,
    ranges,
    restored,
    rotated,
    signed,
    unpacked,
    varint,
    varints,
    zigzag,
)

DATE = (("year", 7), ("month", 4), ("day", 5))


def test_packed():
    assert packed(DATE, {"year": 44, "month": 11, "day": 24}) == 44 << 9 | 11 << 5 | 24
    assert packed(DATE, {"day": 31}) == 31
    assert packed((), {}) == 0
    assert packed((("a", 1), ("b", 8)), {"a": 1, "b": 255}) == 511


@pytest.mark.parametrize("values", [{"month": 16}, {"day": -1}, {"day": 32}])
def test_does_not_fit(values):
    with pytest.raises(ValueError, match="does not fit"):
        packed(DATE, values)


def test_unpacked():
    assert unpacked(DATE, 44 << 9 | 11 << 5 | 24) == {"year": 44, "month": 11, "day": 24}
    assert unpacked(DATE, 0) == {"year": 0, "month": 0, "day": 0}
    with pytest.raises(ValueError, match="left"):
        unpacked(DATE, 1 << 16)


@pytest.mark.parametrize(
    ("value", "width", "expected"),
    [(0, 8, 0), (127, 8, 127), (128, 8, -128), (255, 8, -1), (0x1FF, 8, -1), (5, 3, -3), (-1, 16, -1)],
)
def test_signed(value, width, expected):
    assert signed(value, width) == expected


@pytest.mark.parametrize(
    ("number", "data"),
    [(0, b"\x00"), (1, b"\x01"), (127, b"\x7f"), (128, b"\x80\x01"), (300, b"\xac\x02"), (1 << 14, b"\x80\x80\x01")],
)
def test_varint(number, data):
    assert varint(number) == data
    assert varints(data) == [number]


def test_varints():
    assert varints(b"\x01\xac\x02\x00") == [1, 300, 0]
    assert varints(b"") == []
    with pytest.raises(ValueError, match="cut off"):
        varints(b"\x01\x80")
    with pytest.raises(ValueError, match="negative"):
        varint(-1)


def test_zigzag():
    assert [zigzag(number) for number in (0, -1, 1, -2, 2)] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("numbers", [[], [5], [5, 3, 3], [100, 1000, -1000], [-1], [-7, -8, 1]])
def test_deltas(numbers):
    assert restored(deltas(numbers)) == numbers


def test_deltas_are_small():
    assert deltas([1000, 1001, 999]) == b"\xd0\x0f\x02\x03"
    assert restored(b"\x0a\x03") == [5, 3]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", 0xFFFF),
        (b"\x00\x01\xf2\x03\xf4\xf5\xf6\xf7", 0x220D),
        (b"\x12", 0xEDFF),
        (b"\x12\x34\x56", 0x97CB),
        (b"\xff\xff\x00\x01", 0xFFFE),
    ],
)
def test_checksum(data, expected):
    assert checksum(data) == expected


@pytest.mark.parametrize(("data", "expected"), [(b"", 0), (b"123456789", 0xF4), (b"\x01", 7), (b"\x80", 0x89)])
def test_crc8(data, expected):
    assert crc8(data) == expected


def test_another_crc8():
    assert crc8(b"\x01", 0x9B) == 0x9B
    assert crc8(b"123456789", 0xD5) == 0xBC


@pytest.mark.parametrize(
    ("mask", "expected"),
    [(0, []), (1, [(0, 0)]), (0b1110, [(1, 3)]), (0b101, [(0, 0), (2, 2)]), (0xFF0F, [(0, 3), (8, 15)])],
)
def test_ranges(mask, expected):
    assert ranges(mask) == expected


@pytest.mark.parametrize(
    ("text", "mask"), [("0", 1), ("0-3,8", 0x10F), ("3-1", 0b1110), ("1,1", 2), ("2, 4-5", 0b110100)]
)
def test_mask_of(text, mask):
    assert mask_of(text) == mask


def test_gray():
    codes = [gray(number) for number in range(16)]
    assert codes[:5] == [0, 1, 3, 2, 6]
    assert all((a ^ b).bit_count() == 1 for a, b in zip(codes, codes[1:]))
    assert [from_gray(code) for code in codes] == list(range(16))


@pytest.mark.parametrize(
    ("value", "count", "width", "expected"),
    [(1, 1, 8, 2), (0x81, 1, 8, 3), (1, -1, 8, 0x80), (0x12, 4, 8, 0x21), (1, 17, 16, 2), (5, 0, 3, 5), (0x1FF, 3, 8, 0xFF)],
)
def test_rotated(value, count, width, expected):
    assert rotated(value, count, width) == expected


@pytest.mark.parametrize(
    ("text", "first", "size"),
    [
        ("10.0.0.1", 0x0A000001, 1),
        ("10.1.2.3/16", 0x0A010000, 1 << 16),
        ("192.168.1.130/25", 0xC0A80180, 128),
        ("0.0.0.0/0", 0, 1 << 32),
        ("1.2.3.4/32", 0x01020304, 1),
    ],
)
def test_address(text, first, size):
    assert address(text) == (first, first + size - 1)


@pytest.mark.parametrize("text", ["1.2.3", "1.2.3.256", "1.2.3.4.5"])
def test_no_address(text):
    with pytest.raises(ValueError, match="no address"):
        address(text)
