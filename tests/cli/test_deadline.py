"""What only computes, and looks at no clock, is cut off when the time of the command is over."""

from __future__ import annotations

import ast
import inspect
import signal
import threading
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import pytest

from stripe.campaign.campaign import Campaign
from stripe.campaign.problem import Problem
from stripe.cli import causes, changes, input, report_options, suspects, trace, verify, why
from stripe.cli.report_options import Writing
from stripe.dd import Budget, Outcome, Reason, Result, Tester
from stripe.deadline import Deadline, OutOfTime
from stripe.interrupts import Alarm, OrderlyEnd, StopFlag
from stripe.reduce import Settings
from stripe.reduce import search as reduction
from stripe.reduce.search import CUT_OFF
from stripe.report import late
from tests.support.answers import answer_of
from tests.support.fake import record
from tests.support.results import result_of, slice_of, trace_of

LONG = 100.0
"""Seconds that nothing here takes, as it is cut off."""


def compute(seconds: float = LONG) -> None:
    """Look at no clock but for the end of the test."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def insist() -> None:
    """Compute on whatever error there is."""
    try:
        compute()
    except Exception:
        compute()


def test_what_computes_is_cut_off() -> None:
    began = time.monotonic()
    deadline = Deadline(0.1)
    deadline.tell("computing")
    with pytest.raises(OutOfTime, match="computing"), deadline.cutting():
        insist()
    assert time.monotonic() - began < LONG / 2
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    with deadline.cutting(LONG):
        pass
    with Deadline().cutting():
        pass


def test_what_is_held_back_is_not_cut_off() -> None:
    reached = []

    def run(alarm: Alarm) -> None:
        with alarm.held_back():
            compute(0.3)
            reached.append(1)
        compute()

    with pytest.raises(KeyError), Alarm(0.01, KeyError) as alarm:
        run(alarm)
    assert reached


def test_other_threads_and_other_uses_of_the_signal_are_left_alone() -> None:
    errors: list[BaseException] = []

    def run() -> None:
        try:
            with Alarm(0.001, KeyError):
                compute(0.2)
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert not errors
    before = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    try:
        with Alarm(0.001, KeyError):
            compute(0.2)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_command_that_is_asked_to_end_has_the_alarm_for_itself() -> None:
    from stripe.interrupts import stop_on_interrupt

    with OrderlyEnd(interrupts=True), stop_on_interrupt() as flag, Alarm(LONG, KeyError):
        signal.raise_signal(signal.SIGTERM)
        assert flag()
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    with pytest.raises(KeyError), Alarm(0.01, KeyError):  # and the next one is as it was
        compute()


@pytest.mark.parametrize("growing", [False, True])
def test_an_analysis_between_tests_ends_with_the_budget(growing: bool) -> None:
    def search(deltas: Sequence[int], tester: Tester[int]) -> Result[int]:
        tester.test(tuple(deltas)[:2])
        compute()
        raise AssertionError

    tested: list[tuple[int, ...]] = []

    def test(configuration: Sequence[int]) -> Outcome:
        compute(0.3)  # longer than there is time
        tested.append(tuple(configuration))
        return Outcome.FAIL

    campaign = Campaign(budget=Budget(seconds=0.1))
    found = campaign.search(Problem(range(5), test, growing=growing), search)
    assert tested == [(0, 1)]
    assert found.reason is campaign.reason is Reason.MAX_TIME
    assert not found.certified
    if not growing:
        assert found.configuration == (0, 1)


def test_an_explanation_is_cut_off_and_what_was_found_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reduction, "governing", lambda *arguments: compute())
    monkeypatch.setattr(reduction, "EXPLAINING_SECONDS", 0.1)
    settings = Settings(deadline=Deadline(3.0))
    result = reduction.reduce(record("x = 1\nprint(x)\n"), (), settings)
    assert result.slices[0].events
    assert CUT_OFF in result.notes


def test_an_explanation_is_cut_off_when_the_search_was_asked_to_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stop = StopFlag()

    def explain(*arguments: object) -> tuple[int, ...]:
        stop.signalled()
        stop.hurry()  # as the command does half a second later
        return (0,)

    monkeypatch.setattr(reduction, "stop_on_interrupt", lambda: nullcontext(stop))
    monkeypatch.setattr(reduction, "governing", explain)
    result = reduction.reduce(record("x = 1\nprint(x)\n"), (), Settings())
    assert result.slices[0].events
    assert result.slices[0].governing == ()
    assert CUT_OFF in result.notes


@pytest.mark.parametrize("beside", [True, False])
def test_a_page_for_which_there_is_no_time_is_told_and_the_result_written(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    beside: bool,
) -> None:
    import stripe.report.html

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(report_options, "REPORTS_SECONDS", 0.1)
    monkeypatch.setattr(stripe.report.html, "page", lambda result: compute())
    recorded = trace_of([1], "x = 1\n")
    result = result_of(recorded, slice_of(recorded, [0]))
    monkeypatch.setattr(trace, "perform", lambda *arguments, **named: result)
    json = ("--json", "a result.json") if beside else ()
    status = trace.run(["--html", "page.html", *json, "--max-time", "0.1", "prog.py"])
    assert status == 0
    assert not Path("page.html").exists()
    said = capsys.readouterr()
    err = " ".join(said.err.split())
    assert "Not written, as the time of --max-time was over: --html page.html." in err
    if beside:
        assert Path("a result.json").exists()
        assert "stripe show --html page.html 'a result.json'" in err
    else:
        assert "With --json RESULT.json" in err
    assert "events kept" in said.out


def test_the_page_of_why_has_the_time_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import stripe.report.html.why

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(report_options, "REPORTS_SECONDS", 0.1)
    monkeypatch.setattr(stripe.report.html.why, "page", lambda document: compute())
    monkeypatch.setattr(why, "perform", lambda *arguments: answer_of("It was so."))
    assert why.run(["--html", "page.html", "--max-time", "0.1", "prog.py"]) == 1
    said = capsys.readouterr()
    assert not Path("page.html").exists()
    assert "was over: --html page.html." in " ".join(said.err.split())
    assert "It was so." in said.out


@pytest.mark.parametrize("over", [False, True])
def test_the_report_of_every_verb_is_cut_when_the_time_is_over(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], over: bool
) -> None:
    monkeypatch.setattr(late, "FEWEST_LINES", 3)
    writing = Writing([], [], force=False, deadline=Deadline(0.0 if over else None))
    writing.report((f"line {number}" for number in range(5)), None)
    lines = capsys.readouterr().out.splitlines()
    assert lines == (
        [*(f"line {number}" for number in range(3)), late.CUT]
        if over
        else [f"line {number}" for number in range(5)]
    )
    writing.report([f"line {number}" for number in range(5)], None)
    assert len(capsys.readouterr().out.splitlines()) == 5, "what is made already costs no time"


def test_every_verb_with_a_limit_gives_it_to_its_reports() -> None:
    """Nothing that is written is outside of --max-time."""
    for verb in (causes, changes, input, suspects, trace, verify, why):
        tree = ast.parse(inspect.getsource(verb))
        made = [
            each
            for each in ast.walk(tree)
            if isinstance(each, ast.Call)
            and getattr(each.func, "id", "") in ("Writing", "claim_forms")
        ]
        assert made, verb
        for each in made:
            assert "deadline" in {word.arg for word in each.keywords}, verb
