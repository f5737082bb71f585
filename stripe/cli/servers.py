"""What verbs that serve another program do before they begin."""

from __future__ import annotations

import sys
from importlib.util import find_spec

from stripe.errors import UsageError


def require_extra(package: str, extra: str, server: str) -> None:
    """What a server is made with has to be installed.

    Raises :class:`~stripe.errors.UsageError` ``missing-extra``.
    """
    if find_spec(package) is None:
        raise UsageError(
            "missing-extra",
            f"{server} needs the package {package}, which is not installed.",
            f"Install it with: uv tool install 'stripe-trace[{extra}]'",
        )


def tell_waiting(verb: str, client: str) -> None:
    """Tell a user who started it by hand that nothing will come."""
    if sys.stdin is not None and sys.stdin.isatty():
        sys.stderr.write(f"stripe {verb} waits for {client} to speak to it; Ctrl-C ends it.\n")
