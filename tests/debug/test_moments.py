"""Any moment of a run, against what a plain run prints there."""

from __future__ import annotations

import ast
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from stripe import trace
from stripe.backend import Inquiry, Journey, Target, TimeTravel, TravelError, choose_backend
from stripe.cli.debug import travel
from stripe.debug.breakpoints import LineBreakpoint
from stripe.debug.critical import kept_events
from stripe.debug.session import Session
from stripe.errors import NotReducible, UsageError

PROGRAMS = int(os.environ.get("STRIPE_TEST_PROGRAMS", "4"))
SEED = int(os.environ.get("STRIPE_TEST_SEED", "1"))

MEAN = """\
def mean(values):
    total = 0
    for value in values:
        total += value
    return total / len(values)

def report(groups):
    for name, values in groups.items():
        print(name, mean(values))

report({"a": [1, 2, 3], "b": [4], "c": []})
"""


@contextmanager
def travelled(folder: Path, text: str, **more: object) -> Iterator[Journey]:
    """A journey through a program."""
    (folder / "prog.py").write_text(text)
    target = Target("prog.py", directory=folder, **more)  # type: ignore[arg-type]
    backend = choose_backend(target)
    assert isinstance(backend, TimeTravel)
    journey = backend.travel(target)
    try:
        yield journey
    finally:
        journey.close()


def refusal(folder: Path, text: str) -> NotReducible:
    with pytest.raises(NotReducible) as caught, travelled(folder, text):
        pass
    return caught.value


def value(journey: Journey, expression: str, frame: int = 0) -> str:
    return str(journey.inspect(Inquiry(frame, "expression", expression))["value"]["text"])


def generated(chance: random.Random) -> str:
    """A program that prints its variables at some lines, each line with a number of its own."""
    lines = ["import random", f"random.seed({chance.randrange(99)})", "items = []"]
    marks = iter(range(1000))

    def block(depth: int, indent: str) -> None:
        for _ in range(chance.randint(2, 4)):
            kind = chance.choice(["set", "set", "mark", "loop", "if", "try", "call", "draw"])
            if kind == "set" or depth == 0:
                name = chance.choice("abc")
                lines.append(f"{indent}{name} = (a * {chance.randint(2, 7)} + b - c) % 101")
            elif kind == "draw":
                lines.append(f"{indent}b = random.randrange(50)")
            elif kind == "mark":
                lines.append(f"{indent}print('@{next(marks)}', (a, b, c, len(items)))")
            elif kind == "call" and indent[4:]:
                lines.append(f"{indent}items.append(sum(x for x in counted(a % 5)))")
            elif kind == "try":
                lines.append(f"{indent}try:")
                lines.append(f"{indent}    c = 10 // (a % 3)")
                lines.append(f"{indent}except ZeroDivisionError:")
                lines.append(f"{indent}    c = -1")
            else:
                head = f"for i in range({chance.randint(1, 4)}):" if kind == "loop" else "if b % 2:"
                lines.append(indent + head)
                block(depth - 1, indent + "    ")
        lines.append(f"{indent}print('@{next(marks)}', (a, b, c, len(items)))")

    lines += ["def counted(n):", "    for k in range(n):", "        yield k * n", "def f(a, b, c):"]
    block(3, "    ")
    lines += ["    return a", "a, b, c = 1, 2, 3", "for turn in range(6):", "    a = f(a, b, turn)"]
    block(2, "    ")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("seed", range(SEED, SEED + PROGRAMS))
