"""Tries texts of a subject's file in the suite's jail: which tests fail, and what they execute."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.suspects.faults import Fault
from benchmarks.suspects.subjects import Subject
from tests.harm import jail

LIMIT = 20.0
"""Seconds that the tests of a subject may take with one fault."""

type Place = tuple[str, int]


@dataclass(frozen=True)
class Observed:
    """What tests did: which failed, and the lines that each executed, by file.

    What is executed to import the program counts for all of them.
    """

    failed: dict[str, bool]
    lines: dict[str, frozenset[Place]]

    @property
    def fails(self) -> bool:
        return any(self.failed.values())

    @property
    def passes(self) -> bool:
        """Whether some tests do."""
        return not all(self.failed.values())


def observe(
    of: Subject, file: str, texts: Sequence[str], *, cover: bool = False, limit: float = LIMIT
) -> Iterator[Observed | None]:
    """With each text in the place of a file what its tests do; None if they take too long."""
    work = {
        "places": {name: str(path) for name, path in of.places().items()},
        "tests": of.tests[file],
        "texts": [(file, text) for text in texts],
        "cover": cover,
        "limit": limit,
    }
    inside = Path(__file__).with_name("inside.py")
    command = [sys.executable, jail.__file__, sys.executable, str(inside)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(json.dumps(work))
        running.stdin.close()
        for line in running.stdout:
            found = json.loads(line)
            yield found and Observed(found["failed"], dict(_places(found)))
    if running.returncode:
        raise OSError(f"the jail ended with status {running.returncode}")


def _places(found: Mapping[str, Any]) -> Iterator[tuple[str, frozenset[Place]]]:
    for test, files in found["lines"].items():
        yield (
            test,
            frozenset(
                (file, line)
                for each in (found["imported"], files)
                for file, own in each.items()
                for line in own
            ),
        )


def complaints(faults: Iterable[Fault], *, some_pass: bool = True) -> Iterator[str]:
    """What is not as promised: tests pass without a fault, and one fails with it, in time.

    ``some_pass``: and one passes with it.
    """
    groups: dict[tuple[str, str], list[Fault]] = {}
    for fault in faults:
        groups.setdefault((fault.subject, fault.file), []).append(fault)
    for (_, file), mine in sorted(groups.items()):
        of = mine[0].of
        right = of.text(file)
        without, *withs = observe(of, file, [right, *(fault.seeded(right) for fault in mine)])
        if without is None or without.fails or not without.failed:
            yield f"{of.name}: the tests of {file} do not pass without a fault"
        for fault, seen in zip(mine, withs, strict=True):
            if seen is None:
                yield f"{fault.name}: takes too long"
            elif not seen.fails:
                yield f"{fault.name}: no test fails"
            elif some_pass and not seen.passes:
                yield f"{fault.name}: no test passes"
