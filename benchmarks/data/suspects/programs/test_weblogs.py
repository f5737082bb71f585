import pytest
from weblogs import bursts, by_hour, failures, most, read, readable, seconds, visits

LINE = '10.0.0.1 - ann [01/Jan/2023:00:00:09 +0000] "GET /a/?x=1&y=&z HTTP/1.1" 200 512 "http://b"'


def entry(host="h", time=0, path="/", status=200, size=10):
    return {"host": host, "time": time, "path": path, "status": status, "size": size}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("01/Jan/2023:00:00:00 +0000", 0),
        ("01/Jan/2023:01:02:03", 3723),
        ("02/Jan/2023:00:00:00 +0100", 82800),
        ("01/Jan/2023:00:00:00 -0130", 5400),
        ("01/Feb/2023:00:00:00 +0000", 31 * 86400),
        ("01/Mar/2023:00:00:00 +0000", 59 * 86400),
        ("01/Mar/2024:00:00:00 +0000", 60 * 86400),
        ("31/Dec/2023:23:59:59 +0000", 365 * 86400 - 1),
    ],
)
def test_seconds(text, number):
    assert seconds(text) == number


def test_read():
    assert read(LINE) == {
        "host": "10.0.0.1",
        "user": "ann",
        "time": 9,
        "method": "GET",
        "path": "/a",
        "query": {"x": "1", "y": "", "z": ""},
        "status": 200,
        "size": 512,
        "referrer": "http://b",
    }


def test_read_what_is_not_said():
    found = read('h - - [01/Jan/2023:00:00:00 +0000] "POST / HTTP/1.0" 304 -')
    assert (found["user"], found["size"], found["path"], found["query"]) == (None, 0, "/", {})
    assert found["referrer"] is None


@pytest.mark.parametrize(
    "line", ["", "nothing", LINE.replace("200", "20"), LINE.replace("GET /a/?x=1&y=&z HTTP/1.1", "GET")]
)
def test_unreadable(line):
    assert read(line) is None


def test_readable():
    later = LINE.replace(":09 ", ":10 ")
    entries, bad = readable([later, "", "broken", LINE, "  ", "also broken"])
    assert [each["time"] for each in entries] == [9, 10]
    assert bad == 2


def test_most():
    entries = [entry(path=path) for path in "bacbabd"]
    assert most(entries, "path") == [("b", 3), ("a", 2), ("c", 1)]
    assert most(entries, "path", 1) == [("b", 3)]
    assert most(entries, "status") == [(200, 7)]
    assert most([], "path") == []


def test_by_hour():
    entries = [entry(time=time, size=size) for time, size in [(3600, 1), (7199, 2), (14400, 4)]]
    assert by_hour(entries) == [3, 0, 0, 4]
    assert by_hour(entries[:1]) == [1]
    assert by_hour([]) == []


def test_failures():
    entries = [
        entry(path="/a", status=404),
        entry(path="/a"),
        entry(path="/a", status=399),
        entry(path="/a", status=500),
        entry(path="/b", status=400),
        entry(path="/c"),
        entry(path="/c"),
    ]
    assert failures(entries) == {"/a": 0.5}
    assert failures(entries, 1) == {"/a": 0.5, "/b": 1.0}
    assert failures(entries, 5) == {}


def test_visits():
    entries = [
        entry("x", 0, "/"),
        entry("y", 5, "/"),
        entry("x", 1800, "/a"),
        entry("x", 1810, "/a"),
        entry("x", 3000, "/"),
        entry("x", 4801, "/b"),
    ]
    found = [(each["host"], each["begin"], each["end"], each["paths"]) for each in visits(entries)]
    assert found == [
        ("x", 0, 3000, ["/", "/a", "/"]),
        ("y", 5, 5, ["/"]),
        ("x", 4801, 4801, ["/b"]),
    ]


def test_visits_of_one_time():
    assert [each["host"] for each in visits([entry("b"), entry("a")])] == ["a", "b"]
    assert visits([]) == []


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ([0, 1, 2], []),
        ([0, 1, 2, 3], ["h"]),
        ([0, 1, 2, 10], []),
        ([0, 1, 2, 9], ["h"]),
        ([0, 5, 11, 12, 13, 14], ["h"]),
        ([0, 0, 0, 0, 0], ["h"]),
    ],
)
def test_bursts(times, expected):
    assert bursts([entry(time=time) for time in times]) == expected


def test_bursts_of_several():
    entries = [entry(host, time) for time in range(4) for host in "ab"] + [entry("c", 5)]
    assert bursts(entries) == ["a", "b"]
    assert bursts(entries, limit=4) == []
