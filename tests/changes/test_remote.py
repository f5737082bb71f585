"""Tests in other processes: the same answer, whatever becomes of them."""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import zlib
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from stripe.campaign.workers import STORE
from stripe.changes import ChangesResult, find_changes
from stripe.changes.remote import Package, Remote, look
from stripe.changes.snapshots import EXECUTABLE, FILE, LINK, Tree, digest_of
from stripe.changes.trial import Task, Trial, Verdict
from stripe.dd import Outcome, open_executor
from stripe.errors import NotReducible

GOOD: Tree = {"a": (FILE, b"1\n2\n"), "b": (FILE, b"1\n"), "c": (LINK, b"a")}
BAD: Tree = {"a": (FILE, b"1\ntwo\n"), "b": (EXECUTABLE, b"1\n"), "d/e": (FILE, b"new\n")}
TASK = Task("! grep two a")


@pytest.fixture
def versions(tmp_path: Path) -> Path:
    """Two versions: with both the second and the seventh line changed the test fails."""
    lines = [f"line {number}\n" for number in range(10)]
    for name, changed in (("good", ()), ("bad", (1, 3, 4, 7, 8))):
        (tmp_path / name).mkdir()
        text = "".join(line.replace("line", "new") if number in changed else line
                       for number, line in enumerate(lines))  # fmt: skip
        (tmp_path / name / "a").write_text(text)
        (tmp_path / name / "same").write_text("in both\n")
    return tmp_path


def find(
    versions: Path, test: str = "cat same && ! (grep 'new 1' a && grep 'new 7' a)", **options: Any
) -> ChangesResult:
    good, bad = str(versions / "good"), str(versions / "bad")
    return find_changes(good, bad, test=test, journals=versions, granularity="hunk,line", **options)


def told(result: ChangesResult) -> object:
    """The answer, and how it was come by."""
    return result.patch, result.blamed, result.outcomes, result.levels, result.certified


def test_the_same_answer_from_what_was_sent_alone(versions: Path) -> None:
    """The versions themselves are gone when the search begins."""
    alone = find(versions)
    assert [line for blamed in alone.blamed for line in blamed.lines if "new" in line] == [
        "+new 1",
        "+new 7",
    ]

    def gone(make: Callable[[], bytes]) -> None:
        shutil.rmtree(versions / "good", ignore_errors=True)
        shutil.rmtree(versions / "bad", ignore_errors=True)

    with open_executor("processes", 2) as processes:
        sent = find(versions, executor=processes, jobs=2, improved=gone)
    assert told(sent) == told(alone)
    assert sent.notes == alone.notes
    assert any("lines of its output are compared" in note for note in alone.notes)


def test_what_dead_workers_do_not_answer_is_tested_here(versions: Path) -> None:
    alone = find(versions)
    with open_executor("processes", 2) as processes:
        at_work: list[int] = []

        def kill(progress: object) -> None:
            if not at_work:
                at_work.extend(processes._processes)  # type: ignore[attr-defined]
                for number in at_work:
                    os.kill(number, signal.SIGKILL)

        sent = find(versions, executor=processes, jobs=2, progress=kill)
    assert at_work
    assert told(sent) == told(alone)
    note, *others = sent.notes
    assert "BrokenProcessPool" in note
    assert tuple(others) == alone.notes


@pytest.mark.parametrize(
    ("version", "also"), [("bad", '-o "$WHERE" != here'), ("good", '-a "$WHERE" = here')]
)
def test_a_worker_on_which_a_version_does_something_else_is_told(
    versions: Path, version: str, also: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the commands need besides the version may be another thing there."""
    test = f"grep 'line 1' a; test $? = 0 {also}"
    monkeypatch.setenv("WHERE", "here")
    with open_executor("processes", 1) as processes:
        processes.submit(exec, "import os; os.environ['WHERE'] = 'there'").result()
        with pytest.raises(NotReducible, match=f"the {version} version") as error:
            find(versions, test, executor=processes)
    assert error.value.slug == "worker-differs"


@pytest.fixture
def asked() -> list[bool]:
    """For each question, whether the package came with it."""
    return []


@pytest.fixture
def remote(asked: list[bool]) -> Remote:
    """What sends questions to a thread of this process, which answers as a worker does."""

    class Thread(ThreadPoolExecutor):
        def submit(self, function: Callable[..., Any], /, *words: Any, **more: Any) -> Any:
            asked.append(words[-1] is not None)
            return super().submit(function, *words, **more)

    executor: Executor = Thread(1)
    with Trial(TASK) as here:
        return Remote(executor, here, Package(TASK, GOOD, BAD, here.reference(BAD)))


def test_the_package_is_sent_once_and_again_to_who_has_forgotten(
    remote: Remote, asked: list[bool]
) -> None:
    assert remote.verdict(GOOD).outcome is Outcome.PASS
    assert remote.verdict(BAD).outcome is Outcome.FAIL
    assert asked == [False, True, False]
    STORE.close()
    assert remote.verdict({"a": (FILE, b"two\n")}).outcome is Outcome.FAIL
    assert asked == [False, True, False, False, True]
    STORE.close()


def test_what_is_not_what_was_sent_is_no_answer(remote: Remote) -> None:
    package = remote._packed
    question = zlib.compress(pickle.dumps(({"a": (FILE, b"two\n")}, digest_of(GOOD))))
    with pytest.raises(ValueError, match="another version"):
        look(remote._mark, question, package)
    STORE.close()


def test_who_asks_when_the_search_is_over_gets_no_test(remote: Remote) -> None:
    remote._executor.shutdown()
    assert remote.verdict(BAD) == Verdict(Outcome.UNRESOLVED, "the search is over")


@pytest.mark.parametrize(
    "tree",
    [GOOD, BAD, {}, {"a": (FILE, b"3\n"), "b": (FILE, b"1\n")}, {**GOOD, "d/e": (LINK, b"../a")}],
    ids=["good", "bad", "empty", "gone", "more"],
)
def test_a_version_is_sent_as_what_differs(remote: Remote, tree: Tree) -> None:
    package = remote._package
    difference = package.difference(tree)
    assert package.version(difference) == tree
    assert not any(isinstance(sent, tuple) and sent in BAD.values() for sent in difference.values())
