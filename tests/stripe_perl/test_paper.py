"""The paper's program, in the paper's language."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.dd.vectors import figure5, vectors
from tests.stripe_perl.perl import SAMPLES, needs_perl, recorded

pytestmark = needs_perl
INPUT = "0\n5\n"
FIGURE5 = SAMPLES.parent / "figure5"
LINES = [1, 2, 3, 4, 5, *[6, 7, 8, 9, 5] * 6, 10, 11]
DRAWN = len(LINES)
STEPPING = ("--engine", "stepping", "--", "garbage")


def slice_by_command(
    results: Path, check: str, *words: str, folder: Path = FIGURE5
) -> dict[str, Any]:
    """The slice of figure5.pl that the command finds with ddmin."""
    result = results / "result.json"
    options = ["--algorithm", "ddmin", "--check", check, "--json", str(result), "--input", INPUT]
    subprocess.run(
        [sys.executable, "-m", "stripe", "trace", "figure5.pl", *options, *words],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    (found,) = json.loads(result.read_text("utf-8"))["slices"]
    assert isinstance(found, dict)
    return found


def bits(ranges: list[int]) -> str:
    """Which of the drawn events are in ``[start, end, start, end, ...]``."""
    kept = {each for begin, end in zip(ranges[::2], ranges[1::2], strict=True)
            for each in range(begin, end)}  # fmt: skip
    return "".join("1" if event in kept else "0" for event in range(DRAWN))


def drawn(found: dict[str, Any]) -> list[int]:
    """The events of a slice that the figure draws, from 1."""
    return [event + 1 for event in found["events"] if event < DRAWN]


def test_events_are_those_of_figure_5_in_order() -> None:
    with recorded(FIGURE5 / "figure5.pl", INPUT) as recording:
        trace = recording.trace
        names = [trace.name(event) for event in range(len(trace))]
    figure = [f"{line}_{time}" for time, line in enumerate(LINES, 1)]
    assert names == [*figure, "12_38", "13_39"]


def test_all_176_rows_of_figure_5_come_out_in_order(tmp_path: Path) -> None:
    found = slice_by_command(tmp_path, "stdout", *STEPPING)
    *rows, (answer, _) = figure5()
    tried = [(bits(test["ranges"]), test["outcome"]) for test in found["log"]]
    # A test of events that are not drawn draws no row.
    shown = [(row, outcome) for row, outcome in tried if "1" in row]
    assert (len(tried), len(shown)) == (179, 176)
    assert [row for row, _ in shown] == [row for row, _ in rows]
    # What prints nothing is unresolved here; the figure marks only what ended too early.
    assert all(
        told == "UNRESOLVED" for (_, told), (_, mark) in zip(shown, rows, strict=True) if mark
    )
    early = "left the recorded path: it ended before the last recorded event"
    assert found["undecided"][early] == sum(mark for _, mark in rows)
    assert bits([each for event in found["events"] for each in (event, event + 1)]) == answer


@pytest.mark.parametrize(("check", "tests", "kept"), [("sum", 176, 13), ("mul", 65, 3)])
def test_the_other_columns_of_figure_6(tmp_path: Path, check: str, tests: int, kept: int) -> None:
    found = slice_by_command(tmp_path, f"stdout:/^{check}/", *STEPPING)
    assert (found["tests"]["executed"], len(drawn(found))) == (tests, kept)


def test_by_perl_s_own_semantics(tmp_path: Path) -> None:
    # An unset variable reads as 0 and "".  Of the program only what the figure draws.
    lines = (FIGURE5 / "figure5.pl").read_text("ascii").splitlines(keepends=True)[:11]
    (tmp_path / "figure5.pl").write_text("".join(lines), "ascii")
    wanted = vectors()["sample.pl trace, honest perl value semantics (not in the source)"]
    found = slice_by_command(tmp_path, "stdout", folder=tmp_path)
    assert drawn(found) == wanted["expected_result"]
    assert found["tests"]["executed"] == 138
    assert [len(slice_by_command(tmp_path, f"stdout:/^{sum_or_mul}/", folder=tmp_path)["events"])
            for sum_or_mul in ("sum", "mul")] == [11, 2]  # fmt: skip
