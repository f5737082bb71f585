"""Time travel for Python programs: see :class:`stripe.backend.TimeTravel`."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import count
from typing import Any

from stripe.backend import (
    Alteration,
    CallFrame,
    Inquiry,
    Observation,
    Target,
    TravelError,
    Watched,
)  # fmt: skip
from stripe.errors import NotReducible
from stripe.kit.engines import Facts
from stripe.kit.refusals import require_end
from stripe.kit.slots import scratch_copies
from stripe.run_equality import difference, ensure_in_time, how_ended
from stripe.sandbox.walls import Layer, no_sandbox
from stripe_pytrace.interpreter import Interpreter
from stripe_pytrace.refusals import require_own_end
from stripe_pytrace.runner import Runner

CHECKPOINTS = 48
"""Processes that stand still at moments, spread over the run."""

SPARE_MEMORY = 256 << 20
"""Bytes that the machine has to have left, or else every second checkpoint is given up."""

MOST_EVENTS = 10_000_000
"""Line events of a run, of which each takes eight bytes here."""

RUN_SECONDS = 120.0
"""Seconds that a run may take which is counted, or goes from a checkpoint to a moment."""

LINE_BITS = 20


class TravelAgent:
    """The process that runs a program again and again, in its sandbox, and has forks of it stand.

    ``plain``: what the program did when it ran plainly.  ``standing``: the line of time and the
    event at which a process stands.
    """

    def __init__(self, target: Target, interpreter: Interpreter, layer: Layer, why: str) -> None:
        if layer is Layer.NONE and not target.unsafe:
            raise no_sandbox("The debugger runs the program many times, and evaluates in it", why)
        self.seconds = target.timeout or RUN_SECONDS
        self.lines = count()
        self.standing: tuple[int, int] | None = None
        self._done: Sequence[Any] = []
        with scratch_copies(target, layer) as self.workspace:
            self.runner = Runner(target, (), interpreter, self.workspace, "timetravel.navigator")
            try:
                self.plain = self._plain(target, layer)
                self._agent = self.runner.stay(0, {**self.runner.job(0), "seconds": self.seconds})
            except BaseException:
                self.runner.close()
                raise

    def _plain(self, target: Target, layer: Layer) -> Observation:
        target.deadline.start_phase("running the program")
        plain = self.runner.plainly(target.jobs)
        denied = self.workspace.denied(target.jobs)
        require_end(plain, self.runner.timeout, target, layer, denied)
        require_own_end(plain)
        changed = [
            each for each in self.workspace.changes(target.jobs) if "__pycache__" not in each
        ]
        temporary = self.workspace.slot(target.jobs).tmp
        if changed or (temporary.is_dir() and any(temporary.iterdir())):
            raise NotReducible(
                "leaves-files",
                f"The program changes files ({', '.join(changed[:3]) or 'temporary ones'}), and "
                "the debugger cannot take that back when it goes backwards.",
                "Have it print what it writes; stripe why and stripe trace take such programs.",
            )
        target.deadline.start_phase("recording the program")
        return plain

    def run(
        self, line: int, checkpoints: Sequence[int] = (), alterations: Sequence[Any] = ()
    ) -> Facts:
        """Run the program to its end, with checkpoints at some events.

        Of what it does outside of its folder, an altered run may do what the first one has done.
        """
        facts = self._agent.ask(
            {
                **self.runner.request(0),
                "run": True,
                "line": line,
                "checkpoints": list(checkpoints),
                "alterations": list(alterations),
                "allowed": self._done,
                "most": MOST_EVENTS,
                "seconds": self.seconds,
            }
        )
        if not alterations:
            self._done = facts.get("done", [])
        return facts

    def observe(self, facts: Facts) -> Observation:
        """What a run did."""
        return self.runner.observe(0, facts)

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Ask for a moment, or what stands there.

        Raises :class:`~stripe.errors.NotReducible` ``moment-lost``, or
        :class:`~stripe.backend.TravelError`.
        """
        told = self._agent.ask(request)
        if "lost" in told:
            raise _gone(told["lost"])
        if "failed" in told:
            raise TravelError(told["failed"])
        return told

    def close(self) -> None:
        """End all processes, and remove the copies."""
        self._agent.close()
        self.runner.close()
        self.workspace.close()


