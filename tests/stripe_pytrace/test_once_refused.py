"""Programs that look closely at themselves: recorded, and reduced to slices that make sense.

To record includes that the plain run, the recorded run and the full replay do the same.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

import stripe
from stripe.backend import Recording, Target
from stripe.checks import parse_checks
from stripe.errors import NotReducible
from stripe.reduce import Settings, reduce
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.incidental import without_incidentals

BOTH = pytest.mark.parametrize("control", ["trace", "program"])


Recorder = Callable[[str], Recording]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recorder]:
    """Records a program, unless it was one of the last two: most are reduced in two ways."""
    last: dict[str, Recording] = {}

    def record(source: str) -> Recording:
        if source not in last:
            while len(last) > 1:
                last.pop(next(iter(last))).close()
            folder = tmp_path_factory.mktemp("recorded")
            (folder / "program.py").write_text(source)
            last[source] = PythonBackend().record(Target("program.py", directory=folder))
        return last[source]

    yield record
    for recording in last.values():
        recording.close()


@pytest.fixture
def kept(recorded: Recorder) -> Callable[..., list[str]]:
    """Reduces a program; returns its kept lines, as text."""

    def reduced(source: str, check: str, control: str = "trace") -> list[str]:
        source = textwrap.dedent(source)
        recording = recorded(source)
        result = reduce(recording, parse_checks([check]), Settings(control, watch=False))
        found = result.slices[0]
        assert found.certified
        assert found.verified
        text = source.splitlines()
        return [text[line - 1].strip() for _, line in sorted(found.lines(result.trace))]

    return reduced


# -- objects that die

LAST = """\
class Item:
    def __init__(self, name):
        self.name = name
    def __del__(self):
        print("freed", self.name)
    def __enter__(self):
        return self
    def __exit__(self, *error):
        pass

unused = 1
for item in [Item("a"), Item("b")]:
    unused += 1
del item
print("looped")
with Item("c") as context:
    unused += 1
del context
print("left")
for (first, second), third in [((Item("d"), Item("e")), Item("f"))]:
    unused += 1
del first
print("unpacked")
"""


@BOTH
def test_the_last_object_of_a_loop_dies_when_the_program_lets_go_of_it(kept, control):
    lines = kept(LAST, "stdout", control)
    assert "unused += 1" not in lines
    assert "unused = 1" not in lines
    assert {"del item", "del first"} <= set(lines)


# -- code objects

CODES = """\
def one():
    return 1
def two():
    return 2
def three():
    for each in [3]:
        return each
seen = {one.__code__, two.__code__, three.__code__}
seen.add(two.__code__)
unused = three()
print(len(seen), one.__code__ in seen)
"""


@BOTH
def test_code_objects_can_be_hashed(kept, control):
    assert kept(CODES, "stdout", control) == [
        "def one():",
        "def two():",
        "def three():",
        "seen = {one.__code__, two.__code__, three.__code__}",
        "print(len(seen), one.__code__ in seen)",
    ]


MARSHAL = """\
import io
import marshal
import types

def shout(words):
    for word in words:
        print(word.upper())
    def count():
        return len(words)
    return count()

unused = shout(["no"])
stream = io.BytesIO()
marshal.dump({"version": 1, "code": [shout.__code__]}, stream)
code = marshal.loads(stream.getvalue())["code"][0]
print(len(marshal.dumps(shout.__code__)))
copy = types.FunctionType(code, {})
print("count", types.FunctionType(code, globals())(["a", "b"]))
try:
    marshal.dumps(object())
except ValueError as error:
    print(error, error.__context__)
"""


@BOTH
def test_code_objects_can_be_marshalled(kept, control):
    assert kept(MARSHAL, "stdout:/count 2/", control) == [
        "import io",
        "import marshal",
        "import types",
        "def shout(words):",
        "stream = io.BytesIO()",
        'marshal.dump({"version": 1, "code": [shout.__code__]}, stream)',
        'code = marshal.loads(stream.getvalue())["code"][0]',
        'print("count", types.FunctionType(code, globals())(["a", "b"]))',
    ]


# -- sets of plain objects

JOBS = """\
class Job:
    def __init__(self, size):
        self.size = size
unused = 1
jobs = {Job(size) for size in range(16)}
done = set()
large = 0
while jobs:
    job = jobs.pop()
    done.add(job)
    if job.size > 12:
        large += 1
