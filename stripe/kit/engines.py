"""Processes that replay, one for each slot, which are started when first asked and may end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from stripe.errors import BackendError
from stripe.index_set import packed

type Facts = dict[str, Any]
"""What is told of a run, by the process that ran it."""


class Gone(BackendError):
    """The process has ended, or does not answer; a new one may do.

    ``late``: it had more to do than there was time for, as far as is known.
    """

    late = False


def our_fault(what: str) -> tuple[str, str]:
    """Message and hint of the error for an exception of our own code where the program runs.

    It is no :class:`Gone`, but a :class:`~stripe.errors.BackendError`: another process would fail
    in the same way, and what has failed says nothing of the program.
    """
    return (
        f"STRIPE itself failed where the program runs: {what}",
        "The search ended there, for its tests can no longer be trusted. This is a bug of STRIPE: "
        "please report it, with the program.",
    )


class Engine(Protocol):
    """A process that replays, one request at a time."""

    def cancel(self) -> None:
        """End the run that another thread waits for, if there is one."""
        ...

    def close(self) -> None:
        """End it, and all that it runs."""
        ...


class Engines[Key, E: Engine]:
    """The engines of a recording.

    Args:
        start: starts the one that is known by a key, such as the number of its slot.
        restore: brings its slot back to the pristine state.
    """

    def __init__(self, start: Callable[[Key], E], restore: Callable[[Key], None]) -> None:
        self._start = start
        self._restore = restore
        self._lock = threading.Lock()
        self._engines: dict[Key, E] = {}
        self._replaying: dict[tuple[int, ...], E] = {}
        self._alone: dict[Key, tuple[int, ...]] = {}
        self.closed = False
        self.found = self.started = 0  # when asked for

    def put(self, key: Key, engine: E) -> None:
        """Make one known that was started otherwise."""
        with self._lock:
            self._engines[key] = engine

    def get(self, key: Key) -> E:
        """The engine, which is started unless it is there."""
        with self._lock:
            engine = self._engines.get(key)
        if engine is None:
            engine = self._start(key)
            self.put(key, engine)
            self.started += 1
        else:
            self.found += 1
        return engine

    def drop(self, key: Key) -> None:
        """End an engine, if it is there."""
        with self._lock:
            engine = self._engines.pop(key, None)
        if engine is not None:
            engine.close()

    def renew(self, key: Key, events: Sequence[int]) -> None:
        """End an engine, unless it has replayed ``events`` and nothing else since this was asked.

        Replays of the same, in other variants, are as good in it as in one more that is started.
        """
        alone = tuple(events)
        if self._alone.get(key) != alone:
            self.drop(key)
            self._alone[key] = alone

    def drop_all(self) -> None:
        """End all of them, whatever happens."""
        with self._lock:
            keys = list(self._engines)
        for key in keys:
            with suppress(BackendError, OSError):
                self.drop(key)

    def ask(
        self, key: Key, question: Callable[[E], Facts], events: Sequence[int] | None = None
    ) -> Facts | None:
        """Ask an engine; a new one, once, if it fails; ``None``: it ended with the run each time.

        ``events``: what it replays, if somebody may cancel that.

        Raises:
            Gone: when no engine can be started.
        """
        if key in self._alone and (events is None or self._alone[key] != packed(events)):
            del self._alone[key]
        for again in (False, True):
            engine = None
            try:
                engine = self.get(key)
                with self.known(events, engine):
                    return question(engine)
            except Gone:
                if self.closed or (again and engine is None):
                    raise
                self.drop(key)
                self._restore(key)
        return None

    @contextmanager
    def known(self, events: Sequence[int] | None, engine: E) -> Iterator[None]:
        """Let others cancel what an engine replays in the context, unless it is ``None``."""
        if events is None:
            yield
            return
        key = packed(events)
        with self._lock:
            self._replaying[key] = engine
        try:
            yield
        finally:
            with self._lock:
                self._replaying.pop(key, None)

    def cancel(self, events: Sequence[int]) -> None:
        """End the replay of ``events`` that another thread waits for, if there is one."""
        with self._lock:
            engine = self._replaying.get(packed(events))
            if engine is not None:
                engine.cancel()  # locked: in a moment it may replay others
