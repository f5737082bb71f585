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
from stripe.errors import NotReducible, StripeError
from stripe.lsp.job import Job
from stripe.reduce import Result

HELPER = "stripe_pytest"


def trace_test(job: Job, options: dict[str, Any]) -> Result:
    """The slice for the exception a test ends with.

    What a failed ``assert`` compared is known only where pytest has rewritten it, and rewritten
    files cannot be traced.  So it is first looked for in the other code of the project; if that
    has no part in it, in all.  ``options`` are those of :func:`stripe.trace`.

    Raises :class:`~stripe.errors.NotReducible` ``test-passes``, and all that ``trace`` raises.
    """
    with helper() as folders:
        options = {
            **options,
            "check": job.check or ("exception",),
            "exclude": [str(folder / HELPER / "*") for folder in folders],
        }
        try:
            first = trace(HELPER, *words(job, "rewrite"), module=True, **options | {"max_tests": 1})
            compared = compares(first)
        except NotReducible as error:
            # Nothing but the test file runs, or nothing there matters; or it does not fail.
            if error.slug == "no-exception":
                raise passes(job, error) from None
            compared = False
        if compared:
            try:
                return trace(HELPER, *words(job, "rewrite"), module=True, **options)
            except NotReducible:
                pass
        try:
            return trace(HELPER, *words(job, "plain"), module=True, **options)
        except NotReducible as error:
            if error.slug == "no-exception":
                raise passes(job, error) from None
            raise


def compares(result: Result) -> bool:
    """Whether the test failed in an ``assert`` that says what it compared."""
    raised = result.recorded and result.recorded.exception
    return bool(raised and raised.message.startswith("assert "))


def passes(job: Job, error: StripeError) -> StripeError:
    """Say of a test without an exception why there is nothing to find."""
    return NotReducible(
        "test-passes",
        f"{job.test} of {job.program} ends without an exception: it passes, is skipped, or pytest "
        "cannot run it.",
        "A slice explains a failure. To see what pytest says, run: "
        f"python -m pytest '{job.program}::{job.test}'",
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
        for name in [name for name in os.environ if name.startswith("PYTEST_")]:
            if name not in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD"):
                del os.environ[name]
        paths = [path for path in before.get("PYTHONPATH", "").split(os.pathsep) if path]
        os.environ["PYTHONPATH"] = os.pathsep.join([*paths, folder])
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # it must be undone after each run
        try:
            yield [origin.parent, Path(folder)]
        finally:
            os.environ.clear()
            os.environ.update(before)
