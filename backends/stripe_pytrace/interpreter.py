"""Finding the Python interpreter to run a program with, and what we need to know of it.

The interpreter is asked, by running it once, and again when the file is another one; nothing is
concluded from its path.  It may be another one than ours: a virtual environment's, an older or a
newer version, or none at all.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stripe.errors import UsageError
from stripe.kit.memo import recall, remember
from stripe.sandbox.termination import kill
from stripe_pytrace.agent.compiling.versions import NEWEST, OLDEST

_TIMEOUT = 60.0
_TIMEOUT_FOR_ADVICE = 5.0  # for each interpreter we look at only to name it in an error
_MARK = "stripe-interpreter:"  # before the answer: site customisations may print, too

# Runs in any Python since 2.6, so that an old one can say how old it is.
_QUESTION = r"""
import sys
sys.path.pop(0)  # the working directory: a json.py there is not the one we mean
answer = {"version": list(sys.version_info[:3]), "implementation": "cpython"}
if sys.version_info >= (3, 3):
    answer["implementation"] = sys.implementation.name
if sys.version_info >= OLDEST:
    import site, sysconfig
    paths = sysconfig.get_paths()
    dynload = sysconfig.get_config_var("DESTSHARED")
    packages = [paths["purelib"], paths["platlib"]] + site.getsitepackages()
    answer["stdlib"] = [paths["stdlib"], paths["platstdlib"]] + [dynload or paths["stdlib"]]
    answer["site"] = packages + [site.getusersitepackages()]
    answer["environment"] = sys.prefix if sys.prefix != sys.base_prefix else None
    answer["executable"] = sys.executable
    answer["build"] = sys.version
    answer["gil"] = not sysconfig.get_config_var("Py_GIL_DISABLED")
import json
sys.stdout.write("\nMARK" + json.dumps(answer) + "\n")
""".replace("MARK", _MARK).replace("OLDEST", repr(OLDEST.number))


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A CPython that can run the agent.

    ``chosen`` says what it is, if the user did not name it (``the active virtual environment``).
    ``path`` is absolute, and as the user gave it: the ``python`` of a virtual environment is
    a symbolic link, and finds its packages only through that.  ``stdlib`` and
    ``site_packages`` are the folders of library code; ``build`` tells builds of a version apart.
    Without a ``gil`` it is a free-threaded one, whatever the environment makes of it.
    """

    path: str
    version: tuple[int, int, int]
    implementation: str
    stdlib: tuple[str, ...]
    site_packages: tuple[str, ...]
    environment: str | None
    build: str
    gil: bool = True
    chosen: str = ""

    @property
    def known(self) -> bool:
        """Whether it is of a version and a build that all of this was made for."""
        return self.gil and self.version[:2] <= NEWEST.number

    @property
    def facts(self) -> dict[str, str]:
        """Which it is, for whoever asks whether outcomes can be used again."""
        return {"the interpreter": repr((os.path.realpath(self.path), self))}

    def __str__(self) -> str:
        """For people: ``/x/.venv/bin/python (Python 3.13.0, .venv beside the project)``."""
        version = ".".join(map(str, self.version)) + "t" * (not self.gil)
        return f"{self.path} (Python {version}{self.chosen and f', {self.chosen}'})"

    @property
    def libraries(self) -> tuple[str, ...]:
        """The folders whose code is not the user's: for :class:`stripe_pytrace.scope.Scope`.

        The prefix of an installation is not among them: it may be ``/usr``.
        """
        own = (self.environment,) if self.environment else ()
        return _unique([*self.stdlib, *self.site_packages, *own])


class NoAnswerError(Exception):
    """An executable that is no Python or cannot run; the text says why."""


class UnsuitableError(Exception):
    """A Python that cannot run the agent; the text says why, under a ``slug``."""

    def __init__(self, slug: str, why: str) -> None:
        super().__init__(why)
        self.slug = slug


def find_interpreter(spec: str | None = None) -> Interpreter:
    """The interpreter that ``spec`` names; ``None`` is the one that runs us.

    ``spec`` is a path (or the folder of a virtual environment), a name to look up on PATH, or a
    version (``3.13``, ``python3.13``), looked up on PATH and then among those of pyenv and uv.

    Raises :class:`~stripe.errors.UsageError`: ``no-interpreter``, ``interpreter-too-old``,
    ``not-cpython``.
    """
    reasons: list[str] = []
    for path in _candidates(spec):
        try:
            return examine(path)
        except NoAnswerError as error:
            reasons.append(str(error))
        except UnsuitableError as error:
            raise UsageError(error.slug, str(error), advice()) from None
    raise _none_found(spec, reasons)


