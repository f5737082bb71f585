"""Levels, limits and answers of a reduction, with small scripts as tests."""

from __future__ import annotations

import pickle
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from stripe.campaign.campaign import Campaign
from stripe.campaign.progress import Progress
from stripe.campaign.workers import close_all
from stripe.checks import parse_check
from stripe.dd import Journal, Outcome, Reason
from stripe.errors import NotReducible
from stripe.inputs.plan import Plan
from stripe.inputs.preconditions import ensure_reducible
from stripe.inputs.reduction import reduce_input
from stripe.inputs.trial import LEAST_SECONDS, Trial
from stripe.report.inputs import input_lines
from stripe.report.style import Style
from stripe.running.command import command_of, script
from stripe.sandbox.layers import find_layer
from stripe.sandbox.walls import VARIABLE
from tests.support.patience import wait_until

type Make = Callable[[str, bytes], Trial]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Makes a trial of a shell script on an input."""

    def made(test: str, content: bytes) -> Trial:
        path = tmp_path / "test.sh"
        path.write_text(f"#!/bin/sh\n{test}\n")
        path.chmod(0o755)
        return Trial(script(str(path), Path("in.txt")), content)

    return made


@pytest.fixture
def unsafe(make: Make, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """The same without a sandbox: its tests can count how often they run."""
    monkeypatch.setenv(VARIABLE, "none")
    find_layer.cache_clear()

    def made(test: str, content: bytes) -> Trial:
        return replace(make(test, content), unsafe=True)

    yield made
    find_layer.cache_clear()


BOTH = "grep -q one $1 && grep -q two $1"


def test_improvements_are_told_in_order_and_each_fails(make: Make) -> None:
    content = (
        b"".join(b"line %d\n" % number for number in range(40)) + b"one\n" + b"x\n" * 9 + b"two\n"
    )
    told: list[bytes] = []
    seen: list[Progress] = []
    result = reduce_input(
        make(BOTH, content),
        Plan(units="lines,chars"),
        written=lambda content, fails: told.append(content),
        progress=seen.append,
    )
    assert result.failing == b"onetwo"
    assert told[-1] == result.failing
    assert [len(each) for each in told] == sorted({len(each) for each in told}, reverse=True)
    assert all(b"one" in each for each in told)
    assert {each.noun for each in seen} == {"lines", "characters"}
    assert result.certified
    assert result.stopped is Reason.FINISHED


def test_it_goes_back_to_coarse_units_until_nothing_more_goes(make: Make) -> None:
    # The line with b can go only when the character after a is gone.
    test = "grep -q a $1 || exit 1; grep -q 'a!' $1 && { grep -q b $1 || exit 1; }; exit 0"
    result = reduce_input(make(test, b"xa!y\nsome b\n"), Plan(units="lines,chars"))
    assert result.failing == b"a"


def test_lines_that_can_only_go_together(make: Make) -> None:
    test = 'grep -q bug $1 && [ $(grep -c "{" $1) = $(grep -c "}" $1) ]'
    content = b"a\n{\nb\n{\nbug\n}\nc\n}\nd\n"
    assert reduce_input(make(test, content), Plan(units="lines")).failing == b"bug\n"


def test_no_content_is_tested_twice(unsafe: Make, tmp_path: Path) -> None:
    log = tmp_path / "log"
    trial = unsafe(f"cksum < $1 >> {log}\n{BOTH}", b"a\none\nb b b\ntwo\n" * 3)
    result = reduce_input(trial, Plan())
    runs = log.read_text().splitlines()
    # The original twice, the answer once more.
    assert len(runs) == result.tests + 2
    assert len(set(runs)) == result.tests


def test_an_empty_input_that_fails(make: Make) -> None:
    result = reduce_input(make("exit 0", b"anything\n"), Plan())
    assert result.failing == b""
    assert result.certified
    assert "empty input fails" in result.notes[0]
    assert result.tests == 2


def test_the_empty_input_is_an_input(make: Make) -> None:
    assert reduce_input(make("exit 0", b""), Plan()).failing == b""


def test_outcomes_are_resumed_by_content(make: Make, tmp_path: Path) -> None:
    content = b"x\ny\none\nz\ntwo\n"
    with Journal[str](tmp_path / "journal", "subject") as journal:
        first = reduce_input(make(BOTH, content), Plan(units="lines"), journal=journal)
    with Journal[str](tmp_path / "journal", "subject", resume=True) as journal:
        # In other units, too: what counts is the content.
        second = reduce_input(make(BOTH, content), Plan(units="events"), journal=journal)
    assert second.failing == first.failing
    # Only what the answer rests on is tested again: the whole input, and what it is certified by.
    assert second.tests == 3
    assert second.resumed == first.tests - 3


def test_a_run_may_take_ten_times_as_long_as_the_first(make: Make) -> None:
    trial = make("exit 0", b"a\n")
    with trial:
        trial.first()
        assert trial.limits.seconds >= LEAST_SECONDS
    trial = Trial(trial.command, trial.original, timeout=0.25)
    with trial:
        trial.first()
        assert trial.limits.seconds == 0.25


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which scratch directories are made."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    find_layer()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_the_folder_of_a_trial_is_there_from_its_beginning_to_its_end(
    make: Make, scratch: Path
) -> None:
    with make("exit 0", b"one\n") as trial:
        assert trial.places.scratch.is_relative_to(scratch)
        assert trial.places.scratch.is_dir()
        trial.first()
    assert list(scratch.iterdir()) == []


@pytest.mark.parametrize(("number", "name"), [(15, "SIGTERM"), (35, "signal 35")])
def test_a_script_that_dies(make: Make, number: int, name: str) -> None:
    with make(f"kill -{number} $$", b"one\n") as trial, pytest.raises(NotReducible) as caught:
        trial.first()
    assert caught.value.slug == "not-interesting"
    assert f"died of {name} on the whole input" in caught.value.message


def test_a_trial_that_was_sent_to_another_process_is_there_once(make: Make, scratch: Path) -> None:
    trial = make("grep -q one $1", b"one\n")
    for content, outcome in ((b"one", Outcome.FAIL), (b"two", Outcome.PASS)):
        there = pickle.loads(pickle.dumps(trial))
        assert there.outcome(content) is outcome
        assert len(list(scratch.iterdir())) == 1
    close_all()
    assert list(scratch.iterdir()) == []
    assert there.outcome(b"one") is Outcome.FAIL  # made anew
    close_all()


def test_another_process_cleans_up_when_nobody_asks(
    make: Make, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stripe.inputs.trial.IDLE_SECONDS", 0.05)
    trial = pickle.loads(pickle.dumps(make("sleep 0.2; grep -q one $1", b"one\n")))
    assert trial.outcome(b"one") is Outcome.FAIL  # it takes longer than that
    wait_until(lambda: list(scratch.iterdir()) == [])


def test_memory_is_limited(tmp_path: Path) -> None:
    # Limits are set from outside, right after the start: on a busy machine that may take a while.
    (tmp_path / "eat.py").write_text(
        textwrap.dedent("""
            import resource, sys, time
            end = time.monotonic() + 30
            while resource.getrlimit(resource.RLIMIT_AS)[0] < 0 and time.monotonic() < end:
                time.sleep(0.01)
            if 'eat' in open(sys.argv[1]).read():
                bytearray(1 << 30)
            print('fine')
        """)
    )
    command = [sys.executable, "-S", str(tmp_path / "eat.py"), "@@"]
    check = parse_check("stderr:/MemoryError/")
    trial = Trial(command_of(command, Path("in")), b"please eat\n", check, memory=512 << 20)
    if sys.platform != "linux":
        pytest.skip("limits from outside need Linux")
    assert reduce_input(trial, Plan()).failing == b"eat"


def test_output_without_end_is_ended(tmp_path: Path) -> None:
    command = ["sh", "-c", 'grep -q loop "$1" && exec yes; grep -q x "$1"; test $? = 1', "sh", "@@"]
    trial = Trial(command_of(command, Path("in")), b"x\n", parse_check("exit"))
    with trial:
        trial.first()
        assert trial.outcome(b"loop\n") is not Outcome.FAIL


def test_a_script_that_says_cannot_tell(make: Make) -> None:
    trial = make("grep -q one $1 && exit 0; grep -q two $1 && exit 125; kill -9 $$", b"one\n")
    with trial:
        trial.first()
        outcomes = [trial.outcome(content) for content in (b"one", b"two", b"three")]
    assert outcomes == [Outcome.FAIL, Outcome.UNRESOLVED, Outcome.UNRESOLVED]


def test_words_that_no_shell_could_read_are_unresolved(tmp_path: Path) -> None:
    command = ["sh", "-c", "exit $#", "sh", "@@"]
    trial = Trial(command_of(command, Path("in"), spread=True), b"a 'b c' d", parse_check("exit"))
    with trial:
        trial.first()
        assert trial.outcome(b"x y z") is Outcome.FAIL
        assert trial.outcome(b"x 'y") is Outcome.UNRESOLVED


def test_the_majority_decides(unsafe: Make, tmp_path: Path) -> None:
    """Every third run goes the other way; also the very first one."""
    count = tmp_path / "count"
    count.write_text("")
    odd = f"echo >> {count}; test $(($(wc -l < {count}) % 3)) = 1 && exit 1"
    trial = unsafe(f"{odd}; grep -q one $1", b"a\none\n" * 20)
    trial.repeat = 3
    result = reduce_input(trial, Plan(units="lines"))
    assert result.failing == b"one\n"
    assert result.verified


def changing(tmp_path: Path, answer: str, otherwise: str) -> str:
    """A script that says something else of one input when it sees that once more."""
    seen = tmp_path / "seen"
    again = f"test -e {seen} && exit {otherwise}; touch {seen}"
    return f'if test "$(tr "\\n" " " < $1)" = "{answer}"; then {again}; fi; grep -q one $1'


def test_an_answer_that_fails_no_more_is_not_verified(unsafe: Make, tmp_path: Path) -> None:
    trial = unsafe(changing(tmp_path, "one ", "1"), b"a\none\nb\n")
    result = reduce_input(trial, Plan(units="lines"))
    assert (result.failing, result.answer, result.verified) == (b"one\n", b"one\n", False)


@pytest.mark.parametrize("otherwise", ["0", "125"])
def test_an_answer_that_passes_no_more_is_not_verified(
    unsafe: Make, tmp_path: Path, otherwise: str
) -> None:
    trial = unsafe(changing(tmp_path, "a b ", otherwise), b"a\none\nb\n")
    result = reduce_input(trial, Plan(units="lines", mode="max"))
    assert (result.passing, result.answer, result.verified) == (b"a\nb\n", b"a\nb\n", False)


def test_what_is_resumed_is_certified_only_if_it_fails_once_more(
    unsafe: Make, tmp_path: Path
) -> None:
    test = f'test -e {tmp_path}/later && test "$(cat $1)" = one && exit 1; grep -q one $1'
    content = b"a\none\nb\n"
    with Journal[str](tmp_path / "journal", "subject") as journal:
        first = reduce_input(unsafe(test, content), Plan(units="lines"), journal=journal)
    (tmp_path / "later").touch()
    with Journal[str](tmp_path / "journal", "subject", resume=True) as journal:
        second = reduce_input(unsafe(test, content), Plan(units="lines"), journal=journal)
    assert first.failing == second.failing == b"one\n"
    assert (first.certified, first.verified) == (True, True)
    assert (second.certified, second.verified) == (False, False)


def test_what_is_printed_does_not_depend_on_where_it_runs(tmp_path: Path) -> None:
    command = ["sh", "-c", 'echo "$1: bad"; echo "$PWD"; grep -q one "$1" || exit 1', "sh", "@@"]
    trial = Trial(command_of(command, Path("in")), b"a\none\nb\n" * 9, parse_check("stdout+exit"))
    result = reduce_input(trial, Plan(jobs=4))
    assert result.failing == b"one"


@pytest.mark.parametrize("count", [1000, 1001])
def test_too_many_values_are_left_as_they_are(make: Make, count: int) -> None:
    content = b"1 " * count
    test = f"test $(wc -w < $1) = {count}"
    result = reduce_input(make(test, content), Plan(units="lines,numbers"))
    assert result.failing == (b"0 " if count == 1000 else b"1 ") * count
    assert (result.units, result.certified) == ("lines", True)


def test_what_a_later_pass_changes_is_not_certified_before(make: Make) -> None:
    """The first round goes on to the next pass before all lines that are left were tried again."""
    content = b"gone = 0\n" + b"".join(b"keep  =  %d\n" % number for number in range(10))
    trial = make("test $(grep -c keep $1) = 10", content)
    result = reduce_input(trial, Plan(units="python", max_tests=60))
    assert [level.name for level in result.levels[:3]] == ["statements", "lines", "uniform style"]
    assert result.levels[1].after == 10


def test_what_is_certified_beside_the_finest_units(make: Make) -> None:
    result = reduce_input(make("test $(cat $1) -ge 77", b"120"), Plan(units="chars,numbers"))
    assert (result.failing, result.units, result.certified) == (b"77", "chars+numbers", True)


@pytest.mark.parametrize("jobs", [1, 3])
def test_no_more_runs_than_jobs_at_a_time_in_the_beginning(
    unsafe: Make, tmp_path: Path, jobs: int
) -> None:
    """Later there may be more, as long as those end that nobody waits for any more."""
    test = (
        f"mkdir {tmp_path}/$$.running; sleep 0.05; ls -d {tmp_path}/*.running | wc -l >> "
        f"{tmp_path}/log; rmdir {tmp_path}/$$.running; grep -q one $1"
    )
    with unsafe(test, b"a\none\nb\n") as trial:
        trial.repeat = 5
        campaign = Campaign(jobs=jobs)
        ensure_reducible(trial, campaign, None)
    seen = [int(line) for line in (tmp_path / "log").read_text().split()]
    assert (len(seen), max(seen) <= jobs) == (5, True)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_check_looks_at_the_whole_input_before_anything_else(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, jobs: int
) -> None:
    """What it is compared with is seen once, then the same input fails once more."""
    monkeypatch.setenv(VARIABLE, "none")
    find_layer.cache_clear()
    log = tmp_path / "log"
    command = ["sh", "-c", f'cksum < "$1" >> {log}; grep -q one "$1" || exit 1', "sh", "@@"]
    trial = Trial(command_of(command, Path("in")), b"a\none\n", parse_check("exit"), unsafe=True)
    reduce_input(trial, Plan(units="lines", jobs=jobs))
    find_layer.cache_clear()
    runs = log.read_text().splitlines()
    assert runs.count(runs[0]) == 2


def test_tests_that_never_tell_inputs_apart_certify_nothing(make: Make) -> None:
    content = b"one\ntwo\nthree\n"
    silent = "test $(wc -c < $1) = 14 && exit 0; exit 125"
    result = reduce_input(make(silent, content), Plan(units="lines"))
    assert result.failing == content
    assert not result.certified
    assert result.stopped is Reason.FINISHED
    told = "\n".join(input_lines(result, Style()))
    assert f"could not be tried: {result.untried}" in told
    assert result.to_json()["untried"].startswith("none of ")

    # One that passes shows that the test can tell: now all is needed.
    tells = "test $(wc -c < $1) = 14 && exit 0; test -s $1 && exit 125; exit 1"
    result = reduce_input(make(tells, content), Plan(units="lines"))
    assert (result.failing, result.certified, result.untried) == (content, True, "")


def test_progress_tells_the_bytes_that_are_left(make: Make) -> None:
    heard: list[tuple[str, tuple[int, int] | None]] = []
    result = reduce_input(
        make("grep -q one $1", b"a\none\nb\n" * 9),
        Plan(units="lines,chars"),
        progress=lambda progress: heard.append((progress.noun, progress.bytes)),
    )
    assert {noun for noun, _ in heard} == {"lines", "characters"}
    left = [each[0] for _, each in heard if each is not None]
    assert left == sorted(left, reverse=True)
    assert heard[-1][1] == (len(result.failing), 72)
