"""The lens "Why does this test fail?": the answer is told, and its first place shown."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.e2e.harness import Room
from tests.lsp.editor import editor
from tests.support.asynchronous import asynchronous
from tests.support.needs import LEFT_OUT
from tests.support.programs import HALF, WITH_A_WRONG_TEST

if TYPE_CHECKING:
    from lsprotocol import types
else:
    types = pytest.importorskip("lsprotocol.types", reason=LEFT_OUT)
    pytest.importorskip("pygls", reason=LEFT_OUT)


@asynchronous
async def test_why_a_test_fails(room: Room) -> None:
    room.file("half.py", HALF)
    room.file("test_half.py", WITH_A_WRONG_TEST)
    async with editor(room) as ed:
        uri = ed.open("test_half.py")
        argument = {"uri": uri, "test": "test_odd"}
        lens = (2, "Why does this test fail?", "stripe.why", argument)
        assert lens in await ed.lenses("test_half.py")
        answer = await ed.execute(lens[2], argument)
        assert answer["status"] == "answered", answer
        so_far = [each.message for each in ed.progress() if "half.py:" in (each.message or "")]
        assert len(so_far) > 1, "better answers are told before the last one"
        assert answer["happened"].startswith("AssertionError")
        first = answer["places"][0]
        assert (first["uri"], first["line"], first["source"]) == (
            ed.uri("half.py"), 2, "return n / 2"
        )  # fmt: skip
        assert "with `n // 2` instead of `n / 2` the failing test passes" in first["why"][0]
        assert answer["text"].splitlines()[1] == "where to look"
        assert "half.py:2: with `n // 2` instead of `n / 2`" in " ".join(ed.messages())
        told = await ed.hover("half.py", 2) or ""
        assert told.startswith("**Why ")
        assert "with `n // 2` instead of `n / 2` the failing test passes" in told
        assert "+    return n // 2" in told, "the change that was tried"
        failing = await ed.hover("test_half.py", 4) or ""
        assert "look at `half.py:2`" in failing, "where the test fails"
        over = (3, f"Failed here: {answer['happened']}", "stripe.why", argument)
        assert over in await ed.lenses("test_half.py")
        ed.change("test_half.py", WITH_A_WRONG_TEST.replace("half(3)", "half(5)"))
        assert over not in await ed.lenses("test_half.py"), "it is another line now"
        assert await ed.hover("test_half.py", 4) is None
        ed.change("test_half.py", WITH_A_WRONG_TEST)
        ed.open("half.py")
        ed.change("half.py", HALF.replace("/", "*"))
        assert await ed.hover("half.py", 2) is None, "it is another line now"
        await ed.execute("stripe.clear")
        assert await ed.hover("test_half.py", 4) is None


@asynchronous
async def test_a_program_and_what_is_refused(room: Room) -> None:
    """A program needs no test; one with changes that are not saved is not run."""
    room.file("prog.py", "def first(items):\n    return items[0]\n\nprint(first([]))\n")
    room.file("test_fine.py", "def test_fine():\n    assert 1\n")
    async with editor(room) as ed:
        uri = ed.open("prog.py")
        answer = await ed.execute("stripe.why", {"uri": uri})
        assert answer["happened"] == "IndexError: list index out of range"
        assert answer["places"][0]["line"] == 2
        other = ed.open("test_fine.py")
        answer = await ed.execute("stripe.why", {"uri": other, "test": "test_fine"})
        assert (answer["status"], answer["slug"]) == ("refused", "nothing-fails")


@asynchronous
async def test_it_can_be_cancelled(room: Room) -> None:
    room.file("half.py", HALF)
    slow = "\ndef test_slow():\n    import time\n    time.sleep(3)\n"
    room.file("test_half.py", WITH_A_WRONG_TEST + slow)
    async with editor(room, {"maxTime": 300}) as ed:
        uri = ed.open("test_half.py")
        asked = ed.execute("stripe.why", {"uri": uri, "test": "test_odd"})
        task = asyncio.ensure_future(asked)
        token = await ed.searching()
        ed.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
        answer = await task
        assert answer["status"] in ("cancelled", "answered", "nothing")
