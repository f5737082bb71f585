"""``stripe suspects``, asked for one fault: all that depends on its interface."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.suspects.processor import Meter, spent
from benchmarks.suspects.ranks import Groups, as_groups
from stripe.errors import StripeError
from stripe.suspects.suspect_search import find_suspects


@dataclass(frozen=True)
class Answer:
    """What it says, and what that took; ``refused`` has the error's slug instead."""

    groups: Groups
    seconds: float
    processor: float = 0.0
    candidates: int = 0
    refused: str = ""


def ask(
    folder: Path, tests: Sequence[str], max_time: float, processor: float | None = None
) -> Answer:
    """Its ranking for tests, some of which fail, in a folder with everything.

    ``processor``: it is interrupted, as by Ctrl-C, when it took so many seconds of a processor.
    """
    began, before = time.monotonic(), spent()
    meter = Meter(math.inf if processor is None else processor)
    try:
        with meter.running():
            result = find_suspects(
                "pytest",
                [*tests, "-q", "-c/dev/null", "--rootdir=.", "-pno:cacheprovider"],
                module=True,
                directory=folder,
                max_time=max_time,
                progress=lambda _: meter.ready.set(),
            )
    except StripeError as error:
        return Answer((), time.monotonic() - began, refused=error.slug)
    ranked = [((line.file, line.line), line.rank) for line in result.ranking]
    took = time.monotonic() - began
    return Answer(as_groups(ranked), took, spent() - before, result.tried)
