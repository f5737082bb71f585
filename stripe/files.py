"""Files that are whole, old or new, at any time; where caches are, and what is remembered there."""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """Write ``data`` beside ``path`` and rename it: nobody ever sees half of it.

    Where ``path`` is a link, what it leads to is replaced.  The permissions are those of the file
    replaced, or of an ordinary new file.  Raises :class:`OSError`; then all is as it was.
    """
    path = Path(os.path.realpath(path))
    partial, descriptor = _create_beside(path)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            with suppress(OSError):
                os.fchmod(descriptor, path.stat().st_mode & 0o777)
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def _create_beside(path: Path) -> tuple[Path, int]:
    """A new file in the folder of ``path``, which nothing else has the name of."""
    while True:
        partial = path.with_name(f".stripe-{os.urandom(4).hex()}.partial")
        with suppress(FileExistsError):
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            return partial, os.open(partial, flags, 0o666)


def caches() -> Path:
    """The folder for our caches; on Linux by the convention of freedesktop.org.

    Where it is not known, a path that nobody can make a folder of.
    """
    try:
        from platformdirs import user_cache_path

        folder = user_cache_path("stripe", appauthor=False)
    except (ImportError, RuntimeError):  # a copy without libraries; nobody's home
        folder = Path()
    return folder if folder.is_absolute() else Path(os.devnull, "stripe")


def recall(about: str, facts: str) -> str | None:
    """What was found out ``about`` something while ``facts`` were the same; else ``None``."""
    try:
        before, _, found = _memory(about).read_text("utf-8").rpartition("\n")
    except (OSError, ValueError):
        return None
    return found if before == facts else None


def remember(about: str, facts: str, found: str) -> None:
    """Let it be known from now on what was ``found``, a line; where it cannot be, it is not.

    Only the latest is: what holds if other ``facts`` do is found out again.
    """
    path = _memory(about)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, f"{facts}\n{found}".encode())


def forget(about: str) -> None:
    """Have it found out again."""
    with suppress(OSError):
        _memory(about).unlink()


def _memory(about: str) -> Path:
    return caches() / "found" / sha256(about.encode()).hexdigest()
