"""Whatever a test does, nothing outside changes, the next test finds nothing of it, and the search
goes on."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from stripe.checks import parse_check
from stripe.dd import Outcome
from stripe.errors import NotReducible, UsageError
from stripe.inputs.plan import Plan
from stripe.inputs.reduction import reduce_input
from stripe.inputs.trial import Trial
from stripe.running.command import command_of, script
from stripe.sandbox.walls import Layer
from tests.support.layers import WALLED, forced

type Make = Callable[[str], Trial]

SHARED = f"/dev/shm/stripe-{uuid.uuid4().hex}"


@pytest.fixture(params=WALLED, ids=[layer.value for layer in WALLED])
def layer(request: pytest.FixtureRequest) -> Iterator[Layer]:
    with forced(request.param) as layer:
        yield layer


@pytest.fixture
def namespaces() -> Iterator[None]:
    with forced(Layer.NAMESPACES):
        yield


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Makes a trial of a shell script on an input that needs the line `one`."""

    def made(test: str) -> Trial:
        path = tmp_path / "test.sh"
        path.write_text(f"#!/bin/sh\n{test}\n")
        path.chmod(0o755)
        return Trial(script(str(path), Path("in.txt")), b"a\none\nb\n" * 3)

    return made


@pytest.fixture
def precious(tmp_path: Path) -> Iterator[Path]:
    """A directory of the user's, of which nothing may change."""
    folder = tmp_path / "precious"
    folder.mkdir()
    (folder / "file").write_bytes(b"precious\n")
    before = os.stat(folder / "file")
    yield folder
    assert [path.name for path in folder.iterdir()] == ["file"]
    assert (folder / "file").read_bytes() == b"precious\n"
    after = os.stat(folder / "file")
    assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)
    assert not Path(SHARED).exists()


HARM = {
    "deletes": "rm -rf {precious}; rm -rf ../*",
    "writes": "echo x > {precious}/file; echo x > {precious}/new",
    "moves": "mv {precious}/file {precious}/other; mv {precious} $TMPDIR",
    "changes modes": "chmod 0 {precious}/file; touch -d 2001-01-01 {precious}/file",
    "shared memory": f"echo x > {SHARED}",
    "links": "ln -s {precious}/file $TMPDIR/x; echo x > $TMPDIR/x; rm $1; ln -s {precious}/file $1",
    "its directory": "rm -rf ../run ../tmp; ln -s {precious} ../run; ln -s {precious} ../tmp",
}


@pytest.mark.parametrize("harm", HARM.values(), ids=HARM)
def test_nothing_outside_changes(layer: Layer, make: Make, precious: Path, harm: str) -> None:
    look = 'grep -q one "$1"; found=$?'
    trial = make(f"{look}\n({harm.format(precious=precious)}) 2>/dev/null\nexit $found")
    result = reduce_input(trial, Plan(units="lines"))
    assert result.failing == b"one\n"
    assert result.certified


PLACES = ["/tmp/{mark}", "$HOME/{mark}", "{precious}/{mark}", "/dev/shm/{mark}", "$TMPDIR/{mark}",
          "$PWD/../{mark}", "$PWD/../tmp/../deep"]  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_every_run_starts_from_the_same_outside_world(
    layer: Layer, make: Make, precious: Path, place: str
) -> None:
    path = place.format(mark=uuid.uuid4().hex, precious=precious)
    test = f'test -e "{path}" && exit 1; mkdir "{path}" 2>/dev/null; test -e "{path}" || exit 3'
    with make(f"{test}; exit 0") as trial:
        outcomes = [trial.outcome(b"one") for _ in range(3)]
    # What it wrote it could read, and nobody else; behind Landlock there is no other home.
    refused = layer is Layer.LANDLOCK and place.startswith("$HOME")
    assert outcomes == [Outcome.PASS if refused else Outcome.FAIL] * 3
    assert not list(precious.glob("*/*"))


def test_files_of_the_user_are_there(layer: Layer, make: Make, precious: Path) -> None:
    with make(f"test $(cat {precious}/file) = precious") as trial:
        assert trial.outcome(b"one") is Outcome.FAIL


PYTHON = f"{sys.executable} -I -S -c"


def test_system_v_memory_is_gone(namespaces: None, make: Make) -> None:
    code = (
        "import ctypes; c = ctypes.CDLL(None); "
        "assert c.shmget(0x5712, 4096, 0o600) == -1; assert c.shmget(0x5712, 4096, 0o1600) >= 0"
    )
    with make(f"{PYTHON} '{code}'") as trial:
        assert [trial.outcome(b"one") for _ in range(3)] == [Outcome.FAIL] * 3


