"""Other reducers, each run as its users run it, in an environment of the benchmark's own.

Those from PyPI are installed into ``.venv/peers`` of the checkout (or what STRIPE_PEERS names);
creduce, cvise and delta are used if the system has them.  What cannot be had is left out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("setuptools<81", "picire==21.8", "lithium-reducer", "shrinkray", "debuggingbook")
SECONDS = 240.0
"""How long a tool may take; what it has got by then counts."""

_LITHIUM = """
import subprocess
def interesting(arguments, prefix):
    return subprocess.run([arguments[0], arguments[1]]).returncode == 0
"""

_BOOK = """
import subprocess, sys
from debuggingbook.DeltaDebugger import ddmin
script, path, unit = sys.argv[1:]
text = open(path, encoding="latin-1", newline="").read()
def test(parts):
    with open(path, "w", encoding="latin-1", newline="") as stream:
        stream.write("".join(parts))
    return "FAIL" if subprocess.run([script, path]).returncode == 0 else "PASS"
test(ddmin(test, text.splitlines(keepends=True) if unit == "lines" else list(text)))
"""


@cache
def environment() -> Path | None:
    """The environment with the peers from PyPI, made if need be; None if it cannot be."""
    folder = Path(os.environ.get("STRIPE_PEERS") or ROOT / ".venv" / "peers")
    python = folder / "bin" / "python"
    if (folder / "bin" / "picire").exists():
        return folder
    commands = (
        [sys.executable, "-m", "venv", str(folder)],
        [str(python), "-m", "pip", "install", "--quiet", *PACKAGES],
    )
    for command in commands:
        if subprocess.run(command, stdout=subprocess.DEVNULL).returncode:
            return None
    return folder


def installed(name: str) -> str | None:
    """The path of a peer's command."""
    folder = environment()
    if folder is not None and (folder / "bin" / name).exists():
        return str(folder / "bin" / name)
    return shutil.which(name)


type Command = Callable[[Path, Path, str], list[str] | None]
"""The words that reduce a file in place, by test script and units; None if it cannot."""


def _lithium(file: Path, test: Path, units: str) -> list[str] | None:
    module = file.with_name("condition.py")
    module.write_text(_LITHIUM, "utf-8")
    found = installed("lithium")
    option = {"lines": "--lines", "chars": "--char"}.get(units)
    return (found and option and [found, option, str(module), str(test), str(file)]) or None


def _picire(file: Path, test: Path, units: str) -> list[str] | None:
    found = installed("picire")
    atom = {"lines": "line", "chars": "char"}.get(units)
    if found is None or atom is None:
        return None
    out = file.with_name("picire-out")
    move = 'f=$1; shift; "$@" && mv "$PICIRE_OUT"/"$(basename "$f")" "$f"'
    return ["sh", "-c", f'export PICIRE_OUT="{out}"; {move}', "sh", str(file), found, "-q",
            "-i", str(file), "--test", str(test), "-a", atom, "-o", str(out)]  # fmt: skip


def _book(file: Path, test: Path, units: str) -> list[str] | None:
    folder = environment()
    if folder is None or units not in ("lines", "chars"):
        return None
    return [str(folder / "bin" / "python"), "-c", _BOOK, str(test), str(file), units]


def _delta(file: Path, test: Path, units: str) -> list[str] | None:
    found = installed("singledelta")
    if found is None or units != "lines":
        return None
    return [found, "-quiet", f"-test={test}", f"-suffix={file.suffix}", "-in_place", str(file)]


def _shrinkray(file: Path, test: Path, units: str) -> list[str] | None:
    found = installed("shrinkray")
    options = ["--ui", "basic", "--volume", "quiet", "--parallelism", "1"]
    return (found and [found, *options, str(test), str(file)]) or None


def _creduce(file: Path, test: Path, units: str) -> list[str] | None:
    found = installed("creduce")
    return (found and [found, "--n", "1", str(test), file.name]) or None


def _cvise(file: Path, test: Path, units: str) -> list[str] | None:
    found = installed("cvise")
    return (found and [found, "--n", "1", str(test), file.name]) or None


PEERS: Mapping[str, Command] = {
    "lithium": _lithium,
    "picire": _picire,
    "debuggingbook": _book,
    "delta": _delta,
    "shrinkray": _shrinkray,
    "creduce": _creduce,
    "cvise": _cvise,
}


def ours(file: Path, test: Path, units: str) -> list[str]:
    """The command of ours; it writes its answer over the input, to be like the others."""
    stripe = [sys.executable, "-P", "-m", "stripe.cli.main", "input"]
    out = file.with_name("answer" + file.suffix)
    move = 'f=$1; o=$2; shift 2; "$@" && mv "$o" "$f"'
    written = ["--output", str(out), "--json", str(counted(file))]
    return ["sh", "-c", move, "sh", str(file), str(out), *stripe, str(file), "-q", "--test",
            str(test), "--units", units, *written]  # fmt: skip


def laid_out(
    folder: Path, name: str, content: bytes, condition: str, note: str
) -> tuple[Path, Path, Path]:
    """A file to be reduced, its test, and what each run of the test is noted in.

    The file is in ``folder/work``, where tools are to run.  ``condition`` is a line of shell about
    ``$f``; ``note`` prints what is noted.
    """
    work = folder / "work"
    work.mkdir()
    file, test, log = work / name, folder / "test.sh", folder / "log"
    file.write_bytes(content)
    log.touch()
    test.write_text(f'#!/bin/sh\nf="${{1:-{name}}}"\n{note} >> {log}\n{condition}\n', "utf-8")
    test.chmod(0o755)
    return file, test, log


def counted(file: Path) -> Path:
    """Where ours tells how many tests it made: in a sandbox the tests cannot count themselves."""
    return file.with_name("counted.json")
