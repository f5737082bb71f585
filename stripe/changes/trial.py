"""The test: does a version fail as the bad one does?"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from stripe.backend import End, Observation
from stripe.changes.output_pattern import OutputPattern, lines_of
from stripe.changes.places import VersionPlace
from stripe.changes.snapshots import Tree
from stripe.checks import Check, Criterion
from stripe.checks.command import UNRESOLVED_STATUS
from stripe.checks.crash import Signature, signature
from stripe.dd import Outcome
from stripe.deadline import Deadline
from stripe.errors import NotReducible
from stripe.kit.refusals import require_own_denial
from stripe.running.command import OUTPUT, not_started
from stripe.running.majority import majority
from stripe.running.pool import Pool
from stripe.sandbox.commands import CannotStart, Limits, limits_explained
from stripe.sandbox.walls import Layer

SECONDS = 600.0
"""How long the first build, and the first test, may take."""

PATIENCE = 10.0
"""Later ones may take so many times what the first took..."""

LEAST_SECONDS = 10.0
"""...but always as long as this."""


HEARD = 1 << 17
"""Bytes that are kept of the beginning, and of the end, of what tests say."""

LATE = "took too long"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a version.

    - ``why``: for UNRESOLVED ones, in words that many share
    - ``said``: what the build, or the test, printed, if it may tell what is missing
    - ``failure``: how the test ended
    """

    outcome: Outcome
    why: str = ""
    said: bytes = b""
    failure: Signature | None = None


WORDLESS = (
    "The test does not say how it fails: it prints nothing that is the same each time. Only how it "
    "ends was compared ({ended}): another failure that ends so counts as that of the bad version. "
    "Let the test say what is wrong, or give a --check."
)
COMPARED = (
    "A version fails as the bad one does if its test ends in the same way ({ended}) and says the "
    "same of it: {lines} of its output are compared. Allowed to differ are numbers of lines "
    "and frames in files of the versions, sources that tracebacks quote, addresses and "
    "durations{gaps}."
)
GAPS = ", and the lines of output that differ between runs of the bad version"
"""Notes."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is done with every version, wherever that is.

    - ``test``: a command for a shell, whose exit status says whether the version fails
    - ``build``: one that comes first; a version that it fails for is UNRESOLVED
    - ``check``: what a version that fails has in common with the bad one
    - ``directory``: where the user has the program
    - ``shown``: folders there that tests read if there are any, and that belong to no version
    - ``timeout``: seconds that a build or a test may take
    - ``repeat``: how many runs a test has at most; the majority counts
    - ``unsafe``: go on where the system has no sandbox
    """

    test: str
    build: str | None = None
    check: Check | None = None
    directory: str = ""
    shown: tuple[str, ...] = ()
    timeout: float | None = None
    repeat: int = 1
    unsafe: bool = False


