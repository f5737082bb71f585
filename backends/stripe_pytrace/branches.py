"""Replays that begin alike: what is asked of ``agent/replaying/branches.py``, and when."""

from __future__ import annotations

import os
import re
from array import array
from collections.abc import Mapping, Sequence
from typing import Any

from stripe.backend import Observation
from stripe.index_set import comparable, united
from stripe.kit.engines import Facts
from stripe.sandbox.workspace import TMP_NAME
from stripe.trace.decremental_slice import missing
from stripe_pytrace.agent.replaying.modes import BRANCHING, FORKED, goes_with
from stripe_pytrace.incidental import is_incidental
from stripe_pytrace.runner import Runner

FUTILE = 3
"""So many trunks that came to hardly any of their branches, and no more are tried."""

TELLING = re.compile(
    rb"\b(?:gc|weakref|__del__|finalize|settrace|setprofile|cProfile|monitoring|mmap|getp?pid"
    rb"|wait(?:pid|id|3|4)|fork\w*|set_wakeup_fd|perf_counter\w*|rusage|getrusage"
    rb"|os\.wait|(?:import|from) profile)\b|\bfrom os import[^\n]*\bwait\b"
)
"""Names of what tells a process that goes on in a fork from one that began by itself."""

TELLING_FIRST = re.compile(rb"\b(?:gc|getppid|ppid|psutil|monitoring|rusage|getrusage)\b")
"""The same for a fork in which the program's first event is still to come: nothing has been made,
opened or begun by then, but its parent is another one, and what libraries made is not collected."""

TAKING_BACK = re.compile(
    rb"\b(?:_exit|abort|kill\w*|raise_signal|exec[lv]p?e?|buffer|detach|truncate|ftruncate|seek"
    rb"|reconfigure|fileno|fdopen|dup2?|closerange|p?writev?|sendfile|ctypes|faulthandler"
    rb"|from os import)\b|\bos\.(?:open|close)|\bopen\(\s*1\b|/dev/|/proc/"
)
"""Names of what can take back what was printed, or print by another way, in another order."""

NO_WRITE = re.compile(rb"\b(?:sys\.)?(?:stdout|stderr|__stdout__|__stderr__)\.write\b")
"""A way of printing that is none of these."""


class Branches:
    """Whether and how to replay configurations that begin alike.

    ``texts`` are the program's sources; ``needed``: modes that its replays have to have.
    ``from_first_event``: runs can be forked where its first event is to come.
    """

    def __init__(self, runner: Runner, texts: Sequence[bytes], needed: Sequence[str]) -> None:
        self._runner = runner
        self._futile = 0
        forked, branching = goes_with(FORKED, needed), goes_with(BRANCHING, needed)
        self.from_first_event = forked and not any(map(TELLING_FIRST.search, texts))
        self.possible = branching and not any(map(TELLING.search, texts))
        self._looks = branching and not any(
            TAKING_BACK.search(NO_WRITE.sub(b"", text)) for text in texts
        )
        directory = os.fsencode(runner.workspace.directory)
        self._changed = (directory, os.path.dirname(directory), TMP_NAME)

    def looking(self, stdout: bytes | None) -> Mapping[str, Any]:
        """What a request says, so that a replay is ended when it prints something else."""
        if stdout is None or not self._looks:
            return {}
        if any(name in stdout for name in self._changed) or is_incidental(stdout):
            return {}  # what is printed may say something else, and count as the same
        return {"expected": stdout}

    def request(
        self, candidates: Sequence[Sequence[int]]
    ) -> tuple[Mapping[str, Any], Sequence[int]]:
        """What a request says of branches, and the configuration that they begin like."""
        base = united(candidates[:2])  # nearly always that of all
        left_out = _left_out(base, candidates)
        if None in left_out:
            base = united(candidates)
            left_out = _left_out(base, candidates)
        removed = [array("i", each or ()).tobytes() for each in left_out]
        runner, runs = self._runner, len(candidates) + 1
        limit = runner.target.deadline.limit
        each = {"timeout": limit(runner.timeout), "wall": limit(runner.wall)}
        return {
            "timeout": limit(runner.timeout * runs),
            "wall": limit(runner.wall * runs),
            "processor": runner.processor * runs,
            "each": {**each, "processor": runner.processor},
            "branches": removed,
        }, base

    def answers(self, number: int, facts: Facts, asked: int) -> dict[int, Observation]:
        """What came of the branches, as far as it is known."""
        told = facts.get("answers", ())
        self._futile += len(told) * 4 < asked
        if self._futile >= FUTILE:
            self.possible = False
        return {which: self._runner.observe(number, each) for which, each in told}


def _left_out(base: Sequence[int], candidates: Sequence[Sequence[int]]) -> list[list[int] | None]:
    """What each lacks of ``base``; ``None`` for one that is no part of it."""
    whole, *parts = comparable(base, *candidates)
    return [missing(whole, part) for part in parts]
