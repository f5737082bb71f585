"""Replays of what a library runs are forked where the first event of the user's code is to come."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from stripe.backend import End, Observation, Target
from stripe.failing_run import HELPER, HELPER_FILES, environment
from stripe.sandbox.layers import find_layer
from stripe.sandbox.walls import Layer
from stripe_pytrace.agent.process.guard import CALLS
from stripe_pytrace.agent.snapshots.fork_point import RESTORED
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.host import AgentProcess
from stripe_pytrace.recording import AT_FIRST, ATTEMPTS, PythonRecording
from tests.stripe_pytrace.test_rewinding import told
from tests.support.patience import PATIENCE

RUNNER = """\
import os, random, sys, time
sum(range(3_000_000))
{before}
import prog
{after}
"""
"""What begins before the user's code does, as pytest."""

PROGRAM = """
    import sys
    total = 0
    for each in range(6):
        total += each
        print(each, total)
    print(sys.stdin.read())
    {end}
"""

FAILS, PRINTS = PROGRAM.format(end="assert total == 16, total"), PROGRAM.format(end="print(total)")
"""``FAILS`` reads its source when it prints its traceback."""


@contextmanager
def recorded(
    folder: Path, monkeypatch: pytest.MonkeyPatch, source: str, before: str = "", after: str = ""
) -> Iterator[PythonRecording]:
    project, library = folder / "project", folder / "library"
    project.mkdir()
    library.mkdir()
    (library / "runner.py").write_text(RUNNER.format(before=before, after=after))
    (project / "prog.py").write_text(dedent(source))
    monkeypatch.setenv("PYTHONPATH", str(library))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # a run that writes files is another one
    target = Target("runner", (), True, project, stdin=b"0123456789", exclude=(f"{library}/*",))
    recording = PythonBackend().record(target)
    assert isinstance(recording, PythonRecording)
    try:
        yield recording
    finally:
        recording.close()


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What was told of replays that were asked to begin at the first event."""
    heard: list[dict[str, Any]] = []
    ask = AgentProcess.ask

    def noted(self: AgentProcess, request: Any) -> dict[str, Any]:
        facts = ask(self, request)
        if "fork_point" in request:
            heard.append(facts)
        return facts

    monkeypatch.setattr(AgentProcess, "ask", noted)
    return heard


@cache
def can_restore() -> bool:
    """Whether this system can put a process back."""
    try:
        return bool(told("return number"))
    except pytest.skip.Exception:
        return False


def restored(answers: list[dict[str, Any]]) -> int:
    """How many replays were made in a process that is put back after each."""
    return sum(each.get("uses", {}).get(RESTORED, (0, 1))[0] for each in answers)


def seen(run: Observation) -> tuple[object, ...]:
    return run.end, run.status, run.stdout, run.stderr, run.detail


def replayed(recording: PythonRecording, events: Any, **how: bool) -> tuple[object, ...]:
    with recording.replay(events, **how) as run:
        return seen(run)


def warmed(recording: PythonRecording) -> range:
    """The program's events, after the replays that begin at the beginning."""
    everything = range(len(recording.trace))
    for _ in range(AT_FIRST):
        replayed(recording, everything)
    return everything


@pytest.mark.parametrize(
    "before",
    [
        "",
        "print('from the runner', flush=True)",
        "sys.stdout.write('not flushed')",
        "sys.stdin.read(3)",
        "again = os.dup(2); nothing = open(os.devnull, 'w'); here = open(__file__)",
    ],
)
@pytest.mark.parametrize("source", [FAILS, PRINTS], ids=["fails", "prints"])
def test_a_replay_is_what_one_from_the_beginning_is(source, before, tmp_path, monkeypatch, answers):
    with recorded(tmp_path, monkeypatch, source, before) as recording:
        everything = warmed(recording)
        del answers[:]
        assert replayed(recording, everything) == seen(recording.plain)
        chance = random.Random(before)
        for share in (0.3, 0.6, 0.9):
            kept = recording.trace.close(each for each in everything if chance.random() < share)
            for strict in (False, True):
                runs = [replayed(recording, kept, strict=strict) for _ in range(AT_FIRST + 2)]
                assert {replayed(recording, kept, strict=strict, fresh=True)} == {*runs[AT_FIRST:]}
        assert len(answers) > 6
        assert all(each["end"] != "lost" for each in answers)


