"""Recording a program that does not end."""

from __future__ import annotations

import re

from stripe.backend import End, cut_by_hand
from stripe.kit.limits import CUT_SECONDS
from stripe.run_equality import how_ended
from stripe.sandbox.reads import unwitnessed
from stripe.sandbox.walls import Layer
from stripe.trace.infinite_loops import not_followed
from stripe_pytrace.acts import describe_acts
from stripe_pytrace.agent.compiling.scope_rules import wants
from stripe_pytrace.infinite_loops import require_going_on
from stripe_pytrace.recording import HARMLESS, PythonRecording
from stripe_pytrace.refusals import require_no_network

STARTING = 5.0  # seconds more, in which the interpreter starts on a busy machine
CUT_ENTRIES = 300_000  # of the log, or when it has as many


FRAME = re.compile(r'  File "(.*)", line (\d+) in ')
"""A line of what faulthandler writes."""


class CutRecording(PythonRecording):
    """A run that is cut off in a loop; see ``Target.cut``."""

    def _record(self, *, witness: bool = True) -> None:
        """Record a program that does not end, until it is cut off.

        How far it comes differs from run to run, so there is no plain run to compare it with.
        What stands for it is the full replay, which ends where the trace does.
        """
        runner, target = self._runner, self._runner.target
        notes = [*self._early_notes, *self._workspace.notes]
        if self.layer is Layer.NONE and not target.unsafe:
            self._require_harmless(self._run_recorded(allowed=HARMLESS))
        seconds = target.timeout or CUT_SECONDS
        runner.timeout = runner.wall = seconds + STARTING
        target.deadline.start_phase("recording the program")
        with cut_by_hand(target.interruptible and not target.live):
            facts = self._run_recorded(cut=(CUT_ENTRIES, seconds))
        self.plain = self.recorded = runner.observe(self._recorded_in, facts)
        self.reads = unwitnessed(self._stamps, "it does not end")
        require_going_on(self.plain, facts["end"], seconds, self._waiting())
        self._done = facts["done"]
        require_no_network(self._done)
        self._read(facts, cut=True)
        self._set_limits(float(facts["processor"]))
        target.deadline.start_phase(f"replaying all {len(self.trace)} events")
        self._slots.give(range(target.jobs))
        for modules, fast in ((self._modules, True), ([], True)):
            self._modules, self._fast = modules, fast
            with self._fully(strict=True) as full:
                self.plain = self.recorded = full
            if full.end is End.CUT:
                break
            self._engines.drop_all()
        else:
            raise not_followed(how_ended(full))
        self.notes = notes + describe_acts(self._done, self.layer, live=target.live)

    def _waiting(self) -> str:
        """Where in the user's code the main thread was when time was up; empty if not known."""
        try:
            stacks = self._log.with_name("stacks").read_text("ascii", "replace")
        except OSError:
            return ""
        number = self._recorded_in
        rules = self._runner.rules(number)
        # Threads, the main one last, and their frames, the innermost first.
        for path, line in FRAME.findall(stacks.rpartition("Thread 0x")[2]):
            if wants(rules, path):
                return f"{self._runner.paths.relative(number, path)}:{line}"
        return ""
