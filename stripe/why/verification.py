"""A question that was asked before, asked again of the program as it is now."""

from __future__ import annotations

import os
import shlex
from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from stripe.backend import Target
from stripe.results.agreement import Agreement, Found, agreement
from stripe.results.formats import WHY
from stripe.results.why import Document
from stripe.states.causes import Input
from stripe.why.inquiry import inquire

if TYPE_CHECKING:
    from stripe.campaign.progress import Progress

FROM_CHECK = "output"
"""The symptom of a question that a check names; others are what the program does by itself."""


@dataclass(frozen=True, slots=True)
class Runs:
    """What asking again runs: the target, the check of it, and an input with which it passes."""

    target: Target
    checks: tuple[str, ...]
    passing: Input | None


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
            engine=asked.engine or None,
            timeout=asked.timeout,
            network=asked.network,
            jobs=os.cpu_count() or 1,
        ),
        (asked.check,) if asked.check else (),
        passing_input(document, name),
    )


def passing_input(document: Document, name: str) -> Input | None:
    """What the user said the program passes with, if anything.

    Raises:
        UsageError: ``not-a-result``: the input is no Base64.
    """
    passes = document.asked.passes
    if passes is None:
        return None
    stdin = _bytes(passes.stdin, name)
    text = shlex.join(passes.arguments) + (" < ..." if stdin else "")
    return Input(passes.arguments, stdin, text)


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
    found: list[Found] = []
    now = inquire(
        target,
        check=check,
        expect=expect,
        neighbour=passing_input(document, name),
        evidence=found.extend,
        progress=progress,
    )
    return agreement(document, now, found)


def _bytes(text: str, name: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError:
        WHY.refuse(name, "what it was given is no Base64")
