"""What the measurements with real programs stand on: copies that count, and seeded lines."""

from __future__ import annotations

import ast

import pytest

from benchmarks.real.counting import count_in
from benchmarks.real.seeded import number_of, patched, statements
from benchmarks.real.trial import Program, try_out


@pytest.mark.parametrize(
    ("text", "counting"),
    [
        ("assert f(x) == 3", "assert (_count_(1), f)[1](x) == 3"),
        ("assert not a.b(c) and d", "assert not (_count_(1), a)[1].b(c) and d"),
        ("assert x", "assert (_count_(1), x)[1]"),
    ],
)
def test_what_an_assert_compares_stays_visible(text, counting, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(text)
    assert count_in(file, 1) == 2
    assert file.read_text() == counting + "\n"


def test_finalizers_do_not_count(tmp_path):
    file = tmp_path / "program.py"
    file.write_text("class A:\n\n    def __del__(self):\n        self.b = 1\n")
    assert count_in(file, 1) == 1


def test_a_line_is_found_again_in_a_text_written_anew():
    text = "if a:\n    x = [1,\n\n         2]\nelse:\n    y = 1\n"
    seeded = patched(text, ("", 4, "         3]"))
    again = ast.unparse(ast.parse(seeded))
    found = [*statements(again)][number_of(seeded, 4)]
    assert ast.unparse(found) == "x = [1, 3]"


FAULTY = """\
def half(x):
    if x > 3:
        return x // 2
    unused = x
    return x
unused = 1
assert half(3) == 1
"""


@pytest.mark.parametrize(
    ("line", "new", "became"),
    [
        (2, "    if x > 3 + 0:", "marked"),
        (5, "    return x + 0", "kept"),
        (4, "    unused = x + 0", "left out"),
    ],
)
@pytest.mark.realworld
def test_what_became_of_a_seeded_line_is_told(line, new, became, tmp_path):
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "prog.py").write_text(FAULTY)
    folder = tmp_path / "work"
    folder.mkdir()
    patch = ("prog.py", line, new)
    row = try_out(Program("half", "prog.py", tree=tree, patch=patch, check="exception"), folder)
    assert not row.wrong
    assert row.faulty == became
