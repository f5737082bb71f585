"""The command, from its words to output and exit status, on a backend in memory."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import stripe.backend
import stripe.interrupts
from stripe.backend import Observation
from stripe.cli.main import main
from stripe.errors import BackendError
from stripe.files import replace_file
from tests.support.fake import SAMPLE, FakeBackend, FakeRecording
from tests.support.patience import PATIENCE

INPUT = ("--input", "0\n5\n")


class Stdin(io.TextIOWrapper):
    """A standard input that may be a terminal."""

    def __init__(self, data: bytes, *, terminal: bool) -> None:
        super().__init__(io.BytesIO(data))
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeBackend:
    """The only backend, and a directory with a program to run."""
    fake = FakeBackend()
    monkeypatch.setattr(stripe.backend, "backends", lambda: iter([fake]))
    monkeypatch.setattr(sys, "stdin", Stdin(b"", terminal=True))
    (tmp_path / "sample.py").write_text(SAMPLE)
    monkeypatch.chdir(tmp_path)
    return fake


@pytest.fixture
def run(
    backend: FakeBackend, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Run ``stripe WORDS...``; exit status, standard output, standard error."""

    def call(*words: str) -> tuple[int, str, str]:
        status = main(words)
        out, err = capsys.readouterr()
        assert all(recording.closed for recording in backend.recordings)
        return status, out, err

    return call


type Run = Callable[..., tuple[int, str, str]]


def test_the_slice_is_shown_with_source_table_and_summary(run: Run) -> None:
    status, out, err = run("trace", "sample.py", *INPUT, "--check", "stdout")
    assert (status, err) == (0, "")
    assert " ▶   6  5/6  │     sum = sum + a" in out
    assert "  7_7        mul = mul * a      •" in out
    assert "events kept    16 of 31" in out
    assert "1-minimal      yes" in out
    assert "│ cannot be told\n" not in out
    assert out.splitlines()[1:4] == [
        "exit status  0",
        "stdout       sum = 15",
        "             mul = 0",
    ]


def test_show_chooses_the_sections(run: Run) -> None:
    ddmin = ("--algorithm", "ddmin")
    _, out, _ = run("trace", "sample.py", *INPUT, *ddmin, "--show", "tests")
    assert out.startswith("── stdout: 141 tests ─")
    assert "│ cannot be told\n" in out
    assert "events kept" not in out
    _, out, _ = run("trace", "sample.py", *INPUT, "--show", "summary,source")
    assert "events kept" in out
    assert "event  statement" not in out
    _, out, _ = run("trace", "sample.py", *INPUT, *ddmin, "--show", "all")
    assert all(text in out for text in ("events kept", "event  statement", "cannot be told"))


def test_json_on_standard_output_stands_alone(run: Run) -> None:
    status, out, _ = run("trace", "sample.py", *INPUT, "--json", "-")
    assert status == 0
    assert len(json.loads(out)["slices"][0]["events"]) == 16


def test_json_in_a_file_comes_beside_the_report(run: Run) -> None:
    _, out, _ = run("trace", "sample.py", *INPUT, "--json", "r.json")
    assert "events kept" in out
    assert json.loads(Path("r.json").read_text())["command"] == ["sample.py"]


def test_the_program_reads_what_is_given(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("in.txt").write_text("0\n5\n")
    assert "16 of 31" in run("trace", "sample.py", "--stdin", "in.txt")[1]
    monkeypatch.setattr(sys, "stdin", Stdin(b"0\n5\n", terminal=False))
    assert "16 of 31" in run("trace", "sample.py")[1]
    monkeypatch.setattr(sys, "stdin", Stdin(b"0\n5\n", terminal=True))
    assert "16 of 31" in run("trace", "sample.py", "--stdin", "-")[1]


def test_a_terminal_is_not_read_unasked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin(b"0\n5\n", terminal=True))
    assert "exception: 1 of 3 events kept" in run("trace", "sample.py")[1]


