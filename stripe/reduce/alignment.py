"""Which statement and which event of an old trace is which of a new one.

Statements are matched file by file by their text, in order; in a stretch that was rewritten,
by their kind.  Events match as long as both runs take the same course
through matched statements; what either executes besides is left aside.  From where the courses
part, events match activation by activation: one event more on either side, as versions of an
interpreter have for a header or a `with`, costs that event and no other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from stripe.reduce.common_parts import opcodes
from stripe.trace import NONE, Statement, Trace


@dataclass(frozen=True, slots=True)
class Alignment:
    """``events`` maps old events to new ones.

    ``parted`` is the first old event after which the runs take different courses; ``None`` if
    they never do.  Some of those behind it may match again.
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
            _match_by_activation(old, new, statements, events, (before, after))
            return Alignment(events, first)
        events[first] = second
    if len(before) != len(after):
        return Alignment(events, before[min(len(after), len(before) - 1)] if before else None)
    return Alignment(events, None)


def _match_by_activation(
    old: Trace,
    new: Trace,
    statements: Mapping[int, int],
    events: dict[int, int],
    candidates: tuple[Sequence[int], Sequence[int]],
) -> None:
    """Add to ``events`` what matches behind them, of the ``candidates`` of both runs in order."""
    same = {old.activation[one]: new.activation[two] for one, two in events.items()}
    before, after = candidates
    theirs = _by_activation(old, before[len(events) :])
    ours = _by_activation(new, after[len(events) :])
    begun: dict[tuple[int, str], list[int]] = defaultdict(list)
    taken = set(same.values())
    for number in ours:
        if number not in taken:
            each = new.activations[number]
            begun[each.caller, each.function].append(number)
    # A caller's activation has begun before, and so has the smaller number.
    for number in sorted(theirs):
        if number not in same:
            each = old.activations[number]
            caller = events.get(each.caller, NONE) if each.caller != NONE else NONE
            waiting = begun.get((caller, each.function))
            if not waiting or (caller == NONE) != (each.caller == NONE):
                continue
            same[number] = waiting.pop(0)
        some, others = theirs[number], ours.get(same[number], [])
        images = [statements[old.statement[event]] for event in some]
        for low, start, size in _blocks(images, [new.statement[event] for event in others]):
            events.update(zip(some[low : low + size], others[start : start + size], strict=True))


def _by_activation(trace: Trace, events: Iterable[int]) -> dict[int, list[int]]:
    """Events by their activation, in order."""
    found: dict[int, list[int]] = defaultdict(list)
    for event in events:
        found[trace.activation[event]].append(event)
    return dict(found)


def _blocks(old: Sequence[int], new: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """What two sequences have in common: where it begins in each, and how long it is.

    What is equal at both ends first: the rounds of a loop are alike, and a longest block may be
    one that has slipped by a round.
    """
    low, least = 0, min(len(old), len(new))
    while low < least and old[low] == new[low]:
        low += 1
    tail = 0
    while tail < least - low and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    yield 0, 0, low
    for tag, first, last, start, _ in opcodes(
        old[low : len(old) - tail], new[low : len(new) - tail]
    ):
        if tag == "equal":
            yield low + first, low + start, last - first
    yield len(old) - tail, len(new) - tail, tail


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
