"""What searches name to be tested ahead, by jobs that have nothing to do."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import pytest

from stripe.dd import ALGORITHMS, Configuration, Tester, ddmin
from stripe.dd.published import PUBLISHED
from tests.dd.functions import FAIL, Needs

SEARCHES = {**ALGORITHMS, **PUBLISHED}


class AtOnce(Executor):
    """Runs what is submitted at once, so that what is run does not depend on chance."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(function(*args, **kwargs))
        return future


def wasted(name: str, test: Any, count: int) -> int:
    """Tests that were run ahead and never asked for."""
    tester = Tester[int](test, jobs=4, executor=AtOnce())
    return SEARCHES[name](range(count), tester).statistics.speculated


@pytest.mark.parametrize(
    ("name", "counts"),
    {
        "splitting": (16, 22),
        "sweep": (24, 27),
        "sweep-forwards": (24, 30),
        "ddmin": (8, 19),
        "dd": (14, 25),
        "dd+": (7, 6),
        "ddmin-textbook": (19, 15),
        "ddmin-complements": (33, 35),
        "dd1999": (7, 6),
        "probdd": (24, 24),
        "cdd": (22, 28),
    }.items(),
)
def test_what_is_run_in_vain(name: str, counts: tuple[int, int]) -> None:
    assert wasted(name, Needs(3, 40), 64) == counts[0]
    assert wasted(name, Needs(7, 8, 9, 50), 64) == counts[1]


def test_the_halves_come_first() -> None:
    seen = Needs(0)
    ddmin(range(6), Tester(seen, jobs=4, executor=AtOnce()))
    assert seen.seen[:4] == [tuple(range(6)), (), (0, 1, 2), (3, 4, 5)]


def test_a_test_that_has_ended_is_not_cancelled() -> None:
    cancelled: list[Configuration[int]] = []
    tester = Tester[int](Needs(1), jobs=2, executor=AtOnce(), cancel=cancelled.append)
    assert tester.test((1,), [(1, 2)]) is FAIL
    tester.cancel_ahead()
    assert tester.test((1, 3), [(1, 4)]) is FAIL
    tester.cancel_ahead()
    assert cancelled == []
