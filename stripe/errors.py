"""Errors that teach: what happened, why, and what to do next, under a stable name."""

from __future__ import annotations

from enum import IntEnum

LONGEST_LINE = 80
"""Characters of a line of output that a message quotes."""

QUOTED_LINES = 6
"""Lines of output that a message quotes."""


class ExitStatus(IntEnum):
    """Exit status of the command, as documented in docs/options.md."""

    OK = 0
    NOT_REDUCIBLE = 1
    USAGE = 2
    INTERNAL = 3
    INTERRUPTED = 130


class StripeError(Exception):
    """Base of every error STRIPE raises on purpose.

    ``slug`` is the stable name users can search for, ``message`` says what happened and
    why, ``hint`` what to do next.  ``exit_status`` is what the command exits with.
    """

    exit_status = ExitStatus.INTERNAL

    def __init__(self, slug: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.slug = slug
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[type[StripeError], tuple[str, str, str]]:
        return type(self), (self.slug, self.message, self.hint)

    def __str__(self) -> str:
        text = f"{self.message} [{self.slug}]"
        return f"{text}\n{self.hint}" if self.hint else text


class UsageError(StripeError):
    """The request cannot be understood or names things that do not exist (exit status 2)."""

    exit_status = ExitStatus.USAGE


class NotReducible(StripeError):
    """The run cannot be reduced honestly: not reproducible, no output, trivial (status 1)."""

    exit_status = ExitStatus.NOT_REDUCIBLE


class BackendError(StripeError):
    """A backend failed for a reason of its own: a bug, or the machine's fault (status 3)."""


def quoted(stream: bytes, *, first: bool = False) -> str:
    """The last lines of what was printed, or the ``first`` ones, as lines of a message."""
    most = QUOTED_LINES * 1000
    part = stream[:most] if first else stream[-most:]
    lines = part.decode("utf-8", "replace").rstrip().splitlines()
    return "".join(
        "\n    " + (line if line.isprintable() else ascii(line)[1:-1])[: 2 * LONGEST_LINE]
        for line in (lines[:QUOTED_LINES] if first else lines[-QUOTED_LINES:])
    )
