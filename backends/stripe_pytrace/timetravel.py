"""Time travel for Python programs: see :class:`stripe.backend.TimeTravel`."""

from __future__ import annotations

import os
from array import array
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

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
"""Processes that stand still at moments, spread over the run, at most."""

CHECKPOINTS_ALTERED = 8
"""The same, of each altered run."""

STRETCH = 20_000
"""Events of which the path is recorded at a time, where there are no checkpoints between."""

LONGEST_PORTION = 500_000
"""Events that one process looks through, unless a stretch is longer."""

SPARE_MEMORY = 256 << 20
"""Bytes that the machine has to have left, or else every second checkpoint is given up."""

MOST_EVENTS = 100_000_000
"""Line events of a run."""

PROCESSORS = len(os.sched_getaffinity(0))
"""Stretches that are searched at the same time."""

RUN_SECONDS = 120.0
"""Seconds that a run may take which is counted, or goes from a checkpoint to a moment."""

LINE_BITS = 20
"""A place is the file's number, then so many bits of the line."""


class Checkpoint(NamedTuple):
    """Where a process stands still; ``number`` is its name in the agent."""

    number: int
    event: int
    file: str
    line: int
    depth: int
    function: str


class Stretch(NamedTuple):
    """The path of events from ``first`` on; ``entries`` are those with which a call begins."""

    first: int
    places: array[int]
    depths: array[int]
    entries: array[int]
    functions: list[str]


