"""The tables that replays are made from, for ``Tables`` of agent/replaying/plan.py."""

from __future__ import annotations

import os
from array import array
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from stripe.trace.columns import PART, write
from stripe_pytrace.activations import Finished, call_rows
from stripe_pytrace.agent.compiling.annotations import NAME
from stripe_pytrace.agent.process import wire
from stripe_pytrace.window_reader import Windowing

if TYPE_CHECKING:
    from stripe_pytrace.paths import LogReader


def write_tables(
    reader: LogReader, finished: Sequence[Finished], windowing: Windowing | None, path: Path
) -> None:
    """Write what was read: a message, and sections that the agent maps into memory.

    The message has all that is small or irregular, and the sizes of the sections that follow.
    Section by section, so that nothing is here twice.
    """
    annotating = {
        number for number, (name, _) in enumerate(reader.functions) if name.endswith(NAME)
    }
    calls, row, first_call = call_rows(
        finished, reader.function, reader.entries, [each.caller for each in reader.activations],
        reader.trace.activation, reader.position, reader.resumes, annotating,
    )  # fmt: skip
    of_activation = [each[2] for each in finished]
    position = reader.position
    start = array("i", accumulate((len(each[0]) for each in finished), initial=0))
    first = array("i", accumulate(map(len, of_activation), initial=0))
    events = sum(map(len, of_activation))
    sizes = {
        "activation": 4 * events, "position": 4 * events, "events": 4 * events,
        "positions": 4 * events, "start": 4 * len(start), "first_event": 4 * len(first),
        "function": 4 * len(reader.function), "dropped": start[-1], "kept": start[-1],
        "calls": 4 * len(calls), "row": 4 * len(row), "first_call": 4 * len(first_call),
    }  # fmt: skip
    message = {
        "sections": sizes,
        "loops": {n: each[3] for n, each in enumerate(finished) if each[3]},
        "landings": {n: each[4] for n, each in enumerate(finished) if each[4]},
        "wide": {n: each[5] for n, each in enumerate(finished) if each[5]},
        "resumes": reader.resumes,
        "entries": reader.entries,
        "roots": reader.roots,
        "opened": {} if windowing is None else windowing.opened,
        "before": 0 if windowing is None else windowing.before,
    }
    with open(path, "wb") as stream:
        wire.send(stream.fileno(), message)
        stream.seek(0, os.SEEK_END)
        for values in (reader.trace.activation, position, *of_activation):
            write(stream, values)
        for each in of_activation:
            for begin in range(0, len(each), PART):
                part = each[begin : begin + PART]
                write(stream, array("i", map(position.__getitem__, part)))
        for values in (start, first, array("i", reader.function)):
            write(stream, values)
        stream.writelines(each[0] for each in finished)
        stream.writelines(each[1] for each in finished)
        for values in (calls, row, first_call):
            write(stream, values)
