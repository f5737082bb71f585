"""What must hold before an input is reduced: it fails, each time, and the other one passes."""

from __future__ import annotations

import contextlib
from concurrent.futures import ThreadPoolExecutor

from stripe.campaign.campaign import Campaign
from stripe.checks.crash import Signature
from stripe.dd import Outcome
from stripe.errors import NotReducible
from stripe.inputs.contents import key_of
from stripe.inputs.trial import Trial


def ensure_reducible(trial: Trial, campaign: Campaign, passing: bytes | None) -> Signature:
    """Run the original input, more than once, and beside it the one that is to pass.

    Returns:
        How the original input fails: everything else is compared with it.

    Raises:
        NotReducible: ``flaky``, ``passing-fails``, and what :meth:`Trial.first` raises.
    """
    pool = ThreadPoolExecutor(max(1, campaign.jobs - 1))
    try:
        # Only a script, whose exit status says all, can do without knowing the first run.
        at_once = campaign.jobs > 1 and trial.check is None
        failure = None if at_once else _first(trial)
        runs = [pool.submit(trial.once, trial.original) for _ in range(max(2, trial.repeat) - 1)]
        other = None if passing is None else pool.submit(trial.outcome, passing)
        if failure is None:
            failure = _first(trial)
        outcomes = [Outcome.FAIL, *(run.result() for run in runs)]
        of_passing = None if other is None else other.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # the trial ends what still runs
    _ensure_steady(trial, outcomes)
    campaign.learn(key_of(trial.original), Outcome.FAIL)
    if passing is not None and of_passing is not None:
        campaign.learn(key_of(passing), of_passing)
        _ensure_passing(passing, of_passing)
    return failure


def _first(trial: Trial) -> Signature:
    """The signature of the failure, which may need several runs to show itself."""
    for _ in range(trial.repeat - 1):
        with contextlib.suppress(NotReducible):
            return trial.first()
    return trial.first()


def _ensure_steady(trial: Trial, outcomes: list[Outcome]) -> None:
    majority = outcomes.count(Outcome.FAIL) > len(outcomes) // 2
    steady = set(outcomes) == {Outcome.FAIL}
    if not (majority if trial.repeat > 1 else steady):
        raise NotReducible(
            "flaky",
            f"The failure comes and goes: the same input failed in "
            f"{outcomes.count(Outcome.FAIL)} of {len(outcomes)} runs.",
            "Make it steady (seeds, clocks, threads), or let the majority of several runs "
            "decide: --repeat 5",
        )


def _ensure_passing(passing: bytes, outcome: Outcome) -> None:
    if outcome is not Outcome.PASS:
        what = "passing input" if passing else "empty input, which is to pass,"
        raise NotReducible(
            "passing-fails",
            f"The {what} does not pass: its outcome is {outcome.name.lower()}.",
            "Give an input that passes: --passing FILE. A test script says so by an exit "
            "status other than 0 and 125.",
        )
