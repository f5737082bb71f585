"""Every way to cut an input gives it back when nothing is left out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stripe.errors import UsageError
from stripe.units.kinds import KINDS, cut, levels

C = b"""#include <stdio.h>
struct pair { int a; int b; };
int main(void)
{
    for (int i = 0; i < 3; i++) { printf("};"); }
    return 0; /* { */
}
"""


def alone(data: bytes, kind: str) -> list[bytes]:
    """What each unit without a parent looks like, with all that is in it."""
    units = cut(data, kind)

    def root(unit: int) -> int:
        around = units.parent(unit)
        return unit if around is None else root(around)

    every = range(len(units))
    tops = [unit for unit in every if units.parent(unit) is None]
    return [units.render(tuple(u for u in every if root(u) == top)) for top in tops]


def without(data: bytes, kind: str, *gone: int) -> bytes:
    """The input without units, which must have none in them."""
    units = cut(data, kind)
    assert not any(units.parent(unit) in gone for unit in range(len(units)))
    return units.render(tuple(unit for unit in range(len(units)) if unit not in gone))


GRAMMAR = st.lists(
    st.sampled_from(
        [
            b"{",
            b"}",
            b"(",
            b")",
            b";",
            b",",
            b'"',
            b"'",
            b"\\",
            b"<a>",
            b"</a>",
            b"<",
            b"/",
            b"//",
            b"/*",
            b"#x\n",
            b"\n",
            b"    ",
            b"\t",
            b"-o",
            b"a",
            b" ",
            b"[",
            b"]",
            b":",
            b"\r\n",
            b"\x00",
            b"\xff",
            "é€".encode(),
        ]
    )
).map(b"".join)


@pytest.mark.parametrize("kind", [name for name, kind in KINDS.items() if kind.cut])
@settings(max_examples=40)
@given(data=st.one_of(GRAMMAR, st.binary(max_size=60)))
def test_all_units_together_are_the_input(kind: str, data: bytes) -> None:
    units = cut(data, kind)
    assert units.render(tuple(range(len(units)))) == data
    assert units.render(()) == b""
    for unit in range(len(units)):
        around = units.parent(unit)
        assert around is None or around < unit


@settings(max_examples=40)
@given(
    value=st.recursive(
        st.none() | st.integers() | st.text(max_size=4),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=12,
    ),
    indent=st.sampled_from([None, 2]),
)
def test_json_stays_json_whatever_is_left_out(value: object, indent: int | None) -> None:
    data = json.dumps(value, indent=indent).encode()
    units = cut(data, "json")
    assert units.render(tuple(range(len(units)))) == data
    for gone in range(1, len(units)):
        kept: list[int] = []
        for unit in range(len(units)):
            around = units.parent(unit)
            if unit != gone and (around is None or around in kept):
                kept.append(unit)
        json.loads(units.render(tuple(kept)))


def test_braces_keep_functions_and_statements_whole() -> None:
    assert alone(C, "braces") == [
        b"#include <stdio.h>\n",
        b"struct pair { int a; int b; }",
        b";",
        b"\nint main(void)\n{" + C.partition(b"(void)\n{")[2].rstrip(b"\n"),
        b"\n",
    ]
    assert without(b"f() { a; b(';'); c; }", "braces", 1) == b"f() { b(';'); c; }"
    assert without(b"for (;;) { a; }", "braces", 1) == b"for (;;) { }"


def test_indented_lines_go_with_the_line_above_them() -> None:
    data = b"def f():\n    x\n\n    y\nz\n"
    assert alone(data, "indent") == [b"def f():\n    x\n\n    y\n", b"z\n"]


def test_elements_go_with_their_end_tags() -> None:
    data = b"<ul><li>one<br>two<li><b>three</b></ul>"
    assert alone(b"a" + data + b"<p>x</p></q>", "markup") == [b"a", data, b"<p>x</p>", b"</q>"]
    assert alone(b"<script>if (a<b) </p></script>", "markup") == [b"<script>if (a<b) </p></script>"]


def test_a_comma_goes_with_either_neighbour() -> None:
    assert without(b'{"a": 1, "b": 2, "c": 3}', "json", 1) == b'{ "b": 2, "c": 3}'
    assert without(b'{"a": 1, "b": 2, "c": 3}', "json", 3) == b'{"a": 1, "b": 2}'
    assert without(b'1,"x,\ny",3\n4\n', "csv", 1) == b'"x,\ny",3\n4\n'
    assert without(b'1,"x,\ny",3\n4\n', "csv", 2) == b"1,3\n4\n"


@pytest.mark.parametrize(
    ("file", "data", "expected"),
    [
        ("a.java", C, ["braces", "lines", "tokens", "lengths", "chars", "numbers"]),
        ("a.py", b"x\n", ["python", "numbers"]),
        ("a.py", b"x(\n", ["indent", "lines", "tokens", "lengths", "chars", "numbers"]),
        ("a", b"<html>", ["markup", "lines", "tokens", "lengths", "chars", "numbers"]),
        ("a", b'[{"a": 1}]', ["json", "lines", "tokens", "lengths", "chars", "numbers"]),
        ("a.json", b"[1,", ["lines", "tokens", "lengths", "chars", "numbers"]),
        ("a.csv", b"1,2\n", ["lines", "csv", "lengths", "chars", "numbers"]),
        ("a.txt", b"words\n", ["lines", "tokens", "lengths", "chars", "numbers"]),
        ("a.c", b"\0\n", ["lines", "lengths", "bytes", "values"]),
        ("a", b"\xff\xfe", ["lengths", "bytes", "values"]),
        # A character cut in two by the end of the sample is no reason to think it binary.
        ("a", b"x" * 65535 + "é".encode(), ["lines", "tokens", "lengths", "chars", "numbers"]),
    ],
)
def test_auto_goes_by_name_and_content(file: str, data: bytes, expected: list[str]) -> None:
    assert levels("auto", data, file) == expected


@pytest.mark.parametrize(("units", "slug"), [("line", "unknown-units"), ("json", "not-json")])
def test_units_the_input_does_not_have(units: str, slug: str) -> None:
    with pytest.raises(UsageError) as raised:
        levels(units, b"{", "x")
    assert raised.value.slug == slug
