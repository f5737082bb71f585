"""The programs of ``tests/corpus``, how to run them, and the traces they must give.

A golden trace is one text file for all versions of Python, ``tests/corpus/traces/NAME.txt``::

    27 events, 3 activations, CRC 5d41402a
    <module>#1: 2_1 9_2 10_3
    fib#2 <3: 3_4 4_5 5_6^5
    <module>#1: 11_7

A line is a stretch of events of one activation with one caller: the function, the number of
the activation, ``<`` and the time of the event that called or resumed it, and the events as
the paper writes them, ``line_time``.  ``line.2_time`` is the second statement that begins on
the line; ``^`` and a time name the scope parent.  Programs of several files have the file in
front of the function.  After 400 events the file ends; the CRC is over all of it.

``python -m tests.support.corpus --update [NAME ...]`` writes them anew: look at the
difference before you believe it, and run the tests on every supported Python.  Where older versions
truly differ, ``--variant`` writes ``NAME.3.12.txt`` for the Python that runs it and those before;
say why in ``VARIANTS`` below.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
import tempfile
import textwrap
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from stripe.backend import End, Observation, Target
from stripe.trace import NONE, Trace
from stripe_pytrace.backend import PythonBackend

CORPUS = Path(__file__).parent.parent / "corpus"
TRACES = CORPUS / "traces"
SHOWN = 400
WIDTH = 100
MINOR = sys.version_info.minor

REFUSED = {
    "file_empty": ("nothing-to-trace", "it has no statement"),
    "file_only_comments": ("nothing-to-trace", "it has no statement"),
}
"""Programs that cannot be traced: the error's slug, and why."""

DEFERRED = "3.14 evaluates annotations when they are asked for, as events of their own"
VARIANTS = {
    "assign_annotated": DEFERRED,
    "callbacks_protocol_order": "3.14 makes a tuple of the only starred argument, without len()",
    "callbacks_functools": DEFERRED,
    "classes_dataclasses": DEFERRED,
    "func_arguments": DEFERRED,
    "match_mappings_classes": DEFERRED,
    "callbacks_sort": "3.13 sorts with other comparisons",
    "operators": "3.13 sorts with other comparisons",
    "recursion_error_caught": "3.12 counts the recursion of C functions apart from the limit",
}
"""Programs whose events differ between versions of Python, and why."""

WITHOUT_GOLDEN = {"pkg_import_side_effects": "its hook hears of imports that Python itself does"}
"""Programs whose events depend on more than the program, and why."""


@dataclass(frozen=True)
class Program:
    """A program of the corpus; see ``tests/corpus/README.md`` for the headers."""

    name: str
    path: Path
    headers: dict[str, str] = field(default_factory=dict)

    def place(self, directory: Path) -> Target:
        """Copy the program into ``directory`` and say how to run it there."""
        if self.path.is_dir():
            shutil.copytree(
                self.path,
                directory / self.path.name,
                ignore=shutil.ignore_patterns("__pycache__"),
            )
            program = f"{self.path.name}/main.py"
        else:
            shutil.copy(self.path, directory)
            program = self.path.name
        arguments = shlex.split(self.headers.get("args", ""))
        run = shlex.split(self.headers.get("run", ""))
        if run:
            assert run[0] == "-m", run
            program, arguments = run[1], run[2:] + arguments
        return Target(program, arguments, bool(run), directory, stdin=self.stdin)

    @property
    def stdin(self) -> bytes:
        text = self.headers.get("stdin", "")
        return text.encode("latin-1", "backslashreplace").decode("unicode_escape").encode()

    @property
    def exit(self) -> int:
        """The expected exit status; negative: the signal that kills it."""
        return int(self.headers.get("exit", "0"))

    def golden(self) -> Path:
        """The golden trace for the running Python."""
        older = (int(path.stem.rpartition(".")[2]) for path in TRACES.glob(f"{self.name}.3.*.txt"))
        reaching = [minor for minor in older if minor >= MINOR]
        return self.variant(min(reaching)) if reaching else TRACES / f"{self.name}.txt"

    def variant(self, minor: int) -> Path:
        """The golden trace for versions up to 3.``minor``."""
        return TRACES / f"{self.name}.3.{minor}.txt"