MEDDLING = """
    import fcntl, os, sys
    print(fcntl.fcntl(1, fcntl.F_GETFL) & os.O_APPEND > 0, os.lseek(1, 0, os.SEEK_CUR))
    print(sys.stdin.read(4), fcntl.fcntl(0, fcntl.F_GETFL) & os.O_NONBLOCK)
    sys.stdout.flush()
    sys.stdout.buffer.raw.truncate(9)
    for each in (0, 1):
        fcntl.fcntl(each, fcntl.F_SETFL, os.O_NONBLOCK)
"""


def test_what_a_run_does_with_its_files_is_not_there_for_the_next(tmp_path, monkeypatch, answers):
    with recorded(tmp_path, monkeypatch, MEDDLING, "print('first', flush=True)") as recording:
        everything = warmed(recording)
        del answers[:]
        for _ in range(3):
            assert replayed(recording, everything) == seen(recording.plain)
        assert [each["end"] for each in answers] == ["exited"] * 3


REMEMBERS = """
    import sys
    kept = sys.modules.setdefault("kept", [])
    kept.append(1)
    for number in range(3_000):
        kept.append(str(number))
    print(len(kept), [sys.getrecursionlimit()])
"""

LEAVES_OPEN = """
    import os
    stream = open(__file__)
    print(stream.fileno(), len(stream.read()), sorted(os.listdir()))
"""

WRITES = """
    with open("written", "w") as stream:
        print(stream.write("1"))
"""

CLOSES = """
    import os
    os.close(0)
    print(open(__file__).fileno())
"""


@pytest.mark.parametrize(
    ("source", "back"),
    [(REMEMBERS, True), (LEAVES_OPEN, True), (FAILS, True), (WRITES, False), (CLOSES, False)],
    ids=["remembers", "leaves-open", "fails", "writes", "closes"],
)
def test_what_a_run_has_changed_in_memory_is_put_back(source, back, tmp_path, monkeypatch, answers):
    """Where it changes what the kernel knows of its process, it is made anew in a fork."""
    with recorded(tmp_path, monkeypatch, source) as recording:
        everything = warmed(recording)
        del answers[:]
        for _ in range(8):
            assert replayed(recording, everything) == seen(recording.plain)
        assert restored(answers) >= 3 if back and can_restore() else not restored(answers)
        recording.without = {RESTORED}
        del answers[:]
        assert replayed(recording, everything) == seen(recording.plain)
        assert answers
        assert not restored(answers)


ENDLESS = """
    import threading, time
    lock = threading.Lock()
    lock.acquire()
    lock.release()
    lock.acquire()
    until = 1
    until = 0
    print(sum(iter(int, until)))
    seconds = 100
    seconds = 0
    time.sleep(seconds)
"""


@pytest.mark.parametrize(
    ("left_out", "end"),
    [("until = 0", End.TIMEOUT), ("seconds = 0", End.TIMEOUT), ("lock.release()", End.BLOCKED)],
)
def test_a_run_in_a_process_that_is_put_back_has_the_limits_of_any_other(
    left_out, end, tmp_path, monkeypatch, answers
):
    with recorded(tmp_path, monkeypatch, ENDLESS) as recording:
        everything = warmed(recording)
        for _ in range(6):
            replayed(recording, everything)
        assert answers[-1]["end"] == "exited"
        line = (
            dedent(ENDLESS).splitlines().index(f"    {left_out}" if "+" in left_out else left_out)
        )
        trace = recording.trace
        kept = [
            each for each in everything if trace.statements[trace.statement[each]].line != line + 1
        ]
        patient = recording._runner.timeout
        for _ in range(2):
            recording._runner.timeout = 1.0 if end is End.TIMEOUT else patient
            with recording.replay(trace.close(kept)) as run:
                assert run.end is end
            recording._runner.timeout = patient
            assert replayed(recording, everything) == seen(recording.plain)


