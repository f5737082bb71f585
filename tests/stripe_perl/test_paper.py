"""The paper's program, in the paper's language."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.stripe_perl.perl import SAMPLES, needs_perl, recorded

pytestmark = needs_perl
INPUT = "0\n5\n"


def test_events_are_in_the_order_of_execution() -> None:
    with recorded(SAMPLES / "sample.pl", INPUT) as recording:
        lines = [recording.trace.name(event) for event in range(len(recording.trace))]
    before = ["5_1", "6_2", "7_3", "8_4", "8_5", "9_6", "9_7", "10_8"]
    rounds = [
        f"{line}_{9 + 4 * n + k}" for n in range(6) for k, line in enumerate((11, 12, 13, 10))
    ]
    assert lines == [*before, *rounds, "15_33", "16_34"]


def test_the_command_finds_the_slice_of_the_paper(tmp_path: Path) -> None:
    result = tmp_path / "result.json"
    words = [
        "trace",
        "sample.pl",
        "--check",
        "stdout",
        "--algorithm",
        "ddmin",
        "--json",
        str(result),
    ]
    subprocess.run(
        [sys.executable, "-m", "stripe", *words, "--input", INPUT],
        cwd=SAMPLES,
        check=True,
        capture_output=True,
    )
    data = json.loads(result.read_text("utf-8"))
    (found,) = data["slices"]
    lines = [
        data["statements"][data["trace"]["statement"][event]]["line"] for event in found["events"]
    ]
    assert [lines.count(line) for line in (11, 12, 13, 15, 16)] == [5, 1, 5, 1, 1]
    assert len(lines) == 13
