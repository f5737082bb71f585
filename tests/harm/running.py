"""From outside: a jail for a row of programs, and what was found in it."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.harm import jail
from tests.harm.programs import Program
from tests.harm.worker import Plan

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Found:
    """What was done with a program, and the harm by step."""

    program: str
    steps: dict[str, str] = field(default_factory=dict)
    harm: dict[str, list[str]] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def in_full(self) -> bool:
        """Whether the plain or the recorded run did harm."""
        return "record" in self.harm

    @property
    def in_part(self) -> bool:
        """Whether partial executions did harm."""
        return any(step != "record" for step in self.harm)


def run(programs: Sequence[Program], plan: Plan) -> Iterator[Found]:
    """Work through programs in one jail.

    Raises:
        RuntimeError: The jail or the driver failed; the message is what it said.
    """
    for program in programs:
        if program.language == "c":
            program.compiled()  # outside: the cache is read-only inside
    job = {
        "programs": [str(program.path) for program in programs],
        "plan": dataclasses.asdict(plan),
    }
    command = [
        sys.executable,
        jail.__file__,
        sys.executable,
        "-m",
        "tests.harm.driver",
        json.dumps(job),
    ]
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV"))
    }
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            done = 0
            for line in process.stdout:
                done += 1
                yield Found(**json.loads(line))
            said = process.stderr.read()
            if process.wait() or done != len(programs):
                raise RuntimeError(f"the jail ended with {process.returncode}: {said}")
        finally:
            process.kill()
