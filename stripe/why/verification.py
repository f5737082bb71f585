"""A question that was asked before, asked again of the program as it is now."""

from __future__ import annotations

import os
from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from stripe.backend import Target
from stripe.results.agreement import Agreement, agreement
from stripe.results.formats import WHY
from stripe.results.why import Document
from stripe.why.inquiry import inquire

if TYPE_CHECKING:
    from stripe.campaign.progress import Progress

FROM_CHECK = "output"
"""The symptom of a question that a check names; others are what the program does by itself."""


@dataclass(frozen=True, slots=True)
class Runs:
    """What asking again runs: the target, and the check of it."""

    target: Target
    checks: tuple[str, ...]


def runs_of(document: Document, name: str) -> Runs:
    """What was run; ``name`` is what errors call the file.

    Raises:
        UsageError: ``not-a-result``: the input is no Base64.
    """
    asked = document.asked
    return Runs(
        Target(
            program=asked.program,
            arguments=asked.arguments,
            module=asked.module,
            directory=Path(asked.directory),
            stdin=_bytes(asked.stdin, name),
            python=asked.python or None,
            include=asked.include,
            only=asked.only,
            exclude=asked.exclude,
            jobs=os.cpu_count() or 1,
        ),
        (asked.check,) if asked.check else (),
    )


def ask_again(
    document: Document, target: Target, name: str, progress: Callable[[Progress], None] | None
) -> Agreement:
    """Ask the question of ``document`` again, of ``target``, within its deadline.

    Raises:
        StripeError: all that :func:`~stripe.why.inquire` raises.
    """
    asked = document.asked
    expect = None if asked.expect is None else _bytes(asked.expect, name)
    named = document.happened.symptom == FROM_CHECK and expect is None
    check = asked.check if named else ""
    return agreement(document, inquire(target, check=check, expect=expect, progress=progress))


def _bytes(text: str, name: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError:
        WHY.refuse(name, "what it was given is no Base64")
