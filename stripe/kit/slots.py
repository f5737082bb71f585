"""Slots of a workspace for runs at the same time, each for one of them."""

from __future__ import annotations

import queue
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from stripe.sandbox.workspace import Workspace


@dataclass(slots=True)
class Use:
    """A slot while a run has it; unless it is ``dirty`` in the end, nothing has to be restored."""

    number: int
    dirty: bool = True


class Slots:
    """Deals out the slots that it was given; who finds none waits."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._free: queue.SimpleQueue[int] = queue.SimpleQueue()
        self.given = False
        self.closed = False

    def give(self, numbers: Iterable[int]) -> None:
        """Let these be dealt out, in this order; once."""
        if not self.given:
            self.given = True
            for number in numbers:
                self._free.put(number)

    @contextmanager
    def one(self) -> Iterator[Use]:
        """Have a slot; afterwards it is brought back to the pristine state."""
        use = Use(self._free.get())
        try:
            yield use
        finally:
            if use.dirty and not self.closed:
                self._workspace.restore(use.number)
            self._free.put(use.number)
