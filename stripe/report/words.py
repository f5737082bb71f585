"""What reports call the outcomes of tests: to people who debug, PASS and FAIL mean the reverse."""

from __future__ import annotations

from collections.abc import Mapping

from stripe.dd import Outcome

WORDS = {
    Outcome.FAIL: "shows it",
    Outcome.PASS: "does not",
    Outcome.UNRESOLVED: "cannot be told",
}
"""Whether a partial run shows the behaviour that is looked for."""


def outcomes(counts: Mapping[Outcome, int]) -> str:
    """How many tests came to which outcome; nothing of those that no test came to."""
    verbs = {Outcome.FAIL: "show it", Outcome.PASS: "do not", Outcome.UNRESOLVED: "cannot be told"}
    told = [f"{counts[each]:,} {verb}" for each, verb in verbs.items() if counts.get(each)]
    return ", ".join(told) or "none was run"


PREDICTED = "not run"
"""What is said of a test that was predicted to be UNRESOLVED."""
