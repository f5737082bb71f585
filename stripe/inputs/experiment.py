"""Makes an observed call again with other arguments, and says what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from stripe.dd import Outcome

from .call import Call, describe
from .isolation import Ended, isolated
from .values import NotPlain, Tree, key

__all__ = ["Experiment", "State"]

type State = Mapping[str, tuple[int, ...]]
"""Parameter -> the parts of its value that are kept."""

type Same = Callable[[BaseException, BaseException], bool]
"""Whether an exception is the same failure as the observed one."""


class Experiment:
    """Everything that is known about a call from making it again.

    Args:
        call: the observed call. It failed.
        same: compares an exception with the observed one.
        limit: seconds a call may take.
        caching: whether outcomes are remembered.
        depth: how many levels of parts of an argument count; None for all.
        log: print a line for each test.

    Attributes:
        tests: how many tests have been run.
        detail: what the last test raised, or how else it ended; empty if it passed.
        trees: the parts of each argument.
        caching: whether outcomes are remembered.
    """

    def __init__(
        self,
        call: Call,
        *,
        same: Same,
        limit: float,
        caching: bool = True,
        depth: int | None = None,
        log: bool = False,
    ) -> None:
        self.call = call
        self.tests = 0
        self.detail = ""
        self.trees = {name: Tree(value, depth) for name, value in call.arguments.items()}
        self._same = same
        self._limit = limit
        self.caching = caching
        self._log = log
        self._outcomes: dict[Hashable, Outcome] = {}
        self._keys: dict[str, tuple[tuple[int, ...], Hashable]] = {}

    def everything(self) -> dict[str, tuple[int, ...]]:
        """Return the state in which nothing is left out."""
        return {name: tree.everything for name, tree in self.trees.items()}

    def value(self, name: str, kept: tuple[int, ...]) -> Any:
        """Return an argument with these parts of it only."""
        tree = self.trees[name]
        return tree.build(kept) if tree.parents else self.call.arguments[name]

    def arguments(self, state: State) -> dict[str, Any]:
        """Return the arguments of a state.

        Raises:
            Exception: whatever a type of the user's raises when it is built.
        """
        return {name: self.value(name, kept) for name, kept in state.items()}

    def test(self, state: State) -> Outcome:
        """Make the call with the arguments of a state, unless the outcome is known."""
        known = self.known(state)
        if known is not None:
            return known
        try:
            arguments = self.arguments(state)
        except Exception:  # the type of an argument does not allow it: no such call exists
            outcome = Outcome.UNRESOLVED
        else:
            outcome = self.run(arguments)
        if self.caching:
            self._outcomes[self._key(state)] = outcome
        return outcome

    def known(self, state: State) -> Outcome | None:
        """Return the outcome of a state if calls with equal arguments have been made."""
        return self._outcomes.get(self._key(state)) if self.caching else None

    def test_arguments(self, arguments: Mapping[str, Any]) -> Outcome:
        """Make the call with any arguments, those not given being as they were observed."""
        everything = self.call.arguments | dict(arguments)
        try:
            # In the order of the signature, as in the key of a state.
            index = tuple((name, key(everything[name])) for name in self.call.arguments)
        except NotPlain:
            return self.run(everything)
        if not self.caching or index not in self._outcomes:
            self._outcomes[index] = self.run(everything)
        return self._outcomes[index]

    def run(self, arguments: Mapping[str, Any]) -> Outcome:
        """Make the call, count it and log it."""
        outcome = self.repeat(arguments)
        self.tests += 1
        if self._log:
            detail = f" ({self.detail})" if self.detail else ""
            print(f"Test #{self.tests} {self.call.format(arguments)}: {outcome.name}{detail}")
        return outcome

    def repeat(self, arguments: Mapping[str, Any]) -> Outcome:
        """Make the call, in a process of its own."""

        def attempt() -> bytes:
            try:
                self.call(arguments)
            except BaseException as error:
                observed = self.call.exception
                same = observed is not None and self._same(error, observed)
                outcome = Outcome.FAIL if same else Outcome.UNRESOLVED
                return f"{outcome.name}\n{describe(error)}".encode(errors="replace")
            return f"{Outcome.PASS.name}\n".encode()

        try:
            name, _, self.detail = isolated(attempt, self._limit).decode().partition("\n")
        except Ended as ended:
            self.detail = str(ended)
            return Outcome.UNRESOLVED
        return Outcome[name]

    def _key(self, state: State) -> Hashable:
        """Return what is equal for states with equal arguments.

        An argument whose value cannot be compared counts by its parts.
        """
        index = []
        for name, kept in state.items():
            last = self._keys.get(name)
            if last is None or last[0] != kept:
                try:
                    found = key(self.value(name, kept))
                except Exception:
                    found = kept
                last = self._keys[name] = kept, found
            index.append((name, last[1]))
        return tuple(index)
