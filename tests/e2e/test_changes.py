"""``stripe changes`` through the real command: repositories, builds, and what is left of them."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess

import pytest

from tests.changes.repositories import Repo
from tests.e2e.harness import Room, Run, snapshot
from tests.support.killing import kill
from tests.support.patience import wait_until

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

LIB = """\
def total(values):
    result = 0
    for value in values:
        result += value
    return result


def mean(values):
    return total(values) / len(values)
"""

TEST = """\
from lib import mean

assert mean([1, 2, 3]) == 2, mean([1, 2, 3])
"""


@pytest.fixture
def repo(room: Room) -> Repo:
    """Four commits: the third, which adds a function as well, breaks what the test looks at."""
    repo = Repo(room.work)
    repo.commit("first", {"lib.py": LIB, "test.py": TEST})
    documented = '"""Sums and means."""\n\n\n' + LIB
    repo.commit("documented", {"lib.py": documented})
    size = documented.replace("result = 0", "result = 1").replace("len(values)", "size(values)")
    repo.commit("with a size", {"lib.py": size + "\n\ndef size(values):\n    return len(values)\n"})
    repo.git("mv", "lib.py", "sums.py")
    repo.commit("renamed", {"test.py": TEST.replace("lib", "sums")})
    return repo


def changes(room: Room, *arguments: str, good: str = "HEAD~3", bad: str = "HEAD") -> Run:
    """``stripe changes`` with the result as JSON."""
    test = () if "--test" in arguments else ("--test", "python3 test.py")
    return room.stripe(
        *("changes", good, bad, *test, "--json", "-", *arguments), writes=("changes.patch",)
    )


def lines(run: Run) -> list[str]:
    """The lines blamed."""
    return [line for each in run.result["blamed"] for line in each["lines"]]


def test_the_line_to_blame_with_its_function_and_commit(room: Room, repo: Repo) -> None:
    run = changes(room)
    assert run.status == 0, run
    assert lines(run) == ["-    result = 0", "+    result = 1"]
    (blamed,) = run.result["blamed"]
    assert (blamed["functions"], blamed["subject"]) == (["total"], "with a size")
    assert run.result["certified"]
    assert run.result["verified"]
    # The patch is one for the good version, and makes it fail.
    repo.git("checkout", "-q", "HEAD~3")
    repo.git("apply", "changes.patch")
    assert subprocess.run(["python3", "test.py"], cwd=room.work, check=False).returncode == 1


def test_several_jobs_find_the_same(room: Room, repo: Repo) -> None:
    assert lines(changes(room, "--jobs", "2")) == ["-    result = 0", "+    result = 1"]


def test_coarser_answers_on_demand(room: Room, repo: Repo) -> None:
    run = changes(room, "--granularity", "commit")
    assert [each["subject"] for each in run.result["blamed"]] == ["with a size"]
    assert run.result["granularity"] == "commit"


def test_bisecting_first_looks_into_the_first_bad_commit_alone(room: Room, repo: Repo) -> None:
    run = changes(room, "--bisect-first")
    assert lines(run) == ["-    result = 0", "+    result = 1"]
    assert run.result["levels"][0]["granularity"] == "bisect"
    assert any("documented" in note for note in run.result["notes"])
    repo.git("checkout", "-q", "HEAD~2")
    repo.git("apply", "changes.patch")


def test_the_page_and_the_parts_of_the_report(room: Room, repo: Repo) -> None:
    run = room.stripe(
        *("changes", "HEAD~3", "HEAD", "--test", "python3 test.py", "--granularity", "commit"),
        *("--html", "page.html", "--show", "story,tests"),
        writes=("changes.patch", "page.html"),
    )
    assert run.status == 0, run
    assert "── what tests have shown" in run.out
    assert "shows it" in run.out
    assert "the answer" in run.out
    assert "diff --git" not in run.out
    page = (room.work / "page.html").read_text()
    # The reports are made again from what was written.
    room.file("r.json", json.dumps(changes(room, "--granularity", "commit").result))
    again = room.stripe("show", "r.json", "--show", "story,tests")
    assert again.out.partition(" tests ")[0] == run.out.partition(" tests ")[0]
    room.stripe("show", "r.json", "--show", "source").refused("bad-option", status=2)
    room.stripe("show", "r.json", "--sarif", "-").refused("bad-option", status=2)
    assert "with a size" in page
    assert '<td class="c"><span class="sr">added </span><code>' in page
    room.stripe("changes", "a", "b", "--test", "true", "--show", "trees").refused(
        "bad-option", status=2
    )


def test_the_working_tree_against_the_last_commit(room: Room, repo: Repo) -> None:
    repo.write({"sums.py": (room.work / "sums.py").read_text().replace("result = 1", "result = 0")})
    repo.git("commit", "-qam", "repaired")
    repo.write({"sums.py": (room.work / "sums.py").read_text().replace("/ size", "// 2 / size")})
    run = changes(room, good="HEAD", bad=".")
    assert run.status == 0, run
    assert lines(run)[1] == "+    return total(values) // 2 / size(values)"


def test_another_failure_is_no_failure(room: Room) -> None:
    """Without the first change the second one ends in a NameError, which nobody asked about."""
    repo = Repo(room.work)
    repo.commit("good", {"a.py": "limit = 3\nprint(limit)\n"})
    repo.commit("bad", {"a.py": "border = 0\nprint(1 / border)\n"})
    run = changes(room, "--test", "python3 a.py", good="HEAD~1")
    assert sorted(lines(run))[:2] == ["+border = 0", "+print(1 / border)"]
    assert "ZeroDivisionError" in run.result["failure"]["answer"]


def test_a_check_says_what_a_failure_is(room: Room) -> None:
    repo = Repo(room.work)
    repo.commit("good", {"a.py": "print(1)\nprint(2)\nprint(3)\n"})
    repo.commit("bad", {"a.py": "print(1)\nprint('two')\nprint('three')\n"})
    run = changes(room, "--test", "python3 a.py", "--check", "stdout:/two/", good="HEAD~1")
    assert lines(run) == ["-print(2)", "+print('two')"]


@pytest.mark.skipif(
    shutil.which("gcc") is None or shutil.which("make") is None, reason="needs gcc and make"
)
def test_versions_are_built_and_what_does_not_build_is_completed(room: Room) -> None:
    repo = Repo(room.work)
    makefile = "CFLAGS = -Wall -Werror\nprogram: main.o lib.o\n\tcc -o $@ $^\nmain.o lib.o: lib.h\n"
    main = '#include <stdio.h>\n#include "lib.h"\nint main(void) {\n    printf("%d\\n", %s);\n}\n'
    good = {
        "Makefile": makefile,
        "lib.h": "int twice(int a);\n",
        "lib.c": '#include "lib.h"\nint twice(int a) {\n    return 2 * a;\n}\n',
        "main.c": main.replace("%s", "twice(2)"),
    }
    bad = {
        "lib.h": "int twice(int a, int b);\n",
        "lib.c": '#include "lib.h"\nint twice(int a, int b) {\n    return b * a;\n}\n',
        "main.c": main.replace("%s", "twice(2, 3)"),
        "notes.txt": "nobody reads them\n",
    }
    repo.commit("good", good)
    repo.commit("bad", {**bad})
    run = changes(room, "--build", "make", "--test", 'test "$(./program)" = 4', good="HEAD~1")
    assert run.status == 0, run
    assert {each["path"] for each in run.result["blamed"]} == {"lib.h", "lib.c", "main.c"}
    assert run.result["verified"]
    assert any("build" in why for why in run.result["undecided"])


def test_a_folder_of_a_version_is_not_hidden_by_that_of_the_user(room: Room) -> None:
    """The user's environments stand beside a version, not in the place of its own folders."""
    repo = Repo(room.work)
    repo.commit("good", {"vendor/a": "1\n", "b": "1\n", ".gitignore": "venv\n"})
    repo.commit("bad", {"vendor/a": "2\n", "b": "2\n"})
    repo.write({"venv/c": "of the user\n"})
    run = changes(room, "--test", "test -e venv/c || exit 125; grep -q 1 vendor/a", good="HEAD~1")
    assert lines(run) == ["-1", "+2"]
    assert [each["path"] for each in run.result["blamed"]] == ["vendor/a"]


