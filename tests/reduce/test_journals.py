"""A search that ended early goes on where it was."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from stripe.checks import parse_check
from stripe.dd import Reason
from stripe.reduce import Journals, Result, Settings, reduce
from tests.support.fake import SAMPLE, SAMPLE_INPUT, FakeRecording, record

ALGORITHMS = ("auto", "ddmin", "sweep")


def search(
    folder: Path,
    *,
    resume: bool = False,
    identity: bytes = b"",
    check: str = "stdout",
    algorithm: str = "ddmin",
    max_tests: int | None = None,
) -> tuple[FakeRecording, Result]:
    recording = record(SAMPLE, SAMPLE_INPUT)
    settings = Settings(
        algorithm=algorithm, max_tests=max_tests, journals=Journals(folder, identity, resume)
    )
    return recording, reduce(recording, [parse_check(check)], settings)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_no_test_is_repeated(tmp_path: Path, algorithm: str) -> None:
    _, whole = search(tmp_path / "other", algorithm=algorithm)
    assert whole.slices[0].tests > 15
    first, part = search(tmp_path, algorithm=algorithm, max_tests=15)
    second, rest = search(tmp_path, algorithm=algorithm, resume=True)

    assert part.slices[0].stopped is Reason.MAX_TESTS
    assert rest.slices[0].certified
    assert rest.slices[0].events == whole.slices[0].events
    assert rest.slices[0].tests == whole.slices[0].tests
    assert rest.slices[0].resumed == 15
    # But for what is always run: all events, none, the answer in a fresh process; and what the
    # guided search wants to have seen for itself.
    again = set(first.replays[2:-1]) & set(second.replays[2:-1])
    assert len(again) <= (2 if algorithm == "auto" else 0)


def test_without_resume_it_begins_anew(tmp_path: Path) -> None:
    search(tmp_path, max_tests=15)
    _, result = search(tmp_path)
    assert result.slices[0].resumed == 0


def test_nothing_is_kept_of_a_search_that_came_to_its_end(tmp_path: Path) -> None:
    search(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("other", [{"identity": b"other input"}, {"check": "stdout:/^sum/"}])
def test_another_problem_is_not_resumed(tmp_path: Path, other: dict[str, str]) -> None:
    search(tmp_path, max_tests=15)
    _, result = search(tmp_path, resume=True, **other)  # type: ignore[arg-type]
    assert result.slices[0].resumed == 0
    assert any("to resume" in note for note in result.notes)


def test_a_journal_with_nonsense_in_it_is_not_used(tmp_path: Path) -> None:
    search(tmp_path, max_tests=15)
    (path,) = tmp_path.iterdir()
    path.write_bytes(b"nonsense\n" * 100)
    _, result = search(tmp_path, resume=True)
    assert result.slices[0].certified
    assert result.slices[0].resumed == 0


def test_one_journal_is_for_one_search_at_a_time(tmp_path: Path) -> None:
    recording = record(SAMPLE, SAMPLE_INPUT)
    criterion = parse_check("stdout").reference(recording.recorded)
    journals = Journals(tmp_path, b"")
    with (
        journals.open(recording, criterion, strict=False) as mine,
        journals.open(recording, criterion, strict=False) as yours,
    ):
        assert mine is not None
        assert yours is None


def test_a_folder_that_cannot_be_made_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    _, result = search(tmp_path / "file" / "journals")
    assert result.slices[0].certified


def test_journals_nobody_came_back_for_are_removed(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.write_text("")
    os.utime(old, (0, 0))
    search(tmp_path, max_tests=15)
    assert not old.exists()


def test_what_replays_read_and_the_recorded_run_did_not(tmp_path: Path) -> None:
    # All that the search before took away could go then, and cannot any more.
    search(tmp_path, max_tests=15)
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes().replace(b" P\n", b" F\n").replace(b" U\n", b" F\n"))
    _, result = search(tmp_path, resume=True)
    _, whole = search(tmp_path / "other")
    assert result.slices[0].certified
    assert result.slices[0].verified
    assert result.slices[0].events == whole.slices[0].events
    assert any("does not hold any more" in note for note in result.notes)


def test_a_basis_that_cannot_be_read(tmp_path: Path) -> None:
    search(tmp_path, max_tests=15)
    (path,) = tmp_path.iterdir()
    head, _, rest = path.read_bytes().partition(b"[")
    path.write_bytes(head + b"{" + rest)
    _, result = search(tmp_path, resume=True)
    assert result.slices[0].resumed == 0
    assert any("cannot be read" in note for note in result.notes)


def test_the_environment_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHLVL", "1")
    search(tmp_path, max_tests=15)
    monkeypatch.setenv("SHLVL", "2")
    _, result = search(tmp_path, resume=True, max_tests=15)
    assert result.slices[0].resumed > 0
    monkeypatch.setenv("SOMETHING", "1")
    _, result = search(tmp_path, resume=True)
    assert result.slices[0].resumed == 0
    assert any("SOMETHING is new" in note for note in result.notes)
