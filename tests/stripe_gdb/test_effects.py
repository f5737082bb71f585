"""What a statement of a native program probably reads and writes, told from its source."""

from __future__ import annotations

import textwrap

import pytest

from stripe_gdb.effects import EffectsOf
from tests.stripe_gdb.native import sample

C = sample("effects/c.c")
CPP = sample("effects/cpp.cpp")
RUST = sample("effects/rust.rs")


def effects(source: str, mark: str, name: str, ordinal: int = 0, blocks: int = 1):
    text = textwrap.dedent(source)
    line = next(
        n for n, each in enumerate(text.split("\n"), 1) if each.endswith((mark, mark + " */"))
    )
    found = EffectsOf(lambda _: text, [name]).effects(name, line, ordinal, blocks)
    return set(found.reads), set(found.writes)


@pytest.mark.parametrize(
    ("mark", "reads", "writes"),
    [
        ("/* pointer", {"to", ".*", "x"}, {"*to", ".*", "*<argument>"}),
        ("/* return", {"x", "::limit"}, {"<return>"}),
        ("/* element", {"to", ".*", "::total"}, {"*to", ".*", "*<argument>"}),
        ("/* declaration", {"node", "p"}, {"n", "?p"}),
        ("/* input", {"<stdin>"}, {"<stdin>", "i"}),
        ("/* field", {"n", "i", ".*", ".next"}, {".value"}),
        ("/* call", {"::total", "numbers"}, {"?::total"}),
        ("/* sort", {"numbers"}, {"?numbers"}),
        ("/* loop", {"p", ".*", "::total"}, {"::total"}),
        ("/* error", {"stderr"}, {"<stderr>"}),
        ("/* exit", {"::total"}, {"<exit>"}),
        ("/* end", {"i"}, {"<return>", "<exit>"}),
        ("// array", {"numbers", "i"}, {"*numbers"}),
    ],
)
def test_c(mark: str, reads: set[str], writes: set[str]) -> None:
    got_reads, got_writes = effects(C, mark, "prog.c")
    # A variable whose address is taken anywhere may change through pointers as well.
    assert (got_reads - {".*"}, got_writes) == (reads - {".*"}, writes)
    assert ".*" not in reads or ".*" in got_reads


def test_the_two_blocks_of_a_for_header() -> None:
    assert effects(C, "// header", "prog.c", 0, 2)[1] == {"i"}
    reads, writes = effects(C, "// header", "prog.c", 1, 2)
    assert "i" in reads
    assert writes == {"i"}


def test_the_lines_of_one_statement_depend_on_each_other() -> None:
    reads, writes = effects(C, "/* last line", "prog.c")
    assert {"::total", "::table", "i"} <= reads
    assert "<stdout>" in writes
    assert {each for each in reads if each.startswith("(")} & writes


def test_a_global_of_another_file() -> None:
    texts = {"a.c": "int shared;\n", "b.c": "extern int shared;\nint f(void) {\nshared = 1;\n}\n"}
    guesses = EffectsOf(texts.__getitem__, texts)

    assert set(guesses.effects("b.c", 3, 0, 1).writes) == {"a::shared"}


@pytest.mark.parametrize(
    ("mark", "reads", "writes"),
    [
        ("// member", {".cents", "amount"}, {".cents"}),
        ("// method", {".moves", "amount"}, {"?.moves"}),
        ("// cin", {"<stdin>"}, {"<stdin>", "name"}),
        ("// range", {"mine"}, {"x", "?mine"}),
        ("// cout", {"x"}, {"<stdout>"}),
        ("// object", {"mine"}, {"?mine"}),
    ],
)
def test_cpp(mark: str, reads: set[str], writes: set[str]) -> None:
    assert effects(CPP, mark, "prog.cpp") == (reads, writes)


@pytest.mark.parametrize(
    ("mark", "reads", "writes"),
    [
        ("// let", set(), {"sum"}),
        ("// loop", {"values", "sum", "v"}, {"sum"}),
        ("// value", {"sum", "count"}, {"<return>"}),
        ("// pattern", set(), {"a", "b"}),
        ("// print", {"a", "b"}, {"<stdout>"}),
    ],
)
def test_rust(mark: str, reads: set[str], writes: set[str]) -> None:
    assert effects(RUST, mark, "prog.rs") == (reads, writes)


@pytest.mark.parametrize(
    "text", ["", "}}}", "int f( {", "for (", '"', "/*", "a[", "x ? y : z", "'"]
)
def test_nonsense_does_no_harm(text: str) -> None:
    EffectsOf(lambda _: text, ["x.c"]).effects("x.c", 1, 0, 1)
