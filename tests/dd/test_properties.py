"""Every search against a brute-force oracle, on random test functions of up to 12 deltas."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stripe.dd import (
    ALGORITHMS,
    Budget,
    Configuration,
    Outcome,
    Result,
    Tester,
    certify,
    dd,
    ddmax,
    ddmin,
    hdd,
    minimise,
    sweep_strategy,
)
from stripe.dd.published import PUBLISHED, cdd, ddmin_complements, ddmin_textbook, probdd
from tests.dd.functions import FAIL, PASS, UNRESOLVED, Needs, Table


@st.composite
def arbitrary(draw: st.DrawFn) -> Table:
    """Any outcomes at all, with any share of unresolved and failing ones."""
    count = draw(st.integers(1, 12))
    weights = [draw(st.integers(0, 4)), draw(st.integers(0, 4)), draw(st.integers(0, 4))]
    source = random.Random(draw(st.integers(0, 2**32)))
    if not any(weights):
        weights = [1, 1, 1]
    outcomes = source.choices([PASS, FAIL, UNRESOLVED], weights, k=2**count)
    outcomes[0], outcomes[-1] = PASS, FAIL
    return Table(outcomes)


@st.composite
def monotone(draw: st.DrawFn) -> Table:
    """What contains one of a few sets fails; everything else passes."""
    count = draw(st.integers(1, 12))
    causes = draw(st.lists(st.integers(1, 2**count - 1), min_size=1, max_size=4))
    failing = [any(bits & cause == cause for cause in causes) for bits in range(2**count)]
    return Table([FAIL if fails else PASS for fails in failing])


SEARCHES = {**ALGORITHMS, **PUBLISHED}
SOME = settings(deadline=None, max_examples=50)
FUNCTIONS = arbitrary() | monotone()


@st.composite
def forests(draw: st.DrawFn, count: int) -> list[int | None]:
    """A parent for each delta, before or after it, without circles."""
    order = draw(st.permutations(range(count)))
    return [
        None
        if order[delta] == 0
        else draw(st.sampled_from([None, *(p for p in range(count) if order[p] < order[delta])]))
        for delta in range(count)
    ]


def check_one_minimal(result: Result[int], test: Table) -> None:
    answer = result.configuration
    assert test(answer) is FAIL
    assert answer == tuple(sorted(set(answer)))
    alone = {delta: test(tuple(d for d in answer if d != delta)) for delta in answer}
    assert FAIL not in alone.values()
    assert result.certificate == alone
    assert result.certified


@pytest.mark.parametrize("name", SEARCHES)
@SOME
@given(test=FUNCTIONS)
def test_every_algorithm_finds_a_one_minimal_answer(name: str, test: Table) -> None:
    check_one_minimal(SEARCHES[name](range(test.count), test), test)


@pytest.mark.parametrize("name", SEARCHES)
@SOME
@given(test=FUNCTIONS, limit=st.integers(0, 30))
def test_with_a_budget_the_answer_still_fails(name: str, test: Table, limit: int) -> None:
    result = SEARCHES[name](range(test.count), Tester(test, budget=Budget(limit)))

    assert test(result.configuration) is FAIL
    assert result.statistics.tests <= limit
    if result.certified:
        check_one_minimal(result, test)


@SOME
@given(test=FUNCTIONS)
def test_certify_alone_is_one_minimal(test: Table) -> None:
    check_one_minimal(certify(range(test.count), test), test)


@SOME
@given(test=FUNCTIONS, mode=st.sampled_from(["-", "+", "+-"]))
def test_dd_finds_a_one_minimal_difference(test: Table, mode) -> None:
    """Isolating as Why Programs Fail, A.1, defines it, in at most d² + 7d tests."""
    result = dd(range(test.count), test, mode=mode)

    passing, failing = set(result.passing), set(result.configuration)
    assert passing < failing
    assert test(result.passing) is PASS
    assert test(result.configuration) is FAIL
    assert set(result.difference) == failing - passing
    for delta in result.difference:
        if "-" in mode:
            assert test(tuple(failing - {delta})) is not FAIL
        if "+" in mode:
            assert test(tuple(passing | {delta})) is not PASS
    assert result.certified
    count = test.count
    assert result.statistics.tests <= count * count + 7 * count


@SOME
@given(count=st.integers(2, 12), source=st.randoms(use_true_random=False))
def test_dd_halves_the_difference_if_every_test_is_resolved(count: int, source) -> None:
    """Why Programs Fail, A.1: in log2 d rounds, here of two tests at most, down to a single one."""
    inner = source.choices([PASS, FAIL], [1, source.randint(1, 4)], k=2**count - 2)
    result = dd(range(count), Table([PASS, *inner, FAIL]), check=False)

    assert len(result.difference) == 1
    assert result.statistics.tests <= 2 * math.ceil(math.log2(count))


@SOME
@given(test=FUNCTIONS)
def test_ddmax_finds_a_one_maximal_passing_configuration(test: Table) -> None:
    result = ddmax(range(test.count), test)

    assert test(result.passing) is PASS
    for delta in result.difference:
        assert result.additions[delta] is test((*result.passing, delta)) is not PASS


@SOME
@given(test=FUNCTIONS)
def test_the_textbook_stays_within_its_worst_case(test: Table) -> None:
    count = test.count
    result = ddmin_textbook(range(count), Tester(test, cache=False), check=False, certify=False)
    assert result.statistics.tests <= count * count + 3 * count


@SOME
@given(test=FUNCTIONS)
def test_complements_alone_stay_within_half_of_it(test: Table) -> None:
    """The bound of ddmin in Why Programs Fail, A.1: (n² + 3n) / 2."""
    count = test.count
    result = ddmin_complements(range(count), test, check=False)
    assert result.statistics.tests <= (count * count + 3 * count) / 2


@SOME
@given(exponent=st.integers(0, 12), data=st.data())
def test_a_single_cause_takes_logarithmic_time(exponent: int, data: st.DataObject) -> None:
    count = 2**exponent
    cause = data.draw(st.integers(0, count - 1))
    result = ddmin(range(count), Needs(cause), check=False)

    assert result.configuration == (cause,)
    # The claim t <= log2 n holds if every first half fails; else both halves are tested.
    assert result.statistics.tests <= 2 * math.log2(count)


@pytest.mark.parametrize("name", [*SEARCHES, "hdd"])
@pytest.mark.parametrize("adds_parents", [True, False])
@SOME
@given(test=FUNCTIONS, data=st.data())
def test_closed_searches_end_closed_and_one_minimal(
    name: str, adds_parents: bool, test: Table, data: st.DataObject
) -> None:
    parents = data.draw(forests(test.count))

    def ancestors(delta: int) -> set[int]:
        found: set[int] = set()
        parent = parents[delta]
        while parent is not None:
            found.add(parent)
            parent = parents[parent]
        return found

    def close(configuration: Configuration[int]) -> Configuration[int]:
        kept = set(configuration)
        if adds_parents:
            return tuple(sorted(kept.union(*map(ancestors, kept))))
        return tuple(delta for delta in configuration if ancestors(delta) <= kept)

    tester = Tester(test, close=close)
    if name == "hdd":
        result = hdd(range(test.count), tester, parents.__getitem__)
    else:
        result = SEARCHES[name](range(test.count), tester)
    answer = result.configuration

    assert close(answer) == answer
    assert test(answer) is FAIL
    assert result.certified
    for delta in answer:
        without = close(tuple(other for other in answer if other != delta))
        if name == "hdd" and adds_parents:
            continue  # what goes there is a subtree, see below
        if delta in without:
            assert delta in result.required
        else:
            assert test(without) is not FAIL


@SOME
@given(test=FUNCTIONS, data=st.data(), lift=st.booleans())
def test_hdd_is_one_tree_minimal(test: Table, data: st.DataObject, lift: bool) -> None:
    parents = data.draw(forests(test.count))
    result = hdd(range(test.count), test, parents.__getitem__, lift=lift)

    answer = result.configuration
    assert test(answer) is FAIL
    assert result.certified
    for delta in answer:
        below = {delta}
        for _ in answer:
            below |= {other for other in answer if parents[other] in below}
        assert test(tuple(d for d in answer if d not in below)) is not FAIL


@SOME
@given(test=FUNCTIONS)
def test_strategies_can_be_put_one_after_the_other(test: Table) -> None:
    def strategy(search) -> None:
        sweep_strategy(search, forwards=True)
        sweep_strategy(search)

    check_one_minimal(minimise(range(test.count), test, strategy), test)


def test_unknown_modes_are_refused() -> None:
    with pytest.raises(ValueError, match="the mode must be"):
        dd(range(3), Needs(1), mode="*")  # type: ignore[arg-type]


@pytest.mark.parametrize("search", [probdd, cdd])
def test_impossible_probabilities_are_refused(search) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        search(range(3), Needs(1), probability=1)


def test_parents_in_a_circle_are_refused() -> None:
    with pytest.raises(ValueError, match="circle"):
        hdd(range(3), Needs(1), lambda delta: (delta + 1) % 3)


def test_outcomes_have_names_for_people() -> None:
    assert [outcome.value for outcome in Outcome] == ["PASS", "FAIL", "UNRESOLVED"]
