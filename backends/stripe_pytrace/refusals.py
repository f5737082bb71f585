"""Why a run cannot be reduced honestly: every reason is an error that says what to do."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stripe.backend import End, Observation, Target, UncaughtException
from stripe.errors import NotReducible, UsageError
from stripe.kit.refusals import nothing_to_trace, seconds
from stripe_pytrace.interpreter import Interpreter


def require_program(target: Target) -> None:
    """Raises UsageError ``no-such-program`` unless the file is there."""
    path = target.directory / target.program
    hint = "Check the path; to run a module, use: stripe trace -m MODULE"
    if not path.exists():
        raise UsageError("no-such-program", f"There is no file {target.program!r}.", hint)
    if path.is_dir():
        raise UsageError(
            "no-such-program",
            f"{target.program!r} is a folder.",
            "To run a package, use: stripe trace -m PACKAGE",
        )
    if not os.access(path, os.R_OK):
        raise UsageError(
            "no-such-program", f"{target.program!r} cannot be read.", "Check its permissions."
        )


def require_own_end(plain: Observation) -> None:
    """The plain run must be one of valid Python, and end so that it can be seen from inside."""
    text = plain.stderr.decode("utf-8", "replace").strip("\n")
    if plain.status == 1 and text.startswith("  File ") and _is_syntax_error(text):
        raise UsageError(
            "syntax-error", f"The program is not valid Python:\n{text}", "Mend it, then try again."
        )
    if plain.end is End.SIGNAL and plain.status != signal.SIGINT:  # KeyboardInterrupt
        name = signal.Signals(plain.status).name
        raise NotReducible(
            "killed",
            f"The program was killed by {name}; a Python process that dies so cannot be "
            "recorded from inside.",
            "If it runs out of memory, give it less to do.",
        )


def _is_syntax_error(text: str) -> bool:
    last = text.rpartition("\n")[2]
    return last.startswith(("SyntaxError", "IndentationError", "TabError"))


LIBRARY = re.compile(r"(?P<kind>/site-packages|/dist-packages|/lib(64)?/python3\.\d+t?)(?=/)")
"""What comes before the name of a module that is installed, or comes with Python."""


FAILING = ("unittest", "_pytest", "pytest", "pluggy")
"""Packages that run tests, and raise for those that fail: what matters is who called them."""

MOST_PACKAGES = 3
"""Packages that are named in a note."""


def not_looked_into(unseen: Mapping[str, int]) -> list[str]:
    """A note on installed packages that the user's code called; ``unseen``: how many functions."""
    ran = sorted((name for name in unseen if name not in FAILING), key=lambda name: -unseen[name])
    if not ran:
        return []
    more = len(ran) - MOST_PACKAGES
    names = ", ".join(ran[:MOST_PACKAGES]) + (f" and {more} more" if more > 0 else "")
    return [f"Not looked into: {names} (installed). To do so: --include {ran[0]}"]


def raised_elsewhere(raised: Mapping[str, Any]) -> str:
    """The frame that raised an exception, if its code is not recorded, and how to have it so."""
    path, line, function = raised["innermost"]
    if path == raised["file"] or not os.path.isabs(path):
        return ""
    found = list(LIBRARY.finditer(path))
    if not found:
        return f"{path}:{line}, in {function}"
    within = path[found[-1].end() + 1 :]
    where = f"{within}:{line}, in {function}"
    package = within.partition("/")[0].removesuffix(".py")
    if package in FAILING:
        return ""
    if "-packages" not in found[-1]["kind"]:
        return f"{where}, which comes with Python"
    return f"{where}, which is installed\nto look into it: --include {package}"


def require_recording(facts: Mapping[str, Any], written: bool, timeout: float) -> None:
    """The recorded run must have come to its end; ``written``: its log is there."""
    end = facts["end"]
    if end == "refused":
        raise NotReducible(
            "cannot-record",
            f"The program cannot be recorded: {facts.get('detail', '')}",
            "Is a debugger, profiler or coverage tool active in it? Switch that off.",
        )
    if end == "timeout":
        raise NotReducible(
            "too-slow-recorded",
            f"The program did not end within {seconds(timeout)} while recorded.",
            "Give it more time: --timeout S",
        )
    if not written:
        raise NotReducible(
            "lost-recording",
            "The recorded run ended without reporting "
            f"(exit status {facts.get('status')}); the plain run did not.",
            "Did it replace its own process (os.exec...) or run out of memory? (With --max-events "
            "N or --window its memory holds nothing of the recording.)",
        )


