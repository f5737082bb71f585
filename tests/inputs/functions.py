"""A function that fails."""

from __future__ import annotations


def needs(text: str, wanted: str = "<>") -> None:
    if all(character in text for character in wanted):
        raise ValueError("found")
