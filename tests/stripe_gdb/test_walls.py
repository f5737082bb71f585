"""Native runs are behind walls: nothing outside changes, and each run finds the same world."""

from __future__ import annotations

import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from stripe.errors import UsageError
from stripe.sandbox.layers import find_layer
from stripe.sandbox.walls import VARIABLE, Layer
from stripe_gdb import preparation
from stripe_gdb.compiler import compile_program
from stripe_gdb.recording import NativeRecording
from tests.stripe_gdb.native import EXAMPLES, build, needs_cc, needs_gdb, recorded, sample
from tests.support.patience import wait_until

pytestmark = [needs_gdb, needs_cc]

ENGINES = ("gdb", "ptrace") if platform.machine() == "x86_64" else ("gdb",)
CHECKOUT = Path(__file__).parents[2]


@pytest.fixture(params=["namespaces", "landlock"])
def layer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Each layer in turn, as far as this system has it."""
    for _ in use_layer(request.param, monkeypatch):
        yield request.param


@pytest.fixture
def landlock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from use_layer("landlock", monkeypatch)


def use_layer(name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    from stripe.sandbox import layers

    if layers.refused(Layer(name)) is not None:
        pytest.skip(f"no {name} here")
    monkeypatch.setenv(VARIABLE, name)
    find_layer.cache_clear()
    yield
    find_layer.cache_clear()


def everything(recording: NativeRecording) -> range:
    return range(len(recording.trace))


# Leaves something wherever it can, and says whether it was there before.
TRACES = sample("walls/traces.c")


@pytest.mark.parametrize("engine", ENGINES)
def test_what_a_run_leaves_is_gone(
    engine: str, layer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, outside, home = (tmp_path / name for name in ("work", "outside", "home"))
    for folder in (work, outside, home):
        folder.mkdir()
    program = build(TRACES, work)
    monkeypatch.setenv("HOME", str(home))
    key = str(7_000_000 + os.getpid())
    with recorded(program, str(outside), key, engine=engine) as recording:
        said = recording.plain.stdout.decode()
        assert "there\n" not in said.replace("not there", "")
        assert said.count("written") == 3, "in memory, or in the run's own /tmp and /dev/shm"
        assert "shm 0\n" in said
        assert ("shm 1\n" in said) is ("msg 1\n" in said) is (layer == "namespaces")
        for fresh in (False, False, True, False):
            with recording.replay(everything(recording), fresh=fresh) as run:
                assert run.stdout == recording.plain.stdout
    assert list(outside.iterdir()) == list(home.iterdir()) == []
    assert not Path("/dev/shm", key).exists()
    for kind in ("shm", "msg"):
        assert key not in Path("/proc/sysvipc", kind).read_text()


SEES = sample("walls/sees.c")


@pytest.mark.parametrize("tty", [False, True])
@pytest.mark.parametrize("engine", ENGINES)
def test_what_a_program_sees_of_it(engine: str, tty: bool, tmp_path: Path) -> None:
    """No descriptor or variable of ours, no signal ignored; the kernel starts no core handler."""
    if tty and engine == "ptrace":
        pytest.skip("it has no terminals")
    with recorded(build(SEES, tmp_path), engine=engine, tty=tty) as recording:
        assert recording.plain.stdout == b"0 0 3 descriptors\nknows nothing\n1\n"
        for fresh in (False, True, False):
            with recording.replay(everything(recording), fresh=fresh) as run:
                assert run.stdout == recording.plain.stdout


CONNECTS = sample("walls/connects.c")


@pytest.mark.parametrize("engine", ENGINES)
def test_nobody_is_called(engine: str, layer: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        refused = b"Connection refused\n"
        with recorded(build(CONNECTS, tmp_path), port, engine=engine) as recording:
            assert recording.plain.stdout == refused
            with recording.replay(everything(recording)) as run:
                assert run.stdout == refused


def test_the_recorded_run_may_call_if_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        with recorded(build(CONNECTS, tmp_path), port, network=True) as recording:
            assert recording.plain.stdout == recording.recorded.stdout == b"connected\n"
            with recording.replay(everything(recording)) as run:
                assert run.stdout == b"Connection refused\n"


@pytest.mark.parametrize("engine", ENGINES)
def test_a_live_run_acts_once(engine: str, tmp_path: Path) -> None:
    work, outside = tmp_path / "work", tmp_path / "outside"
    work.mkdir()
    outside.mkdir()
    program = """\
    #include <stdio.h>
    int main(int count, char **words)
    {
        FILE *file = fopen(words[1], "a");
        fputs("acted\\n", file);
        printf("%ld\\n", ftell(file));
        return 0;
    }
    """
    goal = outside / "goal"
    goal.write_text("before\n")
    with recorded(build(program, work), str(goal), engine=engine, live=True) as recording:
        assert goal.read_text() == "before\nacted\n"
        assert recording.plain is recording.recorded
        with recording.replay(everything(recording)) as run:
            assert run.stdout == b"19\n"  # it finds what the recorded run left
    assert goal.read_text() == "before\nacted\n"


KILLS = sample("walls/kills.c")

# In a process namespace of its own, for if the walls do not hold.
KILLING = """\
import os, subprocess, sys
from pathlib import Path
from tests.stripe_gdb.native import build, recorded
assert os.getppid() <= 1
sentinel = subprocess.Popen(["sleep", "60"])
program = build(Path(sys.argv[1]).read_text(), Path(sys.argv[2]), "-DSIGNAL=" + sys.argv[3])
with recorded(program, engine=sys.argv[4]) as recording:
    for events in (range(len(recording.trace)), [0]):
        with recording.replay(events) as run:
            assert run.end.name == "EXITED", run
