"""Where tests of several jobs run, if not in threads: processes, or a Dask cluster."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import Executor

_DASK = ("dask://", "tcp://", "tls://")
"""How the address of a scheduler begins: as we write it, or as it prints it itself."""


class MissingExtra(ImportError):
    """An optional part is asked for that is not installed."""


class MissingMainGuard(RuntimeError):
    """Processes cannot start: each runs the main script, which would start processes in turn."""

    def __init__(self) -> None:
        super().__init__(
            'open_executor("processes") could not start a process. Each process first runs the '
            "main script once more, to know its functions; so what starts processes must not "
            "happen there again. Put it under\n\n"
            '    if __name__ == "__main__":'
        )


@contextmanager
def open_executor(
    spec: str, jobs: int, at_end: Callable[[], object] | None = None
) -> Iterator[Executor]:
    """Open what ``spec`` names, to be given to a Tester as ``executor``, and close it in the end.

    Args:
        spec: "processes" for tests that compute in Python (the test function is sent to them by
            pickle); "dask://HOST:PORT" for the workers of that Dask scheduler, which must be able
            to import the test function; "tcp://HOST:PORT", as it tells its own address, is the
            same. Dask runs the tests of a worker that died on another one.
        jobs: how many processes; a Dask cluster has its own number.
        at_end: called in the end in every process of a Dask cluster, which outlives us.

    Raises:
        ValueError: for an unknown ``spec``.
        MissingMainGuard: if the main script opens processes without ``if __name__ == "__main__":``.
        MissingExtra: for Dask, if ``distributed`` is not installed.
        OSError: if no scheduler answers.
    """
    if spec == "processes":
        with _processes(jobs) as processes:
            yield processes
    elif spec.startswith(_DASK):
        with _dask(scheduler(spec), at_end) as cluster:
            yield cluster
    else:
        raise ValueError(f"no such executor: {spec!r}; known: processes, dask://HOST:PORT")


def scheduler(spec: str) -> str:
    """The address of the Dask scheduler that ``spec`` names, as Dask wants it.

    Raises :class:`ValueError` if it names none.
    """
    if not spec.startswith(_DASK):
        raise ValueError(f"no address of a Dask scheduler: {spec!r}")
    address = spec.removeprefix("dask://")
    return address if "://" in address else f"tcp://{address}"


def workers(executor: Executor) -> int:
    """How many tests an executor of ``open_executor`` runs at the same time."""
    inside: Any = executor
    if hasattr(executor, "_max_workers"):
        return int(inside._max_workers)
    return sum(inside._client.nthreads().values())


@contextmanager
def _processes(jobs: int) -> Iterator[Executor]:
    # Here: they take a while to import.
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import current_process, get_context

    if getattr(current_process(), "_inheriting", False):
        sys.exit(1)  # the main script, run once more by a process that starts; its parent tells
    # Forking a process that has threads is not safe, and other threads are none of ours.
    processes = ProcessPoolExecutor(jobs, mp_context=get_context("forkserver"))
    try:
        try:
            processes.submit(int).result()
        except (BrokenProcessPool, ConnectionError):  # the latter since Python 3.15
            raise MissingMainGuard from None
        yield processes
    finally:
        # Waited for: one that is still starting would stumble over a Python that ends.
        processes.shutdown(cancel_futures=True)


@contextmanager
def _dask(address: str, at_end: Callable[[], object] | None) -> Iterator[Executor]:
    try:
        import distributed
    except ImportError as error:
        raise MissingExtra(
            "dask:// needs the package `distributed`: install stripe-trace[dask]"
        ) from error
    # Its types come and go with the installed version.
    client_type: Any = distributed.Client
    with client_type(address, set_as_default=False) as client:
        executor = client.get_executor(pure=False)
        try:
            yield executor
        finally:
            executor.shutdown(wait=False)
            if at_end is not None:
                client.run(at_end, on_error="ignore")
