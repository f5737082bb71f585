"""The real command and what is outside: in each layer, without one, and by the user's own word.

Every :meth:`Room.stripe` also asserts that the working directory has not changed and that no
process and no temporary file is left.  What is aimed at here are files of the test's own.
"""

from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path

import pytest

from stripe.sandbox.layers import refused
from stripe.sandbox.walls import VARIABLE, Layer
from tests.e2e.harness import Room, Run
from tests.support.killing import kill
from tests.support.patience import PATIENCE, wait_until

LAYERS = [layer.value for layer in Layer if layer is not Layer.NONE and refused(layer) is None]

needs_namespaces = pytest.mark.skipif(
    "namespaces" not in LAYERS, reason="there are no namespaces here"
)


def traced(room: Room, layer: str, *arguments: str) -> Run:
    room.environment[VARIABLE] = layer
    return room.trace("prog.py", *arguments)


@needs_namespaces
def test_absolute_paths_lead_to_copies(room: Room) -> None:
    """Into the directory itself, to another one, and home."""
    home = room.elsewhere / "home"
    home.mkdir()
    room.environment["HOME"] = str(home)
    room.file("data.txt", "old\n")
    room.program(
        "import os\n"
        f"here, there = {str(room.work)!r}, {str(room.elsewhere)!r}\n"
        "open(here + '/data.txt', 'a').write('more\\n')\n"
        "open(there + '/new.txt', 'w').write('new\\n')\n"
        "open(os.path.expanduser('~/.rc'), 'a').write('rc\\n')\n"
        "print(os.getcwd() == here, open('data.txt').read(), open(there + '/new.txt').read())\n"
        "print(open(os.path.expanduser('~/.rc')).read())\n"
    )
    run = room.trace("prog.py")
    assert run.lines() == [1, 2, 3, 4, 5, 6, 7]
    assert sorted(os.listdir(room.elsewhere)) == ["home"]
    assert os.listdir(home) == []


@needs_namespaces
def test_a_slice_cannot_lean_on_what_an_earlier_run_left(room: Room) -> None:
    there = room.elsewhere / "state"
    room.program(
        "import sys\nopen(sys.argv[1], 'w').write('state')\nprint(open(sys.argv[1]).read())\n"
    )
    assert room.trace("prog.py", "--", str(there)).lines() == [1, 2, 3]
    assert not there.exists()


SILENT = """\
import os
os.mkfifo("/var/tmp/stripe-test")
print("made")
"""


@needs_namespaces
def test_what_no_event_tells_of_is_undone_as_well(room: Room) -> None:
    """Each replay would fail at what the one before has left."""
    room.program(SILENT)
    run = room.trace("prog.py", "--algorithm", "sweep", "--check", "stdout")
    assert run.lines() == [3]
    assert not os.path.exists("/var/tmp/stripe-test")


@needs_namespaces
def test_programs_that_start_workers_just_run(room: Room) -> None:
    """What is done in them is not traced."""
    room.program(
        "import multiprocessing, os, pty\n"
        "def work(n):\n    return len(os.popen('echo ' + 'x' * n).read())\n"
        "os.spawnv(os.P_WAIT, '/bin/sh', ['sh', '-c', 'exit 3'])\n"
        "with multiprocessing.get_context('fork').Pool(2) as pool:\n"
        "    print(pool.map(work, [1, 2]))\n"
    )
    assert room.trace("prog.py").lines() == [1, 2, 5, 6]


@needs_namespaces
def test_git_finds_its_repository_and_cannot_change_it(room: Room) -> None:
    git = "git -c user.name=me -c user.email=me@here "
    os.system(f"cd {room.work} && git init -q . && touch a && git add a && {git} commit -qm one")
    head = (room.work / ".git/HEAD").read_bytes()
    room.program(
        "import subprocess\n"
        f"subprocess.run({git!r} + 'commit -qm two --allow-empty', shell=True, check=True)\n"
        "subprocess.run(['git', 'checkout', '-q', '-b', 'other'], check=True)\n"
        "print(subprocess.run(['git', 'log', '--format=%s'], capture_output=True).stdout)\n"
    )
    run = room.trace("prog.py")
    assert run.lines() == [1, 2, 4]
    assert (room.work / ".git/HEAD").read_bytes() == head