for job in done:
    if job.size > 13:
        large += 10
print(large)
"""


@BOTH
@pytest.mark.parametrize("slots", ["", "    __slots__ = ('size',)\n"], ids=["", "slots"])
def test_the_order_of_a_set_of_objects_is_the_same_in_each_run(kept, control, slots):
    lines = kept(JOBS.replace("class Job:\n", "class Job:\n" + slots), "stdout", control)
    assert "unused = 1" not in lines
    assert {"large += 1", "large += 10"} <= set(lines)
    assert ("jobs = {Job(size) for size in range(16)}" in lines) is (control == "program")


def test_an_output_that_depends_on_the_order_of_addresses_is_refused(tmp_path):
    (tmp_path / "program.py").write_text(
        "class Job:\n    pass\njobs = [Job() for _ in range(40)]\n"
        "print([jobs.index(job) for job in set(jobs)])\n"
    )
    with pytest.raises(NotReducible) as refused:
        PythonBackend().record(Target("program.py", directory=tmp_path)).close()
    assert refused.value.slug in ("order-of-addresses", "nondeterministic")


ENDED = """\
class Plain:
    __slots__ = ()
class Told(Plain):
    def __del__(self):
        ended.append(1)
ended = []
seen = {Plain(), Plain(), Told()}
print(len(seen), len({hash(Told()) for _ in range(3)}) > 0)
seen.clear()
print(len(ended))
"""


def test_finalizers_of_objects_that_are_hashed_run(kept):
    lines = kept(ENDED, "stdout")
    assert {"ended.append(1)", "seen.clear()"} <= set(lines)


LOOKING = """\
import dataclasses
import enum
import functools

@dataclasses.dataclass
class Data:
    number: int
class Color(enum.Enum):
    RED = 1
class Plain:
    pass
def instance(cls):
    made = cls()
    table[made] = cls.__name__
    return made
table = {}
@instance
class Single:
    pass
class Meta(type):
    def __call__(cls):
        return super().__call__()
class Made(metaclass=Meta):
    pass
try:
    hash(Data(1))
except TypeError as error:
    print(error)
print(table[Single], Color.RED in {Color.RED}, len({Made(), Plain(), Plain})%SHOWN%)
"""


@pytest.mark.parametrize("shown", ["", ", sorted(vars(Plain)), Plain.__hash__ is object.__hash__"])
def test_programs_that_look_at_their_classes(tmp_path, shown):
    (tmp_path / "program.py").write_text(LOOKING.replace("%SHOWN%", shown))
    PythonBackend().record(Target("program.py", directory=tmp_path)).close()


# -- programs that watch what runs

TRACED = """\
import sys

def total(numbers):
    result = 0
    for number in numbers:
        if number % 2:
            result += number
    return result

def note(frame, event, argument):
    if frame.f_code is total.__code__:
        seen.append((event, frame.f_lineno))
    else:
        others.append(frame.f_code.co_name)
    return note

def count(frame, event, argument):
    calls.append((event, getattr(argument, "__name__", argument)))

seen, others, calls = [], [], []
unused = total([1])
sys.settrace(note)
total(range(4))
print(sys.gettrace() is note)
sys.settrace(None)
for each in seen:
    print(*each)
sys.setprofile(count)
total([len("abc")])
sys.setprofile(None)
print(others, calls)
"""


@BOTH
def test_what_a_program_traces_is_what_it_traces_plainly(kept, control):
    lines = kept(TRACED, "stdout:/^line 7$/", control)
    assert "unused = total([1])" not in lines
    assert {"seen.append((event, frame.f_lineno))", "sys.settrace(note)"} & set(lines) == {
        "sys.settrace(note)"
    }
    assert "total(range(4))" in lines


MONITORED = """\
import sys

monitoring = sys.monitoring
events = monitoring.events

def total(numbers):
    result = 0
    for number in numbers:
        result += abs(number)
    return result

tool = next(each for each in (4, 3, 5) if monitoring.get_tool(each) is None)
monitoring.use_tool_id(tool, "mine")
seen = []
def line(code, number):
    seen.append(number)
def call(code, offset, function, argument):
    seen.append(function.__name__)
def start(code, offset):
    seen.append(code.co_name)
