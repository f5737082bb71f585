"""Time travel for Python programs: see :class:`stripe.backend.TimeTravel`."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from stripe.backend import CallFrame, Inquiry, Target, TravelError
from stripe.errors import NotReducible
from stripe.kit.engines import Facts
from stripe.kit.refusals import require_end
from stripe.kit.slots import scratch_copies
from stripe.run_equality import difference, ensure_in_time
from stripe.sandbox.walls import Layer, no_sandbox
from stripe_pytrace.interpreter import Interpreter
from stripe_pytrace.refusals import require_own_end
from stripe_pytrace.runner import Runner

CHECKPOINTS = 48
"""Processes that stand still at moments, spread over the run."""

MOST_EVENTS = 10_000_000
"""Line events of a run, of which each takes eight bytes here."""

RUN_SECONDS = 120.0
"""Seconds that a run may take which is counted, or goes from a checkpoint to a moment."""

LINE_BITS = 20


class PythonJourney:
    """See :class:`stripe.backend.Journey`."""

    def __init__(
        self, target: Target, interpreter: Interpreter, layer: Layer, why: str, notes: Sequence[str]
    ) -> None:
        if layer is Layer.NONE and not target.unsafe:
            raise no_sandbox("The debugger runs the program many times, and evaluates in it", why)
        self.notes = list(notes)
        with scratch_copies(target, layer) as self._workspace:
            self._runner = Runner(target, (), interpreter, self._workspace, "timetravel.navigator")
            try:
                self._begin(target, layer)
            except BaseException:
                self._runner.close()
                raise

    def _begin(self, target: Target, layer: Layer) -> None:
        target.deadline.start_phase("running the program")
        self._plain = self._runner.plainly(target.jobs)
        denied = self._workspace.denied(target.jobs)
        require_end(self._plain, self._runner.timeout, target, layer, denied)
        require_own_end(self._plain)
        changed = [
            each for each in self._workspace.changes(target.jobs) if "__pycache__" not in each
        ]
        temporary = self._workspace.slot(target.jobs).tmp
        if changed or (temporary.is_dir() and any(temporary.iterdir())):
            raise NotReducible(
                "leaves-files",
                f"The program changes files ({', '.join(changed[:3]) or 'temporary ones'}), and "
                "the debugger cannot take that back when it goes backwards.",
                "Have it print what it writes; stripe why and stripe trace take such programs.",
            )
        self._agent = self._runner.stay(
            0, {**self._runner.job(0), "seconds": target.timeout or RUN_SECONDS}
        )
        try:
            target.deadline.start_phase("recording the program")
            first = self._run(())
            self.total = len(first["places"]) // 4
            self.failure = self._failure(first)
            step = -(-self.total // CHECKPOINTS)
            self._checkpoints = list(range(1, self.total + 1, step))
            second = self._run(self._checkpoints)
            self.places, self.depths = array("I", first["places"]), array("I", first["depths"])
            self._files = [self._runner.paths.relative(0, each) for each in first["names"]]
            self._require_same_path(first, second)
        except BaseException:
            self._agent.close()
            raise

    def _run(self, checkpoints: Sequence[int]) -> Facts:
        facts = self._agent.ask(
            {
                **self._runner.request(0),
                "run": True,
                "checkpoints": list(checkpoints),
                "most": MOST_EVENTS,
            }
        )
        if facts["end"] == "refused":
            raise self._refusal(facts["detail"])
        observation = self._runner.observe(0, facts)
        ensure_in_time("recorded", observation)
        unlike = difference(self._plain, observation)
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
        self.ending = observation
        return facts

    @staticmethod
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

    def _failure(self, facts: Facts) -> int:
        raised = facts.get("exception")
        return (raised and raised["event"]) or self.total

    def _require_same_path(self, first: Facts, second: Facts) -> None:
        if first["places"] == second["places"] and first["depths"] == second["depths"]:
            return
        others = array("I", second["places"])
        pairs = zip(self.places, others, strict=False)
        shorter = min(self.total, len(others))
        event = next((n for n, (a, b) in enumerate(pairs, 1) if a != b), shorter)
        file, line = self.place(event)
        raise NotReducible(
            "nondeterministic",
            f"Two runs of the program take different paths: they part at {file}:{line}, the "
            f"{event:,}th line that is executed.",
            "The debugger runs it again to go to a moment: fix seeds and clocks.",
        )

    # -- see the protocol

    def place(self, event: int) -> tuple[str, int]:
        """The file (as the user has it) and the line of an event."""
        number = self.places[event - 1]
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
        for event, place in enumerate(self.places, 1):
            if (events := found.get(place)) is None:
                events = found[place] = array("I")
            events.append(event)
        return found

    def files(self) -> Sequence[str]:
        """The files that were executed."""
        return self._files

    def go(self, event: int) -> Sequence[CallFrame]:
        """Stand at an event; the calls there, the innermost first."""
        told = self._answer({"event": event, "checkpoint": self._checkpoint(event)})
        if told["here"] != event:
            raise _gone("it came to another moment")
        return [
            CallFrame(name, self._runner.paths.relative(0, file), line)
            for name, file, line in told["calls"]
        ]

    def inspect(self, inquiry: Inquiry) -> dict[str, Any]:
        """Answer an inquiry at the present moment."""
        told = self._answer(
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
        if "failed" in told:
            raise TravelError(told["failed"])
        return told

    def output(self) -> tuple[bytes, bytes]:
        """What was printed up to the present moment."""
        out, err = self._answer({"output": True})["output"]
        canonical = self._workspace.canonical
        return canonical(out, 0), canonical(err, 0)

    def search(self, events: Sequence[int], condition: str, *, backwards: bool) -> int | None:
        """The first of some events (the last: ``backwards``) at which a condition holds."""
        left = list(events)
        while left:
            which = self._checkpoint(left[-1 if backwards else 0])
            begins = self._checkpoints[which]
            ends = ([*self._checkpoints, self.total + 1])[which + 1]
            low, high = bisect_left(left, begins), bisect_right(left, ends - 1)
            told = self._answer(
                {"condition": condition, "checkpoint": which, "events": left[low:high]}
            )
            if "failed" in told:
                raise TravelError(told["failed"])
            if told["found"]:
                return int(told["found"][-1 if backwards else 0])
            left = left[:low] if backwards else left[high:]
        return None

    def _checkpoint(self, event: int) -> int:
        return bisect_right(self._checkpoints, event) - 1

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        told = self._agent.ask(request)
        if "lost" in told:
            raise _gone(told["lost"])
        return told

    def close(self) -> None:
        """End all processes, and remove the copies."""
        self._agent.close()
        self._runner.close()
        self._workspace.close()


def _gone(why: str) -> NotReducible:
    return NotReducible(
        "moment-lost",
        f"The program could not be brought to that moment again ({why}).",
        "It differs from run to run: fix seeds and clocks.",
    )