def test_a_port_is_free_again_and_closed_to_others(namespaces: None, make: Make) -> None:
    code = textwrap.dedent("""
        import os, socket, time
        server = socket.socket()
        server.bind(("127.0.0.1", 47113))
        server.listen()
        client = socket.create_connection(("127.0.0.1", 47113))
        if os.fork() == 0:
            os.setsid()
            time.sleep(600)
        """)
    with make(f"{PYTHON} '{code}'") as trial:
        assert [trial.outcome(b"one") for _ in range(3)] == [Outcome.FAIL] * 3
        # A server of a test is not there for us, nor ours for tests.
        outside = subprocess.run([sys.executable, "-c", "import socket; "
            "socket.create_connection(('127.0.0.1', 47113), 1)"], capture_output=True)  # fmt: skip
        assert b"refused" in outside.stderr


def test_a_daemon_does_not_live_to_write(layer: Layer, make: Make, tmp_path: Path) -> None:
    nap = f"sleep 1.{uuid.uuid4().int % 10**9}"
    late = f'(setsid sh -c "{nap}; echo late > $PWD/../late; echo late > {tmp_path}/late" &)'
    with make(f"test -e ../late && exit 1\n{late} >/dev/null 2>&1\nexit 0") as trial:
        assert trial.outcome(b"one") is Outcome.FAIL
        time.sleep(1.5)
        assert trial.outcome(b"one") is Outcome.FAIL
        assert not (tmp_path / "late").exists()
        assert not running(nap)


def running(words: str) -> bool:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if words in path.read_bytes().replace(b"\0", b" ").decode():
                return True
        except OSError:
            continue
    return False


KILLS = ["kill -9 -1", "kill -9 $PPID", "kill -9 1", "kill -INT $PPID; kill -TERM $PPID",
         "kill -STOP $PPID; kill -STOP 1"]  # fmt: skip


@pytest.mark.parametrize("kill", KILLS)
def test_a_test_that_kills_what_it_can(namespaces: None, make: Make, kill: str) -> None:
    trial = make(f"grep -q one $1 || {{ {kill}; sleep 0.01; exit 1; }}")
    result = reduce_input(trial, Plan(units="lines"))
    assert result.failing == b"one\n"


def test_landlock_lets_a_test_kill_its_launcher_which_is_told(make: Make) -> None:
    test = "kill -9 $PPID; sleep 600"
    with forced(Layer.LANDLOCK), make(test) as trial, pytest.raises(NotReducible) as caught:
        trial.first()
    assert caught.value.slug == "sandbox-ended"


@pytest.mark.parametrize("kill", ["kill -INT $PPID", "kill -TERM $PPID", "kill -HUP $PPID"])
def test_landlock_ignores_lesser_signals(make: Make, kill: str) -> None:
    with forced(Layer.LANDLOCK), make(f"{kill}; exit 0") as trial:
        assert trial.outcome(b"one") is Outcome.FAIL


def test_orphans_are_reaped_while_a_test_runs(layer: Layer, make: Make) -> None:
    # As many a script waits for the end of a daemon.
    test = "(setsid sleep 0.05 & echo $! > pid); while kill -0 $(cat pid) 2>/dev/null; do :; done"
    trial = make(test)
    trial.timeout = trial.limits.seconds
    with trial:
        assert trial.outcome(b"one") is Outcome.FAIL


def test_memory_is_limited_in_any_layer(layer: Layer) -> None:
    command = ["sh", "-c", "sleep 0.1; ulimit -v", "sh", "@@"]
    trial = Trial(command_of(command, Path("in")), b"x", parse_check("stdout:/^131072$/"),
                  memory=128 << 20)  # fmt: skip
    with trial:
        trial.first()


def test_a_core_file_is_given_to_no_program(layer: Layer, make: Make) -> None:
    with make("test $(ulimit -H -c) = 0") as trial:  # in blocks: a byte is less than one
        trial.outcome(b"one")
    code = "import resource; assert resource.getrlimit(resource.RLIMIT_CORE) in ((1, 1), (0, 0))"
    with make(f'{PYTHON} "{code}"') as trial:
        assert trial.outcome(b"one") is Outcome.FAIL


def test_without_a_sandbox_it_has_to_be_wanted(make: Make) -> None:
    with forced(Layer.NONE):
        trial = make("grep -q one $1")
        with pytest.raises(UsageError) as caught:
            trial.outcome(b"one")
        assert caught.value.slug == "no-sandbox"
        assert "--unsafe" in caught.value.hint
        trial = replace(trial, unsafe=True)
        nap = f"sleep 600.{uuid.uuid4().int % 10**9}"
        trial.command = make(f"(setsid {nap} &) ; grep -q one $1").command
        result = reduce_input(trial, Plan(units="lines"))
        assert result.failing == b"one\n"
        assert not running(nap)
