"""What answers hold at most, where those who make them cut what is longer."""

from __future__ import annotations

HEAD = 20_000
"""Bytes of a recorded stream."""

LONGEST_VALUE = 1000
"""Characters of a change in words, and of a value; their texts come from the program."""
