"""Paths of the user's folder, and of the copies of it that programs run in."""

from __future__ import annotations

import os
from collections.abc import Sequence

from stripe.sandbox.restoration import Slot
from stripe.sandbox.workspace import Workspace


class Paths:
    """Translates between the user's working directory and its copies in slots."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def inside(self, path: str) -> str | None:
        """A path relative to the user's working directory; ``None`` if it is not in there."""
        return below(str(self._workspace.directory), path)

    def copy(self, slot: Slot, path: str) -> str:
        """What a file is called by a program in a slot; one that was not copied as it is."""
        inside = self.inside(path)
        return path if inside is None else os.path.join(slot.inside, inside)

    def original(self, slot: Slot, path: str) -> str:
        """The file that a program in a slot calls so; see :meth:`copy`."""
        inside = below(str(slot.inside), path)
        return path if inside is None else os.path.join(self._workspace.directory, inside)

    def arguments(self, slot: Slot, arguments: Sequence[str]) -> list[str]:
        """Arguments for a program in a slot: absolute paths of what was copied name the copies."""
        return [self.copy(slot, word) if os.path.isabs(word) else word for word in arguments]

    def relative(self, number: int, path: str) -> str:
        """A path as a program in slot ``number`` names it, relative to its folder."""
        inside = below(str(self._workspace.slot(number).inside), path)
        return path if inside is None else inside

    def absolute(self, number: int, path: str) -> str:
        """What a program in slot ``number`` calls a relative path; others as they are."""
        return os.path.join(self._workspace.slot(number).inside, path)


def below(folder: str, path: str) -> str | None:
    """A path relative to a folder; ``None`` if it is not in there."""
    start = folder.rstrip(os.sep) + os.sep
    return path[len(start) :] if path.startswith(start) else None
