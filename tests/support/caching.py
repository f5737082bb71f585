"""What tests keep from one run to the next, outside the checkout: ``$STRIPE_TEST_CACHE`` or
``~/.cache/stripe-tests``; a temporary folder where there is no home to write to.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def cache_folder(name: str) -> Path:
    """A folder of the cache, made if it is not there."""
    # Not XDG_CACHE_HOME: in tests that is a folder which goes with them (tests/conftest.py).
    named = os.environ.get("STRIPE_TEST_CACHE")
    folder = (Path(named) if named else Path.home() / ".cache" / "stripe-tests") / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        if named:
            raise
        folder = Path(os.environ["XDG_CACHE_HOME"]) / "stripe-tests" / name
        folder.mkdir(parents=True, exist_ok=True)
    return folder.resolve()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Only one process at a time fills it."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
