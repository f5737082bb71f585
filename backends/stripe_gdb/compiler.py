"""Compiling a source file for tracing, into a cache.

The cache knows a program by all it was made of (``ingredients.py``), so a changed header is
noticed.  Compilers run behind walls, too: what a source file has them do changes nothing.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from stripe.errors import NotReducible, UsageError
from stripe.kit.caches import caches
from stripe.sandbox.reads import digest
from stripe.sandbox.scratch import Scratch
from stripe.sandbox.walls import Layer, Walls
from stripe_gdb.ingredients import Stamps, included, parts_of_rust
from stripe_gdb.languages import CXX, C

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


class Workplace:
    """A folder in which compilers may write, and how they are called from ``directory``."""

    def __init__(self, root: Path, directory: Path, layer: Layer) -> None:
        self.home = root / "home"
        self.home.mkdir()
        self._directory = directory
        self._walls = Walls(layer, root, self.home, root / "room", self.home)

    def call(self, command: Sequence[str], seconds: float, source: Path) -> bytes:
        """What a compiler prints.

        Raises:
            NotReducible: ``does-not-compile``.
        """
        try:
            done = subprocess.run(
                self._walls.command(command, self._directory, renews=False),
                cwd=self._directory,
                env=os.environ | {"TMPDIR": str(self.home)},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=seconds,
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
                "Programs of several files: compile them yourself with -O0 -g, and trace the "
                "program. CFLAGS, CXXFLAGS, RUSTFLAGS and LDLIBS are honoured.",
            )
        return done.stdout


def compile_program(source: Path, directory: Path, layer: Layer) -> tuple[Path, str]:
    """Compile ``source`` as from ``directory``; the program, and one line that says so.

    Raises :class:`~stripe.errors.UsageError` ``no-compiler``, and
    :class:`~stripe.errors.NotReducible` ``does-not-compile``.
    """
    scratch = Scratch()
    try:
        return _compile(source, directory, Workplace(scratch.path, directory, layer))
    finally:
        scratch.close()


def _compile(source: Path, directory: Path, place: Workplace) -> tuple[Path, str]:
    compiler = compiler_for(source)
    found = compiler.find()
    command = [*found, *compiler.options, *shlex.split(os.environ.get(compiler.flags, ""))]
    libraries = ["-lm", *shlex.split(os.environ.get("LDLIBS", ""))]
    stamps = Stamps(directory)
    stamps.note_compiler(found)
    stamps.note_environment()
    made = place.home / "program"
    if compiler.language == "Rust":
        libraries = []
        listing = place.home / "parts"
        listed = [*command, "--emit", f"dep-info={listing}", str(source)]
        place.call(listed, PREPROCESS_SECONDS, source)
        text, files = parts_of_rust(listing.read_bytes())
    else:
        text = place.call([*command, "-E", str(source)], PREPROCESS_SECONDS, source)
        files = included(text)
        stamps.note_options([*command[1:], *libraries])
    stamps.record((command, libraries, str(source), str(directory)), text)
    stamps.note_contents(files)
    program = caches() / stamps.key / source.stem
    shown = shlex.join([*command, source.name, "-o", source.stem, *libraries])
    if _is_whole(program):
        return program, f"Compiled before, with: {shown}"
    place.call([*command, str(source), "-o", str(made), *libraries], COMPILE_SECONDS, source)
    program.parent.mkdir(parents=True, exist_ok=True)
    with closing(Scratch(str(program.parent))) as scratch:
        copy = Path(shutil.copyfile(made, scratch.path / "program"))
        copy.chmod(0o755)  # which the linker may not do behind all walls
        note = scratch.path / "digest"
        note.write_text(_digest(copy), "ascii")
        note.rename(_noted(program))
        copy.rename(program)  # at once: another run may look for it now
    return program, f"Compiled first, with: {shown}"


def _is_whole(program: Path) -> bool:
    """Whether a program in the cache is as it was put there; it may have been cut, or removed."""
    try:
        return _noted(program).read_bytes() == _digest(program).encode()
    except OSError:
        return False


def _digest(program: Path) -> str:
    return digest(program.read_bytes())


def _noted(program: Path) -> Path:
    """Where the digest of a program in the cache is."""
    return program.parent / f"{program.name}.digest"
