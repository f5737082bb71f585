"""What all parts of checks have in common: where they look, what they need, how they judge.

A kind of part is a subclass of :class:`Part` in :data:`stripe.checks.kinds.KINDS`; nothing else
knows it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from stripe.backend import Observation, Probe
from stripe.checks.scanner import Scanner
from stripe.dd import Outcome
from stripe.errors import NotReducible

SHOWN, WIDEST = 5, 200
"""Lines of what a part looks at that are told, and characters of each."""

type Judge = Callable[[Observation], Outcome]
"""Compares one run with the recorded run; knows nothing of the rules of a criterion."""

STDOUT, STDERR, FILES, EXIT = "<stdout>", "<stderr>", "<file>", "<exit>"
"""Places that statements write (:attr:`stripe.trace.Statement.writes`)."""

EXCEPTION, SIGNAL, VARIABLE = "<exception>", "<signal>", "<variable>"
"""What the run ended with, and the variable of a probe."""


class Place(NamedTuple):
    """Where a part looks.

    - ``location``: one of the constants above
    - ``lines``: of a stream, the lines that count; ``None``: all of it
    - ``probe``: which variable
    """

    location: str
    lines: re.Pattern[str] | None = None
    probe: Probe | None = None


class Shown(NamedTuple):
    """What a part of a check saw in the recorded run: ``of`` lines, of which some are told."""

    what: str
    lines: tuple[str, ...]
    of: int

    @classmethod
    def by(cls, what: str, seen: object) -> Shown:
        """What was seen, as text: bytes and texts by line, a list item by item."""
        if isinstance(seen, bytes):
            seen = seen.decode("utf-8", "replace")
        lines = seen if isinstance(seen, list) else str(seen).splitlines()
        return cls(what, tuple(str(line)[:WIDEST] for line in lines[:SHOWN]), len(lines))


@dataclass(frozen=True, slots=True)
class Part(ABC):
    """One thing a check looks at: standard output, a file, a command's opinion.

    ``spec``: it as the user wrote it.
    """

    spec: str

    WORDS: ClassVar[dict[str, tuple[str, ...]]]
    """The words that it can begin with, and how it is written then."""

    @classmethod
    def read(cls, word: str, text: Scanner) -> Part:
        """The part that begins with ``word``, which has been read; by default, it is that alone."""
        return cls(word)

    @abstractmethod
    def compared(self, observation: Observation) -> object:
        """What is compared, as plain data; ``None`` if there is nothing, or no telling."""

    def reference(self, recorded: Observation) -> Judge:
        """The judge of later runs: FAIL is what compares equal to the recorded run.

        Raises :class:`~stripe.errors.NotReducible` if that has nothing to compare.
        """
        expected = self.compared(recorded)
        if expected is None:
            raise self.nothing(recorded)
        return lambda observation: (
            Outcome.FAIL if self.compared(observation) == expected else Outcome.PASS
        )

    def nothing(self, recorded: Observation) -> NotReducible:
        """Why the recorded run has nothing to compare, and what to compare instead."""
        raise NotImplementedError

    @property
    def label(self) -> str:
        """What it looks at, for reports; empty where they tell of that anyway, or cannot."""
        return ""

    @property
    def places(self) -> tuple[Place, ...]:
        """Where it looks, as far as statements are known by that."""
        return ()

    @property
    def probes(self) -> tuple[Probe, ...]:
        """The variables that must be observed for this part."""
        return ()

    @property
    def hang(self) -> bool:
        """Whether the run is one that does not end, and has to be cut off."""
        return False

    @property
    def files(self) -> tuple[str, ...]:
        """The files that it reads beside what a run leaves: its answer rests on them."""
        return ()

    @property
    def named(self) -> tuple[str, ...]:
        """All files that it names, those included which a run leaves."""
        return (*self.files, *(probe.file for probe in self.probes))

    @property
    def commands(self) -> tuple[str, ...]:
        """The shell commands that it runs."""
        return ()
