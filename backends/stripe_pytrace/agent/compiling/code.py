"""The user's source files, compiled to report or to ask, and loaded in place of plain ones."""

from __future__ import annotations

import os
import sys
from _frozen_importlib_external import SourceFileLoader
from types import CodeType

from ..process.natives import bisect_right
from .compiler_warnings import CompilerWarnings
from .dialects import Dialect
from .instrument import Instrumenter
from .linker import Function
from .source_text import decoded
from .unused import UnusedFile
from .versions import place, places

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

NO_STATEMENTS = ("ExceptHandler", "Annotation")
type Counts = tuple[int, int, int]


class UserFile:
    """One instrumented file; ``counts`` are how many sites, nodes and functions it numbers."""

    def __init__(
        self, path: str, source: bytes, instrumenter: Instrumenter, counts: Counts | None = None
    ) -> None:
        self.path = path
        self.source = source
        self.aside = instrumenter.aside
        with CompilerWarnings() as caught:
            plain = compile(source, path, "exec", dont_inherit=True)
        self.warns = bool(caught)
        self.code = instrumenter.compile(source, path, plain)
        self.sites = instrumenter.sites
        self.first_site = instrumenter.first_site
        self.nodes = instrumenter.nodes
        self.functions = instrumenter.functions
        self.tracked = instrumenter.tracked
        self.runs = instrumenter.runs
        self.wholes = sorted(instrumenter.wholes)
        self.leads = instrumenter.leads
        self.tangled = instrumenter.tangled
        self.number_of = instrumenter.number_of
        self.counts = counts or (len(self.sites), len(self.nodes), len(self.functions))

    def text(self) -> str:
        """The source as Unicode, decoded as Python does."""
        return decoded(self.source)

    def lines_of(self, passed: set[int]) -> list[int]:
        """The lines of statements whose sites were passed; ``~function`` for a start of one."""
        passed = passed | {site for function, site in self.leads.items() if ~function in passed}
        first = self.nodes[0].number if self.nodes else 0
        indices = (
            site - self.first_site + more
            for site in passed
            for more in range(self.runs.get(site, 1))
        )
        numbers = {self.sites[each][1] for each in indices if 0 <= each < len(self.sites)}
        return sorted({self.nodes[number - first].line for number in numbers if number >= first})

    def node_at(self, line: int, column: int) -> int | None:
        """The number of the innermost statement that covers a position."""
        best = None
        for node in self.nodes:
            if node.kind in NO_STATEMENTS or not node.line <= line <= node.end_line:
                continue
            if (node.line, node.column) > (line, column) and node.line == line:
                continue
            best = node.number
        return best

    def statement_line(self, line: int) -> int | None:
        """Where the statement begins that a line of code is of, if it is of one."""
        number = self.node_at(line, sys.maxsize)
        return None if number is None else self.nodes[number - self.nodes[0].number].line

    def offsets(self, function: Function) -> list[tuple[int, int]]:
        """Which node the instructions of a function belong to: (first offset, node) pairs."""
        starts = self._computing()
        lines = [start for start, _ in starts]
        found: list[tuple[int, int]] = []
        for offset, (line, _, column, _) in places(function.code):
            which = bisect_right(lines, (line or 0, column or 0)) - 1
            node = starts[which][1] if which >= 0 else -1
            if not found or found[-1][1] != node:
                found.append((offset, node))
        return found

    def _computing(self) -> list[tuple[tuple[int, int], int]]:
        """Where the statements that are reported in runs start, and their nodes."""
        first = self.nodes[0].number if self.nodes else 0
        base = self.first_site
        numbers = [
            self.sites[site - base + more][1] - first
            for site, run in self.runs.items()
            for more in range(run)
        ]
        return [
            ((self.nodes[number].line, self.nodes[number].column), first + number)
            for number in sorted(numbers)
        ]


