"""Makes an observed call again with other arguments, and says what comes of it."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from stripe.campaign.outcome_store import OutcomeStore
from stripe.campaign.problem import Key
from stripe.dd import Outcome
from stripe.inputs.calls.call import Call, describe
from stripe.inputs.calls.isolation import Ended, Server
from stripe.inputs.calls.limits import limited
from stripe.inputs.calls.values import NotPlain, Tree, key
from stripe.interrupts import Terminated

type State = Mapping[str, tuple[int, ...]]
"""Parameter -> the parts of its value that are kept."""

NO_CALL: Final = "NO CALL"
"""The answer of a server when the type of an argument does not allow what it is to be."""

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
        unsafe: without walls around that process, if there are none.
        log: print a line for each test.

    Attributes:
        tests: how many tests have been run.
        detail: what the last test raised, or how else it ended; empty if it passed.
        trees: the parts of each argument.
        caching: whether outcomes are remembered.
        store: the outcomes of calls so far.
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
        unsafe: bool = False,
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
        self._unsafe = unsafe
        self._server: Server | None = None
        self._serving = False
        self._log = log
        self.store = OutcomeStore(remember=caching)
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
        """Make the call with the arguments of a state."""
        return self._run(state) if self._isolate else self._run_here(state)

    def _run(self, state: State) -> Outcome:
        name = self._ask(state)
        if name == NO_CALL:
            return Outcome.UNRESOLVED
        arguments = self.arguments(state) if self._log else {}
        return self._count(arguments, Outcome[name])

    def _run_here(self, state: State) -> Outcome:
        try:
            arguments = self.arguments(state)
        except Exception:  # the type of an argument does not allow it: no such call exists
            return Outcome.UNRESOLVED
        return self.run(arguments)

    def test_arguments(self, arguments: Mapping[str, Any]) -> Outcome:
        """Make the call with any arguments, those not given being as they were observed."""
        everything = self.call.completed(arguments)
        try:
            # In the order of the signature, as in the key of a state.
            index = tuple((name, key(everything[name])) for name in self.call.arguments)
        except NotPlain:
            return self.run(everything)
        outcome = self.store.get(index)
        if outcome is None:
            outcome = self.run(everything)
            self.store.learn(index, outcome)
        return outcome

    def run(self, arguments: Mapping[str, Any]) -> Outcome:
        """Make the call, count it and log it."""
        return self._count(arguments, self.attempt(arguments))

    def attempt(self, arguments: Mapping[str, Any]) -> Outcome:
        """Make the call without counting it."""
        try:
            if self._isolate:
                # They are no state: they reach a child by its being forked now.
                server = self._start(lambda _: self._attempted(arguments))
                try:
                    name = self._name(server.ask(b""))
                finally:
                    server.close()
            else:
                name, self.detail = self._attempt_here(arguments)
        except Ended as ended:
            name, self.detail = Outcome.UNRESOLVED.name, str(ended)
        return Outcome[name]

    def repeat(self, state: State) -> Outcome:
        """Make the call with the arguments of a state, known or not, without counting it."""
        if self._isolate:
            return Outcome[self._ask(state)]
        try:
            name, self.detail = self._attempt_here(self.arguments(state))
        except Ended as ended:
            name, self.detail = Outcome.UNRESOLVED.name, str(ended)
        return Outcome[name]

    def _count(self, arguments: Mapping[str, Any], outcome: Outcome) -> Outcome:
        self.tests += 1
        if self._log:
            detail = f" ({self.detail})" if self.detail else ""
            print(f"Test #{self.tests} {self.call.format(arguments)}: {outcome.name}{detail}")
        return outcome

    # --- in a process of its own ----------------------------------------------------------------

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Let one process run all tests of states in the block."""
        self._serving = True
        try:
            yield
        finally:
            self._serving = False
            self._stop()

    def _stop(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            server.close()

    def _start(self, function: Callable[[bytes], bytes]) -> Server:
        what = f"Calling {self.call.name} again with other arguments"
        return Server(function, self._limit, unsafe=self._unsafe, what=what)

    def _ask(self, state: State) -> str:
        """Make the call with the arguments of a state; return the name of the outcome."""
        if self._server is None:
            self._server = self._start(self._attempt_state)
        told = {
            name: None if kept == self.trees[name].everything else kept
            for name, kept in state.items()
        }
        try:
            return self._name(self._server.ask(marshal.dumps(told)))
        except Ended as ended:
            self.detail = str(ended)
            return Outcome.UNRESOLVED.name
        finally:
            if not self._serving:
                self._stop()

    def _name(self, answer: bytes) -> str:
        """Return the name of the outcome that an answer has; it comes from behind the walls."""
        name, _, detail = answer.decode(errors="replace").partition("\n")
        if name not in (NO_CALL, *Outcome.__members__):
            raise Ended("the process that runs the tests gave no sensible answer")
        if name != NO_CALL:
            self.detail = detail
        return name

    def _attempt_state(self, request: bytes) -> bytes:
        """In a process of its own: make the call with the arguments of a state."""
        told = marshal.loads(request)
        try:
            arguments = self.arguments(
                {
                    name: self.trees[name].everything if kept is None else kept
                    for name, kept in told.items()
                }
            )
        except Exception:  # the type of an argument does not allow it: no such call exists
            return NO_CALL.encode()
        return self._attempted(arguments)

    def _attempted(self, arguments: Mapping[str, Any]) -> bytes:
        return "\n".join(self._attempt(arguments)).encode(errors="replace")

    # --- making it ------------------------------------------------------------------------------

    def _attempt_here(self, arguments: Mapping[str, Any]) -> tuple[str, str]:
        """Make the call with copies of the arguments."""
        copied = self.call.copied(arguments)
        return limited(lambda: self._attempt(copied), self._limit)

    def _attempt(self, arguments: Mapping[str, Any]) -> tuple[str, str]:
        """Make the call right here; return the name of the outcome and what was raised."""
        try:
            self.call(arguments)
        except BaseException as error:
            asked = isinstance(error, Terminated) or not isinstance(error, Exception | SystemExit)
            if asked and not self._isolate:
                raise  # Ctrl-C, or the limit
            observed = self.call.exception
            same = observed is not None and self._same(error, observed)
            return (Outcome.FAIL if same else Outcome.UNRESOLVED).name, describe(error)
        return Outcome.PASS.name, ""

    def key(self, state: State) -> Key:
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
