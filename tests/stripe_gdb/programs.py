"""The native programs of ``tests/stripe_gdb/programs``: how to compile them, what they do.

Each is deterministic in what it writes to standard output and to files, single-threaded, and
ends by itself within milliseconds.  What it must write to standard output is in
``programs/stdout/LANGUAGE_NAME.txt``; ``python -m tests.stripe_gdb.programs --update`` writes
these files anew: look at the difference before you believe it.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from signal import SIGABRT, SIGFPE, SIGILL, SIGSEGV, SIGTERM, Signals

from tests.support.caching import cache_folder, locked
from tests.support.patience import PATIENCE

FOLDER = Path(__file__).parent / "programs"

COMPILERS: Mapping[str, tuple[str, ...]] = {
    "c": ("cc", "-O0", "-g", "-Wall"),
    "cpp": ("c++", "-O0", "-g", "-Wall"),
    "rust": ("rustc", "-g"),
}
STRICT: Mapping[str, tuple[str, ...]] = {
    "c": ("-Werror",),
    "cpp": ("-Werror",),
    "rust": ("-Dwarnings",),
}
SUFFIXES: Mapping[str, str] = {"c": ".c", "cpp": ".cpp", "rust": ".rs"}

ENVIRONMENT: Mapping[str, str] = {
    "PATH": os.defpath,
    "LC_ALL": "C",
    "RUST_BACKTRACE": "0",  # a backtrace holds the machine's paths
}
"""The environment of the programs: nothing of the user's may change what they do."""

X86 = ("x86_64", "AMD64")


@dataclass(frozen=True)
class Ended:
    """What a run of a program did; ``files`` are those in its working directory afterwards."""

    stdout: bytes
    stderr: bytes
    status: int
    files: Mapping[str, bytes]


@dataclass(frozen=True)
class Program:
    """A program of the corpus, and what a plain run of it does.

    ``flags`` go behind the sources; ``headers`` and ``sources`` are further files of its
    folder, the latter are compiled with it.  It exits with ``status`` unless ``signal`` kills
    it.  ``stderr`` must occur in its standard error output, which is empty if ``stderr`` is;
    where ``stderr_varies``, that output holds something of the moment, such as a process
    number, so that two runs differ there.
    """

    language: str
    name: str
    flags: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    stdin: bytes = b""
    arguments: tuple[str, ...] = ()
    status: int = 0
    signal: Signals | None = None
    stderr: bytes = b""
    stderr_varies: bool = False
    machines: tuple[str, ...] = ()
    """The processors on which it does this, as ``platform.machine`` names them; or all."""

    def __str__(self) -> str:
        return f"{self.language}-{self.name}"

    @property
    def path(self) -> Path:
        """The main source file in the checkout; not to be compiled there."""
        return FOLDER / self.language / (self.name + SUFFIXES[self.language])

    @property
    def expected(self) -> Path:
        """The file with what the program must write to standard output."""
        return FOLDER / "stdout" / f"{self.language}_{self.name}.txt"

    @property
    def stdout(self) -> bytes:
        """What the program must write to standard output."""
        return self.expected.read_bytes()

    @property
    def returncode(self) -> int:
        """How it must end, as ``subprocess`` tells it: signals are negative."""
        return self.status if self.signal is None else -self.signal

    def unavailable(self) -> str:
        """Why it cannot be compiled or does something else here; empty if it can."""
        compiler = COMPILERS[self.language][0]
        if shutil.which(compiler) is None:
            return f"{compiler} is not installed"
        if self.machines and platform.machine() not in self.machines:
            return f"{self} is about {self.machines[0]}, not {platform.machine()}"
        return ""

    def compile(self, folder: Path, *, strict: bool = False) -> Path:
        """Copy the sources to ``folder`` and compile them there; the executable's path.

        Sources are named relatively, so that messages holding ``__FILE__`` are the same
        everywhere.  ``strict``: a warning is an error.

        Raises:
            RuntimeError: The compiler failed; the message is what it said.
        """
        for path in self._files():
            shutil.copy(path, folder / path.name)
        command = self._command(strict=strict)
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        if done.returncode or (strict and done.stderr):
            raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")
        return folder / self.name

    def compiled(self) -> Path:
        """The executable, compiled strictly into a cache: C++ takes longer to compile than to test.

        It is known by the sources, the command and the compiler.  Debug information names the
        folder it is in, where the sources are, too.

        Raises:
            RuntimeError: See :meth:`compile`.
        """
        command = self._command(strict=True)
        known = (command, version(command[0]), *(path.read_bytes() for path in self._files()))
        key = hashlib.sha256(repr(known).encode()).hexdigest()[:20]
        folder = cache_folder(f"programs/{self}-{key}")
        complete = folder / "complete"
        with locked(folder):
            if not complete.exists():
                self.compile(folder, strict=True)
                complete.touch()
        return folder / self.name

    def _files(self) -> list[Path]:
        names = (self.path.name, *self.sources, *self.headers)
        return [self.path.parent / name for name in names]

    def _command(self, *, strict: bool) -> list[str]:
        command = [*COMPILERS[self.language], *(STRICT[self.language] if strict else ())]
        return [*command, "-o", self.name, self.path.name, *self.sources, *self.flags]

    def run(self, executable: Path, directory: Path) -> Ended:
        """Run it plainly in ``directory``, which should be empty; it leaves no core file."""
        words = ["sh", "-c", 'ulimit -c 0; exec "$@"', "sh", str(executable), *self.arguments]
        done = subprocess.run(
            words,
            cwd=directory,
            env=dict(ENVIRONMENT),
            input=self.stdin,
            capture_output=True,
            timeout=PATIENCE,
        )
        files = {path.name: path.read_bytes() for path in sorted(directory.iterdir())}
        return Ended(done.stdout, done.stderr, done.returncode, files)


