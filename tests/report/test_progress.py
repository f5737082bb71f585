"""Progress on standard error."""

from __future__ import annotations

from stripe.campaign.progress import Progress
from stripe.report.progress import Reporter, describe
from tests.report.test_terminal import Terminal


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


def test_progress_waits_and_cleans_up() -> None:
    clock, terminal = Clock(), Terminal()
    with Reporter(terminal, clock=clock) as reporter:
        reporter(progress())
        assert terminal.getvalue() == ""
        clock.now += 2.1
        reporter(progress(60))
        reporter(progress(61))  # too soon after the last one
    shown = terminal.getvalue()
    assert "60 tests" in shown
    assert "61 tests" not in shown
    assert shown.endswith(" \r")
    assert "\n" not in shown


def test_quiet_is_silent() -> None:
    clock, terminal = Clock(), Terminal()
    with Reporter(terminal, quiet=True, verbose=1, clock=clock) as reporter:
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
    with Reporter(terminal, verbose=1, clock=clock) as reporter:
        clock.now += 10
        reporter(progress())


def test_what_takes_long_before_the_first_test_is_told() -> None:
    clock, terminal = Clock(), Terminal()
    with Reporter(terminal, clock=clock) as reporter:
        reporter.doing("recording the program")
        reporter.look()
        assert terminal.getvalue() == ""
        clock.now += 3
        reporter.look()
        assert "recording the program, 3.0 s (Ctrl-C" in terminal.getvalue()
        reporter.doing("reading what was recorded")  # not for long
        shown = terminal.getvalue()
        reporter.look()
        assert terminal.getvalue() == shown
        reporter(progress())
        shown = terminal.getvalue()
        clock.now += 3
        reporter.look()
        assert terminal.getvalue() == shown
    assert terminal.getvalue().endswith(" \r")
