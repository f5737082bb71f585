"""Syntax trees as units: nothing is lost, and what goes together goes together."""

from __future__ import annotations

import pickle
import sys
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stripe.errors import UsageError
from stripe.inputs.plan import Plan, flat
from stripe.units import grammars
from stripe.units.kinds import cut, levels
from stripe.units.syntax import syntax
from tests.support.needs import LEFT_OUT

tree_sitter = pytest.importorskip("tree_sitter", reason=LEFT_OUT)

SAMPLES = {
    "sh": "a; b | c\nfor x in 1 2; do echo \"$x\" <<E\nhé\nE\ndone\nif a; then b; fi # end\n",
    "c": '#define N 3\nint f(int a, char *b) { for (int i = 0; i < N; i++) { g("é", i); } }\n',
    "cs": "class A { int F(int a, int b = 1) { foreach (var x in y) { G(x); } return a; } }\n",
    "cpp": "template <class T> struct A : B, C { T f(int a, T b) const { return {a, b}; } };\n",
    "css": "/* é */ a > b, c:hover { margin: 0 1px; color: #fff }\n@media x { d { top: 0 } }\n",
    "go": 'package m\nimport "x"\nfunc f(a, b int) (int, e) {\n\tfor i := 0; i < 3; i++ { }\n}\n',
    "html": '<!DOCTYPE html><p class=x id="é">one<br>two</p><script>if (a<b) c()</script>\n',
    "java": "class A<T> { int f(int a, T b) { for (int i = 0; i < 3; i++) g(a); return 'é'; } }\n",
    "js": "const {a, b} = require('é');\nclass A { async f(x) { return `${x}` ?? [1, , 2]; } }\n",
    "json": '{"a": [1, 2, {"é": null}], "b": {}}\n',
    "php": "<html><?php function f($a, $b = 1) { return ['é' => $a]; } ?></html>\n",
    "py": 'from m import a, b\ndef f(a, b=1, *, c):\n    if a:\n        return f"é{b}"\n\n',
    "rb": "def f(a, b = 1)\n  [a, b].each do |x|\n    puts \"é#{x}\"\n  end\nend\n",
    "rs": 'use a::{b, c};\nfn f<\'a>(x: &\'a str) -> u8 { match x { "é" => 1, _ => { 2 } } }\n',
    "ts": "interface A<T> { a: string; b?: T }\nlet x = (y: number): A<string>[] => [];\n",
    "tsx": "const a = <p className='é'>{b} text</p>;\n",
    "xml": '<?xml version="1.0"?>\n<a k="é"><b/>text<!-- no --><c>x</c></a>\n',
}  # fmt: skip


def whole(number: int) -> tuple[int, ...]:
    return tuple(range(number))


def without(data: bytes, file: str, *gone: bytes) -> bytes:
    """The input without the units, with all in them, of which these are the text."""
    units = syntax(data, file)
    dropped: set[int] = set()
    for text in gone:
        found = [unit for unit in range(len(units)) if alone(data, file, unit).strip() == text]
        assert found, f"{text!r} is no unit"
        dropped.add(found[0])
    kept: list[int] = []
    for unit in range(len(units)):
        around = units.parent(unit)
        if unit not in dropped and (around is None or around in kept):
            kept.append(unit)
    return units.render(tuple(kept))


def alone(data: bytes, file: str, unit: int) -> bytes:
    """A unit and what is in it, without what is around it."""
    units = syntax(data, file)
    inside = {unit}
    for other in range(unit + 1, len(units)):
        if units.parent(other) in inside:
            inside.add(other)
    return units.render(tuple(sorted(inside)))


# --- nothing is lost ------------------------------------------------------------------------------


def must_be_sound(data: bytes, suffix: str) -> None:
    units = syntax(data, f"x.{suffix}")
    assert units.render(whole(len(units))) == data
    assert units.render(()) == b""
    for unit in range(len(units)):
        around = units.parent(unit)
        assert around is None or around < unit
        rest = iter(data)
        assert all(byte in rest for byte in alone(data, f"x.{suffix}", unit) if byte != 0x20), (
            "bytes of the input, in its order"
        )


