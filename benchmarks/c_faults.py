"""Seeded faults in C programs, each one line, with an input that shows it: ``data/faults``.

A fault is shown by the first line of output that differs from the right program's, or by a crash.
"""

from __future__ import annotations

import re
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path

from tests.stripe_gdb.native import build

DATA = Path(__file__).parent / "data" / "faults"


@dataclass(frozen=True, slots=True)
class Fault:
    """``old`` occurs once in the program; ``new`` stands there instead: one line is another.

    ``omission`` and ``aside``: see the data.
    """

    program: str
    kind: str
    old: str
    new: str
    stdin: str
    omission: bool = False
    aside: bool = False

    @property
    def name(self) -> str:
        """The program, and the line of the fault."""
        return f"{self.program}:{self.line}"

    @property
    def right(self) -> str:
        """The text of the program without the fault."""
        return (DATA / "programs" / f"{self.program}.c").read_text("utf-8")

    @property
    def wrong(self) -> str:
        """The text of the program with it."""
        return self.right.replace(self.old, self.new)

    @property
    def line(self) -> int:
        """The line that is wrong."""
        text = self.right
        if text.count(self.old) != 1:
            raise ValueError(f"{self.program}: {self.old!r}")
        pairs = zip(text.split("\n"), self.wrong.split("\n"), strict=True)
        (number,) = (number for number, (right, wrong) in enumerate(pairs, 1) if right != wrong)
        return number

    def build(self, folder: Path) -> Path:
        """Compile the wrong program."""
        return compiled(self.program, self.wrong, folder)

    def check(self, folder: Path) -> str:
        """What its owner would ask: the crash, or the first line of output that is wrong."""
        wrong = self.run(self.build(folder))
        if wrong.returncode < 0:
            return "exception"
        right = self.run(compiled("right", self.right, folder))
        expected, seen = right.stdout.splitlines(), wrong.stdout.splitlines()
        for number, line in enumerate(seen):
            if number >= len(expected) or line != expected[number]:
                return f"stdout:/^{re.escape(line)}$/"
        if seen == expected:
            raise ValueError(f"{self.name} is not shown by its input")
        return "stdout"

    def run(self, program: Path, seconds: float = 30) -> subprocess.CompletedProcess[str]:
        """Run one of the two programs."""
        return subprocess.run(
            [program],
            input=self.stdin,
            capture_output=True,
            text=True,
            timeout=seconds,
            errors="surrogateescape",
        )


def compiled(name: str, text: str, folder: Path) -> Path:
    """Compile a program for STRIPE."""
    return build(text, folder, "-w", name=name)


FAULTS = tuple(
    Fault(**each) for each in tomllib.loads((DATA / "faults.toml").read_text("utf-8"))["fault"]
)
