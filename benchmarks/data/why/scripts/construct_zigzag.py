# construct 2.10.60 2.10.61 --check stdout:/zigzag/
from __future__ import annotations

from construct import Int16ub, Struct, ZigZag

record = Struct("kind" / Int16ub, "step" / ZigZag)
for data in (b"\x00\x01\x05", b"\x00\x01\x06"):
    print("zigzag", record.parse(data).step)
