"""What belongs to one statement is left out as a whole, and no third program comes of a part."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from stripe.changes.granularity import LEVELS, groups_of, levels_of
from stripe.changes.plausibility import Plausibility
from stripe.changes.universe import Universe
from stripe.changes.validity import Validity
from stripe.units.grammars import is_installed
from tests.changes.histories import history


def units(old: str, new: str, path: str = "a.py") -> list[set[str]]:
    """The changed lines by unit, with their signs."""
    universe = Universe(history({path: old}, {path: new}))
    return [signed(universe, group) for group in groups_of(universe, universe.deltas, "statement")]


def signed(universe: Universe, group: tuple[int, ...]) -> set[str]:
    """The lines of edits, stripped."""
    texts = [universe.texts(each) for each in group]
    added = {f"+{line.decode().strip()}" for new, _ in texts for line in new}
    return added | {f"-{line.decode().strip()}" for _, old in texts for line in old}


GOOD = """\
def window(items, start, stop):
    if start is not None and start < 0:
        start = max(len(items) + start, 0)
    return items[start:stop]
"""
BAD = GOOD.replace(" and start < 0", "").replace("max(len(items) + start, 0)", "start + 1")


def test_a_header_goes_with_its_body() -> None:
    assert len(units(GOOD, BAD)) == 1


def test_an_unchanged_header_lets_its_body_be_told_apart() -> None:
    old = "if a:\n    x = 1\n    y = 1\n    z = 1\n"
    new = "if a:\n    x = 2\n    y = 1\n    z = 2\n"
    assert units(old, new) == [{"+x = 2", "-x = 1"}, {"+z = 2", "-z = 1"}]


def test_a_header_that_comes_takes_what_is_indented_for_it() -> None:
    old = "def f():\n    a()\n    b()\n    c(1)\n"
    new = "def f():\n    while x:\n        a()\n        b()\n    c(2)\n"
    assert [len(each) for each in units(old, new)] == [5, 2]


def test_another_branch_goes_with_its_else() -> None:
    old = "if a:\n    x = 1\n    y = 1\n"
    new = "if a:\n    x = 2\nelse:\n    y = 1\n    z = 3\n"
    assert units(old, new) == [{"-x = 1", "+x = 2"}, {"+else:", "+z = 3"}] or units(old, new)[
        0
    ] == {
        "-x = 1",
        "+x = 2",
    }


def test_a_docstring_is_one_unit() -> None:
    old = 'def f():\n    """One.\n\n    Two.\n    """\n    return 1\n'
    new = 'def f():\n    """Uno.\n\n    Due.\n\n    Tre.\n    """\n    return 2\n'
    assert sorted(map(len, units(old, new))) == [2, 6]


def test_a_new_function_comes_whole_and_a_new_class_without_some_of_its_functions() -> None:
    new = "def f():\n    a()\n    b()\n"
    assert len(units("x = 1\n", "x = 1\n" + new)) == 1
    methods = (
        "class C:\n    x = 1\n\n    def f(self):\n        a()\n\n    def g(self):\n        b()\n"
    )
    universe = Universe(history({"a.py": "x = 1\n"}, {"a.py": "x = 1\n" + methods}))
    groups = groups_of(universe, universe.deltas, "statement")
    header = next(g for g in groups if "+class C:" in signed(universe, g))
    functions = [g for g in groups if any(line.startswith("+def") for line in signed(universe, g))]
    assert len(functions) == 2
    for each in functions:
        assert any(set(header) & universe.requires.get(edit, set()) for edit in each)


def test_what_moves_is_one_unit_also_between_files() -> None:
    assert len(units("a(1)\nb(2)\nc(3)\n", "b(2)\nc(3)\na(1)\n")) == 1
    function = "def f():\n    return 1\n\n\n"
    old = {"a.py": function + "x = 1\n", "b.py": "y = 1\n"}
    new = {"a.py": "x = 1\n", "b.py": function.replace("1", "2") + "y = 1\n"}
    universe = Universe(history(old, new))
    [moved] = [
        group
        for group in groups_of(universe, universe.deltas, "statement")
        if "+def f():" in signed(universe, group)
    ]
    assert {"-def f():", "-return 1", "+def f():", "+return 2"} <= signed(universe, moved)


def test_other_languages_are_left_out_by_hunk() -> None:
    assert len(units("a\nb\nc\n", "a2\nb2\nc\n", "a.txt")) == 1
    assert levels_of("auto")[-1] == "statement"
    assert levels_of("line") == ("line",)


C_OLD = """\
int f(int a)
{
    int b = 1;
    if (a > 0) {
        b = a;
        b += 1;
    }
    g(a,
      b);
    return b;
}
"""
C_NEW = """\
int f(int a)
{
    int b = 2;
    if (a > 1) {
        b = a;
        b += 2;
    }
    g(a,
      0);
    return b;
}
"""


@pytest.mark.skipif(not is_installed("a.c"), reason="needs tree-sitter")
def test_statements_of_c() -> None:
    assert [len(each) for each in units(C_OLD, C_NEW, "a.c")] == [2, 4, 2]
    wrapped = C_OLD.replace(
        "    int b = 1;\n", "    int b = 1;\n    if (a) {\n        h();\n    }\n"
    )
    assert len(units(C_OLD, wrapped, "a.c")) == 1
    other = C_OLD.replace("int b = 1;", "int b = 9;") + "\nint added(void)\n{\n    return 1;\n}\n"
    assert [len(each) for each in units(C_OLD, other, "a.c")] == [2, 1, 4]


def random_program(draw: random.Random, depth: int = 0) -> list[str]:
    """Statements, some of them with a body."""
    lines: list[str] = []
    for _ in range(draw.randint(1, 4)):
        kind = draw.randrange(6) if depth < 3 else 0
        name = draw.choice("abcdefgh")
        body = ["    " + line for line in random_program(draw, depth + 1)] if kind > 2 else []
        lines += {
            0: [f"{name} = {draw.randrange(4)}"],
            1: [f"{name}(", f"    {draw.randrange(4)},", ")"],
            2: ['"""Text', f"{draw.randrange(4)}", '"""'],
            3: [f"if {name}:", *body],
            4: [f"for {name} in x:", *body, "else:", f"    {name}()"],
            5: [f"def {name}():", *body],
        }[kind]
    return lines


def changed(draw: random.Random, lines: list[str]) -> list[str]:
    """The same program with some lines or parts of it replaced."""
    start = draw.randrange(len(lines))
    if lines[start].startswith(" ") or draw.random() < 0.5:
        return [line.replace("1", "7") if draw.random() < 0.5 else line for line in lines]
    return random_program(draw) + lines


@pytest.mark.parametrize("seed", range(60))
def test_each_part_of_the_units_is_plausible(seed: int) -> None:
    """Whatever units are left out: it parses, and each statement is one of the two versions."""
    draw = random.Random(seed)
    old = random_program(draw)
    new = changed(draw, old) if draw.random() < 0.5 else random_program(draw)
    texts = ["\n".join(lines) + "\n" for lines in (old, new)]
    universe = Universe(history({"a.py": texts[0]}, {"a.py": texts[1]}))
    groups = groups_of(universe, universe.deltas, "statement")
    plausible, valid = Plausibility(universe), Validity(universe)
    for count in (1, 2, len(groups) - 1):
        for some in list(combinations(groups, max(0, count)))[:20]:
            chosen = tuple(edit for group in some for edit in group)
            if valid.holds(universe.changed(chosen)):
                assert plausible.holds(chosen), universe.tree(chosen)["a.py"][1].decode()


def test_lines_are_left_out_only_where_a_statement_of_a_version_comes_of_it() -> None:
    old, new = "x = f(1,\n      1)\ny = 1\n", "x = f(2,\n      2)\ny = 2\n"
    universe = Universe(history({"a.py": old}, {"a.py": new}))
    plausible = Plausibility(universe)
    lines = groups_of(universe, universe.deltas, LEVELS[-1])
    assert [plausible.holds(line) for line in lines] == [False, False, False, True]
    assert plausible.holds((*lines[0], *lines[1], *lines[2]))


@pytest.mark.skipif(not is_installed("a.c"), reason="wants the extra syntax")
def test_around_what_a_parser_does_not_understand_statements_are_read() -> None:
    """A macro in the place of syntax: the grammar of C has no rule for it."""
    old = "static int a __attribute__((unused));\n\nint f(void)\n{\n    EACH(x) {\n    }\n"
    old += "    a = 1;\n    return a;\n}\n"
    new = old.replace("    a = 1;\n", "    a = 2;\n    a++;\n")
    assert units(old, new, "a.c") == [{"-a = 1;", "+a = 2;"}, {"+a++;"}]
    new = new.replace("EACH(x)", "EACH(y)")
    assert units(old, new, "a.c")[1:] == [{"-a = 1;", "+a = 2;"}, {"+a++;"}]


@pytest.mark.skipif(not is_installed("a.c"), reason="wants the extra syntax")
def test_an_error_that_no_version_has_is_no_plausible_edit() -> None:
    old = "int f(void)\n{\n    int a =\n        1;\n    return a;\n}\n"
    new = "int f(void)\n{\n    int b = 2;\n    int a = b;\n    return a;\n}\n"
    universe = Universe(history({"a.c": old}, {"a.c": new}))
    plausibility = Plausibility(universe)
    for count in range(len(universe.deltas)):
        for chosen in combinations(universe.deltas, count):
            text = universe.content(universe.edits[0].file, chosen)
            if plausibility.holds(chosen):
                assert text.count(b"=") == text.count(b";") - 1
