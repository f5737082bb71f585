"""Reduces the arguments of a call, one after the other, by `stripe.dd`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from stripe.campaign.campaign import Campaign
from stripe.dd import AxiomViolated, Budget, Configuration, Mode, Outcome, Result
from stripe.inputs.calls.call import describe
from stripe.inputs.calls.call_errors import (
    FailureNotReproducedError,
    NotFailingError,
    NotPassingError,
)
from stripe.inputs.calls.depth import Depth
from stripe.inputs.calls.experiment import Experiment
from stripe.inputs.calls.searches import CallSearches, Kept, Place

type Arguments = dict[str, Any]


class Reduction:
    """One reduction of a call.

    Args:
        experiment: makes the call.
        order: the parameters to begin with; the others follow in the order of the signature.
        log: 1: say what comes out; 2: what the search does as well.
        max_tests: how many tests may be run; None for no limit.
        max_time: seconds it may take; None for no limit.

    Raises:
        ValueError: when `order` names no parameter of the call.
    """

    def __init__(
        self,
        experiment: Experiment,
        *,
        order: Sequence[str],
        log: int,
        max_tests: int | None,
        max_time: float | None,
    ) -> None:
        unknown = [name for name in order if name not in experiment.trees]
        if unknown:
            raise ValueError(f"{experiment.call.name} has no parameter {unknown[0]!r}")
        self._experiment = experiment
        self._order = tuple(dict.fromkeys((*order, *experiment.trees)))
        self._log = log
        self._campaign = Campaign(
            budget=Budget(max_tests, max_time),
            store=experiment.store,
            cache=experiment.caching,
        )
        self._searches = CallSearches(experiment, self._campaign, narrated=log > 1)
        experiment.tests = 0

    @property
    def certified(self) -> bool:
        """Whether each single part of the result was shown to be needed."""
        return self._campaign.certified

    def minimise(self) -> Arguments:
        """Take turns until no argument gets smaller; return the arguments left."""
        self._reproduce()
        state = self._searches.current
        waiting = [name for name in self._order if state[name]]
        shrunk = False
        while waiting and not self._campaign.over:
            name = waiting.pop(0)
            self._say(f"Processing {name}...")
            before = state[name]
            self._shrink(name)
            if len(state[name]) < len(before):
                shrunk = True
                self._say(f"Minimized {name} to {self._value(name)!r}")
                waiting = [other for other in self._order if other != name and state[other]]
        arguments = self._experiment.arguments(state)
        if shrunk:
            self._confirm(state, Outcome.FAIL)
            self._say(f"Minimized failing call to {self._experiment.call.format(arguments)}")
        return arguments

    def isolate(self, mode: Mode) -> tuple[Arguments, Arguments, Arguments]:
        """Grow a passing call towards the failing one, and in "+-" shrink that as well.

        Returns:
            The arguments of both, and those in which they differ with the difference.
        """
        self._reproduce()
        searches = self._searches
        failing = searches.current
        names, places, result = self._apart(mode)

        def chosen(configuration: Configuration[int]) -> Kept:
            return failing | searches.kept(places, configuration, names)

        depth = Depth(
            self._experiment.trees,
            chosen(result.passing),
            chosen(result.configuration),
            searches.apart,
            searches.attempt,
        )
        self._campaign.certificates.append(depth.go(mode))
        sides = depth.passing, depth.failing
        passing_arguments, failing_arguments = map(self._experiment.arguments, sides)
        difference = {
            name: self._experiment.value(name, kept) for name, kept in depth.difference().items()
        }
        for name in names:
            if sides[0][name]:
                self._say(f"Maximized {name} to {passing_arguments[name]!r}")
            if sides[1][name] != failing[name]:
                self._say(f"Minimized {name} to {failing_arguments[name]!r}")
        self._confirm(sides[0], Outcome.PASS)
        if result.passing or depth.passing != chosen(()):
            shown = self._experiment.call.format(passing_arguments)
            self._say(f"Maximized passing call to {shown}")
        if sides[1] != failing:
            self._confirm(sides[1], Outcome.FAIL)
            shown = self._experiment.call.format(failing_arguments)
            self._say(f"Minimized failing call to {shown}")
        return passing_arguments, failing_arguments, difference

    def narrow(self, name: str, mode: Mode) -> tuple[Any, Any, Any]:
        """Run dd on the outermost parts of one argument; return both values and the difference."""
        searches = self._searches
        places = searches.places(name)
        if "+" in mode:
            empty = {**searches.current, name: ()}
            if searches.ask(empty) is not Outcome.PASS:
                shown = repr(self._experiment.value(name, ()))
                raise NotPassingError(f"Input {shown} expected to pass, but does not")
        try:
            result = searches.surface(places, mode, check=True)
        except AxiomViolated as violated:
            raise NotFailingError(
                f"Input {self._value(name)!r} expected to fail, but does not: "
                f"its outcome is {violated.outcome.name}"
            ) from None

        def value(configuration: Configuration[int]) -> Any:
            return self._experiment.value(name, searches.kept(places, configuration, [name])[name])

        return value(result.passing), value(result.configuration), value(result.difference)

    # --- steps ----------------------------------------------------------------------------------

    def _shrink(self, name: str) -> None:
        """Reduce one argument: its outermost parts as the book does, then all there is in them."""
        searches = self._searches
        places = searches.places(name)
        try:
            result = searches.surface(places, "-", check=True)
            searches.current.update(searches.kept(places, result.configuration, [name]))
            if not self._campaign.over:
                searches.depth(name)
        except AxiomViolated:
            raise self._flaky() from None

    def _apart(self, mode: Mode) -> tuple[list[str], list[Place], Result[int]]:
        """Run dd on the first argument that will do, or on as many as it takes.

        Raises:
            NotPassingError: when nothing passes.
        """
        searches = self._searches
        for names in self._candidates():
            places = searches.places(*names)
            result = searches.surface(places, mode, check=False)
            if not self._passes(places, result, names) and mode == "+-":
                # It began with what is unresolved, as an empty expression is. So first find what
                # passes, then go on from there.
                grown = searches.surface(places, "+", check=False)
                if not self._passes(places, grown, names):
                    continue
                result = searches.surface(places, mode, check=False, base=grown.passing)
            if self._passes(places, result, names):
                return names, places, result
        empty = dict.fromkeys(searches.current, ())
        raise NotPassingError(
            f"{self._experiment.call.format(self._experiment.arguments(empty))} does not pass, "
            "and nothing less empty was found to pass",
            "There is no passing call to begin with. min_args() needs none.",
        )

    def _passes(self, places: Sequence[Place], result: Result[int], names: Sequence[str]) -> bool:
        """Whether the passing side of a result was tested, and passes."""
        searches = self._searches
        return searches.passes(searches.current | searches.kept(places, result.passing, names))

    def _candidates(self) -> Iterator[list[str]]:
        """Sets of arguments that, emptied, make the call pass; then those that may do so."""
        searches = self._searches
        names = [name for name in self._order if searches.current[name]]
        unresolved = []
        for name in names:
            self._say(f"Processing {name}...")
            outcome = searches.ask({**searches.current, name: ()})
            if outcome is Outcome.PASS:
                yield [name]
            elif outcome is Outcome.UNRESOLVED:
                unresolved.append([name])
        for count in range(2, len(names) + 1):
            empty = dict.fromkeys(names[:count], ())
            if searches.ask({**searches.current, **empty}) is Outcome.PASS:
                yield names[:count]
        yield from unresolved

    # --- what is said ---------------------------------------------------------------------------

    def _reproduce(self) -> None:
        """Make the call as it was observed.

        Raises:
            NotFailingError: when it does not fail.
            FailureNotReproducedError: when it fails otherwise.
        """
        call = self._experiment.call
        outcome = self._searches.ask(self._searches.current)
        hint = (
            "It may depend on what was done before, on time or chance, or on what tests may not do "
            "(isolate=False makes calls without any walls around them)"
        )
        if call.shared:
            hint += f"; {', '.join(call.shared)} could not be copied and may be used up"
        hint += ". Look for what differs when it is called twice."
        if outcome is Outcome.PASS:
            raise NotFailingError(f"When called again, {call.format()} did not fail", hint)
        if outcome is Outcome.UNRESOLVED:
            raise FailureNotReproducedError(
                f"When called again, {call.format()} raised {self._experiment.detail} "
                f"instead of {describe(call.exception)}",
                hint,
            )

    def _confirm(self, state: Kept, expected: Outcome) -> None:
        """Make the resulting call once more: what is returned has been tried."""
        experiment = self._experiment
        if experiment.caching:
            outcome = experiment.repeat(state)
        else:
            outcome = self._searches.ask(state)
        if outcome is not expected:
            raise self._flaky()

    def _flaky(self) -> FailureNotReproducedError:
        return FailureNotReproducedError(
            f"The same call of {self._experiment.call.name} ended in two ways",
            "It depends on more than its arguments: on time, chance, or files, perhaps.",
        )

    def _value(self, name: str) -> Any:
        return self._experiment.value(name, self._searches.current[name])

    def _say(self, line: str) -> None:
        if self._log:
            print(line)
