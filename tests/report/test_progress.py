"""Progress on standard error."""

from __future__ import annotations

import sys
import threading
from dataclasses import replace

import pytest

from stripe.campaign.progress import Progress
from stripe.cli.output import say
from stripe.report.progress import Reporter, describe
from tests.report.test_terminal import Terminal
from tests.support.patience import wait_until

CLEARED = "\r\x1b[1A\x1b[2K"
"""At the start of the line of progress, which is empty then."""


class Clock:
    """A clock set by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def progress(tests: int = 50, best: int = 120) -> Progress:
    return Progress("stdout", "searching", tests, best, 400, 500, 2.5)


def test_one_line_says_tests_best_speed_and_estimate() -> None:
    assert describe(progress()) == (
        "stdout: 50 tests, 120 of 400 events left, 20 tests/s, about 25 s to go"
    )


def test_of_an_input_it_tells_bytes_and_what_is_being_left_out() -> None:
    one = replace(progress(), name="a.c", noun="lines", bytes=(1234, 56789))
    assert "1,234 of 56,789 bytes left, " in describe(one)
    assert f" {one.best} of {one.of} lines, " in describe(one)


def test_it_is_told_early_that_all_may_be_needed() -> None:
    idle = replace(progress(1000), idle=200)
    assert describe(idle).endswith(
        ", all may be needed: the last 200 left nothing out (Ctrl-C ends with these)"
    )
    assert "all may be needed" not in describe(replace(idle, idle=199))
    assert "all may be needed" not in describe(replace(idle, stopping=True))


def test_progress_waits_and_cleans_up() -> None:
    clock, terminal = Clock(), Terminal()
    with Reporter(terminal, clock=clock, ticking=False) as reporter:
        reporter(progress())
        assert terminal.getvalue() == ""
        clock.now += 2.1
        reporter(progress(60))
        reporter(progress(61))  # too soon after the last one
    shown = terminal.getvalue()
    assert "60 tests" in shown
    assert "61 tests" not in shown
    assert shown.endswith(CLEARED)
    assert "\x1b[?25l" not in shown, "a process that is killed leaves no terminal without a cursor"


def test_quiet_is_silent() -> None:
    clock, terminal = Clock(), Terminal()
    with Reporter(terminal, quiet=True, verbose=1, clock=clock, ticking=False) as reporter:
        clock.now += 10
        reporter(progress())
    assert terminal.getvalue() == ""


def test_verbose_tells_every_reduction_also_without_a_terminal() -> None:
    import io

    stream = io.StringIO()
    with Reporter(stream, verbose=1) as reporter:
        reporter(progress(1, 200))
        reporter(progress(2, 200))
        reporter(progress(3, 100))
    assert stream.getvalue() == (
        "stdout: test 1: 200 of 400 events\nstdout: test 3: 100 of 400 events\n"
    )


def test_a_broken_stream_does_not_end_the_search() -> None:
    clock, terminal = Clock(), Terminal()
    terminal.close()
    with Reporter(terminal, verbose=1, clock=clock, ticking=False) as reporter:
        clock.now += 10
        reporter(progress())


def test_what_takes_long_is_told_phase_by_phase() -> None:
    clock, terminal = Clock(), Terminal()
    with Reporter(terminal, clock=clock, ticking=False) as reporter:
        reporter.doing("recording the program")
        reporter.look()
        assert terminal.getvalue() == ""
        clock.now += 3
        reporter.look()
        assert "recording the program, 3.0 s (Ctrl-C" in terminal.getvalue()
        reporter.doing("reading what was recorded")  # at once: the command has taken long
        reporter.look()
        assert "reading what was recorded (Ctrl-C" in terminal.getvalue()
    assert terminal.getvalue().endswith(CLEARED)


def test_what_has_no_name_is_told_as_well() -> None:
    clock, terminal = Clock(), Terminal()
    with Reporter(terminal, clock=clock, ticking=False) as reporter:
        clock.now += 0.8
        reporter.look()
    assert "beginning (Ctrl-C ends it)" in terminal.getvalue()


def test_it_is_told_how_long_a_test_takes_and_what_is_done_between_tests() -> None:
    clock, terminal = Clock(), Terminal()
    with Reporter(terminal, clock=clock, ticking=False) as reporter:
        clock.now += 2
        reporter(progress())
        shown = terminal.getvalue()
        clock.now += 0.5
        reporter.look()
        assert terminal.getvalue() == shown
        clock.now += 0.25  # and a tick is less than a second
        reporter.look()
        assert "20 tests/s, the next one for" in terminal.getvalue()
        clock.now += 9
        reporter.look()
        assert "20 tests/s, the next one for 9.8 s" in terminal.getvalue()
        reporter.doing("following dependences")
        clock.now += 1
        reporter.look()
        assert "following dependences, 1.0 s" in terminal.getvalue()


def test_what_lets_nobody_look_at_the_clock_is_told_at_once() -> None:
    terminal = Terminal()
    with Reporter(terminal, clock=Clock(), ticking=False) as reporter:
        reporter.doing("reading r.json", long=True)
        assert "reading r.json" in terminal.getvalue()


def test_somebody_looks_at_the_clock_while_the_command_waits() -> None:
    terminal = Terminal()
    with Reporter(terminal) as reporter:
        reporter.doing("recording the program")
        wait_until(lambda: "recording the program" in terminal.getvalue())


def test_what_is_said_meanwhile_stands_above_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, terminal = Clock(), Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with Reporter(terminal, clock=clock, ticking=False) as reporter:
        clock.now += 3
        reporter.look()
        before = len(terminal.getvalue())
        say("stripe: a note")
    assert terminal.getvalue()[before:].startswith("\r\x1b[2Kstripe: a note\nbeginning, 3.0 s")


def test_nothing_of_it_runs_by_itself() -> None:
    """Threads of rich would hold locks while processes are forked."""
    clock, terminal = Clock(), Terminal()
    threads, streams = threading.active_count(), (sys.stdout, sys.stderr)
    with Reporter(terminal, clock=clock, ticking=False) as reporter:
        clock.now += 3
        reporter.look()
        assert threading.active_count() == threads
        assert (sys.stdout, sys.stderr) == streams


def test_a_dumb_terminal_is_overwritten_and_left_blank(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    clock, terminal = Clock(), Terminal()
    with Reporter(terminal, clock=clock, ticking=False) as reporter:
        clock.now += 3
        reporter.look()
        assert terminal.getvalue().startswith("\rbeginning, 3.0 s (Ctrl-C ends it)  ")
    shown = terminal.getvalue()
    assert "\x1b" not in shown
    assert shown.endswith("\r" + " " * 79 + "\r")
