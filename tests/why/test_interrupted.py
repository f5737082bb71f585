"""Ctrl-C in any experiment: the answer so far is told, and no other experiment is made."""

from __future__ import annotations

import signal
import subprocess
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest

from stripe.backend import Target
from stripe.deadline import Deadline
from stripe.interrupts import OrderlyEnd
from stripe.why import inquiry
from stripe.why.experiments import Case, Finding
from stripe.why.inquiry import inquire
from stripe.why.policy import TABLE, Row
from tests.support.programs import SHOP

TESTS = """\
import pytest
from shop import total

@pytest.mark.parametrize("price, right", [(20, 20), (10, 10)])
def test_edge(price, right):
    assert total([price], 10) == right
"""
SUMS = """\
import sys

print(sum(100 // int(line) for line in sys.stdin))
"""
NAMES = [each.name for each in TABLE]


def target_of(name: str, folder: Path) -> Target:
    """What fails in such a way that the experiment can be made."""
    deadline = Deadline(100)
    if name == "input":
        (folder / "sums.py").write_text(SUMS)
        return Target("sums.py", directory=folder, stdin=b"5\n4\n0\n2\n", deadline=deadline)
    (folder / "shop.py").write_text(SHOP.replace("> free", ">= free"))
    (folder / "test_shop.py").write_text(TESTS)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *words], cwd=folder, check=True)
    (folder / "shop.py").write_text(SHOP)
    test = "test_shop.py::test_edge[10-10]"
    return Target("pytest", (test,), module=True, directory=folder, deadline=deadline)


@pytest.mark.parametrize(
    "context",
    [partial(OrderlyEnd, interrupts=True), nullcontext],
    ids=["command", "library"],  # in which the request was lost: it went on
)
@pytest.mark.parametrize("name", NAMES)
def test_the_answer_so_far_is_told(name, context, tmp_path, monkeypatch):
    made = []

    def noted(row: Row) -> Row:
        def make(case: Case, seconds: float) -> Finding:
            made.append(row.name)
            signal.raise_signal(signal.SIGINT)
            return row.make(case, seconds)

        return row._replace(make=make)

    monkeypatch.setattr(inquiry, "TABLE", tuple(map(noted, TABLE[NAMES.index(name) :])))
    with context():
        document = inquire(target_of(name, tmp_path))
    assert made == [name]
    assert document.interrupted
    assert document.places
    run, interrupted, *others = document.experiments
    assert (run.name, interrupted.name) == ("run", name)
    if context is not nullcontext:  # which waits for tests, and two may be all that it takes
        assert interrupted.standing in ("limit", "nothing"), interrupted.says
    assert {(each.standing, each.says) for each in others} <= {("skipped", "it was ended before")}
