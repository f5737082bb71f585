"""Signals that come when they like: their handlers are no calls of the program's."""

import signal

RESTORER = b"\x48\xc7\xc0\x0f\0\0\0\x0f\x05", b"\xb8\x0f\0\0\0\x0f\x05"
"""What a handler returns to in C libraries: the system call ``rt_sigreturn`` (15)."""

FROM_OUTSIDE = frozenset(
    (
        *(signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF),
        *(signal.SIGCHLD, signal.SIGIO, signal.SIGURG, signal.SIGWINCH),
    )
)
"""Signals that a statement does not send at once, as ``raise`` would."""


def arrives(program):
    """Whether the function that begins handles a signal of timers, children, or the like."""
    try:
        back = int.from_bytes(program.read(program.get("rsp"), 8), "little")
        handler = program.read(back, 9).startswith(RESTORER)
    except OSError:
        return False  # no such memory
    return handler and program.get("rdi") in FROM_OUTSIDE
