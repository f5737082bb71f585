"""Long columns are in files, and say the same there."""

from __future__ import annotations

import os
from array import array
from pathlib import Path

import pytest

from stripe.trace import columns
from stripe.trace.columns import Column, filled, leave, narrowed, walk


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten numbers are a long column."""
    monkeypatch.setattr(columns, "LONG", 10)
    monkeypatch.setattr(columns, "PART", 7)


def spilled(numbers: range, kind: str = "i") -> Column:
    """A column, all but the last three of it in a file."""
    column = Column(array(kind))
    for number in numbers[:-3]:
        column.tail.append(number)
        column.spill()
    column.tail.extend(numbers[-3:])
    return column


def test_a_column_is_read_while_it_grows_and_after() -> None:
    column = spilled(range(30))
    assert (len(column), column.first) == (30, 27)
    assert [column[place] for place in range(30)] == list(range(30))
    column.tail.append(30)
    found = column.done()
    assert isinstance(found, memoryview)
    assert list(found) == list(walk(found)) == list(range(31))
    leave(found)
    assert found[29] == 29


def test_what_was_never_spilled_stays_as_it_is() -> None:
    tail = array("i", [1, 2])
    assert Column(tail).done() is tail


def test_a_column_may_stay_empty() -> None:
    column = Column(array("i"))
    column.spill()
    assert len(column.done()) == 0


@pytest.mark.parametrize(("last", "each"), [(255, 1), (256, 2), (65_536, 4)])
def test_small_numbers_take_less_room_in_a_file(last: int, each: int) -> None:
    found = narrowed(spilled(range(last - 20, last + 1)).done())
    assert list(found) == list(range(last - 20, last + 1))
    assert (found.itemsize, isinstance(found, memoryview)) == (each, True)


@pytest.mark.parametrize("size", [9, 10, 25])
def test_others_can_be_put_in_a_filled_column(size: int) -> None:
    found = filled(-1, size)
    assert isinstance(found, memoryview) == (size >= 10)
    found[3] = 5
    leave(found)
    assert list(found) == [-1, -1, -1, 5, *[-1] * (size - 4)]


def test_no_file_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = set(os.listdir("/proc/self/fd"))
    found = spilled(range(20)).done()
    assert list(tmp_path.iterdir()) == []
    assert len(found) == 20
    del found
    assert set(os.listdir("/proc/self/fd")) <= before
