"""Searches for causes that end early, go on, and run on other machines: the answer is the same."""

from __future__ import annotations

import pickle
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from stripe.backend import OutOfTime, backends
from stripe.campaign.workers import close_all
from stripe.cli.causes import read_input
from stripe.dd import Reason
from stripe.dd.speculation import Speculator
from stripe.errors import NotReducible, UsageError
from stripe.results.causes import CausesResult
from stripe.states.causes import find_causes
from stripe.states.remote import RemoteTest

PROGRAM = """\
import sys

def share(size, last):
    rest = last - 1
    last = None
    found = []
    found.append(size // rest)
    return found

words = sys.argv[1:]
print(share(*map(int, words)))
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "prog.py").write_text(PROGRAM)
    return tmp_path


def searched(place: Path, program: str = "prog.py", **options: Any) -> CausesResult:
    return find_causes(
        program,
        failing=read_input("--fail", "5 1"),
        passing=read_input("--pass", "6 3"),
        check="exception",
        directory=place / "work",
        journals=place / "journals",
        **options,
    )


def found(result: CausesResult) -> dict[str, Any]:
    """All of the answer but how it was found."""
    answer = result.to_json()
    return {each: answer[each] for each in ("chain", "transitions", "links", "certified")}


def journals(place: Path) -> list[Path]:
    return list((place / "journals").glob("causes-*"))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> CausesResult:
    """The answer of a search that nobody disturbs."""
    path = tmp_path_factory.mktemp("whole")
    (path / "work").mkdir()
    (path / "work" / "prog.py").write_text(PROGRAM)
    result = searched(path)
    assert journals(path) == [], "nobody needs to come back"
    assert len(result.steps) > 2
    return result


def test_the_answer_is_the_same_for_any_number_of_jobs(place: Path, whole: CausesResult) -> None:
    result = searched(place, jobs=3)
    assert found(result) == found(whole)
    assert result.outcomes == whole.outcomes


def test_a_module(place: Path) -> None:
    (place / "work" / "pack").mkdir()
    (place / "work" / "pack" / "__init__.py").touch()
    (place / "work" / "prog.py").rename(place / "work" / "pack" / "__main__.py")
    result = searched(place, "pack", module=True, max_tests=9)
    assert result.chain[0].file == "pack/__main__.py"


def test_a_search_goes_on_where_it_was(place: Path, whole: CausesResult) -> None:
    for most in (3, 9):
        part = searched(place, max_tests=most, resume=True)
        assert part.stopped is Reason.MAX_TESTS
        assert not part.certified
        assert all(each in whole.chain for each in part.chain if each.certified)
    rest = searched(place, resume=True)
    assert found(rest) == found(whole)
    assert rest.tests < whole.tests
    assert journals(place) == []


def test_outcomes_of_another_program_are_not_used(place: Path) -> None:
    searched(place, max_tests=8)
    path = place / "work" / "prog.py"
    path.write_text(PROGRAM.replace("found = []", "found = [0]"))
    result = searched(place, max_tests=3, resume=True)
    assert [each for each in result.notes if "The journal is of another run: prog.py" in each]


@pytest.mark.parametrize("after", [1, 7])
def test_ctrl_c_keeps_what_was_found(place: Path, whole: CausesResult, after: int) -> None:
    def interrupt(progress: Any) -> None:
        if progress.tests == after:
            signal.raise_signal(signal.SIGINT)

    part = searched(place, progress=interrupt)
    assert part.stopped is Reason.STOPPED
    assert not part.certified
    assert all(each in whole.chain for each in part.chain if each.certified)
    assert bool(part.chain) is (after > 1), "the best so far is kept"


def test_time_that_is_over(place: Path) -> None:
    """There is nothing to show yet, which is said as a limit."""
    with pytest.raises(OutOfTime) as ended:
        searched(place, max_time=0.001)
    assert ended.value.slug == "out-of-time"


# --- remote -------------------------------------------------------------------------------------


class Sending(ThreadPoolExecutor):
    """What is submitted arrives as it would at another machine."""

    def __init__(self) -> None:
        super().__init__(2)
        self.tests: set[RemoteTest] = set()

    def submit(self, function: Any, /, *words: Any, **named: Any) -> Future[Any]:
        function, words = pickle.loads(pickle.dumps((function, words)))
        sent = (getattr(function, "func", function), *getattr(function, "args", ()), *words)
        self.tests |= {each for each in sent if isinstance(each, RemoteTest)}
        return super().submit(function, *words, **named)


@pytest.fixture
def workers() -> Iterator[Sending]:
    with Sending() as executor:
        yield executor
    close_all()


@pytest.fixture
def remote_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if each test were begun there before this machine comes to it."""
    monkeypatch.setattr(Speculator, "_ask", lambda self, configuration: None)


@pytest.mark.usefixtures("remote_first")
def test_tests_on_workers(place: Path, whole: CausesResult, workers: Sending) -> None:
    result = searched(place, jobs=2, executor=workers)
    assert found(result) == found(whole)
    assert result.outcomes == whole.outcomes
    assert len({test.index for test in workers.tests}) > 3
    assert any(test.aim for test in workers.tests), "of what comes of causes, too"


@pytest.mark.usefixtures("remote_first")
def test_a_worker_where_the_program_does_something_else(
    place: Path, workers: Sending, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stripe.states.search.Search.mark", property(lambda self: str(id(self))))
    with pytest.raises(NotReducible) as raised:
        searched(place, jobs=2, executor=workers)
    assert raised.value.slug == "worker-differs"


@pytest.mark.usefixtures("remote_first")
def test_a_worker_without_that_backend(
    place: Path, workers: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = next(each for each in backends() if each.name == "python")
    monkeypatch.setattr("stripe.states.remote.backends", list)
    with pytest.raises(UsageError) as raised:
        searched(place, jobs=2, executor=workers, backend=chosen)
    assert raised.value.slug == "no-backend"