@pytest.mark.parametrize(
    "before",
    [
        "import subprocess; subprocess.Popen(['sleep', '60'])",
        "random.seed(1)",
        "signal = __import__('signal'); signal.alarm(1000)",
        "sys.setprofile(lambda *event: None)",
        "ends = os.pipe()",
        "import fcntl; locked = open('left', 'w'); fcntl.flock(locked, fcntl.LOCK_EX)",
        "gone = open('left', 'w'); os.unlink('left')",
    ],
)
def test_where_a_fork_would_be_unlike_a_run_all_begin_at_the_beginning(
    before, tmp_path, monkeypatch, answers
):
    with recorded(tmp_path, monkeypatch, FAILS, before) as recording:
        everything = warmed(recording)
        for _ in range(3):
            assert replayed(recording, everything) == seen(recording.plain)
        assert [each["end"] for each in answers] == ["lost"] * ATTEMPTS


WRITES_ON_THE_WAY = """
print(os.path.exists("left"))
open("left", "w").close()
random.seed(1)
"""

STARTS_ON_THE_WAY = """
import subprocess
names = [open(f"/proc/{each}/comm").read() for each in os.listdir("/proc") if each.isdigit()]
print(names.count("left\\n"))
os.symlink(sys.executable, "left")
subprocess.Popen(["./left", "-c", "import time; time.sleep(600)"], start_new_session=True)
"""


@pytest.mark.parametrize("before", [WRITES_ON_THE_WAY, STARTS_ON_THE_WAY], ids=["file", "process"])
def test_what_is_done_on_the_way_to_no_fork_point_is_undone(before, tmp_path, monkeypatch, answers):
    with recorded(tmp_path, monkeypatch, FAILS, before) as recording:
        everything = warmed(recording)
        for _ in range(3):
            assert replayed(recording, everything) == seen(recording.plain)
        assert [each["end"] for each in answers] == ["lost"] * ATTEMPTS


KEEPS = """
import sqlite3
print(os.path.exists("kept.db"), flush=True)
base = sqlite3.connect("kept.db")
base.executescript("create table sums (total); insert into sums values (1);")
opened = {int(each): f"/proc/self/fd/{each}" for each in os.listdir("/proc/self/fd")}
number = min(each for each, link in opened.items() if os.path.realpath(link).endswith("kept.db"))
"""
"""A runner of tests that has a database for them."""

READS = """
    import __main__ as runner
    total = 3
    total += 4
    {more}
    print(runner.base.execute("select * from sums").fetchall())
    assert total == 8
"""

WRITES = "runner.base.executescript(f'insert into sums values ({total})')"

ADDS = """import os
print(sorted(os.listdir()), os.listdir(os.environ["TMPDIR"]))
os.mkdir("added"); open("added/file", "w").close(); os.symlink("added", "link")
open(os.environ["TMPDIR"] + "/file", "w").close()
"""

CHANGES = "print(open('prog.py', 'a').tell() != open('prog.py', 'a').write('# '))"
"""A file that was there before the run."""

REMOVES = """import os
with open("kept.db", "rb") as kept:
    print(os.fstat(kept.fileno()).st_nlink > 0, kept.read(6), sorted(os.listdir()))
os.unlink("kept.db")
os.rename("prog.py", "other.py")
os.mkdir("prog.py")
"""
"""One that is open, and one that was there before the run."""

LOCKS = """import fcntl, os
fcntl.flock(runner.number, fcntl.LOCK_EX)
"""
"""It would stay locked for all that share the descriptor."""


@pytest.mark.skipif(find_layer()[0] is not Layer.NAMESPACES, reason="there the kernel tells")
@pytest.mark.parametrize(
    ("more", "ends"),
    [
        ("total += 2", ["exited"] * 5),
        (WRITES, ["exited"] * 5),
        (ADDS, ["exited"] * 5),
        (CHANGES, ["lost"] + ["exited"] * 4),
        (REMOVES, ["lost", "exited", "lost"]),
        (REMOVES.replace(".st_nlink", ".st_size"), ["lost"] + ["exited"] * 4),
        (LOCKS, ["lost", "exited"] * 2 + ["lost"]),
    ],
    ids=["reads", "writes", "adds", "changes", "asks", "removes", "locks"],
)
def test_files_of_the_run_that_are_written_on_the_way_are_there_for_its_forks(
    more, ends, tmp_path, monkeypatch, answers
):
    source = dedent(READS).format(more=more)
    with recorded(tmp_path, monkeypatch, source, KEEPS) as recording:
        everything = warmed(recording)
        del answers[:]
        for _ in range(5):
            assert replayed(recording, everything) == seen(recording.plain)
        assert [each["end"] for each in answers] == ends
        for kept in (everything, [0, 1, *everything[3:]], [0, *everything[-2:]]):
            alike = {replayed(recording, kept, fresh=True), replayed(recording, kept)}
            assert alike == {replayed(recording, kept)}  # what was put back meanwhile is made anew


