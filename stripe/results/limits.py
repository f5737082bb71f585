"""What answers hold at most, where those who make them cut what is longer."""

from __future__ import annotations

HEAD = 20_000
"""Bytes of a recorded stream."""

LONGEST_VALUE = 1000
"""Characters of a change in words, and of a value; their texts come from the program."""

LONGEST_LABEL = 200
"""Characters of a value in a picture of states, and of a name."""

MOST_VERTICES = 60
"""Vertices of such a picture, where not all are kept."""
