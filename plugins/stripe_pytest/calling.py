"""How pytest was called, for the commands that run its tests anew."""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
from pathlib import Path

import pytest

from stripe_pytest import policy

HERE = Path(__file__).parent
OURS = re.compile(r"--stripe(-[a-z-]+)?(=|$)")
FLAGS = ("--stripe", "--stripe-reduce")


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
    return policy.without(kept, policy.CACHE, policy.CACHE_VALUES)


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
