"""VS Code itself, as code-server shows it in Chromium: a session that goes backwards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.editors.code_server import HERE, editor, look, why_no_editor

PROGRAM = """\
def mean(values):
    total = 0
    for value in values:
        total += value
    return total / len(values)


def report(groups):
    for name, values in groups.items():
        print(name, mean(values))


report({"a": [1, 2, 3], "b": [4], "c": []})
"""

TESTS = """\
def total(prices):
    found = 0
    for price in prices:
        found += price
    return found


def test_one():
    assert total([1]) == 1


def test_prices():
    prices = [1, 2, 3]
    assert total(prices) == 7
"""


def write_programs(work: Path) -> None:
    """What the scenario opens."""
    (work / "prog.py").write_text(PROGRAM)
    (work / "test_prices.py").write_text(TESTS)


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a session showed."""
    if why := why_no_editor():
        pytest.skip(why)
    work, home = tmp_path_factory.mktemp("work"), tmp_path_factory.mktemp("home")
    write_programs(work)
    with editor(home, {"stripe.maxTime": 10}) as address:
        found: dict[str, Any] = json.loads(look(HERE / "debug.mjs", address, work))
    return found


def test_lenses_stand_over_each_test(seen: dict[str, Any]) -> None:
    for title in ("Why does this test fail?", "Debug backwards"):
        assert seen["lenses"].count(title) == 2


def test_a_lens_begins_at_the_failure_and_the_button_steps_back(seen: dict[str, Any]) -> None:
    calls = ["total test_prices.py", "test_prices test_prices.py 14:1"]
    assert seen["test"]["calls"] == [f"{calls[0]} 5:1", calls[1]]
    assert seen["test"]["variables"] == ["prices = [1, 2, 3]", "found = 6", "price = 3"]
    assert seen["testBack"]["calls"] == [f"{calls[0]} 3:1", calls[1]]


def test_a_program_is_debugged_from_its_failure_to_its_start(seen: dict[str, Any]) -> None:
    outer = ["report prog.py 10:1", "<module> prog.py 13:1"]
    assert seen["failure"]["calls"] == ["mean prog.py 5:1", *outer]
    assert seen["failure"]["variables"] == ["values = []", "total = 0"]
    assert seen["back"]["calls"] == ["mean prog.py 3:1", *outer]
    assert seen["start"]["calls"] == ["<module> prog.py 1:1"]


def test_a_lens_stands_over_the_line_that_failed(seen: dict[str, Any]) -> None:
    what, debug = seen["failing"]
    assert what.startswith("Failed here: AssertionError: assert total(prices) == 7")
    assert debug == "Debug backwards"


def test_the_menu_of_a_failed_test_in_the_explorer_begins_at_its_failure(
    seen: dict[str, Any],
) -> None:
    assert "Failed" in seen["explorer"]
    assert seen["fromExplorer"]["calls"] == seen["test"]["calls"]
