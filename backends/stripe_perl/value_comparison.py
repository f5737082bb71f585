"""Compares what kept events see with what they saw in the recorded run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest

from stripe.backend import Differences
from stripe.errors import NotReducible
from stripe.kit.engines import Facts

type _Look = tuple[str, str, str]
"""Name, digest and text of a value; see ``runtime/values.h``."""
type Looks = Mapping[int, Sequence[_Look]]

_UNSTEADY = "-"
"""Stands for the digest of a value that differs between two full replays."""

_NOTHING: _Look = ("a value", "", "nothing")


def unknown(why: str) -> NotReducible:
    """The error for a run of which the values are not known."""
    return NotReducible(
        "values-unknown",
        f"What variables hold cannot be compared: {why}.",
        "Leave out --values same.",
    )


class ValueComparison:
    """Values of the recorded run, known by two full replays.

    What differs between these two, such as a time, is not compared.

    Args:
        replay: replays events and logs what they see.
        why_unlike: what a full replay did otherwise than the plain run, if anything.
    """

    def __init__(
        self,
        replay: Callable[[Sequence[int], bool, bool], Facts],
        why_unlike: Callable[[Facts], str | None],
    ) -> None:
        self._replay = replay
        self._why_unlike = why_unlike
        self._lock = threading.Lock()
        self._then: dict[bool, Looks] = {}

    def differences(
        self, events: Sequence[int], everything: Sequence[int], *, strict: bool, fresh: bool
    ) -> Differences:
        """See :class:`stripe.backend.Comparing`; ``everything``: all events of the trace."""
        with self._lock:
            if strict not in self._then:
                self._then[strict] = self._recorded(everything, strict)
        facts = self._replay(events, strict, fresh)
        if facts["end"] not in ("exited", "signal", "cut"):
            return {min(events): {"the replay": ("whole", f"cut off ({facts['end']})")}}
        now = _looks(facts)
        then = self._then[strict]
        found: dict[int, dict[str, tuple[str, str]]] = {}
        for event in events:
            pairs = zip_longest(then.get(event, ()), now.get(event, ()), fillvalue=_NOTHING)
            for old, new in pairs:
                if old[1] == _UNSTEADY or old[:2] == new[:2]:
                    continue
                name = new[0] if old is _NOTHING else old[0]
                text = f"another {new[2]}" if new[2] == old[2] else new[2]
                found[event] = {name: (old[2], text)}
                break  # what follows was computed from it
        return found

    def _recorded(self, everything: Sequence[int], strict: bool) -> Looks:
        runs = []
        for fresh in (False, True):
            facts = self._replay(everything, strict, fresh)
            if why := self._why_unlike(facts):
                raise unknown(f"when it is looked at, {why.rstrip('.')}")
            runs.append(_looks(facts))
        once, again = runs
        return {
            event: [
                old if old[:2] == new[:2] else (old[0], _UNSTEADY, old[2])
                for old, new in zip_longest(looks, again.get(event, ()), fillvalue=_NOTHING)
            ]
            for event, looks in once.items()
        }


def _looks(facts: Facts) -> Looks:
    if "looks" not in facts:
        raise unknown("there are more values than can be logged")
    return {int(event): [tuple(look) for look in looks] for event, looks in facts["looks"].items()}
