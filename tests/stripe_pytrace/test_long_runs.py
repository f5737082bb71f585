"""What is recorded of long runs goes to files on its way; nothing else is another then."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from stripe.backend import Target
from stripe.checks import parse_checks
from stripe.dd import Reason
from stripe.reduce import reduce
from stripe.trace import columns, definitions
from stripe_pytrace import paths
from stripe_pytrace.backend import PythonBackend
from tests.support.recordings import recorded

PROGRAM = """\
def pairs(n):
    for i in range(n):
        yield i, i * i
def checked(n):
    try:
        if n % 3 == 0:
            raise ValueError(n)
    except ValueError:
        if n % 2:
            raise
        return 0
    return n
def double(n):
    return once(n) + once(n)
def once(n):
    n = n + 0
    return n
seen = {}
total = 0
for a, b in pairs(12):
    try:
        seen[a] = checked(b)
    except ValueError as error:
        total += error.args[0]
    else:
        total += double(seen[a])
i = 0
while i < 20:
    i += 1
    if i % 5 == 0:
        continue
    total -= i
answer = 6
answer = double(answer)
print(total)
print("answer", answer)
"""


def found(folder: Path) -> tuple[list[list[int]], bytes, tuple[int, ...], int, bool]:
    """The columns, the tables, the answer, and how many tests that took."""
    with recorded(folder) as recording:
        trace = recording.trace
        each = [trace.statement, trace.activation, trace.caller, trace.scope, trace.control]
        tables = recording._tables.read_bytes()
        (critical,) = reduce(recording, parse_checks(["stdout:/^answer /"])).slices
        mapped = isinstance(trace.caller, memoryview)
        return [list(column) for column in each], tables, critical.events, critical.tests, mapped


def test_a_long_run_is_read_and_searched_as_a_short_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "prog.py").write_text(PROGRAM)
    *short, mapped = found(tmp_path)
    assert not mapped
    for module in (columns, definitions, paths):
        monkeypatch.setattr(module, "LONG", 5)
    monkeypatch.setattr(columns, "PART", 7)
    monkeypatch.setattr(definitions, "PART", 7)
    monkeypatch.setattr(paths, "PORTION", 3)
    monkeypatch.setattr("stripe_pytrace.tables.PART", 7)
    monkeypatch.setattr("stripe_pytrace.activations.LARGE", 70)
    *long, mapped = found(tmp_path)
    assert mapped
    assert long == short


@pytest.mark.parametrize("text", [PROGRAM, PROGRAM + "import gc\n"], ids=["direct", "by events"])
def test_a_log_may_be_longer_than_a_file(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More than 16 million events could not be recorded."""
    monkeypatch.setattr("stripe_pytrace.runner.PLAIN_OUTPUT", 300_000)
    with recorded(tmp_path, "x = 0\nwhile x < 100000:\n    x += 1\n" + text) as recording:
        assert len(recording.trace) > 200_000
        assert recording.direct == (text == PROGRAM)


def test_a_full_disk_ends_a_search_with_what_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "prog.py").write_text(PROGRAM)
    recording = PythonBackend().record(Target("prog.py", directory=tmp_path))
    monkeypatch.setattr(definitions, "LONG", 5)
    with ExitStack() as files:

        def full(**options: object) -> object:
            return files.enter_context(Path("/dev/full").open("wb", buffering=0))

        monkeypatch.setattr("tempfile.TemporaryFile", full)
        try:
            result = reduce(recording, parse_checks(["stdout:/^answer /"]))
        finally:
            recording.close()
    (critical,) = result.slices
    assert any("no room" in note for note in result.notes)
    assert (critical.stopped, critical.certified) == (Reason.DISK, False)
    assert len(critical.events) == len(recording.trace)
