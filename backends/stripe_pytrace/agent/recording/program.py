"""Running the user's program as ``python PROGRAM`` would, below a few frames of ours."""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # signal imports more than all else here
import atexit
import gc
import os
import sys

from ..compiling.code import Sources, main_module, user_frame
from ..compiling.versions import forget_annotations, was_asked
from ..process.lazy import HiddenImports

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

EXIT_BY_INTERRUPT = -2


class Program:
    """What to run: ``path`` (or ``module``) and the arguments that follow it.

    ``raiser`` tells which recorded event raised an exception, if that is known; ``operands``, by
    its node, what an ``assert`` that failed was about.  ``leaving``: what goes through the program
    in the place of an exception that was left out.
    """

    operands: Mapping[int | None, list[str]] = {}
    leaving: type[BaseException] | tuple[()] = ()

    def __init__(
        self,
        path: str,
        module: bool,
        arguments: list[str],
        sources: Sources,
        headroom: int,
        raiser: Callable[[BaseException], int | None] = lambda error: None,
    ) -> None:
        self.headroom = headroom
        self.raiser = raiser
        self.aside: dict[str, Any] = {}
        self.warm = False
        self.placed = 0  # folders that we put before all others to find modules in
        self.path = path
        self.module = module
        self.arguments = arguments
        self.sources = sources

    def heed(self, facts: Mapping[str, Any]) -> None:
        """Get ready for what a run has shown: to do so ahead takes as long as some runs."""
        if "exception" in facts and not self.warm:
            self.warm_up()
            gc.freeze()

    def warm_up(self) -> None:
        """Import what printing a traceback needs, for all runs that are forked from here.

        The program is not to find these modules imported, so they are kept aside; nor what they
        leave behind in classes that it shares with them: a dataclass asks all of its bases.
        """
        self.warm = True
        path = sys.path[:]
        del sys.path[: self.placed]  # the program's own modules are found first there
        unasked = [each for each in classes() if not was_asked(each)]
        with HiddenImports() as imported:
            try:
                raise RuntimeError
            except RuntimeError as error:
                import traceback

                "".join(traceback.format_exception(error))
        self.aside |= imported
        for each in unasked:
            if was_asked(each):
                forget_annotations(each)
        sys.path[:] = path

    def prepare(self) -> None:
        """Set up ``sys`` and ``__main__`` as the interpreter does before it runs a program."""
        namespace = main_module()
        if self.module:
            sys.argv = ["-m", *self.arguments]
            self._set_path0(os.getcwd())
            return
        sys.path_importer_cache[absolute(self.path)] = None  # asked whether it can be imported from
        sys.argv = [self.path, *self.arguments]
        self._set_path0(os.path.dirname(os.path.realpath(self.path)))
        namespace["__file__"] = absolute(self.path)
        namespace["__cached__"] = None
        loader: Any = type(namespace["__loader__"])
        namespace["__loader__"] = loader("__main__", namespace["__file__"])

    def _set_path0(self, directory: str) -> None:
        if not sys.flags.safe_path:
            sys.path.insert(0, directory)
            self.placed = 1
        sys.orig_argv[1:] = (["-m"] if self.module else []) + [self.path, *self.arguments]

    def run(self, ending: Callable[[dict[str, Any]], None]) -> int | str | None:
        """Run to the end; returns what ``sys.exit`` would be called with.

        ``ending`` is told of an uncaught exception before its traceback is printed.
        """
        with_headroom(sys._getframe(), self.headroom)
        try:
            if self.module:
                import runpy

                runpy._run_module_as_main(self.path)  # type: ignore[attr-defined]
            else:
                namespace = sys.modules["__main__"].__dict__
                exec(self.sources.main(absolute(self.path)), namespace)
        except SystemExit as exit:
            return exit.code
        except self.leaving:
            return 0
        except BaseException as error:
            shown = error
        else:
            return 0
        shown.__traceback__ = shown.__traceback__ and shown.__traceback__.tb_next
        self.fail(shown, ending)
        sys.last_exc = sys.last_value = shown
        sys.last_type, sys.last_traceback = type(shown), shown.__traceback__
        try:
            sys.excepthook(type(shown), shown, shown.__traceback__)
        except SystemExit as exit:
            return exit.code
        return EXIT_BY_INTERRUPT if isinstance(shown, KeyboardInterrupt) else 1

    def fail(self, error: BaseException, ending: Callable[[dict[str, Any]], None]) -> None:
        """The program is about to print an exception, and to end with it: tell ``ending``."""
        ending(self.described(error))
        for name, module in self.aside.items():
            sys.modules.setdefault(name, module)

    def described(self, error: BaseException) -> dict[str, Any]:
        """What is told of an exception that nobody of the program's kept back."""
        file, line, node, part = user_frame(error.__traceback__, self.sources.by_path)
        try:
            message = str(error)
        except Exception:
            message = "<no message>"
        kind = type(error)
        name = kind.__qualname__
        if kind.__module__ not in ("builtins", "__main__"):
            name = f"{kind.__module__}.{name}"
        return {
            "type": name, "message": message, "file": file, "line": line, "node": node,
            "event": self.raiser(error), "part": part,
            "innermost": innermost_frame(error),
            "operands": self.operands.get(node, []) if kind is AssertionError else [],
        }  # fmt: skip


