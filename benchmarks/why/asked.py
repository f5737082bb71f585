"""``stripe`` of a tree, keeping what places were ranked by: ``python asked.py TREE FILE WORDS...``.

What :func:`stripe.why.rank.ranked` was given last is written to FILE as JSON, so that ranks can be
computed again from the same evidence, and the seconds of a processor that the command took.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

SUBREAPER = 36
"""``prctl``: processes whose parent has ended are ours, so that what they used is counted."""

ENDING_SECONDS = 3.0
"""In which what the command has started is to end."""


def main() -> int:
    """Run the command; its exit status."""
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    tree, file, *words = sys.argv[1:]
    sys.path[:1] = [tree, str(Path(tree, "backends"))]
    from stripe.cli.main import main as command

    answer: Any = import_module("stripe.why.answer")
    ranked = answer.ranked

    def keeping(evidence: Iterable[Any], *, declarations: Any, tests: Any) -> Any:
        known = [*evidence]
        given = {
            "evidence": [
                [each.kind.value, each.experiment, each.file, each.line, each.function,
                 each.says, each.strength] for each in known
            ],
            "declarations": sorted(declarations),
            "tests": sorted(tests),
        }  # fmt: skip
        Path(file).write_text(json.dumps(given), "utf-8")
        return ranked(known, declarations=declarations, tests=tests)

    answer.ranked = keeping
    try:
        return command(words)
    finally:
        _note_cost(Path(file))


def _note_cost(file: Path) -> None:
    """Add to what was kept the seconds of a processor that it took, with all that it started."""
    until = time.monotonic() + ENDING_SECONDS
    with suppress(ChildProcessError):
        while time.monotonic() < until:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.02)
    given = json.loads(file.read_text("utf-8")) if file.exists() else {}
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    given["cpu"] = sum(each.ru_utime + each.ru_stime for each in used)
    file.write_text(json.dumps(given), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