def test_no_value_differs_from_what_a_plain_run_prints(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    text = generated(chance)
    (tmp_path / "prog.py").write_text(text)
    plain = subprocess.run(
        [sys.executable, "prog.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    printed: dict[str, list[tuple[str, int]]] = {}
    place = 0
    for row in plain.splitlines(keepends=True):
        mark, _, values = row.partition(" ")
        printed.setdefault(mark, []).append((values.strip(), place))
        place += len(row)
    with travelled(tmp_path, text) as journey:
        found = []
        for number, line in enumerate(text.splitlines(), 1):
            mark = line.strip().removeprefix("print('").partition("'")[0]
            if mark in printed:
                events = journey.events_at("prog.py", number)
                assert len(events) == len(printed[mark])
                found += list(zip(events, printed[mark], strict=True))
        for event, (values, place) in chance.sample(found, min(25, len(found))):
            journey.go(event)
            assert value(journey, "random.seed(0), items.clear()") == "(None, None)"
            assert value(journey, "(a, b, c, len(items))") == values
            assert journey.output()[0].decode() == plain[:place]


PATH_OF = """\
import os, sys
path, depth = [], 0
def line(code, number):
    if code.co_filename == sys.argv[1]: path.append((number, depth))
def enter(code, *_):
    global depth
    depth += code.co_filename == sys.argv[1]
def leave(code, *_):
    global depth
    depth -= code.co_filename == sys.argv[1]
tool, events = sys.monitoring, sys.monitoring.events
with open(sys.argv[1]) as stream: program = compile(stream.read(), sys.argv[1], "exec")
tool.use_tool_id(3, "test")
tool.register_callback(3, events.LINE, line)
for each in (events.PY_START, events.PY_RESUME, events.PY_THROW):
    tool.register_callback(3, each, enter)
for each in (events.PY_RETURN, events.PY_YIELD, events.PY_UNWIND):
    tool.register_callback(3, each, leave)
output, sys.stdout = sys.stdout, open(os.devnull, "w")
tool.set_events(3, events.LINE | events.PY_START | events.PY_RESUME | events.PY_THROW
                | events.PY_RETURN | events.PY_YIELD | events.PY_UNWIND)
exec(program, {"__name__": "__main__"})
tool.set_events(3, 0)
print(path, file=output)
"""
"""A plain run that notes each line, and how many calls there are, in the simplest way."""


@pytest.mark.parametrize("seed", range(SEED, SEED + PROGRAMS))
def test_the_path_is_the_one_that_the_interpreter_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """In each stretch, from each checkpoint; and all passes of a line, in either direction."""
    text = generated(random.Random(seed)).replace("range(6)", "range(1500)")
    monkeypatch.setattr("stripe_pytrace.timetravel.STRETCH", 9_973)
    with travelled(tmp_path, text) as journey:
        told = subprocess.run(
            [sys.executable, "-c", PATH_OF, "prog.py"], cwd=tmp_path, capture_output=True,
            text=True, check=True,
        )  # fmt: skip
        path = ast.literal_eval(told.stdout)
        assert journey.total == len(path)
        lines = [journey.place(event)[1] for event in range(1, journey.total + 1)]
        assert lines == [line for line, _ in path]
        assert [*journey.depths] == [depth for _, depth in path]
        line = lines[journey.total // 2]
        passes = [event for event, each in enumerate(lines, 1) if each == line]
        assert [*journey.events_at("prog.py", line)] == passes
        back = journey.passes("prog.py", line, "a % 2", journey.total // 3, backwards=True)
        odd = [event for event, _ in journey.search(passes, "a % 2", backwards=True)]
        assert [event for event, _ in back] == [n for n in odd if n < journey.total // 3]


PHASES = """\
def down(n):
    if n:
        down(n - 1)
    mark = n
    return mark

def counted(n):
    for k in range(n):
        yield k

total = 0
for turn in range(40):
    for k in range(2_000):
        total += k
    if turn % 13 == 5:
        total += 1
    for one, other in zip(counted(9), counted(7)):
        total += one * other
    down(turn % 4)
assert not total
"""


def test_stretches_without_a_line_are_passed_over_and_no_pass_is(tmp_path: Path) -> None:
    """Lines of some turns only; and conditions where a function has several calls at once."""
    with travelled(tmp_path, PHASES) as journey:
        lines = [journey.place(event)[1] for event in range(1, journey.total + 1)]
        for line in {*lines}:
            passes = [event for event, each in enumerate(lines, 1) if each == line]
            assert [*journey.events_at("prog.py", line)] == passes, line
        for line, condition in ((16, "turn > 9"), (9, "k + n == 12"), (4, "n == 2"), (5, "mark")):
            events = journey.events_at("prog.py", line)
            held = [event for event, _ in journey.search(events, condition, backwards=True)]
            back = journey.passes("prog.py", line, condition, journey.total, backwards=True)
            assert [event for event, _ in back] == held != [], line
            ahead = journey.passes("prog.py", line, condition, 1, backwards=False)
            assert [event for event, _ in ahead] == held[::-1], line


def test_checkpoints_are_given_up_where_memory_is_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "total = 0\nfor n in range(200_000):\n    total += n\nassert not total\n"
    with travelled(tmp_path, text) as journey:
        passes = [*journey.events_at("prog.py", 3)]
        assert len(passes) == 200_000
        monkeypatch.setattr("stripe_pytrace.timetravel._memory_left", lambda: 0)
        for _ in range(4):
            back = journey.passes("prog.py", 3, "n % 50_000 == 0", 400_000, backwards=True)
            found = [event for event, _ in back]
            assert found == [passes[n] for n in (150_000, 100_000, 50_000, 0)]
        journey.go(passes[77_777])
        assert value(journey, "n") == "77777"


def test_begins_at_the_failure_and_steps_either_way(tmp_path: Path) -> None:
    with travelled(tmp_path, MEAN) as journey:
        session = Session(journey)
        assert [(call.function, call.line) for call in session.calls] == [
            ("mean", 5), ("report", 9), ("<module>", 11)]  # fmt: skip
        assert value(journey, "name, values", 1) == "('c', [])"
        session.step("in", backwards=True)
        assert session.calls[0].line == 3
        session.step("out", backwards=True)
        assert (session.calls[0].function, session.calls[0].line) == ("report", 9)
        session.step("over", backwards=True)
        assert session.calls[0].line == 8  # not into the calls of mean before
        session.step("over", backwards=True)
        assert value(journey, "name") == "'b'"
        session.step("in")
        session.step("in")
        session.step("in")
        assert (session.calls[0].function, value(journey, "values")) == ("mean", "[4]")


def test_breakpoints_with_conditions_are_found_in_either_direction(tmp_path: Path) -> None:
    with travelled(tmp_path, MEAN) as journey:
        session = Session(journey)
        session.breakpoints = [LineBreakpoint("value == 2", file="prog.py", line=4)]
        assert session.resume(backwards=True) == "breakpoint"
        assert value(journey, "(total, value)") == "(1, 2)"
        assert (session.resume(backwards=True), session.event) == ("entry", 1)
        assert session.resume() == "breakpoint"
        assert (session.resume(), session.event) == ("exception", journey.failure)
        session.breakpoints = [LineBreakpoint("nonsense > 1", file="prog.py", line=4)]
        with pytest.raises(TravelError, match="NameError"):
            session.resume(backwards=True)
        assert value(journey, "values") == "[]"  # where it was


def test_nothing_lasts_of_an_evaluation(tmp_path: Path) -> None:
    text = "x = [1]\ny = 2\nassert x == [2]\n"
    with travelled(tmp_path, text) as journey:
        journey.go(journey.failure)
        assert value(journey, "x.append(5) or x") == "[1, 5]"
        assert value(journey, "x") == "[1]"
        for harm in (
            "open('made', 'w')",
            "__import__('os').remove('prog.py')",
            "__import__('subprocess').run('true')",
            "__import__('os').mkdir('d')",
        ):
            with pytest.raises(TravelError, match="PermissionError"):
                value(journey, harm)
        assert value(journey, "[y for _ in x]") == "[2]"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["prog.py"]


def test_values_open_in_pages(tmp_path: Path) -> None:
    text = "class P:\n    def __init__(self): self.q = {'k': (1, 2)}\np = [P()] * 300\n1 / 0\n"
    with travelled(tmp_path, text) as journey:
        journey.go(journey.failure)
        scope = journey.inspect(Inquiry(0, "globals", opens=True))["parts"]
        at = [part["name"] for part in scope].index("p")
        assert scope[at]["parts"] == 300
        page = journey.inspect(Inquiry(0, "globals", path=(at,), opens=True, start=298, count=9))
        assert [part["name"] for part in page["parts"]] == ["[298]", "[299]"]
        inner = journey.inspect(Inquiry(0, "globals", path=(at, 7, 0, 0), opens=True))["parts"]
        assert [(part["name"], part["text"]) for part in inner] == [("[0]", "1"), ("[1]", "2")]


def test_a_file_that_is_read_is_read_anew_at_each_visit(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("one\ntwo\nthree\n")
    text = "f = open('data')\na = f.readline()\nb = f.readline()\nc = f.read()\nprint(a, b, c)\n"
    with travelled(tmp_path, text + "1 / 0\n") as journey:
        for _ in range(2):
            journey.go(5)
            assert value(journey, "a, b, c") == r"('one\n', 'two\n', 'three\n')"
            journey.go(3)
            assert value(journey, "f.readline()") == r"'two\n'"
            assert value(journey, "f.readline()") == r"'two\n'"


LINES_READ = """\
import sys
with open("data") as file:
    for line in file:
        other = sys.stdin.readline()
        number = int(line) - int(other)
assert number
"""


def test_each_process_reads_files_from_where_the_run_has_read_them(tmp_path: Path) -> None:
    """Checkpoints shared their places: with the run, as it went on, and with each other."""
    count = 60_000
    (tmp_path / "data").write_text("".join(f"{2 * n}\n" for n in range(count)))
    given = "".join(f"{n}\n" for n in range(count)).replace(f"{count - 1}\n", f"{2 * count - 2}\n")
    with travelled(tmp_path, LINES_READ, stdin=given.encode()) as journey:
        passes = [*journey.events_at("prog.py", 5)]
        assert len(passes) == count
        for n in (0, count // 3, count // 2, count - 1):
            journey.go(passes[n])
            assert value(journey, "line, other[:-1]") == repr((f"{2 * n}\n", given.split()[n]))
        for backwards in (False, True):
            start = journey.total if backwards else 1
            found = journey.passes(
                "prog.py", 5, "int(other) % 4999 == 7", start, backwards=backwards
            )
            wanted = [n for n, each in enumerate(given.split()) if int(each) % 4999 == 7]
            assert [event for event, _ in found] == [passes[n] for n in wanted][
                :: 1 - 2 * backwards
            ]


@pytest.mark.parametrize(
    ("text", "slug", "word"),
    [
        ("import time\nprint(time.time_ns())\n", "nondeterministic", "stdout"),
        (
            "import os\nn = os.urandom(8)[0] * 256 + os.urandom(1)[0]\nwhile n:\n    n -= 1\n",
            "nondeterministic",
            "prog.py:",
        ),
        ("import threading\nthreading.Thread(target=print).start()\n", "debug-threads", "thread"),
        ("open('made', 'w').write('x')\n", "leaves-files", "made"),
        (
            "def f(n): return f(n + 1)\ntry: f(0)\nexcept RecursionError: n = 5\nassert n == 6\n",
            "debug-recursion",
            "recursion limit",
        ),
        ("open('made', 'w')\n__import__('os').remove('made')\n", "leaves-files", "made"),
        (
            "import mmap\nm = mmap.mmap(-1, 8)\nfor n in range(90_000): m[0] = n % 9\n",
            "debug-shared",
            "shared memory",
        ),
        (
            "import os\nr, w = os.pipe()\nfor n in range(90_000):\n"
            "    os.write(w, b'x')\n    os.read(r, 1)\n",
            "debug-shared",
            "pipe",
        ),
        ("import asyncio\nloop = asyncio.new_event_loop()\n", "debug-shared", "eventpoll"),
        ("import os\nif os.fork(): os.wait()\nelse: os._exit(0)\n", "starts-processes", "process"),
    ],
)
def test_what_cannot_be_gone_back_in_is_refused_by_name(
    tmp_path: Path, text: str, slug: str, word: str
) -> None:
    error = refusal(tmp_path, text)
    assert error.slug == slug
    assert word in error.message
    assert error.hint


def test_a_program_that_is_none_of_python_is_told(tmp_path: Path) -> None:
    (tmp_path / "prog.pl").write_text("print 1;\n")
    with pytest.raises(UsageError) as refused:
        travel(Target("prog.pl", directory=tmp_path))
    assert refused.value.slug == "cannot-go-back"


def test_a_program_without_lines_that_count_is_told(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("")
    refused = pytest.raises((NotReducible, UsageError))
    with refused as caught, travelled(tmp_path, "print(1)\n", only=("other.py",)):
        pass
    assert caught.value.slug == "nothing-to-debug"


def test_a_slice_of_another_run_is_told(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text("a = 1\nprint(a)\n")
    found = trace("prog.py", directory=tmp_path, max_tests=5).to_json()
    (tmp_path / "slice.json").write_text(json.dumps(found))
    source = str(tmp_path / "slice.json")
    with travelled(tmp_path, "a = 1\nprint(a)\n") as journey:
        assert kept_events(source, "stdout", journey, tmp_path)
        with pytest.raises(UsageError) as refused:
            kept_events(source, "stderr", journey, tmp_path)
        assert refused.value.slug == "no-such-slice"
    with travelled(tmp_path, "a = 2\nprint(a)\n") as journey:
        with pytest.raises(UsageError) as refused:
            kept_events(source, "stdout", journey, tmp_path)
        assert refused.value.slug == "other-run"
