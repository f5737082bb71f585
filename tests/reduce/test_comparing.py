"""What two sequences have in common, soon enough."""

from __future__ import annotations

import random
from difflib import SequenceMatcher

from stripe.reduce.alignment import align
from stripe.reduce.common_parts import MOST_PAIRS, opcodes
from stripe.reduce.verify import changed_lines
from stripe.trace import SourceFile
from tests.support.results import trace_of
from tests.support.steps import limited


def test_it_is_what_difflib_says() -> None:
    random_ = random.Random(5)
    for _ in range(200):
        one, two = ([random_.randrange(4) for _ in range(random_.randrange(12))] for _ in "ab")
        assert opcodes(one, two) == SequenceMatcher(None, one, two, autojunk=False).get_opcodes()


def test_of_too_much_that_is_equal_only_the_ends_are_found() -> None:
    size = int(MOST_PAIRS**0.5) + 10
    one = ["head", "x", *["", "a"] * size, "y", "tail"]
    two = ["head", *["", "b"] * size, "tail"]
    with limited():
        assert opcodes(one, two) == [
            ("equal", 0, 1, 0, 1),
            ("replace", 1, len(one) - 1, 1, len(two) - 1),
            ("equal", len(one) - 1, len(one), len(two) - 1, len(two)),
        ]
        assert changed_lines(one, two) == len(one) - 2


def test_a_file_that_is_listed_many_times() -> None:
    lines = "a = 1\n" * 300
    one, two = trace_of([1], lines), trace_of([1], lines)
    one.files = [*one.files, *[SourceFile("prog.py", "")] * 30_000]
    with limited():
        assert align(one, two).events == {0: 0}
