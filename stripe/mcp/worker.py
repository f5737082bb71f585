"""The process that a tool runs in: ``python -m stripe.mcp.worker``.

See :mod:`stripe.search_process.child`; the request is an object with the ``tool``, the ``project``
and the tool's arguments.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from stripe.backend import AUTOMATIC, Interpreting, Target, choose_backend
from stripe.deadline import Deadline
from stripe.errors import UsageError
from stripe.mcp.answers import MOST_TEXT, Reduced, tried_answer, verified_answer
from stripe.mcp.runs import path_below, require_no_command, target_of
from stripe.report.why import headline
from stripe.results.why import Document, from_json
from stripe.search_process.child import Speaker, work


def why(
    speaker: Speaker,
    *,
    check: str,
    line: int | None,
    expect: str | None,
    max_time: float,
    **run: Any,
) -> Any:
    """Why a run fails: a document of :mod:`stripe.results.why`."""
    from stripe.why import inquire  # lazy

    def tell(document: Document) -> None:
        if document.places:  # that nothing was found is said in the end
            speaker.doing(f"so far: {headline(document)}")

    require_no_command(check)
    target = target_of(**run, seconds=max_time, doing=speaker.doing)
    expected = None if expect is None else expect.encode("utf-8", "surrogateescape")
    return inquire(
        target,
        check=check,
        line=line,
        expect=expected,
        better=tell,
        progress=speaker,
    ).to_json()


def verify(
    speaker: Speaker, *, document: Any, run: Mapping[str, Any], name: str, max_time: float
) -> Any:
    """Whether an answer holds, whose question is asked again of what was run then."""
    from stripe.why.verification import ask_again  # lazy

    target = target_of(**run, seconds=max_time, doing=speaker.doing)
    found = ask_again(from_json(document, name), target, name, speaker)
    return asdict(verified_answer(found))


def reduce_input(
    speaker: Speaker,
    *,
    file: str,
    command: Sequence[str],
    check: str,
    units: str,
    max_time: float,
) -> Any:
    """The part of a file with which a command does the same."""
    from stripe.inputs import reduce_file  # lazy

    require_no_command(check)
    found = reduce_file(
        path_below(Path.cwd(), file),
        command,
        check=check or "crash",
        units=units,
        max_time=max_time,
        jobs=os.cpu_count() or 1,
        progress=speaker,
    )
    text = found.answer.decode("utf-8", "replace")
    return asdict(
        Reduced(
            found.original,
            len(found.answer),
            text[:MOST_TEXT],
            len(text) > MOST_TEXT,
            found.certified,
            found.verified,
            found.tests,
            list(found.notes),
        )
    )


def story_of(
    speaker: Speaker,
    *,
    file: str,
    line: int | None,
    number: int | None,
    event: int | None,
    max_time: float,
    **run: Any,
) -> Any:
    """What an execution held and needed, and what needed it."""
    from stripe.why.execution import neighbourhood  # lazy

    if (line is None) == (event is None) or (line is None) != (not file):
        raise UsageError(
            "bad-arguments",
            "A file and a line, or an event, say what is asked about: one of them.",
            'For example: {"file": "shop/cart.py", "line": 12}, or {"event": 7}',
        )
    target = target_of(**run, seconds=max_time, doing=speaker.doing)
    name = path_below(Path.cwd(), file).as_posix() if file else ""
    return asdict(neighbourhood(target, name, line or 0, number, event))


def try_change(speaker: Speaker, *, patch: str, tests: Sequence[str], max_time: float) -> Any:
    """What the project's tests do without and with a patch."""
    from stripe.changes.tried_patch import try_patch  # lazy

    project = Path.cwd()
    target = Target("pytest", module=True, directory=project, python=AUTOMATIC)
    backend = choose_backend(target)
    assert isinstance(backend, Interpreting), "it is that of Python"
    for test in tests:
        path_below(project, test.partition("::")[0], folder=True)
    deadline = Deadline(max_time, speaker.doing)
    tried = try_patch(project, patch, backend.interpreter(target), tests, deadline)
    return asdict(tried_answer(tried))


TOOLS: Mapping[str, Callable[..., Any]] = {
    "why": why,
    "verify": verify,
    "reduce_input": reduce_input,
    "story_of": story_of,
    "try_change": try_change,
}


def search(request: str, speaker: Speaker) -> Any:
    """What a tool answers, as plain JSON data."""
    arguments = json.loads(request)
    os.chdir(arguments.pop("project"))
    return TOOLS[arguments.pop("tool")](speaker, **arguments)


if __name__ == "__main__":
    sys.exit(work(search))
