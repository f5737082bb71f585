"""Whatever a program does, alone or with parts of it left out, the user's world stays as it is.

Every :meth:`Room.stripe` also asserts that the working directory has not changed and that no
process and no temporary file is left.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.e2e.harness import Room
from tests.support.patience import PATIENCE, wait_until

FILES = """\
import os
with open("out.txt", "w") as out:
    out.write("new\\n")
with open("kept.txt", "a") as kept:
    kept.write("more\\n")
os.remove("old.txt")
os.rename("moved.txt", "folder/moved.txt")
os.chmod("kept.txt", 0o600)
os.mkdir("made")
print(sorted(os.listdir()), open("kept.txt").read())
"""


def test_a_program_that_writes_and_deletes_files_in_its_directory(room: Room) -> None:
    for name in ("kept.txt", "old.txt", "moved.txt", "folder/inside.txt"):
        room.file(name, f"{name}\n")
    (room.work / "link").symlink_to("kept.txt")
    room.program(FILES)
    run = room.trace("prog.py")
    assert run.lines() == [1, 2, 4, 5, 6, 7, 9, 10]


def test_a_program_that_deletes_all_in_its_directory(room: Room) -> None:
    """The directory itself is busy: the sandbox has it mounted."""
    room.file("data/one.txt", "1\n")
    room.program(
        "import os, shutil\n"
        "shutil.rmtree(os.getcwd(), ignore_errors=True)\n"
        "print(os.path.exists('/proc/self/cwd/data'))\n"
    )
    assert room.trace("prog.py").lines() == [1, 2, 3]


GUARDED = """\
import os, shutil, sys
target = sys.argv[1]
scratch = "scratch"
os.mkdir(scratch)
target = scratch
shutil.rmtree(target)
print("cleaned", os.path.exists("scratch"))
"""


def test_a_partial_run_cannot_delete_what_the_recorded_run_left_alone(room: Room) -> None:
    """Without line 5 the target is another directory."""
    (room.elsewhere / "precious.txt").write_text("precious\n")
    room.program(GUARDED)
    run = room.trace("prog.py", "--", str(room.elsewhere))
    assert (room.elsewhere / "precious.txt").read_text() == "precious\n"
    assert run.slice()["tests"]["UNRESOLVED"] > 0


def test_what_the_recorded_run_does_outside_is_noted(room: Room) -> None:
    outside = room.elsewhere / "log.txt"
    room.program("import sys\nopen(sys.argv[1], 'w').write('log')\nprint('done')\n")
    run = room.trace("prog.py", "--", str(outside))
    assert any(str(outside) in note for note in run.result["notes"])


def test_a_program_that_hangs_only_in_replays(room: Room) -> None:
    """Without line 3 nobody ever ends the wait of line 4."""
    room.program("import queue\nitems = queue.Queue()\nitems.put('item')\nprint(items.get())\n")
    run = room.trace("prog.py", "--timeout", "60")
    assert run.lines() == [1, 2, 3, 4]
    assert run.slice()["tests"]["UNRESOLVED"] > 0


def test_a_loop_in_a_library_whose_end_was_left_out(room: Room) -> None:
    room.program(
        "import itertools\nlimit = None\nlimit = 3\n"
        "print(sum(1 for n in itertools.takewhile(lambda n: n != limit, itertools.count())))\n"
    )
    assert room.trace("prog.py", "--timeout", "6").lines() == [1, 3, 4]


def test_a_bomb_of_output(room: Room) -> None:
    room.program("import os\ndata = b'x' * (1 << 20)\nwhile True:\n    os.write(1, data)\n")
    run = room.stripe("trace", "prog.py")
    run.refused("too-much-output", "more than 64 MB", status=1)


def test_long_lines_are_not_quoted_whole(room: Room) -> None:
    room.program("import time\nprint('x' * 100_000, time.time_ns())\n")
    run = room.stripe("trace", "prog.py")
    assert "[nondeterministic]" in run.err
    assert len(run.err) < 2000


def test_a_bomb_of_output_only_in_replays(room: Room) -> None:
    room.program(
        "import os\ntimes = 1 << 40\ntimes = 1\n"
        "any(os.write(1, b'x' * 65536) == 0 for _ in range(times))\n"
    )
    run = room.trace("prog.py")
    assert run.lines() == [1, 3, 4]


def test_a_bomb_of_memory_only_in_replays(room: Room) -> None:
    room.program("size = 1 << 50\nsize = 1\nprint(len(bytes(size)))\n")
    assert room.trace("prog.py").lines() == [2, 3]


def test_megabytes_of_output(room: Room) -> None:
    room.program("text = 'x' * 99\nother = 1\nprint('\\n'.join([text] * 50_000))\n")
    run = room.trace("prog.py", "--check", "stdout")
    assert run.lines() == [1, 3]


CHILDREN = """\
import os, time
for number in range(3):
    child = os.fork()
    if child == 0:
        os.setsid()
        grandchild = os.fork()
        if grandchild == 0:
            os.closerange(0, 3)
            time.sleep(600)
        os._exit(0)
