"""Several jobs: the same questions and answers as with one, sooner."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from stripe.dd import (
    ALGORITHMS,
    Budget,
    Configuration,
    MissingExtra,
    Outcome,
    Tester,
    TestEvent,
    certify,
    ddmin,
    open_executor,
    scheduler,
)
from stripe.dd.published import PUBLISHED
from tests.dd.functions import FAIL, PASS, UNRESOLVED, Needs, Table
from tests.support.patience import PATIENCE

SEARCHES = {**ALGORITHMS, **PUBLISHED}


def some_table(seed: int, count: int = 8) -> Table:
    source = random.Random(seed)
    outcomes = source.choices([PASS, FAIL, UNRESOLVED], [2, 1, 1], k=2**count)
    outcomes[0], outcomes[-1] = PASS, FAIL
    return Table(outcomes)


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("seed", range(3))
def test_questions_and_answers_do_not_depend_on_the_number_of_jobs(name: str, seed: int) -> None:
    table = some_table(seed)

    def uneven(configuration: Configuration[int]) -> Outcome:
        time.sleep(hash(configuration) % 3 / 2000)
        return table(configuration)

    def run(jobs: int):
        events: list[TestEvent[int]] = []
        result = SEARCHES[name](
            range(table.count), Tester(uneven, jobs=jobs, listeners=[events.append])
        )
        asked = [(event.number, event.configuration, event.cached) for event in events]
        return result.configuration, result.certificate, result.statistics.tests, asked

    assert run(1) == run(2) == run(5)


def test_losers_are_told_to_end_and_not_waited_for() -> None:
    """The tests of 2 and 3 hang until they are cancelled."""
    both_run = threading.Barrier(2)
    ended: dict[Configuration[int], threading.Event] = {
        (2,): threading.Event(),
        (3,): threading.Event(),
    }

    def test(configuration: Configuration[int]) -> Outcome:
        both_run.wait(PATIENCE)
        if configuration in ended:
            assert ended[configuration].wait(PATIENCE)
            return UNRESOLVED
        return FAIL

    tester = Tester(test, jobs=2, cancel=lambda configuration: ended[configuration].set())
    assert tester.test((0,), [(2,)]) is FAIL
    assert tester.test((1,), [(3,)]) is FAIL
    tester.cancel_ahead()

    assert all(event.is_set() for event in ended.values())
    assert (tester.statistics.tests, tester.statistics.speculated) == (2, 2)


def test_a_loser_that_cannot_be_ended_is_used_if_it_is_asked_for_after_all() -> None:
    go_on = threading.Event()
    seen: list[Configuration[int]] = []

    def test(configuration: Configuration[int]) -> Outcome:
        seen.append(configuration)
        if configuration == (2,):
            assert go_on.wait(PATIENCE)
        return FAIL

    tester = Tester(test, jobs=2)
    tester.test((1,), [(2,)])
    tester.test((3,), [(4,)])
    go_on.set()
    tester.test((2,))
    tester.cancel_ahead()

    assert seen.count((2,)) == 1


def test_an_error_in_a_test_nobody_asked_for_is_dropped() -> None:
    def test(configuration: Configuration[int]) -> Outcome:
        if configuration == (2,):
            raise OSError("disk full")
        time.sleep(0.01)
        return FAIL

    tester = Tester(test, jobs=2)
    assert tester.test((1,), [(2,)]) is FAIL
    with pytest.raises(OSError, match="disk full"):
        tester.test((2,))
    tester.cancel_ahead()


def test_no_more_tests_are_started_than_the_budget_allows() -> None:
    test = Needs(1)
    tester = Tester(test, jobs=4, budget=Budget(2))
    tester.test((1,), [(2,), (3,), (4,)])
    tester.cancel_ahead()

    assert len(test.seen) <= 2


@pytest.mark.parametrize("limit", [None, 5])
@pytest.mark.parametrize("name", SEARCHES)
def test_no_thread_is_left_behind(name: str, limit: int | None) -> None:
    """Nor waits for more while its tester is there, however the search ended."""
    before = set(threading.enumerate())
    tester = Tester(Needs(1, 6), jobs=3, budget=Budget(limit))
    SEARCHES[name](range(8), tester)

    for thread in set(threading.enumerate()) - before:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    assert tester.statistics.tests


def test_tests_can_run_in_processes() -> None:
    with open_executor("processes", 2) as executor:
        tester = Tester(Needs(3, 17), jobs=2, executor=executor)
        assert ddmin(range(32), tester).configuration == (3, 17)


SCRIPT = """
from stripe.dd import Tester, open_executor, splitting

def test(configuration):
    return {3, 7} <= set(configuration)

def search():
    with open_executor("processes", 2) as executor:
        print(splitting(range(10), Tester(test, jobs=2, executor=executor)).configuration)

"""


def script(path: Path, end: str) -> subprocess.CompletedProcess[str]:
    path.write_text(SCRIPT + end)
    return subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=PATIENCE)


def test_a_script_that_starts_processes_needs_a_main_guard(tmp_path: Path) -> None:
    ended = script(tmp_path / "careless.py", "search()")
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.count("Traceback") == 1
    assert "MissingMainGuard" in ended.stderr
    assert ended.stderr.endswith('Put it under\n\n    if __name__ == "__main__":\n')

    ended = script(tmp_path / "careful.py", 'if __name__ == "__main__":\n    search()')
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "(3, 7)\n", "")


def test_any_executor_will_do() -> None:
    with ThreadPoolExecutor(3) as executor:
        tester = Tester(Needs(3, 17), jobs=3, executor=executor)
        assert certify((3, 5, 17), tester).configuration == (3, 17)


def test_unknown_executors_are_refused() -> None:
    with pytest.raises(ValueError, match="dask://HOST:PORT"), open_executor("cloud", 2):
        pass


def test_dask_without_its_package_says_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)

    with (
        pytest.raises(MissingExtra, match=r"stripe-trace\[dask\]"),
        open_executor("dask://127.0.0.1:1", 2),
    ):
        pass


@pytest.mark.parametrize("options", [{"jobs": 0}, {"jobs": 2, "cache": False}])
def test_impossible_options_are_refused(options) -> None:
    with pytest.raises(ValueError, match="jobs"):
        Tester(Needs(1), **options)


@pytest.mark.parametrize(
    ("spec", "address"),
    [
        ("dask://here:8786", "tcp://here:8786"),
        ("tcp://here:8786", "tcp://here:8786"),
        ("dask://tls://here:8786", "tls://here:8786"),
    ],
)
def test_a_scheduler_is_named_as_we_write_it_or_as_it_does(spec: str, address: str) -> None:
    assert scheduler(spec) == address
