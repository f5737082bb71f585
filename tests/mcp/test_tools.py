"""What an assistant asks, and what it is answered: the SDK's own client speaks over stdio."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import time

import pytest

from tests.e2e.harness import Room
from tests.mcp.assistant import answered, assistant, refusal
from tests.support.asynchronous import asynchronous
from tests.support.extras import require_refusal_without
from tests.support.patience import PATIENCE
from tests.support.programs import HALF, TESTS_OF_HALF


@asynchronous
async def test_why_a_test_fails_and_whether_that_holds_after_a_repair(room: Room) -> None:
    room.file("half.py", HALF)
    room.file("test_half.py", TESTS_OF_HALF)
    told: list[tuple[float, float | None, str | None]] = []

    async def progress(seconds: float, limit: float | None, says: str | None) -> None:
        told.append((seconds, limit, says))

    async with assistant(room) as client:
        result = await client.call_tool(
            "why", {"test": "test_half.py::test_odd", "max_time": 240}, progress_callback=progress
        )
        found = answered(result)
        assert found["happened"].startswith("AssertionError")
        place = found["places"][0]
        assert (place["file"], place["line"], place["source"]) == ("half.py", 2, "return n / 2")
        assert "with `n // 2` instead of `n / 2` the failing test passes" in place["why"][0]
        assert "+    return n // 2" in place["diff"]
        assert told[-1][1] == 240
        assert "recording the program" in {says for _, _, says in told}
        so_far = [says for _, _, says in told if says and says.startswith("so far: ")]
        assert any("half.py:" in says for says in so_far), "it is told before the answer"
        asked = {"answer": found["answer"], "max_time": 240}
        again = answered(await client.call_tool("verify", asked))
        assert again["all_holds"], str(again)
        room.file("half.py", HALF.replace("n / 2", "n // 2"))
        text = refusal(await client.call_tool("verify", {"answer": found["answer"]}))
        assert "[nothing-fails]" in text
        assert "there is why-1" in refusal(await client.call_tool("verify", {"answer": "why-7"}))
    assert room.numbers("stripe.mcp.worker") == []


def test_what_is_done_for_a_moment_is_told_as_well() -> None:
    """It was lost if it began and ended between two messages, as recording a small program."""
    from stripe.mcp.tool_call import Heard  # lazy: the extra may be missing

    heard = Heard()
    heard.begin()
    heard.doing("recording the program")
    heard.doing("trying small changes")
    first = heard.take()
    assert [says for _, says in first] == [
        "beginning", "recording the program", "trying small changes", "trying small changes"
    ]  # fmt: skip
    times = [seconds for seconds, _ in (*first, *heard.take())]
    assert times == sorted(times)
    assert len(heard.take()) == 1, "what was told is not told again"


@asynchronous
async def test_a_program_and_the_input_that_it_fails_with(room: Room) -> None:
    room.file(
        "prog.py", "import sys\nif 'q' in open(sys.argv[1]).read():\n    raise OSError('q')\n"
    )
    room.file("data.txt", "abcdefqhijk")
    async with assistant(room) as client:
        asked = {"program": "prog.py", "arguments": ["data.txt"]}
        found = answered(await client.call_tool("why", asked))
        assert found["happened"] == "OSError: q"
        assert "'q'" in found["aside"]
        command = ["python3", str(room.work / "prog.py"), "@@"]
        asked = {"file": "data.txt", "command": command}
        found = answered(await client.call_tool("reduce_input", asked))
        assert (found["text"], found["before"], found["after"]) == ("q", 11, 1)
        assert (found["certified"], found["cut"]) == (True, False)
    assert (room.work / "data.txt").read_text() == "abcdefqhijk"


TOTAL = """\
def total(items):
    sum = 0
    for each in items:
        sum += each
    return sum

