"""How long the first test of a Python program waits for a large working directory.

``python -m benchmarks.copying [--files 50000] [--bytes 3000000000] [--user NAME]`` makes folders
beside each other: an empty one, one of many small files, one of a few large ones.  In each layer
the same program is traced in all of them, in turns; what is told is the time until the first
line of progress, what that is more than in the empty folder, CPU seconds (which other load hardly
changes), and what the scratch copies take on the disk.
"""

from __future__ import annotations

import argparse
import os
import pwd
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from stripe.sandbox.walls import VARIABLE, Layer

PROGRAM = "total = 0\nfor n in range(5):\n    total += n\nprint(total)\nraise ValueError(total)\n"
FIRST = b"test 1:"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.copying")
    asked.add_argument("--files", type=int, default=50_000)
    asked.add_argument("--bytes", type=int, default=3 * 10**9)
    asked.add_argument("--turns", type=int, default=3)
    asked.add_argument("--layers", nargs="*", default=["namespaces", "landlock"])
    asked.add_argument("--user", help="run as this user, as root; the checkout must be readable")
    options = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder)
        top.chmod(0o755)
        folders = {
            "an empty folder": make(top / "empty", 0, 0),
            f"{options.files:,} files": make(top / "files", options.files, 1_000),
            f"{options.bytes / 1e9:g} GB": make(top / "bytes", 10, options.bytes // 10),
        }
        if options.user:
            account = pwd.getpwnam(options.user)
            for path in (top, *top.rglob("*")):
                os.chown(path, account.pw_uid, account.pw_gid)
        for layer in map(Layer, options.layers):
            compare(layer, folders, options.turns, options.user)


def make(folder: Path, files: int, size: int) -> Path:
    """A folder of so many files."""
    for number in range(files):
        if number % 100 == 0:
            (folder / str(number // 100)).mkdir(parents=True)
        with open(folder / str(number // 100) / str(number), "wb") as stream:
            stream.truncate(size) if size > 1 << 20 else stream.write(bytes(size))
            if size > 1 << 20:
                os.posix_fallocate(stream.fileno(), 0, size)
    folder.mkdir(exist_ok=True)
    (folder / "program.py").write_text(PROGRAM)
    return folder


def compare(layer: Layer, folders: dict[str, Path], turns: int, user: str | None) -> None:
    """Trace in each folder, in turns, and print what that took."""
    seen: dict[str, list[tuple[float, float, int]]] = {name: [] for name in folders}
    for _ in range(turns):
        for name, folder in folders.items():
            seen[name].append(first_line(layer, folder, user))
    none = median(seconds for seconds, _, _ in seen["an empty folder"])
    for name, found in seen.items():
        wait, cpu, disk = (median(column) for column in zip(*found, strict=True))
        print(
            f"{layer.value:<11} {name:<16} first line {wait:6.2f} s ({wait - none:+6.2f}), "
            f"CPU {cpu:6.2f} s, on the disk {disk / 1e6:,.1f} MB",
            flush=True,
        )


def first_line(layer: Layer, folder: Path, user: str | None) -> tuple[float, float, int]:
    """Seconds until the first test is told of, CPU seconds of all, and bytes of scratch copies."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        if user:
            account = pwd.getpwnam(user)
            os.chown(scratch, account.pw_uid, account.pw_gid)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "stripe.cli.main", "trace", "-v", "program.py"],
            cwd=folder,
            env={**os.environ, VARIABLE: layer.value, "TMPDIR": scratch, "HOME": scratch},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            user=user,
            group=user and pwd.getpwnam(user).pw_gid,
            extra_groups=[] if user else None,
        )
        assert process.stderr is not None
        waited, said, disk = 0.0, b"", 0
        for line in process.stderr:
            said += line
            if not waited and FIRST in line:
                waited = time.monotonic() - began
                disk = used(scratch)
        if process.wait() or not waited:
            raise RuntimeError(said.decode(errors="replace"))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return waited, cpu, disk


def used(folder: str) -> int:
    """Bytes that are in a folder."""
    total = 0
    for here, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(here, name)).st_blocks * 512
            except OSError:
                continue
    return total


if __name__ == "__main__":
    main()
