"""A patch makes one version the other, for git, whatever is changed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from stripe.changes.patches import patch_between
from stripe.changes.snapshots import EXECUTABLE, FILE, LINK, Tree
from tests.changes.repositories import Repo, tree_of

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

TEXT = b"".join(b"line %d\n" % number for number in range(9))
ODD = os.fsdecode(b'in "quotes"\\and\nlines\xe9')


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"a": (FILE, b"1\n")}, {"a": (FILE, b"2\r\n")}),
        ({"a": (FILE, TEXT)}, {"in/b": (FILE, TEXT)}),
        ({"in/a": (FILE, TEXT)}, {"in/b": (FILE, TEXT + b"more\n")}),
        ({"a": (FILE, b"1\n")}, {"a": (EXECUTABLE, b"1\n")}),
        ({"a": (FILE, b"1\0")}, {"a": (FILE, b"2\0")}),
        ({"a": (FILE, b"1")}, {"a": (LINK, b"b")}),
        ({"a": (LINK, b"b")}, {"a": (LINK, b"c")}),
        ({"a": (FILE, b"1\n")}, {"a/b": (FILE, b"1\n")}),
        ({"a/b": (FILE, b"1\n")}, {"a": (FILE, b"2\n")}),
        ({}, {"a": (FILE, b"")}),
        ({"a": (FILE, b"")}, {}),
        ({ODD: (FILE, b"\xe9\n")}, {ODD: (FILE, b"\xe8")}),
        ({".gitattributes": (FILE, b"* -diff text eol=crlf\n"), "a": (FILE, b"1\n")}, {}),
    ],
    ids=["text", "rename", "move", "mode", "binary", "kind", "link", "folder", "file", "empty",
         "gone", "name", "attributes"],
)  # fmt: skip
def test_git_applies_it(before: Tree, after: Tree, tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    same: Tree = {"same": (FILE, b"in both\n")}
    put(repo, before | same)
    patch = patch_between(before | same, after | same)
    assert b"same" not in patch
    (tmp_path / "patch").write_bytes(patch)
    repo.git("apply", "-p1", str(tmp_path / "patch"))
    assert tree_of(repo.path) == after | same


def test_the_same_version_needs_no_patch() -> None:
    assert patch_between({"a": (FILE, b"1\n")}, {"a": (FILE, b"1\n")}) == b""


def test_no_setting_of_the_user_changes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = patch_between({"a": (FILE, b"1\n")}, {"a": (FILE, b"2\n")})
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "diff.noprefix")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "true")
    assert patch_between({"a": (FILE, b"1\n")}, {"a": (FILE, b"2\n")}) == plain
    assert b"--- a/a\n+++ b/a\n" in plain


def put(repo: Repo, tree: Tree) -> None:
    for path, (mode, content) in tree.items():
        place = repo.path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if mode == LINK:
            place.symlink_to(os.fsdecode(content))
        else:
            place.write_bytes(content)
            place.chmod(0o755 if mode == EXECUTABLE else 0o644)
