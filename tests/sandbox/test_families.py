"""What of the kernel is not in namespaces: other kinds of addresses, and requests by io_uring."""

from __future__ import annotations

import errno
from contextlib import closing

import pytest

from stripe.backend import Target
from stripe.sandbox.walls import Layer
from stripe_pytrace.backend import PythonBackend

PROGRAM = """\
import ctypes, socket
for family, kind in ((1, 1), (2, 1), (10, 1), (16, 3), (40, 1), (38, 5), (17, 3), (31, 3)):
    try:
        socket.socket(family, kind).close()
        print(family, 0)
    except OSError as error:
        print(family, error.errno)
libc = ctypes.CDLL(None, use_errno=True)
print("io_uring", libc.syscall(425, 1, 0), ctypes.get_errno())
"""


def test_only_families_that_namespaces_keep_apart_exist(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    with closing(PythonBackend().record(Target("program.py", directory=tmp_path))) as recording:
        if recording.layer is not Layer.NAMESPACES:
            pytest.skip("there are no namespaces here")
        *families, ring = recording.plain.stdout.decode().splitlines()
    found = {int(family): int(number) for family, number in map(str.split, families)}
    assert [found[each] for each in (1, 2, 16)] == [0, 0, 0]
    assert found[10] in (0, errno.EAFNOSUPPORT)  # where IPv6 is off
    assert {found[each] for each in (40, 38, 17, 31)} == {errno.EAFNOSUPPORT}
    assert ring == f"io_uring -1 {errno.EPERM}"
