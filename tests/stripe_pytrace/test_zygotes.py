"""Fresh replays are forked from one interpreter, and each is what one of its own would be."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from stripe.backend import End, Observation, Target
from stripe.sandbox.layers import find_layer
from stripe.sandbox.walls import Layer
from stripe_pytrace.agent.process import wire
from stripe_pytrace.agent.process.captures import Capture
from stripe_pytrace.agent.process.zygotes import Zygotes
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.host import AgentProcess
from stripe_pytrace.recording import PythonRecording
from stripe_pytrace.runner import Runner
from tests.support.patience import wait_until

IN_NAMESPACES = pytest.mark.skipif(
    find_layer()[0] is not Layer.NAMESPACES,
    reason="only in namespaces is there a process that it cannot kill",
)

WORLD = """\
import os, sys
n = 1
n = 0
n and print(os.getppid(), os.getpgrp() == os.getsid(0) == os.getpid())
n and print([number for number in os.listdir("/proc/self/fd") if 7 < int(number) < 199])
n and print(sys.stdin.read(), os.getcwd() == os.environ["PWD"] == sys.path[0], sys.argv)
n and print([name for name in sys.modules if "stripe" in name], len(sys.warnoptions))
"""

SEEN = b"""\
1 True
[]
asked True ['prog.py', 'x']
[] 0
"""

KILLER = """\
import os, signal
n = 1
n = 0
n and os.kill(-1, signal.SIGKILL)
print("on")
"""

STOPPER = KILLER.replace("SIGKILL", "SIGSTOP")

FLAGS = """\
import fcntl, os
print(fcntl.fcntl(1, fcntl.F_GETFL) & os.O_NONBLOCK)
fcntl.fcntl(1, fcntl.F_SETFL, fcntl.fcntl(1, fcntl.F_GETFL) | os.O_NONBLOCK)
"""

LEFT = """\
import os
kept = 1
if os.fork() == 0:
    os.execvp("sleep", ["sleep", "600"])
print("on")
"""


VALUES = """\
import json, os
a = 1
a = 2
n = 1
n = 0
n and os.kill(-1, 9)
b = [a, {"b": a}, os.getpid(), os.getppid()]
print(json.dumps(b[:2]))
"""


@contextmanager
def recorded(folder: Path, program: str) -> Iterator[PythonRecording]:
    (folder / "prog.py").write_text(program)
    target = Target("prog.py", ["x"], directory=folder, stdin=b"asked")
    with closing(PythonBackend().record(target)) as recording:
        assert isinstance(recording, PythonRecording)
        yield recording


def replayed(recording: PythonRecording) -> Observation:
    with recording.replay(range(len(recording.trace)), fresh=True) as run:
        return run


def started(recording: PythonRecording) -> list[int]:
    """The interpreters that were started for fresh replays: nobody else has such words."""
    return [
        process
        for process, words in running(recording).items()
        if words.endswith(b"/agent/boot.py\x004\x003\x00")
    ]


def running(recording: PythonRecording) -> dict[int, bytes]:
    """The words of all that was started in a recording's folder: some variable names it."""
    root, found = os.fsencode(recording._workspace.root), {}
    for each in Path("/proc").glob("[0-9]*"):
        try:
            if root in (each / "environ").read_bytes():
                found[int(each.name)] = (each / "cmdline").read_bytes()
        except OSError:
            continue
    return found


def test_they_are_forked_from_one_that_begins_soon_and_stays(tmp_path: Path) -> None:
    with recorded(tmp_path, "print(1)\n") as recording:
        wait_until(lambda: bool(started(recording)))
        [zygote] = started(recording)
        assert replayed(recording).stdout == b"1\n"
        assert replayed(recording).stdout == b"1\n"
        assert started(recording) == [zygote]
    assert started(recording) == []


@IN_NAMESPACES
def test_the_program_finds_the_world_that_it_finds_plainly(tmp_path: Path) -> None:
    with recorded(tmp_path, WORLD) as recording:
        assert recording.plain.stdout == b""
        for _ in range(2):
            with recording.replay([0, 1, 3, 4, 5, 6], fresh=True) as run:
                assert run.stdout == SEEN


def test_what_one_does_to_its_output_does_not_reach_the_next(tmp_path: Path) -> None:
    with recorded(tmp_path, FLAGS) as recording:
        for _ in range(2):
            assert replayed(recording).stdout == b"0\n"


