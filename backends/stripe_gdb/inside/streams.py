"""Standard input, output and error of the program, without a shell to redirect them.

A shell takes as long to start as a small program.  The program inherits what gdb has at 0, 1 and
2; but gdb writes there itself, through the C library's ``stdout`` and ``stderr``.  So these get
another descriptor first.
"""

import contextlib
import ctypes
import os

PLACE = 112
"""Where ``struct _IO_FILE`` of the GNU C library has its descriptor, on 64-bit machines."""


def silence():
    """Have gdb write nowhere; whether 0, 1 and 2 are free for the program now."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    return divert("stdout", 1, nowhere) and divert("stderr", 2, nowhere)


def divert(name, before, after):
    """Give a stream of the C library another descriptor; false where that cannot be done."""
    libc = ctypes.CDLL(None)
    libc.fileno.argtypes = [ctypes.c_void_p]
    stream = ctypes.c_void_p.in_dll(libc, name).value
    descriptor = ctypes.c_int.from_address(stream + PLACE)
    if descriptor.value != before or libc.fileno(stream) != before:
        return False  # another C library
    descriptor.value = after
    if libc.fileno(stream) == after:
        return True
    descriptor.value = before
    return False


@contextlib.contextmanager
def standing_in(paths):
    """Have the files ``paths`` at 0, 1 and 2: the first to read, two to write."""
    before = [os.dup(number) for number in range(3)]
    try:
        for number, path in enumerate(paths):
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC if number else os.O_RDONLY
            opened = os.open(path, flags, 0o666)
            os.dup2(opened, number)
            os.close(opened)
        yield
    finally:
        for number, old in enumerate(before):
            os.dup2(old, number)
            os.close(old)