assert recording.plain.stdout == b"alive\\n"
assert sentinel.poll() is None
sentinel.kill()
"""


@pytest.mark.parametrize("number", ["SIGKILL", "SIGTERM", "SIGINT", "SIGALRM"])
@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_that_ends_all_others(engine: str, number: str, tmp_path: Path) -> None:
    """All others that it can see are none."""
    alone = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if os.geteuid() != 0:
        alone.insert(1, "--map-root-user")
    if shutil.which("unshare") is None or subprocess.run([*alone, "true"]).returncode:
        pytest.skip("no process namespace for the test itself")
    source, work = tmp_path / "kills.c", tmp_path / "work"
    work.mkdir()
    # The sender itself ignores it, if it is one that can be.
    source.write_text(
        KILLS.replace("    kill(", "    signal(SIGNAL, SIG_IGN);\n    kill(", 1)
        if number != "SIGKILL"
        else KILLS
    )
    command = [sys.executable, "-c", KILLING, str(source), str(work), number, engine]
    done = subprocess.run([*alone, *command], cwd=CHECKOUT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


LEAVES = sample("walls/leaves.c")


@pytest.mark.parametrize("engine", ENGINES)
def test_processes_left_behind_end_with_the_run(engine: str, layer: str, tmp_path: Path) -> None:
    program = build(LEAVES, tmp_path, name=f"leaves{os.getpid()}")
    with recorded(program, engine=engine) as recording:
        assert any("processes behind" in note for note in recording.notes)
        for fresh in (False, True):
            with recording.replay(everything(recording), fresh=fresh) as run:
                assert run.stdout == b"left one\n"
                assert running(program.name) == []
    assert running(program.name) == []


def running(name: str) -> list[str]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = entry.read_text()
        except OSError:
            continue
        if f"({name[:15]})" in text:
            found.append(text)
    return found


VICTIMS = ("guard", "warden", "engine", "program")

SLOW = sample("walls/slow.c")


@pytest.mark.parametrize("victim", VICTIMS[:3])
@pytest.mark.parametrize("engine", ENGINES)
def test_whatever_is_killed_is_started_again(engine: str, victim: str, tmp_path: Path) -> None:
    with recorded(build(SLOW, tmp_path), engine=engine) as recording:
        with recording.replay(everything(recording)) as run:
            assert run.stdout == b"done\n"
        [guard] = children(os.getpid(), "enter.py")
        chain = {"guard": guard}
        [chain["warden"]] = children(guard)
        [chain["engine"]] = children(chain["warden"])
        os.kill(chain[victim], signal.SIGKILL)
        # With it all of them end, but not at once: a replay could still get through.
        wait_until(lambda: guard not in children(os.getpid(), "enter.py"))
        with recording.replay(everything(recording)) as run:
            assert run.stdout == b"done\n"


def children(parent: int, named: str = "") -> list[int]:
    """The children of a process with a word in their command line."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            status = (entry / "stat").read_text().rpartition(")")[2].split()
            command = (entry / "cmdline").read_text()
        except OSError:
            continue
        if int(status[1]) == parent and status[0] != "Z" and named in command:
            found.append(int(entry.name))
    return found


@pytest.mark.parametrize("engine", ENGINES)
def test_the_paper_s_program_below_landlock(engine: str, landlock: None, tmp_path: Path) -> None:
    program = build(EXAMPLES / "sample.c", tmp_path)
    with recorded(program, engine=engine, stdin=b"0\n5\n") as recording:
        for fresh in (False, False, True):
            with recording.replay(everything(recording), strict=True, fresh=fresh) as run:
                assert run.stdout == recording.plain.stdout
        with recording.replay([0]) as run:
            assert run.stdout != recording.plain.stdout


def test_a_terminal_below_landlock(landlock: None, tmp_path: Path) -> None:
    program = """\
    #include <fcntl.h>
    #include <stdio.h>
    #include <unistd.h>
    int main(void)
    {
        char name[100];
        printf("%d %d Name:\\n", isatty(0), open("/dev/tty", O_RDWR) >= 0);
        fgets(name, sizeof name, stdin);
        printf("%s", name);
        return 0;
    }
    """
    script = b"< Name:\n> ada"
    with recorded(build(program, tmp_path), tty=True, stdin=script) as recording:
        assert recording.plain.stdout == b"1 1 Name:\nada\n"
        for _ in range(2):
            with recording.replay(everything(recording)) as run:
                assert run.stdout == recording.plain.stdout


def test_compilers_change_nothing(layer: str, tmp_path: Path, monkeypatch) -> None:
    """A compiler that writes beside the source as it compiles; what it makes can be run."""
    source, compiler = tmp_path / "prog.c", tmp_path / "cc-that-writes"
    source.write_text('#include <stdio.h>\nint main(void) { puts("made"); return 0; }\n')
    writing = f"[ $1 = --version ] || touch {tmp_path}/written 2>/dev/null"
    compiler.write_text(f'#!/bin/sh\n{writing}\nexec cc "$@"\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    program, _ = compile_program(source, tmp_path, Layer(layer))
    assert not (tmp_path / "written").exists()
    assert subprocess.run([program], capture_output=True).stdout == b"made\n"


def test_without_a_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, "find_layer", lambda: (Layer.NONE, "this is a test"))
    program = build('#include <stdio.h>\nint main(void) { puts("x"); return 0; }\n', tmp_path)
    with pytest.raises(UsageError) as caught, recorded(program):
        pass
    assert caught.value.slug == "no-sandbox"
    assert "this is a test" in str(caught.value)
    with recorded(program, unsafe=True) as recording:
        assert recording.plain.stdout == b"x\n"
