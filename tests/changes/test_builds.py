"""Histories that a real compiler builds: few tests, although most parts do not build."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from benchmarks import builds
from stripe.units.grammars import is_installed

pytestmark = [
    pytest.mark.skipif(
        any(shutil.which(each) is None for each in ("gcc", "make", "git")),
        reason="needs gcc, make and git",
    ),
    pytest.mark.skipif(not is_installed("a.c"), reason="wants the extra syntax"),
]


def test_one_line_of_many_hunks_that_interlock(tmp_path: Path) -> None:
    result = builds.answer_to(*builds.gdb(3, 60), tmp_path)
    assert result.certified
    assert result.changes >= 60
    assert result.tests <= 20


def test_one_line_of_many_commits(tmp_path: Path) -> None:
    result = builds.answer_to(*builds.ddd(0, 10, 30), tmp_path)
    assert result.certified
    assert result.tests <= 15
