from datetime import date

import pytest
from recurring import (
    age,
    daily,
    free_slots,
    month_end,
    monthly,
    next_after,
    nth_weekday,
    reminders,
    weekly,
    without,
)


def days(*texts):
    return [date.fromisoformat(text) for text in texts]


@pytest.mark.parametrize(
    ("month", "weekday", "number", "expected"),
    [
        (1, 0, 1, 1),
        (1, 1, 2, 9),
        (1, 6, 1, 7),
        (2, 3, 1, 1),
        (2, 3, 5, 29),
        (2, 4, 5, None),
        (1, 2, -1, 31),
        (1, 3, -1, 25),
        (2, 0, -2, 19),
        (2, 3, -5, 1),
        (2, 0, -5, None),
    ],
)
def test_nth_weekday(month, weekday, number, expected):
    found = nth_weekday(2024, month, weekday, number)
    assert found == (expected and date(2024, month, expected))


@pytest.mark.parametrize(("month", "day"), [(1, 31), (2, 29), (4, 30), (11, 30), (12, 31)])
def test_month_end(month, day):
    assert month_end(2024, month) == date(2024, month, day)


def test_daily():
    start = date(2024, 2, 27)
    assert daily(start, 2, date(2024, 3, 2)) == days("2024-02-27", "2024-02-29", "2024-03-02")
    assert daily(start, 1, start) == [start]
    assert daily(start, 1, date(2024, 2, 1)) == []


def test_weekly():
    start = date(2024, 5, 1)  # a Wednesday
    assert weekly(start, {2}, 1, 2) == days("2024-05-01", "2024-05-08")
    assert weekly(start, {0, 4}, 1, 3) == days("2024-05-03", "2024-05-06", "2024-05-10")
    assert weekly(start, {4, 1}, 2, 3) == days("2024-05-03", "2024-05-14", "2024-05-17")
    assert weekly(start, {3}, 3, 0) == []


def test_monthly():
    assert monthly(date(2024, 1, 15), 1, 2) == days("2024-01-15", "2024-02-15")
    assert monthly(date(2024, 1, 31), 1, 3) == days("2024-01-31", "2024-02-29", "2024-03-31")
    assert monthly(date(2023, 11, 5), 2, 3) == days("2023-11-05", "2024-01-05", "2024-03-05")
    assert monthly(date(2023, 12, 5), 12, 2) == days("2023-12-05", "2024-12-05")
    assert monthly(date(2024, 1, 20), 1, 2, day=5) == days("2024-02-05", "2024-03-05")
    assert monthly(date(2024, 6, 1), 18, 2) == days("2024-06-01", "2025-12-01")


def test_without():
    three = days("2024-01-01", "2024-01-02", "2024-01-03")
    assert without(three, {three[1]}) == [three[0], three[2]]
    assert without(three, (), {three[0]: date(2024, 1, 9)}) == [*three[1:], date(2024, 1, 9)]
    assert without(three, (), {three[0]: three[1]}) == three[1:]
    assert without(three, {three[0]}, {three[0]: date(2024, 1, 9)}) == three[1:]


def test_next_after():
    some = days("2024-03-01", "2024-01-01", "2024-02-01")
    assert next_after(some, date(2024, 1, 1)) == date(2024, 2, 1)
    assert next_after(some, date(2023, 1, 1)) == date(2024, 1, 1)
    assert next_after(some, date(2024, 3, 1)) is None


@pytest.mark.parametrize(
    ("busy", "length", "expected"),
    [
        ([], 30, [(540, 1020)]),
        ([], 481, []),
        ([(600, 660)], 60, [(540, 600), (660, 1020)]),
        ([(700, 990), (570, 600)], 60, [(600, 700)]),
        ([(540, 800), (600, 700)], 30, [(800, 1020)]),
        ([(500, 560), (560, 1010)], 10, [(1010, 1020)]),
        ([(540, 1020)], 1, []),
    ],
)
def test_free_slots(busy, length, expected):
    assert free_slots(busy, 540, 1020, length) == expected


def test_reminders():
    now = date(2024, 1, 10)
    events = [
        (date(2024, 1, 9), "gone"),
        (date(2024, 1, 31), "dentist"),
        (date(2024, 1, 10), "tax"),
        (date(2024, 1, 11), "bin"),
        (date(2024, 1, 23), "visit"),
        (date(2024, 2, 1), "rent"),
    ]
    assert reminders(events, now, 21) == [
        "tax today",
        "bin tomorrow",
        "visit in 13 days",
        "dentist in 3 weeks",
    ]
    assert reminders(events, now, 0) == ["tax today"]
    assert reminders(events, now, 22)[-1] == "rent in 3 weeks"


@pytest.mark.parametrize(
    ("born", "now", "expected"),
    [
        ("2000-05-10", "2020-05-09", 19),
        ("2000-05-10", "2020-05-10", 20),
        ("2000-05-10", "2020-06-01", 20),
        ("2000-05-10", "2020-04-30", 19),
        ("2000-12-31", "2001-01-01", 0),
    ],
)
def test_age(born, now, expected):
    assert age(*days(born, now)) == expected
