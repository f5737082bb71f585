"""The paper's own replay on the real debugger: it counts stops; see ``inside/stepping.py``."""

from __future__ import annotations

from collections.abc import Collection

from stripe.backend import End, Observation
from stripe_gdb.recording import NativeRecording


class SteppingReplay:
    """Drives a recorded program event by event, the last one being the end of ``main``.

    An event is a number from 0, in the order of execution; there are :attr:`size`.
    """

    def __init__(self, recording: NativeRecording) -> None:
        self._recording = recording
        self._path = list(recording.blocks)
        table = recording.table
        [main] = [entry for entry, each in table.functions.items() if each.symbol == "main"]
        self._path += [
            number
            for number, block in enumerate(table.blocks)
            if block.function == main and block.epilogue
        ]
        self.size = len(self._path)

    def run(self, kept: Collection[int]) -> tuple[Observation, bool]:
        """Replay ``kept``; the observation, and whether the trace was used up.

        A program that was not at its end when the trace was used up is ended there.
        """
        job = {"path": self._path, "stops": sorted(set(self._path)), "kept": sorted(kept)}
        observation, facts = self._recording.ask("step", job)
        return observation, bool(facts["exhausted"]) or observation.end is not End.EXITED
