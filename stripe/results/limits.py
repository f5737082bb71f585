"""What answers hold at most, where those who make them cut what is longer."""

from __future__ import annotations

HEAD = 20_000
"""Bytes of a recorded stream."""