print("started")
"""


def test_children_that_run_away(room: Room) -> None:
    """Grandchildren in sessions of their own: gone in the end, like everything."""
    room.program(CHILDREN)
    assert room.trace("prog.py").lines() == [11]


def test_a_fork_in_a_condition(room: Room) -> None:
    room.program("import os\nif os.fork() == 0:\n    os._exit(0)\nos.wait()\nprint('parent')\n")
    assert room.trace("prog.py").lines() == [5]


def test_a_background_command_of_the_program(room: Room) -> None:
    room.program(
        "import subprocess\n"
        "subprocess.Popen(['setsid', 'sleep', '600'], stdout=subprocess.DEVNULL)\n"
        "print('started')\n"
    )
    assert room.trace("prog.py").lines() == [3]


def test_a_process_started_behind_our_back(room: Room) -> None:
    """By the C library: Python tells of no such thing."""
    room.program(
        "import ctypes\ncommand = b'setsid sleep 600 >/dev/null 2>&1 &'\n"
        "ctypes.CDLL(None).system(command)\nprint('started')\n"
    )
    assert room.trace("prog.py").lines() == [4]


def test_signals_to_everybody_are_not_for_replays(room: Room) -> None:
    """Without line 3 the number is 0: every process of the group."""
    room.program(
        "import os, signal, subprocess\npid = 0\n"
        "pid = subprocess.Popen(['sleep', '600']).pid\n"
        "os.kill(pid, signal.SIGTERM)\nprint('ended', pid > 0)\n"
    )
    assert room.trace("prog.py").lines() == [1, 3, 5]


SLOW = """\
for number in range(100):
    unused = number
import time
kept = 0
for number in range(20):
    time.sleep(0.01)
    kept = kept + number
print(kept)
"""
"""A first reduction soon, then many tests, each of which takes a while."""


def start_search(
    room: Room, *arguments: str, words: list[str] | None = None
) -> subprocess.Popen[bytes]:
    """The command in the middle of its search."""
    room.program(SLOW)
    err = (room.elsewhere / "err").open("wb")
    process = room.start("trace", "prog.py", "-v", *arguments, words=words, stderr=err)
    err.close()
    said = room.elsewhere / "err"
    wait_until(lambda: b" events" in said.read_bytes() or process.poll() is not None)
    assert process.poll() is None, said.read_text()
    return process


def test_ctrl_c_in_a_search_shows_the_best_slice_so_far(room: Room) -> None:
    process = start_search(room, "--jobs", "2")
    with room.never_outlived_by(process):
        # A terminal sends it to the whole group.
        os.killpg(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
    text = out.decode()
    assert process.returncode == 130
    assert "not certified" in text
    assert "1-minimal      no: interrupted" in text
    assert "prog.py" in text
    assert "Traceback" not in (room.elsewhere / "err").read_text()
    assert sorted(os.listdir(room.work)) == ["prog.py"]
    room.must_be_clean()


@pytest.mark.parametrize("times", [1, 4])
def test_ctrl_c_before_there_is_a_slice(room: Room, times: int) -> None:
    room.program("import time\nopen('/dev/null').close()\ntime.sleep(600)\n")
    process = room.start("trace", "prog.py")
    with room.never_outlived_by(process):
        wait_until(lambda: any("prog.py" in each for each in room.processes()[1:]))
        for _ in range(times):  # cleaning up is not cut off
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.01)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert out == b""
    assert err.decode() == "stripe: Interrupted; there is no slice yet.\n"
    room.must_be_clean()


def test_kill_9_leaves_nothing(room: Room) -> None:
    """Who waits outside of the sandbox cleans up."""
    process = start_search(room, "--jobs", "2")
    with room.never_outlived_by(process):
        process.kill()
        process.communicate(timeout=PATIENCE)
    wait_until(lambda: not room.processes(), lambda: str(room.processes()))
    wait_until(lambda: not list(room.tmp.iterdir()), lambda: str(list(room.tmp.iterdir())))
    assert sorted(os.listdir(room.work)) == ["prog.py"]


def test_kill_9_while_the_program_runs_alone(room: Room) -> None:
    room.program("import time\ntime.sleep(600)\n")
    process = room.start("trace", "prog.py")
    with room.never_outlived_by(process):
        wait_until(lambda: any("prog.py" in each for each in room.processes()[1:]))
        process.kill()
        process.communicate(timeout=PATIENCE)
    wait_until(lambda: not room.processes(), lambda: str(room.processes()))


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        ("--max-tests", "20", "the limit of tests was reached"),
        ("--max-time", "5", "the time limit was reached"),
    ],
)
def test_budgets_end_with_the_best_slice_so_far(
    room: Room, option: str, value: str, why: str
) -> None:
    room.program(SLOW)
    target = room.elsewhere / "result.json"
    slow = ("--algorithm", "ddmin")
    run = room.stripe("trace", "prog.py", *slow, option, value, "--json", str(target))
    assert run.status == 0
    assert f"1-minimal      no: {why}" in run.out
    assert "not certified" in run.out
    assert '"certified":false' in target.read_text()
    if option == "--max-tests":
        assert '"executed":20,' in target.read_text()


def test_scratch_copies_do_not_follow_links_out_of_the_directory(room: Room) -> None:
    precious = room.elsewhere / "precious.txt"
    precious.write_text("precious\n")
    Path(room.work, "link").symlink_to(precious)
    room.program("text = 'mine'\nopen('own', 'w').write(text)\nprint(open('own').read())\n")
    run = room.trace("prog.py")
    assert run.lines() == [1, 2, 3]
    assert precious.read_text() == "precious\n"
