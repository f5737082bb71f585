import pytest
from timesheets import balance, clock, minutes, pauses, rounded, spans, vacation, week, worked


@pytest.mark.parametrize(
    ("text", "number"), [("0", 0), ("9", 540), ("9:05", 545), (" 12:30 ", 750), ("24:00", 1440)]
)
def test_minutes(text, number):
    assert minutes(text) == number


@pytest.mark.parametrize("text", ["", "x", "9:60", "24:01", "9:x", "-3"])
def test_no_time(text):
    with pytest.raises(ValueError, match="no time"):
        minutes(text)


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0:00"), (65, "1:05"), (600, "10:00"), (-5, "-0:05"), (-90, "-1:30")]
)
def test_clock(number, text):
    assert clock(number) == text


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", []),
        ("9-12", [(540, 720)]),
        ("9-12, 13:30-15", [(540, 720), (810, 900)]),
        ("13-15,9-12", [(540, 720), (780, 900)]),
        ("22-6", [(1320, 1800)]),
        ("9-12,12-13", [(540, 720), (720, 780)]),
        ("9-9,", [(540, 1980)]),
    ],
)
def test_spans(line, expected):
    assert spans(line) == expected


def test_overlap():
    with pytest.raises(ValueError, match="overlap"):
        spans("9-12, 11:59-13")
    with pytest.raises(ValueError, match="overlap"):
        spans("13-14, 9-13:30")


@pytest.mark.parametrize(
    ("line", "number"), [("9-12", 0), ("9-12,13-15", 60), ("9-10,10:14-11", 0), ("9-10,10:15-11,12-13", 75)]
)
def test_pauses(line, number):
    assert pauses(spans(line)) == number


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("", 0),
        ("9-15", 360),
        ("9-15:20", 360),
        ("9-16", 390),
        ("9-12,12:20-16", 390),
        ("9-12,13-17", 420),
        ("8-17:30", 540),
        ("8-18", 555),
        ("8-12,12:30-18", 555),
        ("8-12,13-19", 600),
    ],
)
def test_worked(line, number):
    assert worked(line) == number


@pytest.mark.parametrize(
    ("number", "step", "expected"),
    [(0, 15, 0), (7, 15, 0), (8, 15, 15), (15, 15, 15), (22, 15, 15), (23, 15, 30), (5, 10, 10), (4, 10, 0)],
)
def test_rounded(number, step, expected):
    assert rounded(number, step) == expected


def test_a_week():
    days = {name: "8-12,13-17" for name in ("Mon", "Tue", "Wed", "Thu")}
    assert week(days) == {
        "days": dict.fromkeys(days, 480),
        "total": 1920,
        "overtime": 0,
        "paid": 1920,
    }
    days["Fri"] = "8-12,13-19:02"
    days["Sun"] = "10-11"
    found = week(days)
    assert found["days"]["Fri"] == 600
    assert found["overtime"] == 120
    assert found["total"] == 2580
    assert found["paid"] == 2400 + 180 + 120


def test_another_contract():
    assert week({"Mon": "8-12", "Tue": "8-12"}, 420)["overtime"] == 60


@pytest.mark.parametrize(
    ("weeks", "carried", "expected"),
    [
        ([], 0, []),
        ([2400], 0, [0]),
        ([2460, 2280], 0, [60, -60]),
        ([2400, 2500], 30, [30, 130]),
        ([3000, 3200, 2300], 0, [600, 1200, 1100]),
    ],
)
def test_balance(weeks, carried, expected):
    assert balance(weeks, carried=carried) == expected


@pytest.mark.parametrize(
    ("begun", "month", "taken", "expected"),
    [
        (False, 5, (), 30),
        (True, 1, (), 30),
        (True, 12, (), 3),
        (True, 7, (), 15),
        (False, 1, [(10, 14), (100, 100)], 24),
    ],
)
def test_vacation(begun, month, taken, expected):
    assert vacation(begun, month, taken=taken) == expected


def test_vacation_is_rounded():
    assert vacation(True, 8, 25) == 10
    assert vacation(True, 6, 26) == 15
    assert vacation(True, 7, 25) == 13
