"""Changes of files that the test never reads are left out first, where many files are changed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from stripe.changes import ChangesResult, find_changes
from stripe.changes.change_search import MANY_FILES
from stripe.errors import UsageError
from tests.changes.repositories import Repo

FILES = 2 * MANY_FILES


def numbered(text: str) -> dict[str, str | bytes | None]:
    """Many modules with that text."""
    return {f"others/m{number}.py": f"{text} = {number}\n" for number in range(FILES)}


def answer(repo: Repo, scratch: Path, test: str) -> ChangesResult:
    """The answer for the two commits of a repository, by a program as the test."""
    (scratch / "test.py").write_text(test)
    return find_changes(
        "HEAD~1",
        "HEAD",
        test=f"PYTHONPATH=. {sys.executable} {scratch / 'test.py'}",
        repo=repo.path,
        journals=scratch,
    )


def test_one_test_leaves_out_all_that_is_never_read(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("good", numbered("a") | {"main.py": "import part\n", "part.py": "x = 1\ny = 1\n"})
    repo.commit("bad", numbered("b") | {"part.py": "x = 2\ny = 2\n"})
    result = answer(repo, tmp_path, "import main\nprint(main.part.x)\nassert main.part.x == 1\n")
    first = result.levels[0]
    assert (first.name, first.before, first.after, first.tests) == ("read", FILES + 1, 1, 1)
    assert result.certified
    assert [each.path for each in result.blamed] == ["part.py"]
    assert b"+x = 2" in result.patch
    assert b"+y = 2" not in result.patch


def test_a_file_that_only_the_good_version_reads_counts(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("good", numbered("a") | {"main.py": "import part\n", "part.py": "x = 1\n"})
    repo.commit("bad", numbered("b") | {"part.py": None})
    result = answer(repo, tmp_path, "import main\n")
    assert result.levels[0].after == 1
    assert result.certified
    assert [each.path for each in result.blamed] == ["part.py"]


def test_what_is_found_by_its_absence_is_searched_for_among_all(tmp_path: Path) -> None:
    """A test that lists a folder reads none of the files in it."""
    repo = Repo(tmp_path / "repo")
    repo.commit("good", numbered("a"))
    repo.commit("bad", numbered("b") | {"others/m3.py": None})
    result = answer(repo, tmp_path, f"import os\nassert len(os.listdir('others')) == {FILES}\n")
    first = result.levels[0]
    assert (first.name, first.before, first.after) == ("read", FILES, FILES)
    assert result.certified
    assert [each.path for each in result.blamed] == ["others/m3.py"]


def test_a_linked_file_is_read_where_it_is(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    (repo.path / "part.py").symlink_to("real/part.txt")
    repo.commit("good", numbered("a") | {"real/part.txt": "x = 1\n"})
    repo.commit("bad", numbered("b") | {"real/part.txt": "x = 2\n"})
    result = answer(repo, tmp_path, "import part\nassert part.x == 1\n")
    assert result.levels[0].after == 1
    assert [each.path for each in result.blamed] == ["real/part.txt"]


def test_few_changed_files_take_no_runs_to_see_what_is_read(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("good", {"part.py": "x = 1\n", "other.py": "y = 1\n"})
    repo.commit("bad", {"part.py": "x = 2\n", "other.py": "y = 2\n"})
    result = answer(repo, tmp_path, "import part\nassert part.x == 1\n")
    assert "read" not in [level.name for level in result.levels]
    assert result.certified


def test_versions_beside_each_other_have_no_first_bad_commit(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("root", {"a": "good\n"})
    repo.git("branch", "good")
    repo.commit("bad", {"a": "bad\n"})
    repo.git("checkout", "-q", "good")
    repo.commit("ours", {"b": "1\n"})
    with pytest.raises(UsageError, match="there is no first bad commit") as caught:
        find_changes("good", "main", test="grep -q good a", repo=repo.path, bisect_first=True,
                     journals=tmp_path)  # fmt: skip
    assert caught.value.slug == "no-line"
