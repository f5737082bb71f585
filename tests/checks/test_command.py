"""``cmd:``: a command judges the run."""

from __future__ import annotations

import time
import uuid
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from stripe.backend import End, Observation
from stripe.checks import parse_check
from stripe.checks.command import CommandPart
from stripe.dd import Outcome
from stripe.errors import NotReducible
from tests.support.fake import observation


@pytest.fixture
def run(tmp_path: Path) -> Observation:
    return observation(b"hello\n", stderr=b"warning\n", status=3, directory=tmp_path)


@pytest.mark.parametrize(
    ("command", "outcome"),
    [
        ("exit 0", Outcome.FAIL),
        ("exit 1", Outcome.PASS),
        ("exit 125", Outcome.UNRESOLVED),
        ("kill -9 $$", Outcome.PASS),
        ('grep -q hello "$STRIPE_STDOUT"', Outcome.FAIL),
        ('grep -q warning "$STRIPE_STDERR"', Outcome.FAIL),
        ('test "$STRIPE_STATUS" = 3', Outcome.FAIL),
        ('test "$STRIPE_DIRECTORY" -ef .', Outcome.FAIL),
        ("read line", Outcome.PASS),  # nothing to read
    ],
)
def test_the_exit_status_is_the_answer(command: str, outcome: Outcome, run: Observation) -> None:
    assert CommandPart("cmd", command).judge(run) is outcome


def test_a_signal_is_told_as_a_shell_tells_it(run: Observation) -> None:
    died = replace(run, end=End.SIGNAL, status=11)
    assert CommandPart("cmd", 'test "$STRIPE_STATUS" = 139').judge(died) is Outcome.FAIL


def test_a_command_that_hangs_is_ended_with_all_it_started(
    run: Observation, tmp_path: Path
) -> None:
    nap = f"sleep 60.{uuid.uuid4().int % 10**9}"
    command = f"{nap} & touch {tmp_path}/started; sleep 600"
    started = time.monotonic()
    assert CommandPart("cmd", command, timeout=0.3).judge(run) is Outcome.UNRESOLVED
    assert time.monotonic() - started < 20
    assert (tmp_path / "started").exists()
    assert not alive(nap)


def test_what_a_command_leaves_running_is_ended_and_not_waited_for(
    run: Observation, tmp_path: Path
) -> None:
    nap = f"sleep 60.{uuid.uuid4().int % 10**9}"
    assert CommandPart("cmd", f"{nap} & (setsid {nap} &)").judge(run) is Outcome.FAIL
    assert not alive(nap)


def alive(words: str) -> bool:
    """Whether a process with this command line is running."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if path.read_bytes().replace(b"\0", b" ").decode().strip() == words:
                return True
    return False


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("echo because >&2; exit 1", "because"),
        ("no-such-command-here", "not found"),
        ("exit 125", "125"),
    ],
)
def test_the_command_must_say_yes_to_the_recorded_run(
    command: str, says: str, run: Observation
) -> None:
    with pytest.raises(NotReducible, match=says) as caught:
        parse_check(f"cmd:{command}").reference(run)
    assert caught.value.slug == "never-matches"


def test_a_command_too_slow_for_the_recorded_run_is_refused(run: Observation) -> None:
    with pytest.raises(NotReducible) as caught:
        CommandPart("cmd", "sleep 60", timeout=0.2).reference(run)
    assert caught.value.slug == "check-timeout"
