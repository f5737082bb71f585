"""Every kind of units through the real command: what is left, and that it is certified."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.harness import Room

GREP = '#!/bin/sh\ngrep -q culprit "$1"\n'

HTML = """<!DOCTYPE html>
<html><head><title>A page</title></head>
<body><div><p>one<br>two</p><p>the <b>culprit</b></p></div>
<ul><li>x<li>y</ul></body></html>
"""
XML = '<?xml version="1.0"?>\n<a><b k="1"/><c><d>culprit</d><e/></c><!-- no --></a>\n'
JSON = '{"a": [1, 2, {"x": 3, "culprit": null}], "b": "text"}\n'
YAML = "a:\n  - b: 1\n    c: culprit\n  - d: 2\nrest:\n  more: 1\n"
C = "int one(int x) { return x; }\nint two(void)\n{\n    int y = one(culprit); y++;\n}\n"
CSV = 'a,b,c\n1,"x, y",2\n3,culprit,4\n'
EVENTS = "".join(f"move {number}\n" for number in range(30)) + "click culprit\n"

KINDS = [
    ("markup", "page.html", HTML, "culprit"),
    ("markup", "page.xml", XML, "culprit"),
    ("json", "data.json", JSON, '{"a": [ { "culprit": null}]}'),
    ("indent", "data.yaml", YAML, "a:\n  - b: 1\n    c: culprit\n"),
    ("braces", "prog.c", C, "\nint two(void)\n{\n    int y = one(culprit);}"),
    ("csv", "table.csv", CSV, "culprit\n"),
    ("events", "recorded.log", EVENTS, "click culprit\n"),
    ("lines", "in.txt", EVENTS, "click culprit\n"),
    ("tokens", "in.txt", EVENTS, "culprit"),
    ("chars", "in.txt", "é" * 40 + "the culprit ü", "culprit"),
    ("bytes", "in.bin", "\0" * 100 + "culprit\n", "culprit"),
    ("lines,tokens", "in.txt", EVENTS, "culprit"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("units", "file", "content", "left"), KINDS, ids=[f"{k[0]}-{k[1]}" for k in KINDS]
)
def test_units(room: Room, units: str, file: str, content: str, left: str) -> None:
    room.file(file, content)
    room.file("test.sh", GREP).chmod(0o755)
    answer = Path(file).with_suffix(f".reduced{Path(file).suffix}").name
    run = room.stripe("input", file, "--units", units, "--test", "./test.sh", "--json", "-",
                      writes=(answer,))  # fmt: skip
    assert run.status == 0, run
    assert run.result["failing"]["text"].strip("\n") == left.strip("\n")
    assert run.result["certified"] is True
    assert run.result["units"] == units.rpartition(",")[2]
    assert (room.work / answer).read_text() == run.result["failing"]["text"]


@pytest.mark.parametrize(
    ("units", "left"),
    [
        ("args", "--level 7 -x"),  # words alone: the 7 is needed, and so is what it belongs to
        ("options", "--level 7 -x"),
    ],
)
def test_words_of_a_command_line(room: Room, units: str, left: str) -> None:
    room.file("flags", "-v --name 'a b' --level 7 -q\n--out file -x\n")
    room.file("tool.sh", """\
#!/bin/sh
level=0 x=no
while test $# -gt 0; do
    case $1 in
        --level) level=$2; shift ;;
        --name | --out) shift ;;
        -x) x=yes ;;
        -*) ;;
        *) echo "usage: what is $1" >&2; exit 2 ;;
    esac
    shift
done
test "$level$x" != 7yes || { echo "assertion failed: level" >&2; exit 3; }
""").chmod(0o755)  # fmt: skip
    run = room.stripe("input", "flags", "--units", units, "--json", "-", "--", "./tool.sh", "@@",
                      writes=("flags.reduced",))  # fmt: skip
    assert run.status == 0, run
    assert run.result["failing"]["text"].split() == left.split()
    assert run.result["certified"] is True


def test_a_run_that_hangs_is_ended_by_what_the_first_one_took(room: Room) -> None:
    """Without --timeout: ten times the first run, at least five seconds."""
    room.file("in.txt", "go on\nculprit\nx\n")
    room.file("test.sh", "#!/bin/sh\ngrep -q 'go on' in.txt || exec sleep 600\n" + GREP[10:])
    (room.work / "test.sh").chmod(0o755)
    run = room.stripe("input", "in.txt", "--units", "lines", "--test", "./test.sh", "--jobs", "3",
                      "--json", "-", writes=("in.reduced.txt",))  # fmt: skip
    assert run.status == 0, run
    assert run.result["failing"]["text"] == "go on\nculprit\n"
    assert run.result["tests"]["UNRESOLVED"] >= 2
