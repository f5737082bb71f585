"""Versions that are named as users do, read from git or from folders."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from stripe.changes.git import Repository
from stripe.changes.snapshots import EXECUTABLE, FILE, LINK, Tree
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


def bad_tree(good: str, bad: str, repo: Repo, *outputs: str) -> Tree:
    """The bad version, by all the edits that lead there."""
    with ExitStack() as stack:
        universe = Universe(history_of(stack, good, bad, str(repo.path), outputs))
        return universe.tree(universe.deltas)


def test_a_file_that_arrives_through_several_merges(tmp_path: Path) -> None:
    """A branch from before the good version is merged; it has a file that others have, too."""
    repo = Repo(tmp_path / "repo")
    repo.commit("root", {"a": LINES})
    repo.git("tag", "root")
    repo.commit("good", {"a": LINES + "good\n"})
    repo.git("tag", "good")
    for branch, where in (("early", "root"), ("late", "good")):
        repo.git("checkout", "-q", "-b", branch, where)
        repo.commit(branch, {"arrived": "the same\n", branch: "x\n"})
    repo.git("checkout", "-q", "main")
    for branch in ("early", "late"):
        repo.git("merge", "-q", "--no-ff", "-m", f"merged {branch}", branch)
    repo.git("mv", "early", "b")
    repo.commit("bad", {"a": None})
    for good, bad in (("good", "main"), ("main", "good"), ("early", "late"), ("late", "main")):
        with ExitStack() as stack:
            universe = Universe(history_of(stack, good, bad, str(repo.path)))
            for version, edits in ((good, ()), (bad, universe.deltas)):
                listed = repo.git("ls-tree", "-r", "--name-only", version).splitlines()
                tree = universe.tree(edits)
                assert sorted(tree) == sorted(listed)
                for path, (_, content) in tree.items():
                    assert content == repo.blob(f"{version}:{path}")


def test_a_dot_is_the_working_tree_without_what_git_ignores(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("root", {"a.txt": LINES, "gone": "1\n", ".gitignore": "*.o\n"})
    repo.write({"a.txt": LINES + "more\n", "gone": None, "new.txt": "new\n", "made.o": "made\n"})
    os.symlink("made.o", repo.path / "link")
    tree = bad_tree("HEAD", ".", repo)
    assert tree.keys() == {"a.txt", "new.txt", ".gitignore", "link"}
    assert tree["a.txt"][1] == (LINES + "more\n").encode()
    assert tree["link"] == (LINK, b"made.o")


def test_what_we_write_ourselves_is_no_change(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("root", {"a.txt": LINES, "tracked.patch": "1\n"})
    repo.write({"a.txt": "other\n", "our.patch": "2\n", "tracked.patch": "2\n"})
    outputs = [str(repo.path / name) for name in ("our.patch", "tracked.patch")]
    tree = bad_tree("HEAD", ".", repo, *outputs)
    assert tree.keys() == {"a.txt", "tracked.patch"}


def test_what_a_merge_left_open_is_as_it_is_there(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("root", {"a.txt": "1\n"})
    repo.git("checkout", "-q", "-b", "other")
    repo.commit("other", {"a.txt": "2\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("ours", {"a.txt": "3\n"})
    with pytest.raises(subprocess.CalledProcessError):
        repo.git("merge", "other")
    assert b"<<<<" in bad_tree("HEAD", ".", repo)["a.txt"][1]


def test_only_what_git_would_commit_is_a_change(tmp_path: Path) -> None:
    """Ends of lines that git converts, and what filters give, are no changes."""
    repo = Repo(tmp_path / "repo")
    repo.git("config", "filter.upper.clean", "tr a-z A-Z")
    repo.git("config", "core.safecrlf", "true")
    attributes = "*.txt text eol=crlf\n*.up filter=upper\n"
    same = {"same.txt": "1\r\n2\r\n", "same.up": "Text\n", '"odd\n".up': "Text\n"}
    repo.commit("root", {".gitattributes": attributes, "a.txt": "1\r\n2\r\n", **same})
    objects = set((repo.path / ".git" / "objects").rglob("*"))
    repo.write({"a.txt": "1\r\ntwo\r\n", "b.up": "small\n", **same})
    assert bad_tree("HEAD", ".", repo) == {
        ".gitattributes": (FILE, attributes.encode()),
        "a.txt": (FILE, b"1\ntwo\n"),
        "b.up": (FILE, b"SMALL\n"),
        "same.txt": (FILE, b"1\n2\n"),
        "same.up": (FILE, b"TEXT\n"),
        '"odd\n".up': (FILE, b"TEXT\n"),
    }
    assert set((repo.path / ".git" / "objects").rglob("*")) == objects, "nothing is written"


def test_a_submodule_that_changes_is_refused_by_name(tmp_path: Path) -> None:
    inner = Repo(tmp_path / "inner")
    inner.commit("root", {"a": "1\n"})
    repo = Repo(tmp_path / "repo")
    add = ("-c", "protocol.file.allow=always", "submodule", "--quiet", "add")
    repo.git(*add, str(inner.path), "lib")
    repo.commit("root", {"b": "1\n"})
    repo.write({"b": "2\n"})
    assert bad_tree("HEAD", ".", repo)["b"] == (FILE, b"2\n")
    repo.commit("second", {})
    Repo(repo.path / "lib").commit("more", {"a": "2\n"})
    for good, bad in (("HEAD", "."), ("HEAD~1", ".")):
        with pytest.raises(UsageError, match="'lib'") as caught:
            bad_tree(good, bad, repo)
        assert caught.value.slug == "submodule-changed"


def test_a_bare_repository_has_revisions_alone(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("root", {"a": "1\n"})
    repo.commit("second", {"a": "2\n"})
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    with ExitStack() as stack:
        history = history_of(stack, "HEAD~1", "HEAD", str(tmp_path / "bare"))
    assert history.directory == ""
    with ExitStack() as stack, pytest.raises(UsageError, match="bare") as caught:
        history_of(stack, "HEAD~1", ".", str(tmp_path / "bare"))
    assert caught.value.slug == "no-repository"


def test_what_a_shallow_clone_lacks_can_be_fetched(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("root", {"a": "1\n"})
    repo.commit("second", {"a": "2\n"})
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.path}", str(tmp_path / "clone"))
    with ExitStack() as stack, pytest.raises(UsageError) as caught:
        history_of(stack, "HEAD~1", "HEAD", str(tmp_path / "clone"))
    assert "--unshallow" in caught.value.hint


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


def test_where_there_is_no_git_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with ExitStack() as stack, pytest.raises(UsageError) as caught:
        history_of(stack, "HEAD~1", "HEAD", tmp_path)
    assert caught.value.slug == "no-git"


def test_an_object_that_a_repository_lacks_is_told(repo: Repo) -> None:
    with closing(Repository(repo.path)) as repository, pytest.raises(UsageError) as caught:
        repository.read("0" * 40)
    assert caught.value.slug == "object-missing"


def test_what_git_cannot_clean_is_told(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("root", {".gitattributes": "*.up filter=broken\n", "a.txt": "1\n"})
    repo.git("config", "filter.broken.clean", "false")
    repo.git("config", "filter.broken.required", "true")
    repo.write({"b.up": "1\n"})
    with pytest.raises(UsageError, match="filter 'broken' failed") as caught:
        bad_tree("HEAD", ".", repo)
    assert caught.value.slug == "unreadable"


def test_a_file_that_cannot_be_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No mode keeps root from it."""
    for name in ("good", "bad"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "closed").write_text(name)

    def read_bytes(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    with ExitStack() as stack, pytest.raises(UsageError, match="closed' cannot be read") as caught:
        history_of(stack, str(tmp_path / "good"), str(tmp_path / "bad"))
    assert caught.value.slug == "unreadable"
