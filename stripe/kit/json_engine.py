"""An engine that is a process of its own, and is spoken to in lines of JSON."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from stripe.kit.conversation import Conversation
from stripe.kit.engines import Facts, Gone
from stripe.sandbox.termination import end_process


class JsonEngine:
    """A process that answers each line of its standard input, a request, with one line.

    Its standard error is for its last words.

    Args:
        command: starts it; behind the walls of a slot, if it runs the program.
        environment: all of its variables, if not ours.
        directory: where to start it, if not here.
        gone: makes the error for one that is of no use any more, from what it did.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        directory: Path | None = None,
        gone: Callable[[str], Gone] = lambda what: Gone("engine-failed", f"The engine {what}"),
    ) -> None:
        self._error = gone
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=directory,
            env=environment,
            start_new_session=True,
        )
        self._conversation = Conversation(self._process, self._gone)

    def ask(self, request: Mapping[str, Any], seconds: float) -> Facts:
        """Send a request; its answer, within ``seconds`` and some grace.

        Raises:
            Gone: when there is none; a new engine may do better.
        """
        return self._conversation.ask(request, seconds)

    def cancel(self) -> None:
        """Ask it to end the run that another thread waits for, if there is one."""
        self._conversation.cancel()

    def close(self) -> None:
        """End it, and all that runs below it."""
        end_process(self._process)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream is not None
            with suppress(BrokenPipeError):  # what was not sent any more
                stream.close()

    def _gone(self, late: bool) -> Gone:
        if late:
            error = self._error("did not answer in time.")
            error.late = True
            return error
        self._process.terminate()
        assert self._process.stderr is not None
        said = self._process.stderr.read().decode("utf-8", "replace").strip()
        return self._error(f"ended: {said[-1000:]}")