@pytest.mark.parametrize(
    ("names", "ahead"),
    [
        ("weakref, time; time.perf_counter(); wait = 1; profile = 2", True),
        ("gc; gc.collect()", False),
        ("time; time.process_time()", False),
        ("gc\ndef other():\n    gc.collect()", True),
    ],
)
def test_what_the_program_names_may_tell_that_it_was_forked(
    names, ahead, tmp_path, monkeypatch, answers
):
    with recorded(tmp_path, monkeypatch, f"{dedent(PRINTS)}import {names}\n") as recording:
        everything = warmed(recording)
        assert replayed(recording, everything) == seen(recording.plain)
        assert bool(answers) is ahead


def test_replays_of_a_script_are_put_back(tmp_path, answers):
    """It begins at its first event anyhow: a fork that stands there would bring nothing."""
    (tmp_path / "part.py").write_text("one = 1\n")
    (tmp_path / "prog.py").write_text("import part\ntotal = part.one\nprint(1 / (total - 1))\n")
    recording = PythonBackend().record(Target("prog.py", directory=tmp_path))
    assert isinstance(recording, PythonRecording)
    try:
        everything = warmed(recording)
        for _ in range(6):
            assert replayed(recording, everything) == seen(recording.plain)
    finally:
        recording.close()
    assert restored(answers) >= (3 if can_restore() else 0)


STOPS = """\
import ctypes, os, signal
kill = ctypes.CDLL(None).kill
number = getattr(os, "getp" + "pid")()
number = 0x3FFFFF
kill(number, signal.SIGSTOP)
print("stopped")
"""
"""So does who stops, or attaches to, any number that happens to be its."""


def test_a_run_that_stops_who_has_forked_it_is_told(tmp_path, answers):
    (tmp_path / "prog.py").write_text(STOPS)
    recording = PythonBackend().record(Target("prog.py", directory=tmp_path, timeout=PATIENCE))
    assert isinstance(recording, PythonRecording)
    try:
        kept = [each for each in warmed(recording) if each != 3]
        for _ in range(3):
            assert replayed(recording, kept)[:3] == (End.EXITED, 0, b"stopped\n")
    finally:
        recording.close()
    assert {each["end"] for each in answers} == {"exited"}


def test_each_draws_random_numbers_of_its_own(tmp_path, monkeypatch, answers):
    """As where each is forked from the server: what depends on them must not look steady."""
    source = "import random\nmany = random.random()\nmany = 0.5\nassert many > 1, many\n"
    with recorded(tmp_path, monkeypatch, source) as recording:
        warmed(recording)
        del answers[:]
        drawn = set()
        for _ in range(6):
            with recording.replay([0, 1, 3]) as run:
                assert run.exception is not None
                drawn.add(run.exception.message)
        assert len(answers) == len(drawn) == 6


UNSEEN = "import _posixsubprocess, _multiprocessing"
"""What may start processes, or keep something, without an event that tells."""


@pytest.mark.skipif(find_layer()[0] is not Layer.NAMESPACES, reason="there the kernel tells")
def test_what_may_have_done_something_unseen_is_asked_of_the_kernel(tmp_path, monkeypatch, answers):
    """A library written in C may always: so tests of projects with one began at the beginning."""
    with recorded(tmp_path, monkeypatch, FAILS, UNSEEN) as recording:
        recording._modules = []  # as where libraries imported beforehand make a difference
        recording._engines.drop_all()
        everything = warmed(recording)
        del answers[:]
        for _ in range(2):
            assert replayed(recording, everything) == seen(recording.plain)
        assert [each["end"] for each in answers] == ["exited", "exited"]


