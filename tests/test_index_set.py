"""Ascending numbers in little room: what a tuple would do, in less."""

from __future__ import annotations

import pickle
import tracemalloc
from array import array
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stripe.dd import ALGORITHMS, Configuration, Tester
from stripe.index_set import (
    BLOCK,
    FEWEST,
    IndexSet,
    as_array,
    common,
    differing,
    flagged,
    known_flags,
    like,
    packed,
    without,
    without_one,
)
from stripe.intervals import ends
from stripe.trace.model import flags

WHOLE = tuple(range(3 * FEWEST))
SPARSE = WHOLE[::2]
GAPPED = WHOLE[: FEWEST + 7] + WHOLE[FEWEST + 9 :]


@pytest.mark.parametrize("numbers", [WHOLE, SPARSE, GAPPED], ids=["whole", "sparse", "gapped"])
class TestOfMany:
    def test_takes_less_room(self, numbers: tuple[int, ...]) -> None:
        assert isinstance(packed(numbers), IndexSet)

    def test_is_equal_to_the_tuple(self, numbers: tuple[int, ...]) -> None:
        assert packed(numbers) == numbers
        assert numbers == packed(numbers)
        assert packed(numbers) != numbers[:-1]

    def test_however_it_came_about_it_is_the_same(self, numbers: tuple[int, ...]) -> None:
        middle = len(numbers) // 3
        pieces = packed(numbers[:middle]) + packed(numbers[middle:])
        assert {packed(numbers), packed(array("i", numbers)), packed(iter(numbers)), pieces} == {
            packed(numbers)
        }

    def test_its_parts_are_those_of_the_tuple(self, numbers: tuple[int, ...]) -> None:
        draw, inside = Random(1), packed(numbers)
        for _ in range(50):
            start, stop = sorted(draw.choices(range(-10, len(numbers) + 10), k=2))
            assert inside[start:stop] == numbers[start:stop]
            assert inside[:start] + inside[stop:] == numbers[:start] + numbers[stop:]
        assert inside[::-3] == numbers[::-3]
        assert (inside[0], inside[-1]) == (numbers[0], numbers[-1])

    def test_parts_of_equal_ones_are_found_again(self, numbers: tuple[int, ...]) -> None:
        inside = packed(numbers)
        for stop in (FEWEST - 1, FEWEST, FEWEST + 1, FEWEST + 8):
            assert hash(inside[:stop]) == hash(packed(numbers[:stop]))
            assert type(inside[:stop]) is type(packed(numbers[:stop]))

    def test_what_is_joined_with_few_stays_in_order(self, numbers: tuple[int, ...]) -> None:
        assert packed(numbers)[5:] + (10**6,) == (*numbers[5:], 10**6)
        assert numbers[:5] + packed(numbers)[5:] == numbers
        assert () + packed(numbers) + () == numbers

    def test_membership_and_order(self, numbers: tuple[int, ...]) -> None:
        inside = packed(numbers)
        assert [each in inside for each in range(20)] == [each in numbers for each in range(20)]
        assert tuple(reversed(inside)) == numbers[::-1]

    def test_what_is_common(self, numbers: tuple[int, ...]) -> None:
        others = range(FEWEST, 10 * FEWEST, 3)
        expected = tuple(each for each in numbers if each in others)
        assert common(packed(numbers), others) == expected
        assert common(packed(numbers), others) == packed(expected)

    def test_what_differs_is_between_what_does_not(self, numbers: tuple[int, ...]) -> None:
        for gone in ([], [0], [70, 99], [len(numbers) - 1], range(200, 900, 7)):
            other = tuple(number for at, number in enumerate(numbers) if at not in gone)
            for one, two in ((numbers, other), (other, numbers), (numbers, numbers)):
                parts = differing(packed(one), packed(two))
                assert {*parts[0]} - {*parts[1]} == {*one} - {*two}
                assert {*parts[1]} - {*parts[0]} == {*two} - {*one}
                assert max(map(len, parts)) <= 900 + 2 * BLOCK

    def test_one_is_left_out(self, numbers: tuple[int, ...]) -> None:
        for place in (0, 1, len(numbers) // 2, len(numbers) - 1):
            expected = numbers[:place] + numbers[place + 1 :]
            assert without_one(numbers, place) == expected
            assert without_one(packed(numbers), place) == packed(expected)

    def test_it_is_sent_to_other_processes_without_its_hash(self, numbers: tuple[int, ...]) -> None:
        inside = packed(numbers)
        hash(inside)
        assert pickle.loads(pickle.dumps(inside)) == numbers
        assert b"_hash" not in pickle.dumps(inside)

    def test_stretches_are_those_of_the_tuple(self, numbers: tuple[int, ...]) -> None:
        assert ends(packed(numbers)) == ends(numbers)
        assert as_array(packed(numbers)) == array("i", numbers)


def test_few_are_a_tuple() -> None:
    assert type(packed(range(FEWEST - 1))) is tuple
    assert type(packed(array("i", (1, 2)))) is tuple
    assert packed(()) == ()


def test_what_does_not_fit_is_a_tuple() -> None:
    assert type(packed(range(-1, FEWEST))) is tuple
    assert type(packed(range(2**31, 2**31 + FEWEST))) is tuple


@given(st.sets(st.integers(0, 60)), st.lists(st.integers(-1, 61)), st.sampled_from([0, FEWEST]))
def test_what_is_left_without_some(numbers: set[int], gone: list[int], more: int) -> None:
    everything = [*sorted(numbers), *range(80, 80 + more)]
    left = without(packed(everything), iter(gone))
    assert tuple(left) == tuple(each for each in everything if each not in gone)
    assert isinstance(left, IndexSet) == (len(left) >= FEWEST)


def test_some_of_a_configuration_are_of_its_kind() -> None:
    assert isinstance(like(packed(WHOLE), iter(SPARSE)), IndexSet)
    assert like(WHOLE, iter(SPARSE)) is not None
    assert type(like(WHOLE, iter(SPARSE))) is tuple


@pytest.mark.parametrize("name", ALGORITHMS)
def test_searches_ask_the_same_questions(name: str) -> None:
    wanted = {0, 17, 4000, 4001, 4099, FEWEST + 1}

    def asked(deltas: range | tuple[int, ...]) -> tuple[Configuration[int], list[int]]:
        sizes: list[int] = []

        def test(configuration: Configuration[int]) -> bool:
            sizes.append(len(configuration))
            return wanted.issubset(configuration)

        def close(configuration: Configuration[int]) -> Configuration[int]:
            """42 does not happen without 7."""
            if 7 in configuration:
                return configuration
            return like(configuration, (each for each in configuration if each != 42))

        found = ALGORITHMS[name](deltas, Tester(test, close=close))
        assert found.certified
        return found.configuration, sizes

    assert asked(range(FEWEST + 20)) == asked(tuple(range(FEWEST + 20)))


def test_a_hundred_thousand_take_four_bytes_each_at_most() -> None:
    count = 100_000
    tracemalloc.start()
    try:
        whole = packed(range(count))
        sparse = packed(range(0, 2 * count, 2))
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(whole) == len(sparse) == count
    assert taken < 4.5 * count


@given(st.lists(st.lists(st.integers(-1, 3 * FEWEST + 5), max_size=600), max_size=6))
def test_flags_that_are_remembered_are_those_of_what_is_left(groups: list[list[int]]) -> None:
    left: Configuration[int] = packed(SPARSE + (SPARSE[-1] + 1,))
    for gone in groups:
        if isinstance(left, IndexSet):
            flagged(left)
        left = without(left, gone)
        if isinstance(left, IndexSet):
            told = known_flags(left)
            assert told is not None
            assert [number for number, each in enumerate(told) if each] == list(left)
            assert ends(left) == ends(list(left))


def test_flags_are_not_remembered_longer_than_what_has_them() -> None:
    many = packed(SPARSE)
    assert isinstance(many, IndexSet)
    told = flagged(many)
    assert known_flags(many) is told
    again = packed(array("i", SPARSE))
    assert isinstance(again, IndexSet)
    assert known_flags(again) is None
    assert flagged(again) == told


def test_flags_are_not_changed_by_who_asks_for_them() -> None:
    many = packed(SPARSE)
    assert isinstance(many, IndexSet)
    before = bytes(flagged(many))
    found = flags(many, len(WHOLE))
    found[0] = 0
    assert flagged(many) == before
