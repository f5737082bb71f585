"""What passes leave of an input."""

from __future__ import annotations

from collections.abc import Callable

from stripe.dd import Outcome, hdd, splitting
from stripe.units.kinds import KINDS
from stripe.units.model import Units


def least(data: bytes, kind: str, fails: Callable[[bytes], bool]) -> bytes:
    """What the passes leave of an input, gone through until nothing changes."""
    before = None
    while before != data:
        before = data
        passes = KINDS[kind].passes
        assert passes is not None
        steps = passes(data)
        step = next(steps, None)
        while step is not None:
            data = searched(step.units, fails)
            try:
                step = steps.send(data)
            except StopIteration:
                step = None
    return data


def searched(units: Units, fails: Callable[[bytes], bool]) -> bytes:
    def test(configuration: tuple[int, ...]) -> Outcome:
        return Outcome.FAIL if fails(units.render(configuration)) else Outcome.PASS

    deltas = range(len(units))
    if units.hierarchical:
        return units.render(hdd(deltas, test, units.parent, check=True).configuration)
    return units.render(splitting(deltas, test, check=True).configuration)