@cache
def version(compiler: str) -> str:
    """What a compiler says it is."""
    return subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout


_c, _cpp, _rust = (partial(Program, language) for language in COMPILERS)

PROGRAMS: tuple[Program, ...] = (
    _c("abort_call", signal=SIGABRT, stderr=b"heap broken at 1: 5 > 3\n"),
    _c(
        "arguments",
        arguments=("-v", "-b", "16", "-tTotal", "ff", "10", "-1"),
    ),
    _c("assertion", signal=SIGABRT, stderr=b"assertion.c:40: main: Assertion `used == 3"),
    _c("atexit_handlers", status=10),
    _c("backtracking"),
    _c("bank", status=1),
    _c("binary_tree"),
    _c("bit_fields"),
    _c("bsearch_callback"),
    _c("comma"),
    _c("computed_goto"),
    _c("divide_by_zero", signal=SIGFPE, machines=X86),
    _c("duff"),
    _c("exit_middle", status=14),
    _c("exit_status", status=42, stderr=b"really?: 1\nno!: 42\n"),
    _c("file_binary"),
    _c("file_write_read"),
    _c("floating_point", flags=("-lm",)),
    _c("for_loops"),
    _c("function_pointers"),
    _c("goto_both_ways"),
    _c("hash_table"),
    _c("illegal_instruction", signal=SIGILL, machines=X86),
    _c("infinite_loops"),
    _c("inline_header", sources=("inline_header_more.c",), headers=("inline_header.h",)),
    _c("line_directives"),
    _c("linked_list"),
    _c("longjmp"),
    _c("longjmp_exceptions"),
    _c("macros"),
    _c("malloc_free"),
    _c("matrices"),
    _c("nested_loops"),
    _c("null_pointer", signal=SIGSEGV),
    _c("parser"),
    _c("qsort_callback"),
    _c("recursion"),
    _c("recursion_mutual"),
    _c("segfault_handler"),
    _c("shared_lines"),
    _c("short_circuit"),
    _c("signal_raise"),
    _c("signal_uncaught", signal=SIGTERM, stderr=b"overspent by 4\n"),
    _c("sorting"),
    _c("state_machine"),
    _c("statement_expressions"),
    _c("static_locals"),
    _c("stdin_lines", stdin=b"1 2 +\nprint 4 *\n5 - print\nquit now\n9\n"),
    _c("stdin_numbers", stdin=b"3 14 -15\n92 six (5) ab!\n"),
    _c("string_h"),
    _c("strings_by_hand"),
    _c("structs"),
    _c("switch_default_middle"),
    _c("switch_fall_through"),
    _c("system_calls"),
    _c("unions"),
    _c("varargs"),
    _c("variable_length_arrays"),
    _c("virtual_machine"),
    _c("while_do"),
    _cpp("algorithms"),
    _cpp("assertion_class", signal=SIGABRT, stderr=b"Assertion `low <= high' failed"),
    _cpp("constexpr_functions"),
    _cpp("containers"),
    _cpp("crtp_policies"),
    _cpp("exceptions"),
    _cpp("exceptions_constructor"),
    _cpp("exceptions_nested"),
    _cpp("files"),
    _cpp("friends_namespaces"),
    _cpp("functions_bound"),
    _cpp(
        "inventory",
        stdin=b"add nut 10 0.5\nadd bolt 4 2.25\nremove nut 3\nremove bolt 5\n"
        b"remove gear 1\nsell nut 1\nadd nut 1 0.75\n",
    ),
    _cpp("iostreams", stdin=b"Ada\n1 2 39\nfour five stop rest\n", stderr=b"done\n"),
    _cpp("lambdas"),
    _cpp("matrix_class", status=3, stderr=b"error: no such cell\n"),
    _cpp("move_semantics"),
    _cpp("multiple_inheritance"),
    _cpp("null_object", signal=SIGSEGV),
    _cpp("operators"),
    _cpp("optional_variant", flags=("-std=c++17",)),
    _cpp("raii"),
    _cpp("range_for", flags=("-std=c++20",)),
    _cpp("static_initialisation"),
    _cpp("templates"),
    _cpp("terminate_handler", status=6),
    _cpp("uncaught", signal=SIGABRT, stderr=b"what():  only 1 of apple"),
    _cpp("variadic_templates"),
    _cpp("virtual_calls"),
    _rust("closures"),
    _rust("collections"),
    _rust("enums_match"),
    _rust("generics"),
    _rust("iterators"),
    _rust("ownership"),
    _rust("panic", status=101, stderr=b"the len is 3 but the index is 3", stderr_varies=True),
    _rust("recursion_labels"),
    _rust("results", status=3),
    _rust("strings", stdin=b"hello, world\nnever odd or even\n\nxyz", stderr=b"4 lines\n"),
    _rust("traits"),
)


def update() -> None:
    """Write what the programs print now to the files of what they must print."""
    for program in PROGRAMS:
        if why := program.unavailable():
            print(f"{program}: left as it is: {why}", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as work:
            ended = program.run(program.compile(Path(folder)), Path(work))
        program.expected.parent.mkdir(exist_ok=True)
        program.expected.write_bytes(ended.stdout)


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        raise SystemExit(__doc__)
    update()
