"""Which layer of the sandbox this system has: each is tried by a self-test, which is remembered.

What runs will do behind the walls is done there once.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from stripe.files import forget, recall, remember
from stripe.sandbox.bytecode import keep_bytecode
from stripe.sandbox.circumstances import circumstances
from stripe.sandbox.scratch import Scratch
from stripe.sandbox.walls import ENTER, VARIABLE, Layer, Walls, script

_SELF_TEST = ENTER.with_name("self_test.py")
_SECONDS = 30.0

_NEEDED = {
    Layer.NAMESPACES: ("start a process", "write in /tmp", "replace a folder outside"),
    Layer.LANDLOCK: ("start a process",),
}
"""A layer in which one of these fails would tell its own failures as those of programs."""


@dataclass(frozen=True, slots=True)
class Tried:
    """Why a layer cannot be had, and for each task why it fails there; empty: it does not."""

    refused: str
    tasks: Mapping[str, str] = field(default_factory=dict)


@functools.cache
def find_layer() -> tuple[Layer, str]:
    """The best layer that this system has, found out by trying; and why there is no better one."""
    keep_bytecode(ENTER.parent)
    forced = os.environ.get(VARIABLE)
    if forced:
        return Layer(forced), f"{VARIABLE} is {forced}"
    why = ""
    if sys.platform == "linux":
        for layer in (Layer.NAMESPACES, Layer.LANDLOCK):
            problem = refused(layer)
            if problem is None:
                return layer, why.rstrip("; ")
            why += f"{layer.value}: {problem}; "
    else:
        why = f"{sys.platform} has no such thing"
    return Layer.NONE, why.rstrip("; ")


def refused(layer: Layer) -> str | None:
    """Why the layer cannot be had, or ``None``."""
    return try_layer(layer).refused or None


def try_layer(layer: Layer) -> Tried:
    """The self-test of a layer; one that it passed is remembered by kernel, user and settings.

    That weakens nothing: where the layer is refused by then, the command that was to run behind it
    does not start.
    """
    facts = None
    with suppress(OSError):
        facts = circumstances(ENTER.parent, tempfile.gettempdir())
    if facts is not None and (found := recall(_about(layer), facts)) is not None:
        lines = (line.partition("=") for line in found.split(";") if line)
        return Tried("", {name: why for name, _, why in lines})
    tried = _try(layer)
    if facts is not None and not tried.refused:
        plain = (f"{name}={why.replace(';', ',')}" for name, why in tried.tasks.items())
        remember(_about(layer), facts, ";".join(plain))
    return tried


def forget_layers() -> None:
    """Have the layers tried again, by the next process that asks for one."""
    for layer in Layer:
        forget(_about(layer))


def _about(layer: Layer) -> str:
    return f"the self-test of {layer.value}"


def _try(layer: Layer) -> Tried:
    """The same, found out by trying."""
    from stripe.sandbox.inside.removal import remove  # lazy

    scratch, outside = Scratch(), Scratch()
    try:
        root = scratch.path
        walls = Walls(layer, root, root / "home", root / "room", root / "home")
        temporary = walls.home / "tmp"
        temporary.mkdir(parents=True)
        old = outside.path / "old"
        old.mkdir()
        (old / "file").write_bytes(b"")
        command = script(_SELF_TEST, old, temporary, _here())
        done = subprocess.run(
            walls.command(command, "/", ours=True),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Tried(str(error))
    finally:
        for each in (scratch, outside):
            with suppress(OSError):
                remove(str(each.path))  # so that no process has to be started for it
            each.close()
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    tasks = {name: why for name, _, why in (line.partition("\t") for line in lines)}
    if done.returncode or not tasks:
        said = done.stderr.decode("utf-8", "replace").strip()[-200:]
        return Tried(said or "no reason given")
    failed = next((f"{name}: {tasks[name]}" for name in _NEEDED[layer] if tasks[name]), "")
    return Tried(failed, tasks)


def _here() -> Path | str:
    try:
        return Path.cwd()
    except OSError:
        return os.sep
