"""Cuts of an input into units that follow each other: lines, tokens, characters."""

from __future__ import annotations

import re

from stripe.units.model import Bytes, Flat, Units

_TOKEN = re.compile(
    rb'"(?:\\.|[^"\\\n])*"|' rb"'(?:\\.|[^'\\\n])*'|" rb"[\w\x80-\xff]+|[ \t]+|\r?\n|.", re.DOTALL
)


def lines(data: bytes) -> Units:
    """Lines, each with its end."""
    return Flat(data.splitlines(keepends=True))


def chars(data: bytes) -> Units:
    """Characters of UTF-8; a byte that is none is a unit of its own."""
    if data.isascii():
        return Bytes(data)
    text = data.decode("utf-8", "surrogateescape")
    return Flat([character.encode("utf-8", "surrogateescape") for character in text])


def tokens(data: bytes) -> Units:
    """Words and numbers, quoted strings, runs of blanks, and single other characters."""
    return Flat(_TOKEN.findall(data))
