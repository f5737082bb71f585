"""The critical slice of a failing test of pytest, as ``pytest --stripe`` finds it.

pytest runs inside the traced program, by ``python -m stripe_pytest``, which is a guest there: it is
found by its file, and reached through a folder that holds nothing else.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from stripe.api import trace
from stripe.backend import Probe, Recording, Target, choose_backend
from stripe.errors import NotReducible
from stripe.lsp.job import Job
from stripe.reduce import Result

HELPER = "stripe_pytest"
CONCERNS_RUN = ("PYTEST_CURRENT_TEST", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT")
"""What pytest says of a test that runs, if we are started from one."""


def trace_test(job: Job, options: dict[str, Any]) -> Result:
    """The slice for the exception a test ends with.

    What a failed ``assert`` compared is known only where pytest has rewritten it, and rewritten
    files cannot be traced.  So its slice is first looked for in the other code of the project;
    if that has no part in it, in all.  ``options`` are those of :func:`stripe.trace`.

    Raises :class:`~stripe.errors.NotReducible` ``test-passes``, and all that ``trace`` raises.
    """
    with helper() as folders:
        options = {
            **options,
            "check": job.check or ("exception",),
            "exclude": [str(folder / HELPER / "*") for folder in folders],
            "module": True,
        }
        try:
            return trace(HELPER, *words(job, "rewrite"), backend=Comparing(job), **options)
        except OtherFailure:
            pass
        except NotReducible as error:
            if error.slug == "test-passes":
                raise
        return trace(HELPER, *words(job, "plain"), **options)


class OtherFailure(Exception):
    """The test does not fail in an ``assert`` that says what it compared."""


class Comparing:
    """The backend of the program, for tests that fail in an ``assert``.

    Of others, recording raises :class:`OtherFailure`, or the error for a test that passes.
    """

    name = "python"

    def __init__(self, job: Job) -> None:
        self.job = job

    def refuses(self, target: Target) -> str | None:
        return None

    def record(self, target: Target, probes: Sequence[Probe] = ()) -> Recording:
        recording = choose_backend(target).record(target, probes)
        raised = recording.recorded.exception
        if raised is not None and raised.message.startswith("assert "):
            return recording
        recording.close()
        if raised is not None:
            raise OtherFailure
        test = f"{self.job.program}::{self.job.test}"
        raise NotReducible(
            "test-passes",
            f"{test} ends without an exception: it passes, is skipped, or pytest cannot run it.",
            f"A slice explains a failure. To see what pytest says: python -m pytest '{test}'",
        )


def words(job: Job, assertions: str) -> list[str]:
    """The arguments of the helper; see ``stripe_pytest.__main__``."""
    test = f"{Path(job.directory, job.program)}::{job.test}"
    # A cache would differ from run to run.
    return [".", test, *job.arguments, f"--assert={assertions}", "-p", "no:cacheprovider",
            "--rootdir", job.directory]  # fmt: skip


@contextmanager
def helper() -> Iterator[list[Path]]:
    """Let programs started from here find the helper; the folders it is in, as programs see it."""
    found = find_spec(HELPER)
    assert found is not None, "one distribution holds both"
    assert found.origin is not None
    origin = Path(found.origin).parent
    with tempfile.TemporaryDirectory(prefix="stripe-pytest-") as folder:
        Path(folder, HELPER).symlink_to(origin)
        before = dict(os.environ)
        for name in CONCERNS_RUN:
            os.environ.pop(name, None)
        paths = [path for path in before.get("PYTHONPATH", "").split(os.pathsep) if path]
        os.environ["PYTHONPATH"] = os.pathsep.join([*paths, folder])
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # it must be undone after each run
        try:
            yield [origin.parent, Path(folder)]
        finally:
            os.environ.clear()
            os.environ.update(before)
