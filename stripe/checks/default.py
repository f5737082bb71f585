"""The check to use when the user names none."""

from __future__ import annotations

import re
from itertools import takewhile

from stripe.backend import End, Observation
from stripe.checks.check import Check
from stripe.checks.kinds import StreamPart, UncaughtPart, how_to_give_arguments
from stripe.checks.spec import parse_check
from stripe.errors import NotReducible, quoted

UNITTEST_FAILED = re.compile(rb"^FAILED \((failures|errors)=\d", re.MULTILINE)
FAILURES = r"^(FAIL|ERROR): |^[\w.]*(Error|Exception)\b"
"""Which tests failed, and why; not the traceback, in which what failed is only reported."""

NOT_OK = re.compile(
    rb"^not ok \d+ ?(?P<name>(?:- )?.*?)(?P<excused> # (?:TODO|SKIP)\b.*)?$", re.M | re.I
)
"""A failed test of the Test Anything Protocol, as Perl's Test::More prints it."""

DIAGNOSIS_LINES = 20
"""Lines that are part of what such a test says of its failure."""


def default_check(recorded: Observation) -> Check:
    """The uncaught exception if there is one; else failing tests, a signal, or stdout.

    Raises :class:`~stripe.errors.NotReducible` if the run has none of them.
    """
    if recorded.exception is not None:
        return Check("exception", (UncaughtPart(),))
    if recorded.status and UNITTEST_FAILED.search(recorded.stderr):
        return parse_check(f"failures=stderr:/{FAILURES}/")
    if recorded.status and (failed := failed_test(recorded)):
        name, said = failed
        words = "|".join(dict.fromkeys(map(_literal, said)))  # they do not tell the test's number
        return parse_check(
            f"failure=stderr:/^({words})$/"
            if words
            else rf"failure=stdout:/^not ok \d+ ?{_literal(name)}$/"
        )
    if recorded.end is End.SIGNAL:
        return parse_check("signal")
    if recorded.stdout:
        return Check("stdout", (StreamPart("stdout", "stdout", None),))
    raise NotReducible("no-output", *_nothing_to_keep(recorded))


def failed_test(recorded: Observation) -> tuple[str, list[str]] | None:
    """The first failed test of a program that speaks the Test Anything Protocol, if it does.

    Returns:
        Its name, and the lines on standard error that say where and how it fails.
    """
    failed = next((each for each in NOT_OK.finditer(recorded.stdout) if not each["excused"]), None)
    if failed is None:
        return None
    lines = recorded.stderr.decode("utf-8", "replace").splitlines()
    starts = [n for n, line in enumerate(lines) if re.match(r"# +Failed test\b", line)]
    said = []
    if starts:
        block = lines[starts[0] : starts[1] if starts[1:] else len(lines)]
        said = list(takewhile(lambda line: line.startswith("#  "), block))[:DIAGNOSIS_LINES]
    return failed["name"].decode("utf-8", "replace"), said


def _literal(text: str) -> str:
    """A regular expression for just this text, between slashes."""
    return re.sub(r"[][.^$*+?{}|()\\/]", r"\\\g<0>", text)


def _nothing_to_keep(recorded: Observation) -> tuple[str, str]:
    """Message and hint for a run without an exception and without standard output."""
    message = "The program printed nothing on standard output and raised no exception"
    if recorded.stderr:
        said = quoted(recorded.stderr, first=True)
        hint = how_to_give_arguments(recorded) + "To find out why it prints that: --check stderr."
        return f"{message}; it printed on standard error only:{said}", hint
    if recorded.status:
        return f"{message}; it exited with status {recorded.status}.", "Try --check exit."
    return (
        f"{message}, so there is nothing to preserve.",
        "Name what matters: --check file:PATH, --check var:NAME@FILE:LINE or --check cmd:COMMAND.",
    )
