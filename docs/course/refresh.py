"""Writes what the commands of a page print below them.

usage: python docs/course/refresh.py PAGE.md ...

Each line ``$ COMMAND`` of a ``console`` block is run by bash in a copy of ``programs/``, one copy a
page, and what followed it up to the next command or the end of the block is replaced by what it
prints.  The interpreter's own ``stripe`` is used.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def by_bash(line: str, work: Path) -> str:
    """What bash prints for a command line.

    Raises:
        subprocess.CalledProcessError: it failed; its complaint went to standard error.
    """
    here = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    environment = {**os.environ, "PATH": here, "NO_COLOR": "1"}
    environment.pop("COLUMNS", None)
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        encoding="utf-8", check=True,
    ).stdout  # fmt: skip


def refreshed(page: str, run: Callable[[str, Path], str] = by_bash) -> str:
    """The text of a page with its commands' output as it is now.

    ``run`` tells what a command line prints in a folder; it raises what is wrong with it.
    """
    with tempfile.TemporaryDirectory(prefix="stripe-course-") as folder:
        work = Path(shutil.copytree(PROGRAMS, Path(folder, "programs")))

        def run_all(block: re.Match[str]) -> str:
            return "```console\n" + "".join(executed(block[1], work, run)) + "```"

        return BLOCK.sub(run_all, page)


def executed(block: str, work: Path, run: Callable[[str, Path], str]) -> Iterator[str]:
    """The lines of a block: its commands, each followed by what it prints."""
    for line in block.splitlines():
        if line.startswith("$ "):
            yield f"{line}\n"
            yield run(line[2:], work)


def main(pages: list[str]) -> int:
    if not pages:
        print(__doc__, file=sys.stderr)
        return 2
    for name in pages:
        page = Path(name)
        old = page.read_text(encoding="utf-8")
        new = refreshed(old)
        if new != old:
            page.write_text(new, encoding="utf-8")
        print(f"{name}: {'written anew' if new != old else 'is as it should be'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
