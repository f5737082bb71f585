"""What was not recorded does not happen: calls, resumptions, completed statements, imports."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from stripe.backend import End, Observation, Recording
from tests.support.recordings import recorded
from tests.support.tables import tables

WAYS = [(False, False), (True, True)]
"""Strict, and in a fresh process, or neither; ``test_fork_equals_fresh`` has the other ways."""


def without(recording: Recording, *places: str, control: bool = False) -> tuple[int, ...]:
    """All events but those of the statements at ``file:line`` and what cannot be without them."""
    trace = recording.trace

    def place(event: int) -> str:
        statement = trace.statements[trace.statement[event]]
        return f"{trace.files[statement.file].path}:{statement.line}"

    found = {place(event) for event in range(len(trace))}
    assert set(places) <= found, found
    return trace.close(
        (event for event in range(len(trace)) if place(event) not in places), control=control
    )


def each_way(recording: Recording, *places: str) -> Iterator[Observation]:
    for strict, fresh in WAYS:
        kept = without(recording, *places, control=strict)
        with recording.replay(kept, strict=strict, fresh=fresh) as run:
            yield run


TABLES = tables(__file__)
UNRECORDED = TABLES["unrecorded"] | TABLES["caught"]


@pytest.mark.parametrize("name", UNRECORDED)
def test_what_the_recorded_run_did_not_do_ends_the_replay(name, tmp_path):
    """A call of user code; what untraced code makes of it that nothing is raised."""
    source, place, why = UNRECORDED[name]
    with recorded(tmp_path, source) as recording:
        for run in each_way(recording, place):
            assert (run.end, run.detail) == (End.DIVERGED, why)


LEAVING = """\
def inside(here):
    with here:
        yield
import contextlib
unused = 1
for _ in inside(contextlib.nullcontext()):
    print("inside")
steps = inside(contextlib.nullcontext())
next(steps)
next(steps, None)
print("end")
"""


def test_a_generator_goes_on_to_leave_a_with_behind_its_last_event(tmp_path):
    with recorded(tmp_path, LEAVING) as recording:
        for run in each_way(recording, "prog.py:5"):
            assert (run.end, run.stdout, run.detail) == (End.EXITED, b"inside\nend\n", "")


LANDING = TABLES["landing"]


@pytest.mark.parametrize("name", LANDING)
def test_control_goes_where_the_recorded_run_landed_without_what_raised(name, tmp_path):
    source, place, output = LANDING[name]
    with recorded(tmp_path, source) as recording:
        for run in each_way(recording, place):
            assert (run.end, run.stdout, run.stderr) == (End.EXITED, output.encode(), b""), (
                run.detail
            )


RUNNER = """\
import contextlib, sys
import cases
kept = []
for name, test in list(vars(cases).items()):
    if name.startswith('test'):
        try:
            test()
        except BaseException as error:
            %s
if kept:
    raise kept[0]
