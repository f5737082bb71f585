"""Syntax trees through the real command: what is left, and what is refused."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.e2e.harness import Room
from tests.support.needs import needs_syntax

C = """\
struct point { int x, y; };
int culprit(int, ...);
static int scale(int factor, struct point *p)
{
    for (int i = 0; i < 3; i++)
        if (p->x > i)
            return culprit(p->x * factor, i);
    return 0;
}
"""
JSON = '{"users": [{"id": 1, "tags": ["a", "b"]}, {"id": 2, "tags": ["culprit", "d"]}]}\n'
PYTHON = """\
import os, culprit, sys

def size(path, base=1, *rest):
    # Of a file.
    if os.path.exists(path):
        return culprit.round(base, os.stat(path).st_size, sys.maxsize)
    return None
"""
PAGE = """\
<!DOCTYPE html>
<html><body class="wide"><p>one</p><p id="two">the <b>culprit</b></p></body></html>
"""
SH = """\
for name in a b; do
    if test -f "$name"; then
        cat "$name" | grep culprit > out
    fi
    echo "$name"
done
"""

PARSES_JSON = "import json, sys; text = open(sys.argv[1]).read(); json.loads(text)"
COMPILES = "import sys; text = open(sys.argv[1]).read(); compile(text, 'x', 'exec')"
KINDS = [
    ("data.json", JSON, PARSES_JSON, '{"": { "":"culprit"}}'),
    ("size.py", PYTHON, COMPILES, "import culprit"),
]


def script(room: Room, *lines: str) -> None:
    room.file("test.sh", "\n".join(["#!/bin/sh", *lines, ""])).chmod(0o755)


def reduced(room: Room, file: str, content: str, units: str = "syntax") -> str:
    """What is left of an input, as the command wrote it."""
    room.file(file, content)
    answer = Path(file).with_suffix(f".reduced{Path(file).suffix}").name
    run = room.stripe("input", file, "--units", units, "--test", "./test.sh", "--json", "-",
                      writes=(answer,))  # fmt: skip
    assert run.status == 0, run
    assert run.result["certified"] is True
    assert run.result["verified"] is True
    assert run.result["units"] == units.rpartition(",")[2]
    left = run.result["failing"]["text"]
    assert isinstance(left, str)
    assert (room.work / answer).read_text() == left
    return left


@needs_syntax
@pytest.mark.parametrize(("file", "content", "judge", "left"), KINDS, ids=[k[0] for k in KINDS])
def test_what_is_left(room: Room, file: str, content: str, judge: str, left: str) -> None:
    room.file("judge.py", f"{judge}\nsys.exit('culprit' not in text)\n")
    script(room, f'exec {sys.executable} -I -S "$STRIPE_CWD/judge.py" "$1"')
    assert reduced(room, file, content).strip() == left


@needs_syntax
def test_a_page(room: Room) -> None:
    script(
        room,
        'grep -q "<p.*culprit" "$1" || exit 1',
        'test "$(grep -o "<[a-z]" "$1" | wc -l)" = "$(grep -o "</[a-z]" "$1" | wc -l)"',
    )
    assert reduced(room, "page.html", PAGE).strip() == "<p>culprit</p>"


@needs_syntax
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_c_that_compiles(room: Room) -> None:
    script(
        room, 'gcc -std=c99 -pedantic-errors -fsyntax-only "$1" && grep -q "return culprit" "$1"'
    )
    assert reduced(room, "prog.c", C).split("\n") == [
        "",
        "int culprit(); int scale()",
        "{",
        "            return culprit();",
        "}",
    ]


@needs_syntax
def test_a_shell_script(room: Room) -> None:
    script(room, 'sh -n "$1" && grep -q "| grep culprit" "$1"')
    assert reduced(room, "run.sh", SH).split("\n") == [
        'for name; do "" | grep culprit',
        "done",
    ]


@needs_syntax
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_then_finer_units(room: Room) -> None:
    script(room, 'gcc -std=c99 -pedantic-errors -fsyntax-only "$1" && grep -q "culprit(" "$1"')
    assert reduced(room, "prog.c", C, "syntax,tokens,chars") == "int culprit();"


@needs_syntax
def test_errors_in_the_input(room: Room) -> None:
    script(room, 'grep -q "f(.*culprit" "$1"')
    content = 'int main( { if (x { f(a, culprit, "b); }\n} ] )\n'
    assert reduced(room, "bad.c", content).strip() == "f( culprit"


@needs_syntax
def test_on_the_terminal(room: Room) -> None:
    script(room, 'grep -q culprit "$1"')
    room.file("data.json", JSON)
    run = room.stripe("input", "data.json", "--units", "syntax", "--test", "./test.sh",
                      writes=("data.reduced.json",))  # fmt: skip
    assert run.status == 0, run
    assert "1-minimal      yes, in parts of the syntax" in run.out


@pytest.mark.parametrize("installed", [pytest.param(True, marks=needs_syntax), False])
def test_auto_says_which_units_it_used(room: Room, installed: bool) -> None:
    script(room, 'grep -q "<p.*culprit" "$1"')
    room.file("page.html", PAGE)
    if not installed:
        room.file("lib/tree_sitter.py", "raise ModuleNotFoundError(name='tree_sitter')\n")
    run = room.stripe("input", "page.html", "--test", "./test.sh", writes=("page.reduced.html",),
                      environment={"PYTHONDONTWRITEBYTECODE": "1",
                                   "PYTHONPATH": str(room.work / "lib")})  # fmt: skip
    assert run.status == 0, run
    assert (room.work / "page.reduced.html").read_text() == "<pculprit"
    note = "note: These units were used: syntax, lines, tokens, lengths, chars, numbers."
    assert (note in " ".join(run.out.split())) is installed


def test_a_suffix_without_grammar(room: Room) -> None:
    script(room, "exit 0")
    room.file("in.txt", "text\n")
    run = room.stripe("input", "in.txt", "--units", "syntax", "--test", "./test.sh")
    run.refused("no-grammar", ".txt", "--units", status=2)


@pytest.mark.parametrize(
    "package", ["tree_sitter", pytest.param("tree_sitter_c", marks=needs_syntax)]
)
def test_a_missing_package(room: Room, package: str) -> None:
    script(room, "exit 0")
    room.file("prog.c", C)
    room.file(f"lib/{package}.py", f"raise ModuleNotFoundError(name={package!r})\n")
    environment = {"PYTHONPATH": str(room.work / "lib"), "PYTHONDONTWRITEBYTECODE": "1"}
    run = room.stripe("input", "prog.c", "--units", "syntax", "--test", "./test.sh",
                      environment=environment)  # fmt: skip
    run.refused("no-grammar", package.replace("_", "-"), "pip install tree-sitter tree-sitter-c",
                status=2)  # fmt: skip


@needs_syntax
def test_what_is_no_text(room: Room) -> None:
    script(room, "exit 0")
    (room.work / "prog.c").write_bytes(b"int a; // caf\xe9\n")
    run = room.stripe("input", "prog.c", "--units", "syntax", "--test", "./test.sh")
    run.refused("not-text", "UTF-8", "--units", status=2)


@needs_syntax
def test_no_differences_between_trees(room: Room) -> None:
    script(room, "exit 0")
    room.file("prog.c", C)
    run = room.stripe(
        "input", "prog.c", "--mode", "diff", "--units", "syntax", "--test", "./test.sh"
    )
    run.refused("no-trees", "--units", status=2)
