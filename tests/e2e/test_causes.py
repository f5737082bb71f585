"""``stripe causes`` through the real command, and its search on small programs."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from stripe.cli.causes import moment, read_input, run
from stripe.errors import NotReducible, UsageError
from stripe.snapshots import Moment
from stripe.states.causes import find_causes
from stripe_pytrace.state_runs import StateRun
from tests.e2e.harness import Room
from tests.e2e.test_going_on import outcomes
from tests.support.patience import PATIENCE, wait_until

ACCOUNTS = """\
import sys

class Account:
    def __init__(self, name, limit):
        self.name = name
        self.limit = limit

accounts = [Account("ann", 10), Account("bob", 20)]

def change(name, limit):
    for each in accounts:
        if each.name == name:
            each.limit = int(limit)

for word in sys.argv[1:]:
    change(*word.split("="))
print("ready")
total = 100 // (accounts[1].limit - 5)
print(total)
"""


def causes(path: Path, text: str, failing: str, passing: str, at: str = "", **options):
    (path / "prog.py").write_text(text)
    return find_causes(
        "prog.py",
        failing=read_input("--fail", failing),
        passing=read_input("--pass", passing),
        at=moment(at) if at else None,
        directory=path,
        **options,
    )


def told(cause):
    return [(each.name, each.passing, each.failing) for each in cause.variables]


def test_the_report(room: Room) -> None:
    """The relevant delta (A.3): of two values that differ the one that matters, in all forms."""
    room.program(ACCOUNTS)
    inputs = ("--fail", "ann=3 bob=5", "--pass", "ann=4 bob=6")
    run = room.stripe(
        "causes", "prog.py", *inputs, "--at", "prog.py:18", "--json", "out.json",
        writes=("out.json",),
    )  # fmt: skip
    assert run.status == 0, run
    assert (
        "At prog.py:18, `accounts[1].limit` was 5 instead of 6;\nhence the failure: Zero" in run.out
    )
    assert "yes, each" in run.out
    found = json.loads((room.work / "out.json").read_text())
    assert found["certified"] is True
    (cause,) = found["chain"]
    assert (cause["file"], cause["line"], cause["occurrence"]) == ("prog.py", 18, 1)
    assert cause["variables"] == [
        {"name": "accounts[1].limit", "change": "set", "passing": "6", "failing": "5"}
    ]
    assert cause["differences"] == 3, "both limits, and word"
    typed = ["tbreak prog.py:18", "continue", "!accounts[1].limit = 5", "continue"]
    assert cause["by_hand"] == {"debugger": "pdb", "commands": typed, "why": ""}
    assert "── by hand, in pdb, with ann=4 bob=6 ──" in run.out
    assert "prog.py:18:\n" + "".join(f"    {each}\n" for each in typed) in run.out


def test_reports_are_made_again_from_the_json(room: Room) -> None:
    """Nothing is run: the same text, page and pictures; what is not there for it is refused."""
    room.program(ACCOUNTS)
    inputs = ("--fail", "ann=3 bob=5", "--pass", "ann=4 bob=6", "--at", "prog.py:18")
    faces = ("out.json", "out.html", "out.svg", "out.sarif")
    files = ("--json", faces[0], "--html", faces[1], "--picture", faces[2], "--sarif", faces[3])
    run = room.stripe("causes", "prog.py", *inputs, *files, writes=faces)
    assert run.status == 0, run
    (room.work / "prog.py").unlink()
    again = ("2.json", "2.html", "2.svg", "2.sarif")
    files = ("--json", again[0], "--html", again[1], "--picture", again[2], "--sarif", again[3])
    shown = room.stripe("show", "out.json", "--text", *files, writes=again)
    assert shown.status == 0, shown
    assert shown.out == run.out
    for one, other in zip(faces, again, strict=True):
        assert (room.work / one).read_text() == (room.work / other).read_text()
    assert "✗ 5" in (room.work / "out.svg").read_text()
    dot = room.stripe("show", "out.json", "--picture", "out.dot", writes=("out.dot",))
    assert (dot.status, dot.out) == (0, "")
    assert (room.work / "out.dot").read_text().startswith("digraph step1 {")
    story = room.stripe("show", "out.json", "--show", "story")
    assert "hence the failure" in story.out
    assert "1-minimal" not in story.out
    for options in (("--picture", "out.png"), ("--show", "patch")):
        refused = room.stripe("show", "out.json", *options)
        assert refused.status == 2, refused
        assert "[bad-option]" in refused.err
    older = json.loads((room.work / "out.json").read_text()) | {"version": 0}
    (room.work / "out.json").write_text(json.dumps(older))
    assert "[result-version]" in room.stripe("show", "out.json").err


def test_what_was_read_and_printed_before_is_there_in_every_test(tmp_path: Path) -> None:
    """The moment is in the middle of the input; then an object with aliases is a cause."""
    program = """\