print('passed')
"""


@pytest.mark.parametrize(
    ("catching", "cases", "end"),
    [
        ("kept.append(error)", "def test_it():\n    raise ValueError\n", End.EXITED),
        ("kept.append(error)",
         "def fail():\n    raise ValueError\ndef test_it():\n    fail()\n", End.EXITED),
        ("kept.append(error)",
         "def test_a():\n    raise ValueError\ndef test_b():\n    raise KeyError\n", End.EXITED),
        ("kept.insert(0, error)",
         "def test_a():\n    raise ValueError\ndef test_b():\n    raise KeyError\n", End.DIVERGED),
        ("kept.append(OSError())", "def test_it():\n    raise ValueError\n", End.DIVERGED),
        ("print(error)", "def test_it():\n    raise ValueError\n", End.DIVERGED),
    ],
    ids=["it ends with that", "from another function", "of the first", "not of the first",
         "another one", "it goes on"],
)  # fmt: skip
def test_what_untraced_code_only_keeps_for_the_end_may_be_left_out(catching, cases, end, tmp_path):
    """As runners of tests do: what raised is left out, and the test has not failed."""
    files = {"runner.py": RUNNER % catching, "cases.py": cases}
    with recorded(tmp_path, files=files, name="runner.py", exclude=("runner.py",)) as recording:
        for run in each_way(recording, "cases.py:2"):
            assert (run.end, run.stderr, run.exception) == (end, b"", None), run.detail
            assert run.status == (end is End.DIVERGED)


def test_a_loop_ends_as_planned_without_what_ends_its_iterator(tmp_path):
    source, place, _ = UNRECORDED["an iterator that ends"]
    source = source.replace("print(list(Numbers()))", "for each in Numbers():\n    print(each)")
    with recorded(tmp_path, source) as recording:
        kept = without(recording, place)
        with recording.replay(kept) as run:
            assert (run.end, run.stdout) == (End.EXITED, b"1\n0\n")


UTIL = "TABLE = {'a': 1}\nprint('util')\ndef conv(x):\n    return TABLE[x]\n"
IMPORTS = {
    "by a library": ("import lib\nprint(lib.util.conv('a'))\n", {"lib.py": "import util\n"}),
    "by a library after the program": (
        "import util\nimport lib\nprint(util.conv('a'))\n",
        {"lib.py": "import util\n"},
    ),
    "by a library that can do without": (
        "import lib\nprint(lib.util and lib.util.conv('a'))\n",
        {"lib.py": "try:\n    import util\nexcept ImportError:\n    util = None\n"},
    ),
    "by a library, later": (
        "import lib\nprint(lib.load().conv('a'))\n",
        {"lib.py": "import importlib\ndef load():\n    return importlib.import_module('util')\n"},
    ),
    "by a library's library": (
        "import lib\nprint(lib.more.util.conv('a'))\n",
        {
            "lib.py": "from lib_more import *\nimport lib_more as more\n",
            "lib_more.py": "import util\n",
        },
    ),
}


def test_what_is_resumed_by_one_statement_is_as_often_as_recorded(tmp_path):
    """Within its last statement, after one in which it was resumed as well."""
    source = (
        "def numbers():\n    print((yield 1), (yield 2))\n"
        "    print((yield 3), (yield 4), (yield 5))\n"
        "found = numbers()\nother = 1\nprint([next(found) for _ in range({count})])\n"
    )
    for count in (4, 5):
        with recorded(tmp_path, source.format(count=count)) as recording:
            for run in each_way(recording, "prog.py:5"):
                assert (run.end, run.stdout) == (End.EXITED, recording.plain.stdout)


def test_a_program_ends_without_the_statement_that_ended_it(tmp_path):
    with recorded(tmp_path, "print(1)\nprint(2)\n1 / 0\n") as recording:
        kept = without(recording, "prog.py:3")
        with recording.replay(kept) as run:
            assert (run.end, run.status, run.stdout) == (End.EXITED, 0, b"1\n2\n")


@pytest.mark.parametrize("name", IMPORTS)
def test_what_a_module_does_has_no_effect_unless_kept_whoever_imports_it(name, tmp_path):
    source, files = IMPORTS[name]
    with recorded(
        tmp_path, source, files={"util.py": UTIL, **files}, exclude=["lib*"]
    ) as recording:
        assert recording.plain.stdout == b"util\n1\n"
        for run in each_way(recording, "util.py:2"):
            assert (run.end, run.stdout) == (End.EXITED, b"1\n")
        for run in each_way(recording, "util.py:1"):
            assert b"NameError: name 'TABLE'" in run.stderr
        for run in each_way(recording, "util.py:3"):
            assert b"AttributeError" in run.stderr


def test_a_package_whose_module_is_a_library(tmp_path):
    files = {
        "pkg/__init__.py": "print('package')\nfrom . import user\n",
        "pkg/user.py": "print('user')\n",
        "pkg/lib.py": "VALUE = 1\n",
    }
    source = "import pkg.lib\nprint(pkg.lib.VALUE)\n"
    with recorded(tmp_path, source, files=files, exclude=["pkg/lib.py"]) as recording:
        assert recording.plain.stdout == b"package\nuser\n1\n"
        for run in each_way(recording, "pkg/__init__.py:1"):
            assert (run.end, run.stdout) == (End.EXITED, b"user\n1\n")
        for run in each_way(recording, "pkg/user.py:1"):
            assert (run.end, run.stdout) == (End.EXITED, b"package\n1\n")


def test_a_module_that_another_statement_imports_first(tmp_path):
    """Its own import was left out, and with that all that the module did."""
    source = "import util\nimport lib\nprint(lib.util.__name__)\n"
    files = {"util.py": UTIL, "lib.py": "import util\n"}
    with recorded(tmp_path, source, files=files, exclude=["lib*"]) as recording:
        for run in each_way(recording, "prog.py:1"):
            assert (run.end, run.stdout) == (End.EXITED, b"util\n")


LATE = TABLES["late"]


@pytest.mark.parametrize("name", LATE)
def test_what_comes_at_its_own_time_may_come_by_another_event(name, tmp_path):
    source, place, output = LATE[name]
    with recorded(tmp_path, source) as recording:
        for run in each_way(recording, place):
            assert (run.end, run.stdout) == (End.EXITED, output.encode()), run.detail


def test_the_whole_run_may_do_what_was_not_recorded(tmp_path):
    """Such as what an object does that dies when the interpreter ends, as it always did."""
    source = "class Thing:\n    def __del__(self):\n        print('dead')\nthing = Thing()\n"
    with recorded(tmp_path, source) as recording:
        assert recording.plain.stdout == b"dead\n"
        with recording.replay(range(len(recording.trace))) as run:
            assert run.stdout == b"dead\n"