def innermost_frame(error: BaseException) -> tuple[str, int, str]:
    """File, line and function where an exception was raised, whosever code that is."""
    traceback = error.__traceback__
    if traceback is None:
        return "", 0, ""
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    code = traceback.tb_frame.f_code
    return code.co_filename, traceback.tb_lineno or 0, code.co_qualname


def classes() -> set[Any]:
    """All classes that there are."""
    found: set[Any] = set()
    pending: list[Any] = [object]
    while pending:
        fresh = set(type.__subclasses__(pending.pop())) - found
        found |= fresh
        pending += fresh
    return found


def absolute(path: str) -> str:
    """The path as it stands in tracebacks and ``__file__``."""
    return path if os.path.isabs(path) else os.path.join(os.getcwd(), path)


def with_headroom(frame: Any, headroom: int) -> None:
    """Let the program recurse as deep as without us.

    Our frames below it, and the levels that callbacks of the innermost frame need, are
    added to the limit and hidden from ``sys.getrecursionlimit``.
    """
    extra = headroom
    while frame is not None:
        extra += 1
        frame = frame.f_back
    set_limit, get_limit = sys.setrecursionlimit, sys.getrecursionlimit

    def setrecursionlimit(limit: int, /) -> None:
        set_limit(limit + extra if limit > 0 else limit)

    def getrecursionlimit() -> int:
        return get_limit() - extra

    limit = get_limit()
    sys.setrecursionlimit = setrecursionlimit
    sys.getrecursionlimit = getrecursionlimit
    set_limit(limit + extra)


def leave(result: int | str | None, told: Callable[[], None], *, fast: bool) -> None:
    """End the process with what ``Program.run`` returned.

    ``fast`` skips the teardown of modules, after doing everything a program notices of the
    interpreter's end: waiting for threads, exit functions, flushing.  ``told`` is called behind
    the exit functions, among which a program is to find none of ours; by ``os._exit``, too.
    """
    if result == EXIT_BY_INTERRUPT and not isinstance(result, bool):
        finish(1)
        told()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    if result is None or isinstance(result, int):
        status = int(result or 0)
    else:
        sys.stderr.write(f"{result}\n")
        status = 1
    if not fast:
        run_exit_functions()
        told()
        raise SystemExit(status)
    os._exit(finish(status & 0xFF))


def run_exit_functions() -> None:
    """Wait for threads, and call what is registered for the interpreter's end."""
    threading = sys.modules.get("threading")
    if threading is not None:
        threading._shutdown()
    atexit._run_exitfuncs()


def finish(status: int) -> int:
    """What the interpreter does at its end before it tears down modules."""
    run_exit_functions()
    for stream, failure in ((sys.stdout, 120), (sys.stderr, status)):
        try:
            if stream is not None:
                stream.flush()
        except Exception:
            status = failure
    return status
