"""A search that was killed goes on where it was."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Hashable
from pathlib import Path

import pytest

from stripe.dd import Budget, Journal, JournalMismatch, Outcome, Tester, ddmin
from tests.dd.functions import FAIL, PASS, UNRESOLVED, Needs

ROOT = Path(__file__).parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal"


def test_a_resumed_search_runs_only_what_is_missing(path: Path) -> None:
    with Journal[int](path, "example") as journal:
        ddmin(range(32), Tester(Needs(3, 17), journal=journal, budget=Budget(20)))
    whole = ddmin(range(32), Needs(3, 17))

    rest = Needs(3, 17)
    with Journal[int](path, "example", resume=True) as journal:
        assert len(journal) == 20
        result = ddmin(range(32), Tester(rest, journal=journal))

    assert result.configuration == whole.configuration
    assert result.statistics.tests == whole.statistics.tests
    assert result.statistics.resumed == 20
    assert len(rest.seen) == whole.statistics.tests - 20


def test_the_budget_is_for_new_tests(path: Path) -> None:
    for _ in range(2):
        with Journal[int](path, "example", resume=True) as journal:
            ddmin(range(32), Tester(Needs(3, 17), journal=journal, budget=Budget(10)))
    with Journal[int](path, "example", resume=True) as journal:
        assert len(journal) == 20


def test_without_resume_the_journal_begins_anew(path: Path) -> None:
    with Journal[int](path, "example") as journal:
        journal.put((1, 2), FAIL)
    with Journal[int](path, "example") as journal:
        assert journal.get((1, 2)) is None


def test_any_deltas_and_outcomes_can_be_noted(path: Path) -> None:
    configurations: list[tuple[Hashable, ...]] = [
        (),
        (1, 2),
        (12,),
        ("a", "b"),
        ("ab",),
        (2**70,),
        ((1, "x"),),
        (-1,),
        (-2,),
    ]
    outcomes = [PASS, FAIL, UNRESOLVED] * 3
    with Journal[Hashable](path, "example") as journal:
        for configuration, outcome in zip(configurations, outcomes, strict=True):
            journal.put(configuration, outcome)
    with Journal[Hashable](path, "example", resume=True) as journal:
        assert [journal.get(configuration) for configuration in configurations] == outcomes


@pytest.mark.parametrize("cut", range(1, 36))
def test_a_line_cut_off_is_ignored_and_overwritten(path: Path, cut: int) -> None:
    with Journal[int](path, "example") as journal:
        journal.put((1,), FAIL)
        journal.put((2,), PASS)
    os.truncate(path, path.stat().st_size - cut)

    for _ in range(2):
        with Journal[int](path, "example", resume=True) as journal:
            assert journal.get((1,)) is (FAIL if cut < 36 else None)
            assert len(journal) == 1
            journal.put((3,), PASS)
            path.write_bytes(path.read_bytes()[:-35])


def test_another_problem_is_refused(path: Path) -> None:
    Journal[int](path, "one").close()

    with pytest.raises(JournalMismatch, match="not a journal of this problem"):
        Journal[int](path, "two", resume=True)


def test_another_file_is_refused_and_left_alone(path: Path) -> None:
    path.write_text("precious\n")

    with pytest.raises(JournalMismatch, match="precious"):
        Journal[int](path, "one", resume=True)
    assert path.read_text() == "precious\n"


def test_subjects_are_one_line(path: Path) -> None:
    with pytest.raises(ValueError, match="one line"):
        Journal[int](path, "two\nlines")


KILLED = """
import os, signal, sys
from stripe.dd import Journal, Outcome, Tester, ddmin

tests = 0

def test(configuration):
    global tests
    tests += 1
    if tests == 15:
        os.kill(os.getpid(), signal.SIGKILL)
    return Outcome.FAIL if {"3", "17"} <= set(configuration) else Outcome.PASS

ddmin(map(str, range(32)), Tester(test, journal=Journal(sys.argv[1], "killed", resume=True)))
"""


def test_a_killed_process_loses_only_the_test_it_was_running(path: Path) -> None:
    for seed in ("1", "2"):  # hashes of strings differ from process to process
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", KILLED, str(path)], env=environment)
        assert done.returncode == -9

    with Journal[str](path, "killed", resume=True) as journal:
        assert len(journal) == 28


@pytest.mark.parametrize("outcome", [PASS, UNRESOLVED, FAIL])
@pytest.mark.parametrize("jobs", [1, 3])
def test_a_certificate_does_not_rest_on_a_journal(path: Path, outcome: Outcome, jobs: int) -> None:
    # What is in it was true when 3, 9 and 17 were needed, or when 17 alone was.
    with Journal[int](path, "example") as journal:
        tester = Tester(Needs(3, 9, 17), journal=journal)
        before = ddmin(range(32), tester)
        journal.put((3, 17), outcome)
    now = Needs(3, 17)
    with Journal[int](path, "example", resume=True) as journal:
        tester = Tester(now, journal=journal, jobs=jobs)
        result = ddmin(range(32), tester)
    assert before.configuration == (3, 9, 17)
    assert result.certified
    assert result.configuration == (3, 17)
    assert {(3,), (17,)} <= set(now.seen)
    assert tester.statistics.tests == sum(
        (tester.statistics.passed, tester.statistics.failed, tester.statistics.unresolved)
    )


def test_a_journal_that_is_forgotten(path: Path) -> None:
    with Journal[int](path, "example") as journal:
        journal.put((1, 2), FAIL)
    with Journal[int](path, "example", resume=True) as journal:
        journal.forget()
        assert journal.get((1, 2)) is None
        journal.put((1,), PASS)
    with Journal[int](path, "example", resume=True) as journal:
        assert len(journal) == 1
        assert journal.get((1,)) is PASS
        journal.put((2,), FAIL)
        length = path.stat().st_size
        journal.forget()
        assert path.stat().st_size < length
