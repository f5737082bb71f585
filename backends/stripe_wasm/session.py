"""What the page of the playground asks for, and is answered in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import stripe
from stripe.backend import Recording, Target
from stripe.checks import Criterion, default_check, parse_checks
from stripe.dd import Outcome
from stripe.errors import StripeError
from stripe.report.html import page as html_page
from stripe_wasm.backend import WasmBackend
from stripe_wasm.recording import Page

FOLDER = Path("/home/user")
PROGRAM = "main.py"

WORDS = {
    Outcome.FAIL: "shows it",
    Outcome.PASS: "does not show it",
    Outcome.UNRESOLVED: "cannot be told",
}


class Session:
    """Answers requests of the page, each a mapping with ``do``, the name of a method below."""

    def __init__(self, page: Page, doing: Callable[[str], None]) -> None:
        self._backend, self._doing = WasmBackend(page), doing
        self._game: Game | None = None

    def answer(self, request: str) -> str:
        """The answer to a request, or the ``error`` that teaches."""
        asked = json.loads(request)
        try:
            found = getattr(self, asked.pop("do"))(**asked)
        except StripeError as error:
            found = {"error": error.slug, "message": error.message, "hint": error.hint}
        return json.dumps(found)

    def trace(self, program: str, stdin: str, check: str, **options: Any) -> dict[str, Any]:
        """The critical slice: its page, the report of a terminal, and what is graded."""
        write(program)
        result = stripe.trace(
            PROGRAM,
            check=check or (),
            directory=FOLDER,
            stdin=stdin,
            backend=self._backend,
            doing=self._doing,
            **options,
        )
        found = result.slices[0]
        trace = result.trace
        lines = {trace.statements[trace.statement[event]].line for event in found.events}
        return {
            "page": html_page(result),
            "report": stripe.render(result),
            "criterion": found.name,
            "kept": len(found.events),
            "of": found.of,
            "lines": sorted(lines),
            "tests": found.tests,
            "certified": found.certified,
            "verified": found.verified,
        }

    def run(self, program: str, stdin: str) -> dict[str, Any]:
        """What the program does as it is."""
        recording = self._record(program, stdin)
        plain = recording.plain
        return {
            "stdout": plain.stdout.decode("utf-8", "replace"),
            "stderr": plain.stderr.decode("utf-8", "replace"),
            "status": plain.status,
        }

    def begin(self, program: str, stdin: str, check: str) -> dict[str, Any]:
        """Begin a game: the events that can be left out."""
        self._game = Game(self._record(program, stdin), check)
        return self._game.begun()

    def test(self, kept: list[int]) -> dict[str, Any]:
        """Replay some events of the game's run, and say what comes of it."""
        assert self._game is not None
        return self._game.test(kept)

    def certify(self, kept: list[int]) -> dict[str, Any]:
        """Leave out each of them on its own: those that can go as well."""
        assert self._game is not None
        return self._game.certify(kept)

    def _record(self, program: str, stdin: str) -> Recording:
        write(program)
        target = Target(PROGRAM, directory=FOLDER, stdin=stdin.encode())
        return self._backend.record(target)


class Game:
    """Delta debugging by hand: a recorded run, a criterion, and tests that somebody chooses."""

    def __init__(self, recording: Recording, check: str) -> None:
        self._recording = recording
        recorded = recording.recorded
        chosen = parse_checks([check])[0] if check else default_check(recorded)
        self._criterion: Criterion = chosen.reference(recorded)

    def begun(self) -> dict[str, Any]:
        """The events in order, each with its line, what it is, and what called it."""
        trace = self._recording.trace
        lines = trace.files[0].lines
        events = [
            {
                "name": trace.name(event),
                "line": trace.statements[number].line,
                "text": lines[trace.statements[number].line - 1].strip(),
                "caller": trace.caller[event],
            }
            for event, number in enumerate(trace.statement)
        ]
        return {
            "criterion": self._criterion.name,
            "events": events,
            "stdout": self._recording.recorded.stdout.decode("utf-8", "replace"),
        }

    def test(self, kept: list[int]) -> dict[str, Any]:
        """An outcome: ``FAIL`` if the criterion is reproduced; what the replay did, and why."""
        closed = self._recording.trace.close(kept)
        with self._recording.replay(closed) as run:
            outcome = self._criterion.judge(run)
            raised = run.exception
            why = run.detail or ("" if raised is None else f"{raised.type} in line {raised.line}")
            return {
                "outcome": outcome.name,
                "says": WORDS[outcome],
                "kept": list(closed),
                "why": why,
                "stdout": run.stdout.decode("utf-8", "replace"),
            }

    def certify(self, kept: list[int]) -> dict[str, Any]:
        """Whether they are 1-minimal: ``more`` are those without which the criterion is shown."""
        closed = self._recording.trace.close(kept)
        more = []
        for event in closed:
            rest = self._recording.trace.close([each for each in closed if each != event])
            with self._recording.replay(rest) as run:
                if self._criterion.judge(run) is Outcome.FAIL:
                    more.append(event)
        shown = self.test(list(closed))["outcome"] == Outcome.FAIL.name
        return {"minimal": shown and not more, "shown": shown, "more": more, "tests": len(closed)}


def write(program: str) -> None:
    """Put the program where it is run; nothing else is there."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path in FOLDER.iterdir():
        path.unlink()
    (FOLDER / PROGRAM).write_text(program, encoding="utf-8")
