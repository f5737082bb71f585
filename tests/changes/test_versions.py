"""Versions that are named as users do, read from git or from folders."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from stripe.changes.snapshots import EXECUTABLE, LINK
from stripe.changes.universe import Universe
from stripe.changes.versions import history_of
from stripe.errors import UsageError
from tests.changes.histories import tree_of
from tests.changes.repositories import Repo

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

LINES = "".join(f"line {number}\n" for number in range(12))


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A history with a branch, a merge with a conflict, a rename, and more than text."""
    repo = Repo(tmp_path_factory.mktemp("repo"))
    repo.commit(
        "root", {"a.txt": LINES, "old/b.txt": LINES, "bin": b"\0one", ".gitignore": "*.o\n"}
    )
    repo.git("tag", "root")
    repo.commit("on main", {"a.txt": LINES.replace("line 3", "main 3"), "bin": b"\0two"})
    repo.git("tag", "ours")
    repo.git("checkout", "-q", "-b", "branch", "root")
    repo.commit("on a branch", {"a.txt": LINES.replace("line 3", "branch 3")})
    repo.git("mv", "old/b.txt", "new.txt")
    repo.commit("renamed", {"new.txt": LINES.replace("line 7", "seven")})
    repo.git("tag", "theirs")
    repo.git("checkout", "-q", "main")
    with pytest.raises(subprocess.CalledProcessError):
        repo.git("merge", "-q", "branch")
    repo.commit("merged", {"a.txt": LINES.replace("line 3", "both 3")})
    repo.git("tag", "merged")
    (repo.path / "a.txt").chmod(0o755)
    os.symlink("a.txt", repo.path / "link")
    repo.commit("odd names", {"with space\té.txt": "x", "empty": "", "bin": None})
    return repo


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("root", "HEAD"),
        ("HEAD", "root"),
        ("ours", "theirs"),
        ("theirs", "HEAD"),
        ("ours", "merged"),
        ("merged", "ours"),
    ],
)
def test_both_ends_of_a_history_come_out_exactly(repo: Repo, good: str, bad: str) -> None:
    with ExitStack() as stack:
        universe = Universe(history_of(stack, good, bad, str(repo.path)))
        for revision, chosen in ((good, ()), (bad, universe.deltas)):
            expected = {
                path: (int(mode, 8), name)
                for mode, _, name, path in (
                    (*facts.split(), path)
                    for facts, path in (
                        entry.split("\t", 1)
                        for entry in repo.git("ls-tree", "-rz", revision).split("\0")
                        if entry
                    )
                )
            }
            tree = universe.tree(chosen)
            assert tree.keys() == expected.keys()
            for path, (mode, content) in tree.items():
                assert mode == expected[path][0]
                assert content == repo.blob(expected[path][1])


def test_a_dot_is_the_working_tree_without_what_git_ignores(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("root", {"a.txt": LINES, ".gitignore": "*.o\n"})
    repo.write({"a.txt": LINES + "more\n", "new.txt": "new\n", "made.o": "made\n"})
    with ExitStack() as stack:
        history = history_of(stack, "HEAD", ".", str(repo.path))
        tree = Universe(history).tree(Universe(history).deltas)
    assert tree.keys() == {"a.txt", "new.txt", ".gitignore"}
    assert tree["a.txt"][1] == (LINES + "more\n").encode()


def test_two_folders_are_two_versions(tmp_path: Path) -> None:
    for name, content in (("good", "1\n"), ("bad", "2\n")):
        folder = tmp_path / name
        (folder / "__pycache__").mkdir(parents=True)
        (folder / "__pycache__" / "x.pyc").write_text(content)
        (folder / "run").write_text(content)
        (folder / "run").chmod(0o755)
        (folder / "link").symlink_to(name)
    with ExitStack() as stack:
        history = history_of(stack, str(tmp_path / "good"), str(tmp_path / "bad"))
        universe = Universe(history)
    assert universe.tree(()) == {"run": (EXECUTABLE, b"1\n"), "link": (LINK, b"good")}
    assert universe.tree(universe.deltas) == tree_of(history.steps[-1].snapshot)


@pytest.mark.parametrize(
    ("good", "bad", "slug"),
    [("HEAD", "nowhere", "no-such-revision"), ("HEAD", "HEAD", "same-version")],
)
def test_versions_that_are_none_are_told(repo: Repo, good: str, bad: str, slug: str) -> None:
    with ExitStack() as stack, pytest.raises(UsageError) as caught:
        history_of(stack, good, bad, str(repo.path))
    assert caught.value.slug == slug


def test_a_folder_that_is_no_repository_is_told(tmp_path: Path) -> None:
    with ExitStack() as stack, pytest.raises(UsageError) as caught:
        history_of(stack, "HEAD~1", "HEAD", str(tmp_path))
    assert caught.value.slug == "no-repository"
