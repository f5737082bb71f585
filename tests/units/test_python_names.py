"""Fewer variables: what is tried in their place, and what is left of whole programs."""

from __future__ import annotations

import ast
import pickle

import pytest

from stripe.dd import Outcome
from stripe.inputs import reduce_program
from stripe.units.model import Units
from stripe.units.python_edits import weight
from stripe.units.python_names import Inlined, Unified, variables
from stripe.units.python_text import INVALID


def one_gone(units: Units) -> list[str]:
    """The program without each unit."""
    every = range(len(units))
    return [units.render(tuple(u for u in every if u != gone)).decode() for gone in every]


@pytest.mark.parametrize(
    ("source", "without"),
    [
        ("a = 5\nprint(a)\n", ["print(5)\n"]),
        ("a = f(1)\nprint(a)\n", ["print(f(1))\n"]),
        ("a = f(1)\nprint(a, a, a)\n", []),  # there would be more of it
        ("b = a\nprint(b, b, b)\n", ["print(a, a, a)\n"]),
        ("a = 1\nprint(a)\na = 2\nprint(a)\n", ["print(1)\na = 2\nprint(a)\n",
                                               "a = 1\nprint(a)\nprint(2)\n"]),
        ("a = 1\na = a + 1\nprint(a)\n", ["a = 1 + 1\nprint(a)\n", "a = 1\nprint(a + 1)\n"]),
        ("a = 1\na += 1\nprint(a)\n", []),
        ("a = 1\n", []),  # that can be deleted
        ("a, b = c\nprint(a)\nx = y = 1\nprint(x)\n", []),
        ("def f(b):\n    a = b\n    return a\n", ["def f(b):\n    return b\n"]),
        ("a = 1\ndef f():\n    return a\n", ["def f():\n    return 1\n"]),
        ("a = 1\ndef f(a):\n    return a\nf(a)\n", ["def f(a):\n    return a\nf(1)\n"]),
        ("x = [1]\nfor i in x:\n    print(i)\n", ["for i in [1]:\n    print(i)\n"]),
        ("if c:\n    a = 1\nprint(a)\n", ["if c:\n    pass\nprint(1)\n"]),
    ],
)  # fmt: skip
def test_values_in_the_place_of_variables(source: str, without: list[str]) -> None:
    units = Inlined(source.encode())
    assert units.render(tuple(range(len(units)))).decode() == source
    assert one_gone(units) == without
    assert all(weight(ast.parse(each)) < weight(ast.parse(source)) for each in without)


def test_values_of_values() -> None:
    units = Inlined(b"a = 5\nb = a\nc = b\nprint(c, c)\n")
    assert units.render(()) == b"print(5, 5)\n"
    assert units.render((0,)) == b"a = 5\nprint(a, a)\n"
    assert units.render((1,)) == b"b = 5\nprint(b, b)\n"


def test_what_would_be_more_together_is_no_program() -> None:
    units = Inlined(b"a = f(1, 2, 3, 4, 5)\nb = g(a)\nprint(b, b)\n")
    assert units.render((0,)) == b"a = f(1, 2, 3, 4, 5)\nprint(g(a), g(a))\n"
    assert units.render((1,)) == b"b = g(f(1, 2, 3, 4, 5))\nprint(b, b)\n"
    assert units.render(()) == INVALID


@pytest.mark.parametrize(
    ("source", "name", "without"),
    [
        ("alpha = 1\nprint(alpha)\nbeta = 2\nprint(beta)\n", "beta",
         ["beta = 1\nprint(beta)\nbeta = 2\nprint(beta)\n"]),
        ("for c in text:\n    text = c\n", "c", []),
        ("c = f(text)\ntext = 1\n", "c", []),
        ("def f(x, y):\n    return x\ndef g(line):\n    return line\ng(line=1)\n", "x",
         ["def f(x, y):\n    return x\ndef g(x):\n    return x\ng(x=1)\n"]),
        ("def f():\n    global one\n    one = 1\n    print(one)\ntwo = 2\n", "one",
         ["def f():\n    global one\n    one = 1\n    print(one)\none = 2\n"]),
    ],
)  # fmt: skip
def test_one_variable_for_two(source: str, name: str, without: list[str]) -> None:
    units = Unified(source.encode(), name)
    assert units.render(tuple(range(len(units)))).decode() == source
    assert one_gone(units) == without
    for each in without:
        assert len(variables(each.encode())) < len(variables(source.encode()))


def test_which_names_are_variables() -> None:
    source = b"""
import os, sys as system
class A:
    size = 1
    def method(self, longer, _, *rest, **more):
        try:
            x = [y for y in rest]
        except E as e:
            __hidden = 2
match x:
    case {"a": b, **c}:
        pass
"""
    assert variables(source) == ["y", "x", "rest", "more", "longer"]
    assert variables(b"".join(b"v%d = 0\n" % number for number in range(31))) == []


def test_they_can_be_sent_elsewhere() -> None:
    for units in (Inlined(b"a = 1\nprint(a)\n"), Unified(b"a = 1\nbb = 2\n", "a")):
        assert len(units) == 1
        assert pickle.loads(pickle.dumps(units)).render(()) == units.render(())


def prints(source: str) -> list[object]:
    printed: list[object] = []
    exec(source, {"print": lambda *values: printed.append(values)})
    return printed


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("a = 5\nb = a\nc = b\nprint(c, c)\n", "print(5, 5)\n"),
        ("x = 3\nfor i in range(x):\n    y = i\n    print(y)\n",
         "for i in range(3):\n    print(i)\n"),
        ("def f(x):\n    x += 1\n    return x * x\n"
         "def g(line):\n    line += 2\n    return line * line\nprint(f(3), g(3))\n",
         "def f(x):\n    x += 1\n    return x * x\ndef g(x):\n    x += 2\n    return x * x\n"
         "print(f(3), g(3))\n"),
    ],
)  # fmt: skip
def test_what_is_left(source: str, left: str) -> None:
    expected = prints(source)

    def test(source: str) -> Outcome:
        try:
            return Outcome.FAIL if prints(source) == expected else Outcome.PASS
        except Exception:
            return Outcome.UNRESOLVED

    reduced = reduce_program(source, test)
    assert (reduced.source, reduced.certified) == (left, True)
