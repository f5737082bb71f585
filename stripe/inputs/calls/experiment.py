"""Makes an observed call again with other arguments, and says what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from stripe.dd import Outcome

from .call import Call, describe
from .isolation import Ended, isolated
from .limits import limited
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
        isolate: make each call in a process of its own; else here, with copies of its arguments.
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
        isolate: bool = True,
        log: bool = False,
    ) -> None:
        self.call = call
        self.tests = 0
        self.detail = ""
        self.trees = {name: Tree(value, depth) for name, value in call.arguments.items()}
        self._same = same
        self._limit = limit
        self.caching = caching
        self._isolate = isolate
        self._log = log
        self._outcomes: dict[Hashable, Outcome] = {}
        self._keys: dict[str, tuple[tuple[int, ...], Hashable]] = {}

    def everything(self) -> dict[str, tuple[int, ...]]:
        """Return the state in which nothing is left out."""
        return {name: tree.everything for name, tree in self.trees.items()}

    def value(self, name: str, kept: tuple[int, ...]) -> Any:
        """Return an argument with these parts of it only."""
        tree = self.trees[name]
        # As long as nothing is left out it is the very object, which two arguments may share.
        return self.call.arguments[name] if kept == tree.everything else tree.build(kept)

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
        """Make the call, without counting it."""
        try:
            if self._isolate:
                answer = isolated(lambda: "\n".join(self._attempt(arguments)).encode(), self._limit)
                name, _, self.detail = answer.decode(errors="replace").partition("\n")
            else:
                name, self.detail = self._attempt_here(arguments)
        except Ended as ended:
            self.detail = str(ended)
            return Outcome.UNRESOLVED
        return Outcome[name]

    def _attempt_here(self, arguments: Mapping[str, Any]) -> tuple[str, str]:
        """Make the call with copies of the arguments."""
        copied = self.call.copied(arguments)
        return limited(lambda: self._attempt(copied), self._limit)

    def _attempt(self, arguments: Mapping[str, Any]) -> tuple[str, str]:
        """Make the call right here; return the name of the outcome and what was raised."""
        try:
            self.call(arguments)
        except BaseException as error:
            if not self._isolate and not isinstance(error, Exception | SystemExit):
                raise  # Ctrl-C, or the limit
            observed = self.call.exception
            same = observed is not None and self._same(error, observed)
            return (Outcome.FAIL if same else Outcome.UNRESOLVED).name, describe(error)
        return Outcome.PASS.name, ""

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
