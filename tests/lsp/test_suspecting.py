"""Suspects in an editor: asked for by a lens, shown as places, tried by an action."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.harness import Room
from tests.lsp.editor import Editor, editor
from tests.support.asynchronous import asynchronous
from tests.support.needs import LEFT_OUT
from tests.support.programs import HALF, WITH_A_WRONG_TEST
from tests.suspects.answers import SHOP, place, sample

if TYPE_CHECKING:
    from lsprotocol import types

    from stripe.lsp.suspects import FoundSuspects, Suspected, SuspectsView
else:
    types = pytest.importorskip("lsprotocol.types", reason=LEFT_OUT)
    pytest.importorskip("pygls", reason=LEFT_OUT)
    from stripe.lsp.suspects import FoundSuspects, Suspected, SuspectsView

RIGHT = "def half(n):\n    return n // 2\n"
WHOLE = types.Range(types.Position(0, 0), types.Position(100, 0))


def suspects(ed: Editor, name: str) -> list[str]:
    return [each.message for each in ed.diagnostics(name) if each.code == "suspect"]


async def actions(ed: Editor, name: str, within: Any = WHOLE) -> list[Any]:
    params = types.CodeActionParams(
        types.TextDocumentIdentifier(ed.uri(name)), within, types.CodeActionContext([])
    )
    return list(await ed.client.text_document_code_action_async(params) or [])


@asynchronous
async def test_a_failing_test_has_suspects_and_a_change_can_be_tried(room: Room) -> None:
    room.file("half.py", HALF)
    room.file("test_half.py", WITH_A_WRONG_TEST)
    async with editor(room, {"maxTests": 12}) as ed:
        uri = ed.open("test_half.py")
        ed.open("half.py")
        lens = (2, "Suspects of this test", "stripe.suspects", {"uri": uri, "test": "test_odd"})
        assert lens in await ed.lenses("test_half.py")

        answer = await ed.execute(lens[2], lens[3])
        assert answer["status"] == "found"
        first = answer["places"][0]
        assert (first["uri"], first["line"]) == (ed.uri("half.py"), 2)
        assert first["change"] == "`n // 2` instead of `n / 2`"
        assert (first["repaired"], first["failing"], first["still_passing"]) == (1, 1, 1)
        assert [each.kind for each in ed.progress()][:1] == ["begin"]

        # The place is shown, and so is its file.
        await ed.until(lambda: suspects(ed, "half.py"))
        assert (
            "1. With `n // 2` instead of `n / 2`, this change makes the failing test pass"
            in (suspects(ed, "half.py")[0])
        )
        assert [each.uri for each in ed.client.shown_documents] == [ed.uri("half.py")]

        # The change is a proposal: VS Code asks before it makes it.
        action, *_ = await actions(ed, "half.py")
        assert action.title == "Try this change: `n // 2` instead of `n / 2`"
        (change,) = action.edit.document_changes
        assert (change.text_document.uri, change.text_document.version) == (ed.uri("half.py"), 1)
        (edit,) = change.edits
        assert action.edit.change_annotations[edit.annotation_id].needs_confirmation is True
        assert (room.work / "half.py").read_text() == HALF
        lines = HALF.splitlines(keepends=True)
        lines[edit.range.start.line : edit.range.end.line] = [edit.new_text]
        assert "".join(lines) == RIGHT
        elsewhere = types.Range(types.Position(0, 0), types.Position(0, 3))
        assert await actions(ed, "half.py", elsewhere) == []

        # Accepted, it is another text, of which nothing is known.
        ed.change("half.py", RIGHT)
        await ed.until(lambda: not suspects(ed, "half.py"))
        assert await actions(ed, "half.py") == []
        ed.change("half.py", HALF)
        await ed.until(lambda: suspects(ed, "half.py"))
        await ed.execute("stripe.clear", {"uri": ed.uri("half.py")})
        await ed.until(lambda: not suspects(ed, "half.py"))


@asynchronous
async def test_a_program_whose_right_output_is_known(room: Room) -> None:
    """A configuration that says what is expected has a lens; it can be cancelled."""
    room.file("prog.py", "import sys\nn = int(input())\nprint(n / 2)\n")
    one = {"name": "three", "program": "prog.py", "input": "3\n", "expect": "1\n"}
    async with editor(room, {"maxTests": 8, "configurations": [one]}) as ed:
        uri = ed.open("prog.py")
        argument = {"uri": uri, "configuration": "three"}
        answer = await ed.execute("stripe.suspects", argument)
        assert answer["places"][0]["change"] == "`n // 2` instead of `n / 2`"
        assert (0, "Suspects of three", "stripe.suspects", argument) in await ed.lenses("prog.py")
        assert "no passing test" in " ".join(answer["notes"])

        for request, slug in (
            ({"uri": uri}, "no-expectation"),
            ({**argument, "expect": "1.5"}, "nothing-fails"),
            ({**argument, "check": "stdout"}, "bad-arguments"),
        ):
            answer = await ed.execute("stripe.suspects", request)
            assert (answer["status"], answer["slug"]) == ("refused", slug)
            assert f"[{slug}]" in ed.messages()[-1]

        ed.client.set_configuration({"configurations": [one]}, section="stripe")  # no limit
        task = asyncio.ensure_future(ed.execute("stripe.suspects", argument))
        token = await ed.searching()
        ed.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
        answer = await task
        assert answer["status"] == "cancelled" or answer["stopped"] == "stopped"


# --- what is shown of a result


TEXT = "\n".join(SHOP) + "\n"


def found(path: Path, text: str = TEXT, **changes: Any) -> Suspected:
    result = sample(**changes)
    return Suspected.from_result(result, {}, str(path), {str(path / "shop.py"): text}.get)


def view(path: Path, text: str = TEXT, **changes: Any) -> SuspectsView:
    return SuspectsView(found(path, **changes), str(path / "shop.py"), text.split("\n"), len)


def edits(shown: SuspectsView, **options: bool) -> list[Any]:
    told = {"annotated": False, "versioned": False, **options}
    return [each.edit for each in shown.actions("file:///shop.py", 3, WHOLE, **told)]


def test_a_change_without_a_diff_is_shown_and_cannot_be_tried(tmp_path: Path) -> None:
    shown = view(tmp_path)
    assert [each.range.start.line + 1 for each in shown.diagnostics()] == [9, 11]
    assert len(edits(shown)) == 1


def test_edits_are_in_a_form_that_the_client_knows(tmp_path: Path) -> None:
    (plain,) = edits(view(tmp_path))
    assert list(plain.changes) == ["file:///shop.py"]
    (versioned,) = edits(view(tmp_path), versioned=True)
    assert versioned.change_annotations is None
    assert versioned.document_changes[0].text_document.version == 3
    (annotated,) = edits(view(tmp_path), versioned=True, annotated=True)
    assert annotated.document_changes[0].edits[0].annotation_id in annotated.change_annotations
    assert plain.changes["file:///shop.py"][0].new_text == (
        "        if len(self.items) >= self.limit:\n"
    )


def test_a_last_line_without_an_end(tmp_path: Path) -> None:
    last = place(34, "basket.items)", "basket.others)")
    assert last.diff is not None
    cut = last.diff.replace("items)\n", "items)\n\\ No newline at end of file\n")
    cut = cut.replace("others)\n", "others)\n\\ No newline at end of file\n")
    told = {"places": (place(34, "basket.items)", "basket.others)", diff=cut),)}
    (edit,) = edits(view(tmp_path, TEXT.rstrip("\n"), **told))
    (change,) = edit.changes["file:///shop.py"]
    assert change.range.end == types.Position(33, len(SHOP[33]))
    assert change.new_text == SHOP[33].replace("items", "others")


def test_lines_that_are_not_those_of_the_change_are_not_replaced(tmp_path: Path) -> None:
    assert edits(view(tmp_path, TEXT.replace("> self.limit", "> self.most"))) == []


def test_nothing_is_shown_of_files_that_are_not_what_ran(tmp_path: Path) -> None:
    path = str(tmp_path / "shop.py")
    late = found(tmp_path, TEXT.replace("append(name)", "append(None)"))
    assert late.changed == [path]
    now = {path: TEXT}
    known = FoundSuspects(now.get)
    known.add(found(tmp_path))
    assert known.shown(path) is not None
    now[path] += "# typed\n"
    assert known.shown(path) is None
    now[path] = TEXT
    assert known.shown(path) is not None
    known.clear(path)
    assert known.shown(path) is None
