"""Runs whose states are looked at and changed are forks, and nothing of one is there in another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from stripe.backend import Observation, Target
from stripe.errors import NotReducible
from stripe.snapshots import Alteration, Moment
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.state_runs import StateRun
from tests.support.tables import tables

TABLES = tables(__file__)
HERE = "# here"

MANNERS = TABLES["programs"]["manners"]
SAME = {"manners": MANNERS.replace("BEFORE", "pass"), **TABLES["same"]}
"""What is the same in a fork at the moment."""

OWN = {
    "written before": MANNERS.replace("BEFORE", "open('early', 'w').close()"),
    **TABLES["own"],
}
"""What only a run of its own has."""


@contextmanager
def runs(tmp_path: Path, text: str) -> Iterator[tuple[StateRun, Moment]]:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "prog.py").write_text(text)
    (folder / "data").write_text("data\n")
    (folder / "long").write_text("line\n" * 100_000)
    target = Target("prog.py", directory=folder, stdin=b"one\ntwo\n")
    lines = text.splitlines()
    run = PythonBackend().run(target)
    try:
        yield run, Moment("prog.py", next(n for n, each in enumerate(lines, 1) if HERE in each))
    finally:
        run.close()


def seen(run: Observation) -> tuple[object, ...]:
    return run.end, run.status, run.stdout, run.stderr, run.detail


def again(run: StateRun, moment: Moment, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Have it go on from a moment, more than once, as it was there; the runs of their own."""
    with run.looked(1000) as (observation, _):
        assert seen(observation) == seen(run.plain)
    state = run.states([moment])[moment]
    fresh = []
    once = StateRun._once

    def noted(self, number, task, moments, **limits):
        fresh.append(task["task"])
        return once(self, number, task, moments, **limits)

    monkeypatch.setattr(StateRun, "_once", noted)
    for _ in range(3):
        with run.changed(moment, Alteration({}, state, state)) as (observation, after):
            assert seen(observation) == seen(run.plain)
            assert after == state
    return fresh


@pytest.mark.parametrize("case", SAME)
def test_forks_at_a_moment_leave_nothing_behind(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with runs(tmp_path, SAME[case]) as (run, moment):
        assert again(run, moment, monkeypatch) == []


@pytest.mark.parametrize("case", OWN)
def test_what_a_fork_would_share_or_lose_is_run_from_the_beginning(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with runs(tmp_path, OWN[case]) as (run, moment):
        assert again(run, moment, monkeypatch) == ["change"] * 3


def test_without_walls_a_program_that_never_does_the_same_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is run plainly once more to be sure, and nobody waits for the slot that is in use."""
    monkeypatch.setenv("STRIPE_SANDBOX_LAYER", "none")
    with (
        runs(tmp_path, "import time\nprint(time.time_ns())  # here\n") as (run, _),
        pytest.raises(NotReducible) as raised,
        run.looked(10),
    ):
        pass
    assert raised.value.slug == "nondeterministic"