@IN_NAMESPACES
def test_one_that_kills_all_there_is_begins_anew(tmp_path: Path) -> None:
    with recorded(tmp_path, KILLER) as recording:
        for events in [0, 1, 3, 4], [0, 1, 2, 3, 4], [0, 1, 3, 4]:
            with recording.replay(events, fresh=True) as run:
                assert (run.end, run.stdout) == (End.EXITED, b"on\n")


@IN_NAMESPACES
def test_what_one_has_stopped_goes_on(tmp_path: Path) -> None:
    with recorded(tmp_path, STOPPER) as recording:
        everything = range(len(recording.trace))
        recording.differences(everything)
        for events in [0, 1, 3, 4], everything:
            for fresh in False, True:
                with recording.replay(events, fresh=fresh) as run:
                    assert (run.end, run.stdout) == (End.EXITED, b"on\n")
            assert recording.differences(everything) == {}


class Loading(Zygotes):
    """Zygotes that are other processes, of which one tells that it has loaded all."""

    def fork(self, name: str) -> tuple[int, int] | None:
        asked, orders = os.pipe()
        reader, told = os.pipe()
        process = subprocess.Popen(["sleep", "600"]).pid
        self._known[name] = process, orders, reader
        if name == "early":
            os.write(told, process.to_bytes(8, "little"))
        os.set_blocking(asked, False)
        self.heard, self.told = asked, told
        return None


def test_one_that_was_loading_when_files_may_have_changed_is_not_asked() -> None:
    zygotes = Loading(lambda *_: None, (Capture("stdout"), Capture("stderr")))
    try:
        for name in "early", "late":
            zygotes.begin({"zygote": name})
            assert wire.receive(zygotes.heard) == {"mode": "fork"}
        zygotes.look()
        zygotes.spoil()
        assert list(zygotes._known) == ["early"]
    finally:
        zygotes.end_all()


def test_what_is_printed_while_one_loads_is_of_no_run() -> None:
    """Files that are put back meanwhile may be those that it is about to read."""
    outputs = Capture("stdout"), Capture("stderr")
    zygotes = Loading(lambda *_: None, outputs)
    try:
        zygotes.begin({"zygote": "early"})
        os.write(outputs[1].number, b"No such file or directory")
        os.write(zygotes.told, (7).to_bytes(8, "little"))
        assert zygotes.run({"zygote": "early", "timeout": 9.0})[0] == 7
        assert outputs[1].take() == b""
    finally:
        zygotes.end_all()


@pytest.mark.skipif(find_layer()[0] is Layer.NONE, reason="no program may start others then")
def test_what_one_leaves_behind_is_ended(tmp_path: Path) -> None:
    with recorded(tmp_path, LEFT) as recording:
        for _ in range(2):
            assert replayed(recording).stdout == b"on\n"
            assert started(recording) == []


def test_a_fork_of_what_replays_compares(
    tmp_path: Path, walled: list[AgentProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It tells what a server would tell that is there to compare."""
    told = []
    for expected in 1, 2:
        del walled[:]
        with recorded(tmp_path, VALUES) as recording:
            with recording.replay([0, 1, 6, 7]):
                pass
            told.append(recording.differences([0, 1, 6, 7]))
            assert recording.differences([0, 2, 6, 7]) == {}
        assert len(walled) == expected
        monkeypatch.setattr(Runner, "beside", lambda *_: None)
    assert told[0] == told[1]
    assert told[0][6]["a"] == ("2", "1")
    assert list(told[0]) == [6, 7]


@IN_NAMESPACES
def test_where_a_test_has_killed_that_fork_a_server_compares(
    tmp_path: Path, walled: list[AgentProcess]
) -> None:
    with recorded(tmp_path, VALUES) as recording:
        with recording.replay([0, 3, 5, 6, 7]) as run:
            assert run.end is End.EXITED
        assert recording.differences([0, 1, 6, 7])[6]["a"] == ("2", "1")
        assert recording.differences([0, 2, 6, 7]) == {}
    assert len(walled) == 2


def test_where_a_run_has_changed_files_another_slot_has_one_process_for_all(
    tmp_path: Path, walled: list[AgentProcess]
) -> None:
    with recorded(tmp_path, VALUES + "open('out', 'w').close()\n") as recording:
        with recording.replay([0, 1, 6, 7], fresh=True) as run:
            assert run.stdout == b'[1, {"b": 1}]\n'
        assert recording.differences([0, 1, 6, 7])[6]["a"] == ("2", "1")
        assert recording.differences([0, 2, 6, 7]) == {}
    assert len(walled) == 2