def test_every_grammar_has_a_sample() -> None:
    covered = {grammars._BY_SUFFIX[suffix] for suffix in SAMPLES}
    assert covered == set(grammars._BY_SUFFIX.values())


@pytest.mark.parametrize("suffix", SAMPLES)
def test_samples_come_back_whole(suffix: str) -> None:
    text = SAMPLES[suffix]
    for variant in (
        text,
        text.replace("\n", "\r\n"),
        "\ufeff" + text,
        text[: len(text) // 2],
        text[len(text) // 3 :],
        text.replace("é", "\U0001f600"),
        "\n\n" + text + "  ",
    ):
        must_be_sound(variant.encode(), suffix)
    must_be_sound(text.encode("latin-1"), suffix)
    units = syntax(text.encode(), f"x.{suffix}")
    assert len(units) > 6, "it was understood"


@pytest.mark.parametrize("data", [b"", b" ", b"\n\n", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b")("])
def test_inputs_without_a_tree(data: bytes) -> None:
    for suffix in SAMPLES:
        must_be_sound(data, suffix)
    assert len(syntax(b"", "x.c")) == 0


NOISE = st.text("{}()[];,:=+<>\"'`#/*\n\r\t if1é$@\\\0", max_size=12)


@pytest.mark.parametrize("suffix", SAMPLES)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_broken_inputs_come_back_whole(suffix: str, data: st.DataObject) -> None:
    text = SAMPLES[suffix]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 30)))
    must_be_sound((text[:start] + data.draw(NOISE) + text[end:]).encode(), suffix)


def test_depth_is_no_limit() -> None:
    data = b"int x = " + b"(" * 3000 + b"1" + b")" * 3000 + b";\n"
    units = syntax(data, "x.c")
    assert units.render(whole(len(units))) == data


def test_units_travel_to_other_processes() -> None:
    units = syntax(b"int a, b;\n", "x.c")
    other = pickle.loads(pickle.dumps(units))
    assert other.render((0, 1, 3)) == units.render((0, 1, 3))


# --- what goes together ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "data", "gone", "left"),
    [
        # One of several, with its comma.
        ("x.c", "f(a, b, c);", ["a"], "f( b, c);"),
        ("x.c", "f(a, b, c);", ["b"], "f(a, c);"),
        ("x.c", "f(a, b, c);", ["b", "c"], "f(a);"),
        ("x.c", "int a = 1, b;", ["a = 1"], "int b;"),
        ("x.js", "f(a, /* of b */ b, c);", ["b"], "f(a /* of b */, c);"),
        ("x.js", "f(a, /* of b */ b, c);", ["/* of b */"], "f(a, b, c);"),
        # What stood before the first of them stays.
        ("x.py", "from m import a, b, c\n", ["a"], "from m import b, c\n"),
        ("x.py", "from m import a, b, c\n", ["a", "b"], "from m import c\n"),
        # A comma behind the last goes when none is left.
        ("x.js", "x = [a, b,];", ["b"], "x = [a,];"),
        ("x.js", "x = [a, b,];", ["a", "b"], "x = [];"),
        # Signs go with either side; a chain is one level.
        ("x.c", "x = a + b - c;", ["a"], "x = b - c;"),
        ("x.c", "x = a + b - c;", ["b"], "x = a - c;"),
        ("x.c", "x = a + b - c;", ["a", "b"], "x = c;"),
        ("x.c", "int x = 3;", ["3"], "int x;"),
        ("x.rs", "fn f() -> u8 { 1 }", ["u8"], "fn f() { 1 }"),
        # The frame of a statement, alone: what is in it takes its place.
        ("x.c", "int m() { if (x) f(); }", ["if", "(x)"], "int m() { f(); }"),
        ("x.c", "x = f(a);", ["f", "()"], "x =a;"),
        ("x.html", "<p>a <b>c</b></p>", ["<b></b>"], "<p>a c</p>"),
        # Semicolons of a loop's head stay.
        ("x.c", "int m() { for (int i = 0; i < 3; i++) f(); }", ["i < 3"],
         "int m() { for (int i = 0;; i++) f(); }"),
        ("x.java", "class A { void m() { for (i = 0; i < 3; i++) f(); } }", ["i++"],
         "class A { void m() { for (i = 0; i < 3;) f(); } }"),
        # Words do not grow together.
        ("x.c", "int m() { return a+b; }", ["a"], "int m() { return b; }"),
        # Lines of a block.
        ("x.py", "def f():\n    a()\n    b()\n", ["a()"], "def f():\n    b()\n"),
        # Errors are cut like all else.
        ("x.c", "int a; ) ] int b; @ int c;", ["int b;"], "int a; ) ] @ int c;"),
    ],
)  # fmt: skip
def test_what_is_left(file: str, data: str, gone: list[str], left: str) -> None:
    assert without(data.encode(), file, *map(str.encode, gone)).decode() == left


