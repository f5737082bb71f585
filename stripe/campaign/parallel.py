"""Runs that need nothing of each other, begun one behind the other, at the same time if it may be.

They follow the searches, where tests that run ahead would leave all but one job idle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Protocol

from stripe.dd import BudgetExhausted

if TYPE_CHECKING:
    from concurrent.futures import Future

    from stripe.campaign.campaign import Campaign


class Start(Protocol):
    """Begins a run; what it returns tells, behind the context, what the run has returned."""

    def __call__[T](self, run: Callable[[], T], /) -> Callable[[], T | None]: ...


@contextmanager
def beside(campaign: Campaign) -> Iterator[Start]:
    """A context in which as many runs as a campaign has jobs are made at the same time.

    Behind it, all have ended, unless a second Ctrl-C has cut them off: one that had not ended by
    then has returned ``None``, and the recording is closed under it.
    """
    if campaign.jobs == 1:
        yield _now
        return
    from concurrent.futures import ThreadPoolExecutor, wait

    threads = ThreadPoolExecutor(campaign.jobs, thread_name_prefix="campaign")
    begun: list[Future[object]] = []
    ended: set[Future[object]] = set()

    def start[T](run: Callable[[], T], /) -> Callable[[], T | None]:
        future = threads.submit(run)
        begun.append(future)  # type: ignore[arg-type]
        return lambda: future.result() if future in ended else None

    try:
        yield start
        with suppress(BudgetExhausted), campaign.running():
            # From here on a second Ctrl-C is an exception; it may have come before.
            if campaign.stop is not None and campaign.stop.over:
                raise KeyboardInterrupt
            wait(begun)
    finally:
        ended.update(each for each in begun if each.done())
        threads.shutdown(wait=False, cancel_futures=True)


def _now[T](run: Callable[[], T], /) -> Callable[[], T]:
    """Make a run at once."""
    result = run()
    return lambda: result
