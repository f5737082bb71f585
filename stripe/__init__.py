"""STRIPE: systematic trace reduction by iterative partial execution.

:func:`stripe.trace` records a run of a program and finds its critical slice; it returns a
:class:`Result`.  :func:`stripe.render` shows one as text, :func:`stripe.read_result` reads one
from its file, :func:`stripe.verify` says whether it still holds.
"""

# The function `stripe.trace` and the package `stripe.trace` (the model of a trace) share a name.
# Python sets a package as an attribute of its parent once, when it is first imported; importing
# `stripe.api` does that, and the function then takes the attribute for good.  The package stays
# what import statements find: `from stripe.trace import Trace` works everywhere.  What does not
# work is to reach it through the attribute (`import stripe.trace.model as model`).
from stripe.api import trace, verify
from stripe.backend import Backend, End, Observation, Probe, Recording, Target
from stripe.campaign.log import LogEntry
from stripe.campaign.progress import Progress
from stripe.dd import Outcome
from stripe.errors import BackendError, NotReducible, StripeError, UsageError
from stripe.reduce import (
    CriticalSlice,
    Result,
    Statistics,
    Verdict,
    Verification,
)
from stripe.report import read_result, render
from stripe.version import __version__


def load_ipython_extension(shell: object) -> None:
    """``%load_ext stripe`` in a notebook: the magic ``%%stripe`` (:mod:`stripe.notebook`)."""
    from stripe.notebook import load

    load(shell)


__all__ = [
    "Backend",
    "BackendError",
    "CriticalSlice",
    "End",
    "LogEntry",
    "NotReducible",
    "Observation",
    "Outcome",
    "Probe",
    "Progress",
    "Recording",
    "Result",
    "Statistics",
    "StripeError",
    "Target",
    "UsageError",
    "Verdict",
    "Verification",
    "__version__",
    "read_result",
    "render",
    "trace",
    "verify",
]
