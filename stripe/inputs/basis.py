"""What the outcomes of a reduction rest on: all that the test reads of the whole input's run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from stripe.campaign.provenance import Basis, environment
from stripe.errors import NotReducible
from stripe.inputs.trial import Trial
from stripe.running.command import Command
from stripe.sandbox.reads import Stamps, read_report, unwitnessed, witnessed
from stripe.sandbox.walls import Layer


def basis_of(trial: Trial, ours: Iterable[Path] = ()) -> Basis:
    """Run the test once more, on the whole input, and see what it reads.

    ``ours`` are files that are written with the result.

    Raises:
        NotReducible: ``program-hangs``.
    """
    again = Trial(
        trial.command, trial.original, trial.check, trial.timeout, trial.memory,
        unsafe=trial.unsafe, deadline=trial.deadline,
    )  # fmt: skip
    with again:
        stamps = Stamps(Path.cwd(), None, (again.places.scratch,))
        if again.places.layer is Layer.NONE:
            reads = unwitnessed(stamps, "there is no sandbox")
        else:
            report = again.places.scratch / "0" / "reads"  # where its first slot may write
            again.command = _under_witness(trial.command, report)
            try:
                again.first()
            except NotReducible as error:
                # Whatever else is wrong, the first run without a witness says better.
                if error.slug in ("program-hangs", "out-of-time"):
                    raise
            reads = stamps.reads(read_report(report))
    found = dict(reads.stamps)
    if trial.check is not None:
        found.update((path, stamps.stamp(path)) for path in trial.check.files)
    names = frozenset(key for path in ours if (key := stamps.key(str(path))) is not None)
    return Basis(environment(), found, reads.unseen, stamps.stamp, names)


def _under_witness(command: Command, report: Path) -> Command:
    words = witnessed(command.words, report)
    more = len(words) - len(command.words)
    return replace(
        command, words=tuple(words), holes=frozenset(hole + more for hole in command.holes)
    )
