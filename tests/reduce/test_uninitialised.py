"""What counts must count whatever is in memory that nothing has written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from stripe.backend import End, Observation, Target
from stripe.checks import parse_check
from stripe.dd import Outcome
from stripe.reduce.uninitialised import UNWRITTEN, replayed
from tests.support.fake import FakeRecording, Program


class Varying(FakeRecording):
    """A recording with two ways to replay: in the second one runs are ``otherwise``."""

    unwritten = ""
    variants = 2
    first: dict[str, Any]
    otherwise: dict[str, Any]

    @contextmanager
    def replay(
        self,
        events: Sequence[int],
        *,
        strict: bool = False,
        fresh: bool = False,
        variant: int = 0,
    ) -> Iterator[Observation]:
        with super().replay(events, strict=strict, fresh=fresh) as run:
            yield replace(run, **(self.otherwise if variant else self.first))


def tried(check: str, first: dict[str, Any], otherwise: dict[str, Any]) -> tuple[Outcome, str]:
    """What comes of replays that end as told, of a run that did as the first one does."""
    recording = Varying(Program("prog.py", "a = 1\nprint(a)\n"), Target("prog.py"), ())
    recording.first, recording.otherwise = first, otherwise
    criterion = parse_check(check).reference(replace(recording.recorded, **first))
    outcome, seen = replayed(recording, criterion, [0, 1], strict=False)
    return outcome, seen.detail


@pytest.mark.parametrize(
    ("check", "first", "otherwise"),
    [
        ("stdout", {}, {}),
        ("stdout", {}, {"status": 1}),  # it does not look at that
        ("stdout", {}, {"seconds": 9.0}),
    ],
)
def test_what_may_differ(check: str, first: dict[str, Any], otherwise: dict[str, Any]) -> None:
    assert tried(check, first, otherwise) == (Outcome.FAIL, "")


@pytest.mark.parametrize(
    ("check", "first", "otherwise"),
    [
        ("stdout", {}, {"stdout": b"2\n"}),
        ("stdout", {}, {"stderr": b"2\n"}),
        ("exit", {"status": 3}, {"status": 4}),
        ("stdout", {"end": End.SIGNAL, "status": 11}, {"end": End.SIGNAL, "status": 6}),
    ],
)
def test_what_must_be_the_same(
    check: str, first: dict[str, Any], otherwise: dict[str, Any]
) -> None:
    assert tried(check, first, otherwise) == (Outcome.UNRESOLVED, UNWRITTEN)
