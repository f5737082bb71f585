"""Workers elsewhere, each of which has to prepare before its first test; nobody waits for that."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Executor, Future
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple


class WorkerPool(Executor):
    """Gives tests to the workers of another executor once they are prepared, one to each thread.

    So what no worker has begun can be taken back, and nothing waits behind a worker that is busy.

    Args:
        executor: what runs things, such as one of ``open_executor``. Of a Dask cluster the workers
            are those that are there now.
        prepare: what each worker runs before its first test; None: nothing.
        count: how many tests to run at a time, at most.
        cancel: tells the running test of a configuration to end, if it is run where that runs.
    """

    def __init__(
        self,
        executor: Executor,
        prepare: Callable[[], object] | None,
        count: int,
        cancel: Callable[[Any], object] | None = None,
    ) -> None:
        self.prepare = prepare
        self._cancel = cancel
        self._busy: dict[Future[Any], tuple[_Worker, Future[Any]]] = {}
        self._ending: dict[Any, Sequence[Future[Any]]] = {}
        self._lock = threading.RLock()
        self._waiting: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._free: deque[_Worker] = deque()  # the one that has been free for longest comes first
        self._failed: BaseException | None = None
        for worker in _workers(executor, count):
            if prepare is None:
                self._ready(worker)
            else:
                worker.run(prepare).add_done_callback(partial(self._prepared, worker))

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a worker run something, as soon as one is free.

        Raises:
            BaseException: what was raised where a worker prepared.
        """
        future: Future[Any] = Future()
        with self._lock:
            if self._failed is not None:
                raise self._failed
            self._waiting.append((future, partial(function, *args, **kwargs)))
        self._give()
        return future

    def cancel(self, future: Future[Any], configuration: Any) -> bool:
        """Have the worker that runs the test of a configuration end it; whether it can be told.

        What comes of the test then is of no use.
        """
        with self._lock:
            busy = self._busy.get(future)
        if self._cancel is None or busy is None or not busy[0].address:
            return False
        worker, run = busy
        for other in list(self._ending):
            self.ending(other)  # nobody may ask for it again
        self._ending[configuration] = worker.tell(partial(self._cancel, configuration)), run
        return True

    def ending(self, configuration: Any) -> bool:
        """Whether a worker may still end what it runs of a configuration."""
        if not all(each.done() for each in self._ending.get(configuration, ())):
            return True
        self._ending.pop(configuration, None)
        return False

    def _prepared(self, worker: _Worker, done: Future[Any]) -> None:
        if done.cancelled():
            return  # the executor was shut down
        error = done.exception()
        if error is None:
            self._ready(worker)
            return
        with self._lock:
            self._failed = self._failed or error
            waiting = [future for future, _ in self._waiting]
            self._waiting.clear()
        for future in waiting:
            if future.set_running_or_notify_cancel():
                future.set_exception(error)

    def _ready(self, worker: _Worker) -> None:
        with self._lock:
            self._free.extend([worker] * worker.threads)
        self._give()

    def _give(self) -> None:
        """Have free workers begin what waits."""
        while True:
            with self._lock:
                if not self._free or not self._waiting:
                    return
                future, run = self._waiting.popleft()
                if not future.set_running_or_notify_cancel():
                    continue  # it was taken back
                worker = self._free.popleft()
            there = worker.run(run)
            with self._lock:
                self._busy[future] = worker, there
            there.add_done_callback(partial(self._done, worker, future))

    def _done(self, worker: _Worker, future: Future[Any], done: Future[Any]) -> None:
        with self._lock:
            self._busy.pop(future, None)
            self._free.append(worker)
        self._give()
        if done.cancelled():
            future.set_exception(CancelledError())
        elif (error := done.exception()) is not None:
            future.set_exception(error)
        else:
            future.set_result(done.result())


class _Worker(NamedTuple):
    """``address``: that of a Dask worker, which may die: then another one takes its place."""

    executor: Any
    threads: int = 1
    address: str = ""

    def run(self, function: Callable[[], object]) -> Future[Any]:
        if not self.address:
            return self.executor.submit(function)  # type: ignore[no-any-return]
        where = {"workers": [self.address], "allow_other_workers": True, "pure": False}
        return self.executor.submit(function, **where)  # type: ignore[no-any-return]

    def tell(self, function: Callable[[], object]) -> Future[Any]:
        """Run something on a Dask worker at once, whatever else it runs."""
        client = self.executor._client

        async def telling() -> None:
            with suppress(Exception):  # a worker that has died has ended its test
                await client.run(function, workers=[self.address], on_error="ignore")

        return asyncio.run_coroutine_threadsafe(telling(), client.loop.asyncio_loop)


def _workers(executor: Any, count: int) -> list[_Worker]:
    """Those of an executor that run ``count`` things at a time; one for each if it names none."""
    if not hasattr(executor, "_client"):
        return [_Worker(executor)] * count
    found: list[_Worker] = []
    for address, threads in sorted(executor._client.nthreads().items()):
        if (left := count - sum(each.threads for each in found)) > 0:
            found.append(_Worker(executor, min(threads, left), address))
    return found
