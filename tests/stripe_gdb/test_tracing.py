"""Logs of recorded runs."""

from __future__ import annotations

from array import array
from pathlib import Path

from stripe_gdb.log_reader import Log


def numbers(*given: int) -> array[int]:
    return array("i", given)


LOG = Log(
    block=numbers(5, 6, 7, 8),
    activation=numbers(0, 1, 0, 2),
    # Of each: function, caller, the event that called it, whether it returned.
    activations=numbers(0, -1, -1, 1, 3, 0, 0, 1, 4, 0, 2, 0),
    landings=numbers(2, 1, 3, 2),
    frames=numbers(8, 16, 24),
)


def test_what_was_written_before_an_event(tmp_path: Path) -> None:
    for event, made, landed in ((4, 3, 2), (3, 3, 1), (2, 2, 0), (1, 2, 0), (0, 1, 0)):
        log = LOG.until(event)
        assert (log.block, log.activation) == (LOG.block[:event], LOG.activation[:event])
        assert (log.activations, log.frames) == (LOG.activations[: 4 * made], LOG.frames[:made])
        assert log.landings == LOG.landings[: 2 * landed]
        log.write(tmp_path / "log")
        assert Log.read(tmp_path / "log") == log
