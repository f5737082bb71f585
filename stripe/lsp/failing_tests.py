"""What is asked about a failing test of pytest, as ``pytest --stripe`` finds it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from stripe.errors import NotReducible
from stripe.failing_run import HELPER, trace_helper
from stripe.lsp.job import Job
from stripe.reduce import Result
from stripe.suspects import SuspectsResult, find_suspects


def trace_test(job: Job, options: dict[str, Any]) -> Result:
    """The slice for the exception a test ends with.

    ``options`` are those of :func:`stripe.trace`.

    Raises :class:`~stripe.errors.NotReducible` ``test-passes``, and all that ``trace`` raises.
    """
    try:
        return trace_helper(
            HELPER, *words(job), **{**options, "check": job.check or ("exception",), "exclude": ()}
        )
    except NotReducible as error:
        if job.check or error.slug != "no-exception":
            raise
    test = f"{job.program}::{job.test}"
    raise NotReducible(
        "test-passes",
        f"{test} ends without an exception: it passes, is skipped, or pytest cannot run it.",
        f"A slice explains a failure. To see what pytest says: python -m pytest '{test}'",
    )


def words(job: Job) -> list[str]:
    """The arguments of the helper."""
    test = f"{Path(job.directory, job.program)}::{job.test}"
    return [".", test, *job.arguments, "--rootdir", job.directory]


def suspects_of(job: Job, options: dict[str, Any]) -> SuspectsResult:
    """Where changes make a program right, or one test: that its file's others stay so counts.

    ``options`` are those of :func:`stripe.suspects.find_suspects`.  Raises all that it raises.
    """
    if job.test is None:
        expect = (job.expect or "").encode("utf-8", "surrogateescape")
        return find_suspects(
            job.program, job.arguments, module=job.module, expect=expect, **options
        )
    return find_suspects(
        "pytest",
        [*job.arguments, "--rootdir", job.directory, job.program],
        module=True,
        failing=[f"{Path(job.program).as_posix()}::{job.test}"],
        **options,
    )