def test_a_tree_of_known_shape() -> None:
    units = syntax(b"int f(int a) { return a; }\n", "x.c")
    shape = [(units.parent(unit), alone(b"int f(int a) { return a; }\n", "x.c", unit).decode())
             for unit in range(len(units))]  # fmt: skip
    assert shape == [
        (None, "int"),
        (None, " f(int a)"),
        (None, " { return a; }"),
        (1, " f"),
        (1, "(int a)"),
        (4, "()"),
        (4, "int a"),
        (6, "int"),
        (6, " a"),
        (2, " { }"),
        (2, " return a;"),
        (10, " return;"),
        (10, " a"),
        (None, "\n"),
    ]


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "words"),
    [("x.for", "its suffix is .for"), ("x", "it has no suffix"), ("x.", "it has no suffix")],
)
def test_a_suffix_without_grammar(file: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as raised:
        levels("syntax", b"", file)
    assert raised.value.slug == "no-grammar"
    assert ".rs" in raised.value.hint


@pytest.mark.parametrize("package", ["tree_sitter", "tree_sitter_go"])
def test_a_package_that_is_not_installed(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    grammars._parser.cache_clear()
    with pytest.raises(UsageError, match=f"{package.replace('_', '-')},") as raised:
        levels("lines,syntax", b"package m\n", "x.go")
    assert raised.value.slug == "no-grammar"
    assert "pip install tree-sitter tree-sitter-go" in raised.value.hint
    assert "'stripe-trace[syntax]'" in raised.value.hint


@pytest.mark.parametrize(
    ("file", "data", "first", "otherwise"),
    [
        ("x.js", b"f();", "syntax", "braces"),
        ("x.rs", b"fn f() {}", "syntax", "braces"),
        ("x.html", b"<p>", "syntax", "markup"),
        ("x.c", b"int x;", "syntax", "braces"),
        ("x.java", b"int x;", "braces", "braces"),
        ("x.js", b"f();\0\n", "lines", "lines"),
    ],
)
def test_auto_uses_what_is_installed(
    file: str, data: bytes, first: str, otherwise: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    grammars._parser.cache_clear()
    assert levels("auto", data, file)[0] == first
    monkeypatch.setitem(sys.modules, "tree_sitter", None)
    grammars._parser.cache_clear()
    assert levels("auto", data, file)[0] == otherwise


def test_a_grammar_of_another_time(monkeypatch: pytest.MonkeyPatch) -> None:
    class Language:
        def __init__(self, grammar: object) -> None:
            raise ValueError("Incompatible Language version 99")

    monkeypatch.setattr(tree_sitter, "Language", Language)
    monkeypatch.setitem(sys.modules, "tree_sitter_go", SimpleNamespace(language=object))
    grammars._parser.cache_clear()
    with pytest.raises(UsageError, match="version 99") as raised:
        levels("syntax", b"", "x.go")
    assert raised.value.slug == "no-grammar"
    assert "--upgrade" in raised.value.hint


@pytest.mark.parametrize("data", [b"int a; // caf\xe9\n", b"int a;\0\n"])
def test_what_is_no_text(data: bytes) -> None:
    with pytest.raises(UsageError) as raised:
        levels("syntax,tokens", data, "x.c")
    assert raised.value.slug == "not-text"
    assert len(cut(data, "syntax", "x.c")) > 1, "what a search arrives at is cut all the same"


def test_no_differences_between_trees() -> None:
    with pytest.raises(UsageError) as raised:
        flat(["syntax"], Plan(mode="diff", units="syntax"))
    assert raised.value.slug == "no-trees"