LEAVES = """
    import os
    from multiprocessing.util import spawnv_passfds
    before = os.path.exists("left")
    open("left", "w").close()
    spawnv_passfds(b"/bin/sleep", [b"sleep", b"600"], [])
    processes = [each for each in os.listdir("/proc") if each.isdigit()]
    names = [open(f"/proc/{each}/comm").read() for each in processes]
    print(before, names.count("sleep\\n") > 1)
"""
"""A process that is started without an event that tells."""


@pytest.mark.skipif(find_layer()[0] is not Layer.NAMESPACES, reason="there the kernel tells")
@pytest.mark.parametrize("before", ["", UNSEEN])
def test_what_a_run_has_left_is_not_there_for_the_next(before, tmp_path, monkeypatch, answers):
    with recorded(tmp_path, monkeypatch, LEAVES, before) as recording:
        everything = warmed(recording)
        del answers[:]
        for _ in range(3):
            assert replayed(recording, everything) == seen(recording.plain)
        assert answers
        ended = [each for each in answers if each["end"] == "exited"]
        # Either the host brings the files back, or the fork point itself does.
        assert all(each["dirty"] or each["left"] for each in ended)


# --- a test: what imports and hooks did before it is set up takes effect, and is not recorded

SHOP = """\
import time
RATE = 3
BIG = []
for number in range(200):
    BIG.append(number)
sum(range(3_000_000))

def lines():
    yield 1
    yield 2

def total(prices):
    unused = len(BIG)
    return sum(prices) * RATE
"""
CONFTEST = """\
import pytest

@pytest.fixture
def prices():
    found = [1, 2]
    other = 4
    yield found
    found.append(3)

def pytest_collection_modifyitems(items):
    for each in items:
        each.seen = True
"""
TEST = "from shop import total\n\ndef test_total(prices):\n    assert total(prices) == 6\n"


@contextmanager
def recorded_test(
    folder: Path, monkeypatch: pytest.MonkeyPatch, **files: str
) -> Iterator[PythonRecording]:
    for name, text in {"shop": SHOP, "conftest": CONFTEST, "test_shop": TEST, **files}.items():
        (folder / f"{name}.py").write_text(text)
    words = ".", f"{folder}/test_shop.py::test_total", "--rootdir", str(folder)
    variables = environment() | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    target = Target(
        HELPER,
        words,
        True,
        folder,
        exclude=(HELPER_FILES,),
        environment=variables,
        timeout=PATIENCE,
    )
    recording = PythonBackend().record(target)
    assert isinstance(recording, PythonRecording)
    try:
        yield recording
    finally:
        recording.close()


def functions(recording: PythonRecording) -> set[str]:
    trace = recording.trace
    return {trace.statements[each].function for each in trace.statement}


def test_a_test_is_recorded_from_where_it_is_set_up(tmp_path, monkeypatch, answers):
    with recorded_test(tmp_path, monkeypatch) as recording:
        assert functions(recording) == {"prices", "test_total", "total"}
        shop = next(each for each in recording.trace.files if each.path == "shop.py")
        assert {1, 2, 5} <= set(shop.elsewhere)
        everything = warmed(recording)
        del answers[:]
        assert replayed(recording, everything) == seen(recording.plain)
        chance = random.Random(1)
        for share in (0.3, 0.6, 0.9, 0.9):
            kept = recording.trace.close(each for each in everything if chance.random() < share)
            assert replayed(recording, kept) == replayed(recording, kept, fresh=True)
        assert len(answers) == 5
        assert all(each["end"] != "lost" for each in answers)


def test_what_goes_on_in_the_test_is_recorded_from_its_beginning(tmp_path, monkeypatch):
    """Else nobody could tell what its later statements are part of."""
    test = (
        "import shop\nleft = shop.lines()\nnext(left)\n\n"
        "def test_total():\n    assert next(left) == 3\n"
    )
    with recorded_test(tmp_path, monkeypatch, test_shop=test) as recording:
        assert "<module>" in functions(recording)
        everything = warmed(recording)
        assert replayed(recording, everything) == seen(recording.plain)


