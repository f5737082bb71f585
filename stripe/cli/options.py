"""Options of verbs: each is declared once, as a field of the class of what a command line asks for.

The parser (:class:`stripe.cli.grammar.Parser`), its help and the completion of shells come from
these fields.  A field's type says what reads its value: ``bool`` takes none, a list may be given
several times, numbers are above 0.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field, replace
from typing import Any

from stripe.dd import ALGORITHMS


@dataclass(frozen=True, slots=True)
class Option:
    """An option.

    - ``help``: what it does; ``value``: what the help calls its value
    - ``default``: what holds where it is not given; ``read``: what reads its value, if its type
      does not say
    - ``names``: how it is written, if not as the field with ``--``
    - ``group``: the title of the group that it begins
    """

    help: str
    value: str | None = None
    default: Any = None
    read: Callable[[str], Any] | None = None
    names: tuple[str, ...] = ()
    group: str = ""

    def add_to(self, group: argparse._ArgumentGroup, name: str, kind: str) -> dict[str, bool]:
        """Add the option of a field of this name and type to a parser.

        Returns:
            How it is written, and whether it takes a value.
        """
        names = self.names or (f"--{name.replace('_', '-')}",)
        if kind == "bool":
            group.add_argument(*names, dest=name, action="store_true", help=self.help)
        elif kind == "Count":
            group.add_argument(*names, dest=name, action="count", default=0, help=self.help)
        else:
            several = kind == "list[str]"
            group.add_argument(
                *names,
                dest=name,
                metavar=self.value,
                action="append" if several else "store",
                default=[] if several else self.default,
                type=self.read or READERS.get(kind.removesuffix(" | None"), str),
                help=self.help,
            )
        return dict.fromkeys(names, kind not in ("bool", "Count"))


type Count = int
"""How often an option stands on the command line."""


def option(help: str, value: str | None = None, **more: Any) -> Any:
    """A field for an option of one verb; see :class:`Option`."""
    return field(metadata={"option": Option(help, value, **more)})


_INTERPRETER = (
    "the interpreter to run the program with: a path, a command or a version (default: what "
    "`python PROGRAM` would run: an active virtual environment, .venv beside the project, "
    "python3 on PATH"
)
_PERL_TOO = f"{_INTERPRETER}; of a program in Perl: that of its first line, perl on PATH)"


def interpreter(help: str = _PERL_TOO) -> Any:
    """A field for the interpreter, where programs in Perl are taken as well."""
    return option(help, "PATH", names=("--python", "--perl"))


def shared(group: str = "", **words: str) -> Any:
    """A field for the option of that name that several verbs have (:data:`SHARED`).

    ``words``: what its help says of this verb.
    """
    return field(metadata={"group": group, "words": words})


def option_of(declared: Field[Any]) -> Option:
    """The option that a field stands for."""
    found: Option | None = declared.metadata.get("option")
    if found is not None:
        return found
    words, group = declared.metadata["words"], declared.metadata["group"]
    found = SHARED[declared.name]
    return replace(found, help=found.help.format_map(words), group=group)


def positive_int(text: str) -> int:
    """A whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def positive_float(text: str) -> float:
    """A finite number above 0."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return number


def natural(text: str) -> int:
    """A whole number from 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def parts_of(known: Sequence[str]) -> Callable[[str], frozenset[str]]:
    """What reads the value of ``--show``, the parts of a report."""

    def parts(text: str) -> frozenset[str]:
        names = frozenset(name.strip() for name in text.split(","))
        unknown = names - {*known, "all"}
        if unknown:
            raise argparse.ArgumentTypeError(
                f"there is no {min(unknown)!r} to show; choose from {', '.join(known)}, all"
            )
        return names

    return parts


READERS: Mapping[str, Callable[[str], Any]] = {"int": positive_int, "float": positive_float}
"""What reads values, by the type of the field."""

SHARED = {
    "m": Option("run a module or package, as python -m MODULE does", "MODULE", names=("-m",)),
    "stdin": Option(
        "what the program reads; - is standard input, which is also read (whole) without "
        "this option, unless it is a terminal",
        "FILE",
    ),
    "input": Option("what the program reads, literally", "TEXT"),
    "python": Option(
        f"{_INTERPRETER})",
        "PYTHON",
    ),
    "engine": Option(
        "what native programs run under: gdb (default), or ptrace, which is faster (no variables, "
        "no threads)",
        "NAME",
    ),
    "include": Option(
        "{of} too, beside the program's own project: an installed package, a module, "
        "a folder or a file by its name, or a glob (repeatable)",
        "NAME",
    ),
    "only": Option("nothing else is {of} (repeatable)", "NAME"),
    "exclude": Option("not {of}, whatever else is said (repeatable)", "NAME"),
    "repeat": Option(
        "runs of a test whose majority decides, for failures that come and go", "N", default=1
    ),
    "allow_network": Option("the plain run may use the network; replays have none"),
    "unsafe": Option(
        "go on where this system has no sandbox: runs that go astray can change whatever you can"
    ),
    "algorithm": Option(
        f"the search: auto (default), {', '.join(ALGORITHMS)}", "NAME", default="auto"
    ),
    "max_tests": Option("end with the best {best} so far after N tests", "N"),
    "max_time": Option("the same after S seconds, recording and verifying included", "S"),
    "jobs": Option(
        "tests at a time (default: 1); with --executor so many by its workers (default: as "
        "many as they can), and one here",
        "N",
    ),
    "executor": Option(
        "run the tests on the workers of a Dask scheduler, which {workers}", "dask://HOST:PORT"
    ),
    "resume": Option(
        "go on with the same search, which was killed or ended early: no test is repeated"
    ),
    "output": Option(
        "{answer} (default: {name}, or with a number where that is there already); - is standard "
        "output, in the end",
        "FILE",
    ),
    "json": Option(
        "write the result as JSON; - is standard output, then nothing else goes there", "FILE"
    ),
    "html": Option("write a page to look at, in one file; - as above", "FILE"),
    "sarif": Option("write SARIF 2.1.0, for editors; - as above", "FILE"),
    "picture": Option(
        "draw the states of a result of stripe causes and how they differ: FILE.svg, or "
        "FILE.dot for Graphviz; - is SVG, as above",
        "FILE",
    ),
    "force": Option(
        "replace files that were there already and are not stripe's own; never what is read"
    ),
    "quiet": Option("no progress", names=("-q", "--quiet")),
    "verbose": Option(
        "more: each reduction as it is found, the traceback of an internal error",
        names=("-v", "--verbose"),
    ),
}
"""Options that several verbs have; ``{...}``: what each says of itself."""

ALL_PROCESSORS = "runs at a time (default: as many as there are processors)"
"""What ``--jobs`` says where nothing is sent to other machines."""

SAME_PATH = "need this directory under the same path"
"""What the workers of an executor have to have, if nothing is sent to them."""