def examine(path: str) -> Interpreter:
    """The interpreter at ``path``.

    Raises :class:`NoAnswerError` and :class:`UnsuitableError`.
    """
    if path == sys.executable:  # it does not change while it runs us
        return _examine_own(path, *map(os.environ.get, ("HOME", "PYTHONUSERBASE")))
    return _examine(path)


def _examine(path: str) -> Interpreter:
    answer = _known(path)
    if objection := _objection(path, answer):
        raise objection
    return _interpreter(path, answer)


@functools.cache
def _examine_own(path: str, *told: str | None) -> Interpreter:
    """Asked once; ``told`` is what says where a user's packages are."""
    return _examine(path)


def _candidates(spec: str | None) -> Iterator[str]:
    """The paths that ``spec`` may mean, the likeliest first; not all need exist."""
    if spec is None:
        if sys.executable:
            yield sys.executable
            return
        spec = "python3"  # embedded: we do not know what runs us
    if "/" in spec or spec in (".", ".."):
        path = os.path.expanduser(spec)
        # Not normalised: with symbolic links, a/../b need not be b.
        path = os.path.join(os.getcwd(), path)
        yield os.path.join(path, "bin", "python") if os.path.isdir(path) else path
        return
    version = re.fullmatch(r"(?:python)?(\d+(?:\.\d+)*)", spec)
    yield from on_path(f"python{version[1]}" if version else spec)
    if version:
        yield from (path for full, path in _managed() if f"{full}.".startswith(f"{version[1]}."))


def on_path(name: str) -> Iterator[str]:
    """All executables of that name on PATH, in its order."""
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        found = shutil.which(name, path=os.path.abspath(folder)) if folder else None
        if found:
            yield found


