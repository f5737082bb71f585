"""What a reduction answers: critical slices of one trace, as data.

Everything here can be written as JSON (:meth:`Result.to_json`) and read again
(:func:`stripe.reduce.reading.from_json`); every report is made from that and nothing else.  Its
model is :mod:`stripe.results.slices`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from stripe.backend import Differences, Observation, Target, UncaughtException, Uses
from stripe.campaign.log import LogEntry
from stripe.checks import Shown
from stripe.dd import Outcome, Reason
from stripe.reduce.levels import LevelAnswer
from stripe.reduce.passes import Pass
from stripe.results.limits import HEAD
from stripe.trace import Trace
from stripe.trace.dead_values import DeadValue
from stripe.trace.levels import LEVELS


class Dependence(NamedTuple):
    """Why ``event`` needs ``on``, another event of the slice, as far as the analysis can tell.

    ``kind``: ``data`` (``names`` are the variables), ``call`` (it is executed because ``on``
    called), ``return`` (it uses what ``on`` returned or changed), ``control``.
    """

    event: int
    on: int
    kind: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """What the recorded run did: how it ended, and the beginning of what it printed.

    ``stdout`` and ``stderr`` are at most :data:`HEAD` bytes, as text; ``digests`` are those of
    everything (SHA-256), in this order.  ``status`` is the exit status, or the signal.
    ``unwritten`` is where it read memory that nothing had written (:class:`stripe.backend.Varied`).
    """

    end: str
    status: int
    stdout: str
    stderr: str
    digests: tuple[str, str]
    exception: UncaughtException | None
    unwritten: str = ""

    @classmethod
    def from_observation(cls, observation: Observation, unwritten: str = "") -> RecordedRun:
        streams = observation.stdout, observation.stderr
        out, err = (stream[:HEAD].decode("utf-8", "replace") for stream in streams)
        first, second = (sha256(stream).hexdigest() for stream in streams)
        return cls(
            observation.end.name, observation.status, out, err, (first, second),
            observation.exception, unwritten,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Freer:
    """A slice in which kept events saw other values than in the recorded run.

    ``events`` are the kept ones, ``tests`` what finding them took.
    """

    events: tuple[int, ...]
    tests: int


@dataclass(frozen=True, slots=True)
class CriticalSlice:
    """The events that reproduce one criterion.

    - ``name``, ``check``: what the criterion is called, and its specification
    - ``events``: the kept events in order; ``of`` is how many the trace has
    - ``outcomes``: tests by outcome; ``resumed``: those of them whose outcome came from a search
      before; ``cached``: questions answered without a test
    - ``certified``: every single event was left out on its own, and each time the criterion
      was lost (1-minimal); if not, ``stopped`` says why, or ``certified_at`` at which level it is
    - ``level``: the level at which the search was last (:data:`stripe.trace.levels.LEVELS`);
      ``levels``: the certified answers of the levels it has passed, coarse to fine
    - ``verified``: the slice alone reproduced the criterion once more in a fresh process;
      ``None`` if that was not tried
    - ``seconds``: duration of search, certification and verification
    - ``log``: the executed tests in order
    - ``evidence``: digest of what the check saw in the recorded run
    - ``dependences``: why kept events need each other
    - ``values``: what variables held at kept events, if the backend can tell; where that differs,
      in the recorded run
    - ``others``: what kept events see otherwise in the slice than in the recorded run, if it is
      known; ``looks`` is how many replays were compared to know that
    - ``governing``: the conditions (and results they asked for) that are not kept, and decided
      that kept events ran
    - ``undecided``: how many tests came to UNRESOLVED for which reason
    - ``shown``: what the check looked at in the recorded run, the beginning of it
    - ``same``: kept events had to see what they saw in the recorded run
    - ``freer``: the slice that was found before, in which they had not to
    - ``passes``: what each pass of the guided search has done
    - ``untried``: why the tests of the search show nothing (what came of its control, a replay of
      which it is known what has to), and the slice is not certified for that reason
    - ``tried``: if it is not certified: the kept events that were left out on their own, and each
      time the criterion was lost. Of the others nobody knows
    - ``symptom``: those of the kept events that the check probably looks at, in order
      (:func:`stripe.reduce.criterion.criterion_events`): where the way back begins
    """

    name: str
    check: str
    events: tuple[int, ...]
    of: int
    outcomes: Mapping[Outcome, int]
    cached: int
    certified: bool
    stopped: Reason
    verified: bool | None
    seconds: float
    log: Sequence[LogEntry] = field(default=(), repr=False)
    evidence: str = field(default="", repr=False)
    dependences: Sequence[Dependence] = field(default=(), repr=False)
    values: Mapping[int, Mapping[str, str]] = field(default_factory=dict, repr=False)
    resumed: int = 0
    shown: Sequence[Shown] = ()
    governing: Sequence[int] = field(default=(), repr=False)
    undecided: Mapping[str, int] = field(default_factory=dict, repr=False)
    others: Differences | None = field(default=None, repr=False)
    looks: int = 0
    level: str = LEVELS[-1]
    levels: Sequence[LevelAnswer] = ()
    untried: str = ""
    same: bool = False
    freer: Freer | None = None
    passes: Sequence[Pass] = field(default=(), repr=False)
    tried: Sequence[int] = field(default=(), repr=False)
    symptom: Sequence[int] = field(default=(), repr=False)

    @property
    def certified_at(self) -> str | None:
        """The level of which no single unit can be left out of ``events``, if that is known."""
        if self.certified:
            return LEVELS[-1]
        last = self.levels[-1] if self.levels else None
        if last is None or not last.certified or last.name != self.level:
            return None
        return last.name

    @property
    def tests(self) -> int:
        """How many tests the search asked for."""
        return sum(self.outcomes.values())

    def statements(self, trace: Trace) -> Mapping[int, int]:
        """How many events of each statement are kept; only statements with any."""
        return Counter(trace.statement[event] for event in self.events)

    @property
    def with_values(self) -> set[int]:
        """The kept events of which it is told what they see."""
        return {*self.values, *(self.others or ())}

    def held(self, event: int) -> dict[str, str]:
        """What variables held at a kept event; first in the run, then here, where that differs."""
        found = dict(self.values.get(event, {}))
        for name, (then, now) in (self.others or {}).get(event, {}).items():
            found[name] = f"{then} in the run, {now} in the slice"
        return found

    def lines(self, trace: Trace) -> set[tuple[int, int]]:
        """The kept lines as (file, line): where a kept statement starts."""
        return lines_of(trace, self.statements(trace))


def lines_of(trace: Trace, statements: Iterable[int]) -> set[tuple[int, int]]:
    """Where ``statements`` start, as (file, line)."""
    return {(trace.statements[number].file, trace.statements[number].line) for number in statements}


@dataclass(frozen=True, slots=True)
class Statistics:
    """How long things took, in seconds, and how much was done; ``total_seconds``: all of it.

    ``uses``: how often fast paths and caches served (:data:`stripe.backend.Uses`).
    """

    plain_seconds: float
    recorded_seconds: float
    total_seconds: float
    replays: int
    uses: Uses = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Result:
    """The answer of :func:`stripe.trace`: a recorded run and its critical slices.

    ``command`` is the program with its arguments; ``notes`` are facts the user must know;
    ``values`` is what was asked for of what kept events see (:data:`.faithful.VALUES`);
    ``target`` is all that is needed to run it again; ``sandbox`` names what kept the runs from
    reaching outside, ``interpreter`` what ran the program (empty: not known, or there is none).
    ``dead_values`` are values of the recorded run that nothing read, those nearest to the symptom
    first; at most :data:`stripe.reduce.unread.MOST`.
    """

    command: tuple[str, ...]
    control: str
    algorithm: str
    trace: Trace = field(repr=False)
    slices: tuple[CriticalSlice, ...]
    notes: tuple[str, ...]
    statistics: Statistics
    recorded: RecordedRun | None = None
    target: Target | None = field(default=None, repr=False)
    sandbox: str = ""
    interpreter: str = ""
    values: str = "auto"
    dead_values: Sequence[DeadValue] = field(default=(), repr=False)

    html: ClassVar[Callable[[Result], str] | None] = None
    """How notebooks show a result; :mod:`stripe.report` knows how and says so here."""

    def _repr_html_(self) -> str | None:
        return None if Result.html is None else Result.html(self)

    @property
    def brief(self) -> str:
        """A line for each slice, not all it holds."""
        lines = [
            f"{each.name}: {len(each.events)} of {each.of} events kept"
            + (", 1-minimal" if each.certified else ", not certified")
            for each in self.slices
        ]
        return "\n".join(lines) or "no slice"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """How IPython shows a result as text."""
        printer.text(self.brief)

    def __getitem__(self, name: str) -> CriticalSlice:
        """The slice of the check called ``name``."""
        for each in self.slices:
            if each.name == name:
                return each
        raise KeyError(name)

    @property
    def sources(self) -> list[Path]:
        """The files that were traced."""
        folder = Path.cwd() if self.target is None else self.target.directory
        return [folder / each.path for each in self.trace.files]

    @property
    def interrupted(self) -> bool:
        """Whether the user ended the search early."""
        return any(each.stopped is Reason.STOPPED for each in self.slices)

    def to_json(self, stored: Mapping[str, str] | None = None) -> dict[str, Any]:
        """The result as plain JSON data, version :data:`.formats.SLICES`.

        The arrays in ``trace`` are indexed by event; event numbers count from 0, the times
        people see from 1.  ``stored`` points to the file that has them, see
        :mod:`stripe.reduce.stored`; the version of others is :data:`.formats.CONTAINED`.
        """
        from stripe.reduce.form import document_of  # lazy

        return document_of(self, stored).to_json()
