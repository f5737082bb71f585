"""``stripe why``: one question, one screen."""

from __future__ import annotations

import json
import subprocess

import pytest
from jsonschema import validate

from stripe.report.schema import text
from tests.support.programs import SHOP

CRASH = """\
def first(items):
    return items[0]

rows = [[1], [], [2]]
for row in rows:
    print(first(row))
"""
TESTS = """\
from shop import total

def test_small(): assert total([1, 2], 10) == 8
def test_large(): assert total([20, 2], 10) == 22
def test_edge(): assert total([10], 10) == 10
"""


def fits(out):
    lines = out.splitlines()
    assert len(lines) <= 24, out
    assert max(map(len, lines)) <= 100, out
    return lines


def test_a_crash(room):
    (room.work / "crash.py").write_text(CRASH)
    run = room.stripe("why", "crash.py", "--max-time", "240")
    assert run.status == 0, run.err
    lines = fits(run.out)
    assert lines[0] == "IndexError: list index out of range  (crash.py:2)"
    assert lines[2] == " 1  crash.py:2 in first:  return items[0]"
    assert "IndexError was raised here" in lines[3]
    assert any("items = []" in line for line in lines), "with the values of the run"


def test_what_it_failed_on_is_told_also_in_a_function_on_one_line(room):
    (room.work / "crash.py").write_text(
        "def share(all, some): return len(all) / (len(some) - 1)\nprint(share([1, 2], [3]))\n"
    )
    run = room.stripe("why", "crash.py", "--max-time", "240")
    lines = fits(run.out)
    assert lines[2].startswith(" 1  crash.py:1 in share:")
    assert (
        lines[3].strip().startswith("ZeroDivisionError was raised here, where len(some) - 1 was 0")
    )


def test_a_failing_test_is_told_with_the_change_that_repairs_it_and_is_verified(room):
    """Of all tests that are named, the first that fails."""
    (room.work / "shop.py").write_text(SHOP)
    (room.work / "test_shop.py").write_text(TESTS)
    run = room.stripe(
        "why", "--max-time", "240", "--json", "why.json", "--html", "why.html", "-m", "pytest",
        writes=("why.json", "why.html"),
    )  # fmt: skip
    assert run.status == 0, run.err
    lines = fits(run.out)
    assert lines[0].startswith("AssertionError")
    assert ", in test_edge" in lines[0]
    assert lines[2] == " 1  shop.py:3 in total:  if cost > free:"
    assert "with `cost >= free` instead of `cost > free` the failing test passes" in lines[3]
    assert "the other 2 still do" in " ".join(lines[3:5])
    document = json.loads((room.work / "why.json").read_text())
    validate(document, json.loads(text("why")))
    assert document["places"][0]["file"] == "shop.py"
    assert "if cost &gt; free:" in (room.work / "why.html").read_text()
    assert room.stripe("show", "why.json").out == run.out
    again = ("verify", "why.json", "--yes", "-q", "--max-time", "240")
    refused = room.stripe(*again)
    assert "[outside-project]" in refused.err, "a file may not choose an installed module"
    run = room.stripe(*again, "--program", "pytest")
    assert "shop.py:3  HOLDS: with `cost >= free` instead of `cost > free`" in run.out, run.out


def test_without_a_failure_the_output_is_numbered_and_nothing_is_found(room):
    (room.work / "prog.py").write_text("for n in range(20):\n    print('row', n)\n")
    run = room.stripe("why", "prog.py")
    assert run.status == 1
    assert " 20  row 19" in run.out.splitlines()
    assert "--line 20" in run.out or "--line N" in run.out


def test_a_line_of_the_output(room):
    (room.work / "prog.py").write_text("a = 1\nb = 2\nprint(a)\nprint(b)\n")
    run = room.stripe("why", "prog.py", "--line", "2", "--max-time", "240")
    assert run.status == 0, run.err
    lines = fits(run.out)
    assert lines[0] == "Line 2 of the output is '2'"
    assert lines[2] == " 1  prog.py:2:  b = 2", "it shows in the print, and comes from here"
    assert not any("prog.py:1 " in line for line in lines), "it does not matter"
    wrong = room.stripe("why", "prog.py", "--line", "3")
    assert wrong.status == 2
    assert "[no-such-line]" in wrong.err


def test_an_expected_output_has_repairs_tried(room):
    (room.work / "prog.py").write_text("def twice(n):\n    return n + n + 1\n\nprint(twice(2))\n")
    run = room.stripe("why", "prog.py", "--expect", "4", "--max-time", "240")
    assert run.status == 0, run.err
    lines = fits(run.out)
    assert lines[0] == "Line 1 of the output is '5'; expected was '4'"
    assert lines[2] == " 1  prog.py:2 in twice:  return n + n + 1"
    assert "it prints what is expected; whether it is right for" in lines[3]
    assert "test" not in run.out, "there is none"
    right = room.stripe("why", "prog.py", "--expect", "5")
    assert right.status == 1
    assert "[nothing-fails]" in right.err