def programs() -> list[Program]:
    """All programs, by name."""
    found = []
    for path in sorted(CORPUS.iterdir()):
        if path.suffix == ".py":
            found.append(Program(path.stem, path, read_headers(path)))
        for name in ("main.py", "__main__.py"):
            if (path / name).is_file():
                found.append(Program(path.name, path, read_headers(path / name)))
                break
    return found


def read_headers(path: Path) -> dict[str, str]:
    headers = {}
    for line in path.read_bytes().decode("utf-8-sig", "replace").splitlines():
        if not line.startswith("#"):
            break
        name, colon, value = line[1:].partition(":")
        if colon and name.strip() in ("args", "stdin", "exit", "run"):
            headers[name.strip()] = value.strip()
    return headers


def exit_status(run: Observation) -> int:
    """The exit status as ``subprocess`` reports it."""
    return -run.status if run.end is End.SIGNAL else run.status


def render(trace: Trace) -> str:
    """The text of a golden trace."""
    crc = 0
    lines = []
    left = SHOWN
    for heading, tokens in stretches(trace):
        crc = zlib.crc32(f"{heading}: {' '.join(tokens)}\n".encode(), crc)
        if left > 0:
            more = " ..." if len(trace) > SHOWN and len(tokens) >= left else ""
            lines.append(f"{heading}: {' '.join(tokens[:left])}{more}")
            left -= len(tokens)
    text = [f"{len(trace)} events, {len(trace.activations)} activations, CRC {crc:08x}"]
    for line in lines:
        text += textwrap.wrap(
            line, WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
        )
    return "\n".join(text) + "\n"


def stretches(trace: Trace) -> Iterator[tuple[str, list[str]]]:
    """Runs of events of one activation with one caller: what they are of, and their tokens."""
    places = statement_places(trace)

    def of(event: int) -> tuple[int, int]:
        return trace.activation[event], trace.caller[event]

    for (number, caller), events in groupby(range(len(trace)), of):
        activation = trace.activations[number]
        heading = f"{activation.function}#{number + 1}"
        if len(trace.files) > 1:
            heading = f"{trace.files[activation.file].path}:{heading}"
        if caller != NONE:
            heading += f" <{caller + 1}"
        yield heading, [token(trace, places, event) for event in events]


def token(trace: Trace, places: Sequence[str], event: int) -> str:
    scope = trace.scope[event]
    parent = "" if scope == NONE else f"^{scope + 1}"
    return f"{places[trace.statement[event]]}_{event + 1}{parent}"


def statement_places(trace: Trace) -> list[str]:
    """Each statement's line, with its number on that line if it is not the first."""
    places = []
    seen: dict[tuple[int, int], int] = {}
    for statement in trace.statements:
        if statement.kind == "ExceptHandler":  # no statement, and never an event
            places.append("?")
            continue
        where = statement.file, statement.line
        seen[where] = seen.get(where, 0) + 1
        places.append(str(statement.line) + (f".{seen[where]}" if seen[where] > 1 else ""))
    return places


def update(names: Sequence[str], variant: bool) -> None:
    TRACES.mkdir(exist_ok=True)
    for program in programs():
        if program.name in REFUSED or program.name in WITHOUT_GOLDEN:
            continue
        if names and program.name not in names:
            continue
        with tempfile.TemporaryDirectory(prefix="corpus-") as folder:
            recording = PythonBackend().record(program.place(Path(folder)))
            text = render(recording.trace)
            recording.close()
        path = program.variant(MINOR) if variant else program.golden()
        old = path.read_text("utf-8") if path.exists() else ""
        if old != text:
            path.write_text(text, "utf-8")
            print("changed" if old else "new", path.name)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.support.corpus")
    parser.add_argument("--update", action="store_true", required=True)
    parser.add_argument(
        "--variant", action="store_true", help="for this version of Python and older ones"
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    update(options.names, options.variant)


if __name__ == "__main__":
    main()
