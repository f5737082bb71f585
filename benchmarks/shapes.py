"""Programs that call a lot: their own CPU time, recorded and replayed in full, against plain.

Each shape times its own loop, as in ``recording``. The worst comes first.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Row, Sizes, ratio
from benchmarks.programs import own_times
from stripe.backend import Target

RECORDED = 8.0
REPLAYED = 15.0

SHAPES = {
    "recursion": """\
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def work(size):
    return sum(fib(12) for number in range(size // 12))
""",
    "trees": """\
class Tree:
    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None


def insert(tree, key):
    if tree is None:
        return Tree(key)
    if key < tree.key:
        tree.left = insert(tree.left, key)
    else:
        tree.right = insert(tree.right, key)
    return tree


def total(tree):
    if tree is None:
        return 0
    return total(tree.left) + tree.key + total(tree.right)


def work(size):
    tree = None
    key = 1
    for number in range(size // 3):
        key = key * 48271 % 2147483647
        tree = insert(tree, key)
    return total(tree)
""",
    "methods": """\
class Account:
    def __init__(self):
        self.balance = 0

    def add(self, amount):
        self.balance += amount

    def low(self):
        return self.balance < 100

    def fee(self):
        if self.low():
            return 1
        return 0


def work(size):
    account = Account()
    for number in range(size):
        account.add(number % 7)
        account.add(-account.fee())
    return account.balance
""",
    "generators": """\
def numbers(size):
    for number in range(size):
        yield number


def even(source):
    for number in source:
        if number % 2 == 0:
            yield number


def work(size):
    total = 0
    for number in even(numbers(size * 2)):
        total += number
    return total
""",
    "exceptions": """\
class Odd(Exception):
    pass


def check(number):
    if number % 2:
        raise Odd(number)
    return number


def guarded(number):
    try:
        return check(number)
    except Odd:
        return 0


def work(size):
    total = 0
    for number in range(size):
        total += guarded(number)
    return total
""",
    "callbacks": """\
def key(pair):
    return pair[1], pair[0]


def work(size):
    pairs = [(number * 7919 % 1009, number % 13) for number in range(size)]
    pairs.sort(key=key)
    total = 0
    for number in range(3):
        total += sum(first for first, second in map(key, pairs))
    return total
""",
    "comprehensions": """\
def square(number):
    return number * number


def work(size):
    total = 0
    for number in range(size // 10):
        total += sum([square(each) for each in range(10)])
    return total
""",
}

MAIN = """

import sys
import time

began = time.process_time()
result = work(int(sys.argv[1]))
taken = time.process_time() - began
with open(sys.argv[2], "a") as file:
    file.write(f"{taken}\\n")
print(result)
"""


def run(sizes: Sizes) -> Iterator[Row]:
    size, rounds = sizes.choose(10_000, 2_000), sizes.choose(5, 3)
    python = os.environ.get("STRIPE_BENCH_PYTHON")
    watched, replayed = [], []
    for shape, source in SHAPES.items():
        records, replays, plain = [], [], []
        for _ in range(rounds):
            first, second, last = once(source + MAIN, size, python)
            plain.append(first)
            records.append(second)
            replays.append(last)
        watched.append(ratio("shapes", f"{shape}: recorded / plain", records, plain, RECORDED))
        what = f"{shape}: replayed in full / plain"
        replayed.append(ratio("shapes", what, replays, plain, REPLAYED))
    for rows in replayed, watched:
        yield from sorted(rows, key=lambda row: -row.figure)


def once(source: str, size: int, python: str | None) -> tuple[float, float, float]:
    """The CPU seconds of the work: plain, recorded, replayed in full."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
        (Path(folder) / "program.py").write_text(source, "utf-8")
        target = Target("program.py", (str(size),), directory=Path(folder), python=python)
        return own_times(target, Path(other))
