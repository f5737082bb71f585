import pytest
from measures import combined, converted, degrees, duration, feet, read, shown, total, unit


@pytest.mark.parametrize(
    ("name", "factor"),
    [("m", 1), ("km", 1000), ("cm", 0.01), ("min", 60), ("mm", 0.001), ("kg", 1), ("mi", 1609.344), ("MHz", 1e6)],
)
def test_unit(name, factor):
    assert unit(name)[0] == pytest.approx(factor)


@pytest.mark.parametrize("name", ["x", "kk", "", "kx"])
def test_no_unit(name):
    with pytest.raises(ValueError, match="no unit"):
        unit(name)


@pytest.mark.parametrize(
    ("text", "factor", "dimension"),
    [
        ("m", 1, {"length": 1}),
        ("km/h", 1 / 3.6, {"length": 1, "time": -1}),
        ("kg*m/s^2", 1, {"mass": 1, "length": 1, "time": -2}),
        ("m/s/s", 1, {"length": 1, "time": -2}),
        ("m/s*s", 1, {"length": 1}),
        ("cm^2", 1e-4, {"length": 2}),
        ("s^-1", 1, {"time": -1}),
        ("km/m", 1000, {}),
        ("l/m^2", 0.001, {"length": 1}),
    ],
)
def test_combined(text, factor, dimension):
    found = combined(text)
    assert found[0] == pytest.approx(factor)
    assert found[1] == dimension


def test_combined_without_sense():
    with pytest.raises(ValueError, match="no unit"):
        combined("m//s")
    with pytest.raises(ValueError, match="no unit"):
        combined("m^x")


@pytest.mark.parametrize(
    ("text", "number"), [("5", 5), ("-2.5 km", -2500), ("3e2m", 300), (" 1.5 h ", 5400), ("+4 g", 0.004)]
)
def test_read(text, number):
    assert read(text)[0] == pytest.approx(number)


def test_read_nothing():
    with pytest.raises(ValueError, match="no measure"):
        read("km")


@pytest.mark.parametrize(
    ("text", "target", "number"),
    [
        ("36 km/h", "m/s", 10),
        ("1 mi", "ft", 5280),
        ("10 N", "kg*m/s^2", 10),
        ("2 l", "cm^3", 2000),
        ("90 min", "h", 1.5),
        ("50 Hz", "s^-1", 50),
        ("1 lb", "g", 453.59237),
    ],
)
def test_converted(text, target, number):
    assert converted(text, target) == pytest.approx(number)


@pytest.mark.parametrize(("text", "target"), [("1 m", "s"), ("1 m", "m^2"), ("1", "m"), ("1 km/h", "km*h")])
def test_another_dimension(text, target):
    with pytest.raises(ValueError, match="is not in"):
        converted(text, target)


@pytest.mark.parametrize(
    ("texts", "target", "number"),
    [([], "m", 0), (["1 km", "500 m"], "km", 1.5), (["1 h 30 min", "15min"], "min", 105), (["5 m", "-2 m"], "m", 3)],
)
def test_total(texts, target, number):
    assert total(texts, target) == pytest.approx(number)


@pytest.mark.parametrize(
    ("number", "source", "target", "expected"),
    [
        (0, "C", "K", 273.15),
        (100, "C", "F", 212),
        (-40, "F", "C", -40),
        (32, "F", "C", 0),
        (300, "K", "C", 26.85),
        (7, "F", "F", 7),
    ],
)
def test_degrees(number, source, target, expected):
    assert degrees(number, source, target) == expected


def test_below_zero():
    with pytest.raises(ValueError, match="zero"):
        degrees(-1, "K", "C")
    assert degrees(-273.15, "C", "K") == 0


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0 m"),
        (1, "1 m"),
        (999, "999 m"),
        (1000, "1 km"),
        (-2500, "-2.5 km"),
        (0.25, "250 mm"),
        (0.001, "1 mm"),
        (0.00002, "20 um"),
        (3.2e7, "32 Mm"),
        (4e12, "4000 Gm"),
    ],
)
def test_shown(number, text):
    assert shown(number, "m") == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (59, "59 s"),
        (60, "1 min"),
        (3605, "1 h 5 s"),
        (7530, "2 h 5 min"),
        (90061, "1 d 1 h"),
        (86400, "1 d"),
    ],
)
def test_duration(seconds, text):
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("metres", "text"),
    [(1.8, "5 ft 11 in"), (0.3048, "1 ft"), (0.1, "4 in"), (1.83, "6 ft"), (0, "0 ft"), (2.43, "8 ft")],
)
def test_feet(metres, text):
    assert feet(metres) == text