def travel(
    target: Target, interpreter: Interpreter, layer: Layer, why: str, notes: Sequence[str]
) -> PythonJourney:
    """See :class:`stripe.backend.TimeTravel`."""
    agent = TravelAgent(target, interpreter, layer, why)
    try:
        journey = PythonJourney(agent, _recorded(agent, 0, ()))
        journey.notes = list(notes)
        journey.stand_still()
    except BaseException:
        agent.close()
        raise
    return journey


def _recorded(agent: TravelAgent, line: int, checkpoints: Sequence[int]) -> Facts:
    """A run of the program as it is, which has to do what the plain run did."""
    facts = agent.run(line, checkpoints)
    if facts["end"] == "refused":
        raise _refusal(facts["detail"])
    observation = agent.observe(facts)
    ensure_in_time("recorded", observation)
    unlike = difference(agent.plain, observation)
    if unlike is not None or "places" not in facts:
        raise NotReducible(
            "nondeterministic",
            "The program did something else when it was recorded than when it ran plainly: "
            f"{(unlike or 'it ended without a word').rstrip('.')}.",
            "The debugger runs it again to go to a moment: fix seeds and clocks.",
        )
    if facts["forks"]:
        raise NotReducible(
            "starts-processes",
            "The program starts processes, and the debugger cannot take that back.",
            "Debug the function that fails without them; stripe trace takes such programs.",
        )
    if not facts["places"]:
        raise NotReducible(
            "nothing-to-debug",
            "No line of your code was executed.",
            "See which files count as yours: --include.",
        )
    return facts


def _refusal(detail: str) -> NotReducible:
    if detail == "threads":
        return NotReducible(
            "debug-threads",
            "The program starts threads, which the debugger cannot follow backwards.",
            "Run it with one thread; stripe why and stripe trace take threads.",
        )
    if detail == "events":
        return NotReducible(
            "too-long-to-debug",
            f"The program executes more than {MOST_EVENTS:,} lines of your code.",
            "Give it a smaller input (stripe input makes one), or fewer files: --only.",
        )
    return NotReducible(
        "no-tool-id",
        f"All tools of sys.monitoring are taken ({detail}).",
        "Run it without the other debugger, profiler or coverage.",
    )


