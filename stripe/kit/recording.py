"""The frame of a recording whose runs take place in slots of a workspace."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import NoReturn

from stripe.backend import Observation, Uses
from stripe.errors import BackendError, NotReducible, UsageError
from stripe.kit.engines import Engine, Engines
from stripe.kit.refusals import denial_notes, require_end
from stripe.kit.runs import TargetRunner
from stripe.kit.slots import Slots
from stripe.run_equality import difference, require_agreement
from stripe.sandbox.reads import LIVE, Reads, unwitnessed
from stripe.sandbox.walls import Layer
from stripe.trace import Trace

THREADS = (
    "The program starts threads: they run in full, and are not recorded, since in which order they "
    "run cannot be repeated. To have what they run recorded, call it in the main thread."
)
"""A note."""


class SlotRecording[Runner: TargetRunner, Key, E: Engine]:
    """A recorded run; see :class:`stripe.backend.Recording`.

    The last slot is where the program runs plainly and recorded; it keeps what that wrote, to be
    checked.  ``FIXED`` says what the backend makes repeatable by itself.
    """

    FIXED = "Nothing is"

    without: Collection[str] = frozenset()
    """See :class:`stripe.backend.Accounted`."""

    trace: Trace
    plain: Observation
    recorded: Observation
    reads: Reads
    notes: Sequence[str]
    layer: Layer
    proved: int

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._workspace = runner.workspace
        self.proved = 0
        self.layer = runner.workspace.layer
        self._recorded_in = runner.target.jobs
        self._stamps = self._workspace.stamps(self._recorded_in)
        self._slots = Slots(self._workspace)
        self._engines: Engines[Key, E] = Engines(self._start, self._restore)

    @abstractmethod
    def _start(self, key: Key) -> E:
        """Start an engine."""

    @abstractmethod
    def _restore(self, key: Key) -> None:
        """Bring the slot of an engine back to the pristine state."""

    # -- recording

    def _run_plainly(self, *, witness: bool = True) -> list[str]:
        """Run the program as the user would; the files that it changed."""
        self.plain, self.reads = self._runner.witnessed(self._recorded_in, witness=witness)
        denied = self._workspace.denied(self._recorded_in)
        require_end(self.plain, self._runner.timeout, self._runner.target, self.layer, denied)
        self._workspace.notes += denial_notes(denied)
        return self._workspace.changes(self._recorded_in)

    def _take_as_plain(self) -> list[str]:
        """Take the recorded run for the plain one, where it acts once; the files it changed."""
        self.plain, self.reads = self.recorded, unwitnessed(self._stamps, LIVE)
        require_end(self.plain, self._runner.timeout, self._runner.target, Layer.NONE, ())
        return self._workspace.changes(self._recorded_in)

    def _is_unlike(self, changed: Sequence[str]) -> bool:
        """Whether the recorded run did something else than the plain one, which changed files."""
        unlike = changed != self._workspace.changes(self._recorded_in)
        return unlike or difference(self.plain, self.recorded) is not None

    def _disagree(self, what: str, run: Observation) -> NoReturn:
        """Refuse a run, which is ``what``, that did something else than the plain one.

        Raises:
            NotReducible: always.
        """
        self._workspace.restore(self._recorded_in)
        again = self._runner.plainly(self._recorded_in)
        self._explain(what, run, again)
        require_agreement(
            what, self.plain, run, again, fixed=self.FIXED, parting=self._where_runs_part
        )

    @abstractmethod
    def replay(
        self, events: Sequence[int], *, strict: bool = False, fresh: bool = False
    ) -> AbstractContextManager[Observation]:
        """See :class:`stripe.backend.Recording`."""

    @contextmanager
    def _fully(self, *, strict: bool = False) -> Iterator[Observation]:
        """Replay all of it, to find out whether it can be."""
        self.proved += 1
        with self.replay(range(len(self.trace)), strict=strict) as full:
            yield full

    def _explain(self, what: str, run: Observation, again: Observation) -> None:
        """Say more precisely why runs differ, as an error; ``again`` is another plain run."""

    def _where_runs_part(self) -> str:
        self._runner.target.deadline.start_phase("looking where runs part")
        with suppress(NotReducible, UsageError, BackendError):
            return self._first_parting()
        return ""

    def _first_parting(self) -> str:
        """Where two runs first part, as a line of a message; empty if it cannot be told."""
        return ""

    # -- what others ask

    def stamp(self, path: str) -> str:
        """See :class:`stripe.backend.Witnessed`."""
        return self._stamps.stamp(path)

    def uses(self) -> Uses:
        """See :class:`stripe.backend.Accounted`."""
        return {"engines": (self._engines.found, self._engines.started)}

    def cancel(self, events: Sequence[int]) -> None:
        """See :class:`stripe.backend.Recording`."""
        self._engines.cancel(events)

    # -- the end

    @contextmanager
    def _ending_if_refused(self) -> Iterator[None]:
        """End every process if the run cannot be recorded."""
        try:
            yield
        except BaseException:
            self._end_processes()
            raise

    def _end_processes(self) -> None:
        self._engines.drop_all()
        self._runner.close()

    def close(self) -> None:
        """End every process and remove every scratch copy."""
        self._engines.closed = self._slots.closed = True
        self._end_processes()
        self._workspace.close()
