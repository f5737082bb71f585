"""What is wrong with a document: where, what could be there, and what is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, pairwise
from operator import lt
from types import EllipsisType
from typing import Any


class WrongError(ValueError):
    """A value that is not as it should be: where (``path``), and what could be there."""

    def __init__(self, expected: str, found: Any, *path: int | str) -> None:
        super().__init__(expected)
        self.expected = expected
        self.found = describe(found)
        self.path: list[int | str] = list(path)

    def below(self, *path: int | str) -> WrongError:
        """The same, seen from the container in which ``path`` leads to the value."""
        self.path[:0] = path
        return self

    def __str__(self) -> str:
        return f"{place(self.path)}: expected {self.expected}, not {self.found}"


def place(path: Sequence[int | str | EllipsisType]) -> str:
    """A path as people write it; an ellipsis in brackets stands for a member of any name."""
    where = "".join(f".{key}" if isinstance(key, str) else f"[{key}]" for key in path)
    return where.replace("Ellipsis", "...").removeprefix(".") or "all of it"


def describe(value: Any) -> str:
    """A value in a few words, whatever it is and however large."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value) if abs(value) < 10**20 else f"an integer of {value.bit_length()} bits"
    if isinstance(value, float):
        return f"the number {value!r}"
    if isinstance(value, str):
        return ascii(value) if len(value) <= 40 else f"a text of {len(value)} characters"
    if isinstance(value, dict):
        return f"an object of {len(value)} members"
    if isinstance(value, Sequence):
        return f"a list of {len(value)}"
    return f"a {type(value).__name__}"


def ascending(numbers: Sequence[int], *path: int | str) -> None:
    """Each number is larger than the one before."""
    if all(map(lt, numbers, islice(numbers, 1, None))):
        return
    for index, (before, number) in enumerate(pairwise(numbers), 1):
        if number <= before:
            raise WrongError(f"a number above {before}, the one before it", number, *path, index)


def within(numbers: Sequence[int], count: int, *path: int | str, single: bool = False) -> None:
    """Each number is below ``count``; with ``single``, ``path`` leads to the only one."""
    if numbers and max(numbers) >= count:
        index = next(index for index, number in enumerate(numbers) if number >= count)
        where = path if single else (*path, index)
        raise WrongError(f"a number below {count}", numbers[index], *where)