class PythonJourney:
    """See :class:`stripe.backend.Journey`: the run as it was, or an altered one.

    Checkpoints are made when it is first gone to a moment.
    """

    notes: Sequence[str] = ()

    def __init__(
        self, agent: TravelAgent, facts: Facts, alterations: Sequence[Alteration] = ()
    ) -> None:
        self._agent = agent
        self._line = next(agent.lines)
        self.alterations = tuple(alterations)
        self._here = 1
        self._checkpoints: list[tuple[int, int]] = []
        self._orders: list[dict[str, Any]] = []
        self.ending = agent.observe(facts)
        self._names: list[str] = facts["names"]
        self._files = [agent.runner.paths.relative(0, each) for each in facts["names"]]
        self._words: list[str] = facts["words"]
        for name in ("places", "depths", "entries", "functions", "raises", "kinds"):
            setattr(self, f"_{name}", array("I", facts[name]))
        self._facts = facts
        self.total = len(self._places)
        raised = facts.get("exception")
        self.failure = (raised and raised["event"]) or self.total

    _places: array[int]
    _depths: array[int]
    _entries: array[int]
    _functions: array[int]
    _raises: array[int]
    _kinds: array[int]

    @property
    def depths(self) -> Sequence[int]:
        """See the protocol."""
        return self._depths

    def stand_still(self) -> None:
        """Run it once more, with checkpoints; it has to take the same path."""
        step = -(-self.total // CHECKPOINTS)
        events = range(1, self.total + 1, step)
        if self.alterations:
            facts = self._agent.run(self._line, events, self._orders)
            if unknown := self._unknown(facts):
                raise TravelError(unknown)
        else:
            facts = _recorded(self._agent, self._line, events)
        self._require_same_path(facts)
        self._checkpoints = [(event, number) for number, event in enumerate(events)]

    def _require_same_path(self, other: Facts) -> None:
        if all(self._facts.get(each) == other.get(each) for each in ("places", "depths")):
            return
        event = parting(self._places, array("I", other.get("places", b"")))
        file, line = self.place(min(event, self.total))
        raise NotReducible(
            "nondeterministic",
            f"Two runs of the program take different paths: they part at {file}:{line}, the "
            f"{event:,}th line that is executed.",
            "The debugger runs it again to go to a moment: fix seeds and clocks.",
        )

    # -- see the protocol

    def place(self, event: int) -> tuple[str, int]:
        """The file (as the user has it) and the line of an event."""
        number = self._places[event - 1]
        return self._files[number >> LINE_BITS], number & (1 << LINE_BITS) - 1

    def events_at(self, file: str, line: int) -> Sequence[int]:
        """All events of a line, ascending."""
        if file not in self._files:
            return []
        return self._events.get(self._files.index(file) << LINE_BITS | line, [])

    @cached_property
    def _events(self) -> dict[int, array[int]]:
        """The events of each place; a breakpoint may ask for those of many lines."""
        found: dict[int, array[int]] = {}
        for event, place in enumerate(self._places, 1):
            if (events := found.get(place)) is None:
                events = found[place] = array("I")
            events.append(event)
        return found

    def entries(self, function: str) -> Sequence[int]:
        """The events with which calls of a function begin."""
        numbers = {
            number for number, name in enumerate(self._words)
            if name and f".{name}".endswith(f".{function}")
        }  # fmt: skip
        pairs = zip(self._entries, self._functions, strict=True)
        return [event for event, number in pairs if number in numbers]

    def span(self, event: int, level: int) -> tuple[int, int]:
        """The events of the call that is the ``level``-th one from the outermost at an event."""
        depths, first, last = self._depths, event, event
        while first > 1 and depths[first - 2] >= level and not self._begins(first, level):
            first -= 1
        while last < self.total and depths[last] >= level and not self._begins(last + 1, level):
            last += 1
        return first, last

    def _begins(self, event: int, level: int) -> bool:
        if self._depths[event - 1] != level:
            return False
        place = bisect_left(self._entries, event)
        return place < len(self._entries) and self._entries[place] == event

    def raised(self) -> Sequence[tuple[int, str]]:
        """The events that raised an exception, and its type."""
        return [(event, self._words[n]) for event, n in zip(self._raises, self._kinds, strict=True)]

    def files(self) -> Sequence[str]:
        """The files that were executed."""
        return self._files

    def go(self, event: int) -> Sequence[CallFrame]:
        """Stand at an event; the calls there, the innermost first."""
        self._here = event
        told = self._ask({"event": event}, self._checkpoint(event))
        if told["here"] != event:
            raise _gone("it came to another moment")
        self._agent.standing = self._line, event
        return [
            CallFrame(name, self._agent.runner.paths.relative(0, file), line)
            for name, file, line in told["calls"]
        ]

    def inspect(self, inquiry: Inquiry) -> dict[str, Any]:
        """Answer an inquiry at the present moment."""
        return self._look(
            {
                "frame": inquiry.frame,
                "base": inquiry.base,
                "expression": inquiry.expression,
                "path": list(inquiry.path),
                "open": inquiry.opens,
                "start": inquiry.start,
                "count": inquiry.count,
            }
        )

    def output(self) -> tuple[bytes, bytes]:
        """What was printed up to the present moment."""
        out, err = self._look({"output": True})["output"]
        canonical = self._agent.workspace.canonical
        return canonical(out, 0), canonical(err, 0)

    def _look(self, request: dict[str, Any]) -> dict[str, Any]:
        """Ask the process that stands at the present moment; a search may have ended it."""
        if self._agent.standing != (self._line, self._here):
            self.go(self._here)
        return self._agent.ask(request)

    def search(
        self, events: Sequence[int], condition: str, *, backwards: bool
    ) -> Iterator[tuple[int, str]]:
        """The events among some at which a condition holds, one after the other."""
        left = list(events)
        while left:
            which = self._checkpoint(left[-1 if backwards else 0])
            low, high = bisect_left(left, which[0]), bisect_right(left, self._end(which))
            told = self._ask({"condition": condition, "events": left[low:high]}, which)
            found = [(event, text) for event, text in told["found"]]
            yield from reversed(found) if backwards else found
            left = left[:low] if backwards else left[high:]

    def changes(self, watched: Watched, event: int, *, backwards: bool) -> Iterator[int]:
        """The events of lines that change what is watched, from an event on."""
        first, last = watched.first, min(watched.last, self.total)
        here = min(max(event, first), last)
        while first <= here <= last:
            which = self._checkpoint(here)
            end = min(self._end(which), last) + 1
            told = self._ask(
                {
                    "watch": watched.expression,
                    "level": watched.level,
                    "module": watched.module,
                    "first": first,
                    "last": last,
                    "event": min(end, self.total),
                },
                which,
            )
            found = [self._line_of(now, level) for now, level in told["found"]]
            for each in reversed(found) if backwards else found:
                if each < event if backwards else each > event:
                    yield each
            here = which[0] - 1 if backwards else end

    def _line_of(self, now: int, level: int) -> int:
        """The last event of a level of calls, up to one."""
        if not level:
            return now
        return next((n for n in range(now, 0, -1) if self._depths[n - 1] == level), now)

    def alter(self, alteration: Alteration) -> PythonJourney:
        """The run that goes on otherwise from an event on."""
        event = alteration.event
        file, line = self.place(event)
        order = {
            "event": event,
            "kind": alteration.kind,
            "text": alteration.text,
            "frame": alteration.frame,
            "file": self._names[self._files.index(file)],
            "line": line,
        }
        orders = [*self._orders, order]
        facts = self._agent.run(-1, (), orders)
        unknown = self._unknown(facts)
        if unknown:
            raise TravelError(unknown)
        if facts["unmade"]:
            raise TravelError("No statement begins at this event: go to where its first line is.")
        places, depths = (array("I", facts[each]) for each in ("places", "depths"))
        if places[:event] != self._places[:event] or depths[:event] != self._depths[:event]:
            raise TravelError("The altered program does not come to this event as it did.")
        altered = PythonJourney(self._agent, facts, (*self.alterations, alteration))
        altered._orders = orders
        return altered

    def _unknown(self, facts: Facts) -> str:
        """Why it is not known what comes of an alteration; empty: it is."""
        ended = "What would come of it is not known."
        if facts["end"] == "timeout":
            return f"It did not end within {self._agent.seconds:g} seconds. {ended}"
        if facts["end"] == "refused":
            kind, _, detail = facts["detail"].partition(": ")
            if kind == "alteration":
                return f"That cannot be done here: {detail}."
            if kind == "lasting":
                return f"It was ended before it did what would last ({detail}). {ended}"
            return f"{_refusal(facts['detail']).message} {ended}"
        if facts.get("forks"):
            return f"It starts processes, which cannot be taken back. {ended}"
        if "places" not in facts:
            return f"It {how_ended(self._agent.observe(facts))}, and its path is lost."
        return ""

    def parts_from(self, other: PythonJourney) -> int:
        """The first event that is not as in another one."""
        return parting(self._places, other._places)

    def _checkpoint(self, event: int) -> tuple[int, int]:
        """The latest checkpoint before an event; and its number."""
        if not self._checkpoints:
            self.stand_still()
        if len(self._checkpoints) > 1 and _memory_left() < SPARE_MEMORY:
            self._drop(self._checkpoints[1::2])
        return self._checkpoints[bisect_right(self._checkpoints, (event, MOST_EVENTS)) - 1]

    def _drop(self, checkpoints: Sequence[tuple[int, int]]) -> None:
        self._agent.ask({"line": self._line, "drop": [number for _, number in checkpoints]})
        self._checkpoints = [each for each in self._checkpoints if each not in checkpoints]

    def _end(self, checkpoint: tuple[int, int]) -> int:
        """The last event that a checkpoint is nearest to."""
        place = self._checkpoints.index(checkpoint) + 1
        return self._checkpoints[place][0] - 1 if place < len(self._checkpoints) else self.total

    def _ask(self, request: dict[str, Any], checkpoint: tuple[int, int]) -> dict[str, Any]:
        self._agent.standing = None
        return self._agent.ask({**request, "line": self._line, "checkpoint": checkpoint[1]})

    def close(self) -> None:
        """End its processes; if it is the run as it was, all there are."""
        if self.alterations:
            self._drop(self._checkpoints)
        else:
            self._agent.close()


def parting(one: Sequence[int], other: Sequence[int]) -> int:
    """The first event, counted from 1, that two paths do not share."""
    pairs = enumerate(zip(one, other, strict=False), 1)
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)) + 1)


def _memory_left() -> int:
    """Bytes of memory that the machine can still give."""
    with open("/proc/meminfo") as stream:
        for line in stream:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    return SPARE_MEMORY


def _gone(why: str) -> NotReducible:
    return NotReducible(
        "moment-lost",
        f"The program could not be brought to that moment again ({why}).",
        "It differs from run to run: fix seeds and clocks.",
    )
