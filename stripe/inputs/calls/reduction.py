"""Reduces the arguments of a call, one after the other, by `stripe.dd`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

from stripe.dd import (
    AxiomViolated,
    BudgetExhausted,
    Configuration,
    Mode,
    Outcome,
    Reason,
    Result,
    SetOrder,
    Tester,
    dd,
    ddmin_strategy,
    hdd,
)

from .call import describe
from .call_errors import FailureNotReproducedError, NotFailingError, NotPassingError
from .depth import Depth
from .experiment import Experiment

__all__ = ["Reduction"]

type Arguments = dict[str, Any]


class Reduction:
    """One reduction of a call.

    Args:
        experiment: makes the call.
        order: the parameters to begin with; the others follow in the order of the signature.
        log: 1: say what comes out; 2: what the search does as well.
        max_tests: how many tests may be run; None for no limit.
        max_time: seconds it may take; None for no limit.

    Attributes:
        certified: whether each single part of the result was shown to be needed.

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
        self.certified = True
        self._experiment = experiment
        self._order = tuple(dict.fromkeys((*order, *experiment.trees)))
        self._log = log
        self._max_tests = max_tests
        self._until = None if max_time is None else time.monotonic() + max_time
        self._exhausted = False
        self._state = experiment.everything()
        self._groups: dict[str, tuple[tuple[int, ...], dict[int, tuple[int, ...]]]] = {}
        experiment.tests = 0

    def minimise(self) -> Arguments:
        """Take turns until no argument gets smaller; return the arguments left."""
        self._reproduce()
        state = self._state
        waiting = [name for name in self._order if state[name]]
        shrunk = False
        while waiting and not self._exhausted:
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
        failing = self._state
        names, places, result = self._apart(mode)

        def chosen(configuration: Configuration[int]) -> dict[str, tuple[int, ...]]:
            return failing | self._kept(places, configuration, names)

        depth = Depth(
            self._experiment.trees,
            chosen(result.passing),
            chosen(result.configuration),
            self._apart_below,
            self._attempt,
        )
        settled = depth.go(mode)
        self.certified = self.certified and settled
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
        places = [(name, part) for part in self._outermost(name)]
        if "+" in mode:
            empty = {**self._state, name: ()}
            if self._experiment.test(empty) is not Outcome.PASS:
                shown = repr(self._experiment.value(name, ()))
                raise NotPassingError(f"Input {shown} expected to pass, but does not")
        try:
            result = self._dd(places, mode, check=True)
        except AxiomViolated as violated:
            raise NotFailingError(
                f"Input {self._value(name)!r} expected to fail, but does not: "
                f"its outcome is {violated.outcome.name}"
            ) from None

        def value(configuration: Configuration[int]) -> Any:
            return self._experiment.value(name, self._kept(places, configuration, [name])[name])

        return value(result.passing), value(result.configuration), value(result.difference)

    # --- the turn of one argument ---------------------------------------------------------------

    def _shrink(self, name: str) -> None:
        """Reduce one argument: its outermost parts as the book does, then all there is in them."""
        places = [(name, part) for part in self._outermost(name)]
        try:
            result = self._dd(places, "-", check=True)
            self._state.update(self._kept(places, result.configuration, [name]))
            if not self._exhausted:
                self._shrink_below(name)
        except AxiomViolated:
            raise self._flaky() from None

    def _shrink_below(self, name: str) -> None:
        """Reduce an argument in depth, until no part at any level can go.

        With what lies deeper gone, an outermost part may be of no use any more, so those take
        part again. Most parts are needed by now: pieces alone are not tried, only what is around
        them.
        """
        parent = self._experiment.trees[name].parent
        kept = self._state[name]
        if all(parent(part) is None for part in kept):
            return
        result = hdd(
            kept,
            self._tester(lambda configuration: {**self._state, name: configuration}),
            parent,
            level=partial(ddmin_strategy, subsets=False),
            check=True,
        )
        self._conclude(result)
        self._state[name] = result.configuration

    def _apart(self, mode: Mode) -> tuple[list[str], list[tuple[str, int]], Result[int]]:
        """Run dd on the first argument that will do, or on as many as it takes.

        Raises:
            NotPassingError: when nothing passes.
        """
        for names in self._candidates():
            places = [(name, part) for name in names for part in self._outermost(name)]
            result = self._dd(places, mode, check=False)
            if not self._passes(places, result, names) and mode == "+-":
                # It began with what is unresolved, as an empty expression is. So first find what
                # passes, then go on from there.
                grown = self._dd(places, "+", check=False)
                if not self._passes(places, grown, names):
                    continue
                result = self._dd(places, mode, check=False, base=grown.passing)
            if self._passes(places, result, names):
                return names, places, result
        empty = dict.fromkeys(self._state, ())
        raise NotPassingError(
            f"{self._experiment.call.format(self._experiment.arguments(empty))} does not pass, "
            "and nothing less empty was found to pass",
            "There is no passing call to begin with. min_args() needs none.",
        )

    def _passes(
        self, places: Sequence[tuple[str, int]], result: Result[int], names: Sequence[str]
    ) -> bool:
        """Whether the passing side of a result was tested, and passes."""
        side = self._state | self._kept(places, result.passing, names)
        if self._experiment.caching:
            return self._experiment.known(side) is Outcome.PASS
        return self._experiment.test(side) is Outcome.PASS

    def _candidates(self) -> Iterator[list[str]]:
        """Sets of arguments that, emptied, make the call pass; then those that may do so."""
        names = [name for name in self._order if self._state[name]]
        unresolved = []
        for name in names:
            self._say(f"Processing {name}...")
            outcome = self._experiment.test({**self._state, name: ()})
            if outcome is Outcome.PASS:
                yield [name]
            elif outcome is Outcome.UNRESOLVED:
                unresolved.append([name])
        for count in range(2, len(names) + 1):
            empty = dict.fromkeys(names[:count], ())
            if self._experiment.test({**self._state, **empty}) is Outcome.PASS:
                yield names[:count]
        yield from unresolved

    def _apart_below(
        self,
        places: Sequence[tuple[str, int]],
        state: Callable[[Configuration[int]], dict[str, tuple[int, ...]]],
        mode: Mode,
    ) -> tuple[Configuration[int], Configuration[int]]:
        """Run dd on parts of any depth; return the passing and the failing ones."""
        result = dd(range(len(places)), self._tester(state), mode=mode, check=False, certify=False)
        if result.reason is not Reason.FINISHED:
            self._exhausted = True
        return result.passing, result.configuration

    def _attempt(self, state: dict[str, tuple[int, ...]]) -> Outcome | None:
        """Return the outcome of a call; None when no more may be tested."""
        known = self._experiment.known(state)
        if known is None and not self._exhausted:
            try:
                known = self._tester(lambda _: state).test(())
            except BudgetExhausted:
                self._exhausted = True
        return known

    # --- searching ------------------------------------------------------------------------------

    def _dd(
        self,
        places: Sequence[tuple[str, int]],
        mode: Mode,
        *,
        check: bool,
        base: Configuration[int] = (),
    ) -> Result[int]:
        """Run dd on some outermost parts; all that is not among them stays as it is.

        Args:
            places: the parts, by argument.
            mode: of dd.
            check: test all of them and none of them first.
            base: those that stay as well, in both sides of the result.
        """
        names = list(dict.fromkeys(name for name, _ in places))
        deltas = [index for index in range(len(places)) if index not in base]

        def whole(configuration: Configuration[int]) -> Configuration[int]:
            """Return all parts that are kept, for some of the deltas, by their number."""
            return tuple(sorted((*base, *(deltas[number] for number in configuration))))

        def state(configuration: Configuration[int]) -> dict[str, tuple[int, ...]]:
            return self._state | self._kept(places, whole(configuration), names)

        def shown(configuration: Configuration[int]) -> str:
            kept = state(configuration)
            return ", ".join(repr(self._experiment.value(name, kept[name])) for name in names)

        order = SetOrder(len(deltas))
        result = dd(
            range(len(deltas)),
            self._tester(state),
            mode=mode,
            split=order,
            check=check,
            certify=self._experiment.caching,
            narrator=_Printer(order, shown) if self._log > 1 else order,
        )
        self._conclude(result)
        return replace(
            result, configuration=whole(result.configuration), passing=whole(result.passing)
        )

    def _tester(
        self, state: Callable[[Configuration[int]], dict[str, tuple[int, ...]]]
    ) -> Tester[int]:
        experiment = self._experiment
        left = None if self._max_tests is None else max(0, self._max_tests - experiment.tests)
        return Tester(
            lambda configuration: experiment.test(state(configuration)),
            cache=experiment.caching,
            # Calls with equal arguments have been made for other parts of them, perhaps.
            predict=lambda configuration: experiment.known(state(configuration)),
            max_tests=left,
            stop=lambda: self._until is not None and time.monotonic() >= self._until,
        )

    def _conclude(self, result: Result[int]) -> None:
        self.certified = self.certified and result.certified
        if result.reason is not Reason.FINISHED:
            self._exhausted = True

    def _outermost(self, name: str) -> list[int]:
        parent = self._experiment.trees[name].parent
        return [part for part in self._state[name] if parent(part) is None]

    def _kept(
        self, places: Sequence[tuple[str, int]], configuration: Iterable[int], names: Sequence[str]
    ) -> dict[str, tuple[int, ...]]:
        """Return what is kept of `names` with the chosen places and all that lies below them."""
        parts: dict[str, list[tuple[int, ...]]] = {name: [] for name in names}
        for index in configuration:
            name, part = places[index]
            parts[name].append(self._below(name)[part])
        return {name: tuple(chain.from_iterable(below)) for name, below in parts.items()}

    def _below(self, name: str) -> Mapping[int, tuple[int, ...]]:
        """Return for each outermost part itself and all kept parts below it."""
        kept = self._state[name]
        if name not in self._groups or self._groups[name][0] is not kept:
            parent = self._experiment.trees[name].parent
            groups: dict[int, list[int]] = {}
            last: list[int] = []
            for part in kept:  # parents come first, what lies below follows
                if parent(part) is None:
                    last = groups[part] = []
                last.append(part)
            self._groups[name] = kept, {part: tuple(below) for part, below in groups.items()}
        return self._groups[name][1]

    # --- what is said ---------------------------------------------------------------------------

    def _reproduce(self) -> None:
        """Make the call as it was observed.

        Raises:
            NotFailingError: when it does not fail.
            FailureNotReproducedError: when it fails otherwise.
        """
        call = self._experiment.call
        outcome = self._experiment.test(self._state)
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

    def _confirm(self, state: Mapping[str, tuple[int, ...]], expected: Outcome) -> None:
        """Make the resulting call once more: what is returned has been tried."""
        experiment = self._experiment
        if experiment.caching:
            outcome = experiment.repeat(state)
        else:
            outcome = experiment.test(state)
        if outcome is not expected:
            raise self._flaky()

    def _flaky(self) -> FailureNotReproducedError:
        return FailureNotReproducedError(
            f"The same call of {self._experiment.call.name} ended in two ways",
            "It depends on more than its arguments: on time, chance, or files, perhaps.",
        )

    def _value(self, name: str) -> Any:
        return self._experiment.value(name, self._state[name])

    def _say(self, line: str) -> None:
        if self._log:
            print(line)


class _Printer:
    """Prints the rounds of dd, as the Debugging Book does with log=2."""

    def __init__(self, order: SetOrder, shown: Callable[[Configuration[int]], str]) -> None:
        self._order = order
        self._shown = shown

    def round(self, passing: Configuration[int], failing: Configuration[int], n: int) -> None:
        self._order.round(passing, failing, n)
        print("Passing input:", self._shown(passing))
        print("Failing input:", self._shown(failing))
        print("Granularity:  ", n)

    def verdict(self, words: str) -> None:
        self._order.verdict(words)
        print(words)
