"""The command ``stripe``: finds the verb, and turns every error into a sentence."""

from __future__ import annotations

import difflib
import importlib
import os
import signal
import sys
import textwrap
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

from stripe.cli.output import write_lines
from stripe.errors import ExitStatus, StripeError, UsageError
from stripe.version import installed_version

VERBS = ("trace", "input", "show", "verify", "lsp")
"""Each a module of this package, imported when it is needed: a command should begin at once."""

REPORT_TO = "the project's issue tracker (CONTRIBUTING.md says what to add)"


class Terminated(BaseException):
    """SIGTERM or SIGHUP arrived; an exception, so that everything is cleaned up on the way out."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    open_standard_streams()
    try:
        with orderly_end():
            return dispatch(words)
    except StripeError as error:
        return complain(error, words)
    except KeyboardInterrupt:
        say("stripe: Interrupted; there is no slice yet.")
        return ExitStatus.INTERRUPTED
    except Terminated as signalled:
        say(f"stripe: Ended by {signal.Signals(signalled.number).name}.")
        return 128 + signalled.number
    except Exception as error:
        return internal(error, words)


def open_standard_streams() -> None:
    """Fill the descriptors 0 to 2 where the caller closed them: no pipe of ours may get one."""
    while (lowest := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(lowest, True)
    os.close(lowest)


def dispatch(words: Sequence[str]) -> int:
    """Find the verb and run it."""
    if not words or words[0] in ("-h", "--help", "help"):
        write_lines(overview())
        return ExitStatus.OK if words else ExitStatus.USAGE
    if words[0] in ("-V", "--version"):
        write_lines([f"stripe {version()}"])
        return ExitStatus.OK
    if words[0] not in VERBS:
        close = difflib.get_close_matches(words[0], VERBS, n=1)
        hint = f"Did you mean: stripe {close[0]}? " if close else ""
        if words[0].endswith(".py"):
            hint = f"To trace it: stripe trace {words[0]}. "
        raise UsageError(
            "unknown-verb", f"{words[0]!r} is not a verb of stripe.", f"{hint}See stripe --help."
        )
    if "--version" in words[1:2]:
        return dispatch(["--version"])
    status: int = verb(words[0]).run(words[1:])
    return status


def verb(name: str) -> Any:
    """The module of a verb."""
    return importlib.import_module(f"stripe.cli.{name}")


def overview() -> Iterator[str]:
    """The help text of the command itself."""
    yield "usage: stripe VERB ..."
    yield ""
    yield "Finds the critical slice of a run: the few executed statements that make it do what"
    yield "it did."
    yield ""
    for name in VERBS:
        yield f"  {name:<8} {verb(name).SUMMARY}"
    yield ""
    yield "stripe VERB --help explains a verb; stripe --version tells the version."


def version() -> str:
    """The installed version."""
    return installed_version() or "(not installed)"


@contextmanager
def orderly_end() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into an exception while the body runs."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may set handlers
        return

    def end(number: int, frame: FrameType | None) -> None:
        for each in previous:  # cleaning up must not be cut short by a second signal
            signal.signal(each, signal.SIG_IGN)
        raise Terminated(number)

    previous = {
        number: signal.signal(number, end)
        for number in (signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(number) is not signal.SIG_IGN  # nohup
    }
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def complain(error: StripeError, words: Sequence[str]) -> int:
    """Say an error in one paragraph, and what to do next."""
    say(f"stripe: {error.message} [{error.slug}]", error.hint)
    if error.exit_status is ExitStatus.INTERNAL:
        say(f"If it happens again, please report it to {REPORT_TO}.")
        details(error, words)
    return error.exit_status


def internal(error: Exception, words: Sequence[str]) -> int:
    """Admit a bug."""
    reason = traceback.format_exception_only(error)[-1].strip()
    say(
        f"stripe: Internal error: {reason} [internal-error]",
        f"This is a bug of stripe {version()}, not of your program. "
        f"Please report it to {REPORT_TO}, with the output under -v.",
    )
    details(error, words)
    return ExitStatus.INTERNAL


def details(error: BaseException, words: Sequence[str]) -> None:
    """The traceback, if -v asks for it."""
    ours = words[: words.index("--")] if "--" in words else words
    if any(word in ("-v", "-vv", "--verbose") for word in ours):
        say("".join(traceback.format_exception(error)))


def say(*paragraphs: str) -> None:
    """Write to standard error; a broken one is nobody's problem."""
    from stripe.report.style import printable

    for paragraph in paragraphs:
        if not paragraph:
            continue
        # What has lines of its own (a diff, a marked position) is laid out already.
        text = (
            paragraph
            if "\n" in paragraph
            else textwrap.fill(paragraph, 96, break_on_hyphens=False, break_long_words=False)
        )
        # Messages quote files, programs and commands, which must not control the terminal.
        text = "\n".join(map(printable, text.split("\n")))
        encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
        try:
            sys.stderr.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        except (OSError, ValueError):
            return


if __name__ == "__main__":
    sys.exit(main())