LATER = """
import atexit, pytest

def leave(name):
    with open("left", "a") as stream:
        print(name, file=stream)

atexit.register(leave, "atexit")

@pytest.fixture
def prices():
    yield [1]
    {fixture}

def pytest_sessionfinish():
    leave("session")

def pytest_unconfigure():
    leave("plugin")

@pytest.hookimpl(hookwrapper=True)
def pytest_runtestloop():
    yield
    leave("loop")
"""


@pytest.mark.parametrize(
    ("fixture", "total", "raised"),
    [
        ("pass", "total(prices) == 6", "AssertionError"),
        ("raise OSError", "total(prices) == 6", "AssertionError"),
        ("raise OSError", "total(prices)", "OSError"),
    ],
)
def test_the_run_of_a_test_ends_with_its_teardown(
    fixture, total, raised, tmp_path, monkeypatch, answers
):
    """What comes later cannot change what the test failed with."""
    later = LATER.format(fixture=fixture)
    test = f"from shop import total\n\ndef test_total(prices):\n    assert {total}\n"
    with recorded_test(tmp_path, monkeypatch, conftest=later, test_shop=test) as recording:
        assert functions(recording) == {"prices", "test_total", "total"}
        assert not (recording.plain.directory / "left").exists()
        assert recording.recorded.exception is not None
        assert recording.recorded.exception.type == raised
        everything = warmed(recording)
        del answers[:]
        for _ in range(6):
            assert replayed(recording, everything) == seen(recording.plain)
        assert restored(answers) >= (3 if can_restore() else 0)


def test_a_test_that_passes_ends_with_its_status(tmp_path, monkeypatch):
    test = "def test_total():\n    assert True\n"
    with recorded_test(tmp_path, monkeypatch, test_shop=test) as recording:
        everything = warmed(recording)
        assert replayed(recording, everything) == seen(recording.plain)
        assert seen(recording.plain) == (End.EXITED, 0, b"", b"", "")


def test_replays_of_a_test_of_unittest_are_put_back(tmp_path, monkeypatch, answers):
    """Coming to it takes next to no time: then a fork that stands there would bring nothing."""
    (tmp_path / "test_shop.py").write_text(
        "import unittest\n\nclass Shop(unittest.TestCase):\n"
        "    def setUp(self):\n        self.prices = [1, 2]\n"
        "    def test_total(self):\n        self.assertEqual(sum(self.prices), 4)\n"
    )
    target = Target(
        f"{HELPER}.of_unittest", ("test_shop.Shop.test_total",), True, tmp_path,
        exclude=(HELPER_FILES,), environment=environment(), timeout=PATIENCE,
    )  # fmt: skip
    recording = PythonBackend().record(target)
    assert isinstance(recording, PythonRecording)
    try:
        assert recording.recorded.exception is not None
        assert recording.recorded.exception.message == "3 != 4"
        everything = warmed(recording)
        del answers[:]
        for _ in range(6):
            assert replayed(recording, everything) == seen(recording.plain)
        assert restored(answers) >= (3 if can_restore() else 0)
        kept = everything[:-1]
        assert replayed(recording, kept) == replayed(recording, kept, fresh=True)
    finally:
        recording.close()


def test_who_remembers_its_process_is_replayed_from_the_beginning(tmp_path, monkeypatch, answers):
    shop = f"import os\nMINE = os.getpid()\n{SHOP}    assert os.getpid() == MINE\n"
    with recorded_test(tmp_path, monkeypatch, shop=shop) as recording:
        assert replayed(recording, warmed(recording)) == seen(recording.plain)
    assert not answers


@pytest.mark.parametrize("fixture", ["", "capsys", "tmp_path"])
def test_what_sets_a_test_up_is_done_once_if_nothing_of_it_is_recorded(
    fixture, tmp_path, monkeypatch, answers
):
    """A folder that was made on the way is there for the next run."""
    test = f"from shop import total\n\ndef test_total({fixture}):\n    assert total([1, 2]) == 6\n"
    with recorded_test(tmp_path, monkeypatch, test_shop=test) as recording:
        everything = warmed(recording)
        for _ in range(ATTEMPTS + 1):
            assert replayed(recording, everything) == seen(recording.plain)
        assert recording._place == CALLS
        assert answers[-1]["end"] == "exited"
        kept = everything[:2]
        assert replayed(recording, kept) == replayed(recording, kept, fresh=True)
