"""The code of a program as the engine without gdb lays it out."""

from __future__ import annotations

import os

from stripe_gdb.tracer import layout
from stripe_gdb.tracer.copies import Copy, Unknown

LOW = 0x400000
CODE = bytes.fromhex("f30f1efa 554889e5 b800000000 5d c3")
"""A function of C that returns 0."""


def test_where_copies_are_too_far_away_nothing_is_left_of_them(monkeypatch):
    memory = os.memfd_create("memory")
    try:
        os.pwrite(memory, CODE.ljust(64, b"\x90"), LOW)
        function = LOW, LOW + len(CODE), {LOW: 0}, -1
        near = layout.Code([LOW], [function], 1)
        near.read(memory)
        assert near.filling in near.area

        def too_far(*told: object) -> bytes:
            raise Unknown

        monkeypatch.setattr(Copy, "made", too_far)
        far = layout.Code([LOW], [function], 1)
        far.read(memory)
        assert not far.gates
        assert far.filling == -1
    finally:
        os.close(memory)
