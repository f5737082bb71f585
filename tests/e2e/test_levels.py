"""``stripe trace --level``: the levels as the command tells them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess

from stripe.report.schema import text
from stripe.trace.levels import LEVELS
from tests.e2e.harness import Room
from tests.support.patience import PATIENCE, wait_until

CALLS = """\
import time
def count(n):
    found = 0
    for i in range(n):
        found += 1
    return found
idle = count(3)
a = [count(n) for n in range(1, 9)]
for n in a:
    b = n
    b += 1
print(a)
"""

SLOW = CALLS.replace("found = 0", "found = time.sleep(0.005) or 0")
"""All of its tests take long enough for somebody to end them."""

PASSED = re.compile(
    r"stripe: stdout: (\d+) of (\d+) (calls|rounds|statements) needed: \d+ of \d+ events left "
    r"\(\d+ tests?, [^)]*\); no single .* can be left out"
)


def levels_told(err: str) -> list[str]:
    return [found[3] for found in PASSED.finditer(err)]


def test_each_level_is_told_as_soon_as_it_is_passed(room: Room) -> None:
    room.program(CALLS)
    run = room.stripe(
        "trace", "prog.py", "--level", "rounds", "--json", "r.json", "--html", "r.html",
        "--sarif", "r.sarif", writes=("r.json", "r.html", "r.sarif"),
    )  # fmt: skip
    assert run.status == 0
    assert levels_told(run.err) == ["calls", "rounds"]
    assert "1-minimal      in rounds only" in run.out
    assert run.out.count("level  stdout: ") == 2
    data = json.loads((room.work / "r.json").read_text())
    (found,) = data["slices"]
    assert (found["certified"], found["level"], found["stopped"]) == (False, "rounds", "finished")
    assert [each["certified"] for each in found["levels"]] == [True, True]
    page = (room.work / "r.html").read_text()
    assert "in rounds only" in page
    assert "no single round of a loop can be left out" in page
    sarif = json.loads((room.work / "r.sarif").read_text())
    told = sarif["runs"][0]["results"][0]["properties"]
    assert (told["oneMinimal"], told["certifiedAt"]) == (False, "rounds")
    shown = room.stripe("show", "r.json", "--show", "summary")
    assert " ".join(shown.out.split()).count("can be left out") == 2


def test_quiet_tells_no_level_on_the_way(room: Room) -> None:
    room.program(CALLS)
    run = room.stripe("trace", "prog.py", "--level", "calls", "-q")
    assert (run.status, levels_told(run.err)) == (0, [])
    assert "in calls only" in run.out


def test_the_schema_has_the_levels() -> None:
    form = json.loads(text())
    level, of_slice = (form["$defs"][name]["properties"]["level"] for name in ("Level", "Slice"))
    assert level["enum"] == of_slice["enum"] == sorted(LEVELS)


def test_a_level_that_is_none(room: Room) -> None:
    room.program(CALLS)
    room.stripe("trace", "prog.py", "--level", "loops").refused(
        "unknown-level", "calls", "statements", status=2
    )


def begun(room: Room, *arguments: str) -> subprocess.Popen[bytes]:
    """The command, when it has passed the first level."""
    room.program(SLOW)
    err = (room.elsewhere / "err").open("wb")
    process = room.start("trace", "prog.py", *arguments, stderr=err)
    err.close()
    said = room.elsewhere / "err"
    wait_until(lambda: b"calls needed" in said.read_bytes() or process.poll() is not None)
    assert process.poll() is None, said.read_text()
    return process


def test_ctrl_c_leaves_the_last_level_and_the_best_so_far_and_it_is_resumed(room: Room) -> None:
    options = "--level", "events", "--json", "r.json"
    process = begun(room, *options)
    with room.never_outlived_by(process):
        os.killpg(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "no: interrupted at level " in out.decode()
    (found,) = json.loads((room.work / "r.json").read_text())["slices"]
    assert found["certified"] is False
    assert found["levels"][0]["level"] == "calls"
    assert found["levels"][0]["certified"] is True
    assert len(found["events"]) <= found["levels"][-1]["events"]
    run = room.stripe("trace", "prog.py", *options, "--resume", "-q", writes=("r.json",))
    assert run.status == 0
    (again,) = json.loads((room.work / "r.json").read_text())["slices"]
    assert again["certified"] is True
    assert again["tests"]["resumed"] > 0
    assert again["levels"][0]["ranges"] == found["levels"][0]["ranges"]
