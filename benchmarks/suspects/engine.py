"""``stripe suspects``, asked for one fault: all that depends on its interface."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.suspects.ranks import Groups, as_groups
from stripe.errors import StripeError
from stripe.suspects.finding import find_suspects


@dataclass(frozen=True)
class Answer:
    """What it says, and what that took; ``refused`` has the error's slug instead."""

    groups: Groups
    seconds: float
    candidates: int = 0
    refused: str = ""


def ask(folder: Path, tests: Sequence[str], max_time: float) -> Answer:
    """Its ranking for tests, some of which fail, in a folder with everything."""
    began = time.monotonic()
    try:
        result = find_suspects(
            "pytest",
            [*tests, "-q", "-c/dev/null", "--rootdir=.", "-pno:cacheprovider"],
            module=True,
            directory=folder,
            max_time=max_time,
        )
    except StripeError as error:
        return Answer((), time.monotonic() - began, refused=error.slug)
    ranked = [((line.file, line.line), line.rank) for line in result.ranking]
    return Answer(as_groups(ranked), time.monotonic() - began, result.tried)
