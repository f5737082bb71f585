"""Values made smaller: each step has less length, or less value, and the least is found."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stripe.units.kinds import KINDS
from tests.units.passes import least


def is_date(text: bytes) -> bool:
    try:
        return date.fromisoformat(text.decode()).year > 7
    except ValueError:
        return False


@pytest.mark.parametrize(
    ("text", "fails", "left"),
    [
        (b"x = 123456789;", lambda text: b"=" in text, b"x = 0;"),
        (b"x = 123456789;", lambda text: b"12" in text, b"x = 12;"),
        (b"x = 978;", lambda text: int(text[4:-1]) > 500, b"x = 501;"),
        (b"x = 1005;", lambda text: int(text[4:-1]) > 0, b"x = 1;"),
        (b"-7, 1.50, 007, v12", lambda text: True, b"-0, 0.0, 0, v12"),
        (b"2024-11-30", is_date, b"0008-01-01"),
        (b"10:45", lambda text: len(text) == 5 and text > b"07", b"07:00"),
        (b"2 + 10", lambda text: eval(text) >= 9, b"0 + 9"),
        ("é 9".encode(), lambda text: text[3:] != b"0", "é 1".encode()),
        (b"1" * 5000, lambda text: len(text) >= 3, b"000"),
    ],
)
def test_numbers(text: bytes, fails: Callable[[bytes], bool], left: bytes) -> None:
    assert least(text, "numbers", fails) == left


@pytest.mark.parametrize(
    ("data", "fails", "left"),
    [
        (b"\x89PNG\0\xff", lambda data: data[0] > 64, b"\x41\0\0\0\0\0"),
        (b"\xc8\x0a\xff", lambda data: data[0] > 77 and data[2] > data[0], b"\x4e\0\x4f"),
        (b"abc", lambda data: data == b"abc", b"abc"),
        (b"", lambda data: True, b""),
    ],
)
def test_bytes(data: bytes, fails: Callable[[bytes], bool], left: bytes) -> None:
    assert least(data, "values", fails) == left


@settings(max_examples=60)
@given(
    data=st.lists(st.sampled_from([b"0", b"1", b"10", b"200", b"x", b" ", b"-", b"\xff"])),
    kind=st.sampled_from([name for name, kind in KINDS.items() if kind.lowers]),
    keep=st.randoms(use_true_random=False),
)
def test_whatever_is_left_out_it_only_gets_smaller(
    data: list[bytes], kind: str, keep: random.Random
) -> None:
    content = b"".join(data)
    passes = KINDS[kind].passes
    assert passes is not None
    steps = passes(content)
    step = next(steps, None)
    while step is not None:
        units = step.units
        assert units.render(tuple(range(len(units)))) == content
        kept: list[int] = []
        for unit in range(len(units)):
            if keep.random() < 0.5 and units.parent(unit) in (None, *kept):
                kept.append(unit)
        smaller = units.render(tuple(kept))
        assert (len(smaller), smaller) <= (len(content), content)
        content = smaller
        try:
            step = steps.send(content)
        except StopIteration:
            step = None
