"""Recording without a callback in Python for sites, and for functions that start and end.

The log is a queue whose ``put``, in C, takes up to three arguments and keeps the first.
Instrumented code calls it at each site with the site, and as the first thing in a function with
the mark of that; and it is itself the callback for PY_RETURN and PY_YIELD, which give it a code
object.  All else is heard of as by ``Recorder``.

While a callback in Python runs, or a function that watches the program, the interpreter tells of
no events; but code of the program's that runs then (finalizers, handlers of signals, what closes
generators) would go on to note sites.  Programs that may do so are not recorded this way:
``unfit`` is called, and must end the process.  Nor are those with threads, and those that recurse
to the limit, which comes later here by the levels that callbacks have: they are not sounded at
each start.
"""

from __future__ import annotations

import sys
from _queue import SimpleQueue
from itertools import chain, count, repeat
from types import CodeType

from ..compiling import sites
from ..compiling.code import UserFile
from ..compiling.dialects import Noting, Placeholder
from ..compiling.linker import Function
from ..compiling.versions import at_start, has_started
from ..process.natives import partial
from .event_callbacks import raising
from .monitor import DISABLE, Functions, events, tracked
from .record import PORTION, Recorder, store

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

LOCAL = events.JUMP | events.PY_RESUME | events.PY_RETURN | events.PY_YIELD
TELLING = frozenset(
    b"__del__ finalize signal alarm gc async settrace setprofile monitoring addaudithook ctypes"
    b" greenlet gevent".split()
)
"""Names of what has code run in the middle of callbacks, or beside the stack."""
TELLING_STARTS = (b"weak", b"Weak", b"SIG")
BETWEEN = bytes(each if bytes([each]).isalnum() or each == ord("_") else 32 for each in range(256))
"""A space for each byte that is in no name."""


def fits(source: bytes) -> bool:
    """Whether a file names nothing by which its code may run where no events are told."""
    names = set(source.translate(BETWEEN).split())
    return names.isdisjoint(TELLING) and not any(each.startswith(TELLING_STARTS) for each in names)


class Notes:
    """What instrumented code calls: ``note`` at sites; the others: see ``suspensions``."""

    __slots__ = ("back", "keep", "kept", "note", "size")

    def __init__(self, queue: SimpleQueue[Any]) -> None:
        self.note: Callable[[int], object] = queue.put
        self.back: Callable[..., object] = queue.put
        self.size = queue.qsize
        sent: list[Any] = []
        self.keep, self.kept = sent.append, sent.pop


class DirectRecorder(Recorder):
    """See the module; ``now`` is what sites call; ``unfit`` ends the process."""

    dialect = Noting

    def __init__(
        self,
        on_recursion: Callable[[], object],
        unfit: Callable[[], object],
        more: int = 0,
        on_fault: Callable[[BaseException], object] = bool,
    ) -> None:
        super().__init__(on_recursion=on_recursion, more=more, local=LOCAL, on_fault=on_fault)
        self.functions = Functions(self.tool, LOCAL, resuming=events.PY_RESUME)
        self._queue: SimpleQueue[Any] = SimpleQueue()
        self.note = self._queue.put
        self.note(sites.UNPAUSE)  # never empty
        self.now = Notes(self._queue)
        # Of the iterators that loops have: can be changed while these are read.
        self._fetched: Any = partial(self.note)
        self.unfit = unfit

    @property
    def constants(self) -> dict[Any, Any]:
        """See ``Noting``.

        An item comes through ``{}.get(None, item)``, once the note of it has come as None.
        """
        return {
            Placeholder.NOW: self.now,
            Placeholder.LOOP: partial(map, {}.get),
            Placeholder.FIRST: partial(chain, (None,)),
            Placeholder.NOTES: lambda site: map(self._fetched, repeat(site)),
        }

    def require_fit(self, source: bytes) -> None:
        if not fits(source):
            self.unfit()

    def track(self, file: UserFile) -> None:
        if file.tangled:
            self.unfit()
        super().track(file)

    def noted(self) -> int:
        return self._queue.qsize()

    def stop(self) -> None:
        super().stop()
        self.now.note = self.report  # a forked child may go on for long
        self.now.back = slice  # in C, and does nothing to what it is given
        self._fetched.__setstate__((self.report, (), {}, {}))

    def write(self, path: str, most: int) -> None:
        store(path, most, self._portions())

    def _portions(self) -> Iterator[list[int]]:
        """The entries, which are gone then."""
        get, size = self._queue.get_nowait, self._queue.qsize
        suspend, ends = sites.SUSPEND, CodeType
        while entries := [get() for _ in range(min(size(), PORTION))]:
            yield [suspend if type(each) is ends else each for each in entries]

    def _callbacks(self) -> dict[int, Callable[..., Any]]:
        put = self._queue.put
        unseen = self.unseen.append
        functions = self.functions
        generators: dict[int, int] = {}
        numbers = count()
        identity = object.__hash__
        frame_of = sys._getframe
        left = [0]
        unwind, closed = sites.UNWIND, sites.CLOSED

        def on_jump(code: CodeType, offset: int, target: int) -> Any:
            site = code.co_consts[-1].fetches.get(target)
            if site is None:
                return DISABLE
            put(site)
            return None

        def on_start(code: CodeType, offset: int) -> Any:
            function = tracked(code)
            if function is None:
                caller = frame_of(1).f_back
                if caller is not None and tracked(caller.f_code) is not None:
                    unseen(code.co_filename)
                return DISABLE
            if function.code is not code:
                functions.adopt(code)
            if function.notes:
                return DISABLE
            put(function.mark)
            if function.generator:
                # Of the frame, see ``Recorder``.
                number = generators[hash(frame_of(1))] = next(numbers)
                put(number)
            return None

        def on_resume(code: CodeType, offset: int) -> None:
            put(sites.RESUME)
            put(generators[hash(frame_of(1))])

        def on_throw(code: CodeType, offset: int, error: BaseException) -> None:
            function = tracked(code)
            if function is not None:
                if has_started(code, offset):
                    put(sites.RESUME)
                    put(generators[hash(frame_of(1))])
                else:
                    put(function.mark - sites.ALONE)
                    number = generators[hash(frame_of(1))] = next(numbers)
                    put(number)

        def on_unwind(code: CodeType, offset: int, error: BaseException) -> None:
            constants = code.co_consts
            if constants and type(function := constants[-1]) is Function:
                if function.notes and at_start(code, offset):
                    return  # before its code could tell that it starts
                ends = function.generator and isinstance(error, GeneratorExit)
                put(closed if ends else unwind)
                left[0] = identity(error)

        return {
            events.JUMP: on_jump,
            events.PY_START: on_start,
            events.PY_RESUME: on_resume,
            events.PY_THROW: on_throw,
            events.PY_RETURN: put,
            events.PY_YIELD: put,
            events.PY_UNWIND: on_unwind,
            **raising(put, left, self.on_recursion, self.on_fault),
        }
