"""The native backend: C, C++ and Rust programs with debug information, through gdb."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from stripe.backend import Finding, Probe, Recording, Target
from stripe.errors import UsageError
from stripe_gdb.languages import LANGUAGES

if TYPE_CHECKING:
    from stripe.snapshots import Run


class NativeBackend:
    """Runs ELF programs, and sources that one call of a compiler makes into one."""

    name = "native"
    suffixes: Mapping[str, str] = LANGUAGES

    def refuses(self, target: Target) -> str | None:
        """Why ``target`` is nothing for this backend, or ``None``."""
        if target.module:
            return "it runs programs, not modules"
        path = target.directory / target.program
        if path.suffix in self.suffixes:
            return None
        try:
            with open(path, "rb") as stream:
                if stream.read(4) == b"\x7fELF":
                    return None
        except OSError:
            pass
        return "it takes ELF programs with debug information, and C, C++ and Rust files"

    def examine(self) -> Iterator[Finding]:
        """Whether there are gdb, and compilers for the sources it takes."""
        from stripe_gdb.machine import compilers, gdb  # lazy

        yield gdb()
        yield from compilers()

    def record(self, target: Target, probes: Sequence[Probe] = ()) -> Recording:
        """See :class:`stripe.backend.Backend`."""
        if target.window or target.whole:
            raise UsageError(
                "no-window",
                "Native programs are recorded from their start to their end: there are no windows "
                "(--window, --max-events) of them, and no functions to run whole.",
                "Leave files out with --exclude, or give the program less to do.",
            )
        with _extra():
            from stripe_gdb.preparation import open_recording  # lazy
        return open_recording(target, probes)

    def run(self, target: Target) -> Run:
        """See :class:`stripe.snapshots.Stateful`."""
        with _extra():
            from stripe_gdb.preparation import open_states  # lazy
        return open_states(target)


@contextmanager
def _extra() -> Iterator[None]:
    """Explain what is missing.  Raises UsageError ``no-native-extra``."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise UsageError(
            "no-native-extra",
            f"Native programs need the Python package {error.name!r}, which is not installed.",
            "Install STRIPE with its extra: uv tool install 'stripe-trace[native]' "
            "(from a checkout: uv tool install '.[native]').",
        ) from None