def test_two_folders(room: Room) -> None:
    for name, limit in (("good", 3), ("bad", 0)):
        room.file(f"{name}/a.py", f"limit = {limit}\nprint(6 / limit)\n")
        room.file(f"{name}/notes", f"of the {name} version\n")
    run = changes(room, "--test", "python3 a.py", good="good", bad="bad")
    assert lines(run) == ["-limit = 3", "+limit = 0"]


@pytest.mark.parametrize(
    ("test", "slug"), [("true", "does-not-fail"), ("false", "good-fails")], ids=["well", "never"]
)
def test_versions_that_are_no_question(room: Room, repo: Repo, test: str, slug: str) -> None:
    run = room.stripe("changes", "HEAD~3", "HEAD", "--test", test)
    run.refused(slug, status=1)


def test_requests_that_cannot_be_understood(room: Room, repo: Repo) -> None:
    for words, slug in (
        (("HEAD",), "no-versions"),
        (("HEAD~1", "HEAD"), "no-test"),
        (("HEAD~1", "HEAD", "--test", "true", "--granularity", "word"), "unknown-granularity"),
        (("HEAD~1", "nowhere", "--test", "true"), "no-such-revision"),
        (("HEAD~1", "HEAD", "--test", "true", "--algorithm", "magic"), "unknown-algorithm"),
        (("HEAD~1", "HEAD", "--test", "true", "--executor", "cloud"), "bad-executor"),
    ):
        room.stripe("changes", *words).refused(slug, status=2)


