"""Searches among the states of a call: what is kept of each of its arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from stripe.campaign.campaign import Campaign
from stripe.campaign.problem import Key, Problem
from stripe.dd import Configuration, Mode, Outcome, Result, SetOrder, dd, ddmin_strategy, hdd
from stripe.inputs.calls.experiment import Experiment

type Kept = dict[str, tuple[int, ...]]
"""Parameter -> the parts of its value that are kept, in order."""

type Place = tuple[str, int]
"""A parameter, and a part of its value."""


class CallSearches:
    """The state a reduction is in, and searches for another one.

    Args:
        experiment: makes the call.
        campaign: what all searches share.
        narrated: print the rounds of dd.

    Attributes:
        current: what is kept; each search leaves it as it is.
    """

    def __init__(self, experiment: Experiment, campaign: Campaign, *, narrated: bool) -> None:
        self.experiment = experiment
        self.campaign = campaign
        self.current: Kept = experiment.everything()
        self._narrated = narrated
        self._groups: dict[str, tuple[tuple[int, ...], dict[int, tuple[int, ...]]]] = {}

    # --- single tests ---------------------------------------------------------------------------

    def ask(self, state: Kept) -> Outcome:
        """Return the outcome of a call, whatever is left of the budget."""
        return self.campaign.ask(self._key(state), lambda: self.experiment.test(state))

    def attempt(self, state: Kept) -> Outcome | None:
        """Return the outcome of a call; None when no more may be tested."""
        return self.campaign.test(self._problem((), lambda _: state), ())

    def passes(self, state: Kept) -> bool:
        """Whether a state that a search has called passing was tested, and passes."""
        if self.experiment.caching:
            return self.campaign.store.get(self._key(state)) is Outcome.PASS
        return self.ask(state) is Outcome.PASS

    # --- searches -------------------------------------------------------------------------------

    def surface(
        self,
        places: Sequence[Place],
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

        def state(configuration: Configuration[int]) -> Kept:
            return self.current | self.kept(places, whole(configuration), names)

        def shown(configuration: Configuration[int]) -> str:
            kept = state(configuration)
            return ", ".join(repr(self.experiment.value(name, kept[name])) for name in names)

        order = SetOrder(len(deltas))
        result = self.campaign.search(
            self._problem(range(len(deltas)), state),
            partial(
                dd,
                mode=mode,
                split=order,
                check=check,
                certify=self.experiment.caching,
                narrator=_Printer(order, shown) if self._narrated else order,
            ),
        )
        return replace(
            result, configuration=whole(result.configuration), passing=whole(result.passing)
        )

    def depth(self, name: str) -> None:
        """Reduce an argument in depth, until no part at any level can go.

        With what lies deeper gone, an outermost part may be of no use any more, so those take
        part again. Most parts are needed by now: pieces alone are not tried, only what is around
        them.
        """
        parent = self.experiment.trees[name].parent
        kept = self.current[name]
        if all(parent(part) is None for part in kept):
            return
        result = self.campaign.search(
            self._problem(kept, lambda configuration: {**self.current, name: configuration}),
            lambda deltas, tester: hdd(
                deltas, tester, parent, level=partial(ddmin_strategy, subsets=False), check=True
            ),
        )
        self.current[name] = result.configuration

    def apart(
        self, places: Sequence[Place], state: Callable[[Configuration[int]], Kept], mode: Mode
    ) -> tuple[Configuration[int], Configuration[int]]:
        """Run dd on parts of any depth; return the passing and the failing ones."""
        result = self.campaign.search(
            self._problem(range(len(places)), state),
            lambda deltas, tester: dd(deltas, tester, mode=mode, check=False, certify=False),
            counts=False,
        )
        return result.passing, result.configuration

    def _problem(
        self, deltas: Sequence[int], state: Callable[[Configuration[int]], Kept]
    ) -> Problem[int]:
        return Problem(
            deltas,
            lambda configuration: self.experiment.test(state(configuration)),
            noun="parts",
            # Calls with equal arguments have been made for other parts of them, perhaps.
            key=lambda configuration: self._key(state(configuration)),
        )

    def _key(self, state: Kept) -> Key:
        return self.experiment.key(state) if self.experiment.caching else ()

    # --- parts ----------------------------------------------------------------------------------

    def places(self, *names: str) -> list[Place]:
        """Return the outermost parts that are kept of some arguments."""
        return [
            (name, part)
            for name in names
            for part in self.current[name]
            if self.experiment.trees[name].parent(part) is None
        ]

    def kept(
        self, places: Sequence[Place], configuration: Iterable[int], names: Sequence[str]
    ) -> Kept:
        """Return what is kept of `names` with the chosen places and all that lies below them."""
        parts: dict[str, list[tuple[int, ...]]] = {name: [] for name in names}
        for index in configuration:
            name, part = places[index]
            parts[name].append(self._below(name)[part])
        return {name: tuple(chain.from_iterable(below)) for name, below in parts.items()}

    def _below(self, name: str) -> Mapping[int, tuple[int, ...]]:
        """Return for each outermost part itself and all kept parts below it."""
        kept = self.current[name]
        if name not in self._groups or self._groups[name][0] is not kept:
            parent = self.experiment.trees[name].parent
            groups: dict[int, list[int]] = {}
            last: list[int] = []
            for part in kept:  # parents come first, what lies below follows
                if parent(part) is None:
                    last = groups[part] = []
                last.append(part)
            self._groups[name] = kept, {part: tuple(below) for part, below in groups.items()}
        return self._groups[name][1]


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
