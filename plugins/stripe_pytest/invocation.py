"""How pytest was called, for the commands that run its tests anew."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Collection
from pathlib import Path

import pytest

OURS = re.compile(r"--stripe(-[a-z-]+)?$")
FLAGS = ("--stripe", "--stripe-reduce")


def options(
    config: pytest.Config, flags: Collection[str] = (), values: Collection[str] = ()
) -> list[str]:
    """What pytest was called with, but our options and the names of tests.

    Without ``flags`` as well, and ``values`` with the values that they have.
    """
    places = set(config.option.file_or_dir or ())
    kept: list[str] = []
    rest = map(str, config.invocation_params.args)
    for word in rest:
        name, given, _ = word.partition("=")
        if name in values or (OURS.match(name) and name not in FLAGS):
            if not given:
                next(rest, None)
        elif name not in FLAGS and word not in flags and word not in places:
            kept.append(word)
    return kept


def project(config: pytest.Config) -> Path:
    """The directory that the runs get copies of.

    Where no file configures pytest, it takes what its arguments have in common for the root,
    even values of options.
    """
    called_in, root = config.invocation_params.dir, config.rootpath
    return root if config.inipath is not None and called_in.is_relative_to(root) else called_in


def ask(config: pytest.Config, words: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command of STRIPE's to its end, where the tests are; raises :class:`OSError`."""
    return subprocess.run(
        words,
        cwd=project(config),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )
