"""The small changes that are offered of a text."""

from __future__ import annotations

from stripe_pytrace.agent.mutants.deltas import Parsed
from stripe_pytrace.agent.mutants.enumeration import offers


def made(text: str, *, values=None, lines=None) -> set[str]:
    """All changes of a text, in words; ``lines``: those that failing tests execute, or all."""
    file = Parsed("<m>", text.encode())
    lines = set(range(1, text.count("\n") + 2)) if lines is None else lines
    return {each.words for each in offers(file, lines, values or {})}
