"""What is run on a candidate input, and how the candidate gets there."""

from __future__ import annotations

import errno
import os
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from stripe.checks import Check, parse_check
from stripe.errors import NotReducible, UsageError

PLACEHOLDER = "@@"

SECONDS = 60.0
"""How long the first run may take."""

OUTPUT = 64 << 20
"""Bytes any file may grow to that a test writes."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command to be run on candidates.

    - ``words``: the command; ``holes`` says which words hold the candidate's path, in place of
      ``placeholder``
    - ``file``: the candidate's name in the scratch directory
    - ``stdin``: the candidate is what the command reads
    - ``spread``: the candidate is a list of words for a shell; they take the place of the hole
    - ``script``: the command is an interestingness test, whose exit status is the answer
    """

    words: tuple[str, ...]
    holes: frozenset[int]
    placeholder: str
    file: str
    stdin: bool = False
    spread: bool = False
    script: bool = False

    def words_for(self, path: Path, content: bytes) -> list[str]:
        """The words to run for a candidate that is in the file ``path``.

        Raises:
            ValueError: when a candidate to be spread is no list of words, as with an open quote.
        """
        command: list[str] = []
        for index, word in enumerate(self.words):
            if index not in self.holes:
                command.append(word)
            elif self.spread:
                text = content.decode("utf-8", "surrogateescape")
                command += shlex.split(text)
            else:
                command.append(word.replace(self.placeholder, str(path)))
        return command


def script(test: str, file: Path) -> Command:
    """An interestingness test: it finds the candidate by its name in the working directory (the
    convention of creduce and shrinkray) and as its argument (that of picire and lithium).

    Raises:
        UsageError: ``no-such-test``, ``not-executable``.
    """
    path = Path(test)
    if not path.exists():
        found = shutil.which(test)
        if found is None or os.sep in test:
            raise UsageError(
                "no-such-test",
                f"There is no test script {test!r}.",
                "--test names an executable file that exits with 0 if its argument still fails.",
            )
        path = Path(found)
    if path.is_dir() or not os.access(path, os.X_OK):
        raise UsageError(
            "not-executable",
            f"The test script {test!r} cannot be executed.",
            f"Make it executable: chmod +x {shlex.quote(test)} (it begins with #! and its shell).",
        )
    words = (str(path.absolute()), PLACEHOLDER)
    return Command(words, frozenset({1}), PLACEHOLDER, file.name, script=True)


def command_of(
    command: Sequence[str],
    file: Path,
    *,
    argument: int | None = None,
    stdin: bool = False,
    placeholder: str | None = None,
    spread: bool = False,
    directory: Path | None = None,
) -> Command:
    """A command of the user's, given in ``directory`` (by default the current one).

    The candidate takes the place of argument number ``argument`` (from 1), or of ``placeholder``
    in any argument.  If neither is given, of ``@@``; else of the arguments that name ``file``; else
    the command reads it from standard input, as with ``stdin``.

    Other words that name existing files are made absolute, since the command runs elsewhere.

    Raises:
        UsageError: ``no-such-command``, ``bad-option``.
    """
    here = (directory or Path()).absolute()
    words = [_found(command[0], here), *(_absolute(word, here) for word in command[1:])]
    mark = placeholder or PLACEHOLDER
    holes: set[int] = set()
    if argument is not None:
        if not 1 <= argument < len(words):
            raise UsageError(
                "bad-option",
                f"--arg {argument}: the command has {len(words) - 1} arguments.",
                "Arguments count from 1, behind the name of the command.",
            )
        words[argument] = mark
        holes = {argument}
    elif not stdin:
        holes = {index for index, word in enumerate(words) if index and mark in word}
        if not holes and placeholder is not None:
            raise UsageError(
                "bad-option",
                f"The placeholder {placeholder!r} is in no argument of the command.",
                "Write it where the path of the input belongs.",
            )
        if not holes:
            own = here / file
            holes = {index for index, word in enumerate(words) if index and _same(word, own)}
            for index in holes:
                words[index] = mark
    if spread and not holes:
        raise UsageError(
            "bad-option",
            "Nothing says where the arguments in the input belong.",
            f"Write {PLACEHOLDER} in the command: stripe input {file.name} --units args -- "
            f"{command[0]} {PLACEHOLDER}",
        )
    return Command(tuple(words), frozenset(holes), mark, file.name, not holes, spread)


def _found(name: str, here: Path) -> str:
    found = shutil.which(str(here / name) if os.sep in name else name)
    if found is None:
        exists = (here / name).exists()
        raise UsageError(
            "no-such-command",
            f"The command {name!r} {'cannot be executed' if exists else 'was not found'}.",
            f"Make it executable: chmod +x {shlex.quote(name)}"
            if exists
            else "What follows -- is a program and its arguments; a shell script goes to --test.",
        )
    return str(Path(found).absolute())


def _absolute(word: str, here: Path) -> str:
    path = here / word
    return str(path) if word and path.exists() else word


def _same(word: str, file: Path) -> bool:
    try:
        return Path(word).exists() and os.path.samefile(word, file)
    except OSError:
        return False


def check_of(check: str | Sequence[str], *, unsafe: bool = False) -> Check | None:
    """The check of what a command does, in the form of ``--check``; ``None`` if it is empty.

    Raises:
        UsageError: ``bad-check``, ``unknown-check``, ``bad-regex``.
    """
    spec = check if isinstance(check, str) else "+".join(check)
    if not spec:
        return None
    judge = parse_check(spec, unsafe=unsafe)
    if judge.probes:
        raise UsageError(
            "bad-check",
            f"The check {judge.spec!r} looks at a variable, which no command shows.",
            "Let the command print it: --check 'stdout:/REGEX/'",
        )
    return judge


def not_started(words: Sequence[str], error: OSError) -> NotReducible:
    """The error for a command that cannot be started at all."""
    reason = "it has no #! line, or that of an interpreter which is not there"
    hint = "The first line of a script names its interpreter: #!/bin/sh"
    if error.errno is not None and error.strerror and "format" not in error.strerror.lower():
        reason = error.strerror
    if error.errno in (errno.EACCES, errno.EPERM):
        hint = (
            "May you enter all folders on the way to it, also without being root, and is it on a "
            "file system that lets programs be executed?"
        )
    return NotReducible(
        "cannot-start",
        f"{words[0]!r} cannot be started: {reason}.",
        hint,
    )
