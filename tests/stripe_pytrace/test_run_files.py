"""Files of a run are put back as they were, whatever was done to them."""

from __future__ import annotations

import os
import random
import stat
import time
from pathlib import Path

import pytest

from stripe_pytrace.agent.snapshots.fork_point import CLOCK_TICK_SECONDS
from stripe_pytrace.agent.snapshots.run_files import MOST_COPIED_BYTES, RunFiles

NAMES = ["a", "b", "c", "a/d", "a/e", "a/f/g", "b/h"]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder as that of a run: a working directory, and one for TMPDIR."""
    for name in ("work", "tmp"):
        (tmp_path / name).mkdir()
    return tmp_path


def files_of(place: Path) -> RunFiles:
    return RunFiles([str(place / "work"), str(place / "work"), str(place / "tmp")])


def content(folder: Path) -> dict[str, tuple[object, ...]]:
    """All that a program may see of what is in a folder, but for when it was read."""

    def told(path: Path) -> tuple[object, ...]:
        status = path.lstat()
        what: object = None
        if stat.S_ISLNK(status.st_mode):
            what = os.readlink(path)
        elif stat.S_ISREG(status.st_mode):
            what = path.read_bytes(), status.st_nlink, os.listxattr(path)
        return status.st_mode, status.st_mtime_ns, what

    return {str(each.relative_to(folder)): told(each) for each in [folder, *folder.rglob("*")]}


def meddle(folder: Path, chance: random.Random) -> None:
    """Do something to some file; it may not be possible."""
    path, other = (folder / chance.choice(NAMES) for _ in range(2))
    deed = chance.randrange(9)
    if deed == 0:
        path.mkdir(parents=True)
    elif deed in (1, 2):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(chance.randbytes(chance.randrange(3)))
    elif deed == 3:
        path.symlink_to(other)
    elif deed == 4:
        path.rename(other)
    elif deed == 5:
        path.unlink()
    elif deed == 6:
        path.rmdir()
    elif deed == 7:
        path.chmod(chance.choice([0o600, 0o640, 0o755, 0o700]))
    else:
        os.utime(path, ns=(chance.randrange(10**18), chance.randrange(10**18)))


def meddled(folder: Path, chance: random.Random, times: int) -> None:
    for _ in range(times):
        try:
            meddle(folder, chance)
        except OSError:
            continue


@pytest.mark.parametrize("seed", range(30))
def test_whatever_is_done_is_undone(place: Path, seed: int) -> None:
    chance = random.Random(seed)
    meddled(place / "work", chance, 10)
    files = files_of(place)
    meddled(place / "work", chance, 10)
    assert files.note(every=True) == ""
    time.sleep(CLOCK_TICK_SECONDS)
    before = content(place)
    for _ in range(4):
        meddled(place / chance.choice(["work", "tmp"]), chance, chance.randrange(12))
        assert files.put_back([])
        assert content(place) == before


@pytest.mark.parametrize("seed", range(15))
def test_what_was_written_on_the_way_alone_is_undone_or_it_says_so(place: Path, seed: int) -> None:
    """What was there before is not copied at first."""
    chance = random.Random(seed)
    meddled(place / "work", chance, 8)
    files = files_of(place)
    meddled(place / "work", chance, 8)
    assert files.note() == ""
    time.sleep(CLOCK_TICK_SECONDS)
    before = content(place)
    meddled(place / "work", chance, 6)
    assert not files.put_back([]) or content(place) == before


def test_a_file_that_is_open_is_the_same_one_or_it_is_not_put_back(place: Path) -> None:
    path = place / "work" / "base"
    files = files_of(place)
    with path.open("w+b", buffering=0) as base:
        base.write(b"first")
        files.note()
        path.unlink()
        assert not files.put_back([base.fileno()])
        path.write_bytes(b"first")
        assert not files.put_back([base.fileno()])


@pytest.mark.parametrize("replaced", [False, True])
def test_a_file_that_is_open_has_its_name_again(place: Path, replaced: bool) -> None:
    path = place / "work" / "base"
    files = files_of(place)
    with path.open("w+b", buffering=0) as base:
        base.write(b"first")
        files.note()
        files.link([base.fileno()])
        for _ in range(3):
            base.write(b" and more")
            path.unlink()
            if replaced:
                path.write_bytes(b"another")
            assert files.put_back([base.fileno()])
            assert os.path.samestat(path.stat(), os.fstat(base.fileno()))
            assert path.read_bytes() == b"first"


@pytest.mark.parametrize("what", ["large", "names", "attributes"])
def test_what_cannot_be_made_again_is_not_put_back(place: Path, what: str) -> None:
    path = place / "work" / "file"
    path.write_bytes(b"x" * (MOST_COPIED_BYTES + 1 if what == "large" else 3))
    if what == "names":
        os.link(path, place / "work" / "another")
    elif what == "attributes":
        try:
            os.setxattr(path, "user.stripe", b"1")
        except OSError:
            pytest.skip("no attributes of users there")
    files = files_of(place)
    files.note(every=True)
    path.write_bytes(b"other")
    assert not files.put_back([])


def test_attributes_that_a_fork_sets_are_taken_away(place: Path) -> None:
    path = place / "work" / "file"
    path.write_bytes(b"text")
    files = files_of(place)
    files.note(every=True)
    try:
        os.setxattr(path, "user.stripe", b"1")
    except OSError:
        pytest.skip("no attributes of users there")
    assert files.put_back([])
    assert not os.listxattr(path)
