"""What reports call the outcomes of tests, for readers who know another use of PASS and FAIL."""

from __future__ import annotations

from stripe.dd import Outcome

WORDS = {Outcome.FAIL: "kept", Outcome.PASS: "lost", Outcome.UNRESOLVED: "other"}
"""What became of the behaviour that is looked for; ``other``: the run ended otherwise."""

PREDICTED = "not run"
"""What is said of a test that was predicted to be UNRESOLVED."""
