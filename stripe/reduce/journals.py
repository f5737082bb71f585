"""The journals of searches in recordings."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from stripe.backend import Recording, Witnessed
from stripe.campaign.journals import SearchJournal, open_journal
from stripe.campaign.provenance import Basis, environment
from stripe.checks import Criterion
from stripe.reduce.fingerprint import facts
from stripe.sandbox.reads import digest


@dataclass(frozen=True, slots=True)
class Journals:
    """A folder with the journal of every search that did not come to its end.

    ``identity`` says what was asked for: program, arguments, input.  With check and modes
    it names the journal; whether its outcomes may be used, its basis says.  ``resume``: use the
    outcomes of the search before.  ``ours``: files in the working directory that are written with
    the result.  ``variables``: those of runs (``None``: our own).
    """

    folder: Path
    identity: bytes
    resume: bool = False
    ours: frozenset[str] = frozenset()
    variables: Mapping[str, str] | None = None

    def open(
        self, recording: Recording, criterion: Criterion, *, strict: bool, same: bool = False
    ) -> contextlib.AbstractContextManager[SearchJournal[int] | None]:
        """The journal of one search; see :func:`open_journal`."""
        asked = repr((self.identity, criterion.check.spec, strict, same))
        subject = digest(asked.encode("utf-8", "backslashreplace"))
        basis = self.basis(recording, criterion)
        return open_journal(self.folder, subject, basis, resume=self.resume)

    def basis(self, recording: Recording, criterion: Criterion) -> Basis:
        """All that the outcomes of a search rest on."""
        found = facts(recording) | environment(self.variables)
        if not isinstance(recording, Witnessed):
            return Basis(found, ours=self.ours)
        reads = dict(recording.reads.stamps)
        reads.update((path, recording.stamp(path)) for path in criterion.check.files)
        found |= recording.facts
        return Basis(found, reads, recording.reads.unseen, recording.stamp, self.ours)
