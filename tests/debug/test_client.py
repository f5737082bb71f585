"""Microsoft's own client of the Debug Adapter Protocol (an npm package) drives ``stripe debug``."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from stripe.debug import adapter
from tests.debug.test_moments import MEAN
from tests.e2e.harness import Room, command
from tests.support.npm import why_no_packages
from tests.support.patience import PATIENCE, wait_until

HERE = Path(__file__).parent / "client"
MODULES = HERE.parents[2] / ".venv" / "debug-client"
PACKAGE = "@vscode/debugadapter-testsupport"

COUNTED = """\
def work(rounds):
    total = 0
    for number in range(rounds):
        if number % 2:
            total += number
    return total
assert work(400_000) == 0
"""


@cache
def missing() -> str:
    """Why there is no client here; empty if there is one."""
    return why_no_packages(HERE, MODULES, PACKAGE)


@pytest.fixture
def room(tmp_path: Path) -> Room:
    if why := missing():
        pytest.skip(why)
    if len(command()) > 1:
        pytest.skip("the client starts a command of one word, and stripe is none here")
    return Room(tmp_path)


def started(room: Room, scenario: str, *words: str) -> subprocess.Popen[bytes]:
    """The client, in a scenario of ``drive.mjs``."""
    script = [shutil.which("node") or "node", str(HERE / "drive.mjs"), str(MODULES)]
    return room.start(scenario, str(room.work), *command(), *words, words=script)


def played(room: Room, scenario: str, *words: str) -> dict[str, Any]:
    """What came of a scenario; nothing is left of it."""
    client = started(room, scenario, *words)
    with room.never_outlived_by(client):
        out, err = client.communicate(timeout=PATIENCE)
    assert client.returncode == 0, err.decode()
    found: dict[str, Any] = json.loads(out)
    wait_until(lambda: not room.processes())
    room.must_be_clean()
    return found


def test_every_request_with_right_and_wrong_arguments(room: Room) -> None:
    room.program(MEAN)
    tried = played(room, "everyRequest")["tried"]
    names = {name.removeprefix("_on_") for name in vars(adapter.Adapter) if "_on_" in name}
    assert names - {re.sub(r"\W", "_", adapter.snake_case(each)) for each in tried} == set()


@pytest.mark.parametrize("scenario", ["disconnectInTheMiddle", "twoSessions"])
def test_sessions_end_and_leave_nothing(room: Room, scenario: str) -> None:
    room.program(MEAN)
    assert played(room, scenario) == {}


def test_two_sessions_at_a_port(room: Room) -> None:
    room.program(MEAN)
    server = room.start("debug", "--port", "0")
    assert server.stderr is not None
    with room.never_outlived_by(server):
        port = server.stderr.readline().decode().rpartition(":")[2].strip(" .\n")
        client = started(room, "twoSessionsAtAPort", port)
        out, err = client.communicate(timeout=PATIENCE)
        server.terminate()
        server.communicate(timeout=PATIENCE)
    assert (client.returncode, out) == (0, b"{}\n"), err.decode()


@pytest.mark.parametrize(
    ("scenario", "program"),
    [("killedInSession", MEAN), ("killed", "while True:\n    pass\n")],
)
def test_a_client_that_is_killed_leaves_nothing_behind(
    room: Room, scenario: str, program: str
) -> None:
    """In a session; and while a program is run that does not end."""
    room.program(program)
    client = started(room, scenario)
    with room.never_outlived_by(client):
        assert client.stdout is not None
        assert json.loads(client.stdout.readline()) == {"ready": True}
        os.kill(client.pid, signal.SIGKILL)
        client.communicate()
        wait_until(lambda: not room.processes())
    room.must_be_clean()


@pytest.mark.parametrize(
    ("program", "line"),
    [
        ("import sys\nsys.exit(3)\nprint('never')\n", 2),
        ("import os\nprint(1)\nos._exit(0)\n", 3),
        ("x = 1\n", 1),
    ],
)
def test_a_program_that_ends_early(room: Room, program: str, line: int) -> None:
    room.program(program)
    assert played(room, "endsEarly") == {"reason": "entry", "line": line, "same": line}


def test_a_run_of_a_million_events(room: Room) -> None:
    room.program(COUNTED)
    told = played(room, "million")
    assert told["description"].startswith("event 1,000,005 of 1,000,005")
    assert told["values"] == ["400000", 2, f"(200001, {sum(range(1, 200_000, 2))})"]
