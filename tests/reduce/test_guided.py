"""The guided search: whatever the analysis says, the answer is certified by tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stripe.backend import Deadline, Target
from stripe.checks import parse_checks
from stripe.dd import Outcome, Reason, Search
from stripe.reduce import Result, Settings, reduce
from stripe.reduce.criterion import criterion_events, fits
from stripe.reduce.removal import Events
from stripe.reduce.result import CriticalSlice
from stripe_pytrace.backend import PythonBackend
from tests.support.fake import SAMPLE, SAMPLE_INPUT, FakeRecording, record
from tests.support.recordings import recorded

LIES = st.lists(
    st.tuples(
        st.lists(st.sampled_from(["sum", "mul", "a", "<stdin>"]), max_size=2),
        st.lists(st.sampled_from(["sum", "mul", "a", "*sum", "?a", "<stdout>"]), max_size=2),
    ),
    min_size=10,
    max_size=10,
)


def guided(recording: FakeRecording, check: str = "stdout", **settings: object) -> Result:
    return reduce(recording, parse_checks([check]), Settings(**settings))  # type: ignore[arg-type]


def with_flows(recording: FakeRecording, flows: Sequence[tuple[list[str], list[str]]]) -> None:
    recording.trace.statements = [
        replace(each, reads=tuple(reads), writes=tuple(writes))
        for each, (reads, writes) in zip(recording.trace.statements, flows, strict=True)
    ]


def is_minimal(recording: FakeRecording, result: Result) -> bool:
    """Whether every event of the answer is needed, by tests of our own."""
    (found,) = result.slices
    (check,) = parse_checks([found.check])
    criterion = check.reference(recording.recorded)

    def fails(events: Sequence[int]) -> bool:
        with recording.replay(recording.trace.close(events)) as seen:
            return criterion.judge(seen) is Outcome.FAIL

    return fails(found.events) and not any(
        fails([event for event in found.events if event != left]) for left in found.events
    )


@given(LIES)
@settings(max_examples=40)
def test_a_wrong_analysis_costs_tests_but_not_the_answer(flows):
    recording = record(SAMPLE, SAMPLE_INPUT)
    with_flows(recording, flows)
    result = guided(recording)
    assert result.slices[0].certified
    assert is_minimal(recording, result)


def test_an_analysis_that_would_not_end_in_time_is_not_begun(monkeypatch):
    monkeypatch.setattr("stripe.reduce.search.ANALYSING", 3600.0)
    recording = record(SAMPLE, SAMPLE_INPUT)
    with_flows(recording, [(["a"], ["sum"])] * 10)
    (found,) = guided(recording, deadline=Deadline(3600)).slices
    assert (found.stopped, found.tests, found.verified) == (Reason.MAX_TIME, 0, True)


def test_without_an_analysis_it_sweeps():
    recording = record(SAMPLE, SAMPLE_INPUT)
    result = guided(recording)
    assert result.slices[0].certified
    assert len(result.slices[0].events) == 16
    assert result.slices[0].tests < 60


@pytest.mark.parametrize("tests", [0, 1, 2, 5, 10])
def test_a_budget_ends_it_with_the_best_so_far(tests):
    recording = record(SAMPLE, SAMPLE_INPUT)
    found = guided(recording, max_tests=tests).slices[0]
    assert found.stopped is Reason.MAX_TESTS
    assert found.tests == tests
    assert not found.certified


def python(directory: Path, source: str, stdin: bytes, *checks: str, **settings: object) -> Result:
    (directory / "prog.py").write_text(dedent(source).strip() + "\n", "utf-8")
    parsed = parse_checks(checks)
    probes = [probe for each in parsed for probe in each.probes]
    jobs = int(settings.get("jobs", 1))  # type: ignore[call-overload]
    target = Target("prog.py", directory=directory, stdin=stdin, jobs=jobs)
    recording = PythonBackend().record(target, probes)
    try:
        return reduce(recording, parsed, Settings(**settings))  # type: ignore[arg-type]
    finally:
        recording.close()


HARD = {
    "aliases": "x = []\ny = x\ny.append(1)\nz = 0\nprint(x)",
    "exec": "exec('x = 1')\ny = 2\nprint(x)",
    "globals": "globals()['x'] = 1\ny = 2\nprint(x)",
    "setattr": ("class C: pass\nc = C()\nn = 'x'\nsetattr(c, n, 5)\nm = 3\nprint(getattr(c, 'x'))"),
    "printing by another name": "say = print\na = 1\nb = 2\nsay(a)",
    "nested containers": "a = [[0]]\nb = a[0]\nb.append(1)\nc = 3\nb[0] = 2\nprint(a)",
    "a long way round": "\n".join(
        ["x = []", "y = x", *[f"n{i} = {i}" for i in range(40)], "y.append(1)", "print(x)"]
    ),
}


@pytest.mark.parametrize("case", HARD)
def test_what_the_analysis_misses_is_found_by_testing(case, tmp_path):
    found = python(tmp_path, HARD[case], b"", "stdout")
    by_ddmin = python(tmp_path, HARD[case], b"", "stdout", algorithm="ddmin")
    assert found.slices[0].certified
    assert found.slices[0].verified
    assert len(found.slices[0].events) <= len(by_ddmin.slices[0].events)
    assert found.slices[0].tests <= by_ddmin.slices[0].tests


def test_the_first_fetch_of_a_loop_is_kept_though_its_iteration_is_not(tmp_path):
    source = """
    def show(x):
        print(x)
    for name in ["a", "b", "c"]:
        show(name)
    """
    found = python(tmp_path, source, b"", "stdout:/c/").slices[0]
    assert len(found.events) == 6  # def, three fetches, the call, the print
    assert found.tests == 7


def test_the_same_answer_with_two_jobs(tmp_path):
    source = "a = 0\nfor x in [1, 2, 3]:\n    a = a + x\n    b = x\nprint(a)\nprint('end')"
    one = python(tmp_path, source, b"", "stdout")
    two = python(tmp_path, source, b"", "stdout", jobs=2)
    assert one.slices[0].events == two.slices[0].events
    assert one.slices[0].tests == two.slices[0].tests


SORT = """
def sort(numbers):
    if len(numbers) < 2:
        return numbers
    first = numbers[0]
    small, large = [], []
    for number in numbers[1:]:
        if number < first:
            small.append(number)
        else:
            large.append(number)
    return sort(small) + [first] + sort(large)

