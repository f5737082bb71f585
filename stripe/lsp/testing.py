"""The critical slice of a failing test of pytest, as ``pytest --stripe`` finds it.

pytest runs inside the traced program, by ``python -m stripe_pytest``, which is a guest there: it is
found by its file, and reached through a folder that holds nothing else.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from stripe.api import trace
from stripe.errors import NotReducible
from stripe.lsp.job import Job
from stripe.reduce import Result

HELPER = "stripe_pytest"
CONCERNS_RUN = ("PYTEST_CURRENT_TEST", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT")
"""What pytest says of a test that runs, if we are started from one."""


def trace_test(job: Job, options: dict[str, Any]) -> Result:
    """The slice for the exception a test ends with.

    ``options`` are those of :func:`stripe.trace`.

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
            return trace(HELPER, *words(job), **options)
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
    """The arguments of the helper; see ``stripe_pytest.__main__``."""
    test = f"{Path(job.directory, job.program)}::{job.test}"
    # What pytest has rewritten cannot be traced; what an assert compared, STRIPE sees itself.
    # A cache would differ from run to run.
    return [".", test, *job.arguments, "--assert=plain", "-p", "no:cacheprovider",
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
