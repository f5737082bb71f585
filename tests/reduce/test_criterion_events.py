"""Which events a check probably looks at."""

from __future__ import annotations

import stripe

PROGRAM = """\
def last(items):
    return items[2]

one = 1
print("one", one)
print(last([one]))
"""


def test_what_an_exception_cut_short_has_printed_nothing(tmp_path):
    """A line without quotes may have printed anything: it was taken for what printed the line."""
    (tmp_path / "prog.py").write_text(PROGRAM)
    result = stripe.trace("prog.py", directory=tmp_path, check="stdout:/one/")
    (found,) = result.slices
    lines = [result.trace.statements[result.trace.statement[each]].line for each in found.symptom]
    assert lines == [5]