seed = 19
numbers = []
for place in range(8):
    seed = seed * 7 % 31
    numbers.append(seed)
print(sort(numbers)[2])
"""


def test_what_may_be_asked_next_is_told(tmp_path, monkeypatch):
    """But where a step of the search begins for which much would have to be looked at."""
    told: set[Sequence[int]] = set()
    unforeseen: list[bool] = []

    def fails(search: Search[int], candidate: Events, ahead: Iterable[Events] = ()) -> bool:
        tester = search.tester
        asked = tester.closed(candidate)
        if tester.known(asked) is None:
            unforeseen.append(asked not in told)
            told.clear()
            told.update(map(tester.closed, ahead))
        return really_fails(search, candidate)

    really_fails = Search.fails
    monkeypatch.setattr(Search, "fails", fails)
    assert python(tmp_path, SORT, b"", "stdout", jobs=2).slices[0].certified
    assert len(unforeseen) > 150
    assert unforeseen[:2] == [True, False], "what follows the first guess is"
    assert sum(unforeseen) <= 5


CRITERIA = {
    "stdout": ("print(1)\nx = 2\nprint(x)", "1_1 3_3"),
    "stdout:/^two/": ("print('one')\nprint('two')", "2_2"),
    "stdout:/2/": ("for x in [1, 2]:\n    print(x)", "2_4"),
    "stderr": ("import sys\nprint(1)\nprint(2, file=sys.stderr)", "3_3"),
    "exception": ("x = 1\ny = 0\nprint(x)\nx / y\n", "4_4"),
    "exit": ("import sys\nprint(1)\nsys.exit(3)\n", "3_3"),
    "var:x@prog.py:3": ("x = 1\ny = 2\nz = x\n", "1_1 3_3"),
    "file:out": ("x = 1\nwith open('out', 'w') as f:\n    f.write('1')\nprint(x)", "2_2 3_3"),
}


@pytest.mark.parametrize("spec", CRITERIA)
def test_where_it_begins(spec, tmp_path):
    source, expected = CRITERIA[spec]
    (tmp_path / "prog.py").write_text(source, "utf-8")
    (check,) = parse_checks([spec])
    recording = PythonBackend().record(Target("prog.py", directory=tmp_path), check.probes)
    try:
        events = criterion_events(recording.trace, check.reference(recording.recorded))
        assert " ".join(map(recording.trace.name, events)) == expected
    finally:
        recording.close()


SHRUNK = "b = 0\nc = 0\ni = 0\nwhile i < 2:\n    c = b * c\n    i = i + 1\nprint(c)\n"
FLOWS = [([], ["b"]), ([], ["c"]), ([], ["i"]), (["i"], []), (["b", "c"], ["c"]), (["i"], ["i"]),
         (["c"], ["<stdout>"])]  # fmt: skip


def test_what_only_a_left_out_event_needed_goes_along():
    """The rounds go one by one, and with the second of them what nothing is multiplied by now."""
    recording = record(SHRUNK)
    with_flows(recording, FLOWS)
    (found,) = guided(recording).slices
    assert " ".join(map(recording.trace.name, found.events)) == "2_2 7_11"
    first = [(0, 1, 4, 7, 10), (0, 1, 4, 10), (0, 1, 10), (1, 10)]
    assert recording.replays[2:6] == first
    assert found.tests == len(first) + 2


ROUND = """\
stack = []
for item in ['a', 'b']:
    stack.append(item)
    if item == 'b':
        stack.append(0)
        stack.pop()
        stack.pop()
