"""Whether two recordings are the same problem, in another process or on another machine."""

from __future__ import annotations

from hashlib import blake2b

from stripe.backend import Recording, Witnessed
from stripe.checks import Criterion
from stripe.sandbox.reads import digest


def fingerprint(
    recording: Recording, criterion: Criterion, *, strict: bool, same: bool = False
) -> str:
    """A text that two searches share, on whatever machines, if their tests have the same outcomes.

    It covers :func:`facts`, the content of the files in the working directory that the run read,
    the check and the modes.  Files elsewhere have other stamps on other machines.
    """
    contents: list[tuple[str, str]] = []
    if isinstance(recording, Witnessed):
        stamps = recording.reads.stamps.items()
        contents = sorted(each for each in stamps if each[1].startswith("content "))
    described = (facts(recording), contents, criterion.check.spec, strict, same)
    return digest(repr(described).encode("utf-8", "backslashreplace"))


def facts(recording: Recording) -> dict[str, str]:
    """What was recorded, in short texts by what they are about: source, trace, what the run did."""
    trace, seen = recording.trace, recording.recorded
    executions = blake2b(digest_size=16)
    for numbers in (trace.statement, trace.caller, trace.scope):
        executions.update(blake2b(numbers.tobytes()).digest())
    statements = [(each.file, each.line, each.column, each.kind) for each in trace.statements]
    executions.update(repr(statements).encode())
    values = [(str(probe), value) for probe, value in seen.values.items()]
    found = {f"the source {file.path}": _digest(file.text) for file in trace.files}
    return found | {
        "the trace": executions.hexdigest(),
        "what the program printed": _digest((seen.stdout, seen.stderr)),
        "how the program ended": _digest((seen.end.name, seen.status, seen.exception)),
        "what variables held": _digest(values),
    }


def _digest(what: object) -> str:
    return digest(repr(what).encode("utf-8", "backslashreplace"))