monitoring.register_callback(tool, events.LINE, line)
monitoring.register_callback(tool, events.CALL, call)
monitoring.register_callback(tool, events.PY_START, start)
monitoring.set_local_events(tool, total.__code__, events.LINE | events.CALL | events.PY_START)
unused = 1
total([1, -2])
monitoring.set_local_events(tool, total.__code__, 0)
print([monitoring.get_tool(each) for each in range(6)])
monitoring.free_tool_id(tool)
try:
    monitoring.set_events(tool, 0)
except ValueError as error:
    print(tool, error, monitoring.get_tool(tool))
print("seen", *seen)
"""


@BOTH
def test_a_program_finds_and_uses_the_tool_ids_that_it_finds_plainly(kept, control):
    lines = kept(MONITORED, "stdout:/^seen/", control)
    assert "unused = 1" not in lines
    assert {'monitoring.use_tool_id(tool, "mine")', "total([1, -2])"} <= set(lines)


def test_a_program_that_takes_all_tool_ids_is_refused(tmp_path):
    (tmp_path / "program.py").write_text(
        "import sys\nfor each in range(6):\n    sys.monitoring.use_tool_id(each, 'mine')\n"
    )
    with pytest.raises(NotReducible) as refused:
        PythonBackend().record(Target("program.py", directory=tmp_path)).close()
    assert refused.value.slug == "cannot-record"


# -- servers on a port that the system chooses

SERVER = """\
import socket
import threading

unused = 0
server = socket.socket()
server.bind(("localhost", 0))
server.listen()
port = server.getsockname()[1]
print("listening"%SHOWN%)

def answer():
    connection, _ = server.accept()
    with connection:
        connection.sendall(connection.recv(100).upper())

thread = threading.Thread(target=answer)
thread.start()
with socket.create_connection(("localhost", port)) as client:
    client.sendall(b"hello")
    print(client.recv(100))
thread.join()
"""


@BOTH
def test_a_server_and_its_client_in_one_program(kept, control):
    lines = kept(SERVER.replace("%SHOWN%", ""), "stdout:/HELLO/", control)
    assert "unused = 0" not in lines
    assert {"server.listen()", "thread.start()", 'client.sendall(b"hello")'} <= set(lines)


def test_a_port_that_the_system_chose_and_that_shows(tmp_path):
    (tmp_path / "program.py").write_text(SERVER.replace("%SHOWN%", ", port"))
    with pytest.raises(NotReducible) as refused:
        PythonBackend().record(Target("program.py", directory=tmp_path)).close()
    assert refused.value.slug == "nondeterministic"
    assert "port 0" in refused.value.hint


# -- unittest

TESTS = """\
import unittest

def add(one, other):
    unused = 0
    return one + other if one != 3 else one

class Adding(unittest.TestCase):
    def test_zero(self):
        self.assertEqual(add(0, 0), 0)
    def test_three(self):
        self.assertEqual(add(3, 2), 5)
"""


@pytest.fixture(scope="module")
def failing_test(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recording]:
    folder = tmp_path_factory.mktemp("unittest")
    (folder / "test_adding.py").write_text(TESTS)
    target = Target("unittest", ["test_adding"], module=True, directory=folder)
    with closing(PythonBackend().record(target)) as recording:
        yield recording


@BOTH
def test_a_failing_test_of_unittest(failing_test, control):
    result = reduce(failing_test, [], Settings(control, watch=False))
    found = result.slices[0]
    assert found.name == "failures"
    text = TESTS.splitlines()
    assert [text[line - 1].strip() for _, line in sorted(found.lines(result.trace))] == [
        "import unittest",
        "def add(one, other):",
        "return one + other if one != 3 else one",
        "class Adding(unittest.TestCase):",
        "def test_three(self):",
        "self.assertEqual(add(3, 2), 5)",
    ]


@pytest.mark.parametrize(
    ("printed", "normal"),
    [
        (b"Ran 1 test in 0.123s\n", b"Ran 1 test in 0.000s\n"),
        (b"Ran 12 tests in 10.001s", b"Ran 12 tests in 0.000s"),
        (b"=== 1 failed, 2 passed in 0.12s ===\n", b"=== 1 failed, 2 passed in 0.00s =\n"),
        (b"1 failed in 61.12s (0:01:01)\n", b"1 failed in 0.00s\n"),
        (b"no tests ran in 0.01s", b"no tests ran in 0.00s"),
        (b"I ran 1 test in 0.123s\n3 files in 0.02s\n", None),
        (b"<prog.A object at 0x7f3a5c0d1e80>", b"<prog.A object at 0x...>"),
        (b"[<function f at 0x55D0A1B2C3>]\n", b"[<function f at 0x...>]\n"),
        (b"fault at 0x7f3a5c0d1e80: <7>, flags 0xdeadbeef>, at 0x12>", None),
    ],
)
def test_the_time_that_tests_took_and_addresses_do_not_count(printed, normal):
    assert without_incidentals(printed) == (printed if normal is None else normal)


SHOWN = """\
class Account:
    pass