import sys
print(sys.stdin.readline().strip(), flush=True)
values = [int(each) for each in sys.stdin.readline().split()]
same = {"values": values}
last = sys.stdin.readline()
print(last.strip(), sum(same["values"]))
print(1 // (values[0] - 1))
"""
    (tmp_path / "bad").write_text("head\n1 2 3\ntail\n")
    (tmp_path / "good").write_text("head\n4 2 3\ntail\n")
    result = causes(tmp_path, program, f"< {tmp_path}/bad", f"< {tmp_path}/good", "prog.py:5")
    assert told(result.chain[0]) == [("values[0]", "4", "1")]
    assert result.certified
    assert set(result.undecided) == set()


def test_tests_are_forks_at_the_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = []
    once = StateRun._once

    def noted(self, number, task, moments, **limits):
        tasks.append(task["task"])
        return once(self, number, task, moments, **limits)

    monkeypatch.setattr(StateRun, "_once", noted)
    program = "import sys\nvalue = int(sys.argv[1])\nprint(1 // value)\n"
    result = causes(tmp_path, program, "0", "1", "prog.py:3")
    assert result.tests > 1
    assert "change" not in tasks


def test_the_program_is_compiled_as_it_is(tmp_path: Path) -> None:
    """Its annotations are values, though those of what runs it are texts."""
    program = """\
import sys
def share(parts: int):
    return 10 // parts
kind = share.__annotations__["parts"]
parts = kind(sys.argv[1])
print(share(parts))
"""
    result = causes(tmp_path, program, "0", "1", "prog.py:6")
    assert told(result.chain[0]) == [("parts", "1", "0")]


def test_a_check_that_insists_on_values_of_one_input(tmp_path: Path) -> None:
    program = """\
import sys
numbers = [int(each) for each in sys.argv[1:]]
print(sum(numbers), min(numbers) < 0)
"""
    result = causes(tmp_path, program, "-1 2 3", "4 5 6", "prog.py:3", check="stdout")
    assert [name for name, _, _ in told(result.chain[0])] == [f"numbers[{n}]" for n in range(3)]
    assert [note for note in result.notes if "could not tell what most tests came to" in note]
    check = 'cmd:grep -q True "$STRIPE_STDOUT"'
    result = causes(tmp_path, program, "-1 2 3", "4 5 6", "prog.py:3", check=check)
    assert told(result.chain[0]) == [("numbers[0]", "4", "-1")]
    assert not [note for note in result.notes if "could not tell" in note]


def test_where_something_was_written_before_each_test_is_a_fresh_run(tmp_path: Path) -> None:
    program = """\
import sys
with open("count", "a") as stream:
    stream.write("x")
value = int(sys.argv[1])
with open("count") as stream:
    times = len(stream.read())
assert times == 1
print(1 // value)
"""
    result = causes(tmp_path, program, "0", "1", "prog.py:5", check="exception")
    assert told(result.chain[0]) == [("value", "1", "0")]
    assert not (tmp_path / "count").exists()


def test_a_new_object_in_a_local_variable(tmp_path: Path) -> None:
    program = """\
import sys

class Point:
    __slots__ = ("x", "y")
    def __init__(self, x, y):
        self.x, self.y = x, y

def work(name, point):
    label = name.upper()
    if point is None:
        return label
    raise ValueError(point.x + point.y)

print(work(sys.argv[1], Point(1, 2) if sys.argv[1] == "a" else None))
"""
    result = causes(tmp_path, program, "a", "b", "prog.py:9", check="exception")
    assert told(result.chain[0]) == [("point", "None", "Point(x: 1, y: 2)")]
    assert result.chain[0].differences == 2, "name and point, which is whole"


def test_what_cannot_be_made_is_told(tmp_path: Path) -> None:
    program = """\
import sys
if sys.argv[1] == "bad":
    source = open(__file__)
else:
    source = None
print("begun")
assert source is None
"""
    with pytest.raises(NotReducible) as raised:
        causes(tmp_path, program, "bad", "good", "prog.py:6")
    assert raised.value.slug == "no-cause"


def test_a_program_that_prints_nothing_when_it_passes(tmp_path: Path) -> None:
    program = "import sys\nvalue = sys.argv[1]\nassert value != 'bad'\n"
    result = causes(tmp_path, program, "bad", "good", "prog.py:3")
    assert told(result.chain[0]) == [("value", "'good'", "'bad'")]


ENDLESS = """\
import sys
sys.setrecursionlimit(150)
def down(n, step):
    if n == 0:
        return 0
    return down(n - step, step)
number, step = map(int, sys.argv[1:])
down(number, step)
"""


def test_an_endless_recursion_is_refused_for_what_it_is(tmp_path: Path) -> None:
    """What looks at it takes levels of it, so that it ends at another depth."""
    with pytest.raises(NotReducible, match="recurses without end") as raised:
        causes(tmp_path, ENDLESS, "2 -1", "2 1", "prog.py:8")
    assert raised.value.slug == "not-reproducible"


def test_a_search_that_ends_early_says_so(room: Room) -> None:
    room.program(ACCOUNTS)
    inputs = ("--fail", "bob=5", "--pass", "bob=6", "--at", "prog.py:18")
    run = room.stripe("causes", "prog.py", *inputs, "--max-tests", "1")
    assert run.status == 0, run
    assert "Nothing was found before the search ended." in run.out
    assert "no: the limit of tests was reached" in run.out
    assert "--resume" in run.err
    run = room.stripe("causes", "prog.py", *inputs, "--resume")
    assert run.status == 0, run
    assert "yes, each" in run.out


def test_many_things_are_no_hurry(tmp_path: Path) -> None:
    """Looking takes longer than the program may; and too many pairs match for cliques."""
    program = """\
import sys
cells = [[n] for n in range(1500)]
cells[int(sys.argv[1])][0] = 0
found = [1 // each[0] for each in cells[1:]]
"""
    result = causes(tmp_path, program, "700", "0", "prog.py:4")
    assert told(result.chain[0]) == [("cells[700][0]", "700", "0")]


def test_refusals(tmp_path: Path) -> None:
    program = "import sys\nprint(1 // int(sys.argv[1]))\n"
    for failing, passing, at, slug in (
        ("0", "0", "", "passing-fails"),
        ("0", "1", "prog.py:2", "no-cause"),
        ("0", "1", "prog.py:3", "no-moment"),
    ):
        with pytest.raises((NotReducible, UsageError)) as raised:
            causes(tmp_path, program, failing, passing, at)
        assert raised.value.slug == slug


def test_a_command_line_that_cannot_be_understood(room: Room) -> None:
    program = room.program("print(1)\n")
    both = ("--fail", "1", "--pass", "2")
    for words, slug in (
        ((program, "--fail", "1"), "no-inputs"),
        ((program, *both, "--at", "prog.py"), "bad-option"),
        ((program, "--fail", "'", "--pass", "2"), "bad-option"),
        ((program, "--fail", "< missing", "--pass", "2"), "no-input"),
        ((program, *both, "--check", "var:x@prog.py:1"), "bad-check"),
    ):
        room.stripe("causes", *words).refused(slug, status=2)


@pytest.mark.parametrize(
    ("text", "arguments", "stdin"),
    [
        ("", (), b""),
        ("11 'a b' \"<\"", ("11", "a b", "<"), b""),
        ("x < FILE", ("x",), b"text"),
        ("<FILE -y", ("-y",), b"text"),
    ],
)
def test_inputs_are_written_as_for_a_shell(tmp_path, text, arguments, stdin):
    file = tmp_path / "in"
    file.write_bytes(b"text")
    found = read_input("--fail", text.replace("FILE", str(file)))
    assert (found.arguments, found.stdin) == (arguments, stdin)


def test_moments_are_written_with_their_count():
    assert moment("./a/b.py:7") == Moment("a/b.py", 7, 1)
    assert moment("b.py:7#12") == Moment("b.py", 7, 12)


SLOW = """\
import sys, time

def share(size, last):
    rest = last - 1
    last = None
    found = []
    time.sleep(0.05)
    found.append(size // rest)
    return found

print(share(*map(int, sys.argv[1:])))
"""


def test_a_search_that_was_ended_twice_goes_on(room: Room) -> None:
    """What it has found is told, if it was not killed at once; then it goes on."""
    room.program(SLOW)
    words = ("causes", "prog.py", "--fail", "5 1", "--pass", "6 3", "--check", "exception")

    def ended(number: signal.Signals, after: int, *more: str) -> tuple[int, bytes]:
        process = room.start(*words, "-q", *more)
        with room.never_outlived_by(process):
            wait_until(lambda: outcomes(room) >= after or process.poll() is not None)
            process.send_signal(number)
            out, _ = process.communicate(timeout=PATIENCE)
        return process.returncode, out

    status, out = ended(signal.SIGTERM, 5)
    assert status == 143
    assert b"was 1 instead of 3" in out
    assert b"no: interrupted" in out
    room.must_be_clean()
    first = outcomes(room)
    ended(signal.SIGKILL, first + 3, "--resume")
    wait_until(lambda: not room.processes())
    for left in room.tmp.iterdir():  # kill -9 leaves the scratch directory: see the README
        room.remove(left)
    second = outcomes(room)
    assert second >= first + 3
    run = room.stripe(*words, "--resume", "--json", "out.json", writes=("out.json",))
    assert run.status == 0, run
    result = json.loads((room.work / "out.json").read_text())
    assert result["certified"]
    resumed = result["tests"]["resumed"]
    assert second >= resumed >= 3, "all but what the certificate rests on"
    assert f"from before  {resumed} more" in run.out
    assert outcomes(room) == 0


HASHED = """
import sys

def place(key):
    return len(key) % 4

table = [None] * 4
for key in ("ab", "cd", "efg", "h"):
    table[place(key)] = key
wanted = sys.argv[1]
found = table[place(wanted)]
if found != wanted:
    raise KeyError(wanted)
"""


def test_where_both_runs_make_the_mistake_it_is_told_that_nothing_differs_up_to_there(
    tmp_path: Path,
) -> None:
    """The table is wrong in both; what differs is what is looked for in it."""
    result = causes(tmp_path, HASHED, "ab", "cd", check="exception")
    assert result.steps[0].line > 10
    (alike,) = (each for each in result.notes if each.startswith("No variable"))
    assert "is the same in both runs, right or wrong" in alike


def test_where_the_runs_differ_early_nothing_of_the_kind_is_told(tmp_path: Path) -> None:
    text = "import sys\nwanted = sys.argv[1]\n" + HASHED.partition("wanted =")[0]
    text += "if wanted == 'ab':\n    raise KeyError(wanted)\n"
    result = causes(tmp_path, text, "ab", "cd", check="exception")
    assert not any(each.startswith("No variable") for each in result.notes)


def test_the_memory_graph_of_one_run(room: Room) -> None:
    room.program(ACCOUNTS)
    asked = ("causes", "prog.py", "--graph", "prog.py:12#3", "--fail", "ann=3 bob=5")
    drawn = room.stripe(*asked, "--picture", "state.svg", writes=("state.svg",))
    assert drawn.status == 0, drawn
    assert drawn.out.startswith("── the state of prog.py before prog.py:12#3: ")
    assert (
        drawn.out.partition("\n")[2]
        == """\
on the stack: change:12 from prog.py:16
change
  name   'bob'
  limit  '5'
  each   (1)
global variables of __main__
  accounts  (2)
  word      'bob=5'
(1) Account
  name   'ann'
  limit  3
(2) list
  [0]  (1)
  [1]  (3)
(3) Account
  name   'bob'
  limit  20
"""
    )
    picture = (room.work / "state.svg").read_text()
    assert ">change<" in picture
    assert ">&#39;bob&#39;<" in picture
    assert "equal" not in picture
    assert "only when it passes" not in picture, "there is one run"
    dot = room.stripe(*asked, "--picture", "state.dot", writes=("state.dot",))
    assert dot.status == 0, dot
    assert (room.work / "state.dot").read_text().startswith("digraph state {")
    never = room.stripe("causes", "prog.py", "--graph", "prog.py:12#3", "--fail", "ann=3")
    assert never.status == 2
    assert "The run never comes to prog.py:12#3. [no-moment]" in never.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--at", "a.py:1"], "--at does not go with --graph"),
        (["--max-tests", "3"], "--max-tests does not go with --graph"),
        (["--check", "stdout"], "--check does not go with --graph"),
        (["--json", "-"], "--json does not go with --graph"),
        (["--fail", "1", "--pass", "2"], "--fail and --pass name 2"),
        (["more"], "--graph needs one program"),
        (["--graph", "a.py"], "--graph a.py: this is no place in a program"),
    ],
)
def test_what_does_not_go_with_one_run_is_refused_by_name(words: list[str], told: str) -> None:
    with pytest.raises(UsageError) as error:
        run(["a.py", "--graph", "a.py:1", *words])
    assert told in str(error.value)


BRANCHES = """\
import sys

numbers = [int(each) for each in sys.argv[1:]]
if numbers[0] < 0:
    size = 1
    for number in range(9):
        size = size + number
    print(size)
else:
    size = numbers[0] - 5
    print(100 // size)
"""


def test_of_inputs_that_pass_the_nearest_is_taken(tmp_path: Path) -> None:
    """By the path of its run, then by what it is: `-1` takes the other branch."""
    (tmp_path / "prog.py").write_text(BRANCHES)
    found = find_causes(
        "prog.py",
        failing=read_input("--fail", "5 77"),
        passing=[read_input("--pass", each) for each in ("-1 77", "8 12", "6 77")],
        directory=tmp_path,
        at=moment("prog.py:11"),
    )
    assert found.passing.input == "6 77"
    assert found.notes[0].startswith("Of 3 inputs that pass, 6 77 is compared")
    assert [told(each) for each in found.chain] == [[("size", "1", "0")]]
    assert not any("little in common" in each for each in found.notes)


def test_runs_with_little_in_common_are_told(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text(BRANCHES.replace("range(9)", "range(99)"))
    found = find_causes(
        "prog.py",
        failing=read_input("--fail", "5"),
        passing=read_input("--pass", "-1"),
        directory=tmp_path,
        at=moment("prog.py:4"),
    )
    (note,) = (each for each in found.notes if "little in common" in each)
    assert "3 of 5 moments" in note


def test_of_several_inputs_the_one_that_fails_is_named(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text(BRANCHES)
    with pytest.raises(NotReducible) as error:
        find_causes(
            "prog.py",
            failing=read_input("--fail", "5 77"),
            passing=[read_input("--pass", each) for each in ("6 77", "5 12")],
            directory=tmp_path,
        )
    assert error.value.slug == "passing-fails"
    assert "--pass '5 12': The run that should pass fails" in str(error.value)
