"""Commands under limits: how they end, who may end them, and what if our helpers are killed."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from stripe.errors import NotReducible, UsageError
from stripe.sandbox import commands
from stripe.sandbox.commands import CannotStart, CommandPlace, Limits, Runner, limits_explained
from stripe.sandbox.walls import Layer, Walls
from tests.support.killing import kill
from tests.support.layers import forced
from tests.support.patience import PATIENCE, wait_until

SHELL = "/bin/sh"


@pytest.fixture(params=list(Layer), ids=[layer.value for layer in Layer])
def runner(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Runner]:
    with forced(request.param) as layer:
        made = make(layer, tmp_path)
        yield made
        made.close()


@pytest.fixture
def walled(tmp_path: Path) -> Iterator[Runner]:
    with forced(Layer.NAMESPACES) as layer:
        made = make(layer, tmp_path)
        yield made
        made.close()


def make(layer: Layer, folder: Path) -> Runner:
    home = folder / "home"
    home.mkdir()
    out = os.open(folder / "out", os.O_RDWR | os.O_CREAT | os.O_APPEND)
    walls = Walls(layer, folder, home, folder / "room", home)
    return Runner(walls, CommandPlace(home, os.environb, None, out, out))


def run(runner: Runner, script: str, *words: str, seconds: float = 60.0) -> int | None:
    command = [SHELL, "-c", script, "sh", *words]
    return runner.run(command, Limits(seconds), heard=True).status


def test_how_it_ends(runner: Runner, tmp_path: Path) -> None:
    assert run(runner, "exit 3") == 3
    assert run(runner, "sleep 0.05; kill -9 $$") == -signal.SIGKILL
    assert run(runner, "sleep 600", seconds=0.2) is None
    assert run(runner, "echo said; pwd") == 0
    assert (tmp_path / "out").read_text() == f"said\n{tmp_path}/home\n"
    with pytest.raises(CannotStart, match="No such file") as caught:
        runner.run(["/no/such/command"], Limits(5), heard=False)
    assert caught.value.filename == "/no/such/command"
    assert run(runner, "exit 4") == 4


COMPUTES = """\
import os, sys, time
os.sched_setaffinity(0, {int(sys.argv[1])})
while time.process_time() < 0.8:
    pass
"""


def test_time_in_which_others_have_the_processor_does_not_count(runner: Runner) -> None:
    """On a busy machine a command was ended as one that hangs, and told so of the user's."""
    one = min(os.sched_getaffinity(0))
    ends = f"while os.getppid() == {os.getpid()}: pass"  # also if we are killed
    spins = [sys.executable, "-c", f"{COMPUTES}{ends}", str(one)]
    others = [subprocess.Popen(spins, start_new_session=True) for _ in range(4)]
    try:
        for limits, ended in (
            (Limits(2), 0),
            (Limits(2, most=2), None),
            (Limits(2).within(1), None),
        ):
            # Below a shell, which waits only for it.
            script = '"$@"; exit $?'
            words = [SHELL, "-c", script, "sh", sys.executable, "-c", COMPUTES, str(one)]
            assert runner.run(words, limits, heard=False).status == ended
    finally:
        for each in others:
            each.kill()
            each.wait()


def test_words_and_variables_of_any_size(runner: Runner, tmp_path: Path) -> None:
    words = ["x" * 100_000] * 8
    assert run(runner, "test ${#8} = 100000 || exit 1; exit $#", *words) == 8
    ending = runner.run(
        [SHELL, "-c", "exit $WORD"], Limits(60), heard=False, variables={b"WORD": b"5"}
    )
    assert ending.status == 5
    assert run(runner, "exit ${WORD:-6}") == 6


def test_files_are_limited(runner: Runner, tmp_path: Path) -> None:
    command = [SHELL, "-c", "exec cat /dev/zero > file"]
    ending = runner.run(command, Limits(60, output=1 << 16), heard=False)
    assert ending.status == -signal.SIGXFSZ
    assert (tmp_path / "home" / "file").stat().st_size == 1 << 16
    assert run(runner, "head -c 100000 /dev/zero > file") == 0


def test_signals_to_the_launcher_are_not_for_it(runner: Runner) -> None:
    first = start(runner)
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        assert run(runner, f"kill -{number} $PPID; exit 3") == 3
    assert start(runner) == first


