import pytest
from taxes import (
    BRACKETS,
    allowance,
    by_brackets,
    carried,
    contribution,
    deducted,
    for_couple,
    gross_for,
    indexed,
    marginal,
    year,
)


@pytest.mark.parametrize(
    ("income", "tax"),
    [
        (0, 0),
        (10_000, 0),
        (10_010, 2),
        (30_000, 4_000),
        (50_000, 12_000),
        (80_000, 24_000),
        (100_000, 33_000),
    ],
)
def test_by_brackets(income, tax):
    assert by_brackets(income) == tax


def test_other_brackets():
    assert by_brackets(300, ((100, 10), (200, 50), (None, 0))) == 60


@pytest.mark.parametrize(
    ("income", "percent"), [(0, 0), (9_999, 0), (10_000, 20), (79_999, 40), (80_000, 45), (10**9, 45)]
)
def test_marginal(income, percent):
    assert marginal(income) == percent


def test_no_bracket():
    with pytest.raises(ValueError, match="no bracket"):
        marginal(100, ((100, 5),))


@pytest.mark.parametrize(
    ("one", "other", "tax"),
    [(50_000, 0, 6_000), (20_000, 20_000, 4_000), (80_000, 10_000, 14_000 + 6_000), (0, 0, 0)],
)
def test_for_couple(one, other, tax):
    assert for_couple(one, other) == tax


def test_a_couple_pays_no_more_than_apart():
    odd = ((100, 50), (None, 0))
    assert for_couple(300, 0, odd) == 50
    assert for_couple(100, 100, odd) == 100


@pytest.mark.parametrize(
    ("income", "children", "expected"),
    [
        (0, 0, 2_000),
        (50_000, 0, 2_000),
        (50_001, 0, 2_000),
        (51_000, 0, 1_500),
        (60_000, 0, 0),
        (60_000, 2, 1_000),
        (20_000, 3, 4_000),
        (20_000, 4, 5_000),
    ],
)
def test_allowance(income, children, expected):
    assert allowance(income, children) == expected


@pytest.mark.parametrize(
    ("earned", "before", "expected"),
    [(3_000, 0, 300), (3_000, 58_000, 200), (3_000, 60_000, 0), (3_000, 90_000, 0), (70_000, 0, 6_000)],
)
def test_contribution(earned, before, expected):
    assert contribution(earned, before) == expected


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([], 10_000),
        ([("travel", 900)], 10_000),
        ([("travel", 900), ("travel", 600)], 9_500),
        ([("gifts", 1_500)], 8_500),
        ([("gifts", 2_500), ("gifts", 500)], 8_000),
        ([("interest", 801)], 9_600),
        ([("loss", 400)], 9_600),
        ([("loss", 20_000), ("gifts", 100)], 0),
        ([("travel", 99_000)], 0),
        ([("other", 5)], 10_000),
    ],
)
def test_deducted(items, expected):
    assert deducted(10_000, items) == expected


def test_an_even_year():
    slips = year([2_500] * 12)
    assert [slip["tax"] for slip in slips] == [300] * 12
    assert [slip["social"] for slip in slips] == [250] * 12
    assert slips[0]["net"] == 1_950


def test_a_year_with_a_bonus():
    slips = year([1_000] * 11 + [31_000])
    assert [slip["tax"] for slip in slips] == [0] * 11 + [8_000]
    assert slips[-1]["social"] == 3_100


def test_a_year_above_the_limit():
    slips = year([6_000] * 12, children=1)
    assert [slip["social"] for slip in slips] == [600] * 10 + [0, 0]
    assert slips[0]["tax"] == 1_717
    assert sum(slip["tax"] for slip in slips) == 20_600


@pytest.mark.parametrize("net", [0, 1, 9_999, 10_000, 10_001, 26_000, 26_001, 56_000, 67_000])
def test_gross_for(net):
    found = gross_for(net)
    assert found - by_brackets(found) >= net
    assert net == 0 or (found - 1) - by_brackets(found - 1) < net


def test_indexed():
    assert indexed(((10_000, 0), (30_000, 20), (None, 45)), 2) == ((10_200, 0), (30_600, 20), (None, 45))
    assert indexed(((1_050, 5),), 0) == ((1_100, 5),)
    assert indexed(((1_050, 5),), 3, 10) == ((1_090, 5),)
    assert indexed(BRACKETS, 0) == BRACKETS


@pytest.mark.parametrize(
    ("years", "taxed", "loss"),
    [
        ([], [], 0),
        ([5], [5], 0),
        ([-5, 3, 4], [0, 0, 2], 0),
        ([-5, -5, 20, 1], [0, 0, 10, 1], 0),
        ([4, -9, 2], [4, 0, 0], 7),
    ],
)
def test_carried(years, taxed, loss):
    assert carried(years) == (taxed, loss)