class Trial:
    """Builds versions and tests them; from several threads at once, if it is asked so."""

    def __init__(self, task: Task, deadline: Deadline | None = None) -> None:
        """``deadline``: the time for all runs together."""
        self.task = task
        self.deadline = deadline or Deadline()
        self.places = Pool(
            self._make,
            "Tests build and run versions that nobody has ever run before",
            unsafe=task.unsafe,
        )
        self.cancel = self.places.running.drop
        self._confirming = False
        limits = Limits(task.timeout or SECONDS, 0, OUTPUT, most=task.timeout or 0.0)
        self._limits = dict.fromkeys(("build", "test"), limits)
        self._failure: Signature | None = None
        self._criterion: Criterion | None = None
        self._output: OutputPattern | None = None

    def __enter__(self) -> Trial:
        self.places.open()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End every process, and remove every place."""
        self.places.close()

    def _make(self, scratch: Path, number: int, layer: Layer) -> VersionPlace:
        task = self.task
        there = [path for path in task.shown if os.path.isdir(os.path.join(task.directory, path))]
        directory = task.directory if os.path.isdir(task.directory) else ""
        return VersionPlace(scratch, number, layer, directory, there, keep=task.build is not None)

    # --- runs

    def verdict(self, tree: Tree, key: object = None) -> Verdict:
        """What comes of a version."""
        with self.places.place() as place:
            return self._verdict(place, tree, key)

    def afresh(self, tree: Tree) -> Verdict:
        """The same in a new place, in which no other version was built and nothing is cached."""
        with self.places.place(new=True) as place:
            return self._verdict(place, tree, None, cached=False)

    def paths_read(self, *trees: Tree) -> frozenset[str] | None:
        """The files that the test of any of these versions looks at; ``None``: nobody can see.

        What a build reads is not looked for: it reads nearly all there is, and takes long.
        """
        if self.task.build is not None or self.places.layer is Layer.NONE:
            return None
        found: frozenset[str] = frozenset()
        for tree in trees:
            with self.places.place() as place:
                with limits_explained():
                    place.put(tree)
                limits = self._limits["test"].within(self.deadline.left)
                read = place.paths_read(["/bin/sh", "-c", self.task.test], limits)
            if read is None:
                return None
            found |= read
        return found

    def reference(self, tree: Tree) -> Signature:
        """Run the bad version, which says what a failure is; it may need several runs for that.

        Raises:
            NotReducible: ``does-not-build``, ``does-not-fail``, ``program-hangs``.
        """
        for _ in range(self.task.repeat - 1):
            with suppress(NotReducible):
                return self._reference(tree)
        return self._reference(tree)

    def _reference(self, tree: Tree) -> Signature:
        with self.places.place() as place:
            observation = self._observe(place, tree, None)
            if isinstance(observation, Verdict):
                raise _no_reference(observation)
            require_own_denial(
                observation, observation.directory, self.places.layer, place.runner.denied()
            )
            if self.task.check is not None:
                self._criterion = self.task.check.reference(observation)
            elif observation.end is End.EXITED and observation.status in (0, UNRESOLVED_STATUS):
                raise NotReducible(
                    "does-not-fail",
                    f"The test does not fail for the bad version: its exit status is "
                    f"{observation.status}.",
                    "Versions go in the order GOOD BAD; the test exits with 0 if all is well, and "
                    "125 if it cannot tell.",
                )
            self._failure = signature(observation)
            if self.task.check is None:
                self._output = OutputPattern(tuple(lines_of(observation)))
                again = self._observe(place, tree, None) if self._output.parts else None
                if isinstance(again, Observation) and signature(again) == self._failure:
                    self._output = self._output.widened(lines_of(again))
            return self._failure

    def confirm(self, tree: Tree) -> Verdict:
        """What comes of the bad version once more: where its output differs, it may from now on."""
        self._confirming = True
        try:
            return self.verdict(tree)
        finally:
            self._confirming = False

    @property
    def notes(self) -> list[str]:
        """What versions are compared in; nothing where a check says it."""
        if self._output is None:
            return []
        count, gaps = self._output.extent
        if not count:
            return [WORDLESS.format(ended=self._failure)]
        lines = f"{count:,} line{'s' * (count > 1)}"
        return [COMPARED.format(ended=self._failure, lines=lines, gaps=GAPS if gaps else "")]

    def _verdict(
        self, place: VersionPlace, tree: Tree, key: object, *, cached: bool = True
    ) -> Verdict:
        def run() -> Verdict:
            found = self._observe(place, tree, key, cached=cached)
            return found if isinstance(found, Verdict) else self._judge(found)

        found = majority(self.task.repeat, run, lambda verdict: verdict.outcome)
        return found or Verdict(Outcome.UNRESOLVED, "no outcome has a majority of runs")

    def _observe(
        self, place: VersionPlace, tree: Tree, key: object, *, cached: bool = True
    ) -> Observation | Verdict:
        """Build and test; a verdict if it does not come to an end."""
        with limits_explained():
            place.put(tree)
        with self.places.running.noted(place.runner, key):
            for what, command in (("build", self.task.build), ("test", self.task.test)):
                if command is None:
                    continue
                words = ["/bin/sh", "-c", command]
                limits = self._limits[what].within(self.deadline.left)
                try:
                    ending, out, err = place.run(words, limits, cached=cached and what == "build")
                except CannotStart as error:
                    raise not_started(words, error) from None
                if ending.status is None:
                    self.deadline.check()
                    return Verdict(Outcome.UNRESOLVED, f"the {what} {LATE}")
                if self._failure is None and self.task.timeout is None:
                    seconds = max(LEAST_SECONDS, PATIENCE * ending.seconds)
                    self._limits[what] = Limits(seconds, 0, OUTPUT)
                if what == "build" and ending.status != 0:
                    return Verdict(Outcome.UNRESOLVED, "the build failed", _kept(out + err))
        status = ending.status or 0
        end = End.SIGNAL if status < 0 else End.EXITED
        return Observation(end, abs(status), out, err, place.inside, seconds=ending.seconds)

    def _judge(self, observation: Observation) -> Verdict:
        """What the exit status says; and that it is the failure of the bad version."""
        found = signature(observation)
        said = _kept(observation.stdout + observation.stderr)
        well = observation.end is End.EXITED and observation.status == 0
        if self._criterion is not None:
            outcome = self._criterion.judge(observation)
            if outcome is Outcome.UNRESOLVED and well and not said:
                outcome = Outcome.PASS
            why = "the check cannot tell" if outcome is Outcome.UNRESOLVED else ""
            return Verdict(outcome, why, said, found)
        if well:
            return Verdict(Outcome.PASS)
        if observation.end is End.EXITED and observation.status == UNRESOLVED_STATUS:
            return Verdict(Outcome.UNRESOLVED, "the test cannot tell (125)", said, found)
        if found != self._failure:
            return Verdict(Outcome.UNRESOLVED, "it fails in another way", said, found)
        if self._output is not None and not self._output.matches(lines := lines_of(observation)):
            if not self._confirming:
                return Verdict(Outcome.UNRESOLVED, "it fails with other output", said, found)
            self._output = self._output.widened(lines)
        return Verdict(Outcome.FAIL, failure=found)


def _no_reference(verdict: Verdict) -> NotReducible:
    """The error for a bad version whose test does not come to its end."""
    if verdict.why.endswith(LATE):
        return NotReducible(
            "program-hangs",
            f"Of the bad version, {verdict.why}.",
            "Allow it more with --timeout. If hanging is the failure, let the test end it: "
            "--test 'timeout 10 COMMAND'",
        )
    said = verdict.said.decode("utf-8", "replace").strip()[-400:]
    return NotReducible(
        "does-not-build",
        f"The bad version does not come to its test: {verdict.why}.\n{said}".strip(),
        "Try the command where the version stands alone: what git ignores is not there, but for "
        "environments, nor what filters (LFS) put in the place of files; nor is there a network.",
    )


def _kept(said: bytes) -> bytes:
    """The beginning and the end of what was said, where it is too long to keep for many tests."""
    if len(said) <= 2 * HEARD:
        return said
    return said[:HEARD] + b"\n...\n" + said[-HEARD:]
