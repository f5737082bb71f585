"""What kept events see, compared with the run (``agent/observing/value_comparison.py``)."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from stripe.backend import Differences
from stripe.errors import NotReducible

NOTHING = "not seen"
"""What is now where a replay does not come to look."""


class Replay(Protocol):
    """Replays some events and looks: what the agent tells, and what makes its texts readable.

    ``different`` among the facts says how the run differs from the plain one, if it does.
    """

    def __call__(
        self, events: Sequence[int], about: Mapping[str, Any], strict: bool, fresh: bool
    ) -> tuple[dict[str, Any], Callable[[str], str]]: ...


class Comparison:
    """What events saw in the recorded run, found out when first asked for, by full replays.

    There are two, one in a server and one in a process of its own: what differs between them,
    such as a time, an address or the number of a process, is not compared.
    """

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._lock = threading.Lock()
        self._then: dict[int, dict[int, list[int]]] = {}  # by event and number of the look
        # What makes texts readable, and the texts as they were told: few are ever shown.
        self._texts: dict[int, tuple[Callable[[str], str], dict[int, list[str]]]] = {}
        self._labels: Sequence[str] = ()
        self.uses = (0, 0)  # comparisons for which all was known, and others

    def differences(
        self, events: Sequence[int], everything: Sequence[int], *, strict: bool, fresh: bool
    ) -> Differences:
        """See :class:`stripe.backend.Comparing`; ``everything``: all events of the trace."""
        with self._lock:
            unknown = [each for each in events if each not in self._then]
            hits, misses = self.uses
            self.uses = (hits + (not unknown), misses + bool(unknown))
            self._know(unknown, everything, strict)
        then = {event: looks for event in events if (looks := self._then[event])}
        if not then:
            return {}
        facts, readable = self._replay(events, {"then": then}, strict, fresh)
        if "others" not in facts:
            # It ended otherwise than by itself: nothing is known of any event.
            return {min(then): {"the replay": ("whole", f"cut off ({facts['end']})")}}
        found: dict[int, dict[str, tuple[str, str]]] = {}
        told: set[tuple[int, int]] = set()
        for event, look, left, text in facts["others"]:
            if (event, look) in told:
                continue  # once is enough; of what is read and written, what is written
            told.add((event, look))
            before, now = self._before(event, look, -left - 1), readable(text)
            now = f"another {now}" if now == before else now
            found.setdefault(event, {})[self._labels[look]] = (before, now)
        for event, look, left in facts["unseen"]:
            before = self._before(event, look, -left)
            found.setdefault(event, {}).setdefault(self._labels[look], (before, NOTHING))
        return {event: found[event] for event in sorted(found)}

    def forget(self) -> None:
        """Find out anew what events saw in the recorded run, when it is asked for again."""
        with self._lock:
            self._then.clear()
            self._texts.clear()

    def _know(self, events: Sequence[int], everything: Sequence[int], strict: bool) -> None:
        """Find out what events saw in the recorded run."""
        if not events:
            return
        about = {"told": array("i", events).tobytes()}
        self._replay((), {"then": {}}, strict, False)  # or both may have the same process number
        facts, readable = self._replay(everything, about, strict, False)
        again, _ = self._replay(everything, about, strict, True)
        for each in (facts, again):
            if "found" not in each or each["different"] is not None:
                why = each["different"] or f"it {each['end']}"
                raise NotReducible(
                    "values-unknown",
                    f"What variables hold cannot be compared: when it is looked at, {why}",
                    "Leave out --values same.",
                )
        self._labels = facts["labels"]
        for event in events:
            second = again["found"].get(event, {})
            looks = {
                number: seen
                for number, seen in facts["found"].get(event, {}).items()
                if number in second and second[number][0] == seen[0]
            }
            self._then[event] = {number: digests for number, (digests, _) in looks.items()}
            texts = {number: texts for number, (_, texts) in looks.items()}
            self._texts[event] = readable, texts

    def _before(self, event: int, look: int, place: int) -> str:
        """What an event saw in the recorded run."""
        readable, texts = self._texts[event]
        return readable(texts[look][place])