def test_the_target_is_what_the_options_say(run: Run, backend: FakeBackend) -> None:
    Path("p.py").write_text("print(argv)\n")
    run(
        *(
            "trace",
            "--python",
            "py",
            "--include",
            "a",
            "--include",
            "b",
            "--only",
            "d",
            "--exclude",
            "c",
        ),
        *("p.py", "--timeout", "2.5", "--jobs", "2", "--", "--x", "y"),
    )
    (target,) = backend.targets
    assert target.arguments == ("--x", "y")
    assert (target.python, target.timeout, target.jobs) == ("py", 2.5, 2)
    assert (target.include, target.only, target.exclude) == (("a", "b"), ("d",), ("c",))


@pytest.mark.parametrize(
    ("words", "slug", "says"),
    [
        (["trce"], "unknown-verb", "Did you mean: stripe trace?"),
        (["sample.py"], "unknown-verb", "stripe trace sample.py"),
        (["trace"], "no-program", "stripe trace prog.py"),
        (["trace", "sample.py", "--check", "stdot"], "unknown-check", "'stdout'"),
        (["trace", "sample.py", "--check", "stdout:/(/"], "bad-regex", "position 0"),
        (
            ["trace", "sample.py", "--check", "a=stdout", "--check", "a=exit"],
            "bad-check", "Two checks are called 'a'",
        ),
        (["trace", "sample.py", "--chekc", "x"], "unknown-option", "Did you mean --check?"),
        (["trace", "sample.py", "--max-tests", "0"], "bad-option", "whole number from 1"),
        (["trace", "sample.py", "--jobs", "0"], "bad-option", "whole number from 1"),
        (["trace", "sample.py", "--timeout", "nan"], "bad-option", "number of seconds"),
        (["trace", "sample.py", "--show", "x"], "bad-option", "choose from source"),
        (["trace", "sample.py", "--control", "x"], "unknown-control-mode", "trace, program"),
        (["trace", "sample.py", "--algorithm", "x"], "unknown-algorithm", "ddmin"),
        (["trace", "sample.py", "--stdin", "none"], "no-input", "No such file"),
        (["trace", "sample.py", "--stdin", "a", "--input", "b"], "bad-option", "Both"),
        (["trace", "sample.py", "--json", "no/r.json"], "cannot-write", "no directory"),
    ],
)  # fmt: skip
def test_usage_errors_have_status_2_a_slug_and_a_hint(
    words: Sequence[str], slug: str, says: str, run: Run, backend: FakeBackend
) -> None:
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert err.startswith("stripe: ")
    assert f"[{slug}]" in err
    assert says in " ".join(err.split())
    assert "Traceback" not in err
    assert backend.targets == [], "nothing was run"


@pytest.mark.parametrize(
    ("check", "slug"),
    [
        ("stderr", "no-output"),
        ("stdout:/x/", "never-matches"),
        ("exit", "trivial"),
        ("exception", "no-exception"),
    ],
)
def test_what_cannot_be_reduced_has_status_1(check: str, slug: str, run: Run) -> None:
    status, out, err = run("trace", "sample.py", *INPUT, "--check", check)
    assert (status, out) == (1, "")
    assert f"[{slug}]" in err


def test_a_slice_that_does_not_reproduce_afresh_is_shown_but_not_trusted(
    run: Run, backend: FakeBackend
) -> None:
    def prepare(recording: FakeRecording) -> None:
        def change(events: Sequence[int], fresh: bool, seen: Observation) -> Observation:
            return replace(seen, stdout=b"?") if fresh else seen

        recording.change = change

    backend.prepare = prepare
    status, out, err = run("trace", "sample.py", *INPUT)
    assert status == 1
    assert "fresh process  NOT reproduced" in out
    assert "[not-verified]" in err


def test_limits_end_with_the_best_slice_so_far(run: Run) -> None:
    status, out, _ = run("trace", "sample.py", *INPUT, "--max-tests", "20")
    assert status == 0
    assert "not certified" in out
    assert "no: the limit of tests was reached" in out


def interrupt(number: int, at: int) -> Callable[[FakeRecording], None]:
    """Send ourselves a signal at a given replay."""

    def prepare(recording: FakeRecording) -> None:
        def before(events: Sequence[int]) -> None:
            if len(recording.replays) == at:
                os.kill(os.getpid(), number)

        recording.before_replay = before

    return prepare