def test_an_exit_status(room):
    (room.work / "prog.py").write_text("import sys\nbad = 3\nif bad:\n    sys.exit(bad)\n")
    run = room.stripe("why", "prog.py", "--max-time", "240")
    assert run.status == 0, run.err
    assert run.out.startswith("The program exited with status 3")


def test_what_is_not_committed_is_blamed(room):
    right = "def last(items):\n    n = len(items) - 1\n    return items[n]\n\nprint(last([1, 2]))\n"
    (room.work / "prog.py").write_text(right)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *words], cwd=room.work, check=True)
    (room.work / "prog.py").write_text("LIMIT = 3\n" + right.replace(" - 1", ""))
    run = room.stripe("why", "prog.py", "--max-time", "240", "--json", "-")
    assert run.status == 0, run.err
    first = run.result["places"][0]
    assert (first["file"], first["line"], first["function"]) == ("prog.py", 3, "last")
    (changed,) = [each["says"] for each in first["why"] if each["kind"] == "changed"]
    assert changed == "came with a change that is not committed; without it the failure is gone"
    assert not any(each["line"] == 1 for each in run.result["places"])


def test_no_program_and_two_questions_are_usage_errors(room):
    assert room.stripe("why").status == 2
    (room.work / "prog.py").write_text("print(1)\n")
    run = room.stripe("why", "prog.py", "--line", "1", "--expect", "2")
    assert run.status == 2
    assert "[bad-option]" in run.err


@pytest.mark.parametrize("program", ["def f(:\n", "while True: pass\n"])
def test_what_cannot_be_asked_about_is_said_as_that(room, program):
    (room.work / "prog.py").write_text(program)
    run = room.stripe("why", "prog.py", "--timeout", "1")
    assert run.status in (1, 2)
    assert "[syntax-error]" in run.err or "[program-hangs]" in run.err


def test_an_answer_is_verified(room):
    """The question is asked again: it holds, then something else happens, then nothing does."""
    (room.work / "crash.py").write_text(CRASH)
    room.stripe("why", "crash.py", "--max-time", "240", "--json", "why.json", writes=("why.json",))
    refused = room.stripe("verify", "why.json", "-q")
    assert refused.status == 2
    assert "[not-confirmed]" in refused.err
    again = ("verify", "why.json", "--yes", "-q", "--max-time", "240")
    run = room.stripe(*again)
    assert "crash.py:2  HOLDS: IndexError was raised here" in run.out
    assert run.out.splitlines()[-1] == "the answer  HOLDS", run.out
    assert run.status == 0, run.err
    (room.work / "crash.py").write_text("# moved down\n" + CRASH)
    assert room.stripe(*again).status == 0, "a line is known by its text"
    (room.work / "crash.py").write_text(CRASH.replace("[0]", "['a']"))
    run = room.stripe(*again, "--json", "-")
    found = json.loads(run.out)
    assert run.status == 1
    assert (found["holds"], found["same"]) == (False, False)
    assert found["now"].startswith("TypeError")
    assert {each["fate"] for each in found["reasons"]} == {"untried"}, "of this nothing is known"


def test_a_question_is_asked_again_with_all_that_it_was_asked_with(room):
    """The passing input, the limit of a run and the network, which a file alone does not get."""
    program = "import sys\nn = int(sys.argv[1])\nm = n - 3\nprint(12 // m)\n"
    (room.work / "prog.py").write_text(program)
    asked = ("--pass", "4", "--timeout", "70", "--allow-network", "--max-time", "240")
    room.stripe("why", *asked, "--json", "why.json", "prog.py", "3", writes=("why.json",))
    document = json.loads((room.work / "why.json").read_text())
    then = document["asked"]
    assert (then["passes"], then["timeout"]) == ({"arguments": ["4"], "stdin": ""}, 70.0)
    kinds = [reason["kind"] for place in document["places"] for reason in place["why"]]
    assert "transition" in kinds, kinds
    again = ("verify", "why.json", "--yes", "-q", "--max-time", "240")
    refused = room.stripe(*again)
    assert "--allow-network" in refused.err
    run = room.stripe(*again, "--allow-network", "--json", "-")
    assert "and with     prog.py 4" in run.err, run.err
    fates = {each["kind"]: each["fate"] for each in json.loads(run.out)["reasons"]}
    assert fates["transition"] == "holds", fates