def test_what_tests_do_to_a_version_is_gone_for_the_next_one(room: Room) -> None:
    repo = Repo(room.work)
    repo.commit("good", {"a": "1\n2\n3\n", "b": "1\n"})
    repo.commit("bad", {"a": "one\n2\nthree\n", "b": "1\n2\n"})
    test = "test ! -e left && touch left && rm b && grep -q three a && exit 1; echo x > a; exit 0"
    run = changes(room, "--test", test, good="HEAD~1")
    assert lines(run) == ["-3", "+three"]


@pytest.mark.parametrize("build", [(), ("--build", "true")], ids=["cleared", "kept"])
def test_what_takes_the_place_of_a_folder_leads_nowhere(room: Room, build: tuple[str, ...]) -> None:
    """Nor does a test see another version when the folder it runs in was replaced."""
    room.file(".precious/a", "precious\n")
    good, bad = {"in/a": "1\n", "in/b": "1\n"}, {"in/a": "2\n", "in/b": "2\n"}
    for name, files in (("good", good), ("bad", bad)):
        for path, text in files.items():
            room.file(f"{name}/{path}", text)
    test = (
        f"grep -q 2 in/a; found=$?; rm -rf in; ln -s {room.work}/.precious in; "
        "cd $(dirname $TMPDIR) && mv tree gone && mkdir tree && test $found = 1"
    )
    run = changes(room, *build, "--test", test, good="good", bad="bad")
    assert lines(run) == ["-1", "+2"]
    assert run.result["certified"]


def test_a_test_that_does_harm_does_none(room: Room, repo: Repo) -> None:
    precious = room.file(".git/precious", "precious\n")
    test = f"rm -rf {room.work}/* {precious}; git init -q . ; python3 test.py; exit 1"
    run = room.stripe("changes", "HEAD~3", "HEAD", "--test", f"{test}")
    run.refused("good-fails", status=1)


@pytest.mark.parametrize(
    ("number", "more"),
    [(signal.SIGKILL, ("--build", "sleep 0.1", "--jobs", "2")), (signal.SIGINT, ())],
    ids=["build", "test"],
)
def test_however_it_ends_the_repository_is_as_it_was(
    room: Room, repo: Repo, number: signal.Signals, more: tuple[str, ...]
) -> None:
    """:class:`Room` compares all that is there, ``.git`` included, byte for byte."""
    unfinished(repo)
    status = repo.git("status", "--porcelain=v2")
    before = snapshot(room.work)
    process = room.start("changes", "HEAD~3", ".", "--test", "sleep 0.2; python3 test.py", *more)
    with room.never_outlived_by(process):
        wait_until(lambda: (room.work / "changes.patch").exists() or bool(process.poll()))
        process.send_signal(number)
        process.communicate()
    (room.work / "changes.patch").unlink()
    after = snapshot(room.work)
    del after["."], before["."]  # the patch came and went
    assert after == before
    assert repo.git("status", "--porcelain=v2") == status
    room.must_be_clean()


