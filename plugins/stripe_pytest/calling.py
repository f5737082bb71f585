"""How pytest was called, for the commands that run its tests anew."""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
from collections.abc import Collection
from pathlib import Path

import pytest

from stripe_pytest import policy

HERE = Path(__file__).parent
OURS = re.compile(r"--stripe(-[a-z-]+)?(=|$)")
FLAGS = ("--stripe", "--stripe-reduce")

CACHE = (
    "--lf", "--last-failed", "--ff", "--failed-first", "--nf", "--new-first", "--sw", "--stepwise",
    "--sw-skip", "--stepwise-skip", "--sw-reset", "--stepwise-reset", "--cache-clear",
)  # fmt: skip
"""Options of the cache, which is not there when tests are run anew."""

CACHE_VALUES = ("--lfnf", "--last-failed-no-failures")
"""Those with a value."""


def options(config: pytest.Config) -> list[str]:
    """What pytest was called with, but our options, those of its cache and the names of tests."""
    places = set(config.option.file_or_dir or ())
    kept: list[str] = []
    skip = False
    for word in map(str, config.invocation_params.args):
        if skip:
            skip = False
        elif OURS.match(word):
            skip = word not in FLAGS and "=" not in word
        elif word not in places:
            kept.append(word)
    if hasattr(config.option, "numprocesses"):  # pytest-xdist
        kept += ["-n", "0"]
    if hasattr(config.option, "no_cov"):  # pytest-cov
        kept.append("--no-cov")
    return without(kept, CACHE, CACHE_VALUES)


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


def project(config: pytest.Config) -> Path:
    """The directory that the runs get copies of.

    Where no file configures pytest, it takes what its arguments have in common for the root,
    even values of options.
    """
    called_in, root = config.invocation_params.dir, config.rootpath
    return root if config.inipath is not None and called_in.is_relative_to(root) else called_in


def environment() -> dict[str, str]:
    """That of the runs.

    Where the plugin was found by PYTHONPATH or -p, the new process must find it, too.
    """
    return policy.environment(os.environ, None if installed() else str(HERE.parent))


def installed() -> bool:
    """Whether the plugin came with an installation."""
    try:
        importlib.metadata.version("stripe-trace")
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def ask(config: pytest.Config, words: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command of STRIPE's to its end, where the tests are; raises :class:`OSError`."""
    return subprocess.run(
        words,
        cwd=project(config),
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )
