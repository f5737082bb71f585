"""Compiling a source file for tracing, into a cache.

The cache knows a program by its preprocessed text (for Rust: all ``.rs`` files in its folder),
the compiler and the options, so a changed header is noticed.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from stripe.errors import NotReducible, UsageError

C = (".c",)
CXX = (".cc", ".cpp", ".cxx", ".c++", ".C")
RUST = (".rs",)
SUFFIXES = (*C, *CXX, *RUST)
PREPROCESS_SECONDS, COMPILE_SECONDS = 60, 300
SHOWN_LINES = 20


@dataclass(frozen=True, slots=True)
class Compiler:
    """How sources of one language are compiled: ``$variable``, or the first of ``commands``."""

    language: str
    variable: str
    commands: tuple[str, ...]
    options: tuple[str, ...]
    flags: str
    package: str

    def find(self) -> list[str]:
        """The command; raises UsageError ``no-compiler``."""
        chosen = shlex.split(os.environ.get(self.variable, ""))
        for command in [chosen] if chosen else [[each] for each in self.commands]:
            if shutil.which(command[0]):
                return command
        raise UsageError(
            "no-compiler",
            f"There is no {self.language} compiler: none of "
            f"{', '.join(chosen[:1] or self.commands)} is a command.",
            f"Install one (apt-get install {self.package}), or compile it yourself with -O0 -g "
            "and trace the program.",
        )


def compiler_for(path: Path) -> Compiler:
    """The compiler for a source file, by its suffix."""
    if path.suffix in C:
        return Compiler("C", "CC", ("cc", "gcc", "clang"), ("-O0", "-g"), "CFLAGS", "gcc")
    if path.suffix in CXX:
        return Compiler("C++", "CXX", ("c++", "g++", "clang++"), ("-O0", "-g"), "CXXFLAGS", "g++")
    options = ("-C", "opt-level=0", "-g", "--edition", "2021")
    return Compiler("Rust", "RUSTC", ("rustc",), options, "RUSTFLAGS", "rustc")


def compile_program(source: Path, directory: Path) -> tuple[Path, str]:
    """Compile ``source`` as from ``directory``; the program, and one line that says so.

    Raises :class:`~stripe.errors.UsageError` ``no-compiler``, and
    :class:`~stripe.errors.NotReducible` ``does-not-compile``.
    """
    compiler = compiler_for(source)
    command = [
        *compiler.find(),
        *compiler.options,
        *shlex.split(os.environ.get(compiler.flags, "")),
    ]
    libraries = [] if compiler.language == "Rust" else ["-lm"]
    libraries += shlex.split(os.environ.get("LDLIBS", ""))
    if compiler.language == "Rust":
        libraries = []
        texts = [path.read_bytes() for path in sorted(source.parent.rglob("*.rs"))[:1000]]
    else:
        texts = [_call([*command, "-E", str(source)], directory, PREPROCESS_SECONDS, source)]
    key = hashlib.sha256(repr((command, libraries, str(source), str(directory))).encode())
    for text in texts:
        key.update(text)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "stripe"
    program = cache / key.hexdigest()[:20] / source.stem
    shown = shlex.join([*command, source.name, "-o", source.stem, *libraries])
    if program.exists():
        return program, f"Compiled before, with: {shown}"
    program.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=program.parent) as scratch:
        made = Path(scratch) / "program"
        _call(
            [*command, str(source), "-o", str(made), *libraries], directory, COMPILE_SECONDS, source
        )
        made.rename(program)  # at once: another run may look for it now
    return program, f"Compiled first, with: {shown}"


def _call(command: Sequence[str], directory: Path, seconds: float, source: Path) -> bytes:
    try:
        done = subprocess.run(
            command, cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        raise NotReducible(
            "does-not-compile",
            f"Compiling {source.name} took more than {seconds} seconds.",
            "Compile it yourself with -O0 -g, and trace the program.",
        ) from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().split("\n")
        raise NotReducible(
            "does-not-compile",
            f"{source.name} does not compile:\n" + "\n".join(said[:SHOWN_LINES]),
            "Programs of several files: compile them yourself with -O0 -g, and trace the program. "
            "CFLAGS, CXXFLAGS, RUSTFLAGS and LDLIBS are honoured.",
        )
    return done.stdout
