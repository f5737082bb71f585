# construct 2.10.63 2.10.64
from __future__ import annotations

from construct import BytesInteger, ConstructError, Struct

record = Struct("size" / BytesInteger(2), "rest" / BytesInteger(1))
for size in (500, 70000):
    try:
        print(size, record.build({"size": size, "rest": 1}))
    except ConstructError as error:
        print(size, "cannot be built:", type(error).__name__)
