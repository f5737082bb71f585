"""Where the runs of a program that cannot be repeated first part."""

from __future__ import annotations

from array import array

from stripe.trace import Trace
from stripe.trace.first_divergence import parted
from stripe_pytrace.value_comparison import Replay

LOOKED_AT = 50_000
"""Events that are looked at, the first ones: a refusal is not to take long."""


def first_parting(trace: Trace, replay: Replay) -> str:
    """The first event at which two full replays see different values, as a line of a message.

    Both are in processes of their own, and go the way of the recorded run as far as they can, so
    that they are still comparable where the program itself would have gone another way.  Where
    they see the same as far as they come, it is where the first of them left that way; empty if
    nothing can be told.
    """
    everything = range(len(trace))
    about = {"told": array("i", everything[:LOOKED_AT]).tobytes(), "ordered": True}
    (first, readable), (second, readable_too) = (
        replay(everything, about, False, True) for _ in range(2)
    )
    for event, look, time in first.get("order", ()):
        digests, texts = first["found"][event][look]
        others = second.get("found", {}).get(event, {}).get(look)
        if others is None or len(others[0]) <= time:
            break  # the second did not come as far
        digests_too, texts_too = others
        if digests[time] != digests_too[time]:
            values = readable(texts[time]), readable_too(texts_too[time])
            return "\n" + parted(trace, event, first["labels"][look], *values)
    if first["end"] == "diverged":
        return f"\nA replay of all events leaves the recorded path: {readable(first['detail'])}."
    return ""
