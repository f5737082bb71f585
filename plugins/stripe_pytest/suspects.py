"""Places where a small change makes a failing test pass: runs ``stripe suspects`` for it."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

import pytest

from stripe_pytest.invocation import ask, by_our_options, in_its_file

PLACES = 2
"""Places that are told."""

LONGEST = 100
"""Characters of a change that are told."""


def suspects(config: pytest.Config, command: list[str], nodeid: str, seconds: float) -> str:
    """At most two lines on where one failing test may be right, or why there is none."""
    words = [
        *command, "suspects", "--json", "-", "-q", "--no-slice", "--failing", nodeid,
        "--python", sys.executable, "--max-time", str(seconds),
        "-m", "pytest", "--", *in_its_file(config, nodeid),
    ]  # fmt: skip
    try:
        done = ask(config, words)
        found = json.loads(done.stdout) if done.returncode == 0 else None
    except (OSError, ValueError) as error:
        return f"suspects: not looked for: {error}"
    if found is None:
        return by_our_options(reason(done.stderr), "--stripe-suspects", "suspects")
    return "\n".join(told(found, nodeid.partition("::")[0]))


def reason(said: str) -> str:
    """Why nothing was looked for, in whole sentences, and below it what to do next."""
    words = " ".join(said.split()).removeprefix("stripe: ") or "there was no answer"
    found = re.search(r" \[[a-z-]+\]", words)
    end = len(words) if found is None else found.end()
    return f"suspects: not looked for: {words[:end]}\n{words[end:].strip()}".strip()


def told(found: dict[str, Any], file: str) -> list[str]:
    """The lines for what ``stripe suspects --json`` has found with the tests of ``file``."""
    tried, offered = (found["changes"][name] for name in ("tried", "offered"))
    lines = []
    for place in found["places"][:PLACES]:
        change, passing = place["change"], place["passing"]
        change = change if len(change) <= LONGEST else f"{change[: LONGEST - 3]}..."
        rest = (
            f"and {place['still_passing']} of {passing} still pass"
            if passing
            else f"but no test in {file} passes that it could break"
        )
        where = f"{place['file']}:{place['line']}"
        lines.append(f"suspect: {where} with {change} the failing test passes, {rest}")
    if lines:
        return lines
    more = "" if tried == offered else f" (there are {offered}: --stripe-suspects gives more time)"
    return [f"suspects: the failing test passes with none of {tried} small changes{more}"]