print(stack)
"""


def test_what_happened_in_a_round_goes_together(tmp_path):
    found = python(tmp_path, ROUND, b"", "stdout").slices[0]
    assert found.certified
    assert found.events == (0, 1, 2, 11)


def test_much_that_the_analysis_misses_is_found_in_few_tests(tmp_path):
    noise = [f"noise_{number} = {number}" for number in range(10)]
    appends = [line for number in range(20) for line in (*noise, f"exec('x.append({number})')")]
    source = "\n".join(["x = []", *appends, "print(x)"])
    found = python(tmp_path, source, b"", "stdout").slices[0]
    assert len(found.events) == 22
    assert found.tests <= 150


def test_what_a_crash_misses_is_looked_for():
    """The first guess is the last line alone, the next one what writes `x` as well."""
    recording = record("x = 1\n" + "".join(f"n{n} = {n}\n" for n in range(20)) + "print(x)\n")
    unread: list[str] = []
    written = ["x", *(f"n{n}" for n in range(20)), "<stdout>"]
    with_flows(recording, [(unread, [name]) for name in written])
    (found,) = guided(recording).slices
    assert (found.events, found.tests) == ((0, 21), 3)


def test_one_of_the_quoted_texts_in_a_line_is_enough():
    """Others may be formats, separators or keys."""
    assert fits("total: 3", ["total:", "amount"])
    assert fits("3", [])
    assert not fits("sum: 3", ["total:", "amount"])


def package(
    directory: Path, files: dict[str, str], check: str, only: tuple[str, ...] = ()
) -> CriticalSlice:
    for name, text in files.items():
        (directory / name).parent.mkdir(exist_ok=True)
        (directory / name).write_text(dedent(text), "utf-8")
    parsed = parse_checks([check])
    with recorded(directory, only=only) as recording:
        return reduce(recording, parsed, Settings()).slices[0]


def named(module: str) -> str:
    """A module with much in it, all of which it names."""
    names = [f"{module}{number}" for number in range(20)]
    return f"import pkg\n__all__ = {names}\n" + "".join(f"{name} = 1\n" for name in names)


NAMES = "\n".join(f"N{number} = {number}" for number in range(30))
NOISE = "\n".join(f"    def noise{number}(self):\n        pass" for number in range(20))
PACKAGES: dict[str, tuple[dict[str, str], str, int, int]] = {
    "all names of other modules": (
        {
            "pkg/__init__.py": "\n".join(f"from pkg.{name} import *" for name in "abcd"),
            **{f"pkg/{name}.py": named(name) for name in "abcd"},
            "prog.py": "import pkg\nprint(pkg.a3, pkg.d2)\n",
        },
        "stdout", 6, 10,
    ),
    "what another module has": (
        {
            "pkg/__init__.py": "",
            "pkg/config.py": NAMES,
            "pkg/use.py": "from pkg.config import N3, N4\n" + NAMES.replace("N", "T")
                          + "\nX = N3 + N4",
            "prog.py": "from pkg.use import X\nfrom pkg.config import N9\nprint(X + N9)\n",
        },
        "stdout", 8, 12,
    ),
    "the words of an exception": (
        {
            "prog.py": f"class Wrong(Exception):\n    def __init__(self, what):\n"
                       f"        super().__init__(what)\n        self.what = what\n"
                       f"    def __str__(self):\n        return 'wrong: ' + self.what\n{NOISE}\n"
                       "def run():\n    raise Wrong('all')\nrun()\n",
        },
        "exception", 8, 14,
    ),
    "what a base asks for": (
        {
            "prog.py": f"from abc import abstractmethod\nfrom collections.abc import Sized\n"
                       f"class Box(Sized):\n    def __len__(self):\n        return 3\n{NOISE}\n"
                       "    def told(self):\n        return 'told'\nprint(Box().told())\n",
        },
        "stdout", 6, 8,
    ),
    "what a decorator asks for": (
        {
            "prog.py": "from dataclasses import dataclass\n@dataclass\nclass Box:\n"
                       "    width: int\n    height: int = 2\n" + NOISE
                       + "\nprint(Box(3, 4).height)\n",
        },
        "stdout", 5, 7,
    ),
    "what the program caught": (
        {
            "prog.py": f"class Box:\n    pass\nbox = Box()\nnames = {{'it': box}}\n{NAMES}\n"
                       "def fill():\n    names['it'].told = 'told'\nfill()\ndef look(name):\n"
                       "    try:\n        return getattr(box, name)\n"
                       "    except AttributeError:\n        return 'untold'\nprint(look('told'))\n",
        },
        "stdout", 9, 11,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", PACKAGES)
def test_what_python_does_without_being_told_is_in_the_guess(case, tmp_path):
    files, check, kept, tests = PACKAGES[case]
    found = package(tmp_path, files, check)
    assert found.certified
    assert len(found.events) == kept
    assert found.tests <= tests


def test_what_a_program_that_is_not_recorded_asks_for_is_in_the_guess(tmp_path):
    lib = f"{NAMES}\nrate = 3\ndef get():\n    return 4\n"
    files = {"prog.py": "from lib import get, rate\nprint(get() * rate)\n", "lib.py": lib}
    found = package(tmp_path, files, "stdout", only=("lib.py",))
    assert found.certified
    assert (len(found.events), found.tests) <= (3, 4)
