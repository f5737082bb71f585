"""What ddmin asks, and its variants. The published runs are in test_conformance.py."""

from __future__ import annotations

import pytest

from stripe.dd import Tester, ddmin, larger_first
from stripe.dd.published import ddmin_complements, ddmin_textbook, smaller_first, steps
from tests.dd.functions import Needs


@pytest.mark.parametrize(
    ("split", "sizes"),
    [(larger_first, [3, 2, 2]), (smaller_first, [2, 2, 3]), (steps, [2, 2, 2, 1])],
)
def test_splits(split, sizes) -> None:
    pieces = split(tuple(range(7)), 3)

    assert [len(piece) for piece in pieces] == sizes
    assert sum(pieces, ()) == tuple(range(7))


def questions(search) -> list[tuple[int, ...]]:
    asked: list[tuple[int, ...]] = []
    tester = Tester(Needs(3, 7), listeners=[lambda event: asked.append(event.configuration)])
    search(range(8), tester, check=False)
    return asked


def test_after_a_complement_fails_ddmin_continues_with_the_next_piece() -> None:
    reduced = (2, 3, 4, 5, 6, 7)
    asked = questions(ddmin)
    after = asked[asked.index(reduced) :]

    assert after[:3] == [reduced, (4, 5, 6, 7), (2, 3, 6, 7)]


def test_the_textbook_restarts_with_a_new_split() -> None:
    reduced = (2, 3, 4, 5, 6, 7)
    asked = questions(ddmin_textbook)
    after = asked[asked.index(reduced) :]

    assert after[:4] == [reduced, (2, 3), (4, 5), (6, 7)]


def test_without_subsets_only_complements_are_tested() -> None:
    test = Needs(3, 7)
    ddmin_complements(range(8), test, check=False)

    assert test.seen[:4] == [(4, 5, 6, 7), (0, 1, 2, 3), (2, 3, 4, 5, 6, 7), (2, 3, 6, 7)]


@pytest.mark.parametrize("universe", [(), (5,)])
def test_tiny_universes_need_no_search(universe) -> None:
    result = ddmin(universe, Needs(*universe), check=False)

    assert result.configuration == universe
    assert result.certified
    assert result.statistics.tests == 0
