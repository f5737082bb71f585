"""From coarse to fine: seconds until the certified answer of each level is there, all included."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Row, Sizes, value
from benchmarks.scale.shapes import SHAPES
from stripe import api
from stripe.reduce import LevelAnswer

NAMES = ("csv", "bank", "text")


def run(sizes: Sizes) -> Iterator[Row]:
    """``make bench ARGS=levels``."""
    for shape in (shape for shape in SHAPES if shape.name in NAMES):
        size = sizes.choose(shape.large, shape.small)
        yield from descended(shape.name, shape.source(size), shape.check)


def descended(name: str, text: str, check: str) -> Iterator[Row]:
    """A search through all levels, and a row for each."""
    found: list[tuple[float, LevelAnswer]] = []
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        path = Path(folder) / "program.py"
        path.write_text(text, "utf-8")
        began = time.perf_counter()

        def passed(check: str, answer: LevelAnswer) -> None:
            found.append((time.perf_counter() - began, answer))

        result = api.trace(path.name, check=check, directory=folder, level="events", passed=passed)
        whole = time.perf_counter() - began
    (last,) = result.slices
    assert last.certified
    what = f"{name}, {len(result.trace):,} events: {len(last.events):,} kept"
    yield value("levels", what, [whole], "s")
    for seconds, answer in found:
        told = f"  {answer.name}: {answer.kept:,} of {answer.units:,}, {answer.events:,} events"
        assert answer.certified
        yield value("levels", told, [seconds], "s")
