"""``stripe demo``: a slice anywhere, of which nothing stays."""

from __future__ import annotations

from tests.e2e.harness import Room


def test_it_needs_no_file_and_leaves_none(room: Room) -> None:
    before = sorted(room.work.rglob("*"))
    run = room.stripe("demo")
    assert run.status == 0, run
    assert "$ stripe trace shops.py --show source" in run.out
    assert "ZeroDivisionError" in run.out
    assert ' ▶  16 1/1  │ shops["south"] = []' in run.out
    assert "    17 0/1  │ print(" in run.out
    assert "stripe why PROGRAM" in run.out
    assert sorted(room.work.rglob("*")) == before
