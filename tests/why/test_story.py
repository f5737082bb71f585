"""How it came about: a line is one step, however many of its statements are needed."""

from __future__ import annotations

import stripe
from stripe.why.story import story

PROGRAM = """\
total = 0
for price in (3, 4):
    total += price
if total > 5: raise ValueError(total)
"""


def test_a_line_with_two_statements_is_told_once_and_what_is_needed_again_is_counted(tmp_path):
    """Of `die ... if ...` there were two steps, one for each part."""
    (tmp_path / "prog.py").write_text(PROGRAM)
    traced = stripe.trace("prog.py", directory=tmp_path, values="same", watch=True)
    steps = story(traced, traced.slices[0])
    lines = [each.line for each in steps]
    assert lines.count(4) == 1
    assert sorted(lines) == sorted(set(lines))
    (added,) = [each for each in steps if each.line == 3]
    assert added.again == 1
    assert dict(added.values)["total"] in ("3", "7")
