"""What an answer of suspects comes to, beside Ochiai's formula on the same lines."""

from __future__ import annotations

from pathlib import Path

from benchmarks.suspects.releases import Row, row, table
from benchmarks.why.answers import Lookup
from benchmarks.why.faults import Fault, Place
from benchmarks.why.repairs import Fix

SOURCE = "def f(a):\n    b = a\n    return b\n\ndef g(a):\n    return a\n"


def test_ranks_count_ties_as_they_are_worst_and_read_functions(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(SOURCE)
    fault = Fault("m", "m", "1", "2", "", "", (), (Fix("m.py", (3,), "f"),), test="t.py::test")
    lookup = Lookup(fault, Place(tmp_path, tmp_path, tmp_path))
    scores = [(6, 1, 0.9), (2, 2, 0.5), (3, 2, 0.5)]
    found = {
        "ranking": [{"file": "m.py", "line": line, "rank": rank, "ochiai": score}
                    for line, rank, score in scores],
        "places": [{"file": "m.py", "line": 2}],
        "changes": {"offered": 9, "tried": 4}, "seconds": 3.0,
        "first_place": 1.0, "final_place": 2.0,
    }  # fmt: skip
    assert row("m-1", 12, lookup, found, 0.5) == Row(
        "m-1", 12, rank=3, function=2, ochiai=3, ochiai_function=2, named=1, executed=3, offered=9,
        tried=4, first=1.0, final=2.0, seconds=3.0, cpu=0.5,
    )  # fmt: skip


def test_what_has_no_answer_is_neither_first_nor_among_three() -> None:
    rows = [Row("a", 12, rank=1, function=1, ochiai=4, ochiai_function=2), Row("b", 3, refused="x")]
    told = [*table(rows)]
    assert told[2].startswith("| all | 2 | 1 (50 %) | 1 (50 %) | 0 | 0 (0 %) | 0 (0 %) | 1 (50 %)")
    assert told[3].startswith("| functions of 10 lines or more | 1 | 1 (100 %)")