def test_ctrl_c_shows_the_best_slice_so_far(run: Run, backend: FakeBackend) -> None:
    backend.prepare = interrupt(signal.SIGINT, 50)
    status, out, _ = run("trace", "sample.py", *INPUT)
    assert status == 130
    assert "no: interrupted" in out


def test_ctrl_c_before_the_search_says_so(run: Run, backend: FakeBackend) -> None:
    backend.prepare = interrupt(signal.SIGINT, 0)
    status, out, err = run("trace", "sample.py", *INPUT)
    assert (status, out) == (130, "")
    assert "Interrupted" in err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_kill_ends_in_order(number: signal.Signals, run: Run, backend: FakeBackend) -> None:
    before = signal.getsignal(number)
    backend.prepare = interrupt(number, 20)
    status, out, err = run("trace", "sample.py", *INPUT)
    assert status == 128 + number
    assert "no: interrupted" in out
    assert number.name in err
    assert backend.recordings[0].closed
    assert signal.getsignal(number) is before


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_kill_before_the_search_ends_at_once(
    number: signal.Signals, run: Run, backend: FakeBackend
) -> None:
    backend.prepare = interrupt(number, 0)
    status, out, err = run("trace", "sample.py", *INPUT, "--json", "out.json")
    assert (status, out) == (128 + number, "")
    assert number.name in err
    assert not Path("out.json").exists()


@pytest.mark.parametrize("numbers", [(signal.SIGINT,) * 3, (signal.SIGTERM, signal.SIGTERM)])
def test_signals_at_once_are_one_request(
    numbers: tuple[signal.Signals, ...], run: Run, backend: FakeBackend
) -> None:
    def prepare(recording: FakeRecording) -> None:
        def before(events: Sequence[int]) -> None:
            if len(recording.replays) == 50:
                for number in numbers:
                    os.kill(os.getpid(), number)

        recording.before_replay = before

    backend.prepare = prepare
    status, out, _ = run("trace", "sample.py", *INPUT, "--json", "out.json")
    assert status == (130 if numbers[0] is signal.SIGINT else 143)
    assert "no: interrupted" in out
    assert "fresh process  reproduced" in out
    assert json.loads(Path("out.json").read_text())["slices"][0]["stopped"] == "stopped"


def test_a_later_ctrl_c_cuts_off_the_test_and_keeps_the_best_so_far(
    run: Run, backend: FakeBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stripe.interrupts, "GRACE", 0.0)

    def prepare(recording: FakeRecording) -> None:
        def before(events: Sequence[int]) -> None:
            if len(recording.replays) == 50:
                os.kill(os.getpid(), signal.SIGINT)
                os.kill(os.getpid(), signal.SIGINT)
                raise AssertionError("it was cut off")

        recording.before_replay = before

    backend.prepare = prepare
    status, out, _ = run("trace", "sample.py", *INPUT, "--json", "out.json")
    assert status == 130
    assert len(backend.recordings[0].replays) == 50
    assert "no: interrupted" in out
    assert json.loads(Path("out.json").read_text())["slices"][0]["verified"] is None


def test_a_later_ctrl_c_cuts_off_what_follows_a_search_in_several_threads(
    run: Run, backend: FakeBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stripe.interrupts, "GRACE", 0.0)
    over = threading.Event()

    def prepare(recording: FakeRecording) -> None:
        def change(events: Sequence[int], fresh: bool, seen: Observation) -> Observation:
            if fresh:
                command = signal.getsignal(signal.SIGINT)
                assert isinstance(command, stripe.interrupts.OrderlyEnd)
                os.kill(os.getpid(), signal.SIGINT)
                while not (command.flag and command.flag.requested):
                    time.sleep(0.001)
                os.kill(os.getpid(), signal.SIGINT)
                assert over.wait(PATIENCE)
            return seen

        recording.change = change

    backend.prepare = prepare
    status, *_ = run("trace", "sample.py", *INPUT, "--json", "out.json", "--jobs", "2")
    over.set()
    found = json.loads(Path("out.json").read_text())["slices"][0]
    assert (status, found["certified"], found["verified"]) == (0, True, None)


