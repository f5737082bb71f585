"""A failing assert is what it compared, not only that it failed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from stripe.api import trace
from stripe_pytrace.agent.compiling.asserts import content

CONV = """\
def conv(text):
    count = 0
    for each in text:
        count += 1
    other = count * 2
    return count

"""


def kept(folder: Path, text: str, control: str) -> tuple[str, set[int]]:
    """What was compared, and the lines kept."""
    (folder / "prog.py").write_text(text)
    result = trace("prog.py", directory=folder, control=control, watch=False)
    assert result.slices[0].certified
    assert result.recorded is not None
    assert result.recorded.exception is not None
    found = result.slices[0].lines(result.trace)
    return result.recorded.exception.compared, {line for _, line in found}


@pytest.mark.parametrize(
    ("test", "compared"),
    [
        ("assert conv('bb') == 3, 'a message'", "2"),
        ("assert not conv('bb') != 3", "2"),
        ("assert True and conv('bb') > 2 or False", "2"),
        ("assert str(conv('bb')).startswith('3')", "2, False"),
        ("assert (n := conv('bb')) == 3", "2"),
        ("assert 1 < conv('bb') < 1", "2"),
        ("assert [conv('bb')] == [n for n in (3, 4)]", "list[2], list[3, 4]"),
    ],
)
def test_both_sides_are_needed(tmp_path: Path, test: str, compared: str) -> None:
    assert kept(tmp_path, CONV + test + "\n", "program") == (compared, {1, 2, 3, 4, 6, 8})


def test_what_a_call_was_given_is_no_operand_of_the_comparison(tmp_path: Path) -> None:
    """A test that compares what it finds in a large object needs none of the rest of it."""
    text = (
        "class Page:\n    def __init__(self):\n        self.parts = [1, 2]\n"
        "        self.title = 'no part of it'\n"
        "def parts(page):\n    return page.parts\n"
        "page = Page()\nassert 5 == len(list(parts(page)))\n"
    )
    compared, lines = kept(tmp_path, text, "trace")
    assert compared == "2"
    assert lines == {1, 2, 3, 5, 6, 7, 8}


@pytest.mark.parametrize("control", ["trace", "program"])
def test_what_was_compared_before_is_not(tmp_path: Path, control: str) -> None:
    """The slice is that of the assert that failed, in the round in which it did."""
    text = (
        "total = 0\nassert total == 0\nfor n in [1, 2, 4]:\n    total = n\n    assert total < 3\n"
    )
    compared, lines = kept(tmp_path, text, control)
    assert compared == "4"
    assert lines == {3, 4, 5}


def test_an_object_counts_by_what_it_holds(tmp_path: Path) -> None:
    text = (
        "class Point:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __repr__(self):\n        raise SystemExit\n"
        "a = Point(1)\nb = Point(2)\nb.x = 3\nassert a == b\n"
    )
    compared, lines = kept(tmp_path, text, "trace")
    assert compared == "Point(x=1), Point(x=3)"
    assert lines == {1, 2, 3, 6, 7, 8, 9}


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    assert x.y == [\n        1, 2], 'no'\n\nf(3)\n",
        "assert (1 ==\n    2)\n",
        "def deep(n):\n    assert deep(n + 1) == n\n\ndeep(0)\n",
        "import weakref\nclass C: pass\nassert weakref.ref(C())() is None\nassert not C()\n",
        "def g():\n    assert (yield 1) == 2\n\nlist(g())\n",
        "import asyncio as a\nasync def f():\n    assert await a.sleep(0, 1) == 2\na.run(f())\n",
        "try:\n    assert 0\nexcept AssertionError as e:\n    print(e.args)\n    assert e.args\n",
    ],
)
def test_the_program_does_not_notice(tmp_path: Path, text: str) -> None:
    """Its tracebacks among other things; they are compared with those of the plain run."""
    (tmp_path / "prog.py").write_text(text)
    plain = subprocess.run(
        [sys.executable, "prog.py"], cwd=tmp_path, capture_output=True, text=True
    )
    result = trace("prog.py", directory=tmp_path, max_tests=0, watch=False)
    assert result.recorded is not None
    assert result.recorded.exception is not None
    assert result.recorded.exception.type in plain.stderr


class Slotted:
    __slots__ = ("a",)


def infinite() -> Iterator[int]:
    while True:
        yield 1


def test_contents() -> None:
    slotted: Any = Slotted()
    assert content(slotted) == "Slotted()"
    slotted.a = {1: {"x"}, 2: frozenset({3, 1})}
    assert content(slotted) == "Slotted(a=dict[1: set['x'], 2: frozenset[1, 3]])"
    assert content(Decimal("1.5")) == "Decimal('1.5')"
    assert content(infinite()) == "generator()"
    assert content([[[[[1]]]]]) == "list[list[list[list[list(1)]]]]"
    assert content(ValueError("a", 2)) == "ValueError(args=tuple['a', 2])"
    assert content(int) == "int"
    assert content(Path("/x")) == "PosixPath('/x')"
    assert content("x" * 5000) == repr("x" * 2000) + "+5000"
    assert content(float("nan")) == "nan"
    looped: list[Any] = []
    looped.append(looped)
    assert content(looped) == "list[list[list[list[list(1)]]]]"


CLIENT = """\
import os, time

class Client:
    def __init__(self):
        self.started = STARTED
        self.unused = 1

    def rate(self):
        return 11

def convert(client):
    return client.rate()

client = Client()
"""


@pytest.mark.parametrize(
    ("started", "test"),
    [
        ("time.time()", "convert(client) == 8"),
        ("os.getpid()", "7 < convert(client) < 9"),
        ("object()", "convert(client) in [8, 9]"),
        ("time.monotonic_ns()", "not convert(client)"),
        ("object()", "convert(client) is None"),
        ("time.time()", "convert(client) == 8, client.unused"),
    ],
)
def test_what_differs_from_run_to_run_is_no_part_of_it(tmp_path, started, test):
    text = CLIENT.replace("STARTED", started) + f"assert {test}\n"
    compared, lines = kept(tmp_path, text, "trace")
    assert "11" in compared.split(", ")
    assert {3, 8, 9, 11, 12} <= lines


def test_an_assert_about_nothing_else_is_still_its_type_and_place(tmp_path):
    compared, lines = kept(
        tmp_path, "import time\nlimit = 0\nassert time.time() < limit\n", "trace"
    )
    assert compared == "0"
    assert lines == {1, 2, 3}
