"""A change as a diff, and from that what is replaced by what."""

from __future__ import annotations

import random
import re

import pytest

from stripe.suspects.edits import Edit, edits, unified


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("a\nb\nc\n", "a\nB\nc\n", [Edit(2, "b\n", "B\n")]),
        ("a\nc\n", "a\nb\nc\n", [Edit(2, "", "b\n")]),
        ("a\nb\n", "a\n", [Edit(2, "b\n", "")]),
        ("a\nb", "a\nc", [Edit(2, "b", "c")]),
        ("", "a\n", [Edit(1, "", "a\n")]),
        ("-- a\n", "++ b\n", [Edit(1, "-- a\n", "++ b\n")]),
        ("a\n1\n2\n3\nb\n", "A\n1\n2\n3\nB\n", [Edit(1, "a\n", "A\n"), Edit(5, "b\n", "B\n")]),
        ("x\f\ny\u2028z\n", "x\f\ny\n", [Edit(2, "y\u2028z\n", "y\n")]),
    ],
)
def test_what_is_replaced(old, new, found) -> None:
    assert list(edits(unified("f.py", old, new))) == found


def test_edits_make_of_the_old_text_the_new_one() -> None:
    """Whatever the lines are like."""
    chance = random.Random(7)
    lines = ["a\n", "b\n", "-- c\n", "\n", "@@ -1 +1 @@\n", "d\f\n", "++\r\n", "\\ No\n"]
    for _ in range(500):
        old, new = ("".join(chance.choices(lines, k=chance.randrange(9))) for _ in range(2))
        old += chance.choice(["", "end"])
        made = re.findall(r"[^\n]*\n|[^\n]+", old)
        for first, gone, text in reversed(list(edits(unified("f", old, new)))):
            count = len(re.findall(r"[^\n]*\n|[^\n]+", gone))
            assert "".join(made[first - 1 : first - 1 + count]) == gone
            made[first - 1 : first - 1 + count] = [text]
        assert "".join(made) == new


@pytest.mark.parametrize("text", ["", "no diff", "@@ -0,9 +1 @@\n+x", "@@ -" + "9" * 5000, "\n\n"])
def test_what_is_no_diff_harms_nobody(text: str) -> None:
    assert all(each.first >= 1 for each in edits(text))
