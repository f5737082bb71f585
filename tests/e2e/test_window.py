"""``stripe trace --window``: a part of a run is searched, and every report says so."""

from __future__ import annotations

import json

import pytest

from tests.e2e.harness import Room

PROGRAM = """\
def parse(word):
    number = int(word)
    return number * 2
def total(words):
    found = 0
    for word in words:
        found += parse(word)
    return found
print("first", total(["1", "2"]))
print("second", total(["3", "4"]))
"""
SENTENCE = "executions, 20 to 22: the 23 outside of that window always take effect."


def test_a_slice_of_a_window_is_found_shown_and_verified(room: Room) -> None:
    room.program(PROGRAM)
    run = room.stripe(
        *("trace", "prog.py", "--window", "20..22", "--check", "stdout", "-q"),
        *("--json", "r.json", "--html", "r.html", "--sarif", "r.sarif"),
        writes=("r.json", "r.html", "r.sarif"),
    )
    assert run.status == 0, run
    told = json.loads((room.work / "r.json").read_text())
    assert told["trace"]["window"] == {"first": 19, "total": 26}
    assert told["target"]["window"] == "20..22"
    assert len(told["trace"]["statement"]) == 3
    assert told["slices"][0]["certified"]
    flat = " ".join(run.out.split())
    assert SENTENCE in flat
    assert SENTENCE in (room.work / "r.html").read_text()
    assert SENTENCE in (room.work / "r.sarif").read_text()
    assert SENTENCE in " ".join(room.stripe("show", "r.json").out.split())
    verified = room.stripe("verify", "--yes", "r.json")
    assert verified.status == 0, verified
    assert "HOLDS" in verified.out


def test_the_last_executions_only(room: Room) -> None:
    room.program(PROGRAM)
    found = room.trace("--max-events", "3", "prog.py").result
    assert len(found["trace"]["statement"]) == 3
    assert found["trace"]["window"] == {"first": 23, "total": 26}


def test_a_budget_that_is_not_used_up_is_no_window(room: Room) -> None:
    room.program(PROGRAM)
    found = room.trace("--max-events", "3000", "prog.py").result
    assert len(found["trace"]["statement"]) == 26
    assert not any("window" in note for note in found["notes"])


def test_a_function_is_run_whole(room: Room) -> None:
    room.program(PROGRAM)
    found = room.trace("--whole", "parse", "--whole", "total", "prog.py").result
    assert {each["function"] for each in found["trace"]["activations"]} == {"<module>"}
    assert len(found["trace"]["statement"]) == 4
    assert "Functions run whole, as part of what calls them: parse, total." in found["notes"]


@pytest.mark.parametrize(
    ("options", "slug", "status", "word"),
    [
        (["--window", "9..3"], "bad-window", 2, "before it starts"),
        (["--window", "3..", "--max-events", "3"], "bad-option", 2, "--window -3.."),
        (["--window", "perse.."], "window-not-found", 1, "parse"),
        (["--window", "100.."], "empty-window", 1, "only 26"),
        (["--window", "1..5", "--check", "hang"], "bad-option", 2, "--check hang"),
        (["--whole", "perse"], "no-such-function", 2, "parse"),
    ],
)
def test_errors_teach(room: Room, options: list[str], slug: str, status: int, word: str) -> None:
    room.program(PROGRAM)
    room.stripe("trace", *options, "prog.py").refused(slug, word, status=status)