def test_the_layer_is_named(room: Room) -> None:
    room.program("print(1)\n")
    for layer in LAYERS:
        room.environment[VARIABLE] = layer
        run = room.stripe("trace", "-v", "prog.py")
        assert f"sandbox        {layer}" in run.out
        assert f"Sandbox: {Layer(layer).described}." in run.err.replace("\n", " ")


NEEDS = {
    "write": "open(sys.argv[1] + '/new', 'w')",
    "write in a folder": "os.open('new', os.O_CREAT | os.O_WRONLY, dir_fd=os.open(sys.argv[1], 0))",
    "a command": "os.system('true')",
    "a socket": "import socket; socket.socket().connect(('127.0.0.1', 1))",
    "native code": "import ctypes; ctypes.CDLL(None).getpid()",
    "a signal": "os.kill(os.getppid(), 0)",
    "a fork": "os.fork() or os._exit(0)",
    "shared memory": "from multiprocessing import shared_memory",
}


@pytest.mark.parametrize("need", NEEDS.values(), ids=NEEDS)
def test_without_a_sandbox_what_needs_one_is_refused_and_never_run(room: Room, need: str) -> None:
    room.environment[VARIABLE] = "none"
    room.program(f"import os, sys\nopen('mine', 'w').write('x')\n{need}\nprint('done')\n")
    run = room.stripe("trace", "prog.py", "--", str(room.elsewhere))
    run.refused("no-sandbox", "The program does this", "--unsafe", status=2)
    assert os.listdir(room.elsewhere) == []


def test_without_a_sandbox_what_needs_none_runs(room: Room) -> None:
    room.environment[VARIABLE] = "none"
    room.program(
        "import json, threading, tempfile, ctypes\nopen('mine', 'w').write('x')\n"
        "tempfile.NamedTemporaryFile().write(b'x')\nprint(json.dumps(open('mine').read()))\n"
    )
    assert room.trace("prog.py").lines() == [1, 2, 4]


def test_unsafe_is_the_users_own_word(room: Room) -> None:
    room.environment[VARIABLE] = "none"
    room.program("import sys\nopen(sys.argv[1], 'w').write('log')\nprint('done')\n")
    run = room.trace("prog.py", "--unsafe", "--", str(room.elsewhere / "log"))
    assert (room.elsewhere / "log").exists()
    assert any("for real, in replays, too" in note for note in run.result["notes"])


@needs_namespaces
def test_what_is_beside_the_directory_is_outside_of_it(room: Room) -> None:
    """Though its name begins with that of the directory."""
    beside = f"{room.work}-beside"
    room.program("import sys\nopen(sys.argv[1], 'w').write('x')\nprint('done')\n")
    run = room.trace("prog.py", "--", beside)
    assert any(f"in the sandbox only: write {beside}" in note for note in run.result["notes"])
    assert not os.path.exists(beside)


@needs_namespaces
def test_live_acts_once_and_says_what_it_did(room: Room) -> None:
    log = room.elsewhere / "log"
    room.program("import sys\nopen(sys.argv[1], 'a').write('once')\nprint('done')\n")
    run = room.trace("prog.py", "--live", "--", str(log))
    assert log.read_text() == "once"
    assert run.lines() == [3]
    assert any(f"for real, once (--live): write {log}" in note for note in run.result["notes"])


CLIENT = """\
import socket, sys
try:
    with socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5) as connection:
        word = connection.recv(5).decode()
except OSError:
    word = "nobody"
print(word)
"""


@needs_namespaces
def test_the_network_is_for_the_recorded_run_and_only_if_allowed(room: Room) -> None:
    room.program(CLIENT)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        # What it would see in the sandbox, nobody there, is no failure of its own.
        run = room.stripe("trace", "prog.py", "--", port)
        run.refused("needs-network", f"('127.0.0.1', {port})", "--allow-network", status=1)
        answering = os.fork()
        if answering == 0:
            while True:
                server.accept()[0].sendall(b"hello")
        try:
            run = room.stripe("trace", "prog.py", "--allow-network", "--", port)
        finally:
            kill(answering)
            os.waitpid(answering, 0)
    run.refused("needs-outside", "without it the program does something else", status=1)


