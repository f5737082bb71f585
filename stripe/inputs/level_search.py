"""A content on its way down, level by level: what can be left out of it is left out."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

from stripe import dd
from stripe.campaign.answer import Level
from stripe.campaign.campaign import Algorithm, Campaign
from stripe.campaign.problem import Problem
from stripe.dd import Configuration, Outcome
from stripe.inputs.contents import Contents, ContentTest
from stripe.inputs.result import Improvement
from stripe.units.difference import edits
from stripe.units.kinds import noun
from stripe.units.model import Pass, Units

type Written = Callable[[bytes, bool], None]
"""Told of every improvement: the content, and whether it fails."""


class Shrinking:
    """A failing content that gets smaller; in other modes a passing one that gets closer to it.

    - ``test``: the outcome of a content; ``cancel`` ends the test that runs for a configuration
    - ``mode``: ``min``; ``max``: only the passing one changes; ``diff``: both
    - ``failing``, ``passing``: the best so far
    - ``levels``: what was done; ``improvements``: how the failing one became smaller
    - ``by_tree``: whether the syntax tree of a program was reduced
    """

    def __init__(
        self,
        campaign: Campaign,
        test: ContentTest,
        failing: bytes,
        *,
        mode: str = "min",
        passing: bytes | None = None,
        written: Written = lambda content, fails: None,
        cancel: Callable[[Configuration[int]], None] | None = None,
    ) -> None:
        self.campaign = campaign
        self.failing = failing
        self.passing = passing
        self.mode = mode
        self.levels: list[Level] = []
        self.improvements: list[Improvement] = []
        self.by_tree = False
        self._test = test
        self._cancel = cancel
        self._written = written
        self._least = len(failing), failing
        self._whole = len(failing)
        if mode == "min":
            campaign.bytes = self._whole, self._whole

    def leave_out(
        self,
        kind: str,
        units: Units,
        algorithm: Algorithm[int],
        *,
        counts: bool = True,
        valid: bool = False,
    ) -> None:
        """Find out which units of the failing content can go.

        Args:
            kind: what they are called.
            units: all of them give the failing content.
            algorithm: the search.
            counts: whether the whole is certified only if this level is.
            valid: what is no Python program need not be tested.
        """
        contents = Contents(units, self._test, valid=valid)
        result = self.campaign.search(self._problem(kind, contents), algorithm, counts=counts)
        self._done(kind, units, result.configuration, result)
        self.failing = contents.content(result.configuration)

    def bring_together(self, kind: str, *, certify: bool) -> None:
        """Bring the passing content closer to the failing one, and that to it in mode ``diff``."""
        assert self.passing is not None, "it was tested"
        units = edits(self.passing, self.failing, kind)
        if len(units) < 2:
            # One edit: what lies between is what was asked for.
            if certify:
                self.campaign.certificates.append(len(units) == 1)
            return
        contents = Contents(units, self._test)
        mode: dd.Mode = "+" if self.mode == "max" else "+-"
        result = self.campaign.search(
            self._problem(kind, contents),
            lambda deltas, tester: dd.dd(deltas, tester, mode=mode, check=True, certify=certify),
            counts=certify,
        )
        self._done(kind, units, result.difference, result)
        if self.mode == "diff":
            self.failing = contents.content(result.configuration)
        self.passing = contents.content(result.passing)

    def go_through(self, steps: Generator[Pass, bytes], search: Callable[[Pass], None]) -> None:
        """Let ``search`` leave out units of every pass over the failing content."""
        step: Pass | None = next(steps, None)
        while step is not None and not self.campaign.over:
            self.by_tree |= step.by_tree
            search(step)
            try:
                step = steps.send(self.failing)
            except StopIteration:
                step = None

    def _problem(self, kind: str, contents: Contents) -> Problem[int]:
        def improved(configuration: Configuration[int], outcome: Outcome) -> None:
            self._improved(contents.content(configuration), outcome is Outcome.FAIL)

        return Problem(
            range(len(contents.units)),
            contents,
            noun=noun(kind),
            remote=contents,
            key=contents.key,
            predict=contents.predict,
            cancel=self._cancel,
            improved=improved,
            growing=self.mode == "max",
        )

    def _improved(self, content: bytes, fails: bool) -> None:
        """Pass on what is better than all before."""
        if fails and self.mode == "min":
            size = len(content), content
            if size >= self._least:
                return
            self._least = size
            self.campaign.bytes = len(content), self._whole
            self.improvements.append(Improvement(self.campaign.tests, len(content)))
        if self.mode != ("max" if fails else "min"):
            self._written(content, fails)

    def _done(self, kind: str, units: Units, left: Sequence[int], result: dd.Result[int]) -> None:
        self.levels.append(Level(kind, len(units), len(left), result.statistics.tests))
