"""Whole answers to histories made by hand, with tests that are functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from stripe.backend import End
from stripe.campaign.campaign import Campaign
from stripe.changes.change_search import ChangeSearch
from stripe.changes.conclusion import conclude
from stripe.changes.granularity import LEVELS
from stripe.changes.snapshots import History, Step, Tree
from stripe.changes.trial import Task, Trial, Verdict
from stripe.changes.universe import Universe
from stripe.checks.crash import Signature
from stripe.dd import Budget, Outcome
from stripe.results.changes import ChangesResult
from tests.changes.histories import snapshot

type Judge = Callable[[Tree], Outcome]

FAILURE = Signature(End.EXITED, 1, "AssertionError in check")


class Judging:
    """A trial that runs nothing."""

    def __init__(self, judge: Judge) -> None:
        self.task = Task("make check")
        self.notes: list[str] = []
        self._judge = judge

    def verdict(self, tree: Tree, key: object = None) -> Verdict:
        outcome = self._judge(tree)
        why = "the build failed" if outcome is Outcome.UNRESOLVED else ""
        return Verdict(outcome, why, failure=FAILURE if outcome is Outcome.FAIL else None)

    afresh = verdict


def answer_to(
    history: History,
    judge: Judge,
    *,
    algorithm: str = "auto",
    levels: tuple[str, ...] = LEVELS,
    bisect: bool = False,
    max_tests: int | None = None,
) -> ChangesResult:
    """The answer, as :func:`stripe.changes.find_changes` gives it."""
    universe, trial = Universe(history), Judging(judge)
    campaign = Campaign(budget=Budget(max_tests))
    search = ChangeSearch(universe, trial.verdict, campaign, algorithm=algorithm)
    search.learn_ends()
    if bisect:
        search.bisect()
    for level in levels:
        if not campaign.over:
            search.narrow(level)
    if not campaign.over:
        search.certify(levels)
    return conclude(search, cast("Trial", trial), FAILURE, levels[-1], ())


def by(name: str, author: str, files: dict[str, Any]) -> Step:
    """A commit that has no parents yet."""
    return Step(name, f"subject of {name}", author, "2026-01-02", (), 1, snapshot(files))


TABLE = "ROWS = [[1, 2], []]\n\n\ndef rows():\n    return [row for row in ROWS if row]\n"
MEAN = "\n\ndef mean(row):\n    return sum(row) / max(1, len(row))\n"


def interfering() -> History:
    """Two commits that only together divide by nothing, and two more."""
    table = TABLE.replace("[row for row in ROWS if row]", "list(ROWS)")
    mean = MEAN.replace("max(1, len(row))", "len(row)")
    versions = [
        {"table.py": TABLE, "mean.py": MEAN},
        {"table.py": TABLE, "mean.py": "# means\n" + MEAN},
        {"table.py": table, "mean.py": "# means\n" + MEAN},
        {"table.py": "# tables\n" + table, "mean.py": "# means\n" + mean},
    ]
    authors = ["Ada", "Alan", "Grace"]
    steps = [by(f"c{n}", authors[n], files) for n, files in enumerate(versions[1:])]
    linked = tuple(
        Step(s.name, s.subject, s.author, s.date, (n - 1,) if n else (), 1, s.snapshot)
        for n, s in enumerate(steps)
    )
    return History(snapshot(versions[0]), linked, "v1", "v2", "")


def divides(tree: Tree) -> Outcome:
    """Whether a version divides by nothing."""
    fails = b"list(ROWS)" in tree["table.py"][1] and b"/ len(row)" in tree["mean.py"][1]
    return Outcome.FAIL if fails else Outcome.PASS
