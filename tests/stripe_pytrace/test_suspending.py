"""Generators that tell themselves that they are resumed: it is always the right one."""

from __future__ import annotations

import random

import pytest

from stripe.backend import Target
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.paths import LogReader
from stripe_pytrace.recording import PythonRecording

PROGRAM = """\
def numbers(n):
    for number in range(n):
        yield number
def twice(source):
    for number in source:
        yield number
        if number % 2:
            yield number
def echo():
    got = yield
    while got:
        got = yield double(got)
    return (yield "end")
def double(n):
    return 2 * n
def below(n):
    if n:
        for each in below(n - 1):
            yield each + 1
        yield n
def largest(n):
    yield max(numbers(n))
    yield next(numbers(n))
def failing(n):
    yield double(n)
    yield undefined
def within(n):
    first, second = [(yield n), (yield n + 1)]
    if (yield (yield first)):
        yield second
def through(n):
    yield from numbers(n)
    yield n
def shown(n):
    try:
        for each in failing(n):
            print(each)
    except NameError:
        return "unbound"
a, b, c = numbers(5), numbers(5), numbers(3)
print(next(a), next(b), next(b), next(a), next(c), next(b))
first, second = echo(), echo()
print(next(first), next(second), second.send(2), first.send(3), second.send(4))
print(first.send(0), next(first, "over"), second.send(5))
print(list(below(3)), list(largest(4)), sum(twice(numbers(4))))
for n in range(4):
    print(next(numbers(n + 1)))
print(shown(2), list(zip(numbers(3), twice(numbers(2)))))
try:
    c.throw(KeyError(1))
except KeyError as error:
    print(error)
b.close()
print(next(b, "closed"), next(a), list(a))
w = within(1)
print(next(w), next(w), w.send(7), w.send(8), next(w, None), list(through(2)))
"""

NO_TRUTH = """\
class Vague:
    def __init__(self, name):
        self.name = name
    def __bool__(self):
        print("asked")
        return True
def vague():
    yield Vague("a")
    sent = yield Vague("b")
    print(sent.name)
g = vague()
print(next(g).name, next(g).name)
try:
    g.send(Vague("c"))
except StopIteration:
    print("over")
"""


FORKED_WITHIN_A_LOOP = """\
import os
def numbers(n):
    for number in range(n):
        got = yield number
        if got:
            continue
        yield -1
def sums(source):
    for number in source:
        yield number + 1
source = sums(numbers(9))
print(next(source), next(source), flush=True)
process = os.fork()
if process == 0:
    print([next(source) for n in range(4)], flush=True)
    os._exit(0)
os.waitpid(process, 0)
print(next(source), list(numbers(2)))
"""
FORKED_BY_A_LOOP = """\
import os
def parts(n):
    found = []
    for number in range(n):
        found.append(number)
        if number == 1:
            process = os.fork()
            if process:
                os.waitpid(process, 0)
    return found
def all_of(n):
    found = []
    for each in parts(n):
        found.append(each)
    print(found, flush=True)
all_of(4)
"""
FORKS = """\
import os
def numbers(n):
    while n:
        got = yield n
        yield got
        n -= 1
source = numbers(3)
print(next(source), source.send(5), flush=True)
process = os.fork()
if process == 0:
    print([source.send(n) for n in range(4)], flush=True)
    os._exit(0)
os.waitpid(process, 0)
print(next(source), source.send(6))
"""


def record(folder, source):
    (folder / "program.py").write_text(source, "utf-8")
    recording = PythonBackend().record(Target("program.py", directory=folder))
    assert isinstance(recording, PythonRecording)
    return recording


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The program recorded by its own notes, and by events, where the interpreter tells."""
    folder = tmp_path_factory.mktemp("suspending")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stripe_pytrace.recording.direct_first", lambda target: False)
        by_events = record(folder, PROGRAM)
    telling = record(folder, PROGRAM)
    assert telling.direct
    yield telling, by_events
    telling.close()
    by_events.close()


def test_the_trace_is_that_of_events(both):
    one, other = (recording.trace for recording in both)
    for column in ("statement", "activation", "caller", "scope", "control"):
        assert list(getattr(one, column)) == list(getattr(other, column))


def test_without_any_one_event(both):
    everything = range(len(both[0].trace))
    for event in everything:
        same(both, [each for each in everything if each != event])


@pytest.mark.parametrize("seed", range(20))
def test_without_some(both, seed):
    chance, size = random.Random(seed), len(both[0].trace)
    left_out = {chance.randrange(size) for _ in range(chance.randrange(2, 40))}
    same(both, [each for each in range(size) if each not in left_out])


def test_what_is_sent_and_yielded_is_not_looked_at(tmp_path):
    recording = record(tmp_path, NO_TRUTH)
    try:
        assert recording.direct
        assert recording.plain.stdout == b"a b\nc\nover\n"
    finally:
        recording.close()


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        (FORKS, b"3 5\n[2, 1, 1, 3]\n2 6\n"),
        (FORKED_WITHIN_A_LOOP, b"1 0\n[2, 0, 3, 0]\n2 [0, -1, 1, -1]\n"),
        (FORKED_BY_A_LOOP, 2 * b"[0, 1, 2, 3]\n"),
    ],
    ids=["a statement", "a loop", "by a loop"],
)
def test_a_forked_child_goes_on_with_generators_that_it_has(tmp_path, source, printed):
    recording = record(tmp_path, source)
    try:
        assert recording.direct
        with recording.replay(range(len(recording.trace))) as again:
            assert again.stdout == recording.plain.stdout
        assert recording.plain.stdout == printed
    finally:
        recording.close()


def test_the_interpreter_need_not_tell(tmp_path, monkeypatch):
    resumed = []
    place = LogReader._place

    def noted(self):
        resumed.append(place(self))
        return resumed[-1]

    monkeypatch.setattr(LogReader, "_place", noted)
    record(tmp_path, "def f():\n    yield 1\n    yield 2\nprint(list(f()))\n").close()
    assert len(resumed) == 2


def same(both, events):
    one, other = both
    closed = one.trace.close(events)
    with one.replay(closed) as first, other.replay(closed) as second:
        assert (first.end, first.status, first.stdout, first.stderr) == (
            second.end, second.status, second.stdout, second.stderr,
        )  # fmt: skip
