"""Finds the command ``stripe``, which is installed in an environment of its own.

Imports neither pytest nor anything of STRIPE.  Other programs have that name, too (the payment
company's own command has): a program is ours if ``--version`` says so, and can be asked if its
version is that of these packages, up to the last number.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from stripe_pytest import __version__

VARIABLE = "STRIPE_COMMAND"
"""The environment variable that names the command."""

ANSWER_SECONDS = 60.0
"""Seconds in which a command has told its version, also on a busy machine."""

INSTALL = (
    "Install it into an environment of its own: uv tool install stripe-trace (or: pipx install "
    f"stripe-trace). If it is elsewhere: {VARIABLE}=PATH/stripe"
)


class NoCommand(Exception):
    """There is no command that can be asked; the text says why, and what to do."""


def find_command(given: str | None = None) -> list[str]:
    """How to run STRIPE: as ``given``, as :data:`VARIABLE` says, or where tools are installed.

    Raises :class:`NoCommand`.
    """
    named = given or os.environ.get(VARIABLE)
    reasons = []
    for command in [shlex.split(named)] if named else candidates():
        reason = refusal(command)
        if reason is None:
            return command
        reasons.append(reason)
    said = "".join(f"\n  {each}" for each in reasons)
    raise NoCommand(f"The command stripe of stripe-trace was not found. {INSTALL}{said}")


def candidates() -> Iterator[list[str]]:
    """Commands that may be ours, the likeliest first, each once."""
    try:
        importlib.metadata.version("stripe-trace")
        yield [sys.executable, "-P", "-m", "stripe"]  # in this very environment
    except importlib.metadata.PackageNotFoundError:
        pass
    seen = set()
    for folder in folders():
        path = folder / "stripe"
        if path not in seen and folder.is_absolute() and os.access(path, os.X_OK):
            seen.add(path)
            yield [str(path)]


def folders() -> Iterator[Path]:
    """Those of ``PATH``, and those into which uv and pipx put commands and environments."""
    known = os.environ
    yield from map(Path, filter(None, known.get("PATH", "").split(os.pathsep)))
    home = Path.home()
    data = Path(known.get("XDG_DATA_HOME") or home / ".local" / "share")
    for name in ("UV_TOOL_BIN_DIR", "PIPX_BIN_DIR", "XDG_BIN_HOME"):
        if known.get(name):
            yield Path(known[name])
    yield home / ".local" / "bin"
    yield Path(known.get("UV_TOOL_DIR") or data / "uv" / "tools") / "stripe-trace" / "bin"
    for place in (known.get("PIPX_HOME") or data / "pipx", home / ".local" / "pipx"):
        yield Path(place) / "venvs" / "stripe-trace" / "bin"


def refusal(command: list[str]) -> str | None:
    """Why a command cannot be asked; ``None`` if it can."""
    words = shlex.join(command)
    try:
        done = subprocess.run(
            [*command, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=ANSWER_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{words}: {error}"
    if re.search(r"^stripe: .* \[[a-z-]+\]", done.stderr, re.DOTALL):  # ours, and it says why
        return f"{words}: {done.stderr.strip().removeprefix('stripe: ')}"
    found = re.fullmatch(r"stripe (\d+\.\d+)\S*", done.stdout.strip())
    if done.returncode or found is None:
        return f"{words} is another program of that name"
    if found[1] != __version__.rpartition(".")[0]:
        return (
            f"{words} is {done.stdout.strip()}, and pytest-stripe-trace {__version__} can ask "
            f"versions {__version__.rpartition('.')[0]}: upgrade the older one"
        )
    return None
