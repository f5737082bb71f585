"""Which statement and which event of an old trace is which of a new one.

Statements are matched file by file by their text, in order; in a stretch that was rewritten,
by their kind.  Events match as long as both runs take the same course
through matched statements; what either executes besides is left aside.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from stripe.records import dataclass
from stripe.reduce.comparing import opcodes
from stripe.trace import Statement, Trace


@dataclass(frozen=True, slots=True)
class Alignment:
    """``events`` maps old events to new ones.

    ``parted`` is the first old event after which the runs take different courses; ``None`` if
    they never do.
    """

    events: dict[int, int]
    parted: int | None


def align(old: Trace, new: Trace) -> Alignment:
    """The events of ``new`` that are those of ``old``."""
    statements = _align_statements(old, new)
    image = set(statements.values())
    before = [event for event, number in enumerate(old.statement) if number in statements]
    after = [event for event, number in enumerate(new.statement) if number in image]
    events: dict[int, int] = {}
    for first, second in zip(before, after, strict=False):
        if statements[old.statement[first]] != new.statement[second]:
            return Alignment(events, first)
        events[first] = second
    if len(before) != len(after):
        return Alignment(events, before[min(len(after), len(before) - 1)] if before else None)
    return Alignment(events, None)


def _align_statements(old: Trace, new: Trace) -> dict[int, int]:
    """The statements of ``new`` that are those of ``old``, by id."""
    files = {file.path: number for number, file in enumerate(new.files)}
    theirs, ours = _by_file(old), _by_file(new)
    found: dict[int, int] = {}
    for number, file in enumerate(old.files):
        other = files.pop(file.path, None)  # a file that is listed twice is no other
        if other is None:
            continue
        first, second = theirs[number], ours[other]
        if file.text == new.files[other].text and len(first) == len(second):
            found.update((one.id, two.id) for one, two in zip(first, second, strict=True))
        else:
            found.update(pairs(old, first, new, second))
    return found


def _by_file(trace: Trace) -> dict[int, list[Statement]]:
    """The statements of each file."""
    found: dict[int, list[Statement]] = defaultdict(list)
    for each in trace.statements:
        found[each.file].append(each)
    return found


def pairs(
    old: Trace, first: Sequence[Statement], new: Trace, second: Sequence[Statement]
) -> list[tuple[int, int]]:
    """Matching statements of two versions of a file."""
    texts = [_signatures(old, first), _signatures(new, second)]
    found = []
    for tag, low, high, start, stop in opcodes(*texts):
        some, others = first[low:high], second[start:stop]
        if tag == "replace":
            kinds = [[(each.kind, each.function) for each in side] for side in (some, others)]
            blocks = [(a, b, end - a) for tag, a, end, b, _ in opcodes(*kinds) if tag == "equal"]
        elif tag == "equal":
            blocks = [(0, 0, high - low)]
        else:
            continue
        for a, b, size in blocks:
            found += [(some[a + step].id, others[b + step].id) for step in range(size)]
    return found


def _signatures(trace: Trace, statements: Sequence[Statement]) -> list[tuple[str, str, str]]:
    """What tells statements of a file apart, apart from where they stand."""
    lines = {number: trace.files[number].lines for number in {each.file for each in statements}}
    return [
        (
            each.kind,
            each.function,
            "\n".join(line.strip() for line in lines[each.file][each.line - 1 : each.header_end]),
        )
        for each in statements
    ]
