"""Before a search: is there a question at all, and is the test steady?"""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from stripe.backend import End, Observation
from stripe.changes.preconditions import ensure_a_question, require_another_folder
from stripe.changes.snapshots import FILE, History, Snapshot, Tree
from stripe.changes.trial import HEARD, Task, Trial, Verdict
from stripe.checks.crash import Signature
from stripe.dd import Outcome
from stripe.errors import NotReducible, UsageError

HISTORY = History(Snapshot({}, lambda name: b""), (), "v1", "v2", "")
GOOD: Tree = {"a": (FILE, b"good\n")}
BAD: Tree = {"a": (FILE, b"bad\n")}


class Scripted(Trial):
    """A trial whose runs end with these exit statuses, one after the other."""

    def __init__(self, statuses: list[int], repeat: int = 1) -> None:
        super().__init__(Task("test", repeat=repeat))
        self.left = list(statuses)
        undenied = SimpleNamespace(runner=SimpleNamespace(denied=lambda: None))
        self.places.place = lambda **how: nullcontext(undenied)  # type: ignore[method-assign, assignment]

    def _observe(self, place: object, tree: Tree, key: object, *, cached: bool = True) -> Any:
        return Observation(End.EXITED, self.left.pop(0), b"", b"", Path(), seconds=0.0)


def begin(statuses: list[int], repeat: int = 1) -> Signature:
    trial = Scripted(statuses, repeat)
    found = ensure_a_question(trial, HISTORY, GOOD, BAD)
    assert trial.left == []
    return found


def test_the_failure_of_the_bad_version() -> None:
    assert begin([3, 3, 0, 0]) == Signature(End.EXITED, 3)


@pytest.mark.parametrize(
    ("statuses", "slug", "says"),
    [
        ([0, 0], "does-not-fail", "order GOOD BAD"),
        ([125, 0], "does-not-fail", "order GOOD BAD"),
        ([0, 1], "does-not-fail", "stripe changes v2 v1"),
        ([1, 0], "flaky", "--repeat"),
        ([1, 2], "flaky", "--repeat"),
        ([1, 1, 1], "good-fails", "order GOOD BAD"),
        ([1, 1, 125], "good-fails", "order GOOD BAD"),
        ([1, 1, 0, 1], "flaky", "--repeat"),
    ],
)
def test_what_is_no_question(statuses: list[int], slug: str, says: str) -> None:
    with pytest.raises(NotReducible) as caught:
        begin(statuses)
    assert caught.value.slug == slug
    assert says in caught.value.hint


def test_with_repeat_the_majority_decides() -> None:
    begin([0, 1, *(0, 1, 1), *(0, 1, 0), *(0, 0)], repeat=3)
    with pytest.raises(NotReducible, match="no outcome has a majority"):
        begin([1, *(0, 1, 125)], repeat=3)


def test_what_a_test_says_is_kept_in_part() -> None:
    """A test may say megabytes, and many tests are remembered."""
    with Trial(Task("yes line | head -c 3000000; echo last; exit 125")) as trial:
        verdict = trial.verdict(BAD)
    assert verdict.outcome is Outcome.UNRESOLVED
    assert verdict.said.startswith(b"line\nline\n")
    assert verdict.said.endswith(b"line\nlast\n")
    assert len(verdict.said) < 3 * HEARD


def test_a_bad_version_that_hangs_is_told() -> None:
    with Trial(Task("sleep 1000", timeout=0.2)) as trial, pytest.raises(NotReducible) as caught:
        ensure_a_question(trial, HISTORY, GOOD, BAD)
    assert caught.value.slug == "program-hangs"
    assert Verdict(Outcome.UNRESOLVED, "the test took too long") == verdict_of("sleep 1000")


def test_a_bad_version_that_does_not_build_is_told() -> None:
    task = Task("true", build="echo no compiler; exit 3")
    with Trial(task) as trial, pytest.raises(NotReducible, match="no compiler") as caught:
        ensure_a_question(trial, HISTORY, GOOD, BAD)
    assert caught.value.slug == "does-not-build"


def verdict_of(test: str) -> Verdict:
    with Trial(Task(test, timeout=0.2)) as trial:
        return trial.verdict(GOOD)


@pytest.mark.parametrize(
    ("path", "content", "own"),
    [
        ("tool/stripe/one.py", b"now\n", False),
        ("tool/stripe/one.py", b"then\n", True),
        ("tool/stripe/gone.py", b"now\n", True),
        ("tool/stripes/one.py", b"then\n", False),
        ("one.py", b"then\n", False),
    ],
)
def test_its_own_files_are_not_those_of_another_version(
    path: str, content: bytes, own: bool, tmp_path: Path
) -> None:
    package = tmp_path / "tool" / "stripe"
    package.mkdir(parents=True)
    (package / "one.py").write_text("now\n")
    refused = pytest.raises(UsageError, match="git clone") if own else nullcontext()
    with refused as caught:
        require_another_folder(str(tmp_path), {path: (FILE, content)}, package)
    assert caught is None or caught.value.slug == "own-checkout"
