"""How pytest was called, for the commands that run its tests anew."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Collection
from pathlib import Path

import pytest

OURS = re.compile(r"--stripe(-[a-z-]+)?$")
FLAGS = ("--stripe", "--stripe-reduce")

COMMAND_OPTION = re.compile(
    r"(?<![\w-])--(?!stripe\b)[a-z]+(-[a-z]+)*(?= [A-Z]|[,.):]|$)", re.MULTILINE
)
"""An option of the command's, in a sentence."""

NARROWING = ("-k", "--keyword", "--maxfail", "--deselect")
"""Options with a value that would leave out tests which pass..."""

ALONE = ("-x", "--exitfirst")
"""...and one without."""


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


def in_its_file(config: pytest.Config, nodeid: str) -> list[str]:
    """All tests in the file of the failing one, and what else pytest was called with."""
    path = os.path.relpath(config.rootpath / nodeid.partition("::")[0], project(config))
    return [*options(config, ALONE, NARROWING), "--rootdir", str(config.rootpath), path]


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


def explain(config: pytest.Config, words: list[str]) -> tuple[int, str, bool]:
    """Run a command; its exit status, what to show, and whether a file was in the way."""
    try:
        done = ask(config, words)
    except OSError as error:
        return 1, f"{shlex.join(words[:1])}: {error}", False
    if done.returncode:
        kept = "[output-exists]" in done.stderr
        verb = next(word for word in words if word in ("trace", "why"))
        text = by_our_options(done.stderr.strip(), "--stripe-max-time", verb)
        return done.returncode, done.stdout + text, kept
    return 0, done.stdout.strip(), False


def by_our_options(text: str, seconds: str, verb: str) -> str:
    """What ``stripe VERB`` says, with pytest's option for its time: ``seconds`` for ``--max-time``.

    Other options that it names pytest does not have, which is told.
    """
    text = re.sub(r"(?<![\w-])--max-time\b", seconds, text)
    if COMMAND_OPTION.search(text):
        text += f"\nOptions without --stripe are those of: stripe {verb} -m pytest TEST"
    return text
