"""Where commands run that look at a directory: one place for each, cleared for each command."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from stripe.sandbox.commands import Limits
from stripe.sandbox.places import Outlook, end_below, outlook
from stripe.sandbox.walls import Layer


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "folder").mkdir()
    yield tmp_path / "folder"
    end_below(tmp_path)


def said(looking: Outlook, script: str) -> bytes:
    ending = looking.runner.run(["/bin/sh", "-c", script], Limits(60), heard=True)
    assert ending.status == 0
    return os.pread(looking.said, 1000, 0)


def test_a_place_is_kept_as_long_as_its_directory_is_there(folder: Path) -> None:
    with outlook(folder, Layer.NONE) as first:
        pass
    with outlook(folder, Layer.NONE) as second:
        assert second is first
    folder.rename(folder.with_name("old"))
    folder.mkdir()
    with outlook(folder, Layer.NONE) as third:
        assert third is not first


def test_nothing_is_left_of_the_last_command(folder: Path) -> None:
    with outlook(folder, Layer.NONE) as looking:
        left = 'cd "$TMPDIR" && echo x > left && echo x > ../beside && ls'
        assert said(looking, left) == b"left\n"
    with outlook(folder, Layer.NONE) as looking:
        assert said(looking, 'cd "$TMPDIR" && ls -A && ls -A ..') == b"tmp\n"
