"""What well-known tools print of the time they took: it is not what a run did."""

from __future__ import annotations

import re

UNITTEST = rb"(?m)^(Ran \d+ tests? in )\d+\.\d{3}s(?=\r?$)"
OUTCOMES = rb"(?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?)"
PYTEST = (
    rb"(?m)^((?:=+ )?(?:no tests ran|\d+ " + OUTCOMES + rb"(?:, \d+ " + OUTCOMES + rb")*) in )"
    rb"\d+\.\d\ds(?: \(\d+:\d\d:\d\d\))?( =+)?(?=\r?$)"
)


def tells_timings(output: bytes) -> bool:
    """Whether there is anything in ``output`` that :func:`without_timings` changes."""
    if b" in " not in output:  # most print nothing like it, and patterns take long to compile
        return False
    return bool(re.search(UNITTEST, output) or re.search(PYTEST, output))


def without_timings(output: bytes) -> bytes:
    """``output`` as if the tests of unittest and pytest in it had taken no time."""
    if b" in " not in output:
        return output
    output = re.sub(UNITTEST, rb"\g<1>0.000s", output)
    return re.sub(PYTEST, lambda found: found[1] + b"0.00s" + (b" =" if found[2] else b""), output)