class Sources:
    """Compiles the user's files, numbering sites, nodes and functions across them.

    ``whole`` names functions that run as they are, as those of libraries do.  ``closed`` limits
    it to what was prepared: replays know no other files.  ``coming`` is given the source of a file
    that is to be compiled, ``loaded`` what was made of it.  ``aside``: of which modules the import
    is part of the statement that imports them.
    """

    def __init__(
        self,
        dialect: Dialect,
        wants: Callable[[str], bool],
        probes: list[tuple[str, int, str]],
        loaded: Callable[[UserFile], None],
        closed: bool = False,
        whole: Sequence[str] = (),
        coming: Callable[[bytes], object] = bool,
        aside: Callable[[str], bool] = lambda path: False,
    ) -> None:
        self.dialect = dialect
        self.wants = wants
        self.probes = probes
        self.coming = coming
        self.aside = aside
        self.loaded = loaded
        self.closed = closed
        self.whole = whole
        self.files: list[UserFile] = []
        self.by_path: dict[str, UserFile] = {}
        self.barred = False  # while libraries are imported ahead of the program
        self.asked = False  # one of the files was to be imported then

    def prepare(
        self, path: str, source: bytes, *, aside: bool = False, unused: Counts | None = None
    ) -> UserFile:
        """The instrumented file; raises what compiling it plainly would raise.

        ``unused``: what a file numbers in which nothing was recorded; it is not instrumented.
        """
        self.coming(source)
        file = UserFile(path, source, self._instrumenter(path, aside, unused is not None), unused)
        self.files.append(file)
        self.by_path[path] = file
        self.loaded(file)
        return file

    def _instrumenter(self, path: str, aside: bool, unused: bool) -> Instrumenter:
        probes: dict[int, list[tuple[int, str]]] = {}
        for number, (name, line, expression) in enumerate(self.probes):
            if (os.sep + path).endswith(os.sep + os.path.normpath(name)):
                probes.setdefault(line, []).append((number, expression))
        kind = UnusedFile if unused else Instrumenter
        sites, nodes, functions = map(
            sum, zip((0, 0, 0), *(each.counts for each in self.files), strict=True)
        )
        return kind(self.dialect, sites, nodes, functions, probes, self.whole, aside)

    def main(self, path: str) -> CodeType:
        """The code of the program itself; shows the warnings that compiling it shows."""
        if not self.wants(path):
            with open(path, "rb") as stream:
                return compile(stream.read(), path, "exec", dont_inherit=True)
        # When prepared, it is at hand: nothing has changed it yet.
        file = next((file for file in self.files if file.path == path), None) or self.file(path)
        if file.warns:
            compile(file.source, path, "exec", dont_inherit=True)
        return file.code

    def file(self, path: str, *, aside: bool = False) -> UserFile:
        """The file as it is now: programs write modules, too.

        Raises LookupError if it is not among those that may be loaded.
        """
        with open(path, "rb") as stream:
            source = stream.read()
        for file in reversed(self.files):
            if file.path == path and file.source == source and file.aside == aside:
                return file
        if self.closed:
            raise LookupError(path)
        return self.prepare(path, source, aside=aside)

    def install(self) -> None:
        """Make imports of the user's files run the instrumented code."""
        loader: Any = SourceFileLoader
        plain = loader.get_code
        sources = self

        def get_code(self: Any, fullname: str) -> CodeType | None:
            path = self.get_filename(fullname)
            if sources.wants(path):
                if sources.barred:
                    sources.asked = True
                    raise ImportError(fullname)
                # What is run as a program by its name is not there before its code is.
                aside = fullname in sys.modules and sources.aside(path)
                try:
                    file = sources.file(path, aside=aside)
                except (SyntaxError, OSError, LookupError):
                    pass  # let the import system have it, and raise what it raises
                else:
                    if file.warns:
                        plain(self, fullname)  # warns, unless it finds compiled code
                    return file.code
            code: CodeType | None = plain(self, fullname)
            return code

        # Seen as a frame of the import system, it is left out of tracebacks with the others.
        disguise: Any = get_code
        disguise.__code__ = get_code.__code__.replace(co_filename=plain.__code__.co_filename)
        loader.get_code = get_code


def user_frame(
    traceback: Any, by_path: dict[str, UserFile]
) -> tuple[str, int, int | None, tuple[int | None, ...]]:
    """File, line and node of the innermost user statement in a traceback.

    And which part of it that was: its first and last line, and its columns.
    """
    found: tuple[str, int, int | None, tuple[int | None, ...]] = ("", 0, None, ())
    while traceback is not None:
        code = traceback.tb_frame.f_code
        file = by_path.get(code.co_filename)
        if file is not None:
            line, part = traceback.tb_lineno or 0, place(code, traceback.tb_lasti)
            found = (file.path, line, file.node_at(line, part[2] or 0), part)
        traceback = traceback.tb_next
    return found


def main_module() -> dict[str, Any]:
    """The namespace of ``__main__``, emptied of what the boot script put there."""
    namespace = sys.modules["__main__"].__dict__
    keep = ("__name__", "__doc__", "__package__", "__loader__", "__spec__", "__annotations__",
            "__builtins__", "__file__", "__cached__")  # fmt: skip
    for name in list(namespace):
        if name not in keep:
            del namespace[name]
    namespace["__doc__"] = None
    return namespace
