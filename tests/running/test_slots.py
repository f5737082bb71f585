"""Every test finds the candidate, and nothing else, whatever the tests before it have done."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from stripe.running.slots import CommandSlot
from stripe.sandbox.walls import Layer

PRECIOUS = b"precious\n"


@pytest.fixture
def slot(tmp_path: Path) -> Iterator[CommandSlot]:
    (tmp_path / "scratch").mkdir()
    slot = CommandSlot(tmp_path / "scratch", 0, "in.txt", Layer.NONE, reads=False)
    yield slot
    slot.close()


@pytest.fixture
def precious(tmp_path: Path) -> Iterator[Path]:
    """A directory of the user's, of which nothing may change."""
    folder = tmp_path / "precious"
    folder.mkdir()
    for name in ("in.txt", "other.txt"):
        (folder / name).write_bytes(PRECIOUS)
    yield folder
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        "in.txt": PRECIOUS,
        "other.txt": PRECIOUS,
    }


def leave_files(slot: CommandSlot, precious: Path) -> None:
    (slot.directory / "core").write_bytes(b"x")
    (slot.directory / "folder" / "below").mkdir(parents=True)
    (slot.directory / "link").symlink_to(precious)
    (slot.directory.parent / "tmp" / "in.txt").write_bytes(b"x")


def lock_the_file(slot: CommandSlot, precious: Path) -> None:
    slot.file.chmod(0)


def put_a_pipe(slot: CommandSlot, precious: Path) -> None:
    slot.file.unlink()
    os.mkfifo(slot.file)


def put_a_folder(slot: CommandSlot, precious: Path) -> None:
    slot.file.unlink()
    slot.file.mkdir()
    (slot.file / "inside").touch()


def put_a_link(slot: CommandSlot, precious: Path) -> None:
    slot.file.unlink()
    slot.file.symlink_to(precious / "in.txt")


def put_another_name_of_a_file(slot: CommandSlot, precious: Path) -> None:
    slot.file.unlink()
    slot.file.hardlink_to(precious / "in.txt")


def remove_the_directory(slot: CommandSlot, precious: Path) -> None:
    shutil.rmtree(slot.directory)


def remove_all(slot: CommandSlot, precious: Path) -> None:
    shutil.rmtree(slot.directory.parent)


def link_the_directory(slot: CommandSlot, precious: Path) -> None:
    shutil.rmtree(slot.directory)
    slot.directory.symlink_to(precious)


def move_the_directory(slot: CommandSlot, precious: Path) -> None:
    slot.directory.rename(slot.directory.with_name("elsewhere"))


def a_file_for_a_directory(slot: CommandSlot, precious: Path) -> None:
    shutil.rmtree(slot.directory)
    slot.directory.write_bytes(b"x")


DAMAGES = [
    leave_files,
    lock_the_file,
    put_a_pipe,
    put_a_folder,
    put_a_link,
    put_another_name_of_a_file,
    remove_the_directory,
    remove_all,
    link_the_directory,
    move_the_directory,
    a_file_for_a_directory,
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage(
    slot: CommandSlot, precious: Path, damage: Callable[[CommandSlot, Path], None]
) -> None:
    slot.put(b"a first, and longer, one")
    damage(slot, precious)
    slot.put(b"another")
    assert not slot.directory.is_symlink()
    assert [path.name for path in slot.directory.iterdir()] == ["in.txt"]
    assert slot.file.read_bytes() == b"another"
    assert list((slot.directory.parent / "tmp").iterdir()) == []


def test_what_is_printed_has_no_paths_of_the_slot(slot: CommandSlot) -> None:
    here = os.fsencode(slot.directory)
    slot.listen()
    os.write(slot.stdout, here + b"/in.txt:1: error\nin " + here)
    assert slot.said(slot.stdout) == b"in.txt:1: error\nin ."
    slot.listen()
    assert slot.said(slot.stdout) == b""
