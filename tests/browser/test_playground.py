"""The playground in a real browser, opened from its folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.browser import Browser, Seen, missing
from tests.stripe_wasm import playground


@pytest.fixture(scope="module")
def seen() -> Iterator[Seen]:
    if why := playground.missing() or missing():
        pytest.skip(why)
    browser = Browser()
    yield browser.look(playground.BUILT / "index.html", "playground")["playground"]
    browser.close()


def test_it_needs_no_network(seen: Seen) -> None:
    assert seen.console == []
    assert [each for each in seen.requests if not each.startswith(("file:", "blob:"))] == []
    assert seen.facts["status"] == "Ready."


def test_it_is_accessible_and_fits_a_phone(seen: Seen) -> None:
    assert seen.violations == []
    assert seen.facts["overflow"] <= 0


def test_it_finds_a_critical_slice(seen: Seen) -> None:
    assert seen.facts["answer"].startswith("4 of 7 executions are needed")
    assert "prices = [45, 30, 25]" in seen.facts["source"]


def test_a_prediction_is_scored(seen: Seen) -> None:
    score = "1 of 4 lines found; not marked: 7, 8, 17; not needed: 2."
    assert seen.facts["score"] == score
    assert seen.facts["grade"].startswith("Not yet.")


def test_delta_debugging_by_hand_is_graded(seen: Seen) -> None:
    assert seen.facts["tested"].startswith("Test 1: 6 of 8 kept; it shows it.")
    assert seen.facts["certified"].startswith("✓ Done. 1-minimal")
