"""The page in a real browser: no message, no request, accessible, and every view works."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import stripe
from stripe.report.html import causes, changes, page, suspects
from tests.browser.browser import Browser, Seen, missing
from tests.changes.answers import answer_to, divides, interfering
from tests.report.test_pictures import hostile
from tests.report.test_suspects import hostile as hostile_suspects
from tests.states.answers import sample as sample_of_causes
from tests.support.results import result_of, slice_of, trace_of
from tests.suspects.answers import sample as sample_of_suspects

SAMPLES = Path(__file__).parents[2] / "examples" / "sample_programs"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if why := missing():
        pytest.skip(why)
    browser = Browser()
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def sample(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Seen]:
    """What readers see of the paper's sample program, with three criteria."""
    result = stripe.trace(
        "sample.py",
        directory=SAMPLES,
        stdin="0\n5\n",
        check=["sum=stdout:/^sum/", "mul=stdout:/^mul/", "both=stdout"],
        algorithm="ddmin",
    )
    path = tmp_path_factory.mktemp("page") / "sample.html"
    path.write_text(page(result), encoding="utf-8")
    return browser.look(path, "plain", "read", "compare", "predict", "search", "dark")


def clean(seen: Seen) -> None:
    """Nothing in the console, no request, nothing that axe-core minds."""
    assert seen.console == []
    assert seen.requests == []
    assert seen.violations == []


def test_it_can_be_read_without_javascript(sample: dict[str, Seen]) -> None:
    seen = sample["plain"]
    clean(seen)
    assert "    sum = sum + a" in seen.facts["source"]
    assert "5/6" in seen.facts["source"]
    assert "sum = 15, a = 5" in seen.facts["source"]
    assert "8_26" in seen.facts["trace"]
    assert seen.facts["tests"] > 100
    assert seen.facts["hidden"] == 0, "nothing to press that does nothing"


def test_the_answer_and_the_code_are_on_the_first_screen(sample: dict[str, Seen]) -> None:
    """The code begins at most 150 px below the top, with the toolbar and without."""
    assert sample["plain"].facts["code"] <= 150
    assert sample["read"].facts["code"] <= 150
    text, bottom = sample["read"].facts["answer"]
    assert "sum: 13 of 31 events kept" in text
    assert bottom < 150


def test_going_from_event_to_event(sample: dict[str, Seen]) -> None:
    seen = sample["read"]
    clean(seen)
    facts = seen.facts
    assert facts["criteria"] == 3
    assert (facts["first"], facts["fourth"], facts["third"]) == ("3_1", "8_10", "10_8")
    assert facts["hash"] == "#e10"
    assert "sum = 1" in facts["inspector"]
    assert "from 3_1" in facts["inspector"]
    assert "stripe debug --terminal --at 10 --stdin FILE sample.py" in facts["inspector"]
    assert facts["arrows"] == 2, "to where sum and a were set"
    assert facts["origin"] == "3_1"
    assert facts["all_arrows"] > 4
    assert facts["second_criterion"] == "mul"
    assert (facts["linked"], facts["linked_criterion"]) == ("11_30", "mul")


def test_two_criteria_side_by_side(sample: dict[str, Seen]) -> None:
    seen = sample["compare"]
    clean(seen)
    assert seen.facts["panes"] == 2
    assert "13 events, 12 of them" in seen.facts["left"]
    assert "    sum = sum + a" in seen.facts["only"]
    assert seen.facts["only_right"] == ["mul = 1", "    mul = mul * a", 'print("mul =", mul)']
    assert seen.facts["closed"] == 0


def test_predicting_before_looking(sample: dict[str, Seen]) -> None:
    seen = sample["predict"]
    clean(seen)
    facts = seen.facts
    assert (facts["bars"], facts["traces"]) == (0, 0), "the answer is hidden"
    assert (facts["hits"], facts["misses"], facts["extras"]) == (2, 3, 1)
    # Two hits, three missed, one too many: 2 * 2 / (2 * 2 + 3 + 1).
    assert facts["score"].startswith("50 of 100 points")
    assert facts["over"] == 12
    assert facts["again"] == 0


def test_playing_the_search(sample: dict[str, Seen]) -> None:
    seen = sample["search"]
    clean(seen)
    assert seen.facts["said"] == "test 3: does not show it, 8 of 31 events"
    assert seen.facts["later"] > 100
    assert "12 of 31 events" in seen.facts["played"]


def test_in_the_dark(sample: dict[str, Seen]) -> None:
    clean(sample["dark"])
    assert sample["dark"].facts["overflow"] <= 0, "nothing is wider than a phone"