def require_whole(names: Sequence[str], files: Sequence[Mapping[str, Any]]) -> None:
    """The functions to run whole must be there."""
    there = {name for file in files for name in file["wholes"]}
    for name in names:
        if name not in there:
            known = [each for file in files for each, _, node in file["functions"] if node >= 0]
            from difflib import get_close_matches

            near = get_close_matches(name, known, 5, 0.3)
            raise UsageError(
                "no-such-function",
                f"--whole {name}: no file that was loaded has a function of that name.",
                f"Did you mean {', '.join(near)}?" if near else "Give its name, or Class.name.",
            )


def require_memory(plain: Observation, recorded: Observation) -> None:
    """The program must have enough memory while it is recorded, if it has enough otherwise."""
    raised = recorded.exception
    if raised is None or raised.type != "MemoryError" or b"MemoryError" in plain.stderr:
        return
    raise NotReducible(
        "out-of-memory",
        "The program had too little memory while it was recorded: a recording takes 8 bytes for "
        "each event in it.",
        "With --max-events N or --window the recording goes to files; or give the program less "
        "to do.",
    )


def require_modules(
    raised: UncaughtException | None, interpreter: Interpreter, projects: Sequence[Path]
) -> list[str]:
    """A program must not die for want of a library that the user's own interpreter may have.

    Where the user named the interpreter, a note says so instead.  What ``projects`` hold
    themselves is no library.
    """
    if raised is None or raised.type != "ModuleNotFoundError":
        return []
    found = re.fullmatch(r"No module named '([^'.]+)'", raised.message)
    if found is None or any(holds(folder, found[1]) for folder in projects):
        return []
    message = f"The program ended for want of the module {found[1]!r}. It ran with {interpreter}."
    if not interpreter.chosen:
        return [f"{message} Is it installed there? If not, name another with --python."]
    raise NotReducible(
        "missing-module",
        message,
        "Name the interpreter that has it: --python PATH, or the folder of its environment. "
        f"If this very end is to be explained: --python {shlex.quote(interpreter.path)}",
    )


def holds(folder: Path, module: str) -> bool:
    """Whether a project has a module of its own of that name."""
    places = [
        place / name for place in (folder, folder / "src") for name in (module, f"{module}.py")
    ]
    return any(place.exists() for place in places)


def require_events(
    events: int, plain: Observation, files: Sequence[str], unmatched: Sequence[str]
) -> None:
    """Some of the user's code must have run; ``unmatched`` are the includes that no file met."""
    if events and not unmatched:
        return
    text = plain.stderr.decode("utf-8", "replace").strip()
    last = text.rpartition("\n")[2]
    if plain.status == 1 and "No module named" in last:
        raise UsageError("no-such-program", f"Python cannot run it: {last}", "Check the name.")
    if unmatched:
        raise UsageError(
            "include-matches-nothing",
            f"No file that ran matches {unmatched[0]}.",
            "Files that ran: " + ", ".join(files[:10]),
        )
    raise nothing_to_trace(f" Python said: {last}" if last else "")


def require_no_network(done: Sequence[tuple[str, str]]) -> None:
    """Nobody was asked who cannot be reached from the sandbox: what fails there is no one's bug."""
    own = {which for what, which in done if what == "socket.bind"}
    for what, which in done:
        if not what.startswith("socket.") or which in own:
            continue
        if _is_elsewhere(what, which) or (what in CALLS and _listens(which)):
            raise NotReducible(
                "needs-network",
                f"The program wants to reach {which} ({what}), which in the sandbox it cannot: it "
                "has a network of its own.",
                "--allow-network lets the recorded run use it; replays never do, so what depends "
                "on the answers cannot be reduced.",
            )


