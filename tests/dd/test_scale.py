"""Many deltas and many tests: memory, recursion, time."""

from __future__ import annotations

import tracemalloc
from bisect import bisect_left

import pytest

from stripe.dd import ALGORITHMS, Configuration, Outcome, ddmin, hdd, sweep
from stripe.dd.cache import Cache
from stripe.dd.published import PUBLISHED
from tests.dd.functions import FAIL, PASS, UNRESOLVED, Needs

SEARCHES = {**ALGORITHMS, **PUBLISHED}


def test_the_cache_is_exact_as_long_as_there_is_room_and_small_beyond() -> None:
    cache: Cache[int] = Cache(exact_deltas=20_000)
    tracemalloc.start()
    try:
        for first in range(2_000):  # a million deltas in all
            configuration = tuple(range(first, first + 500))
            cache.put(hash(configuration), configuration, FAIL if first % 2 else PASS)
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    # The 20,000 deltas kept take 8 bytes each, and the integers themselves; what comes on top
    # is 25 MB for 100,000 tests, whatever the number of deltas.
    assert (used - 20_000 * 8 - 2_000 * 32) / len(cache) < 250
    for first in (0, 1, 30, 31, 1_998, 1_999):
        configuration = tuple(range(first, first + 500))
        found = cache.get(hash(configuration), configuration)
        assert found is (FAIL if first % 2 else PASS)


def test_colliding_configurations_keep_their_outcomes() -> None:
    cache: Cache[int] = Cache()
    for configuration, outcome in (((-1,), PASS), ((-2,), FAIL), ((-2,), UNRESOLVED)):
        cache.put(hash(configuration), configuration, outcome)

    assert hash((-1,)) == hash((-2,))
    assert cache.get(hash((-1,)), (-1,)) is PASS
    assert cache.get(hash((-2,)), (-2,)) is UNRESOLVED
    assert len(cache) == 2


@pytest.mark.parametrize("search", [ddmin, sweep])
def test_a_million_deltas(search) -> None:
    def test(configuration: Configuration[int]) -> Outcome:
        place = bisect_left(configuration, 777_777)
        return FAIL if configuration[place : place + 1] == (777_777,) else PASS

    result = search(range(1_000_000), test)

    assert result.configuration == (777_777,)
    assert result.certified


@pytest.mark.parametrize("name", SEARCHES)
def test_thousands_of_deltas_need_no_recursion(name: str) -> None:
    needed = range(0, 3_000, 500)
    assert SEARCHES[name](range(3_000), Needs(*needed)).configuration == tuple(needed)


def test_a_deep_tree_needs_no_recursion() -> None:
    deep = 1_200
    result = hdd(range(deep), Needs(0, 1, 2), lambda delta: delta - 1 if delta else None)

    assert result.configuration == (0, 1, 2)
