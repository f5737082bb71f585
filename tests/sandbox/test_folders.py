"""A folder that is made empty again, whatever was done to it."""

from __future__ import annotations

import os
from pathlib import Path

from stripe.sandbox.folders import Folder


def test_all_goes_but_what_is_named(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "folder")
    for name in ("one", "other"):
        (folder.path / name).mkdir()
        (folder.path / name / "file").touch()
    folder.clear({"one"})
    assert [each.name for each in folder.path.iterdir()] == ["one"]
    assert (folder.path / "one" / "file").exists()
    folder.clear()
    assert list(folder.path.iterdir()) == []
    folder.close()


def test_a_link_to_it_is_not_taken_for_it(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "folder")
    (folder.path / "file").touch()
    folder.path.rename(tmp_path / "moved")
    folder.path.symlink_to(tmp_path / "moved")
    folder.clear()
    assert not folder.path.is_symlink()
    assert list(folder.path.iterdir()) == []
    assert (tmp_path / "moved" / "file").exists()
    folder.close()


def test_one_that_was_removed_is_let_go_of(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "folder")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        folder.path.rmdir()
        assert not folder.stayed()
        assert folder.stayed()
    assert len(os.listdir("/proc/self/fd")) == before
    folder.close()
    assert len(os.listdir("/proc/self/fd")) == before - 1