def test_signals_do_not_cut_off_the_writing(
    run: Run, backend: FakeBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stripe.interrupts, "GRACE", 0.0)

    def interrupted(path: Path, data: bytes) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT):
            os.kill(os.getpid(), number)
        replace_file(path, data)

    monkeypatch.setattr("stripe.outputs.output.replace_file", interrupted)
    status, _, err = run("trace", "sample.py", *INPUT, "--json", "out.json", "--show", "summary")
    assert (status, err) == (0, "")
    assert json.loads(Path("out.json").read_text())["slices"][0]["certified"] is True


def broken(error: Exception) -> Callable[[FakeRecording], None]:
    def prepare(recording: FakeRecording) -> None:
        def before(events: Sequence[int]) -> None:
            raise error

        recording.before_replay = before

    return prepare


def test_a_bug_is_admitted_with_a_traceback_only_under_v(run: Run, backend: FakeBackend) -> None:
    backend.prepare = broken(ZeroDivisionError("oops"))
    status, _, err = run("trace", "sample.py", *INPUT)
    assert status == 3
    assert "ZeroDivisionError: oops [internal-error]" in err
    assert "report it" in err
    assert "Traceback" not in err
    _, _, err = run("trace", "sample.py", *INPUT, "-v")
    assert "Traceback" in err


def test_no_memory_is_no_bug(run: Run, backend: FakeBackend, monkeypatch) -> None:
    def recorded(*arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr(backend, "record", recorded)
    status, _, err = run("trace", "sample.py", *INPUT)
    assert status == 1
    assert "[out-of-memory]" in err
    assert "--max-events" in err


def test_a_search_without_memory_shows_its_best_slice(run: Run, backend: FakeBackend) -> None:
    tests = 0

    def prepare(recording: FakeRecording) -> None:
        def before(events: Sequence[int]) -> None:
            nonlocal tests
            tests += 1
            if tests > 8:
                raise MemoryError

        recording.before_replay = before

    backend.prepare = prepare
    status, out, _ = run("trace", "sample.py", *INPUT, "--algorithm", "ddmin")
    assert status == 0
    assert "memory was used up" in out


def test_a_backend_that_fails_has_status_3(run: Run, backend: FakeBackend) -> None:
    backend.prepare = broken(BackendError("lost-worker", "The worker died.", "Try again."))
    status, _, err = run("trace", "sample.py", *INPUT)
    assert status == 3
    assert "The worker died. [lost-worker]" in err


def test_without_a_backend_the_reason_is_given(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stripe.backend, "backends", lambda: iter([]))
    status, _, err = run("trace", "sample.py")
    assert status == 2
    assert "[no-backend]" in err


def test_help_and_version(run: Run) -> None:
    status, out, _ = run("trace", "--help")
    assert status == 0
    assert all(word in out for word in ("--max-tests", "STRIPE_STDOUT", "examples:", "--"))
    assert all(len(line) <= 100 for line in out.splitlines())
    assert run("--help")[0] == 0
    assert run()[0] == 2
    assert run("--version")[1].startswith("stripe ")
    assert run("trace", "--version")[1].startswith("stripe ")


def test_verbose_tells_reductions_on_stderr(run: Run) -> None:
    _, out, err = run("trace", "sample.py", *INPUT, "-v")
    assert "of 31 events\n" in err
    assert "of 31 events\n" not in out


def test_a_reader_that_goes_away_ends_the_output_quietly(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w", buffering=1) as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        status = main(["trace", "sample.py", *INPUT])
        monkeypatch.undo()
    assert status == 0


def test_output_that_cannot_be_encoded_is_escaped(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("u.py").write_text("x = 'ü→'\nprint(x)\n")
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    assert main(["trace", "u.py"]) == 0
    text = raw.getvalue().decode("ascii")
    assert "> " in text
    assert r"x = '\xfc\u2192'" in text


def test_where_there_is_no_null_device_nothing_runs(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "devnull", str(tmp_path / "null"))
    status, _, err = run("trace", "sample.py", *INPUT)
    assert status == 2
    assert "[no-null-device]" in err
