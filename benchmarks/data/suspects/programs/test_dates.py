import pytest
from dates import add_months, day_of_year, days_in_month, is_leap, weekday, working_days


@pytest.mark.parametrize(
    ("year", "expected"), [(2024, True), (2023, False), (1900, False), (2000, True), (2100, False)]
)
def test_leap(year, expected):
    assert is_leap(year) is expected


@pytest.mark.parametrize(
    ("year", "month", "expected"), [(2023, 1, 31), (2023, 2, 28), (2024, 2, 29), (2023, 12, 31)]
)
def test_days(year, month, expected):
    assert days_in_month(year, month) == expected


@pytest.mark.parametrize("month", [0, 13])
def test_no_such_month(month):
    with pytest.raises(ValueError):
        days_in_month(2024, month)


@pytest.mark.parametrize(
    ("date", "expected"),
    [((2023, 1, 1), 1), ((2023, 3, 1), 60), ((2024, 3, 1), 61), ((2023, 12, 31), 365)],
)
def test_day_of_year(date, expected):
    assert day_of_year(*date) == expected


def test_no_such_day():
    with pytest.raises(ValueError):
        day_of_year(2023, 2, 29)


@pytest.mark.parametrize(
    ("date", "expected"),
    [((2024, 1, 1), 0), ((2026, 11, 22), 6), ((2000, 2, 29), 1), ((1999, 12, 31), 4)],
)
def test_weekday(date, expected):
    assert weekday(*date) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((2024, 1, 15, 1), (2024, 2, 15)),
        ((2024, 1, 31, 1), (2024, 2, 29)),
        ((2023, 11, 30, 3), (2024, 2, 29)),
        ((2024, 3, 31, -1), (2024, 2, 29)),
        ((2024, 12, 5, 12), (2025, 12, 5)),
    ],
)
def test_add_months(given, expected):
    assert add_months(*given) == expected


@pytest.mark.parametrize(
    ("given", "expected"), [((2024, 2), 21), ((2026, 11), 21), ((2024, 2, {1, 3}), 20)]
)
def test_working_days(given, expected):
    assert working_days(*given) == expected