class Portion(NamedTuple):
    """The events that one process looks through, which goes on from a checkpoint."""

    checkpoint: Checkpoint
    first: int
    last: int


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
            raise _leaves_files(", ".join(changed[:3]) or "temporary ones")
        target.deadline.start_phase("recording the program")
        return plain

    def run(self, line: int, slots: int, alterations: Sequence[Any] = ()) -> Facts:
        """Run the program to its end, and have it leave so many checkpoints at most.

        Of what it does outside of its folder, an altered run may do what the first one has done.
        """
        facts = self._agent.ask(
            {
                **self.runner.request(0),
                "run": True,
                "line": line,
                "slots": slots,
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
        return require_answer(self._agent.ask(request))

    def drop(self, line: int, numbers: Sequence[int]) -> None:
        """End checkpoints of a line of time."""
        self._agent.ask({"line": line, "drop": list(numbers)})

    def close(self) -> None:
        """End all processes, and remove the copies."""
        self._agent.close()
        self.runner.close()
        self.workspace.close()


def require_answer(told: dict[str, Any]) -> dict[str, Any]:
    """What is told, if it is no failure: see :meth:`TravelAgent.ask`."""
    if "lost" in told:
        raise _gone(told["lost"])
    if "failed" in told:
        raise TravelError(told["failed"])
    return told


def travel(
    target: Target, interpreter: Interpreter, layer: Layer, why: str, notes: Sequence[str]
) -> PythonJourney:
    """See :class:`stripe.backend.TimeTravel`."""
    agent = TravelAgent(target, interpreter, layer, why)
    try:
        line = next(agent.lines)
        journey = PythonJourney(agent, line, _recorded(agent, line, CHECKPOINTS))
        journey.notes = list(notes)
        journey.require_same(_recorded(agent, next(agent.lines), 0))
    except BaseException:
        agent.close()
        raise
    return journey


def _recorded(agent: TravelAgent, line: int, slots: int) -> Facts:
    """A run of the program as it is, which has to do what the plain run did."""
    facts = agent.run(line, slots)
    if facts["end"] == "refused":
        raise _refusal(facts["detail"])
    observation = agent.observe(facts)
    ensure_in_time("recorded", observation)
    unlike = difference(agent.plain, observation)
    if unlike is not None or "firsts" not in facts:
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
    if facts["written"]:
        raise _leaves_files(os.path.basename(facts["written"]))
    if facts["shared"]:
        raise _refusal(f"shared: {facts['shared']}")
    if facts["recursed"]:
        raise NotReducible(
            "debug-recursion",
            "The program comes to Python's recursion limit, below which the debugger needs levels "
            "of its own, so that a run that is gone through ends elsewhere.",
            "Give it an input that recurses less deeply; stripe why and stripe trace take it as it "
            "is.",
        )
    if not facts["total"]:
        raise NotReducible(
            "nothing-to-debug",
            "No line of your code was executed.",
            "See which files count as yours: --include.",
        )
    return facts


def _leaves_files(which: str) -> NotReducible:
    return NotReducible(
        "leaves-files",
        f"The program changes files ({which}), and the debugger cannot take that back when it goes "
        "backwards.",
        "Have it print what it writes; stripe why and stripe trace take such programs.",
    )


def _refusal(detail: str) -> NotReducible:
    if detail.startswith("shared: "):
        return NotReducible(
            "debug-shared",
            f"The program has {detail.removeprefix('shared: ')} open, which all processes of the "
            "debugger would share, so that none finds it as it was.",
            "Debug the function that fails without it; stripe why and stripe trace take it.",
        )
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


class Depths(Sequence[int]):
    """The depth of each event, from index 0 on, recorded as it is asked for."""

    def __init__(self, journey: PythonJourney) -> None:
        self._journey = journey

    def __len__(self) -> int:
        return self._journey.total

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        event = index % len(self) + 1
        stretch = self._journey.stretch(event)
        return stretch.depths[event - stretch.first]


class PythonJourney:
    """See :class:`stripe.backend.Journey`: the run as it was, or an altered one.

    Of a run it is known how many events it has, and which lines it came to.  The path is recorded
    by stretches, from one checkpoint to the next, when it is asked for.
    """

    notes: Sequence[str] = ()

    def __init__(
        self, agent: TravelAgent, line: int, facts: Facts, alterations: Sequence[Alteration] = ()
    ) -> None:
        self._agent = agent
        self._line = line
        self.alterations = tuple(alterations)
        self._here = 1
        self._orders: list[dict[str, Any]] = []
        self.ending = agent.observe(facts)
        self._names: list[str] = facts["names"]
        self._files = [agent.runner.paths.relative(0, each) for each in facts["names"]]
        self.total: int = facts["total"]
        self._sections = {
            (file, line): array("I", events) for file, line, events in facts["firsts"]
        }
        self._firsts = first_passes(facts)
        self._raised = [
            (event, facts["words"][kind])
            for event, kind in zip(
                array("I", facts["raises"]), array("I", facts["kinds"]), strict=True
            )
        ]
        self._checkpoints = [Checkpoint(*each) for each in facts["checkpoints"]]
        for each in self._checkpoints:  # whose own event is before the section that begins there
            insort(self._sections[self._names.index(each.file), each.line], each.event)
        self._bounds = _bounds([each.event for each in self._checkpoints], self.total)
        self._stretches: dict[int, Stretch] = {}
        self._latest: Stretch | None = None
        self._passes: dict[tuple[str, int], Sequence[int]] = {}
        self._calls: dict[str, Sequence[int]] = {}
        self.depths: Sequence[int] = Depths(self)
        raised = facts.get("exception")
        self.failure = (raised and raised["event"]) or self.total

    def require_same(self, other: Facts) -> None:
        """Refuse the program if another run of it has differed."""
        firsts = first_passes(other)
        if self.total == other["total"] and firsts == self._firsts:
            return
        one, two = (array("I", self._record(1, self.total)["places"]) for _ in range(2))
        index = parting(one, two) - 1
        if index < min(len(one), len(two)):
            where, event, place = "they part at", index + 2, self._named(one[index])
        else:  # these two happen to be the same
            unlike = [e for key, e in self._firsts.items() if firsts.get(key) != e]
            event = min(unlike, default=self.total)
            latest = max((e, key) for key, e in self._firsts.items() if e <= event)[1]
            where = "they differ after"
            place = self._named(latest[0] << LINE_BITS | latest[1])
        file, line = place
        raise NotReducible(
            "nondeterministic",
            f"Two runs of the program take different paths: {where} {file}:{line}, the "
            f"{event:,}th line that is executed.",
            "The debugger runs it again to go to a moment: fix seeds and clocks.",
        )

    # -- the path

    def stretch(self, event: int) -> Stretch:
        """The stretch of the path that an event is in."""
        latest = self._latest
        if latest is not None and 0 <= event - latest.first < len(latest.places):
            return latest
        number = max(bisect_left(self._bounds, event), 1) - 1
        found = self._stretches.get(number)
        if found is None:
            found = self._stretches[number] = self._recorded_stretch(number)
        self._latest = found
        return found

    def _recorded_stretch(self, number: int) -> Stretch:
        start, end = self._bounds[number], self._bounds[number + 1]
        told = self._record(start, end)
        columns = {name: array("I", told[name]) for name in ("places", "depths", "entries")}
        functions = [told["words"][each] for each in array("I", told["functions"])]
        first = start + 1
        if start == 1:  # which no stretch before has
            begin = self._checkpoints[0]
            first, place = 1, self._names.index(begin.file) << LINE_BITS | begin.line
            columns["places"].insert(0, place)
            columns["depths"].insert(0, begin.depth)
            columns["entries"].insert(0, 1)
            functions.insert(0, begin.function)
        if len(columns["places"]) != end + 1 - first or any(
            columns["places"][event - first] != file << LINE_BITS | line
            for (file, line), events in self._sections.items()
            for event in events[bisect_left(events, first) : bisect_right(events, end)]
        ):
            raise _gone("it took another path")
        return Stretch(first, **columns, functions=functions)

    def _record(self, start: int, end: int) -> Facts:
        """The path from one event (without it) to another one."""
        order = {"do": "path", "events": [start], "until": end}
        return next(self._scanned([(self._checkpoint(start), order)]))

    # -- see the protocol

    def place(self, event: int) -> tuple[str, int]:
        """The file (as the user has it) and the line of an event."""
        stretch = self.stretch(event)
        number = stretch.places[event - stretch.first]
        return self._files[number >> LINE_BITS], number & (1 << LINE_BITS) - 1

    def has_passed(self, file: str, line: int) -> bool:
        """Whether the run came to a line."""
        return file in self._files and (self._files.index(file), line) in self._firsts

    def events_at(self, file: str, line: int) -> Sequence[int]:
        """All events of a line, ascending."""
        found = self._passes.get((file, line))
        if found is None:
            passes = self.passes(file, line, "", 0, backwards=False)
            found = self._passes[file, line] = array("I", [event for event, _ in passes])
        return found

    def passes(
        self, file: str, line: int, condition: str, event: int, *, backwards: bool
    ) -> Iterator[tuple[int, str]]:
        """See the protocol."""
        if not self.has_passed(file, line):
            return
        number = self._files.index(file)
        known = self._sections[number, line]
        wanted = {"lines": {self._names[number]: [line]}, "function": "", "condition": condition}
        if backwards:
            yield from self._scan(wanted, 1, min(event - 1, self.total), known, backwards=True)
        else:
            yield from self._scan(wanted, max(1, event + 1), self.total, known)

    def _scan(
        self,
        wanted: dict[str, Any],
        first: int,
        last: int,
        known: Sequence[int] | None = None,
        *,
        backwards: bool = False,
    ) -> Iterator[tuple[int, str]]:
        """What is wanted in some events, some stretches at a time, in the order of their events.

        ``known``: events of it, one at least for each section that has any; other stretches are
        passed over.
        """
        stretches_at_once = 1
        while first <= last:
            self._make_room()  # before all, so that none of these is given up
            portions: list[Portion] = []
            while len(portions) < PROCESSORS and first <= last:
                portion, first, last = self._portion(
                    first, last, stretches_at_once, known, backwards=backwards
                )
                if portion is not None:
                    portions.append(portion)
            stretches_at_once *= 2
            orders = [
                (which, {"do": "passes", "events": [which.event], "until": end, **wanted})
                for which, _, end in portions
            ]
            for (_, start, end), told in zip(portions, self._scanned(orders), strict=True):
                found = [(event, text) for event, text in told["found"] if start <= event <= end]
                yield from reversed(found) if backwards else found

    def _portion(
        self, first: int, last: int, most: int, known: Sequence[int] | None, *, backwards: bool
    ) -> tuple[Portion | None, int, int]:
        """What one process goes through, up to so many stretches in a row; the events left."""
        found = None
        while first <= last and most:
            which = self._nearest(last if backwards else first)
            start, end = max(which.event, first), min(self._end(which), last)
            wanted = known is None or _has_between(known, which.event, self._end(which))
            joined = Portion(which, start, end)
            if found is not None:
                joined = (
                    Portion(which, start, found.last)
                    if backwards
                    else Portion(found.checkpoint, found.first, end)
                )
                if not wanted or joined.last - joined.first > LONGEST_PORTION:
                    break
            first, last = (first, start - 1) if backwards else (end + 1, last)
            if wanted:
                found, most = joined, most - 1
        return found, first, last

    def _scanned(
        self, orders: Sequence[tuple[Checkpoint, dict[str, Any]]]
    ) -> Iterator[dict[str, Any]]:
        """What comes of orders, each of another checkpoint; one after the other may raise."""
        self._agent.standing = None
        scans = [{**order, "checkpoint": which.number} for which, order in orders]
        for told in self._agent.ask({"line": self._line, "scans": scans})["told"]:
            yield require_answer(told)

    def entries(self, function: str) -> Sequence[int]:
        """The events with which calls of a function begin."""
        found = self._calls.get(function)
        if found is None:
            wanted = {"lines": {}, "function": function, "condition": ""}
            scanned = self._scan(wanted, 1, self.total)
            found = self._calls[function] = array("I", [event for event, _ in scanned])
        return found

    def span(self, event: int, level: int) -> tuple[int, int]:
        """The events of the call that is the ``level``-th one from the outermost at an event."""
        depths, first, last = self.depths, event, event
        while first > 1 and depths[first - 2] >= level and not self._begins(first, level):
            first -= 1
        while last < self.total and depths[last] >= level and not self._begins(last + 1, level):
            last += 1
        return first, last

    def _begins(self, event: int, level: int) -> bool:
        if self.depths[event - 1] != level:
            return False
        entries = self.stretch(event).entries
        place = bisect_left(entries, event)
        return place < len(entries) and entries[place] == event

    def raised(self) -> Sequence[tuple[int, str]]:
        """The events that raised an exception, and its type."""
        return self._raised

    def files(self) -> Sequence[str]:
        """The files that were executed."""
        return self._files

    def go(self, event: int) -> Sequence[CallFrame]:
        """Stand at an event; the calls there, the innermost first."""
        self._here = event
        self._agent.standing = None
        which = self._checkpoint(event)
        order = {"do": "stand", "events": [event], "checkpoint": which.number}
        told = self._agent.ask({"line": self._line, **order})
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
            low, high = bisect_left(left, which.event), bisect_right(left, self._end(which))
            order = {"do": "search", "condition": condition, "events": left[low:high]}
            told = next(self._scanned([(which, order)]))
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
            order = {
                "do": "watch",
                "events": [which.event],
                "watch": watched.expression,
                "level": watched.level,
                "module": watched.module,
                "first": first,
                "last": last,
                "until": min(end, self.total),
            }
            told = next(self._scanned([(which, order)]))
            found = [self._line_of(now, level) for now, level in told["found"]]
            for each in reversed(found) if backwards else found:
                if each < event if backwards else each > event:
                    yield each
            here = which.event - 1 if backwards else end

    def _line_of(self, now: int, level: int) -> int:
        """The last event of a level of calls, up to one."""
        if not level:
            return now
        return next((n for n in range(now, 0, -1) if self.depths[n - 1] == level), now)

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
        number = next(self._agent.lines)
        facts = self._agent.run(number, CHECKPOINTS_ALTERED, orders)
        altered = None
        try:
            if unknown := self._unknown(facts):
                raise TravelError(unknown)
            if facts["unmade"]:
                raise TravelError(
                    "No statement begins at this event: go to where its first line is."
                )
            altered = PythonJourney(self._agent, number, facts, (*self.alterations, alteration))
            altered._orders = orders
            if altered._before(event) != self._before(event):
                raise TravelError("The altered program does not come to this event as it did.")
        except BaseException:
            self._agent.drop(number, [each[0] for each in facts["checkpoints"]])
            raise
        return altered

    def _before(self, event: int) -> set[tuple[str, int, int]]:
        """The lines that the run has come to before an event, and when it first did."""
        firsts = self._firsts.items()
        return {(self._files[file], line, n) for (file, line), n in firsts if n < event}

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
        if facts.get("shared"):
            return f"{_refusal(f'shared: {facts["shared"]}').message} {ended}"
        if facts.get("recursed"):
            return f"It comes to Python's recursion limit, where runs are not the same. {ended}"
        if "firsts" not in facts:
            return f"It {how_ended(self._agent.observe(facts))}, and its path is lost."
        return ""

    def parts_from(self, other: PythonJourney) -> int:
        """The first event that is not as in another one."""
        altered = [each.event for each in (*self.alterations, *other.alterations)]
        event = min(altered, default=1)
        while event <= min(self.total, other.total):
            mine, its = self.stretch(event), other.stretch(event)
            for one, two in zip(
                mine.places[event - mine.first :], its.places[event - its.first :], strict=False
            ):
                if self._named(one) != other._named(two):
                    return event
                event += 1
        return event

    def _named(self, place: int) -> tuple[str, int]:
        return self._files[place >> LINE_BITS], place & (1 << LINE_BITS) - 1

    def _checkpoint(self, event: int) -> Checkpoint:
        """The latest checkpoint before an event; some may be given up first."""
        self._make_room()
        return self._nearest(event)

    def _nearest(self, event: int) -> Checkpoint:
        place = bisect_right(self._checkpoints, event, key=lambda each: each.event)
        return self._checkpoints[place - 1]

    def _make_room(self) -> None:
        """Give up every second checkpoint where memory is short."""
        if len(self._checkpoints) > 1 and _memory_left() < SPARE_MEMORY:
            self._drop(self._checkpoints[1::2])

    def _drop(self, checkpoints: Sequence[Checkpoint]) -> None:
        self._agent.drop(self._line, [each.number for each in checkpoints])
        self._checkpoints = [each for each in self._checkpoints if each not in checkpoints]

    def _end(self, checkpoint: Checkpoint) -> int:
        """The last event that a checkpoint is nearest to."""
        place = self._checkpoints.index(checkpoint) + 1
        return self._checkpoints[place].event - 1 if place < len(self._checkpoints) else self.total

    def close(self) -> None:
        """End its processes; if it is the run as it was, all there are."""
        if self.alterations:
            self._drop(self._checkpoints)
        else:
            self._agent.close()


def first_passes(facts: Facts) -> dict[tuple[int, int], int]:
    """The event of the first pass through each place of a run."""
    return {(file, line): array("I", events)[0] for file, line, events in facts["firsts"]}


def _has_between(numbers: Sequence[int], first: int, last: int) -> bool:
    return bisect_left(numbers, first) < bisect_right(numbers, last)


def _bounds(events: Sequence[int], total: int) -> list[int]:
    """Where stretches of the path begin and end: at checkpoints, and not too far apart."""
    found = [1]
    for end in (*events[1:], total):
        found += range(found[-1] + STRETCH, end, STRETCH)
        if end > found[-1]:
            found.append(end)
    return found if len(found) > 1 else [1, 1]


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
