"""What a search is asked to do: the command's argument, understood."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit

from pygls.uris import to_fs_path

from stripe.backend import AUTOMATIC
from stripe.errors import UsageError
from stripe.lsp.settings import EditorSettings, Kinds, fits, texts

KEYS: Kinds = {
    "uri": "a text",
    "check": "a text or a list of texts",
    "test": "a text",
    "stdin": "a text",
    "args": "a list of texts",
    "configuration": "a text",
}

SUSPECTS_KEYS: Kinds = {
    **{key: kind for key, kind in KEYS.items() if key != "check"},
    "expect": "a text",
}
"""Those of ``stripe.suspects``."""

EXAMPLE = 'For example: {"uri": "file:///home/me/prog.py", "check": "stdout"}'


@dataclass(frozen=True, slots=True)
class Job:
    """A program to run and what to look for; all of it can be written as JSON.

    ``test``: pytest's name of a test in ``program``, which is run by pytest then.  ``directory``
    is where it runs.  ``suspects``: not a slice is looked for, but changes that make it right; of a
    program, ``expect`` is what it is to print.  ``why``: neither, but why it fails.
    The rest is as in :func:`stripe.trace`.
    """

    program: str
    directory: str
    arguments: tuple[str, ...] = ()
    module: bool = False
    test: str | None = None
    stdin: str = ""
    check: tuple[str, ...] = ()
    control: str = "trace"
    values: str = "auto"
    python: str | None = None
    timeout: float | None = None
    max_tests: int | None = None
    max_time: float | None = None
    jobs: int = 1
    suspects: bool = False
    expect: str | None = None
    why: bool = False

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Job:
        """The job that :meth:`to_json` wrote."""
        values: dict[str, Any] = json.loads(text)
        values |= {key: tuple(v) for key, v in values.items() if isinstance(v, list)}
        return cls(**values)


def understand(
    arguments: Sequence[Any],
    settings: EditorSettings,
    folders: Sequence[Path],
    *,
    suspects: bool = False,
) -> tuple[Job, dict[str, Any]]:
    """The job that the arguments of ``stripe.slice`` ask for, and these in an orderly form.

    ``folders`` are those of the workspace; ``suspects``: they are those of ``stripe.suspects``.
    Raises :class:`~stripe.errors.UsageError`.
    """
    request = one_object(arguments, SUSPECTS_KEYS if suspects else KEYS)
    name = request.get("configuration")
    chosen = None if name is None else settings.configuration(name)
    if chosen is None and "uri" not in request:
        refuse("it needs the uri of a file, or the name of a configuration")
    file = path_of(request["uri"]) if "uri" in request else None
    folder = home(file, folders)
    if chosen is None:
        assert file is not None
        program, directory, module = file, folder, False
    else:
        directory = (folder / chosen.cwd).absolute()
        module = chosen.module
        program = Path(chosen.program) if module else (folder / chosen.program).absolute()
    if not directory.is_dir():
        raise UsageError(
            "no-such-directory",
            f"There is no directory {str(directory)!r} to run {program.name} in.",
            "Check cwd in stripe.configurations.",
        )
    if program.is_relative_to(directory):
        program = program.relative_to(directory)
    job = Job(
        program=str(program),
        directory=str(directory),
        arguments=tuple(request.get("args", chosen.args if chosen else ())),
        module=module,
        test=request.get("test"),
        stdin=request.get("stdin", chosen.input if chosen else ""),
        check=texts(request.get("check", chosen.check if chosen else ())),
        control=settings.control,
        values=settings.values,
        python=interpreter(
            (chosen.python if chosen else None) or settings.python or AUTOMATIC, folder
        ),
        timeout=settings.timeout,
        max_tests=settings.max_tests,
        max_time=settings.max_time,
        jobs=settings.jobs,
        suspects=suspects,
        expect=request.get("expect", chosen.expect if chosen else None),
    )
    if suspects and job.test is None and job.expect is None:
        raise UsageError(
            "no-expectation",
            f"What {job.program} is to print is not known, so it cannot be told what is right.",
            "Ask about a test, or give expect, as an argument or in stripe.configurations.",
        )
    return job, request


def interpreter(python: str, folder: Path) -> str:
    """A path is meant from the workspace folder; a name or a version is nobody's path."""
    if "/" in python:
        return str(folder / Path(python).expanduser())
    return python


def one_object(arguments: Sequence[Any], kinds: Kinds) -> dict[str, Any]:
    """The only argument of a command, an object with these keys; ``null`` is not given."""
    if len(arguments) != 1 or not isinstance(arguments[0], Mapping):
        refuse("it takes one object")
    request = {key: value for key, value in arguments[0].items() if value is not None}
    for key, value in request.items():
        if key not in kinds:
            refuse(f"there is no {key!r}; there is {', '.join(kinds)}")
        if not fits(value, kinds[key]):
            refuse(f"{key!r} must be {kinds[key]}, not {value!r}")
    return request


def refuse(why: str) -> NoReturn:
    """Raise the error for arguments that cannot be understood."""
    raise UsageError("bad-arguments", f"The command cannot be understood: {why}.", EXAMPLE)


def path_of(uri: str) -> Path:
    """The file that a client means."""
    path = to_fs_path(uri) if urlsplit(uri).scheme == "file" else None
    if path is None:
        raise UsageError(
            "not-a-file",
            f"{uri!r} is no file on this machine.",
            "Save it to a file first: what runs is what is on disk.",
        )
    return Path(path)


def home(file: Path | None, folders: Sequence[Path]) -> Path:
    """Where a file's program runs: the innermost workspace folder it is in, else its own."""
    if file is None:
        if not folders:
            raise UsageError(
                "no-workspace",
                "There is no workspace folder to run the configuration in.",
                "Open a folder, or give the uri of a file.",
            )
        return folders[0]
    around = [folder for folder in folders if file.is_relative_to(folder)]
    return max(around, key=lambda folder: len(folder.parts), default=file.parent)
