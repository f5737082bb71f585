"""How many tests the guided search may use: budgets on counts, never on time.

Those of the sample programs are in ``tests/e2e/test_samples.py``.
"""

from __future__ import annotations

from statistics import median

import pytest

from stripe.backend import Target
from stripe.checks import parse_checks
from stripe.reduce import CriticalSlice, Settings, reduce
from stripe_pytrace.backend import PythonBackend
from tests.support import corpus

pytestmark = pytest.mark.quality


def searched(target: Target, check: str, control: str = "trace") -> CriticalSlice:
    recording = PythonBackend().record(target)
    try:
        checks = parse_checks([check] if check else [])
        (found,) = reduce(recording, checks, Settings(control)).slices
        return found
    finally:
        recording.close()


CORPUS = {
    "algo_linked_list", "app_event_scheduler", "app_lru_cache_class", "app_retry_backoff",
    "app_stack_vm", "app_text_adventure", "func_arguments", "func_closures",
}  # fmt: skip


def test_tests_per_kept_event_over_programs_of_the_corpus(tmp_path):
    ratios = []
    for program in corpus.programs():
        if program.name in CORPUS:
            found = searched(program.place(tmp_path), "")
            assert found.certified, program.name
            ratios.append(found.tests / (len(found.events) + 1))
    assert len(ratios) == len(CORPUS)
    assert median(ratios) <= 1.75
    assert max(ratios) <= 3


RECURSION = """\
def search(items, wanted, low, high):
    middle = (low + high) // 2
    found = items[middle]
    if found == wanted:
        return middle
    if found < wanted:
        return search(items, wanted, middle, high)
    return search(items, wanted, low, middle)


import sys
sys.setrecursionlimit(90)
print(search([2, 3, 5, 7, 11, 13], 12, 0, 6))
"""


def test_a_recursion_error(tmp_path):
    (tmp_path / "prog.py").write_text(RECURSION, "utf-8")
    found = searched(Target("prog.py", directory=tmp_path), "exception")
    assert found.certified
    assert found.tests <= 3 * (len(found.events) + 1)


LONG = """\
def noise(rounds, seed):
    value = seed
    for step in range(rounds):
        value = (value * 7 + 3) % 1009
        if value & 1:
            value = value ^ 5
    return value


found = {}
total = 0
for number in range(20):
    total = (total + noise(400, number)) % 97
    found[number % 3] = number
print("noise", total)
print("found", sorted(found.items()))
"""


def test_a_long_trace_with_a_small_answer(tmp_path):
    (tmp_path / "prog.py").write_text(LONG, "utf-8")
    found = searched(Target("prog.py", directory=tmp_path), "stdout:/^found/")
    assert found.of > 20_000
    assert len(found.events) <= 30
    assert found.tests <= 100


MACHINE = """\
program = [
    ("set", "n", 6), ("set", "f", 1),
    ("mul", "f", "n"), ("add", "n", -1), ("jump", "n", 2),
    ("set", "i", -1200), ("set", "total", 0),
    ("sum", "total", "i"), ("add", "i", 1), ("jump", "i", 7),
    ("out", "f", 0), ("out", "total", 0),
]
memory = {}
pc = 0
while pc < len(program):
    op, name, value = program[pc]
    pc += 1
    if op == "set":
        memory[name] = value
    elif op == "add":
        memory[name] += value
    elif op == "sum":
        memory[name] = (memory[name] + memory[value]) % 9973
    elif op == "jump":
        if memory[name]:
            pc = value
    elif op == "mul":
        memory[name] *= memory[value]
    elif op == "out":
        print(name, memory[name])
"""


def test_what_keeps_much_of_a_long_run_is_left_in_few_tests(tmp_path):
    """All variables are keys of one dictionary: dependences tell little, the first guess is large.

    A test takes as long as what it keeps is large, so it is what all of them kept that counts.
    """
    (tmp_path / "prog.py").write_text(MACHINE, "utf-8")
    found = searched(Target("prog.py", directory=tmp_path), "stdout:/^f /")
    assert found.of > 20_000
    assert found.log[0].size > 8_192
    assert found.certified
    assert len(found.events) <= 70
    assert found.tests <= 180
    assert sum(test.size for test in found.log) <= 16 * found.of