def _managed() -> Iterator[tuple[str, str]]:
    """Version and path of the interpreters that pyenv and uv installed, the newest first."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or "~/.pyenv").expanduser() / "versions"
    data = Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser()
    uv = Path(os.environ.get("UV_PYTHON_INSTALL_DIR") or data / "uv" / "python").expanduser()
    found = []
    for folder in (pyenv, uv):
        for installed in sorted(folder.glob("*/bin/python")):
            # pyenv: 3.13.0 or 3.13t-dev; uv: cpython-3.13.0-linux-x86_64-gnu, also linked by
            # a name without the last number.
            match = re.match(r"(?:cpython-)?(\d+\.\d+\.\d+)(?=$|-)", installed.parent.parent.name)
            if match:
                numbers = tuple(int(number) for number in match[1].split("."))
                found.append((numbers, match[1], str(installed)))
    for _, version, path in sorted(found, key=lambda item: item[0], reverse=True):
        yield version, path


def _known(path: str) -> dict[str, Any]:
    """What the interpreter at ``path`` says of itself, now or when it was the same."""
    facts = _facts(path)
    told = None if facts is None else recall(f"interpreter {path}", facts)
    if told is not None:
        with contextlib.suppress(ValueError):
            return dict(json.loads(told))
    answer = _ask(path, _TIMEOUT)
    if facts is not None:
        remember(f"interpreter {path}", facts, json.dumps(answer))
    return answer


def _facts(path: str) -> str | None:
    """All that decides about its answer; ``None`` if that cannot be told, as of a script."""
    try:
        with open(path, "rb") as stream:
            if stream.read(4) != b"\x7fELF":
                return None  # a shim, which may choose by anything
        real = os.path.realpath(path)
        # An environment is one by the file beside its link, or above.
        folders = {os.path.dirname(each) for each in (os.path.abspath(path), real)}
        marks = [
            os.path.join(each, up, "pyvenv.cfg") for each in sorted(folders) for up in ("", "..")
        ]
        stamps = [_stamp(each) for each in (real, *marks)]
    except OSError:
        return None
    variables = [os.environ.get(each) for each in ("HOME", "PYTHONUSERBASE", "LD_LIBRARY_PATH")]
    return repr((_QUESTION, path, real, stamps, variables))


def _stamp(path: str) -> tuple[int, ...] | None:
    """What changes when a file does; ``None``: there is none."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _ask(path: str, timeout: float, *, again: bool = True) -> dict[str, Any]:
    """What the interpreter at ``path`` says of itself; asked ``again`` if a signal ends it."""
    try:
        process = subprocess.Popen(
            [path, "-E", "-s", "-c", _QUESTION],  # -I and -P are too new for the oldest
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        dangling = os.path.islink(path) and not os.path.exists(path)
        why = f"it links to {os.path.realpath(path)}, which is not there" if dangling else ""
        raise NoAnswerError(f"{path}: {why or error.strerror}") from error
    try:
        output, errors = process.communicate(timeout=timeout)
    except BaseException as error:
        # The whole session: a wrapper script's child would live on, and keep our pipes open.
        kill(process)
        process.communicate()
        if isinstance(error, subprocess.TimeoutExpired):
            why = f"{path}: no answer within {timeout:.0f} seconds"
            raise NoAnswerError(why) from None
        raise
    _, mark, answer = output.decode("utf-8", "replace").rpartition(f"\n{_MARK}")
    if mark:
        try:
            # One line: what exit handlers print comes after it.
            told = json.loads(answer.partition("\n")[0])
        except ValueError:
            told = None
        if isinstance(told, dict):
            return told
    said = errors.decode("utf-8", "replace").strip().splitlines()
    status = process.returncode
    if status < 0 and again:
        return _ask(path, timeout, again=False)
    why = f"exit status {status}" if status >= 0 else f"killed by signal {-status}"
    raise NoAnswerError(f"{path}: does not answer as a Python does ({why})" + _quote(said))


def _quote(lines: list[str]) -> str:
    if not lines:
        return ""
    # Python says it last, after a traceback; others say it first, and then give advice.
    line = lines[-1] if lines[0].startswith("Traceback") else lines[0]
    return f": {line.strip().rstrip('.')[:200]}"


def _objection(path: str, answer: dict[str, Any]) -> UnsuitableError | None:
    """Why we cannot use the interpreter; ``None`` if we can."""
    implementation = str(answer["implementation"])
    text = _version(answer)
    if implementation != "cpython":
        return UnsuitableError(
            "not-cpython",
            f"{path} is {implementation} {text}. Recording and skipping statements rely on "
            "CPython's sys.monitoring and compiler.",
        )
    if tuple(answer["version"]) < OLDEST.number:
        return UnsuitableError(
            "interpreter-too-old",
            f"{path} is Python {text}; recording needs sys.monitoring, which came with "
            f"Python {OLDEST}.",
        )
    return None


def _version(answer: dict[str, Any]) -> str:
    return ".".join(str(number) for number in answer["version"])


def _path_to_keep(path: str, answer: dict[str, Any]) -> str:
    # A shim of pyenv, asdf or mise chooses the version by the working directory, and would
    # choose again, maybe otherwise, in a scratch copy: take what it chose here.
    if os.path.basename(os.path.dirname(path)) == "shims" and answer.get("executable"):
        return str(answer["executable"])
    return path


def _interpreter(path: str, answer: dict[str, Any]) -> Interpreter:
    major, minor, micro = answer["version"]
    return Interpreter(
        path=_path_to_keep(path, answer),
        version=(major, minor, micro),
        implementation=str(answer["implementation"]),
        stdlib=_unique(answer["stdlib"]),
        site_packages=_unique(answer["site"]),
        environment=answer["environment"],
        build=str(answer["build"]),
        gil=bool(answer["gil"]),
    )


def _unique(paths: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(path for path in paths if path))


def _none_found(spec: str | None, reasons: list[str]) -> UsageError:
    if spec is None:
        what = "The Python that runs STRIPE cannot be run again"
    elif "/" in spec or spec in (".", ".."):
        what = f"There is no usable Python at {spec!r}"
    elif spec[:1].isdigit():
        what = f"There is no Python {spec} on PATH, nor among those of pyenv and uv"
    else:
        what = f"There is no usable command {spec!r} on PATH"
    tried = f" Tried {'; '.join(reasons)}." if reasons else ""
    return UsageError("no-interpreter", f"{what}.{tried}", advice())


def advice() -> str:
    """What to write instead: the suitable interpreters of this machine, each tried."""
    # Newest first; a bare python3 may be anything, so it is asked last.
    paths = [path for minor in range(20, 11, -1) for path in on_path(f"python3.{minor}")]
    paths += [path for _, path in _managed()]
    paths += [*on_path("python3"), *on_path("python")]
    found: dict[str, str] = {}
    for path in dict.fromkeys(paths):
        if len(found) == 3:
            break
        try:
            answer = _ask(path, _TIMEOUT_FOR_ADVICE)
        except NoAnswerError:
            continue
        # One of each version: PATH often has several names for one interpreter.
        if _objection(path, answer) is None:
            found.setdefault(_version(answer), _path_to_keep(path, answer))
    if not found:
        return (
            f"No CPython {OLDEST} or later was found on PATH or among those of "
            "pyenv and uv. Install one (for instance: uv python install 3.13), then give it "
            "with --python 3.13."
        )
    options = [f"--python {path} (Python {version})" for version, path in found.items()]
    return "Found here: " + ", or ".join(options) + "."
