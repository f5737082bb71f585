"""The plain dynamic slice in backward order: ``python slices.py`` with a request on its input.

The nearest first, by the number of dependences (data and control) from where it failed.  Runs in a
process of its own, whose working directory is the project's.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SECONDS = 120.0


def levels(result: Any, wanted: str) -> Iterator[list[int]]:
    """Events of the recorded run, by their distance from the symptom.

    ``wanted``: a pattern of the line of output that is asked about, if there is one.
    """
    from stripe.failing_run import dynamic_slice
    from stripe.trace.dependence import Dependences

    trace, raised = result.trace, result.recorded.exception
    among = dynamic_slice(result)
    if among is None:
        return
    roots = [among[-1]]
    if raised is not None and raised.event is not None:
        roots = [raised.event]
    elif raised is None:
        printing = {each.id for each in trace.statements if "<stdout>" in each.writes}
        prints = [each for each in range(len(trace)) if trace.statement[each] in printing]
        lines = result.recorded.stdout.splitlines()
        if len(lines) == len(prints):
            pairs = zip(prints, lines, strict=True)
            prints = [event for event, line in pairs if re.search(wanted, line)] or prints
        roots = prints[-1:] or roots
    known = Dependences(trace, among, control=True)
    level, seen = set(roots), set(roots)
    while level:
        yield sorted(level)
        level = {on for event in level for on in known.sources(event)} - seen
        seen |= level


def places(result: Any, wanted: str) -> list[list[tuple[str, int]]]:
    """Lines of the statements of each level, each line where it comes first."""
    trace = result.trace
    found, seen = [], set()
    for events in levels(result, wanted):
        group = []
        for number in {trace.statement[event] for event in events}:
            statement = trace.statements[number]
            for line in range(statement.line, statement.header_end + 1):
                place = trace.files[statement.file].path, line
                if place not in seen:
                    seen.add(place)
                    group.append(place)
        found.append(group)
    return found


def main() -> None:
    """Answer one request: ``test``, or ``script`` with ``check`` and ``include``."""
    sys.path[:0] = [str(ROOT), str(ROOT / "backends")]
    import stripe
    from stripe.failing_run import trace_test

    given = json.load(sys.stdin)
    options = {"max_tests": 2, "max_time": SECONDS, "include": given["include"]}
    if given["test"]:
        result = trace_test("pytest", given["test"], **options)
    else:
        result = stripe.trace(given["script"], check=given["check"] or (), **options)
    wanted = given["check"].partition("/")[2].removesuffix("/")
    print(json.dumps(places(result, wanted)))


if __name__ == "__main__":
    main()
