"""The majority of several runs counts, and no more are made than that takes."""

from __future__ import annotations

import pytest

from stripe.dd import Outcome
from stripe.running.majority import majority

OF = {"P": Outcome.PASS, "F": Outcome.FAIL, "?": Outcome.UNRESOLVED}


@pytest.mark.parametrize(
    ("repeat", "runs", "found", "made"),
    [
        (1, "F", "F", 1),
        (2, "FF", "F", 2),
        (2, "FP", None, 2),
        (3, "FF?", "F", 2),
        (3, "FPF", "F", 3),
        (3, "FP?", None, 3),
        (5, "PFPFP", "P", 5),
        (5, "F?F?P", None, 5),
    ],
)
def test_majority(repeat: int, runs: str, found: str | None, made: int) -> None:
    left = list(runs)
    assert majority(repeat, lambda: left.pop(0), OF.__getitem__) == found
    assert len(runs) - len(left) == made
