"""What outcomes of an earlier run rest on: each fact of the recorded run counts, by its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from stripe.backend import End, Probe, Target, UncaughtException
from stripe.checks import parse_checks
from stripe.reduce.fingerprint import facts, fingerprint
from stripe.sandbox.reads import Reads
from tests.support.fake import FakeRecording, Program, record

TEXT = "a = 1\nprint(a)\n"
ERROR = UncaughtException("ValueError", "x", "prog.py", 1, 0)


def differing(one: FakeRecording, other: FakeRecording) -> set[str]:
    before, after = facts(one), facts(other)
    return {name for name in before | after if before.get(name) != after.get(name)}


def test_the_same_run_has_the_same_facts() -> None:
    assert differing(record(TEXT), record(TEXT)) == set()


def test_the_source() -> None:
    assert differing(record(TEXT), record(TEXT + "# more\n")) == {"the source prog.py"}


def test_the_trace() -> None:
    other = record(TEXT)
    other.trace.scope[1] = 0
    assert differing(record(TEXT), other) == {"the trace"}


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"stdout": b"2\n"}, "what the program printed"),
        ({"stderr": b"2\n"}, "what the program printed"),
        ({"status": 3}, "how the program ended"),
        ({"end": End.SIGNAL}, "how the program ended"),
        ({"exception": ERROR}, "how the program ended"),
        ({"values": {Probe("a", "prog.py", 1): "1"}}, "what variables held"),
    ],
)
def test_what_it_did(change: dict[str, Any], name: str) -> None:
    other = record(TEXT)
    other.recorded = replace(other.recorded, **change)
    assert differing(record(TEXT), other) == {name}


class Reading(FakeRecording):
    """A recording that tells what the run read."""

    reads = Reads()
    facts: Mapping[str, str] = MappingProxyType({})

    def stamp(self, path: str) -> str:
        return self.reads.stamps[path]


@pytest.mark.parametrize(
    ("stamp", "same"), [("content 1", True), ("content 2", False), ("metadata 1", False)]
)
def test_the_content_of_what_it_read(stamp: str, same: bool) -> None:
    """Other stamps, of files elsewhere, differ from machine to machine."""

    def mark(data: str, library: str) -> str:
        recording = Reading(Program("prog.py", TEXT), Target("prog.py"), ())
        recording.reads = Reads({"data": data, "/lib/x": library})
        (check,) = parse_checks(["stdout"])
        return fingerprint(recording, check.reference(recording.recorded), strict=False)

    assert (mark("content 1", "metadata 1") == mark(stamp, "metadata 2")) is same
