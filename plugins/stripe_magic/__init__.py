"""``%load_ext stripe_magic``: ``%%why`` tells why a cell fails, ``%%stripe`` shows its slices.

The command ``stripe`` does the work, in a process of its own: nothing of STRIPE is imported here.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Collection
from typing import Any

from stripe_pytest.command import NoCommand, find_command

OURS = ("In", "Out", "get_ipython", "exit", "quit", "open", "display")
"""Names that the shell itself sets in a notebook."""


class Answer:
    """What was found out about a cell: it shows itself, as a table or as text.

    ``result`` is what ``--json`` writes.
    """

    def __init__(self, answer: dict[str, Any]) -> None:
        self.result: dict[str, Any] = answer["result"]
        self._text: str = answer["text"]
        self._html: str | None = answer["html"]

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str | None:
        return self._html  # None: the text is all there is


def load_ipython_extension(shell: Any) -> None:
    """Add the magics to a running IPython."""
    from IPython.core.error import UsageError

    def answered(verb: str, line: str, cell: str) -> Answer | None:
        names = [each for each in shell.user_ns if each not in OURS]
        try:
            return answer_of(verb, line, cell, names)
        except NoCommand as error:
            raise UsageError(f"stripe: {error}") from None

    def stripe(line: str, cell: str) -> Answer | None:
        """The slices of a cell: %%stripe [OPTIONS OF stripe trace] [-- ARGUMENTS]."""
        return answered("trace", line, cell)

    def why(line: str, cell: str) -> Answer | None:
        """Why a cell fails: %%why [OPTIONS OF stripe why] [-- ARGUMENTS]."""
        return answered("why", line, cell)

    shell.register_magic_function(stripe, "cell", "stripe")
    shell.register_magic_function(why, "cell", "why")


def answer_of(verb: str, line: str, cell: str, names: Collection[str]) -> Answer | None:
    """Ask the command; ``None`` if it was asked for help.  What the cell printed is printed here.

    ``names``: what other cells have set.  Raises :class:`NoCommand`, also with what it refuses.
    """
    asked = {
        "verb": verb,
        "line": line,
        "cell": cell,
        "names": sorted(names),
        "python": sys.executable,
    }
    status, out, said = ask([*find_command(), "notebook"], json.dumps(asked))
    if status:
        raise NoCommand(said.strip().removeprefix("stripe: ") or f"it ended with {status}")
    print(said, end="", file=sys.stderr)
    answer = json.loads(out)
    print(answer["stdout"], end="")
    print(answer["stderr"], end="", file=sys.stderr)
    return None if answer["result"] is None else Answer(answer)


def ask(words: list[str], text: str) -> tuple[int, str, str]:
    """Run a command to its end: its status, and what it wrote.

    Ctrl-C asks it to end its search; what it has found by then is its answer.
    """
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            out, said = process.communicate(text)
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)  # to a kernel alone; twice at once counts as once
            try:
                out, said = process.communicate()
            except BaseException:
                process.kill()
                raise
        except BaseException:
            process.kill()
            raise
    return process.returncode, out, said
