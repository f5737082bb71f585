"""Long columns of whole numbers in documents: short texts in place of long lists.

A column of more than :data:`LONG` numbers is a text: ``zlib:``, and in Base64 what zlib has made of
the differences of neighbours (the first number as it is), in four bytes each, the lowest first.
"""

from __future__ import annotations

import base64
import binascii
import sys
import zlib
from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, repeat
from operator import sub
from typing import Any

LONG = 10_000
"""Numbers up to which a column is a list."""

LARGEST = 2**31 - 1
"""The largest number that counts or names anything in a result: traces are arrays of such."""

MOST = 20_000_000
"""Numbers of a column that are read, and of all columns of a document."""

PART = 65_536
"""So many numbers are coded at once."""

CODED = "zlib:"


def column(numbers: Sequence[int]) -> Any:
    """``numbers`` as a document has them, a list or a text; each must be from -1 to 2**31 - 2."""
    if len(numbers) <= LONG:
        return list(numbers)
    writer, packed, before = zlib.compressobj(6), bytearray(), 0
    for start in range(0, len(numbers), PART):
        part = numbers[start : start + PART]
        if part[1:] == part[:-1]:  # as many columns are for long
            differences = array("i", [part[0] - before, *repeat(0, len(part) - 1)])
        else:
            differences = array("i", map(sub, part, chain((before,), part)))
        before = part[-1]
        if sys.byteorder == "big":
            differences.byteswap()
        packed += writer.compress(differences.tobytes())
    packed += writer.flush()
    return CODED + base64.b64encode(packed).decode()


class Columns:
    """Reads the columns of one document, within bounds."""

    def __init__(self, most: int = MOST) -> None:
        self._left = most

    def read(self, value: Any) -> Any:
        """The numbers, if ``value`` is a column in short; else ``value``, whatever it is.

        Raises :class:`ValueError`, whose text says why, for what cannot be read.
        """
        if type(value) is not str or not value.startswith(CODED):
            return value
        found: list[int] = []
        for portion in portions(value, self._left):
            found += portion
        self._left -= len(found)
        return found


def portions(text: str, most: int) -> Iterator[Sequence[int]]:
    """The numbers of a column in short, in parts; at most so many in all.

    Raises :class:`ValueError`, whose text says why, for what cannot be read.
    """
    reader, rest, last, left = zlib.decompressobj(), b"", 0, most
    try:
        data = base64.b64decode(text.removeprefix(CODED), validate=True)
        while not reader.eof:
            more = reader.decompress(data, 4 * PART)
            data = reader.unconsumed_tail
            if not (more or reader.eof):
                break
            rest += more
            whole = len(rest) // 4 * 4
            differences, rest = array("i", rest[:whole]), rest[whole:]
            left -= len(differences)
            if left < 0:
                raise TooMany(f"its columns have more than {most:,} numbers")
            if sys.byteorder == "big":
                differences.byteswap()
            numbers = list(accumulate(differences, initial=last))
            last = numbers[-1]
            yield numbers[1:]
    except TooMany:
        raise
    except (binascii.Error, ValueError, zlib.error):
        raise ValueError("a column in short cannot be read") from None
    if rest or not reader.eof:
        raise ValueError("a column in short is cut off")


class TooMany(ValueError):
    """There are more numbers than are read."""
