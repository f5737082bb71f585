"""STRIPE: systematic trace reduction by iterative partial execution.

:func:`stripe.trace` records a run of a program and finds its critical slice; it returns a
:class:`Result`.  :func:`stripe.render` shows one as text, :func:`stripe.read_result` reads one
from its file, :func:`stripe.verify` says whether it still holds.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from stripe.version import __version__

if TYPE_CHECKING:
    from stripe.api import RunOptions, SearchOptions, TraceOptions, trace, verify
    from stripe.backend import Backend, End, Observation, Probe, Recording, Target
    from stripe.campaign.log import LogEntry
    from stripe.campaign.progress import Progress
    from stripe.dd import Outcome
    from stripe.errors import BackendError, NotReducible, StripeError, UsageError
    from stripe.reduce import CriticalSlice, Result, Statistics
    from stripe.reduce.verify import Verdict, Verification
    from stripe.report import read_result, render

_HOMES = {
    "stripe.api": ("RunOptions", "SearchOptions", "TraceOptions", "verify"),
    "stripe.backend": ("Backend", "End", "Observation", "Probe", "Recording", "Target"),
    "stripe.campaign.log": ("LogEntry",),
    "stripe.campaign.progress": ("Progress",),
    "stripe.dd": ("Outcome",),
    "stripe.errors": ("BackendError", "NotReducible", "StripeError", "UsageError"),
    "stripe.reduce": ("CriticalSlice", "Result", "Statistics"),
    "stripe.reduce.verify": ("Verdict", "Verification"),
    "stripe.report": ("read_result", "render"),
}
"""Where the library's names are: all of it is imported when the first one is asked for, and not by
the command, which imports this package before its verb."""


class _Library(ModuleType):
    """This package.

    The function ``stripe.trace`` and the package ``stripe.trace`` (the model of a trace) share a
    name, and Python sets a package as an attribute of its parent when it is first imported: the
    function is a property, which takes no notice of that.  The package stays what import statements
    find: ``from stripe.trace import Trace`` works everywhere.  What does not work is to reach it
    through the attribute (``import stripe.trace.model as model``).
    """

    @property
    def trace(self) -> Any:
        """The function :func:`stripe.api.trace`."""
        _import_library()
        return sys.modules["stripe.api"].__dict__["trace"]

    @trace.setter
    def trace(self, package: ModuleType) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        if not any(name in names for names in _HOMES.values()):
            told = f"module {self.__name__!r} has no attribute {name!r}"
            raise AttributeError(told + _of_payment_library(), name=name)
        _import_library()
        return self.__dict__[name]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *__all__})


def _import_library() -> None:
    from importlib import import_module

    for home, names in _HOMES.items():
        found = vars(import_module(home))
        globals().update((name, found[name]) for name in names)


sys.modules[__name__].__class__ = _Library


def _of_payment_library() -> str:
    """What a program that wants the payment library has to know, if ours lies over it."""
    from stripe.installation import has_payment_library  # lazy

    return has_payment_library() * (
        ": this is the tracer STRIPE, which has overwritten the payment library of the same name. "
        "pip uninstall stripe-trace; pip install --force-reinstall stripe"
    )


def load_ipython_extension(shell: object) -> None:
    """``%load_ext stripe``, as the magic was loaded in version 0.1; refused by name."""
    from IPython.core.error import UsageError

    raise UsageError(
        "stripe: The magic %%stripe is loaded by %load_ext stripe_magic: pip install "
        "pytest-stripe-trace"
    )


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
    "RunOptions",
    "SearchOptions",
    "Statistics",
    "StripeError",
    "Target",
    "TraceOptions",
    "UsageError",
    "Verdict",
    "Verification",
    "__version__",
    "read_result",
    "render",
    "trace",
    "verify",
]
