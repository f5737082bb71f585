"""How one test is run anew to be traced: for the plugin, and for whoever else has tests traced.

Imports nothing, of pytest's neither: an editor's server asks as well, where there may be none.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping

MODULE = "stripe_pytest"
"""What is traced: ``python -m stripe_pytest``, with `words`."""

SAYS_OF_A_RUN = ("PYTEST_CURRENT_TEST", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT")
"""What pytest tells the processes a test starts; it is not for a test run anew."""

CACHE = (
    "--lf", "--last-failed", "--ff", "--failed-first", "--nf", "--new-first", "--sw", "--stepwise",
    "--sw-skip", "--stepwise-skip", "--sw-reset", "--stepwise-reset", "--cache-clear",
)  # fmt: skip
"""Options of the cache, which is not there when tests are run anew."""

CACHE_VALUES = ("--lfnf", "--last-failed-no-failures")
"""Those with a value."""


def words(directory: str, test: str, root: str, more: Iterable[str] = ()) -> list[str]:
    """The arguments of the traced module.

    ``directory`` is where pytest is called, relative to where the program starts; ``root`` pytest's
    root directory; ``more`` are further arguments of pytest.
    """
    return [
        directory,
        test,
        *more,
        # What pytest has rewritten cannot be traced; what an assert compared, STRIPE sees itself.
        "--assert=plain",
        # Nobody sees what pytest shows of a failure, and it parses whole files for it.
        "--tb=no",
        # A cache would differ from run to run.
        "-p",
        "no:cacheprovider",
        "--rootdir",
        root,
    ]


def environment(given: Mapping[str, str], folder: str | None = None) -> dict[str, str]:
    """The environment of such a run; in ``folder`` it finds this package, if not by itself."""
    kept = {name: value for name, value in given.items() if name not in SAYS_OF_A_RUN}
    kept["PYTHONDONTWRITEBYTECODE"] = "1"  # what is written must be undone after each run
    paths = [path for path in kept.get("PYTHONPATH", "").split(os.pathsep) if path]
    if folder is not None and folder not in paths:
        kept["PYTHONPATH"] = os.pathsep.join([*paths, folder])
    return kept


def without(words: list[str], flags: Collection[str], values: Collection[str]) -> list[str]:
    """The words but ``flags``, and ``values`` with the values that they have."""
    kept = []
    rest = iter(words)
    for word in rest:
        name, given, _ = word.partition("=")
        if name in values:
            if not given:
                next(rest, None)
        elif word not in flags:
            kept.append(word)
    return kept
