"""Who ends what was started behind walls ends all of it."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from stripe.sandbox.layers import refused
from stripe.sandbox.termination import await_end, end_process
from stripe.sandbox.walls import Layer, Walls
from tests.support.patience import PATIENCE, wait_until


@pytest.fixture(params=[Layer.NAMESPACES, Layer.LANDLOCK], ids=lambda layer: layer.value)
def walls(request: pytest.FixtureRequest, tmp_path: Path) -> Walls:
    if refused(request.param) is not None:
        pytest.skip(f"no {request.param.value} here")
    root = Path(os.path.realpath(tmp_path))
    (root / "home").mkdir()
    return Walls(request.param, root, root / "home", root / "room", root / "home")


def marked(mark: str) -> list[str]:
    """The processes with ``mark`` in their command line, but for the zombies."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            text = entry.read_text()
        except OSError:
            continue
        if mark in text:
            found.append(text)
    return found


def test_the_guard_is_gone_only_when_all_is(walls: Walls) -> None:
    if walls.layer is not Layer.NAMESPACES:
        pytest.skip("there the command has to end what it started")
    mark = f"77.{os.getpid()}"
    many = f"for i in $(seq 150); do setsid sleep {mark} & done; echo ready; wait"
    started = subprocess.Popen(walls.command(["sh", "-c", many], "/"), stdout=subprocess.PIPE)
    assert started.stdout is not None
    assert started.stdout.readline() == b"ready\n"
    assert marked(mark)
    started.terminate()
    started.wait()
    assert marked(mark) == []
    started.stdout.close()


def test_a_guard_killed_at_any_moment_takes_all_along(walls: Walls) -> None:
    mark = f"78.{os.getpid()}"
    for number in range(24):
        started = subprocess.Popen(
            walls.command(["sleep", mark], "/"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        # Not to wait for something: the moment is what varies.
        time.sleep(number * 0.008)
        os.kill(started.pid, signal.SIGKILL)
        started.wait()
    wait_until(lambda: not marked(mark), lambda: str(marked(mark)))


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs Linux")
def test_who_waits_for_an_end_does_not_look_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda seconds: pytest.fail("it has looked"))
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            await_end(process, 0.01)
        assert process.stdin is not None
        process.stdin.close()
        end_process(process, patience=PATIENCE)
        assert process.returncode == 0
        await_end(process, 0.01)  # once more does no harm


def test_one_that_does_not_end_in_time_is_ended() -> None:
    with subprocess.Popen(["sleep", "1000"], start_new_session=True) as process:
        end_process(process, patience=0.01)
        assert process.returncode == -signal.SIGTERM
