"""The least that can be applied or left out, and the files it is applied to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from stripe.changes.weave import BASE, Applied, Weave


@dataclass(frozen=True, slots=True)
class Edit:
    """The least that can be applied or left out.

    - ``kind``: ``lines``, ``content`` (of what has no lines), ``create``, ``delete``, ``rename``
      or ``mode``
    - ``step``, ``file``: their numbers in the history and the universe
    - ``hunk``: equal for edits of lines that lie together
    - ``line``: which one, from 0, of the file after the step if it adds something, else before
    - ``before``: which line it removes, if it does: else -1
    - ``removed``, ``added``: what it does to the text
    """

    kind: str
    step: int
    file: int
    hunk: int
    line: int = 0
    before: int = -1
    removed: tuple[bytes, ...] = ()
    added: tuple[bytes, ...] = ()


@dataclass(slots=True)
class File:
    """A file throughout its history: what it is called, and what is in it."""

    weave: Weave
    paths: list[tuple[int, str]]
    modes: list[tuple[int, int]]
    born: int = BASE
    dead: list[int] = field(default_factory=list)
    edits: list[int] = field(default_factory=list)

    def there(self, applied: Applied) -> bool:
        """Whether the file exists in a version."""
        return (self.born == BASE or applied(self.born)) and not any(map(applied, self.dead))

    def path(self, applied: Applied) -> str:
        """What it is called in a version."""
        return _latest(self.paths, applied)

    def mode(self, applied: Applied) -> int:
        """Its mode in a version."""
        return _latest(self.modes, applied)


def _latest[T](register: Sequence[tuple[int, T]], applied: Applied) -> T:
    """The value that the last applied edit gave."""
    for edit, value in reversed(register):
        if edit == BASE or applied(edit):
            return value
    return register[0][1]


class Clash(Exception):
    """Edits that cannot be applied together; the text says why."""
