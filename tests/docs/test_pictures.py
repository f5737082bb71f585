"""The pictures of the documents are small, all are shown, and those of terminals are up to date."""

from __future__ import annotations

import re
import shutil
from html import unescape
from pathlib import Path

import pytest

from docs.pictures.refresh import (
    CHANGES,
    DEBUGGERS,
    EDITORS,
    HERE,
    PAGES,
    SAMPLES,
    STATES,
    TERMINALS,
    states,
    terminal,
)
from tests.stripe_gdb.native import needs_cc, needs_gdb

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
PICTURES = {path.name for path in HERE.iterdir() if path.suffix in (".png", ".svg")}


def test_all_are_shown_and_can_be_made() -> None:
    pages = [path.read_text("utf-8") for path in (ROOT / "docs").glob("*.md")]
    shown = re.findall(r"\]\((?:docs/)?pictures/([^)]+)\)", "".join([README, *pages]))
    assert set(shown) == PICTURES
    pictures = (*PAGES, *CHANGES, *EDITORS, *DEBUGGERS)
    made = {f"{name}.svg" for name in (*TERMINALS, *STATES)} | {f"{name}.png" for name in pictures}
    assert made == PICTURES


def test_they_are_small() -> None:
    assert {name for name in PICTURES if (HERE / name).stat().st_size > 150_000} == set()


def test_each_command_of_a_terminal_is_shown_above_it() -> None:
    for name, command in TERMINALS.items():
        shown = re.search(rf"\$ (.*)\n```\n\n!\[.*\]\(docs/pictures/{name}\.svg\)", README)
        assert shown is not None
        assert shown[1] == command


def words(picture: str) -> list[str]:
    """What one reads in a picture; how long something took is left out."""
    texts = [unescape(text) for text in re.findall(r"<text [^>]*>(.*?)</text>", picture)]
    return [text for text in texts if not re.search(r"\d\s+s,", text)]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[needs_gdb, needs_cc] if name == "native" else [])
        for name in TERMINALS
    ],
)
def test_it_shows_what_is_printed(name: str, tmp_path: Path) -> None:
    """If not: ``python docs/pictures/refresh.py NAME``, and look at it."""
    work = Path(shutil.copytree(SAMPLES, tmp_path / "samples"))
    drawn = (HERE / f"{name}.svg").read_text("utf-8")
    assert words(terminal(name, work)) == words(drawn)


@pytest.mark.parametrize("name", STATES)
def test_states_are_drawn_as_they_are(name: str, tmp_path: Path) -> None:
    work = Path(shutil.copytree(SAMPLES, tmp_path / "samples"))
    states(STATES[name], work, tmp_path / "new.svg")
    assert (tmp_path / "new.svg").read_text("utf-8") == (HERE / f"{name}.svg").read_text("utf-8")