def test_another_thread_ends_a_command(runner: Runner, tmp_path: Path) -> None:
    runs = tmp_path / "home" / "runs"

    def cancel() -> None:
        wait_until(runs.exists)
        runner.cancel()

    for _ in range(2):
        thread = threading.Thread(target=cancel)
        thread.start()
        ending = runner.run(
            [SHELL, "-c", "touch runs; exec sleep 600"], Limits(PATIENCE), heard=True
        )
        thread.join()
        assert ending.status is None
        assert ending.seconds < PATIENCE  # not by its limit
        runs.unlink()
        runner.cancel()  # there is none
        assert run(runner, "exit 3") == 3


def test_it_ends_in_peace(runner: Runner) -> None:
    start(runner)
    process = runner._process
    assert process is not None
    runner.close()
    assert process.returncode == 0


def test_a_fork_of_ours_ends_nothing(runner: Runner) -> None:
    first = start(runner)
    forked = os.fork()
    if not forked:
        try:
            runner.close()
        finally:
            os._exit(0)
    os.waitpid(forked, 0)
    assert start(runner) == first


def test_another_thread_closes(runner: Runner, tmp_path: Path) -> None:
    runs = tmp_path / "home" / "runs"

    def close() -> None:
        wait_until(runs.exists)
        runner.close()

    thread = threading.Thread(target=close)
    thread.start()
    assert run(runner, "touch runs; exec sleep 1000", seconds=1000) is None
    thread.join()
    assert run(runner, "exit 3") is None


def family(process: int) -> list[int]:
    """A process and what descends from it, first children."""
    found = [process]
    while True:
        try:
            text = Path(f"/proc/{found[-1]}/task/{found[-1]}/children").read_text()
        except OSError:
            return found
        if not text.split():
            return found
        found.append(int(text.split()[0]))


HELPERS = ["guard", "warden", "launcher"]


def start(runner: Runner) -> int:
    """Have its helpers started; the number of the guard."""
    assert run(runner, "exit 0") == 0
    process = runner._process
    assert process is not None
    return process.pid


@pytest.mark.parametrize("helper", HELPERS)
@pytest.mark.parametrize("turn", range(2))
def test_a_helper_that_is_killed_at_any_moment(walled: Runner, helper: str, turn: int) -> None:
    victim = family(start(walled))[HELPERS.index(helper)]
    timer = threading.Timer(random.uniform(0, 0.3), kill, (victim,))
    timer.start()
    nap = f"sleep 0.{uuid.uuid4().int % 10**9 + 10**8}"
    for number in range(5):
        assert run(walled, f"{nap[:9]}; exit {number}") == number
    timer.join()
    assert run(walled, f"({nap} &); exit 9") == 9


@pytest.mark.parametrize("helper", HELPERS)
def test_a_helper_that_is_always_killed_is_told(walled: Runner, helper: str) -> None:
    start(walled)
    over = threading.Event()

    def go_on_killing() -> None:
        while not over.wait(0.01):
            process = walled._process
            found = family(process.pid) if process is not None else []
            if len(found) > 3:  # the command runs
                kill(found[HELPERS.index(helper)])

    thread = threading.Thread(target=go_on_killing)
    thread.start()
    try:
        with pytest.raises(NotReducible) as caught:
            run(walled, "sleep 600")
    finally:
        over.set()
        thread.join()
    assert caught.value.slug == "sandbox-ended"
    assert run(walled, "exit 3") == 3


def test_why_there_are_no_walls_is_told(walled: Runner, tmp_path: Path) -> None:
    (tmp_path / "home").rmdir()
    with pytest.raises(NotReducible, match=r"2 times: .*No such file") as caught:
        run(walled, "exit 3")
    assert caught.value.slug == "sandbox-ended"


def test_limits_of_the_system_are_told_in_plain_words() -> None:
    with pytest.raises(UsageError, match="too many files are open") as caught, limits_explained():
        raise OSError(errno.EMFILE, "")
    assert caught.value.slug == "system-limit"
    for other in (OSError(errno.EACCES, ""), CannotStart(errno.ENOMEM, "")):
        with pytest.raises(OSError) as same, limits_explained():
            raise other
        assert same.value is other


def test_a_launcher_that_is_stopped(walled: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "_GRACE_SECONDS", 0.5)
    monkeypatch.setattr(commands, "_END_SECONDS", 0.5)
    os.kill(family(start(walled))[2], signal.SIGSTOP)
    assert run(walled, "exit 3", seconds=1.0) == 3
