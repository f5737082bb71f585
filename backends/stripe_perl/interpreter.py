"""Which perl runs a program, and with which switches of its first line."""

from __future__ import annotations

import os
import re
import shutil

from stripe.backend import AUTOMATIC, Target
from stripe.errors import UsageError

_FIRST_LINE = re.compile(rb"#!\s*(?P<perl>.*?\bperl[\d.]*)(?P<switches>\s.*)?$")
_ON_COMMAND_LINE = re.compile(r"-(?P<short>[^CMm]*?)(?P<long>C\w*)?$")


def first_line(target: Target) -> re.Match[bytes] | None:
    """The first line of a program, if it names perl."""
    try:
        with open(target.directory / target.program, "rb") as stream:
            return _FIRST_LINE.match(stream.readline(1000).rstrip())
    except OSError:
        return None


def find_perl(target: Target | None = None) -> str:
    """The absolute path of the perl that runs a target.

    The one that is asked for; else that of the first line, if there is one at this path; else the
    ``perl`` of the search path.

    Raises:
        UsageError: ``no-perl``.
    """
    asked = target.python if target is not None and target.python != AUTOMATIC else None
    if asked is not None and target is not None:
        path = os.path.normpath(os.path.join(target.directory, asked)) if "/" in asked else asked
        if found := shutil.which(path):
            return found
        raise UsageError(
            "no-perl",
            f"There is no perl {asked!r}.",
            "Name a command or the path of a file that can be executed: --perl PATH",
        )
    line = first_line(target) if target is not None else None
    if line is not None:
        named = os.fsdecode(line["perl"])
        if os.path.isabs(named) and os.access(named, os.X_OK):
            return named  # that of env is looked for in the search path
    if found := shutil.which("perl"):
        return found
    raise UsageError(
        "no-perl",
        "There is no perl in the search path ($PATH).",
        "Install it: apt-get install perl",
    )


def switches(target: Target) -> list[str]:
    """Those switches of the first line that perl wants to have on its command line as well."""
    line = first_line(target)
    if line is None:
        return []
    found = []
    for word in os.fsdecode(line["switches"] or b"").split():
        if (each := _ON_COMMAND_LINE.match(word)) is not None:
            found += [f"-{letter}" for letter in "tT" if letter in each["short"]]
            found += [f"-{each['long']}"] if each["long"] else []
    return found
