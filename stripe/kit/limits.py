"""What runs may use, unless the user says otherwise."""

from __future__ import annotations

import os

from stripe.backend import Observation

PLAIN_SECONDS = 30.0
"""Seconds that what is recorded may take."""

PLAIN_OUTPUT = 64 << 20
"""Bytes that it may write into one file."""

CUT_SECONDS = 5.0
"""In which a program is to come to the loop that does not end."""

SHORTEST_TIMEOUT = 5.0
"""Seconds that a replay may take in any case: a busy machine can halt everything for seconds."""

SLOWER = 10
"""Times as long as the recorded run a replay may take."""

_SLACK_OUTPUT = 16 << 20


def replay_seconds(*runs: Observation) -> float:
    """Seconds that a replay may take, by how long runs of everything took."""
    return max(SHORTEST_TIMEOUT, SLOWER * max(run.seconds for run in runs))


def replay_output(plain: Observation) -> int:
    """Bytes that a replay may write into one file."""
    return 2 * max(len(plain.stdout), len(plain.stderr)) + _SLACK_OUTPUT


def default_memory() -> int:
    """Half of the machine's memory, in bytes; 0 (no limit) where it cannot be known."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (ValueError, OSError):
        return 0
