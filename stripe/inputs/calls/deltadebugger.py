"""Reduces the arguments of a failing call: the `DeltaDebugger` of the Debugging Book, and more.

with DeltaDebugger() as dd:
    parse('1 + 2 * 3 / 0')
print(dd)                # parse(text='3/0')
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType, TracebackType
from typing import Any, Final, Literal, Self

from stripe.dd import Mode, Outcome
from stripe.inputs.calls.call import (
    Call,
    copied_value,
    describe,
    same_message,
    same_place,
    same_type,
    same_wording,
)
from stripe.inputs.calls.call_errors import NoCallError, NotFailingError
from stripe.inputs.calls.collector import Collector, Wanted
from stripe.inputs.calls.experiment import Experiment, Same
from stripe.inputs.calls.reduction import Reduction

SAME: Final[Mapping[str, Same]] = MappingProxyType(
    {
        "message": same_message,
        "wording": same_wording,
        "type": same_type,
        "place": same_place,
    }
)


class DeltaDebugger:
    """Observes a failing call and reduces what it is called with.

    The interface is that of the Debugging Book, "Reducing Failure-Inducing Inputs". A call is made
    again with parts of its arguments left out: FAIL if it raises the same exception, PASS if it
    raises none, UNRESOLVED if it ends otherwise. Each such test runs in a forked process without
    output, behind walls of the kernel: the caller's objects, all state of the program, files and
    other processes stay as they are.

    All arguments that have parts are reduced: strings, bytes, lists, tuples, sets, dicts, variadic
    arguments, and other types with a length and elements that can be built from fewer elements;
    and the parts of these in turn. Keys of dicts are kept whole. Sets count in sorted order.

    What is returned consists of the caller's own objects: the very elements that were kept, in a
    new container where some were left out. The call may have changed them: if it ends otherwise
    with them as they are now, what has changed is returned as a copy of what it was.

    Args:
        calls: functions, or their names, any of whose calls are observed too, however deep. Then
            the last failing call of theirs is reduced, even if its exception was caught; else
            the call made in the block that the exception came from.
        log: print a line for each test; 2: what the search does as well.
        same: which exception is the same failure: "message" (type and text, as in the book),
            "wording" (but for numbers and quoted parts of the text, which may tell of arguments),
            "type", "place" (type, and the line that raised it), or a function of both exceptions.
        order: the parameters to begin with. The others follow in the order of the signature.
        depth: how many levels of parts are reduced; None for all, 1 for the outermost only.
        timeout: seconds a call may take. None: ten times what the observed one took, at least 5.
        cache: remember outcomes, of unhashable arguments too. Without, every question is a test.
        isolate: make each call in a forked process. Without, calls are made right here, with copies
            of the arguments: a hundred times faster, but what they print and change stays, in the
            program and outside of it, and one that waits for ever in a function written in C is
            not ended.
        unsafe: make calls in forked processes even if this system has no walls to put around them.
            What they do to files and other processes stays, then.
        max_tests: end with the best result after so many tests; it is then not `certified`.
        max_time: the same, in seconds for each of min_args(), max_args() and min_arg_diff().

    Attributes:
        tests: how many tests the last reduction has run.
        certified: whether the last reduction has shown its result to be 1-minimal (1-maximal):
            no single part more can be left out (put in).
    """

    def __init__(
        self,
        *,
        calls: Wanted | Iterable[Wanted] = (),
        log: bool | int = False,
        same: Literal["message", "wording", "type", "place"] | Same = "message",
        order: Sequence[str] = (),
        depth: int | None = None,
        timeout: float | None = None,
        cache: bool = True,
        isolate: bool = True,
        unsafe: bool = False,
        max_tests: int | None = None,
        max_time: float | None = None,
    ) -> None:
        if not callable(same) and same not in SAME:
            raise ValueError(f"same must be one of {', '.join(SAME)} or a function: {same!r}")
        self.tests = 0
        self.certified = False
        self.log = int(log)
        self._wanted = (calls,) if isinstance(calls, str) or callable(calls) else tuple(calls)
        self._same = same if callable(same) else SAME[same]
        self._order = tuple(order)
        self._depth = depth
        self._timeout = timeout
        self._cache = cache
        self._isolate = isolate
        self._unsafe = unsafe
        self._max_tests = max_tests
        self._max_time = max_time
        self._collector: Collector | None = None
        self._failed: list[Call] = []
        self._call: Call | None = None
        self._experiment: Experiment | None = None

    # --- observing ------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        self._failed, self._call, self._experiment = [], None, None
        block = sys._getframe(1)
        while block.f_globals.get("__name__") == "contextlib" and block.f_back is not None:
            block = block.f_back  # an ExitStack entered us
        self._collector = Collector(block, self._wanted)
        self._collector.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        collector, self._collector = self._collector, None
        if collector is None:
            return False
        collector.stop()
        if isinstance(exception, KeyboardInterrupt | GeneratorExit):
            return False
        self._failed = collector.failed
        # What left the block counts, or what was asked for, whether it was caught or not.
        left = [call for call in collector.failed if call.exception is exception]
        asked_for = [call for call in left or collector.failed if call.asked_for]
        if exception is not None and not left:
            exception.add_note(
                "DeltaDebugger: no call of a Python function in the block raised this. Functions "
                "written in C cannot be observed: wrap them into one."
            )
            return False
        found = asked_for or left
        if not found:
            if collector.last is None:
                raise NoCallError(
                    "No call collected",
                    "Call a Python function in the block: with DeltaDebugger() as dd: f(x). "
                    "Generators and coroutines run only when they are iterated over, or awaited.",
                )
            raise NotFailingError(
                f"{collector.last.format()} did not raise an exception",
                "Only a failing call can be reduced. If an assertion about its result fails, "
                "put the call and the assertion into a function.",
            )
        self.select(found[-1])
        return True

    def calls(self) -> tuple[Call, ...]:
        """Return the failed calls that were observed, in the order in which they ended."""
        return tuple(self._failed)

    def select(self, call: Call | str | int) -> None:
        """Go on with another of `calls()`, given by itself, its name or its position.

        Raises:
            NoCallError: when there is none of that name or position.
        """
        if isinstance(call, Call):
            chosen = call
        else:
            named = [one for one in self._failed if call in (one.name, one.name.split(".")[-1])]
            try:
                chosen = named[-1] if isinstance(call, str) else self._failed[call]
            except IndexError:
                names = ", ".join(dict.fromkeys(one.name for one in self._failed)) or "none"
                raise NoCallError(
                    f"No failed call {call!r} was observed",
                    f"Failed calls: {names}. Ask for deeper ones with DeltaDebugger(calls=...).",
                ) from None
        self._call = chosen
        self._experiment = self._experiment_with(chosen)
        if self.log:
            print(f"Observed {chosen.format()} raising {describe(chosen.exception)}")

    # --- what was observed ----------------------------------------------------------------------

    def function(self) -> Callable[..., Any]:
        """Return the function that was called; the class if an object was being made."""
        return self._observed().function

    def args(self) -> dict[str, Any]:
        """Return the arguments by parameter, as they were when the call began.

        They consist of the caller's own objects. What the call has changed since is a copy.
        """
        call = self._observed()
        return call.origins().own(call.arguments, changed=False)

    def exception(self) -> BaseException | None:
        """Return the exception the call raised."""
        return self._observed().exception

    def call(self, new_args: Mapping[str, Any] | None = None) -> Any:
        """Make the call here and now, with `new_args` in place of the arguments of these names.

        It gets copies, whatever it does to them.
        """
        call = self._observed()
        return call(call.copied(new_args))

    def test(self, args: Mapping[str, Any]) -> Outcome:
        """Test the call with `args` in place of the arguments of these names."""
        self._observed()
        experiment = self._experiment
        assert experiment is not None
        outcome = experiment.test_arguments(args)
        self.tests = experiment.tests
        return outcome

    def format_call(self, args: Mapping[str, Any] | None = None) -> str:
        """Return the call as Python writes it."""
        return self._observed().format(args)

    def format_exception(self, exc: BaseException | None = None) -> str:
        """Return type and text of an exception, by default of the observed one."""
        return describe(self.exception() if exc is None else exc)

    def __repr__(self) -> str:
        """Return the reduced call. The first time, this runs the tests it takes."""
        if self._call is None:
            return object.__repr__(self)
        with self._reduction() as reduction:  # as they were when the call began
            return self.format_call(reduction.minimise())

    # --- reducing -------------------------------------------------------------------------------

    def min_args(self) -> dict[str, Any]:
        """Return arguments of a failing call that no single part can be left out of.

        Arguments are reduced in turns, in the order of `order` and then of the signature, until
        none gets smaller: first its outermost parts by dd in mode "-" (TSE 2002, section 5; in
        the sequence of the Debugging Book), then what they contain by hierarchical delta
        debugging (ICSE 2006).

        Raises:
            NotFailingError, FailureNotReproducedError: when the call, made again as it was, does
                not fail, or fails otherwise.
            UsageError: "no-sandbox", when there are no walls (see `unsafe`).
        """
        with self._reduction() as reduction:
            return self._own((reduction.minimise(), Outcome.FAIL))[0]

    def max_args(self) -> dict[str, Any]:
        """Return arguments of a passing call that no single part can be put into.

        It is the passing side of `min_arg_diff`, grown until it comes next to the observed call.
        """
        with self._reduction() as reduction:
            return self._own((reduction.isolate("+")[0], Outcome.PASS))[0]

    def min_arg_diff(self) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        """Return arguments of a passing and of a failing call, and their minimal difference.

        The passing side begins with the first argument that, emptied alone, makes the call pass;
        if there is none, with as many of them as it takes, in order. The others stay as they
        were. The difference has the arguments in which both calls differ, and within them the
        parts that make the difference with what is around them; no single part of it can be
        moved to the other side. First outermost parts are moved, then what they contain.

        Raises:
            NotPassingError: when the call does not even pass with all arguments empty.
            NotFailingError, FailureNotReproducedError: as for `min_args`.
        """
        with self._reduction() as reduction:
            passing, failing, difference = reduction.isolate("+-")
            passing, failing, difference = self._own(
                (passing, Outcome.PASS), (failing, Outcome.FAIL), (difference, None)
            )
            return passing, failing, difference

    def dd(
        self, name: str, fail_args: Mapping[str, Any] | None = None, *, mode: Mode = "-"
    ) -> tuple[Any, Any, Any]:
        """Run dd alone, on the outermost parts of one argument.

        Args:
            name: the parameter.
            fail_args: arguments of a failing call, in place of the observed ones of these names.
            mode: "-" shrinks the failing value, "+" grows the passing one, "+-" does both.

        Returns:
            The passing value, the failing value and their difference.

        Raises:
            NotPassingError: in modes with "+", when the call does not pass with it empty.
            NotFailingError: when it does not fail with `fail_args`.
        """
        call = self._observed()
        if fail_args is not None:
            call = replace(call, arguments=call.completed(fail_args))
            self._experiment = self._experiment_with(call)
        with self._reduction() as reduction:
            passing, failing, difference = reduction.narrow(name, mode)
            expected = (Outcome.PASS if "+" in mode else None, Outcome.FAIL, None)
            values = zip((passing, failing, difference), expected, strict=True)
            own = self._own(*(({name: value}, outcome) for value, outcome in values))
            return own[0][name], own[1][name], own[2][name]

    def _own(self, *answers: tuple[dict[str, Any], Outcome | None]) -> list[dict[str, Any]]:
        """Return answers that were found with copies, made of the caller's own objects.

        The call may have changed those. They are taken if it ends with them as it is expected
        to; else what has changed is a copy of what it was; and all is, if even that does not do.
        """
        call, experiment = self._observed(), self._experiment
        assert experiment is not None
        origins = call.origins()
        if not origins:
            return [arguments for arguments, _ in answers]
        for changed in (True, False):
            own = [origins.own(arguments, changed=changed) for arguments, _ in answers]
            if all(
                expected is None or experiment.attempt(call.completed(arguments)) is expected
                for arguments, (_, expected) in zip(own, answers, strict=True)
            ):
                return own
        memo: dict[int, Any] = {}
        return [
            {name: copied_value(value, memo) for name, value in arguments.items()}
            for arguments, _ in answers
        ]

    @contextmanager
    def _reduction(self) -> Iterator[Reduction]:
        self._observed()
        experiment = self._experiment
        assert experiment is not None
        self.certified = False
        reduction = Reduction(
            experiment,
            order=self._order,
            log=self.log,
            max_tests=self._max_tests,
            max_time=self._max_time,
        )
        try:
            with experiment.serving():
                yield reduction
            self.certified = reduction.certified
        finally:
            self.tests = experiment.tests

    def _experiment_with(self, call: Call) -> Experiment:
        limit = max(5.0, 10 * call.elapsed) if self._timeout is None else self._timeout
        return Experiment(
            call,
            same=self._same,
            limit=limit,
            caching=self._cache,
            depth=self._depth,
            isolate=self._isolate,
            unsafe=self._unsafe,
            log=self.log > 0,
        )

    def _observed(self) -> Call:
        if self._call is None:
            raise NoCallError("No call collected", "Use `with DeltaDebugger() as dd: f(x)` first.")
        return self._call
