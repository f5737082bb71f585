"""Slots of a workspace for runs at the same time, each for one of them."""

from __future__ import annotations

import queue
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from stripe.backend import Target
from stripe.sandbox.walls import Layer
from stripe.sandbox.workspace import Workspace


@contextmanager
def scratch_copies(target: Target, layer: Layer) -> Iterator[Workspace]:
    """Copies of the target's folder for replays at the same time, and one for the recorded run.

    They belong to the recording that is made in the context, unless it is refused.
    """
    target.patience.begin("copying the working directory")
    kept = target.jobs
    workspace = Workspace(
        target.directory,
        kept + 1,
        layer=layer,
        live={kept} if target.live else (),
        networked={kept} if target.network else (),
    )
    try:
        yield workspace
    except BaseException:
        workspace.close()
        raise


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