print(total([1, 2, 3]))
"""


@asynchronous
async def test_the_story_of_a_line_and_of_an_event(room: Room) -> None:
    room.file("total.py", TOTAL)
    room.file("half.py", HALF)
    room.file("test_half.py", TESTS_OF_HALF)
    async with assistant(room) as client:
        line = {"program": "total.py", "file": "total.py", "line": 4}
        found = answered(await client.call_tool("story_of", line))
        assert found["execution"]["values"] == {"sum": "6", "each": "3"}
        assert (found["number"], found["of"], found["ended"]) == (3, 3, "exited 0")
        needed = {(each["line"], *each["by"]): each["values"] for each in found["needed"]}
        assert needed[4, "sum"] == {"sum": "3", "each": "2"}
        assert needed[3, "each"] == {"each": "3"}
        (reader,) = found["needed_by"]
        assert (reader["source"], reader["by"]) == ("return sum", ["sum"])
        event = next(each["event"] for each in found["needed"] if each["by"] == ["sum"])
        found = answered(
            await client.call_tool("story_of", {"program": "total.py", "event": event})
        )
        assert (found["number"], found["execution"]["values"]["sum"]) == (2, "3")
        asked = {"test": "test_half.py::test_odd", "file": "half.py", "line": 2}
        found = answered(await client.call_tool("story_of", asked))
        assert found["execution"]["values"] == {"n": "3"}
        assert found["ended"].startswith("AssertionError")
        for wrong, slug in (
            ({**line, "number": 4}, "no-such-execution"),
            ({"program": "total.py", "event": 1000}, "no-such-execution"),
            ({**line, "line": 6}, "not-executed"),
            ({**line, "event": 3}, "bad-arguments"),
            ({**line, "file": "../elsewhere"}, "outside-project"),
        ):
            assert f"[{slug}]" in refusal(await client.call_tool("story_of", wrong)), wrong


def patch_of(old: str, new: str) -> str:
    """A change of half.py; counts are as wrong as assistants have them."""
    return f"--- a/half.py\n+++ b/half.py\n@@ -1,7 +1,9 @@\n def half(n):\n-{old}\n+{new}"


@asynchronous
async def test_a_change_is_tried_on_the_tests_and_nothing_is_changed(room: Room) -> None:
    room.file("half.py", HALF)
    more = "\ndef test_float(): assert half(0.5) == 0.25\n\ndef test_no(): assert half(2) == 3\n"
    room.file("test_half.py", TESTS_OF_HALF + more)
    patch = patch_of("    return n / 2", "    return n // 2")
    async with assistant(room) as client:
        found = answered(await client.call_tool("try_change", {"patch": patch}))
        assert found["files"] == ["half.py"]
        assert found["repaired"] == ["test_half.py::test_odd"]
        (broken,) = found["broken"]
        assert (broken["test"], broken["before"], broken["after"]) == (
            "test_half.py::test_float", "passed", "failed"
        )  # fmt: skip
        assert broken["why"] == "assert 0.0 == 0.25"
        assert [each["test"] for each in found["still_failing"]] == ["test_half.py::test_no"]
        assert (found["still_passing"], found["others"]) == (1, [])
        asked = {"patch": patch, "tests": ["test_half.py::test_odd"]}
        found = answered(await client.call_tool("try_change", asked))
        assert (found["repaired"], found["broken"]) == (["test_half.py::test_odd"], [])
        gone = (
            "--- a/test_half.py\n+++ b/test_half.py\n@@ -5,5 +5,3 @@\n \n-def test_even():\n"
            "+def no_test():\n     assert half(4) == 2\n \n"
        )
        found = answered(await client.call_tool("try_change", {"patch": gone}))
        assert found["broken"] == [], "what does not run was not broken"
        (other,) = found["others"]
        assert (other["test"], other["after"]) == ("test_half.py::test_even", "not run")
        wrong = patch_of("    return n / 2", "    import os; os._exit(3)")
        found = answered(await client.call_tool("try_change", {"patch": wrong}))
        assert (found["came_to_an_end"], found["broken"]) == (False, [])
        assert "test session starts" in found["said"]
        for patch, slug in (
            (patch_of("    return n / 3", "    return 1"), "bad-patch"),
            ("--- a/../x\n+++ b/../x\n@@ -0,0 +1 @@\n+1", "bad-patch"),
            ("nothing", "bad-patch"),
        ):
            assert f"[{slug}]" in refusal(await client.call_tool("try_change", {"patch": patch}))
        asked = {"patch": wrong, "tests": ["-pevil"]}
        assert "[not-a-file]" in refusal(await client.call_tool("try_change", asked))
    assert (room.work / "half.py").read_text() == HALF
    assert sorted(each.name for each in room.work.iterdir()) == ["half.py", "test_half.py"]


@asynchronous
async def test_what_is_refused(room: Room) -> None:
    """Nothing outside of the project, no shell command, no more time than there is."""
    room.file("prog.py", "print(1)\n")
    (room.elsewhere / "other.py").write_text("1 / 0\n")
    (room.work / "link.py").symlink_to(room.elsewhere / "other.py")
    flag = room.elsewhere / "done"
    async with assistant(room) as client:
        for tool, arguments, slug in (
            ("why", {"program": "../elsewhere/other.py"}, "outside-project"),
            ("why", {"program": str(room.elsewhere / "other.py")}, "outside-project"),
            ("why", {"program": "link.py"}, "outside-project"),
            ("why", {"test": "../elsewhere/other.py::test"}, "outside-project"),
            ("why", {"test": "-c/dev/null"}, "not-a-file"),
            ("why", {"program": "gone.py"}, "not-a-file"),
            ("why", {}, "bad-arguments"),
            ("why", {"program": "prog.py", "check": f"cmd:touch {flag}"}, "command-not-allowed"),
            ("reduce_input", {"file": "/etc/passwd", "command": ["cat"]}, "outside-project"),
            (
                "reduce_input",
                {"file": "prog.py", "command": ["cat"], "check": f"cmd:touch {flag}"},
                "command-not-allowed",
            ),
        ):
            assert f"[{slug}]" in refusal(await client.call_tool(tool, arguments)), arguments
        too_long = {"program": "prog.py", "max_time": 601}
        assert "less than or equal to 600" in refusal(await client.call_tool("why", too_long))
    assert not flag.exists()


@asynchronous
async def test_runs_are_in_the_sandbox(room: Room) -> None:
    """What a program writes is gone, and it fails as it does alone."""
    flag = room.elsewhere / "done"
    room.file("prog.py", f"import pathlib\npathlib.Path('{flag}').touch()\n[][0]\n")
    async with assistant(room) as client:
        found = answered(await client.call_tool("why", {"program": "prog.py", "max_time": 240}))
    assert found["happened"] == "IndexError: list index out of range"
    assert not flag.exists()


@asynchronous
async def test_it_can_be_cancelled_and_asked_again(room: Room) -> None:
    room.file("slow.py", "import time\ntime.sleep(100)\n")
    room.file("prog.py", "print([][0])\n")
    async with assistant(room) as client:
        task = asyncio.ensure_future(client.call_tool("why", {"program": "slow.py"}))
        while not room.numbers("slow.py"):
            await asyncio.sleep(0.1)
        task.cancel()
        found = answered(await client.call_tool("why", {"program": "prog.py"}))
        assert found["happened"] == "IndexError: list index out of range"
        assert room.numbers("slow.py") == []


@asynchronous
async def test_it_ends_with_its_assistant(room: Room) -> None:
    room.file("slow.py", "import time\ntime.sleep(100)\n")
    async with assistant(room) as client:
        task = asyncio.ensure_future(client.call_tool("why", {"program": "slow.py"}))
        while not room.numbers("slow.py"):
            await asyncio.sleep(0.1)
        task.cancel()
    while room.numbers("slow.py") or room.numbers("stripe.mcp.worker"):
        await asyncio.sleep(0.1)


GREETING = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 128 + signal.SIGTERM), (None, 0)],
)
def test_it_ends_with_what_runs(room: Room, number: int | None, status: int) -> None:
    """By a signal, while its input is open, and by the end of its input."""
    room.file("slow.py", "import time\ntime.sleep(100)\n")
    with room.start("mcp", stdin=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        call = {"name": "why", "arguments": {"program": "slow.py"}}
        for message in (
            {"id": 1, "method": "initialize", "params": GREETING},
            {"method": "notifications/initialized"},
            {"id": 2, "method": "tools/call", "params": call},
        ):
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        server.stdin.flush()
        while not room.numbers("slow.py"):
            time.sleep(0.1)
        if number is None:
            server.stdin.close()
        else:
            server.send_signal(number)
        assert server.wait(PATIENCE) == status
    while room.numbers("slow.py") or room.numbers("stripe.mcp.worker"):
        time.sleep(0.1)


def test_it_says_which_package_is_missing(room: Room) -> None:
    require_refusal_without("mcp", "mcp", room.work)


def test_the_command_line(room: Room) -> None:
    assert "docs/assistants.md" in room.stripe("mcp", "--help").out
    room.stripe("mcp", "--project", "gone").refused("no-such-directory", status=2)
    room.stripe("mcp", "--port", "3").refused("bad-option", "stripe mcp --help", status=2)
    assert room.stripe("mcp").status == 0, "nobody speaks to it"