@needs_namespaces
def test_a_server_and_its_client_in_one_program(room: Room) -> None:
    room.program(
        "import socket\nserver = socket.create_server(('127.0.0.1', 0))\n"
        "client = socket.create_connection(server.getsockname())\n"
        "server.accept()[0].sendall(b'hello')\nprint(client.recv(5))\n"
    )
    assert room.trace("prog.py").lines() == [1, 2, 3, 4, 5]


def test_who_needs_a_socket_of_this_machine_is_told(room: Room) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"\0stripe-test-{os.getpid()}")
        server.listen()
        room.program(
            "import socket, sys\ntry:\n"
            "    socket.socket(socket.AF_UNIX).connect('\\0' + sys.argv[1])\n"
            "except OSError:\n    print('nobody')\n"
        )
        run = room.stripe("trace", "prog.py", "--", f"stripe-test-{os.getpid()}")
    run.refused("needs-network", "stripe-test", status=1)


def test_who_needs_another_machine_is_told(room: Room) -> None:
    room.program("import socket\nsocket.create_connection(('192.0.2.1', 80), 1)\n")
    run = room.stripe("trace", "prog.py")
    run.refused("needs-network", "('192.0.2.1', 80)", "--allow-network", status=1)


@pytest.mark.parametrize("layer", LAYERS)
def test_a_program_that_ends_the_process_that_runs_tests(room: Room, layer: str) -> None:
    """Without line 3 the signal goes to the parent; that test is lost, and the search goes on."""
    room.program(
        "import os, signal\npid = os.getppid()\npid = os.fork() or signal.pause()\n"
        "os.kill(pid, signal.SIGKILL)\nprint(os.WTERMSIG(os.wait()[1]))\n"
    )
    run = traced(room, layer, "--algorithm", "sweep")
    assert run.lines() == [1, 3, 4, 5]


@needs_namespaces
@pytest.mark.parametrize("victim", ["enter.py", "boot.py"])
def test_a_helper_that_is_killed_is_replaced(room: Room, victim: str) -> None:
    room.program(
        "import time\ntotal = 0\nfor number in range(40):\n    time.sleep(0.01)\n"
        "    total += number\nprint(total)\n"
    )
    out = room.elsewhere / "out"
    with out.open("wb") as stream:
        process = room.start("trace", "prog.py", "--json", "-", "-v", stdout=stream)
    with room.never_outlived_by(process):
        wait_until(lambda: sum("boot.py" in each for each in room.processes()) > 1)
        wait_until(lambda: True in [kill(number) for number in room.numbers(victim)[:3]])
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert b'"certified":true' in out.read_bytes()
    room.must_be_clean()
    assert sorted(os.listdir(room.work)) == ["prog.py"]


def test_scratch_copies_are_for_nobody_else(room: Room) -> None:
    """Unguessable, of mode 0700."""
    room.program("import os, stat, tempfile\nprint(oct(os.stat(tempfile.gettempdir()).st_mode))\n")
    assert "0o40700" in room.trace("prog.py").result["recorded"]["stdout"]
    assert not list(Path(room.tmp).iterdir())


@needs_namespaces
def test_a_directory_whose_name_is_no_plain_word(room: Room) -> None:
    """Its environment is shown by an overlay, whose options have signs of their own."""
    work = room.elsewhere / "we,ird:na me\\x=y"
    (work / ".git").mkdir(parents=True)
    (work / ".git" / "HEAD").write_text("ref\n")
    (work / "prog.py").write_text("print(open('.git/HEAD').read())\n")
    run = room.stripe("trace", "--json", "-", "prog.py", cwd=work)
    assert run.status == 0, run
    assert run.result["recorded"]["stdout"] == "ref\n\n"


@needs_namespaces
def test_a_directory_in_the_memory_folder(room: Room) -> None:
    """The sandbox has one of its own there; so paths in this directory are those of the copy."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        Path(folder, "prog.py").write_text("print(open('data').read())\n")
        Path(folder, "data").write_text("data\n")
        run = room.stripe("trace", "--json", "-", "prog.py", cwd=Path(folder))
        assert run.status == 0, run
        assert run.result["sandbox"] == "namespaces"
        room.environment["TMPDIR"] = folder
        run = room.stripe("trace", "--json", "-", "prog.py", cwd=Path(folder))
        assert run.result["sandbox"] == "namespaces"
        assert sorted(os.listdir(folder)) == ["data", "prog.py"]
