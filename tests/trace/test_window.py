"""``--window START..END``: what it says, and which errors teach how to say it."""

from __future__ import annotations

import pytest

from stripe.errors import UsageError
from stripe.trace.window import UNBOUNDED, Extent, Function, Line, Window, parse_window

WINDOWS = {
    "1000..2000": Window(1000, 2000),
    "1,000..2_000": Window(1000, 2000),
    "..2000": Window(None, 2000),
    "1000..": Window(1000, None),
    "-5000..": Window(-5000, None),
    "..-10": Window(None, -10),
    "parse..": Window(Function("parse"), None),
    "parse()..C.render()": Window(Function("parse"), Function("C.render")),
    "function:40..": Window(Function("40"), None),
    "parse": Window(Function("parse"), Function("parse")),
    "a.py:40": Window(Line("a.py", 40), Line("a.py", 40)),
    "a.py:40..sub/b.py:60": Window(Line("a.py", 40), Line("sub/b.py", 60)),
    "../a.py:40..": Window(Line("../a.py", 40), None),
    "parse..2000": Window(Function("parse"), 2000),
}


@pytest.mark.parametrize("text", WINDOWS)
def test_a_window_is_two_places(text):
    assert parse_window(text) == WINDOWS[text]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "no time of an event"),
        ("..", "neither start nor end"),
        ("2000..1000", "ends before it starts"),
        ("-10..-20", "ends before it starts"),
        ("1000", "where does it end?"),
        ("0..5", "counted from 1"),
        ("a b..", "no time of an event"),
    ],
)
def test_what_is_no_window_is_explained(text, word):
    with pytest.raises(UsageError) as refused:
        parse_window(text)
    assert refused.value.slug == "bad-window"
    assert word in refused.value.message
    assert ".." in refused.value.hint


def test_both_ends_belong_to_the_window():
    assert parse_window("3..5").counted == (2, 5)
    assert parse_window("3..").counted == (2, UNBOUNDED)


def test_ends_that_have_to_be_looked_for_are_found_in_the_run():
    window = parse_window("parse..a.py:7")
    assert window.counted is None
    places: dict[Line | Function, tuple[int, int]] = {
        Function("parse"): (10, 30),
        Line("a.py", 7): (5, 40),
    }
    assert window.among(100, places) == (10, 41)


@pytest.mark.parametrize(
    ("text", "total", "events"),
    [("-3..", 10, (7, 10)), ("-30..", 10, (0, 10)), ("..-3", 10, (0, 8)), ("2..-2", 10, (1, 9))],
)
def test_times_from_the_end(text, total, events):
    assert parse_window(text).among(total, {}) == events


def test_functions_go_by_the_end_of_their_names():
    assert Function("parse").fits("Reader.parse")
    assert Function("Reader.parse").fits("outer.<locals>.Reader.parse")
    assert not Function("parse").fits("Reader.parse_all")


def test_what_was_recorded_is_told():
    assert Extent(999, 12000).description(1001) == (
        "Recorded are 1,001 of 12,000 executions, 1,000 to 2,000: "
        "the 10,999 outside of that window always take effect."
    )
