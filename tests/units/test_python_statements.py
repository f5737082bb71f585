"""The statements of a Python program, as units that lie within each other."""

from __future__ import annotations

import ast
import random
import textwrap
from pathlib import Path

import pytest

from stripe.units.python_statements import statements
from stripe.units.python_text import compiles

PROGRAM = b"""# a comment
import os, sys; import re

@decorated
class A:
    '''A text
of two lines.'''
    x = 1

    def f(self):
        if self.x: return 1
        elif self.y:
            pass
        elif self.z:
            return 2
        else:
            return 3

    async def g(self):
        async with self.h as i, self.j:
            pass
        for k in i:
            continue
        else: l()
        try:
            m()
        except (B,
                C):
            n()
        finally:
            o()
# behind it

match p:
    case [q, *r] if r:
        s()
    case _:
        t()
"""


def test_all_of_them_are_the_program() -> None:
    units = statements(PROGRAM)
    assert units.render(tuple(range(len(units)))) == PROGRAM
    assert units.render(()) == b""
    assert sum(map(units.weight, range(len(units)))) == len(PROGRAM)


def test_a_block_of_which_nothing_is_left_is_a_pass() -> None:
    source = b"def f(a):\n    # why\n    return a\n\nf(1)\n"
    units = statements(source)
    assert [units.parent(unit) for unit in range(len(units))] == [None, 0, None]
    assert units.render((0,)) == b"def f(a):\n    # why\n    pass\n"


@pytest.mark.parametrize(
    ("program", "without", "left"),
    [
        ("if a:\n    b\nelse:\n    c\n", {1}, "if a:\n    pass\nelse:\n    c\n"),
        ("if a:\n    b\nelse:\n    c\n", {3}, "if a:\n    b\nelse:\n    pass\n"),
        ("if a:\n    b\nelse:\n    c\n", {2, 3}, "if a:\n    b\n"),
        ("if a:\n    b\nelif c:\n    d\nelse:\n    e\n", {2, 3}, "if a:\n    b\nelse:\n    e\n"),
        ("@a\n@b\ndef f():\n    c\nd\n", {0, 1}, "d\n"),
        ("try:\n    a\nexcept b:\n    c\n", {1, 3}, "try:\n    pass\nexcept b:\n    pass\n"),
        ("a = 1; b = 2\nc\n", {0}, "c\n"),
        ("match a:\n    case 1:\n        b\n    case 2:\n        c\n", {1, 2},
         "match a:\n    case 2:\n        c\n"),
    ],
)  # fmt: skip
def test_what_goes(program: str, without: set[int], left: str) -> None:
    units = statements(program.encode())
    assert units.render(tuple(u for u in range(len(units)) if u not in without)).decode() == left


@pytest.mark.parametrize("source", [PROGRAM, Path(textwrap.__file__).read_bytes(),
                                    Path(ast.__file__).read_bytes()])  # fmt: skip
def test_most_of_what_is_left_is_a_program(source: bytes) -> None:
    units = statements(source)
    assert units.render(tuple(range(len(units)))) == source
    dice = random.Random(1)
    valid = 0
    for _ in range(20):
        gone: set[int] = set()
        for unit in range(len(units)):
            if units.parent(unit) in gone or dice.random() < 0.02:
                gone.add(unit)
        valid += compiles(units.render(tuple(u for u in range(len(units)) if u not in gone)))
    assert valid >= 10  # a try needs one of its clauses
