"""What may be asked: files, tests, configurations; and what is refused, in words of ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.harness import Room
from tests.lsp.editor import editor, sample
from tests.support.asynchronous import asynchronous
from tests.support.extras import require_refusal_without
from tests.support.needs import LEFT_OUT

if TYPE_CHECKING:
    from lsprotocol import types
else:
    types = pytest.importorskip("lsprotocol.types", reason=LEFT_OUT)

CART = """\
def total(prices):
    found = sum(prices)
    seen = len(prices)
    return found - 1
"""

TESTS = """\
from cart import total

def test_total():
    assert total([3]) == 3

class TestMore:
    def test_price(self):
        unused = 1
        total(None)

    def test_fine(self):
        pass

def helper_test():
    pass
"""


@asynchronous
async def test_the_slice_of_a_test(room: Room) -> None:
    room.file("cart.py", CART)
    room.file("test_cart.py", TESTS)
    async with editor(room) as ed:
        uri = ed.open("test_cart.py")
        ed.open("cart.py")
        name = "Critical slice of this test"
        offered = await ed.lenses("test_cart.py")
        assert [each for each in offered if each[1] == name] == [
            (2, name, "stripe.slice", {"uri": uri, "test": "test_total"}),
            (6, name, "stripe.slice", {"uri": uri, "test": "TestMore::test_price"}),
            (10, name, "stripe.slice", {"uri": uri, "test": "TestMore::test_fine"}),
        ]
        assert all(each[1] != name for each in await ed.lenses("cart.py"))

        # What was compared stays the same: the sum matters.
        answer = await ed.slice("test_cart.py", test="test_total")
        assert (answer["status"], answer["files"]) == (
            "sliced",
            [ed.uri("test_cart.py"), ed.uri("cart.py")],
        )
        # The definition in line 1 ran while the test was collected, before the recording.
        assert sorted(await ed.hints("cart.py")) == [2, 4]
        assert ed.faded("cart.py") == [3]
        assert not ed.client.shown_documents, "the test itself is in it"

        answer = await ed.slice("test_cart.py", test="TestMore::test_fine")
        assert answer["slug"] == "test-passes"
        assert "[test-passes]" in ed.messages()[-1]


@asynchronous
async def test_configurations(room: Room) -> None:
    sample(room)
    room.file("data/prog.py", "import sys\nn = 1\nprint(sys.argv[1], open('x').read())\n")
    room.file("data/x", "y")
    settings = {
        "maxTime": 120,
        "configurations": [
            {"name": "zero", "program": "sample.py", "input": "0\n5\n", "check": "stdout:/^mul/"},
            {"name": "there", "program": "data/prog.py", "cwd": "data", "args": ["a"]},
            {"name": "lost"},
            {"name": "odd", "program": "sample.py", "check": 3, "colour": "red"},
        ],
    }
    async with editor(room, settings) as ed:
        uri = ed.open("sample.py")
        ed.open("data/prog.py")
        await ed.until(ed.messages)
        (said,) = ed.messages()
        assert "[bad-settings]" in said
        assert "stripe.configurations[2] needs a name and a program." in said
        assert "'check' must be a text or a list of texts, not 3" in said
        assert "no 'colour'" in said

        zero = (0, "Critical slice of zero", "stripe.slice", {"uri": uri, "configuration": "zero"})
        assert zero in await ed.lenses("sample.py")
        assert zero[1] not in [each[1] for each in await ed.lenses("data/prog.py")]
        answer = await ed.execute("stripe.slice", zero[3])
        assert sorted(await ed.hints("sample.py")) == [4, 5, 7, 9, 12]
        # What is asked for wins over what is configured.
        answer = await ed.execute("stripe.slice", {"configuration": "zero", "check": "stdout"})
        assert answer["slices"][0]["kept"] == 16
        answer = await ed.execute("stripe.slice", {"configuration": "there"})
        assert (answer["status"], answer["files"]) == ("sliced", [ed.uri("data/prog.py")])
        assert sorted(await ed.hints("data/prog.py")) == [1, 3]

        # Settings may change, and may be pushed.
        ed.client.set_configuration({"configurations": []}, section="stripe")
        before = ed.refreshed
        ed.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
        await ed.until(lambda: ed.refreshed > before)
        assert zero not in await ed.lenses("sample.py")
        answer = await ed.execute("stripe.slice", {"configuration": "zero"})
        assert answer["slug"] == "no-configuration"


@asynchronous
async def test_what_is_refused(room: Room) -> None:
    sample(room)
    room.file("bad.py", "print(1\n")
    room.file("quiet.py", "x = 1\n")
    room.file("hangs.py", "while True:\n    pass\n")
    room.file("notes.txt", "nothing\n")
    async with editor(room, {"timeout": 1}) as ed:
        uri = ed.open("sample.py")

        async def refused(slug: str, *arguments: object) -> str:
            answer = await ed.execute("stripe.slice", *arguments)
            assert (answer["status"], answer["slug"]) == ("refused", slug)
            message = ed.messages()[-1]
            assert message == f"stripe: {answer['message']} [{slug}]\n{answer['hint']}"
            assert "Traceback (most" not in message
            assert answer["hint"]
            return message

        await refused("bad-arguments")
        await refused("bad-arguments", uri)
        await refused("bad-arguments", {"uri": uri}, {"uri": uri})
        await refused("bad-arguments", {"file": uri})
        await refused("bad-arguments", {"uri": 3})
        await refused("bad-arguments", {"check": "stdout"})
        await refused("not-a-file", {"uri": "untitled:Untitled-1"})
        await refused("no-configuration", {"configuration": "x"})
        await refused("unknown-check", {"uri": uri, "check": "stdoot"})
        await refused("no-such-program", {"uri": ed.uri("gone.py")})
        await refused("no-backend", {"uri": ed.uri("notes.txt")})
        await refused("syntax-error", {"uri": ed.uri("bad.py")})
        await refused("no-output", {"uri": ed.uri("quiet.py"), "check": "stdout"})
        await refused("program-hangs", {"uri": ed.uri("hangs.py")})

        ed.change("sample.py", "print(1)\n")
        assert "Save it" in await refused("not-saved", {"uri": uri})
        ed.change("sample.py", Path(room.work, "sample.py").read_text())

        answer = await ed.execute("stripe.criterion", {"uri": uri, "nama": "x"})
        assert answer["slug"] == "bad-arguments"

        old = room.file("old-python", "#!/bin/sh\nexit 1\n")
        old.chmod(0o755)
        ed.client.set_configuration({"python": str(old)}, section="stripe")
        answer = await ed.execute("stripe.slice", {"uri": uri})
        assert answer["slug"] == "no-interpreter"
        assert str(old) in answer["message"]

        # After all that it still works.
        ed.client.set_configuration({}, section="stripe")
        answer = await ed.execute("stripe.slice", {"uri": uri, "stdin": "0\n5\n"})
        assert answer["status"] == "sliced"


def test_without_pygls_it_says_what_to_install(room: Room) -> None:
    require_refusal_without("pygls", "lsp", room.work)


def test_the_command_line(room: Room) -> None:
    assert "docs/editors.md" in room.stripe("lsp", "--help").out
    room.stripe("lsp", "--port", "3").refused("bad-option", "stripe lsp --help", status=2)
    room.stripe("lsp", "x.py").refused("bad-option", status=2)
    assert room.stripe("lsp", "--stdio").status == 0, "nobody speaks to it"
