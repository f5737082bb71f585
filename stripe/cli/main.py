"""The command ``stripe``: finds the verb, and turns every error into a sentence."""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import signal
import sys
from collections.abc import Iterator, Sequence

from stripe.cli.limits import require_limits, require_memory
from stripe.cli.output import say, write_lines
from stripe.cli.verbs import FIRST_DAY, RIGHT_ONE, RUNNING, SUMMARIES, VERBS, verb
from stripe.errors import ExitStatus, NotReducible, StripeError, UsageError
from stripe.interrupts import OrderlyEnd, Terminated
from stripe.version import __version__

REPORT_TO = "the project's issue tracker (CONTRIBUTING.md says what to add)"


SELDOM = 100_000
"""Objects made before what is unreachable is looked for: all modules are loaded with fewer."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status."""
    if arguments is not None:
        return _run(list(arguments), final=False)
    gc.set_threshold(SELDOM)
    try:
        return _run(sys.argv[1:], final=True)
    finally:
        gc.freeze()  # the process ends: nothing is worth looking at once more


def _run(words: Sequence[str], *, final: bool) -> int:
    """Run the command; ``final``: the process ends with it."""
    _open_standard_streams()
    # The event loops of servers have a handler of their own.
    ending = OrderlyEnd(interrupts=words[:1] not in (["lsp"], ["mcp"]), final=final)
    try:
        with ending:
            status = _dispatch(words)
        if status == ExitStatus.INTERRUPTED and ending.number is not None:
            raise Terminated(ending.number)
        return status
    except StripeError as error:
        return complain(error, words)
    except KeyboardInterrupt:
        say("stripe: Interrupted" + ("; there is no slice yet." if ending.flag is None else "."))
        return ExitStatus.INTERRUPTED
    except Terminated as signalled:
        say(f"stripe: Ended by {signal.Signals(signalled.number).name}.")
        return 128 + signalled.number
    except OSError as error:
        from stripe.sandbox.commands import system_limit  # lazy

        told = system_limit(error)
        return internal(error, words) if told is None else complain(told, words)
    except MemoryError:
        return complain(out_of_memory(), words)
    except RuntimeError as error:
        if str(error) != "can't start new thread":
            return internal(error, words)
        from stripe.sandbox.commands import limit_error  # lazy

        return complain(limit_error(errno.EAGAIN), words)
    except Exception as error:
        return internal(error, words)


def _open_standard_streams() -> None:
    """Fill the descriptors 0 to 2 where the caller closed them: no pipe of ours may get one."""
    null = os.devnull, os.O_RDWR
    if not os.access(os.devnull, os.R_OK | os.W_OK):
        null = os.sep, os.O_RDONLY  # can neither be read nor written, but is there
    while (lowest := os.open(*null)) <= 2:
        os.set_inheritable(lowest, True)
    os.close(lowest)
    # Python has no streams for what was closed.
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            with contextlib.suppress(OSError):  # of a folder there is no stream
                setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def _dispatch(words: Sequence[str]) -> int:
    """Find the verb and run it."""
    if not words or words[0] in ("-h", "--help", "help"):
        write_lines(_overview() if words else _first_day())
        return ExitStatus.OK if words else ExitStatus.USAGE
    if words[0] in ("-V", "--version"):
        write_lines([f"stripe {__version__}"])
        return ExitStatus.OK
    if words[0] not in VERBS:
        import difflib

        close = difflib.get_close_matches(words[0], VERBS, n=1)
        hint = f"Did you mean: stripe {close[0]}? " if close else ""
        if words[0].endswith(".py"):
            hint = f"To trace it: stripe trace {words[0]}. "
        raise UsageError(
            "unknown-verb", f"{words[0]!r} is not a verb of stripe.", f"{hint}See stripe --help."
        )
    if "--version" in words[1:2]:
        return _dispatch(["--version"])
    require_memory()
    if words[0] in RUNNING:
        require_limits()
        if not os.access(os.devnull, os.R_OK | os.W_OK):
            raise UsageError(
                "no-null-device",
                f"{os.devnull} cannot be read and written here, and every run needs it.",
                "As root: mknod -m 666 /dev/null c 1 3; in a container, start it with a /dev of "
                "its own.",
            )
    from stripe.cli.grammar import HelpWanted  # lazy

    try:
        status: int = verb(words[0]).run(words[1:])
    except HelpWanted as asked:
        write_lines([f"{asked}"])
        return ExitStatus.OK
    return status


def _first_day() -> Iterator[str]:
    """What the command says alone: ten lines at most."""
    yield "Finds the critical slice of a run: the few executed statements that make it do what"
    yield "it did."
    yield ""
    yield from FIRST_DAY
    yield ""
    yield "stripe demo shows one at once; stripe --help has all commands, and when to use which."


def _overview() -> Iterator[str]:
    """The help text of the command itself."""
    yield "usage: stripe VERB ..."
    yield ""
    yield "Finds the critical slice of a run: the few executed statements that make it do what"
    yield "it did."
    yield ""
    for name, summary in SUMMARIES.items():
        yield f"  {name:<10} {summary}"
    yield ""
    yield "when is which the right one?"
    width = max(len(question) for question, _ in RIGHT_ONE)
    for question, command in RIGHT_ONE:
        yield f"  {question:<{width}}  {command}"
    yield ""
    yield "stripe VERB --help explains a verb; stripe --version tells the version."


def out_of_memory() -> StripeError:
    """The error for a run that is too long for the memory there is."""
    return NotReducible(
        "out-of-memory",
        "There is no memory left for what STRIPE has to hold.",
        "Record less: the last executions (--max-events N), a part (--window START..END), fewer "
        "files (--exclude); or give the program less to do.",
    )


def complain(error: StripeError, words: Sequence[str]) -> int:
    """Say an error in one paragraph, and what to do next."""
    if layers := sys.modules.get("stripe.sandbox.layers"):  # where no memory is left, it is not
        layers.forget_layers()  # what was remembered of the sandbox may be why
    say(f"stripe: {error.message} [{error.slug}]", error.hint)
    if error.exit_status is ExitStatus.INTERNAL:
        say(f"If it happens again, please report it to {REPORT_TO}.")
        _details(error, words)
    return error.exit_status


def internal(error: Exception, words: Sequence[str]) -> int:
    """Admit a bug."""
    import traceback

    reason = traceback.format_exception_only(error)[-1].strip()
    say(
        f"stripe: Internal error: {reason} [internal-error]",
        f"This is a bug of stripe {__version__}, not of your program. "
        f"Please report it to {REPORT_TO}, with the output under -v.",
    )
    _details(error, words)
    return ExitStatus.INTERNAL


def _details(error: BaseException, words: Sequence[str]) -> None:
    """The traceback, if -v asks for it."""
    ours = words[: words.index("--")] if "--" in words else words
    if any(word in ("-v", "-vv", "--verbose") for word in ours):
        import traceback

        say("".join(traceback.format_exception(error)))


if __name__ == "__main__":
    sys.exit(main())
