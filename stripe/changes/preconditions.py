"""What must hold before changes are looked for: the bad version fails, each time, the good not."""

from __future__ import annotations

import os
from pathlib import Path

from stripe import installation
from stripe.changes.snapshots import History, Tree
from stripe.changes.trial import Trial, Verdict
from stripe.checks.command import UNRESOLVED_STATUS
from stripe.checks.crash import Signature
from stripe.dd import Outcome
from stripe.errors import NotReducible, UsageError


def ensure_a_question(trial: Trial, history: History, good: Tree, bad: Tree) -> Signature:
    """Test both versions, each more than once.

    Returns:
        How the bad version fails: everything else is compared with it.

    Raises:
        NotReducible: ``good-fails``, ``flaky``, and what :meth:`Trial.reference` raises.
        UsageError: ``own-checkout``.
    """
    for tree in good, bad:
        require_another_folder(trial.task.directory, tree)
    try:
        failure = trial.reference(bad)
    except NotReducible as error:
        if error.slug == "does-not-fail" and _fails(trial.verdict(good)):
            hint = f"The good version fails: stripe changes {history.bad} {history.good} ...?"
            raise NotReducible(error.slug, error.message, hint) from None
        raise
    again = trial.confirm(bad)
    if again.outcome is not Outcome.FAIL:
        raise _flaky(f"The bad version failed, and then it did not: {describe(again)}.")
    passes = trial.verdict(good)
    if passes.outcome is not Outcome.PASS:
        raise NotReducible(
            "good-fails",
            f"The good version does not pass: {describe(passes)}.",
            "Versions go in the order GOOD BAD. The test is the same for both: if it is new in the "
            "bad version, put it where both find it: --test 'python /path/to/test.py'",
        )
    again = trial.verdict(good)
    if again.outcome is not Outcome.PASS:
        raise _flaky(f"The good version passed, and then it did not: {describe(again)}.")
    return failure


def require_another_folder(directory: str, tree: Tree, own: Path = installation.FOLDER) -> None:
    """Raise UsageError ``own-checkout`` if our own files would be others where a version is shown.

    ``directory``: where versions are shown; ``own``: the folder of our package.
    """
    inside = os.path.relpath(own.resolve(), os.path.realpath(directory))
    for path, (_, content) in tree.items():
        if not path.startswith(f"{inside}{os.sep}"):
            continue
        here = own / os.path.relpath(path, inside)
        if not here.is_file() or here.read_bytes() != content:
            raise UsageError(
                "own-checkout",
                f"STRIPE itself runs from {own}, and the versions have another {path}: "
                "their tests would be run by the files of another version.",
                "Take a clone, and look for the changes there: git clone . ../clone",
            )


def _fails(verdict: Verdict) -> bool:
    return verdict.failure is not None and verdict.failure.status != UNRESOLVED_STATUS


def _flaky(message: str) -> NotReducible:
    return NotReducible(
        "flaky",
        message,
        "Make the test steady (seeds, clocks, threads), or let the majority of several runs "
        "decide: --repeat 5",
    )


def describe(verdict: Verdict) -> str:
    """What came of a version, in words."""
    said = verdict.said.decode("utf-8", "replace").strip().splitlines()
    last = f", saying {said[-1][:200]!r}" if said else ""
    ended = f" ({verdict.failure})" if verdict.failure is not None else ""
    outcome = verdict.outcome.name.lower()
    return f"{outcome}, {verdict.why or 'as its exit status says'}{ended}{last}"
