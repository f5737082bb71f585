"""Slots of a workspace for runs at the same time, each for one of them."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from stripe.backend import Target
from stripe.errors import StripeError
from stripe.sandbox.walls import Layer
from stripe.sandbox.workspace import Workspace


@contextmanager
def scratch_copies(target: Target, layer: Layer) -> Iterator[Workspace]:
    """Copies of the target's folder for replays at the same time, and one for the recorded run.

    They belong to the recording that is made in the context, unless it is refused.
    """
    target.deadline.start_phase("copying the working directory")
    kept = target.jobs
    workspace = Workspace(
        target.directory,
        kept + 1,
        layer=layer,
        live={kept} if target.live else (),
        networked={kept} if target.network else (),
        check=target.deadline.check,
        tell=target.deadline.tell,
    )
    try:
        yield workspace
    except BaseException:
        workspace.close()
        raise


@dataclass(slots=True)
class Use:
    """A slot while a run has it; unless it is ``dirty`` in the end, nothing has to be restored.

    ``left``: it is not pristine, but as a process needs it that stands in the middle of a run.
    """

    number: int
    dirty: bool = True
    left: bool = False


class Slots:
    """Deals out the slots that it was given; who finds none waits.

    The one that came back last goes first: processes for it are there that others would have to
    start.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._free: queue.LifoQueue[int] = queue.LifoQueue()
        self._lock = threading.Lock()
        self._warming: dict[int, bool] = {}  # whether it is to be dealt out then
        self._left: set[int] = set()
        self.given = self.warmed = False
        self.closed = False

    def give(self, numbers: Iterable[int]) -> None:
        """Let these be dealt out, in this order; once.  One that is being warmed comes later."""
        with self._lock:
            if self.given:
                return
            self.given = True
            for number in reversed(tuple(numbers)):
                if number in self._warming:
                    self._warming[number] = True
                else:
                    self._free.put(number)

    def warm(self, numbers: Iterable[int], start: Callable[[int], object]) -> None:
        """Start processes in slots that nobody has used, while the caller does other things; once.

        What cannot be started is missed by who needs it.
        """
        if self.warmed:
            return
        self.warmed = True
        for number in numbers:
            self._warming[number] = False
            thread = threading.Thread(target=self._warm, args=(number, start), daemon=True)
            thread.start()

    def _warm(self, number: int, start: Callable[[int], object]) -> None:
        try:
            with suppress(StripeError, OSError):
                start(number)
        finally:
            with self._lock:
                if self._warming.pop(number):
                    self._free.put(number)

    def give_after(self, target: Target, changed: Collection[str]) -> int:
        """Let slots be dealt out after the run in the last one, which ``changed`` files.

        If it changed none, that slot is among them: processes for it have been started.

        Returns:
            the slot that shows what the run has left, and is not dealt out.
        """
        used = target.jobs
        if changed or target.live or target.network:
            self.give((*range(1, used), 0))  # that one has not been warmed
            return used
        self._workspace.restore(used)
        self.give(range(used, 0, -1))
        return 0

    @contextmanager
    def one(self, *, as_left: bool = False) -> Iterator[Use]:
        """Have a slot; afterwards it is brought back to the pristine state.

        ``as_left``: the caller looks whether it is ``left``, and restores it if that is of no use.

        Raises :class:`RuntimeError` if none are dealt out yet, and
        :class:`~stripe.errors.UsageError` (``directory-changed``).
        """
        if not self.given:
            raise RuntimeError("nobody would ever give one back")
        use = Use(self._free.get())
        use.left = use.number in self._left
        try:
            if use.left and not as_left:
                self.restore(use)
            yield use
            self._workspace.require_unchanged()
        finally:
            if use.dirty and not self.closed:
                self.restore(use)
            if use.left:
                self._left.add(use.number)
            self._free.put(use.number)

    def restore(self, use: Use) -> None:
        """Bring a slot back to the pristine state."""
        use.left = False
        self._left.discard(use.number)
        self._workspace.restore(use.number)
