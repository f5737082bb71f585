"""Runs one job in an interpreter in WebAssembly, whose memory is put back afterwards.

It is executed once, before the memory is copied.  A job is a marshalled mapping in the file
``JOB``; what is told of the run is a message in ``FACTS``.  The run ends by ``os._exit``, or in any
other way that gives control back to the page.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Mapping
from typing import Any

FOLDER = "/stripe"
JOB, FACTS = f"{FOLDER}/job", f"{FOLDER}/facts"
STDIN, STDOUT, STDERR = (f"{FOLDER}/{name}" for name in ("stdin", "stdout", "stderr"))
REPORT, ORDERS = 9, 4
"""Descriptors: of what is told, and of where a server would be asked."""

AT_START = frozenset([
    "__main__", "_abc", "_codecs", "_collections_abc", "_frozen_importlib",
    "_frozen_importlib_external", "_imp", "_io", "_signal", "_stat", "_thread", "_warnings",
    "_weakref", "abc", "builtins", "codecs", "encodings", "encodings.aliases", "encodings.utf_8",
    "genericpath", "io", "marshal", "os", "os.path", "posix", "posixpath", "site", "stat", "sys",
    "time", "zipimport",
])  # fmt: skip
"""Modules that are there as a program begins elsewhere; the page has loaded others."""


class PlainSources:
    """The program's own ``code``, with nothing inserted."""

    by_path: Mapping[str, Any] = {}

    def __init__(self, code: Any) -> None:
        self._code = code

    def main(self, path: str) -> Any:
        """The program's code."""
        return self._code


def begin() -> None:
    """Have the interpreter be as one that has just begun, and know how to run a job."""
    from _frozen_importlib_external import SourceFileLoader

    sys.modules["__main__"].__loader__ = SourceFileLoader("__main__", "")
    hide_page()
    sys.stripe = runner(agent(f"{FOLDER}/agent/boot.py"))  # type: ignore[attr-defined]


def hide_page() -> None:
    """Have nothing lead from the program to the page, and nothing be imported before it asks."""
    for name in set(sys.modules) - AT_START:
        del sys.modules[name]
    sys.modules["_pyodide_core"] = None  # type: ignore[assignment]  # it cannot be imported
    known = ("BuiltinImporter", "FrozenImporter", "PathFinder")
    sys.meta_path[:] = [each for each in sys.meta_path if getattr(each, "__name__", "") in known]
    sys.path[:] = [each for each in sys.path if each]


def agent(boot: str) -> dict[str, Any]:
    """Load the agent as its boot script does, without a job; the names of its entry."""
    with open(boot) as stream:
        source = stream.read()
    # All but its last statement, which begins with what the command line says.
    definitions = source.rpartition("\n_load(")[0]
    namespace: dict[str, Any] = {"__name__": "boot", "__file__": boot}
    arguments, sys.argv = sys.argv, [boot]
    exec(compile(definitions, boot, "exec"), namespace)
    sys.argv = arguments
    entry: dict[str, Any] = namespace["_load"](boot, "main").__globals__
    return entry


def runner(main: dict[str, Any]) -> Any:
    """What runs the job that there is; ``main``: names of the agent's entry."""
    recorded, replayed = (main[name].run.__globals__ for name in ("RecordedRun", "ReplayedRun"))
    # There are no threads that could tell where the program is; the entries of the log are counted.
    recorded["tell_where"] = lambda path, seconds: None
    program = warmed(recorded["Program"])
    recorded["Program"] = replayed["Program"] = program

    def run() -> None:
        del sys.stripe  # type: ignore[attr-defined]
        with open(JOB, "rb") as stream:
            job = marshal.load(stream)
        os.chdir(job["directory"])
        redirect()
        report = main["Report"](REPORT)
        if job["mode"] == "plain":
            result = run_plainly(program, job, report)
        elif job["mode"] == "record":
            result = main["RecordedRun"](job, report).run()
        else:
            result, _ = main["ReplayedRun"](job, ORDERS, report).run()
        main["leave"](result, report.send, fast=True)

    return run


def run_plainly(program: Any, job: dict[str, Any], report: Any) -> Any:
    """Run the program as it is; what it leaves with."""
    report.install()
    path = os.path.join(job["directory"], job["program"])
    with open(path, "rb") as stream:
        source = stream.read()
    try:
        code = compile(source, path, "exec", dont_inherit=True)
    except SyntaxError as error:
        sys.excepthook(type(error), error, None)  # there is no frame yet that it could name
        return 1
    plain = program(job["program"], False, job["arguments"], PlainSources(code), 0)
    plain.prepare()
    return plain.run(report.exception)


def warmed(program: Any) -> Any:
    """The agent's ``Program``, of which each has imported what printing a traceback needs."""
    first = program("", False, [], PlainSources(None), 0)
    first.warm_up()

    class Warmed(program):  # type: ignore[misc]
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self.aside, self.warm = dict(first.aside), True

    return Warmed


def redirect() -> None:
    """Have the standard streams be files, as of a command in a pipe, and open what is told by."""
    write = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    for number, path, flags in (
        (0, STDIN, os.O_RDONLY),
        (1, STDOUT, write),
        (2, STDERR, write),
        (ORDERS, os.devnull, os.O_RDONLY),
        (REPORT, FACTS, write),
    ):
        opened = os.open(path, flags)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdout.reconfigure(line_buffering=False)  # type: ignore[union-attr]
