"""What changes come to in a process that is put back is what they come to in forks of their own."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from stripe.backend import Target, choose_backend
from stripe.interventions import Attempt, Case, Ended, Intervening, Intervention, Trials, Verdict

SHOP = """\
def bill(prices, limit):
    total, seen = 0, []
    for index, price in enumerate(prices):
        if price > limit and index != 1:
            total += price - 1
        elif not price:
            break
        seen.append(f"{index}: {price}")
    if total < 0:
        raise ValueError("too little")
    return total, seen[1:]
"""

FILES = {
    "shop.py": SHOP,
    "test_shop.py": "from shop import bill\n\n"
    "def test_bill():\n    assert bill([3, 9, 8, 0, 1], 2) == (11, ['1: 9', '2: 8'])\n",
    "test_unit.py": "import unittest\nfrom shop import bill\n\n"
    "class Bills(unittest.TestCase):\n    def test_bill(self):\n"
    "        self.assertEqual(bill([3, 9, 8, 0, 1], 2), (11, ['1: 9', '2: 8']))\n",
    "prog.py": "import sys\nfrom shop import bill\n\n"
    "print(*bill([int(each) for each in sys.stdin.read().split()], int(sys.argv[1])))\n",
    "quiet.py": "from shop import bill\nprint(*bill([3, 9, 8, 0, 1], 2))\n",
}

PRINTED = b"11 ['1: 9', '2: 8']"

KINDS = {
    "pytest": Target(program="pytest", arguments=["test_shop.py"], module=True),
    "unittest": Target(program="unittest", arguments=["test_unit"], module=True),
    "a program that reads": Target(program="prog.py"),
    "a program": Target(program="quiet.py"),
}

MOST = 240


def trials(kind: str, folder: Path) -> Trials:
    for file, text in FILES.items():
        (folder / file).write_text(text)
    target = replace(KINDS[kind], directory=folder)
    backend = choose_backend(target)
    assert isinstance(backend, Intervening)
    program = not target.module
    cases = [Case("3", ("2",), b"3 9 8 0 1", PRINTED)] if program else []
    return backend.trials(target, cases, seconds=10)


def offered(found: Trials) -> Sequence[Intervention]:
    of_tests = found.tests[0].own
    lines = sorted(each for each in found.tests[0].lines if each.file != of_tests)
    changes = [each for each in found.offers(lines, found.tests) if not each.slow]
    right = [each for each in changes if "`price` instead of `price - 1`" in each.words]
    assert right
    return [*right, *changes[:: max(1, len(changes) // MOST)]]


def told(attempt: Attempt) -> object:
    failures = {n: re.sub("0x[0-9a-f]+", "0x", how) for n, how in attempt.failures.items()}
    return attempt.verdicts, attempt.ended, failures


@pytest.mark.parametrize("kind", KINDS)
def test_each_change_comes_to_what_it_comes_to_alone(kind: str, tmp_path: Path) -> None:
    with closing(trials(kind, tmp_path)) as found:
        test = found.tests[0]
        changes = offered(found)
        together = {id(change): told(attempt) for change, attempt in
                    found.attempts(changes, test, fuel=0.5)}  # fmt: skip
        assert together.keys() == set(map(id, changes))
        assert len(changes) > MOST // 2
        verdicts: set[Verdict] = set()
        for change in changes:
            (alone,) = [attempt for _, attempt in found.attempts([change], test, fuel=0.5)]
            assert together[id(change)] == told(alone), change.words
            verdicts.update(alone.verdicts.values())
        assert verdicts == {Verdict.PASSED, Verdict.FAILED}


@pytest.mark.skipif(
    platform.machine() != "x86_64" or tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))
    < (6, 7), reason="this system cannot put a process back",
)  # fmt: skip
@pytest.mark.parametrize("kind", ["unittest", "a program that reads", "a program"])
def test_one_process_tries_many_changes(kind: str, tmp_path: Path) -> None:
    """Programs as well, whatever their standard input is; and after one that does not end."""
    with closing(trials(kind, tmp_path)) as found:
        first = next(
            each for each in offered(found) if (each.at.line, each.private[1]) == (9, "replace")
        )
        number, how, _ = first.private
        own = "__import__('os').getpid()"
        texts = [f"int('{n}pid' + str({own}))" for n in range(6)]
        texts[3] = "sum(0 for _ in iter(int, 1))"
        numbers = [replace(first, private=(number, how, text)) for text in texts]
        attempts = [
            attempt
            for _ in range(2)
            for _, attempt in found.attempts(numbers, found.tests[0], fuel=0.1)
        ]
        told_of = [
            re.findall(r"\dpid(\d+)", " ".join(attempt.failures.values()))
            for attempt in attempts
            if attempt.ended is Ended.WHOLE
        ]
    assert [attempt.ended for attempt in attempts].count(Ended.FUEL) == 2
    assert all(told_of)
    assert len({each for (each, *_) in told_of}) == 1