def test_100_000_events(browser: Browser, tmp_path: Path) -> None:
    lines = [1, *[2, 3, 4] * 33_333, 5]
    trace = trace_of(lines, "total = 0\nfor i in x:\n    total += i\n    seen = i\nprint(total)\n")
    kept = [0, *range(2, len(trace) - 1, 3), len(trace) - 1]
    values = {event: {"total": str(event) * 4} for event in kept}
    path = tmp_path / "large.html"
    result = result_of(trace, slice_of(trace, kept, values=values), slice_of(trace, [0], "one"))
    path.write_text(page(result), encoding="utf-8")
    assert path.stat().st_size < 10_000_000
    seen = browser.look(path, "large")["large"]
    clean(seen)
    assert seen.facts["rows"] < 60, "only what is seen is drawn"
    assert seen.facts["elements"] < 5000
    assert seen.facts["last"] == seen.facts["chosen"] == "5_100001"
    assert seen.facts["back"] == "3_99942"


def test_changes(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "changes.html"
    path.write_text(changes.page(answer_to(interfering(), divides)), encoding="utf-8")
    seen = browser.look(path, "changes")["changes"]
    clean(seen)
    facts = seen.facts
    assert facts["files"] == ["table.py", "mean.py"]
    assert facts["removed"] == [
        "-    return [row for row in ROWS if row]",
        "-    return sum(row) / max(1, len(row))",
    ]
    assert facts["added"] == ["+    return list(ROWS)", "+    return sum(row) / len(row)"]
    assert facts["commits"] == ["c1", "c2"]
    assert "2 changes interfere" in facts["story"]
    assert facts["tests"] > 3
    assert facts["first"].startswith("test 1: ")
    assert "+    return list(ROWS)" in facts["patch"]
    assert facts["overflow"] <= 0, "nothing but diffs and charts is wider than a telephone"


def test_causes(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "causes.html"
    path.write_text(causes.page(sample_of_causes()), encoding="utf-8")
    seen = browser.look(path, "causes")["causes"]
    clean(seen)
    facts = seen.facts
    assert "hence at work:5, a[1] was 5 instead of 2, while k was 2 instead of 1;" in facts["chain"]
    assert "hence the failure: ValueError: bad." in facts["chain"]
    assert "line_5 = 5" in facts["table"]
    assert facts["lines"] == ["line_3 = 3", "line_5 = 5", "line_9 = 9"]
    assert facts["transitions"][0] == "Cause transition: n since main:3; now a[1]."
    assert facts["titles"][0].startswith("Both states before main:3: 1 difference")
    assert facts["marks"] == ["●", "○", "●", "●", "●"]
    laid_out(seen)


def test_hostile_causes(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "hostile.html"
    path.write_text(causes.page(hostile()), encoding="utf-8")
    seen = browser.look(path, "causes")["causes"]
    clean(seen)
    laid_out(seen)


def test_suspects(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "suspects.html"
    path.write_text(suspects.page(sample_of_suspects()), encoding="utf-8")
    seen = browser.look(path, "suspects")["suspects"]
    clean(seen)
    facts = seen.facts
    assert facts["places"] == ["1. shop.py:9, in Basket.add", "2. shop.py:11, in Basket.add"]
    assert "breaks none of 4 passing tests" in facts["evidence"][0]
    assert "breaks 1 of 4 passing tests" in facts["evidence"][1]
    assert facts["added"] == ["+        if len(self.items) >= self.limit:"]
    assert facts["values"] == ["False", "False", "False", "True", "False", "True"]
    assert facts["differs"] == ["False", "True", "False", "True"]
    assert facts["marked"] == [
        "        if len(self.items) > self.limit:",
        "        self.items.append(name)",
    ]
    assert "24 of 30 changes tried: 2 repair all failing tests" in facts["bars"][1]
    assert facts["shades"] == [6, 6], "but for the line that only passing tests execute"
    assert facts["ranking"][0].split() == [
        "1", "shop.py:9", "30", "24", "2", "3", "4", "0.667", "∞", "1.000",
        "decides",
    ]  # fmt: skip
    assert facts["followed"] == facts["marked"][0]
    assert (facts["outside"], facts["overflow"]) == (0, 0)


def test_hostile_suspects(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "hostile.html"
    path.write_text(suspects.page(hostile_suspects()), encoding="utf-8")
    seen = browser.look(path, "suspects")["suspects"]
    clean(seen)
    assert (seen.facts["outside"], seen.facts["overflow"]) == (0, 0)


def laid_out(seen: Seen) -> None:
    """No text of a picture leaves its box or the picture, nor the page a telephone."""
    assert seen.facts["outside"] == []
    assert seen.facts["over"] == []
    assert seen.facts["overflow"] <= 0
