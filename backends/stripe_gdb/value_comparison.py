"""What kept events see, held against what they saw when everything was replayed.

A pointer into the heap has another address where less was allocated.  So of two runs such
pointers are the same if one stands for the other throughout: each first meeting makes a pair.
Where a statement calls what makes objects, a place may be used again, and makes a new pair.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from elftools.common.exceptions import DWARFError, ELFError

from stripe.backend import Differences, Observation
from stripe.errors import NotReducible
from stripe_gdb.blocks import Table
from stripe_gdb.declarations import SourceText
from stripe_gdb.paths import Look, Statements, returned
from stripe_gdb.variables import Variables

MOST_EVENTS = 200_000
"""Of more, what they saw is not looked at: it is all held in memory."""
POINTER = re.compile(r"<([0-9a-f]+)>")

type Seen = Mapping[int, Sequence[str]]
"""For each event that took place, a text for each look of its block."""


def read_seen(path: Path) -> Seen:
    """What an engine has written: behind its walls a program could have written there, too.

    Raises :class:`~stripe.errors.NotReducible` ``values-unknown``.
    """
    try:
        found = json.loads(path.read_text("ascii"))
        return {int(event): [str(text) for text in texts] for event, texts in found.items()}
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise unknown(f"what was seen cannot be read ({error})") from error


def unknown(why: str) -> NotReducible:
    """The error for values that cannot be told."""
    return NotReducible(
        "values-unknown",
        f"It cannot be told what the statements saw: {why}.",
        "Leave out --values same.",
    )


class Replay(Protocol):
    """Replays events; how that ended, and what they saw."""

    def __call__(
        self, events: Sequence[int], looks: Mapping[str, Any], *, strict: bool, fresh: bool
    ) -> tuple[Observation, Seen]: ...


class Comparison:
    """Compares what events see with what they saw; ``look`` replays events and tells."""

    def __init__(
        self,
        table: Table,
        text: Callable[[str], str],
        block: Sequence[int],
        look: Replay,
    ) -> None:
        if len(block) > MOST_EVENTS:
            raise unknown(f"there are more than {MOST_EVENTS:,} events")
        self._block = block
        self._look = look
        try:
            variables = Variables(table.modules)
            self._looks = _looks_of(variables, table, text, set(block))
        except (ELFError, DWARFError, LookupError, ValueError, AttributeError) as error:
            why = f"the debug information is not understood ({type(error).__name__}: {error})"
            raise unknown(why) from error
        looks = {number: [each.job for each in looks] for number, looks in self._looks.items()}
        parameters = {
            entry: variables.parameters(each.low) for entry, each in table.functions.items()
        }
        self._job = {
            "looks": looks,
            "parameters": parameters,
            "images": [each.image for each in table.modules],
        }
        self._reference: Seen | None = None

    def differences(self, events: Sequence[int], *, strict: bool, fresh: bool) -> Differences:
        """See :class:`stripe.backend.Comparing`."""
        if self._reference is None:
            _, self._reference = self._look(
                range(len(self._block)), self._job, strict=False, fresh=False
            )
            if len(self._reference) < len(self._block):
                raise unknown("the whole run cannot be replayed")
        _, now = self._look(events, self._job, strict=strict, fresh=fresh)
        pairs = Pairs()
        found = {}
        for event in events:
            mine = self._compare(event, self._reference[event], now.get(event), pairs)
            if mine:
                found[event] = mine
        return found

    def full(self, *, fresh: bool) -> tuple[Observation, Seen]:
        """A replay of everything as far as it goes the recorded way, and what was seen in it."""
        return self._look(range(len(self._block)), self._job, strict=True, fresh=fresh)

    def looks(self, event: int) -> Sequence[Look]:
        """What there is to see at an event."""
        return self._looks.get(self._block[event], ())

    def _compare(
        self, event: int, then: Sequence[str], now: Sequence[str] | None, pairs: Pairs
    ) -> dict[str, tuple[str, str]]:
        if now is None:
            return {"it": ("executed", "not executed")}
        found = {}
        for look, old, new in zip(self.looks(event), then, now, strict=False):
            if not pairs.same(old, new, makes=look.makes and look.after):
                found[look.name] = (old, new)
        return found


class Pairs:
    """Which pointers of one run stand for which of another."""

    def __init__(self) -> None:
        self._new: dict[str, str] = {}
        self._old: dict[str, str] = {}

    def same(self, old: str, new: str, *, makes: bool) -> bool:
        """Whether two texts say the same; ``makes``: of objects that may have been made now."""
        if "<" not in old:
            return old == new
        if POINTER.sub("<>", old) != POINTER.sub("<>", new):
            return False
        for one, other in zip(POINTER.findall(old), POINTER.findall(new), strict=True):
            if self._new.get(one, other) != other or self._old.get(other, one) != one:
                if not makes:
                    return False
                self._forget(one, other)
            self._new[one], self._old[other] = other, one
        return True

    def _forget(self, one: str, other: str) -> None:
        self._old.pop(self._new.pop(one, ""), None)
        self._new.pop(self._old.pop(other, ""), None)


def _looks_of(
    variables: Variables, table: Table, text: Callable[[str], str], wanted: set[int]
) -> dict[int, list[Look]]:
    """What to look at, for each of the blocks that are ``wanted`` and have something to see."""
    functions = {each.symbol for each in table.functions.values()}
    statements = Statements(variables, functions)
    sources: dict[str, SourceText] = {}
    same: dict[tuple[int, str, int], list[int]] = {}
    for number, block in enumerate(table.blocks):
        if not block.entry and not block.epilogue:
            same.setdefault((block.function, block.file, block.line), []).append(number)
    found = {}
    for number in sorted(wanted):
        block = table.blocks[number]
        source = sources.get(block.file)
        if source is None:
            source = sources[block.file] = SourceText(text(block.file))
        alike = same[block.function, block.file, block.line]
        looks = statements.looks(source, block.line, block.address, alike.index(number), len(alike))
        low = table.functions[block.function].low
        for phrase in source.at(block.line):
            result = returned(variables, low, phrase.tokens)
            if result is not None:
                looks.append(result)
        if looks:
            found[number] = looks
    return found
