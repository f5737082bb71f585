"""What every run of a target in a slot needs."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from stripe.backend import Observation, Probe, Target
from stripe.kit.engines import Facts
from stripe.kit.limits import PLAIN_SECONDS
from stripe.kit.paths import Paths
from stripe.sandbox.reads import UNLIKE, Reads, read_report, unwitnessed
from stripe.sandbox.restoration import Slot
from stripe.sandbox.workspace import Workspace

_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b", re.ASCII)


class TargetRunner(ABC):
    """Runs a target in the slots of a workspace; ``timeout``: seconds a run may take."""

    def __init__(self, target: Target, probes: Sequence[Probe], workspace: Workspace) -> None:
        self.target = target
        self.probes = list(probes)
        self.workspace = workspace
        self.timeout = target.timeout or PLAIN_SECONDS
        self.paths = Paths(workspace)
        self.stdin = workspace.root / "stdin"
        self.stdin.write_bytes(target.stdin)

    @abstractmethod
    def plainly(self, number: int) -> Observation:
        """Run the program in a slot as the user would."""

    @abstractmethod
    def close(self) -> None:
        """End what is not the recording's to end."""

    def witnessed(self, number: int, *, witness: bool = True) -> tuple[Observation, Reads]:
        """Run the program as the user would, and see what it reads, unless told not to."""
        stamps = self.workspace.stamps(number)
        unseen = self.unseen() if witness else UNLIKE
        if unseen:
            plain, reads = self.plainly(number), unwitnessed(stamps, unseen)
            self.workspace.watch(stamps, reads)
            return plain, reads
        report = home(self.workspace.slot(number)) / "reads"
        plain = self.below_witness(number, report)
        seen = read_report(report)
        reads = stamps.reads(seen)
        self.workspace.watch(stamps, reads)
        return replace(plain, seconds=seen.seconds or plain.seconds), reads

    def unseen(self) -> str:
        """Why nobody can see what a run reads; empty if :meth:`below_witness` can."""
        return "nobody looked"

    def below_witness(self, number: int, report: Path) -> Observation:
        """Run the program plainly; what it read is told in ``report``."""
        raise NotImplementedError

    def in_time(self, facts: Facts) -> Facts:
        """What is known of a run.  Raises OutOfTime if it had to end because of all the others."""
        if facts["end"] == "timeout":
            self.target.deadline.check()
        return facts

    def environment(self, slot: Slot) -> dict[str, str]:
        """The variables of a run in a slot."""
        return {**self.target.variables, "TMPDIR": str(slot.tmp), "PWD": str(slot.inside)}


def home(slot: Slot) -> Path:
    """Where a run may write, and what is there is not of the program's making."""
    return slot.tmp.parent


def without_addresses(text: str) -> str:
    """A value as text that is the same in each run."""
    return _ADDRESS.sub("0x...", text.encode("utf-8", "replace").decode())
