"""Suspects as a page and as SARIF: what they tell, and hostile names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stripe.report.html import heat
from stripe.report.html.suspects import page
from stripe.report.sarif_suspects import sarif
from stripe.report.style import Style
from stripe.report.suspects import evidence, suspects_lines
from stripe.results.model import changed
from stripe.suspects import SuspectsResult
from stripe.suspects.edits import unified
from tests.report.test_html import EVIL, Reader
from tests.suspects.answers import SHOP, place, sample, tally

PLAIN = Style(width=100)
SCHEMA = Path(__file__).parent / "sarif-schema" / "sarif-2.1.0.json"


def hostile() -> SuspectsResult:
    """Every text tries to break out, and is long, and controls the terminal."""
    return sample(EVIL + "\"\n\\` '" + "long " * 60)


# -- the page


def test_nothing_of_the_program_becomes_markup() -> None:
    for result in (sample(), hostile()):
        text = page(result)
        assert "\u202e" not in text
        assert "\x1b" not in text
        reader = Reader(text)
        assert not {"script", "img", "link", "iframe", "base"} & set(reader.elements)
        names = {name for name, _ in reader.attributes}
        assert not [name for name in names if name.startswith("on") or name in ("style", "src")]
        ids = [value for name, value in reader.attributes if name == "id"]
        assert len(ids) == len(set(ids))
        links = {value for name, value in reader.attributes if name == "href"}
        assert {each.removeprefix("#") for each in links} <= set(ids), "all of them lead somewhere"


def test_a_page_without_places_or_source() -> None:
    text = page(sample(places=(), code=()))
    assert "No change that was tried makes what fails pass" in text
    assert "shop.py:9" in text


def test_the_longest_bar_is_where_most_was_tried() -> None:
    """And its parts stand side by side, none too small to be seen."""
    most = tally("shop.py", 9, 900, repaired=1, partly=1, broken=1, nothing=896, lost=1)
    text = page(sample(lines=(most, tally("shop.py", 10, 900, nothing=9))))
    drawn = [each.partition("</svg>")[0] for each in text.split('<svg class="strip"')[1:]][-2:]
    boxes = [
        [(float(rect.split('"')[3]), float(rect.split('"')[7])) for rect in each.split("<rect")[1:]]
        for each in drawn
    ]
    assert [len(each) for each in boxes] == [5, 1]
    for (x, width), (after, _) in zip(boxes[0], boxes[0][1:], strict=False):
        assert x + width <= after
        assert width >= 2
    assert heat.WIDTH - 2 < sum(boxes[0][-1]) <= heat.WIDTH
    assert boxes[1][0][1] < heat.WIDTH / 10


def test_an_infinite_score_is_told_and_the_strongest() -> None:
    """A document may have one for any formula."""
    ranking = [changed(each, ochiai=None) for each in sample().ranking]
    result = sample(ranking=tuple(ranking))
    assert page(result).count("<td>∞</td>") > len(ranking)
    assert f'class="n s{heat.SHADES}"' in page(result)
    assert "inf (1)" in "\n".join(suspects_lines(result, PLAIN))


def test_lines_left_out_are_told() -> None:
    """Between those that were read there is a gap."""
    table = page(sample()).partition('id="code"')[2].partition("price_1")[0]
    assert table.count("⋮") == 1
    assert 'id="f0l15"' in table
    assert 'id="f0l16"' not in table


# -- in words


@pytest.mark.parametrize(
    ("others", "told"),
    [(0, ""), (1, " (as does 1 other change of the line)"),
     (2, " (as do 2 other changes of the line)")],
)  # fmt: skip
def test_what_a_change_does(others: int, told: str) -> None:
    found = place(9, ">", ">=", failing=1, repaired=1, others=others)
    assert evidence(found) == (
        "With `>=` instead of `>`, this change makes the failing test pass, and breaks none of "
        f"4 passing tests{told}."
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("leave out `a()`", "Leaving out `a()` makes "),
        ("insert `return` before this", "Inserting `return` before this statement makes "),
        ("`a` before `b`", "With `a` before `b`, this change makes "),
    ],
)
def test_what_a_change_does_is_a_sentence(words: str, told: str) -> None:
    assert evidence(changed(sample().places[0], words=words)).startswith(told)


def test_what_runs_the_tests_is_not_what_may_be_wrong() -> None:
    for runner in ("pytest", "unittest"):
        result = sample(program=runner)
        told = "\n".join(suspects_lines(result, PLAIN))
        assert "where the tested code may be wrong" in told
        assert f"{runner} may be wrong" not in told
        assert "<h1>Suspects <span>where the tested code may be wrong</span></h1>" in page(result)
    assert "where shop.py may be wrong" in "\n".join(
        suspects_lines(sample(program="shop.py"), PLAIN)
    )


def test_where_no_change_repairs_all_and_breaks_none_that_is_said_first() -> None:
    """Else the first place looks like an answer."""
    first = changed(sample().places[0], broken=1, kept=3)
    told = list(suspects_lines(sample(places=(first,)), PLAIN, ["places"]))
    assert told[1].startswith("No change that was tried makes all that fails pass")
    assert "These come closest:" in page(sample(places=(first,)))
    whole = list(suspects_lines(sample(), PLAIN, ["places"]))
    assert not any("come closest" in each for each in whole)


# -- SARIF


def valid(result: SuspectsResult) -> Any:
    """The results, after the log has been held against the schema."""
    jsonschema = pytest.importorskip("jsonschema")
    log = json.loads(json.dumps(sarif(result)))
    schema = json.loads(SCHEMA.read_text("utf-8"))
    jsonschema.validators.validator_for(schema)(schema).validate(log)
    [run] = log["runs"]
    return run["results"]


def test_places_are_results_by_what_they_prove() -> None:
    """A warning repairs all and breaks none of some; with fewer tests it proves less."""
    first, second = valid(sample())
    assert (first["level"], second["level"]) == ("warning", "note")
    assert first["message"]["text"] == (
        "With `self.items) >= self` instead of `self.items) > self`, this change makes 2 of 2 "
        "failing tests pass, and breaks none of 4 passing tests (as does 1 other change of the "
        "line). It is a place to look at, no proof."
    )
    assert first["locations"][0]["physicalLocation"]["region"] == {"startLine": 9, "endLine": 9}
    assert "fixes" not in second, "it cannot be written"
    alone = changed(sample().places[0], kept=0, passing=0)
    [only] = valid(sample(places=(alone,)))
    assert only["level"] == "note"
    assert valid(sample(places=())) == []
    assert len(valid(hostile())) == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n".join(SHOP), "\n".join(SHOP).replace("limit:", "limit + 1:")),
        ("a\nb\nc\n", "a\nc\n"),
        ("a\nc\n", "a\nb\nc\n"),
        ("a\nb\nc\n", "b\na\nc\n"),
        ("a\r\nbb\r\n", "a\r\nb\r\n"),
        ("a\nlast", "a\nother"),
        ("a\nlast", "a\n"),
    ],
)
def test_a_fix_as_an_editor_applies_it(old: str, new: str) -> None:
    """By lines and columns, where a line ends before its end of line."""
    found = changed(sample().places[0], diff=unified("shop.py", old, new))
    [answer] = valid(sample(places=(found,)))
    [fix] = answer["fixes"]
    [change] = fix["artifactChanges"]
    assert change["artifactLocation"]["uri"] == "shop.py"
    starts = [0, *(index + 1 for index, char in enumerate(old) if char == "\n"), len(old)]
    for each in reversed(change["replacements"]):
        region = each["deletedRegion"]
        begin = starts[region["startLine"] - 1] + region["startColumn"] - 1
        end = starts[region["endLine"] - 1] + region["endColumn"] - 1
        old = old[:begin] + each.get("insertedContent", {"text": ""})["text"] + old[end:]
    assert old == new
