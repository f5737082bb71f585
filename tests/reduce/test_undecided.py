"""Why tests decide nothing, and slices that show that something did not happen."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import stripe
from stripe.backend import End, Observation, UncaughtException
from stripe.dd import Outcome
from stripe.errors import UsageError
from stripe.reduce import Result
from stripe.reduce.omission import nearly_empty
from stripe.reduce.reading import from_json
from stripe.reduce.reasons import reason
from stripe.report import Style, render
from stripe.report.html import page
from tests.support.fake import record
from tests.support.results import reduced

ALL = "a = 1\nb = a + 1\nc = b + a\nprint(c)\n"


def ran(end: End = End.EXITED, status: int = 0, **facts: object) -> Observation:
    return Observation(end, status, b"", b"", Path(), **facts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("run", "text"),
    [
        (ran(End.TIMEOUT), "ran into the time limit"),
        (ran(End.DIVERGED, detail="a loop went on"), "left the recorded path: a loop went on"),
        (ran(End.SIGNAL, 11), "killed by signal 11"),
        (ran(exception=UncaughtException("E", "m", "/x/p.py", 3, None)), "E at p.py:3"),
        (ran(), "it printed nothing"),
    ],
)
def test_reasons_that_many_runs_share(run: Observation, text: str) -> None:
    assert reason(run) == text


def test_they_are_told_where_hardly_anything_could_be_left_out() -> None:
    result = reduced(ALL, "stdout")
    found = result.slices[0]
    assert sum(found.undecided.values()) == found.outcomes[Outcome.UNRESOLVED]
    text = render(result, ["summary"], Style(width=80))
    assert re.search(r"\n\d+ of \d+ tests for stdout cannot be told:\n", text)
    assert all(len(line) <= 80 for line in text.splitlines())
    assert from_json(result.to_json()).slices[0].undecided == found.undecided
    assert "decided nothing</summary>" in page(result)


def test_elsewhere_only_if_asked_for() -> None:
    result = reduced("".join(f"x{n} = {n}\n" for n in range(9)) + "print(x0)\n", "stdout")
    found = result.slices[0]
    few = replace(found, outcomes={Outcome.FAIL: found.tests, Outcome.UNRESOLVED: 1})
    result = replace(result, slices=(few,))
    assert "cannot be told:" not in render(result, ["summary"])
    assert "cannot be told:" in render(result, ["summary"], Style(verbose=True))


def test_a_document_with_another_kind_of_count_is_refused() -> None:
    data = reduced(ALL, "stdout").to_json()
    data["slices"][0]["undecided"] = {"x": -1}
    with pytest.raises(UsageError, match="undecided"):
        from_json(data)


NOT_FOUND = """\
def find(items, wanted):
    for item in items:
        if item == wanted:
            return item

items = ["a", "b", "c"]
print("found", find(items, "d"))
"""
NOT_ADDED = """\
words = ["one", "two", "three"]
long = []
for word in words:
    if len(word) > 5:
        long.append(word)
print(long)
"""
NOT_FILLED = """\
table = {}
for key, value in [("a", 1), ("b", 2)]:
    table[key] = value
print(table.get("c"))
"""
JUST_SAID = "total = 0\nfor i in range(5):\n    total += i\nprint('done')\nprint(total)\n"
SET = "rate = 5\nother = 1\nfor i in range(5):\n    other += i\nprint('rate', rate)\n"
COMPUTED = "a = 0\nmul = 1\nfor i in range(5):\n    mul = mul * a\n    a += 1\nprint('mul', mul)\n"


def traced(tmp_path: Path, text: str, check: str) -> Result:
    (tmp_path / "prog.py").write_text(text)
    return stripe.trace("prog.py", directory=tmp_path, check=check)


def test_what_was_never_reached() -> None:
    trace = record("words = 0\nlong = 0\nif words:\n    long = 1\nprint(long)\n").trace
    reads = [(), (), ("words",), (), ("long",)]
    writes = [("words",), ("long",), (), ("long",), ("<stdout>",)]
    trace.statements = [
        replace(each, reads=reads[each.id], writes=writes[each.id]) for each in trace.statements
    ]
    assert nearly_empty(trace, [1, 3])
    assert not nearly_empty(trace, [0, 1])


@pytest.mark.parametrize("text", [NOT_FOUND, NOT_ADDED, NOT_FILLED])
def test_a_missing_result(tmp_path: Path, text: str) -> None:
    notes = traced(tmp_path, text, "stdout").notes
    assert any("something that did not happen" in note for note in notes)


BESIDE = """\
class Client:
    def __init__(self):
        self.started = 7

    def rate(self):
        return 11

client = Client()
assert client.rate() == 8
"""
BEHIND_IT = """\
import asyncio
async def main():
    x = 2
    await asyncio.sleep(0)
    print(x)
asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("text", "check"),
    [
        (JUST_SAID, "stdout:/done/"), (SET, "stdout"), (COMPUTED, "stdout"), (JUST_SAID, "stdout"),
        (BESIDE, "exception"), (BEHIND_IT, "stdout"),
    ],
)  # fmt: skip
def test_a_small_slice_that_explains_is_no_missing_result(
    tmp_path: Path, text: str, check: str
) -> None:
    notes = traced(tmp_path, text, check).notes
    assert not any("something that did not happen" in note for note in notes)
