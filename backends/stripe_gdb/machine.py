"""What this machine has for native programs: gdb, and compilers."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from stripe.backend import Finding, State
from stripe.errors import UsageError
from stripe_gdb.compiler import compiler_for
from stripe_gdb.languages import CXX, RUST, C

_SECONDS = 60.0
_SPEAKS = "gdb speaks Python"


def find_gdb() -> str:
    """The path of gdb; ``STRIPE_GDB`` names another one."""
    wanted = os.environ.get("STRIPE_GDB", "gdb")
    found = shutil.which(wanted)
    if found is None:
        raise UsageError(
            "no-gdb",
            f"Native programs are run through gdb, and there is no command {wanted!r}.",
            "Install it: apt-get install gdb, dnf install gdb, or the like.",
        )
    return found


def gdb() -> Finding:
    """Whether there is a gdb that will do."""
    try:
        path = find_gdb()
    except UsageError as error:
        return Finding("gdb", State.LESS, error.message, error.hint)
    command = [path, "-nx", "-batch", "-ex", f"python print('{_SPEAKS}', gdb.VERSION)"]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding("gdb", State.LESS, f"{path} does not run: {error}", "Install another one.")
    _, speaks, version = done.stdout.strip().partition(f"{_SPEAKS} ")
    if not speaks:
        return Finding(
            "gdb",
            State.LESS,
            f"{path} cannot be used: it was built without Python",
            "Install your system's full gdb (not gdb-minimal), or name another one in STRIPE_GDB.",
        )
    return Finding("gdb", State.GOOD, f"{path} ({version})")


def compilers() -> Iterator[Finding]:
    """For sources of each language, which compiler makes them into programs."""
    for suffixes in (C, CXX, RUST):
        compiler = compiler_for(Path(f"source{suffixes[0]}"))
        about = f"{compiler.language} compiler"
        try:
            found = shutil.which(compiler.find()[0])
        except UsageError as error:
            yield Finding(about, State.LESS, error.message, error.hint)
        else:
            yield Finding(about, State.GOOD, str(found))
