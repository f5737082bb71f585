"""A search takes time: it can be ended, and ends with its server, whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.harness import Room
from tests.lsp.editor import Editor, editor, sample
from tests.support.asynchronous import asynchronous
from tests.support.killing import kill
from tests.support.needs import LEFT_OUT

if TYPE_CHECKING:
    from lsprotocol import types
else:
    types = pytest.importorskip("lsprotocol.types", reason=LEFT_OUT)

INPUT = "0\n5\n"


def slow(room: Room) -> str:
    """A check that takes its time while there is a file ``slow``."""
    flag = room.elsewhere / "slow"
    return f"cmd:[ -e '{flag}' ] && sleep 0.5; grep -q 'sum = 15' $STRIPE_STDOUT"


def workers(room: Room) -> list[int]:
    """The processes that search."""
    return room.numbers("stripe.lsp.worker")


async def started(ed: Editor, name: str) -> tuple[asyncio.Task[Any], str]:
    """A slow search, that has run at least a test, and the token of its progress."""
    (ed.room.elsewhere / "slow").touch()
    task = asyncio.ensure_future(ed.slice(name, stdin=INPUT, check=slow(ed.room)))
    return task, await ed.searching()


@asynchronous
async def test_cancelled_it_ends_with_the_best_slice_so_far(room: Room) -> None:
    name = sample(room)
    async with editor(room) as ed:
        ed.open(name)
        task, token = await started(ed, name)
        ed.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
        answer = await task
        assert answer["status"] == "sliced"
        (found,) = answer["slices"]
        assert (found["certified"], found["stopped"]) == (False, "stopped")
        assert found["kept"] <= 31
        title = (await ed.lenses(name))[0][1]
        assert title.endswith("kept (not certified: interrupted)")
        (slice_,) = [each for each in ed.diagnostics(name) if each.code == "critical-slice"]
        assert "1-minimal: no: interrupted" in slice_.message
        hover = await ed.hover(name, min(await ed.hints(name)))
        assert hover is not None
        assert "kept so far, for the search did not end (interrupted)" in hover
        assert workers(room) == []

        # Asked for again, it goes on from there to the end.
        (room.elsewhere / "slow").unlink()
        answer = await ed.slice(name, stdin=INPUT, check=slow(room))
        assert (answer["slices"][0]["certified"], answer["slices"][0]["kept"]) == (True, 13)


@asynchronous
async def test_another_search_ends_the_first(room: Room) -> None:
    name = sample(room)
    async with editor(room) as ed:
        ed.open(name)
        first, _ = await started(ed, name)
        second = await ed.slice(name, stdin=INPUT, check="stdout")
        assert second["slices"][0]["kept"] == 16
        assert (await first)["slices"][0]["stopped"] == "stopped"
        assert workers(room) == []
        # What was asked last is shown.
        await ed.until(lambda: ed.faded(name) == [6])


@asynchronous
async def test_cancelled_by_its_request_before_there_is_a_slice(room: Room) -> None:
    room.file("prog.py", "import time\nprint(1)\ntime.sleep(600)\n")
    async with editor(room) as ed:
        ed.open("prog.py")
        task = asyncio.ensure_future(ed.slice("prog.py"))
        await ed.until(lambda: any("agent" in each for each in room.processes()))
        (sent,) = [
            number
            for number, each in ed.client.protocol._request_futures.items()
            if not each.done()
        ]
        ed.client.cancel_request(types.CancelParams(sent))
        assert await task == {"status": "cancelled"}
        assert workers(room) == []
        assert ed.messages() == []


@pytest.mark.parametrize(
    "end",
    [
        lambda server: server.kill(),
        lambda server: server.terminate(),
        lambda server: server.stdin.close(),
    ],
    ids=["it is killed", "it is ended", "its editor goes away"],
)
@asynchronous
async def test_a_server_takes_its_search_along(room: Room, end: Callable[[Any], None]) -> None:
    name = sample(room)
    async with editor(room) as ed:
        ed.open(name)
        task, _ = await started(ed, name)
        end(ed.server)
        await ed.server.wait()
        task.cancel()


@asynchronous
async def test_a_search_that_dies_is_told_in_a_sentence(room: Room) -> None:
    name = sample(room)
    async with editor(room) as ed:
        ed.open(name)
        task, _ = await started(ed, name)
        for number in workers(room):
            kill(number)
        answer = await task
        assert (answer["status"], answer["slug"]) == ("refused", "internal-error")
        (message,) = ed.messages()
        assert "Traceback" not in message
        assert "bug of stripe" in message
        # kill -9 leaves scratch directories; all else ends by itself.
        await ed.until(lambda: len(room.processes()) == 1)
        for left in room.tmp.iterdir():
            room.remove(left)
        assert (await ed.slice(name, stdin=INPUT, check="stdout"))["status"] == "sliced"