def unfinished(repo: Repo) -> None:
    """Leave something in the stash, in the index and in the working tree."""
    repo.write({"test.py": "stashed\n"})
    repo.git("stash")
    repo.write({"notes": "staged\n"})
    repo.git("add", "notes")
    repo.write({"notes": "changed since\n", "new": "nobody knows it\n"})


def test_what_is_left_when_all_is_killed_at_once_goes_with_the_next_run(
    room: Room, repo: Repo
) -> None:
    process = room.start("changes", "HEAD~3", "HEAD", "--test", "sleep 0.2; python3 test.py")
    with room.never_outlived_by(process):
        wait_until(lambda: (room.work / "changes.patch").exists() or bool(process.poll()))
        for cleaner in room.numbers("trap"):
            kill(cleaner)
        process.kill()
        process.communicate()
    wait_until(lambda: not room.processes())
    (room.work / "changes.patch").unlink()
    (left,) = room.tmp.iterdir()
    os.utime(left, (0, 0))
    changes(room, "--granularity", "commit")  # and the room is clean


def test_a_search_that_was_ended_goes_on(room: Room, repo: Repo) -> None:
    first = changes(room, "--max-tests", "4")
    assert first.result["stopped"] == "max-tests"
    assert not first.result["certified"]
    (room.work / "changes.patch").unlink()
    again = changes(room, "--resume")
    assert again.result["tests"]["resumed"] > 0
    assert lines(again) == ["-    result = 0", "+    result = 1"]


def test_outcomes_of_another_test_script_are_not_used(room: Room, repo: Repo) -> None:
    script = room.elsewhere / "test.sh"
    script.write_text("python3 test.py\n")
    test = ("--test", f"sh {script}", "--granularity", "commit")
    assert changes(room, *test, "--max-tests", "1").result["tests"]["executed"] > 0
    (room.work / "changes.patch").unlink()
    script.write_text("python3 -u test.py\n")
    again = changes(room, *test, "--resume")
    assert again.result["tests"]["resumed"] == 0
    assert str(script) in again.result["notes"][0]


GOOD_WINDOW = """\
def window(items, start, stop):
    if start is not None and start < 0:
        start = max(len(items) + start, 0)
    return items[start:stop]
"""
BAD_WINDOW = """\
def window(items, start, stop):
    if start is not None:
        start = start + 1
    return items[start:stop]
"""


def test_an_answer_fails_with_the_words_of_the_bad_version(room: Room) -> None:
    """Without the condition it fails at the same place, and yields [] where bad yields [2]."""
    check = "from slots import window\nr = window([0, 1, 2, 3], 1, 3)\nassert r == [1, 2], r\n"
    for version, text in (("good", GOOD_WINDOW), ("bad", BAD_WINDOW)):
        folder = room.work / version
        folder.mkdir()
        (folder / "slots.py").write_text(text)
        (folder / "check.py").write_text(check)
    run = changes(room, "--test", "python3 check.py", good="good", bad="bad")
    found = json.loads(run.out)
    assert found["certified"]
    assert found["verified"]
    added = [each[1:] for each in found["patch"].splitlines() if each.startswith("+ ")]
    assert added == [each for each in BAD_WINDOW.splitlines() if each not in GOOD_WINDOW]
    assert any(
        "1 line of its output" in " ".join(note.split()) or "lines of its output" in note
        for note in found["notes"]
    )


def test_a_silent_test_is_told(room: Room) -> None:
    """Any failure counts as that of the bad version then."""
    for version, text in (("good", "0"), ("bad", "1")):
        (room.work / version).mkdir()
        (room.work / version / "n.py").write_text(f"n = {text}\n")
    run = changes(room, "--test", "test $(cat n.py | tail -c 2) = 0", good="good", bad="bad")
    assert any("does not say how it fails" in note for note in json.loads(run.out)["notes"])
