"""A place for versions: one after the other, whatever tests did to the one before."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from stripe.changes.places import VersionPlace
from stripe.changes.snapshots import EXECUTABLE, FILE, LINK, Tree
from stripe.sandbox.walls import Layer
from tests.changes.repositories import tree_of

ONE: Tree = {"a": (FILE, b"1\n"), "in/b": (EXECUTABLE, b"2\n"), "in/deep/c": (FILE, b"3\n")}
OTHER: Tree = {"a": (LINK, b"in/b"), "in/b": (FILE, b"2\n"), "new/d": (FILE, b"4\n")}


@pytest.fixture(params=[False, True], ids=["cleared", "kept"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VersionPlace]:
    """A place without walls, as nothing is run in it."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    place = VersionPlace(scratch, 0, Layer.NONE, "", keep=request.param)
    yield place
    place.close()


def test_each_version_is_there_and_nothing_of_the_one_before(place: VersionPlace) -> None:
    for tree in (ONE, OTHER, {}, ONE):
        place.put(tree)
        assert tree_of(place.top) == tree


def test_what_stays_the_same_is_not_written_anew(place: VersionPlace) -> None:
    place.put(ONE)
    before = (place.top / "in/deep/c").stat()
    place.put(ONE | {"a": (FILE, b"2\n")})
    assert (place.top / "in/deep/c").stat() == before


def test_what_a_test_did_to_files_is_undone(place: VersionPlace) -> None:
    place.put(ONE)
    (place.top / "a").write_text("9\n")
    (place.top / "in/b").chmod(0o600)
    (place.top / "in/deep/c").unlink()
    place.put(ONE)
    assert tree_of(place.top) == ONE


def test_what_was_made_stays_only_for_builds(
    place: VersionPlace, request: pytest.FixtureRequest
) -> None:
    place.put(ONE)
    (place.top / "in" / "made.o").write_text("o")
    place.put(OTHER)
    assert (place.top / "in" / "made.o").exists() == ("kept" in request.node.name)


@pytest.mark.parametrize("what", ["in", "in/deep", "."])
def test_nothing_is_written_or_removed_behind_a_link(
    place: VersionPlace, tmp_path: Path, what: str
) -> None:
    """A test may put a link to what is precious in the place of a folder."""
    precious = tmp_path / "precious"
    for name in ("b", "c", "deep/c", "in/b"):
        (precious / name).parent.mkdir(parents=True, exist_ok=True)
        (precious / name).write_text("precious")
    place.put(ONE)
    shutil.rmtree(place.top / what)
    (place.top / what).symlink_to(precious)
    place.put(OTHER)
    assert tree_of(place.top) == OTHER
    place.put(ONE)
    assert tree_of(place.top) == ONE
    assert {path.read_text() for path in precious.rglob("*") if path.is_file()} == {"precious"}
    assert len(list(precious.rglob("*"))) == 6
