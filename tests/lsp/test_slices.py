"""What an editor shows of a slice, and when it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.harness import Room
from tests.lsp.editor import editor, sample
from tests.support.asynchronous import asynchronous
from tests.support.needs import LEFT_OUT

if TYPE_CHECKING:
    from lsprotocol import types
else:
    types = pytest.importorskip("lsprotocol.types", reason=LEFT_OUT)

INPUT = "0\n5\n"


@asynchronous
async def test_the_slice_of_a_file(room: Room) -> None:
    name = sample(room)
    async with editor(room) as ed:
        provider = ed.answered.capabilities.execute_command_provider
        assert provider is not None
        assert set(provider.commands) == {
            "stripe.why", "stripe.slice", "stripe.suspects", "stripe.criterion", "stripe.clear"
        }  # fmt: skip
        uri = ed.open(name)
        file = (0, "Critical slice of this file", "stripe.slice", {"uri": uri})
        assert await ed.lenses(name) == [file]
        assert await ed.hints(name) == {}
        assert await ed.hover(name, 8) is None

        answer = await ed.slice(name, stdin=INPUT, check="stdout")
        assert answer == {
            "status": "sliced",
            "criterion": 0,
            "files": [uri],
            "slices": [
                {"name": "stdout", "check": "stdout", "kept": 16, "of": 31, "certified": True,
                 "verified": True, "stopped": "finished"},
            ],
        }  # fmt: skip
        assert ed.messages() == []

        # Comments at the top stay; so does the loop, which decided that kept executions ran.
        assert ed.faded(name) == [6]
        hint, slice_ = sorted(ed.diagnostics(name), key=lambda each: each.range.start.line)
        assert hint.severity is types.DiagnosticSeverity.Hint
        assert hint.message == "Not needed for stdout: none of 1 execution kept"
        assert slice_.severity is types.DiagnosticSeverity.Information
        assert slice_.range.start.line == 11
        assert slice_.message.startswith(
            "Printed: mul = 0. Critical slice for stdout: 16 of 31 executions"
        )
        assert "1-minimal: yes" in slice_.message
        chain = [
            (each.location.range.start.line + 1, each.message)
            for each in slice_.related_information or ()
        ]
        assert chain[0] == (12, "12_31: mul = 0")
        assert chain[1] == (9, "9_7: mul = 0, a = 0, for 12_31 (mul)")
        assert sorted(line for line, _ in chain) == [3, 4, 5, 8, 9, 10, 11, 12]

        assert await ed.hints(name) == {
            3: "1 of 1x", 4: "1 of 1x", 5: "1 of 1x", 7: "decides 6 of 7x", 8: "5 of 6x",
            9: "1 of 6x", 10: "5 of 6x", 11: "1 of 1x", 12: "1 of 1x",
        }  # fmt: skip
        hover = await ed.hover(name, 9)
        assert hover is not None
        kept = "**1 of 6** executions kept for `stdout`: left out alone, it no longer shows."
        assert kept in hover
        assert "`9_7`  `mul = 0, a = 0`" in hover
        assert "needed by `12_31` (mul)" in hover
        assert "uses `4_2` (mul)" in hover
        assert "**6 of 7** executions decided that kept ones ran" in (await ed.hover(name, 7) or "")
        assert await ed.hover(name, 1) is None

        first, *others = await ed.lenses(name)
        assert first[1:3] == (
            "Printed: mul = 0 · stdout: 16 of 31 executions kept",
            "stripe.criterion",
        )
        titles = [each[1] for each in others]
        assert titles == [
            "Slice for stderr", "Slice for “sum = 15”", "Slice for “mul = 0”", "Clear",
            "Critical slice of this file",
        ]  # fmt: skip
        assert ed.refreshed > 0

        # What a lens offers is what its command understands.
        _, _, command, argument = others[2]
        assert argument["stdin"] == INPUT
        answer = await ed.execute(command, argument)
        assert (answer["status"], answer["slices"][0]["kept"]) == ("sliced", 4)

        *reports, end = ed.progress()
        kinds = [type(each) for each in ed.progress()]
        assert kinds.count(types.WorkDoneProgressBegin) == 2
        assert kinds.count(types.WorkDoneProgressEnd) == 2
        shares = [each.percentage for each in reports if hasattr(each, "percentage")]
        assert any("of 31 events left" in str(each.message) for each in reports)
        assert all(share is None or 0 <= share <= 100 for share in shares)
        assert end.message == "stdout:/^mul = 0$/: 4 of 31 events kept"


@asynchronous
async def test_nothing_stale_is_shown(room: Room) -> None:
    room.file("numbers_of.py", "def numbers():\n    unused = 1\n    return [1, 2]\n")
    room.file("prog.py", "from numbers_of import numbers\nother = 5\nprint(sum(numbers()))\n")
    async with editor(room) as ed:
        for name in ("prog.py", "numbers_of.py"):
            ed.open(name)
        assert (await ed.slice("prog.py"))["status"] == "sliced"
        assert (ed.faded("prog.py"), ed.faded("numbers_of.py")) == ([2], [2])

        # The slice is of both files, so a change of one takes it from both.
        text = (room.work / "numbers_of.py").read_text()
        ed.change("numbers_of.py", text + "# more\n")
        assert await ed.hints("numbers_of.py") == {}
        assert await ed.hints("prog.py") == {}
        assert await ed.hover("prog.py", 3) is None
        assert ed.diagnostics("prog.py") == ed.diagnostics("numbers_of.py") == []
        assert [each[1] for each in await ed.lenses("prog.py")] == ["Critical slice of this file"]

        ed.change("numbers_of.py", text.replace("\n", "\r\n"))
        assert await ed.hints("prog.py") == {1: "1 of 1x", 3: "1 of 1x"}
        assert (ed.faded("prog.py"), ed.faded("numbers_of.py")) == ([2], [2])

        # Closed, it is the file on disk that counts.
        document = types.TextDocumentIdentifier(ed.uri("numbers_of.py"))
        ed.client.text_document_did_close(types.DidCloseTextDocumentParams(document))
        assert len(await ed.hints("prog.py")) == 2
        room.file("numbers_of.py", text + "# more, by somebody else\n")
        ed.saved("prog.py")
        assert await ed.hints("prog.py") == {}
        assert ed.diagnostics("prog.py") == []


@asynchronous
async def test_criteria_take_turns(room: Room) -> None:
    name = sample(room)
    async with editor(room) as ed:
        uri = ed.open(name)
        assert await ed.execute("stripe.criterion", {"uri": uri}) is None
        checks = ["sum=stdout:/^sum/", "mul=stdout:/^mul/"]
        answer = await ed.slice(name, stdin=INPUT, check=checks)
        assert [each["name"] for each in answer["slices"]] == ["sum", "mul"]
        sum_hints = await ed.hints(name)
        assert sorted(sum_hints) == [3, 5, 7, 8, 10, 11]
        assert sum_hints[7] == "decides 6 of 7x"
        # The loop neither counts as kept nor fades: it decided that what is kept ran.
        assert (await ed.lenses(name))[0][1] == (
            "Printed: sum = 15 · sum: 13 of 31 executions kept, show mul"
        )
        answer = await ed.execute("stripe.criterion", {"uri": uri})
        assert answer == {"criterion": 1, "name": "mul"}
        assert await ed.hints(name) == {
            4: "1 of 1x", 5: "1 of 1x", 7: "decides 1 of 7x", 9: "1 of 6x", 12: "1 of 1x",
        }  # fmt: skip
        assert ed.faded(name) == [3, 6, 8, 10, 11]
        answer = await ed.execute("stripe.criterion", {"uri": uri, "name": "difference"})
        assert answer["slug"] == "no-criterion"
        await ed.execute("stripe.criterion", {"uri": uri, "name": "sum"})
        assert await ed.hints(name) == sum_hints
        await ed.execute("stripe.clear", {"uri": uri})
        assert await ed.hints(name) == {}
        assert ed.diagnostics(name) == []


@asynchronous
async def test_comments_and_what_others_need_do_not_fade(room: Room) -> None:
    text = '''\
"""A program."""

def wanted(x):
    """Says something."""
    if x > 100:
        x = 1
    # A comment.
    else:
        x = x + 1
    try:
        return x
    finally:
        noted = 1

def unwanted():
    return (
        1 +
        2)

unwanted()  # 💥
print("ä", wanted(1))
'''
    room.file("prog.py", text)
    async with editor(room) as ed:
        ed.open("prog.py")
        await ed.slice("prog.py")
        # Not the docstrings, the comment, the `try:` around a kept line, the kept definition,
        # the `if` that decided which branch ran.
        assert ed.faded("prog.py") == [6, *range(13, 21)]
        # Clients count in units of UTF-16, of which that character takes two.
        last = max(ed.diagnostics("prog.py"), key=lambda each: each.range.end.line)
        assert last.range.end == types.Position(19, len("unwanted()  # .."))


@asynchronous
async def test_a_client_that_can_nearly_nothing(room: Room) -> None:
    name = sample(room)
    options = {"stripe": {"configurations": [{"name": "zero", "program": name}]}}
    able = types.ClientCapabilities()
    async with editor(room, capabilities=able, initialization_options=options) as ed:
        ed.open(name)
        assert "Critical slice of zero" in [each[1] for each in await ed.lenses(name)]
        ed.client.progress_reports["mine"] = []  # the client knows what it asks for
        answer = await ed.execute(
            "stripe.slice", {"uri": ed.uri(name), "stdin": INPUT}, token="mine"
        )
        assert answer["status"] == "sliced"
        assert ed.faded(name) == [6]
        assert ed.refreshed == 0
        assert list(ed.client.progress_reports) == ["mine"]
        assert isinstance(ed.progress()[-1], types.WorkDoneProgressEnd)
