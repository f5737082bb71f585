"""What a compiled program was made of, as a key for the cache.

Everything is noted that can change what comes out: the text, the files that it draws in later, the
compiler, its options, the files and libraries these name, and the environment.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

VARIABLES = (
    *("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "LD_RUN_PATH"),
    *("GCC_EXEC_PREFIX", "COMPILER_PATH", "GCC_COMPARE_DEBUG", "GCC_SPECS", "DEPENDENCIES_OUTPUT"),
    *("SOURCE_DATE_EPOCH", "CCC_OVERRIDE_OPTIONS", "CLANG_CONFIG_FILE_USER_DIR"),
    *("RUSTC_WRAPPER", "RUSTC_BOOTSTRAP", "RUSTUP_TOOLCHAIN", "RUSTUP_HOME", "CARGO_HOME"),
    *("CCACHE_PREFIX", "DISTCC_HOSTS", "LD_LIBRARY_PATH", "LD_PRELOAD", "PATH"),
    *("LANG", "LC_ALL", "LC_CTYPE"),
)
"""Environment variables that compilers, linkers and what stands before them read."""

_ASSEMBLED = re.compile(rb'\.incbin\s+\\?"([^"\\]+)')
_VERSION_SECONDS = 60
_LIBRARY_SUFFIXES = (".so", ".a")


class Stamps:
    """Collects what is known; paths are relative to ``directory``."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._hash = hashlib.sha256()

    @property
    def key(self) -> str:
        return self._hash.hexdigest()[:20]

    def record(self, *facts: object) -> None:
        """Note facts, each by its representation."""
        for fact in facts:
            self._hash.update(repr(fact).encode("utf-8", "backslashreplace") + b"\n")

    def note_compiler(self, command: Sequence[str]) -> None:
        """Note which programs the command names (one may start another), and their version."""
        for word in command:
            self._note_file(shutil.which(word))
        try:
            done = subprocess.run(
                [*command, "--version"],
                cwd=self._directory,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_VERSION_SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired):
            return  # it will not compile anything either
        self.record(done.stdout)

    def note_environment(self) -> None:
        """Note the variables that are read on the way."""
        self.record(*((name, os.environ.get(name)) for name in VARIABLES))

    def note_options(self, words: Sequence[str]) -> None:
        """Note the files that options name, and the libraries, where they can be found."""
        folders = [word[2:] for word in words if word.startswith("-L")]
        folders += os.environ.get("LIBRARY_PATH", "").split(os.pathsep)
        for word in words:
            if word.startswith("-l"):
                names = [f"lib{word[2:]}{suffix}" for suffix in _LIBRARY_SUFFIXES]
                for folder in filter(None, folders):
                    for name in names:
                        self._note_file(os.path.join(folder, name))
            else:
                self._note_file(re.split("[=,]", word)[-1].lstrip("@"))

    def note_contents(self, paths: Iterable[str]) -> None:
        """Note what is in files."""
        for path in paths:
            try:
                self.record(path, (self._directory / path).read_bytes())
            except OSError:
                self.record(path)

    def _note_file(self, path: str | None) -> None:
        """Note a file by its path and stamp, if there is one."""
        if not path:
            return
        full = os.path.realpath(self._directory / path)
        if os.path.isfile(full):
            status = os.stat(full)
            times = status.st_mtime_ns, status.st_ctime_ns
            self.record(full, status.st_ino, status.st_size, times)


def included(text: bytes) -> list[str]:
    """The files that the assembler reads for a preprocessed source."""
    return [os.fsdecode(path) for path in _ASSEMBLED.findall(text)]


def parts_of_rust(listing: bytes) -> tuple[bytes, list[str]]:
    """What the compiler's list of dependencies says of the environment; the files it read."""
    lines = listing.decode("utf-8", "replace").splitlines()
    files = [line[:-1].replace("\\ ", " ") for line in lines if line.endswith(":")]
    return "\n".join(line for line in lines if line.startswith("# env-dep:")).encode(), files
