"""``stripe show`` and ``stripe verify``: results that were written earlier."""

from __future__ import annotations

import json

import pytest

from stripe.report.schema import text
from tests.e2e.harness import Room
from tests.support.needs import LEFT_OUT

jsonschema = pytest.importorskip("jsonschema", reason=LEFT_OUT)

PROGRAM = """\
total = 0
count = 0
for price in [3, 4, 5]:
    total = total + price
    count = count + 1
print("total", total)
print("count", count)
"""


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Where the program was traced, and what was written."""
    room = Room(tmp_path_factory.mktemp("traced"))
    room.program(PROGRAM)
    run = room.stripe(
        *("trace", "prog.py", "--json", "r.json", "--check", "t=stdout:/total/"),
        *("--check", "c=stdout:/count/", "-q"),
        writes=("r.json",),
    )
    assert run.status == 0, run
    return str(room.work), (room.work / "r.json").read_text()


@pytest.fixture
def written(room: Room, result: tuple[str, str]) -> Room:
    """A room with a program and its result."""
    room.program(PROGRAM)
    directory, text = result
    room.file("r.json", text.replace(directory, str(room.work)))
    return room


def verdicts(room: Room) -> dict[str, bool]:
    run = room.stripe("verify", "--yes", "r.json", "--json", "-")
    data = json.loads(run.out)
    assert run.status == (0 if data["holds"] else 1), run
    return {each["name"]: each["holds"] for each in data["slices"]}


def test_show_is_what_trace_has_shown(written: Room) -> None:
    before = written.stripe("trace", "prog.py", "--check", "t=stdout:/total/", "--show", "source")
    after = written.stripe("show", "r.json", "--show", "source")
    # What happened is told for all slices of a result; the source, slice by slice.
    first = [each.out.partition("── t = ")[2].splitlines()[:8] for each in (before, after)]
    assert first[0] == first[1]
    assert len(first[0]) == 8
    assert "total = total + price" in after.out


def test_show_reads_standard_input_and_runs_nothing(written: Room) -> None:
    data = (written.work / "r.json").read_text()
    (written.work / "prog.py").unlink()
    (written.work / "r.json").unlink()
    run = written.stripe("show", "-", "--show", "summary", stdin=data)
    assert run.status == 0
    assert "events kept" in run.out


def test_the_schema_can_be_had(room: Room, written: Room) -> None:
    run = room.stripe("show", "--schema")
    assert json.loads(run.out) == json.loads(text())
    jsonschema.validate(json.loads((written.work / "r.json").read_text()), json.loads(run.out))


def test_a_slice_holds_for_the_same_source(written: Room) -> None:
    run = written.stripe("verify", "--yes", "r.json")
    assert run.status == 0, run
    assert "source   as recorded" in run.out
    assert run.out.count("HOLDS") == 2


def test_nothing_is_run_unasked(written: Room) -> None:
    """A file from somebody else says what to run; without a terminal nobody can agree."""
    run = written.stripe("verify", "r.json")
    run.refused("not-confirmed", "program prog.py", f"directory {written.work}", status=2)
    run = written.stripe("verify", "--yes", "work/r.json", cwd=written.work.parent)
    assert run.status == 0, run
    run = written.stripe("verify", "--yes", str(written.work / "r.json"), cwd=written.elsewhere)
    run.refused("outside-project", f"--directory {written.work}", status=2)


def test_a_slice_holds_where_only_other_things_changed(written: Room) -> None:
    written.program("# what is paid\n" + PROGRAM.replace('"count", count', '"count:", count'))
    assert verdicts(written) == {"t": True, "c": False}
    run = written.stripe("verify", "--yes", "r.json")
    assert run.status == 1
    assert "prog.py: changed, 2 lines" in run.out
    assert "stdout changed" in run.out


def test_a_statement_more_does_not_matter(written: Room) -> None:
    written.program(PROGRAM.replace("    count", "    seen = price\n    count"))
    assert verdicts(written) == {"t": True, "c": True}


def test_an_event_that_can_go_by_now_is_named(written: Room) -> None:
    """The total is set at the end: what added it up has become needless."""
    written.program(PROGRAM.replace('print("total", total)', 'print("total", 12)'))
    run = written.stripe("verify", "--yes", "r.json")
    assert run.status == 1
    assert "can go" in run.out
    assert "does NOT hold" in run.out


def test_events_that_are_gone_are_named(written: Room) -> None:
    written.program(PROGRAM.replace("    total = total + price\n", "    pass\n"))
    run = written.stripe("verify", "--yes", "r.json")
    assert run.status == 1
    assert "gone: 4_" in run.out
    assert verdicts(written) == {"t": False, "c": True}


def test_a_run_that_takes_another_course(written: Room) -> None:
    written.program(PROGRAM.replace("[3, 4, 5]", "[3, 4]"))
    run = written.stripe("verify", "--yes", "r.json")
    assert run.status == 1
    assert "takes another course" in run.out


def test_a_program_that_is_gone(written: Room) -> None:
    (written.work / "prog.py").unlink()
    written.stripe("verify", "--yes", "r.json").refused("no-such-program", status=2)


@pytest.mark.parametrize("face", ["--html", "--json", "--sarif"])
def test_a_report_on_standard_output_stands_alone(written: Room, face: str) -> None:
    run = written.stripe("show", "r.json", face, "-", environment={"PYTHONIOENCODING": "ascii"})
    assert run.status == 0, run
    assert run.out.startswith("<!DOCTYPE html>" if face == "--html" else "{")
    assert "── " not in run.out.partition("<body>")[0]
    written.stripe("show", "r.json", face, "x.file", writes=("x.file",))


def test_a_reader_that_goes_away_is_no_error(written: Room) -> None:
    written.file("large.py", "for x in range(20_000):\n    y = x\n")
    written.stripe(
        *("trace", "large.py", "--check", "var:y@large.py:2", "--max-tests", "1"),
        *("--json", "r.json", "-q"),
        writes=("r.json",),
    )
    process = written.start("show", "r.json", "--html", "-")
    assert (written.leave_early(process), process.returncode) == (b"", 0)


@pytest.mark.parametrize("verb", ["show", "verify"])
def test_wrong_input(room: Room, verb: str) -> None:
    room.file("bad.json", '{"format": "stripe-result"')
    room.file("old.json", '{"format": "stripe-result", "version": 1}')
    room.stripe(verb).refused("no-input", f"stripe {verb} RESULT.json", status=2)
    room.stripe(verb, "nowhere.json").refused("no-input", "nowhere.json", status=2)
    room.stripe(verb, "bad.json").refused("not-a-result", "bad.json", "--json", status=2)
    room.stripe(verb, "old.json").refused("result-version", "Trace the program again", status=2)
    room.stripe(verb, "a.json", "b.json").refused("bad-option", "One result", status=2)
    room.stripe(verb, "a.json", "--jsn").refused("unknown-option", status=2)