account = Account()
unused = 1
print("opened", account)
print(hash(account) == id(account) // 16)
raise ValueError(account)
"""


@pytest.mark.parametrize("check", ["stdout:/^opened/", "exception"])
def test_objects_that_are_printed_with_their_addresses(check, tmp_path):
    (tmp_path / "prog.py").write_text(SHOWN)
    result = stripe.trace("prog.py", directory=tmp_path, check=check)
    (found,) = result.slices
    assert found.certified
    assert found.verified
    lines = {line for _, line in found.lines(result.trace)}
    assert 4 not in lines
    assert {1, 3} < lines
    assert "object at 0x...>" in stripe.render(result)


# -- recursion to the limit

ENDLESS = """\
def holds(n):
    unused = n
    return any(holds(n + 1) for _ in [1])
unused = 0
holds(0)
"""


def test_endless_recursion_through_a_generator_expression(kept):
    if sys.version_info < (3, 13):
        # It counts levels of C code apart, and lets nobody have more for callbacks.
        with pytest.raises(NotReducible) as refused:
            kept(ENDLESS, "exception")
        assert refused.value.slug == "not-reproducible"
        return
    limited = "import sys\nsys.setrecursionlimit(100)\n"
    assert set(kept(limited + ENDLESS, "exception")) == {
        *limited.splitlines(),
        "def holds(n):",
        "return any(holds(n + 1) for _ in [1])",
        "holds(0)",
    }


DEPTHS = """\
import functools
import sys
import threading

sys.setrecursionlimit(90)

def depth_of(function):
    reached = []
    try:
        function(reached, 0)
    except RecursionError as error:
        print(function.__name__, max(reached), error)

def expression(reached, n):
    reached.append(n)
    return any(expression(reached, n + 1) for _ in [1])

def delegating(reached, n):
    def numbers(n):
        reached.append(n)
        yield n
        yield from numbers(n + 1)
    list(numbers(n))

def key(reached, n):
    reached.append(n)
    return sorted([1, 2], key=lambda _: key(reached, n + 1))

def library(reached, n):
    reached.append(n)
    return functools.singledispatch(library)(reached, n + 1)

def body(reached, n):
    reached.append(n)
    class Inner:
        deeper = body(reached, n + 1)

class Proxy:
    def __init__(self, reached):
        self.reached = reached
    def __getattr__(self, name):
        self.reached.append(len(name))
        return getattr(self, name + "x")

def attribute(reached, n):
    Proxy(reached).y

for function in (expression, delegating, key, library, body, attribute):
    depth_of(function)
"""


@pytest.mark.parametrize("threads", ["", "threading.Thread(target=int).start()\n"])
def test_programs_recurse_as_deep_as_plainly(tmp_path, threads):
    (tmp_path / "program.py").write_text(DEPTHS + threads)
    recording = PythonBackend().record(Target("program.py", directory=tmp_path))
    recording.close()
    assert recording.plain.stdout.count(b"maximum recursion depth exceeded") == 6


GENERATORS = """\
import threading

thread = threading.Thread(target=int)
thread.start()
thread.join()

def count(n):
    for each in range(n):
        yield each
    print("end", n)

for one, other in zip(count(2), count(3)):
    print(one, other)
"""


@BOTH
def test_generators_of_programs_with_threads_are_told_apart(kept, control):
    assert kept(GENERATORS, "stdout:/1 1/", control) == [
        "def count(n):",
        "for each in range(n):",
        "yield each",
        "for one, other in zip(count(2), count(3)):",
        "print(one, other)",
    ]