def require_no_given_port(done: Sequence[tuple[str, str]], differs: str | None) -> None:
    """Two plain runs differ: is it in the port that the system chose, in each another one?"""
    if differs is not None and any(
        what == "socket.bind" and re.search(r", 0(, \d+)*\)$", which) for what, which in done
    ):
        raise NotReducible(
            "nondeterministic",
            "Two plain runs of the program differ: " + differs,
            "It lets the system choose a port (port 0), which is another one in each run. Do not "
            "print it, or choose it yourself: in the sandbox all ports are free.",
        )


CALLS = ("socket.connect", "socket.sendto")
"""What a program does to reach somebody."""


def _value(which: str) -> Any:
    """What a text says that ``repr`` has made.  Raises ValueError or SyntaxError."""
    from ast import literal_eval  # few runs are refused, and it takes long to import

    return literal_eval(which)


def _listens(which: str) -> bool:
    """Whether somebody on this machine can be reached at an address, as text."""
    try:
        address = _value(which)
    except (ValueError, SyntaxError):
        return False
    if isinstance(address, tuple):
        port = f":{address[1]:04X}" if len(address) > 1 and isinstance(address[1], int) else "?"
        return any(
            fields[1].endswith(port) and fields[3] == listening
            for table, listening in (("tcp", "0A"), ("tcp6", "0A"), ("udp", "07"), ("udp6", "07"))
            for fields in _table_of(table)
        )
    name = os.fsdecode(address) if isinstance(address, str | bytes) else ""
    if name.startswith("\0"):
        return any(fields[-1] == "@" + name[1:] for fields in _table_of("unix"))
    with contextlib.suppress(OSError, ValueError):
        return os.path.isabs(name) and stat.S_ISSOCK(os.stat(name).st_mode)
    return False


def _table_of(name: str) -> list[list[str]]:
    """The rows of a table of sockets; none where there is no such table."""
    try:
        lines = Path(f"/proc/net/{name}").read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
    return [line.split() for line in lines[1:]]


def _is_elsewhere(what: str, which: str) -> bool:
    """Whether an address, as text, is that of another machine."""
    try:
        address = _value(which)
    except (ValueError, SyntaxError):
        return False
    host = address[0] if isinstance(address, tuple) and address else address
    if what == "socket.connect" and not isinstance(address, tuple):
        return False  # a path, or an abstract name
    if isinstance(host, bytes):
        host = host.decode("utf-8", "replace")
    if not isinstance(host, str) or host in ("", "localhost", "localhost.localdomain"):
        return False
    import ipaddress  # of use in a refusal only

    try:
        number = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host != os.uname().nodename
    return not (number.is_loopback or number.is_unspecified)


def needs_outside(differs: str) -> NotReducible:
    """The error for replays that cannot do without what only the recorded run could reach."""
    return NotReducible(
        "needs-outside",
        "Replays cannot reach what the recorded run could (the network, what --live changed), and "
        f"without it the program does something else: {differs}",
        "Answers of others are not recorded and replayed. Give the program a stand-in that needs "
        "no one: a file, a function that returns the answer.",
    )


def order_of_addresses(what: str, differs: str | None) -> NotReducible:
    """The error for a program that may show where in memory its objects are."""
    return NotReducible(
        "order-of-addresses",
        f"The {what} run differs from the plain run: {differs or 'it changes other files.'} The "
        "program hashes objects of classes without __hash__, by their addresses; the order of a "
        "set of them is another one in each run that does anything else.",
        "Make the order its own: a list, dict.fromkeys() in place of set(), sorted() where it is "
        "shown, or a __hash__ and an __eq__ in the class.",
    )


def free_threads() -> NotReducible:
    """The error for threads that really run at the same time."""
    return NotReducible(
        "free-threaded",
        "The program starts threads, and its interpreter is a free-threaded build: what threads do "
        "at the same time cannot be done again in the same order.",
        "Set PYTHON_GIL=1, or take another build of Python, with --python.",
    )


def live_threads() -> NotReducible:
    """The error for a live run that would have to be repeated."""
    return NotReducible(
        "live-threads",
        "The program starts threads, so it would have to run for real a second time.",
        "Leave --live out.",
    )
