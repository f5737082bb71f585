"""``stripe`` of a tree, keeping what places were ranked by: ``python asked.py TREE FILE WORDS...``.

What :func:`stripe.why.rank.ranked` was given last is written to FILE as JSON, so that ranks can be
computed again from the same evidence.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any


def main() -> int:
    """Run the command; its exit status."""
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
    return command(words)


if __name__ == "__main__":
    sys.exit(main())
