"""The backend for Perl 5: programs in files ``.pl`` and ``.t``, or whose first line names perl."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from stripe.backend import AUTOMATIC, Finding, Probe, Recording, State, Target
from stripe.errors import UsageError
from stripe.kit.slots import scratch_copies
from stripe.sandbox.layers import find_layer
from stripe.sandbox.walls import Layer, no_sandbox
from stripe_perl.trace_model import STEPPING

_FIRST_LINE = re.compile(rb"#!.*\bperl")


class PerlBackend:
    """Runs programs by the ``perl`` of the search path."""

    name = "perl"
    suffixes: Mapping[str, str] = {".pl": "perl", ".t": "perl"}

    def refuses(self, target: Target) -> str | None:
        """Why ``target`` is nothing for this backend, or ``None``."""
        if target.module:
            return "it runs programs, not modules"
        if target.program.endswith(tuple(self.suffixes)):
            return None
        try:
            with open(target.directory / target.program, "rb") as stream:
                if _FIRST_LINE.match(stream.readline(1000)):
                    return None
        except OSError:
            pass
        return "it takes .pl and .t files, and files whose first line names perl"

    def examine(self) -> Iterator[Finding]:
        """Whether there is a perl, and its headers, and a compiler for the runtime."""
        from stripe_perl.runtime_library import find_perl, require_headers  # lazy

        try:
            perl = find_perl()
            require_headers(perl)
        except UsageError as error:
            yield Finding("Perl", State.LESS, error.message, error.hint)
        else:
            yield Finding("Perl", State.GOOD, f"{perl}, its headers and a compiler.")

    def interpreter(self, target: Target) -> str:
        """See :class:`stripe.backend.Interpreting`."""
        from stripe_perl.runtime_library import find_perl  # lazy

        return find_perl()

    def record(self, target: Target, probes: Sequence[Probe] = ()) -> Recording:
        """See :class:`stripe.backend.Backend`."""
        from stripe_perl.recording import PerlRecording  # lazy
        from stripe_perl.runner import PerlRunner  # lazy
        from stripe_perl.runtime_library import built_runtime, find_perl  # lazy
        from stripe_perl.trace_model import make_trace  # lazy

        program = target.directory / target.program
        if not program.is_file():
            raise UsageError("no-such-program", f"There is no file {program}.", "Check the path.")
        _require_known(target, probes)
        target.deadline.start_phase("compiling what perl loads, which is done once")
        built_runtime(find_perl())
        layer, why = find_layer()
        if layer is Layer.NONE and not target.unsafe:
            raise no_sandbox("Perl programs are run with parts left out", why)
        with scratch_copies(target, layer) as workspace:
            runner = PerlRunner(target, probes, workspace)
            return PerlRecording(runner, partial(make_trace, target.directory))


def _require_known(target: Target, probes: Sequence[Probe]) -> None:
    """Refuse what is not supported for Perl yet.

    Raises:
        UsageError: ``perl-option``, ``bad-engine``.
    """
    options = {
        "--check var": bool(probes),
        "--tty": target.tty,
        "--check hang": target.cut,
        "--window, --max-events and --whole": bool(target.window or target.whole),
        "--include, --only and --exclude": bool(target.include or target.only or target.exclude),
        "--python": target.python not in (None, AUTOMATIC),
    }
    if target.engine not in (None, STEPPING):
        raise UsageError(
            "bad-engine",
            f"There is no engine {target.engine!r} for Perl.",
            f"Leave --engine out, or take {STEPPING}, which replays as the first STRIPE did.",
        )
    for option, used in options.items():
        if used:
            raise UsageError(
                "perl-option",
                f"Programs in Perl do not have {option} yet.",
                "Leave it out; docs/perl.md tells what they have.",
            )
