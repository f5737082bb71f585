"""The page as text: one file, nothing from elsewhere, nothing of the program's taken for markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from array import array
from dataclasses import replace
from html.parser import HTMLParser

from stripe.backend import UncaughtException
from stripe.campaign.log import LogEntry
from stripe.dd import Outcome
from stripe.intervals import ends
from stripe.reduce import Result
from stripe.reduce.result import Dependence, RecordedRun
from stripe.report.html import page
from stripe.report.html.chart import chosen
from stripe.report.style import Style
from stripe.report.table import LONGEST_TEXT, Layout
from stripe.trace import SourceFile
from tests.support.fake import SAMPLE, SAMPLE_INPUT
from tests.support.results import reduced, result_of, slice_of, trace_of
from tests.support.steps import limited

EVIL = '</script><script>alert(1)</script><img src=x onerror="alert(2)"> & \u202e \x1b[31m'


class Reader(HTMLParser):
    """Notes elements and attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]


def evil() -> Result:
    """A result in which every text tries to break out."""
    trace = trace_of([1, 2], f"a = {EVIL!r}\n# {EVIL}\n", f"{EVIL}.py")
    found = slice_of(
        trace, [0, 1], EVIL, check=EVIL, values={0: {EVIL: EVIL}},
        dependences=[Dependence(1, 0, "data", (EVIL,))],
        log=[LogEntry(1, Outcome.FAIL, 2, ends([0, 1]))],
    )  # fmt: skip
    return result_of(trace, found, notes=[EVIL])


def test_nothing_of_the_program_becomes_markup() -> None:
    text = page(evil())
    reader = Reader(text)
    assert reader.elements.count("script") == 2
    assert "img" not in reader.elements
    assert not [name for name, _ in reader.attributes if name.startswith("on")]
    assert "\u202e" not in text
    assert "\x1b" not in text


def test_the_name_of_a_check_becomes_no_markup_where_its_output_is_shown() -> None:
    result = reduced(SAMPLE, "stdout", "stdout:/mul/", stdin=SAMPLE_INPUT)
    first, other = result.slices
    for name in ('"><img/src=x>', "\ud800"):
        text = page(replace(result, slices=(replace(first, name=name), other)))
        text.encode()
        assert "img" not in Reader(text).elements


def test_the_title_says_what_failed() -> None:
    trace = trace_of([1], "x = 1\n")
    result = result_of(trace, slice_of(trace, [0]))
    assert "<title>Critical slice of prog.py</title>" in page(result)
    raised = UncaughtException("ValueError", "a <b> " + "long " * 50, "p.py", 1, 0)
    recorded = RecordedRun("EXITED", 1, "", "", ("", ""), raised)
    titled = page(replace(result, recorded=recorded))
    [title] = re.findall("<title>(.*?)</title>", titled)
    assert title.startswith("ValueError: a &lt;b&gt; long")
    assert "…: Critical slice of " in title
    assert len(title) < 200


def test_files_with_something_kept_come_first() -> None:
    trace = trace_of([1, 2], "x = 1\ny = 2\n", "first.py")
    second = SourceFile("second.py", "x = 1\ny = 2\n")
    moved = replace(trace.statements[1], file=1)
    both = replace(trace, files=[*trace.files, second], statements=[trace.statements[0], moved])
    shown = re.findall(r"<summary>(\S+) ", page(result_of(both, slice_of(both, [1]))))
    assert shown == ["second.py", "first.py"]


def test_nothing_comes_from_elsewhere() -> None:
    for result in (evil(), reduced(SAMPLE, "stdout", stdin=SAMPLE_INPUT)):
        reader = Reader(page(result))
        assert not {"link", "img", "iframe", "base", "object"} & set(reader.elements)
        for name, value in reader.attributes:
            assert name != "src"
            assert name != "style", "the policy forbids it"
            if name == "href":
                assert value.startswith("#")


def test_the_policy_allows_what_is_there_and_nothing_else() -> None:
    text = page(reduced(SAMPLE, "stdout", "stdout:/mul/", stdin=SAMPLE_INPUT))
    found = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert found is not None
    rules = dict(rule.strip().split(" ", 1) for rule in found[1].split(";"))
    assert rules["default-src"] == "'none'"
    [style] = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    [script] = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    for rule, content in (("style-src", style), ("script-src", script)):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"


def test_the_data_is_complete() -> None:
    result = reduced(SAMPLE, "stdout", stdin=SAMPLE_INPUT)
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page(result))
    assert found is not None
    data = json.loads(found[1])
    lines = [data["statements"][number][1] for number in data["events"]]
    assert lines == [result.trace.statements[n].line for n in result.trace.statement]
    events, total = [], 0
    for step in data["slices"][0]["events"]:
        total += step
        events.append(total)
    assert tuple(events) == result.slices[0].events


def test_a_search_of_many_tests_stays_small() -> None:
    trace = trace_of([1] * 5000, "x = 1\n")
    log = [
        LogEntry(number, Outcome.PASS, 2500, ends(range(number % 2, 5000, 2)))
        for number in range(1, 2001)
    ]
    text = page(result_of(trace, slice_of(trace, range(5000), log=log)))
    assert len(text) < 5_000_000
    assert re.search(r"\d+ of 2000 tests are not drawn", text)


def test_a_result_without_slices_or_events() -> None:
    trace = trace_of([1], "x = 1\n")
    assert "<h2" in page(result_of(trace))
    assert "0 <small>of 1 events" in page(result_of(trace, slice_of(trace, [])))


def test_one_test_of_very_many_stretches_is_drawn() -> None:
    """Thinning out the tests came to no end where the only one left was too long."""
    entry = LogEntry(1, Outcome.PASS, 40_001, array("i", range(80_002)))
    with limited():
        assert chosen([entry]) == [entry]
        assert len(chosen([entry, entry, entry])) == 1


def test_a_long_line_of_very_many_statements() -> None:
    """The work was the square of their number, and so was what was shown of equal columns."""
    trace = trace_of([1] * 60, "ü" * 20_000 + "\n")
    statement = trace.statements[0]
    trace.statements = [replace(statement, id=each, column=each // 2) for each in range(8000)]
    trace.statement = array("i", range(60))
    result = result_of(trace, slice_of(trace, range(60)))
    with limited():
        assert len(page(result)) < 1_000_000
    layout = Layout(trace, result.slices, Style(full=True), [])
    assert len(layout.text(7999)) == LONGEST_TEXT + 1
