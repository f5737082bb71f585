"""Whether two recordings are the same problem, in another process or on another machine."""

from __future__ import annotations

import hashlib

from stripe.backend import Recording
from stripe.checks import Criterion


def fingerprint(
    recording: Recording, criterion: Criterion, *, strict: bool, identity: bytes = b""
) -> str:
    """A text that two searches share if their tests have the same outcomes.

    It covers the source, the trace with its parents, what the recorded run did, the check and
    the control mode.  ``identity`` is what the caller knows besides.
    """
    trace, seen = recording.trace, recording.recorded
    digest = hashlib.blake2b(digest_size=20)
    for numbers in (trace.statement, trace.caller, trace.scope):
        digest.update(hashlib.blake2b(numbers.tobytes()).digest())
    described = (
        identity,
        [(file.path, file.text) for file in trace.files],
        [(each.file, each.line, each.column, each.kind) for each in trace.statements],
        (seen.end.name, seen.status, seen.stdout, seen.stderr, seen.exception),
        [(str(probe), value) for probe, value in seen.values.items()],
        (criterion.check.spec, strict),
    )
    digest.update(repr(described).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()
