"""What a session is about: the arguments that start it, and the journey it begins with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from stripe.backend import Journey, Target
from stripe.debug.critical import event_of, kept_events, named_place
from stripe.debug.session import Session
from stripe.errors import UsageError
from stripe.failing_run import failing_tests, target_of
from stripe.suspects.slices import FailingRun

FINDING_SECONDS = 60.0
"""How long it is looked for a failing test."""

TESTERS = "pytest", "unittest"

type Travel = Callable[[Target], Journey]


@dataclass(frozen=True, slots=True)
class Launch:
    """What to run; ``at_start``: begin there.

    ``result``: a file with a critical slice of this run, or an answer of ``stripe why``; ``check``
    is the criterion, if there are slices of several.  ``at``: the number of an execution in a
    trace, from 1, at which to begin.
    """

    target: Target
    at_start: bool = False
    result: str = ""
    check: str = ""
    at: int = 0

    def begin(self, travel: Travel) -> Session:
        """Record the run, and stand where it failed; of tests, the first one that fails.

        Raises all that recording and finding a test raise.
        """
        target = self.target
        if target.module and target.program in TESTERS:
            target = target_of(FailingRun(target, failing_tests(target, FINDING_SECONDS)[0]))
        journey = travel(target)
        try:
            session = Session(journey, at_start=self.at_start, target=target)
            if self.at:
                session.go(event_of(self.at, target, journey))
            if self.result:
                session.cause = named_place(self.result)
                if session.cause is None:
                    session.kept = kept_events(self.result, self.check, journey, target.directory)
        except BaseException:
            journey.close()
            raise
        return session


def launch_of(arguments: Mapping[str, Any]) -> Launch:
    """What launch arguments ask for, which are named as debugpy's.

    Raises :class:`~stripe.errors.UsageError` ``bad-launch``.
    """
    words = _texts(arguments, "args")
    kinds = [name for name in ("program", "module", "pytest") if arguments.get(name)]
    if len(kinds) != 1:
        raise _bad('one of "program", "module" and "pytest" has to be given')
    if kinds == ["pytest"]:
        program, words = "pytest", [*_texts(arguments, "pytest"), *words]
    else:
        program = _text(arguments, kinds[0])
    python = arguments.get("python")
    if isinstance(python, list):
        python = python[0] if python else None
    if not (python is None or isinstance(python, str)):
        raise _bad('"python" has to be a text')
    folder = Path(_text(arguments, "cwd") or Path.cwd()).absolute()
    if not folder.is_dir():
        raise _bad(f'"cwd" is no folder: {folder}')
    target = Target(
        program,
        words,
        module=kinds != ["program"],
        directory=folder,
        stdin=_text(arguments, "stdin").encode(),
        python=python,
    )
    target = replace(target, environment=_environment(arguments, target.variables))
    result = _text(arguments, "result")
    return Launch(
        target,
        bool(arguments.get("stopOnEntry")),
        str(folder / result) if result else "",
        _text(arguments, "check"),
    )


def _environment(arguments: Mapping[str, Any], base: Mapping[str, str]) -> Mapping[str, str] | None:
    """The variables of the run; ``null`` takes one away."""
    variables = arguments.get("env") or {}
    if not isinstance(variables, dict):
        raise _bad('"env" has to be an object')
    if not variables:
        return None
    kept = {k: v for k, v in base.items() if variables.get(k, "") is not None}
    return kept | {str(k): str(v) for k, v in variables.items() if v is not None}


def _text(arguments: Mapping[str, Any], name: str) -> str:
    found = arguments.get(name) or ""
    if not isinstance(found, str):
        raise _bad(f'"{name}" has to be a text')
    return found


def _texts(arguments: Mapping[str, Any], name: str) -> list[str]:
    found = arguments.get(name) or []
    if isinstance(found, str) and name == "pytest":
        return [found]
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise _bad(f'"{name}" has to be a list of texts')
    return list(found)


def _bad(what: str) -> UsageError:
    return UsageError(
        "bad-launch",
        f"The launch arguments cannot be used: {what}.",
        'For example: {"program": "prog.py", "args": ["1"], "cwd": "/folder"}; see '
        "docs/debugging.md.",
    )
