"""The same short answer in all faces: the terminal, the page, notebooks, editors, assistants."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest

from stripe.cli import notebook, show
from stripe.cli import why as command
from stripe.report.html.why import page
from stripe.report.style import Style
from stripe.results.why import Document, Experiment, Happened, Reason, Step
from tests.support.answers import answer_of, place_of
from tests.support.needs import LEFT_OUT

LONG = Reason("kept", "slice", "left out alone, " + "and again, " * 30 + "it is lost")
ANSWER = answer_of(
    "ValueError: bad",
    place_of(3, Reason("raised", "run", "ValueError was raised here"), LONG),
    place_of(9, function="price", source="return cost"),
    story=(Step("shop.py", 2, "total", "cost += price", (("cost", "7"),), 4),),
    aside="4 of 10 executed statements can be left out, and it stays",
    certainty="Only nearby: it is where the failure showed.",
    experiments=(
        *answer_of().experiments, Experiment("causes", "limit", "in its time nothing", 1.0)
    ),
)  # fmt: skip
OWN = ("next ", "more ")
"""What to do next, of which each face has its own."""


def of_terminal(document: Document, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> str:
    monkeypatch.setattr(command, "perform", lambda *words: document)
    command.run(["shop.py"])
    out: str = capsys.readouterr().out
    return out


def of_show(document: Document, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> str:
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(document.to_json()).encode()))
    )
    show.run(["-"])
    out: str = capsys.readouterr().out
    return out


def of_notebook(document: Document, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> str:
    monkeypatch.setattr(command, "perform", lambda *words: document)
    text: str = notebook.answer(notebook.Cell("why", [], "print(1)\n", [], sys.executable))["text"]
    return text


def of_editor(document: Document, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> str:
    pytest.importorskip("pygls", reason=LEFT_OUT)
    from stripe.lsp.why import answer

    text: str = answer(document, "/work")["text"]
    return text


FACES = {"show": of_show, "notebook": of_notebook, "editor": of_editor}


def shared(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith(OWN)]


@pytest.mark.parametrize("face", FACES)
def test_the_screen_is_the_same_in_every_face(
    face: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    seen: Callable[..., str] = FACES[face]
    terminal = shared(of_terminal(ANSWER, monkeypatch, capsys))
    assert terminal[1] == "where to look"
    assert shared(seen(ANSWER, monkeypatch, capsys)) == terminal


def test_each_face_has_its_own_way_to_the_rest(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    told = "shows what did not fit here"
    assert f"stripe why --all {told}" in of_terminal(ANSWER, monkeypatch, capsys)
    assert f"%%why --all {told}" in of_notebook(ANSWER, monkeypatch, capsys)
    assert told not in of_editor(ANSWER, monkeypatch, capsys), "its places have all of it"


def test_a_notebook_asks_about_a_line_by_its_own_magic(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """It named a command and a file that is gone."""
    nothing = answer_of(happened=Happened("nothing", "It ended.", output=("1", "2"), first=4))
    last = of_notebook(nothing, monkeypatch, capsys).splitlines()[-1]
    assert last.endswith("say what it should be: %%why --line 5")


def test_the_page_and_assistants_have_all_of_it() -> None:
    text = unescape(page(ANSWER))
    pytest.importorskip("mcp", reason=LEFT_OUT)
    from stripe.mcp.answers import why_answer

    told = why_answer(ANSWER, "a1")
    assert told.happened == ANSWER.happened.says
    assert (told.aside, told.certainty) == (ANSWER.aside, ANSWER.certainty)
    assert [each.why for each in told.places] == [
        [reason.says for reason in each.why] for each in ANSWER.places
    ]
    assert [(each.source, each.again) for each in told.story] == [("cost += price", 4)]
    for says in (
        ANSWER.happened.says, ANSWER.aside, ANSWER.certainty, "cost += price",
        *(reason for each in told.places for reason in each.why),
    ):  # fmt: skip
        assert says in text, says
    assert any("in its time nothing" in each for each in told.not_tried)


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_while_it_goes_on_a_terminal_does_not_say_that_nothing_was_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It did, in the second line, until the first experiment had found something."""
    shown = Screen()
    monkeypatch.setattr(sys, "stdout", shown)
    draft = command.Draft(Style(width=100, colour=True))
    draft.show(answer_of("ValueError: bad"))
    assert "ValueError: bad" in shown.getvalue()
    assert "Nothing" not in shown.getvalue()
    draft.show(ANSWER)
    assert "where to look" in shown.getvalue()
    last = "".join(draft.replaced_by(["the end"]))
    assert last.startswith("\r\x1b["), "it stands in the place of what was shown"
