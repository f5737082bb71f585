"""The backend for Perl 5: programs in files ``.pl`` and ``.t``, or whose first line names perl."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from stripe.backend import Finding, Probe, Recording, State, Target
from stripe.errors import UsageError
from stripe.kit.slots import scratch_copies
from stripe.sandbox.layers import find_layer
from stripe.sandbox.walls import Layer, no_sandbox
from stripe_perl.interpreter import find_perl, first_line
from stripe_perl.trace_model import STEPPING


class PerlBackend:
    """Runs programs by the perl that is asked for, or that their first line names."""

    name = "perl"
    suffixes: Mapping[str, str] = {".pl": "perl", ".t": "perl"}

    def refuses(self, target: Target) -> str | None:
        """Why ``target`` is nothing for this backend, or ``None``."""
        if target.module:
            return "it runs programs, not modules"
        if target.program.endswith(tuple(self.suffixes)):
            return None
        if first_line(target) is not None:
            return None
        return "it takes .pl and .t files, and files whose first line names perl"

    def examine(self) -> Iterator[Finding]:
        """Whether there is a perl, and its headers, and a compiler for the runtime."""
        from stripe_perl.runtime_library import require_headers  # lazy

        try:
            perl = find_perl()
            require_headers(perl)
        except UsageError as error:
            yield Finding("Perl", State.LESS, error.message, error.hint)
        else:
            yield Finding("Perl", State.GOOD, f"{perl}, its headers and a compiler.")

    def interpreter(self, target: Target) -> str:
        """See :class:`stripe.backend.Interpreting`."""
        return find_perl(target)

    def record(self, target: Target, probes: Sequence[Probe] = ()) -> Recording:
        """See :class:`stripe.backend.Backend`."""
        from stripe_perl.hangs import CutRecording  # lazy
        from stripe_perl.recording import PerlRecording  # lazy
        from stripe_perl.runner import PerlRunner  # lazy
        from stripe_perl.runtime_library import built_runtime  # lazy
        from stripe_perl.trace_model import make_trace  # lazy

        program = target.directory / target.program
        if not program.is_file():
            raise UsageError("no-such-program", f"There is no file {program}.", "Check the path.")
        _require_known(target)
        target.deadline.start_phase("compiling what perl loads, which is done once")
        built_runtime(find_perl(target))
        layer, why = find_layer()
        if layer is Layer.NONE and not target.unsafe:
            raise no_sandbox("Perl programs are run with parts left out", why)
        with scratch_copies(target, layer) as workspace:
            runner = PerlRunner(target, probes, workspace)
            recording = CutRecording if target.cut else PerlRecording
            relative = partial(runner.paths.relative, target.jobs)
            return recording(runner, partial(make_trace, target.directory, relative))


def _require_known(target: Target) -> None:
    """Refuse what is not supported for Perl yet.

    Raises:
        UsageError: ``perl-option``, ``bad-engine``.
    """
    options = {
        "--tty": target.tty,
        "--window, --max-events and --whole": bool(target.window or target.whole),
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
