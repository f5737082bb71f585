"""Deltas that can only go together: `splitting` ends as small as ddmin, with fewer tests."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from stripe.dd import Configuration, Result, Tester, ddmin, minimise, splitting
from stripe.dd.search import Search
from stripe.dd.searches.coupled_deltas import CoupledDeltas, WentTogether
from tests.dd.functions import Needs

type Search_ = Callable[..., Result[int]]

PAIRS = {")": "(", "]": "["}


def balanced(text: str) -> bool:
    opened: list[str] = []
    for character in text:
        if character in PAIRS.values():
            opened.append(character)
        elif character in PAIRS and (not opened or opened.pop() != PAIRS[character]):
            return False
    return not opened


def brackets(pairs: int, inside: str = "") -> Iterator[str]:
    """All texts of so many pairs of brackets."""
    if not pairs:
        yield inside
        return
    for first in range(pairs):
        for within in brackets(first):
            for rest in brackets(pairs - 1 - first):
                yield f"({within}){rest}"


def reduced(search: Search_, text: str, interesting: Callable[[str], bool]) -> tuple[str, int]:
    def part(configuration: Configuration[int]) -> str:
        return "".join(text[place] for place in configuration)

    result = search(range(len(text)), lambda configuration: interesting(part(configuration)))
    assert result.certified
    return part(result.configuration), result.statistics.tests


@pytest.mark.parametrize("left", ["xxx", "xxxxxxxx", "abcdefghijkl", "x" * 40])
def test_what_is_symmetric(left: str) -> None:
    def symmetric(text: str) -> bool:
        return text.count("o") == 1 and text == text[::-1]

    text = left + "o" + left[::-1]
    answer, tests = reduced(splitting, text, symmetric)
    assert answer == reduced(ddmin, text, symmetric)[0] == "o"
    assert tests < reduced(ddmin, text, symmetric)[1]


@pytest.mark.parametrize("pairs", range(1, 6))
def test_brackets(pairs: int) -> None:
    tests = those_of_ddmin = 0
    for text in brackets(pairs):
        ours = reduced(splitting, text, lambda text: text != "" and balanced(text))
        theirs = reduced(ddmin, text, lambda text: text != "" and balanced(text))
        assert len(ours[0]) <= len(theirs[0])
        tests += ours[1]
        those_of_ddmin += theirs[1]
    assert tests <= those_of_ddmin


def test_brackets_around_what_is_needed() -> None:
    def interesting(text: str) -> bool:
        return "x" in text and balanced(text)

    tests = those_of_ddmin = small = 0
    for seed in range(20):
        source = random.Random(seed)
        text = nested(source, 40)
        place = source.randrange(len(text))
        text = text[:place] + "x" + text[place:]
        answer, ours = reduced(splitting, text, interesting)
        small += answer == "x"
        tests += ours
        those_of_ddmin += reduced(ddmin, text, interesting)[1]
    assert small >= 17
    assert tests < those_of_ddmin


def nested(source: random.Random, pairs: int) -> str:
    if not pairs:
        return ""
    within = source.randrange(pairs)
    opening, closing = source.choice([("(", ")"), ("[", "]")])
    return opening + nested(source, within) + closing + nested(source, pairs - 1 - within)


def test_where_deltas_go_there_is_no_doubt() -> None:
    def left_out(search: Search[int]) -> None:
        doubting = CoupledDeltas(search)
        for delta in range(99, 9, -1):
            assert doubting.fails(tuple(range(delta)))
        doubting.conclude()

    test = Needs(*range(9))
    minimise(range(100), test, left_out, check=False, certify=False)
    assert len(test.seen) == 90


def test_doubts_get_rarer() -> None:
    def in_vain(search: Search[int]) -> None:
        doubting = CoupledDeltas(search)
        for delta in range(100):
            doubting.fails(tuple(other for other in range(100) if other != delta))

    test = Needs(*range(100))
    minimise(range(100), test, in_vain, check=False, certify=False)
    # After 6, 12, 24, 48 and 96 tests: the mirror image and the two neighbours.
    assert len(test.seen) == 100 + 5 * 3


def test_evidence_is_kept() -> None:
    def strategy(search: Search[int]) -> None:
        doubting = CoupledDeltas(search)
        with pytest.raises(WentTogether):
            any(doubting.fails(tuple(set(range(16)) - {delta})) for delta in range(5, 16))
        assert len(search.current) == 14

    def even(configuration: Configuration[int]) -> bool:
        return len(configuration) % 2 == 0 and {0, 7} <= set(configuration)

    result = minimise(range(16), Tester(even), strategy)
    assert result.certified
