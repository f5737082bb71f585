"""Where tests run: ``--jobs`` and ``--executor``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from stripe.campaign.workers import close_all
from stripe.dd import MissingExtra, open_executor, scheduler, workers
from stripe.errors import UsageError

if TYPE_CHECKING:
    from concurrent.futures import Executor


@contextmanager
def where_to_test(spec: str | None, jobs: int | None) -> Iterator[tuple[Executor | None, int]]:
    """What ``--executor`` names, if anything, and how many tests to run at a time.

    Raises :class:`~stripe.errors.UsageError`: ``bad-executor``, ``missing-extra``,
    ``no-scheduler``.
    """
    if spec is None:
        yield None, jobs or 1
        return
    try:
        address = scheduler(spec)
    except ValueError:
        raise UsageError(
            "bad-executor",
            f"There is no executor {spec!r}.",
            "Tests can be run by the workers of a Dask scheduler: --executor dask://HOST:PORT",
        ) from None
    with ExitStack() as stack:
        try:
            executor = stack.enter_context(open_executor(spec, 1, at_end=close_all))
        except MissingExtra as error:
            raise UsageError(
                "missing-extra",
                "--executor needs the package distributed, which is not installed.",
                "Install it with: uv tool install 'stripe-trace[dask]'",
            ) from error
        except (OSError, ValueError) as error:
            raise UsageError(
                "no-scheduler",
                f"No Dask scheduler answers at {address}: {error}",
                "Start one (dask scheduler), with workers, and give its HOST:PORT.",
            ) from error
        yield executor, jobs or max(1, workers(executor))
