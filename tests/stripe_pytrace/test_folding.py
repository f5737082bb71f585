"""Calls that are replayed by one sequence of codes: as if each activation had one of its own."""

from __future__ import annotations

import random
from array import array

import pytest

from stripe.backend import Target
from stripe_pytrace import folds
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.recording import PythonRecording

PROGRAM = """\
import os
class Number:
    def __init__(self, value):
        self.value = value
    def __add__(self, other):
        value = self.value
        return Number(value + other.value)
    def __lt__(self, other):
        return self.value < other.value
    @property
    def even(self):
        if self.value % 2: return False
        return True
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)
def least(n):
    smallest = Number(n)
    while n:
        n -= 1
        if positive(n) and Number(n) < smallest:
            smallest = Number(n)
    return smallest
def positive(n):
    return double(n) > 0
def double(n):
    twice = n + n
    return twice
def name(n):
    match double(n):
        case 2: return "one"
        case 4: return "two"
    return "many"
def named(n):
    text = name(n)
    return text + name(n + 1)
def checked(n):
    if fib(n) > 3:
        raise ValueError(n)
    return n
def tried(n):
    result = double(n)
    result = guarded(result)
    return result
def guarded(n):
    try:
        return checked(n)
    except ValueError:
        return 0
def numbers(n):
    while n:
        n -= 1
        yield double(n)
def pull(source):
    first = take(source)
    return first + take(source)
def take(source):
    return next(source)
class Countdown:
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        return self
    def __next__(self):
        if self.n:
            self.n = self.n - 1
            return double(self.n)
        return ended()
def ended():
    return None
def total(n):
    result = 0
    for each in range(n):
        for inner in spread(each):
            if inner == 3: continue
            result += double(inner)
        else:
            result += 1
    return result
def spread(n):
    found = []
    for each in map(double, range(n)):
        found.append(each)
    return found
def down(n):
    seen = []
    for each in Countdown(n):
        if each is None:
            break
        seen.append(each)
    return seen
def first(source):
    for each in source:
        return each
    return double(1)
def loops(n):
    text = [total(n), down(n)]
    for each in range(2):
        text.append(first(spread(each)))
    return text
def summed(a):
    try:
        c = a + a
    except ValueError:
        pass
    return c
def both(a):
    return [summed(a), summed(a)]
class Odd(Exception):
    pass
class Maybe:
    def __init__(self, n):
        self.n = check(n)
    @property
    def half(self):
        if self.n > 2: raise AttributeError
        return self.n
def check(n):
    if n % 2: raise Odd(n)
    return n
def through(n):
    try:
        twice = passing(n)
    except KeyError:
        return 1
    finally:
        n = double(n)
    return twice + n
def passing(n):
    return check(n) + n
def catching(n):
    seen = []
    for each in range(n):
        try:
            while passing(each) > 1: each -= 2
        except (ValueError, Odd) as error:
            seen.append(double(each))
            kept.append(error)
            continue
        seen.append(hasattr(Maybe(each), "half"))
        try:
            through(each + each % 4 // 2)
        except Odd:
            pass
    return seen
def again():
    failed = kept[0]
    failed.args = (check(2),)
    return reraise(failed)
def reraise(error):
    raise error
kept = []
print(catching(5), len(kept))
def child(n):
    if forks(n):
        os._exit(double(n))
    return double(n)
def forks(n):
    process = os.fork()
    if process:
        os.waitpid(process, 0)
    return process == 0
print(fib(5), least(3).value, named(1))
print(loops(3))
number = 5
number = Number(1)
print(len(both(number)))
print(tried(2), tried(3), pull(numbers(4)))
print((Number(1) + Number(2)).even, child(1))
try:
    print(again())
except Odd as error:
    print(error.args)
print(sorted([3, 1, 2], key=lambda n: fib(n)), max(map(Number, [1, 2])).even)
print(again())
"""


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The program recorded by its own notes, and replayed with folds; by events, and without."""
    folder = tmp_path_factory.mktemp("folding")
    (folder / "program.py").write_text(PROGRAM, "utf-8")
    target = Target("program.py", directory=folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stripe_pytrace.tables.fold", none)
        patch.setattr("stripe_pytrace.recording.direct_first", lambda target: False)
        without = PythonBackend().record(target)
    folded = PythonBackend().record(target)
    assert isinstance(folded, PythonRecording)
    assert folded.direct
    yield folded, without
    folded.close()
    without.close()


def none(finished, *others):
    return array("i"), *(array("i", [0]) * len(finished) for _ in range(3))


def test_there_are_folds(both, monkeypatch):
    found = []

    def fold(*arguments):
        found.append(folds.fold(*arguments))
        return found[0]

    folded, _ = both
    monkeypatch.setattr("stripe_pytrace.tables.fold", fold)
    PythonBackend().record(folded._runner.target).close()
    assert sum(map(bool, found[0][1])) > 100  # activations


def test_without_one_event(both):
    """Every third: those of a statement that is executed often are alike."""
    folded, without = both
    everything = range(len(folded.trace))
    assert without.trace.statement == folded.trace.statement
    for event in everything[::3]:
        self_without = [each for each in everything if each != event]
        same(folded, without, self_without)


@pytest.mark.parametrize("seed", range(20))
def test_without_some(both, seed):
    folded, without = both
    chance = random.Random(seed)
    left_out = {chance.randrange(len(folded.trace)) for _ in range(chance.randrange(2, 12))}
    same(folded, without, [each for each in range(len(folded.trace)) if each not in left_out])


def same(folded, without, events):
    closed = folded.trace.close(events)
    with folded.replay(closed) as one, without.replay(closed) as other:
        assert (one.end, one.status, one.stdout, one.stderr) == (
            other.end, other.status, other.stdout, other.stderr,
        )  # fmt: skip
        assert one.exception == other.exception
