"""The README's commands work, and what it shows of their output is what they print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.e2e.harness import Room
from tests.e2e.shown import commands_shown, must_print, names
from tests.support.slugs import slugs

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")

EXAMPLES = commands_shown(TEXT)


@pytest.mark.parametrize(("line", "shown"), EXAMPLES, ids=names(EXAMPLES))
def test_a_command_of_the_readme(room: Room, line: str, shown: str) -> None:
    must_print(room, ROOT / "examples" / "sample_programs", line, shown)


def test_all_commands_are_tried() -> None:
    assert len(EXAMPLES) >= 8
    assert len(EXAMPLES) == len(re.findall(r"^\$ ", TEXT, re.MULTILINE))


def test_every_error_has_its_line() -> None:
    """Each slug of the sources is explained, and no other."""
    explained = set()
    for row in re.findall(r"^\| (`.*?) \|", TEXT.partition("## Errors")[2], re.MULTILINE):
        explained.update(re.findall(r"`([a-z-]+)`", row))
    assert explained == slugs()


def test_its_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", TEXT):
        assert (ROOT / target).exists(), target
