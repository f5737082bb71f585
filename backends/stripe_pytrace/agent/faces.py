"""What is run to see whether a change repairs it: a program, or tests of pytest or unittest.

Each prepares once, then hands over to ``serve``, which returns in every forked child; there, the
tests that are asked for are run, each told to ``Outcomes`` as it ends.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

LONGEST = 300
_ADDRESS = re.compile("0x[0-9a-fA-F]+")

PASSED, FAILED, OTHER = "passed", "failed", "other"


class Outcomes(Protocol):
    """Hears of tests, in a child."""

    def begin(self, number: int) -> None: ...
    def end(self, number: int, outcome: str, seconds: float, why: str = "") -> bool:
        """Whether to go on; ``why``: what tells its failure from others."""
        ...


type Reach = Callable[[], None]


class Tests(Protocol):
    """Tests that can be run by number; ``names`` and ``files`` are in the order of numbers."""

    names: list[str]
    files: list[str]

    def run(self, numbers: Sequence[int], outcomes: Outcomes, reach: Reach | None = None) -> None:
        """Run tests.

        ``reach`` is called when the function of the first one is about to be; a failure from there
        on is told, and ends the process.
        """
        ...


class Refused(Exception):
    """Tests cannot be collected; the text says why."""


def under_pytest(arguments: list[str], use: Callable[[Tests], None]) -> None:
    """Collect tests as ``python -m pytest`` does, and ``use`` them.

    Raises :class:`Refused`.
    """
    import importlib.util

    try:
        pytest: Any = importlib.import_module("pytest")  # the user's
    except ImportError:
        raise Refused("pytest is not installed for this interpreter") from None
    options = ["-p", "no:cacheprovider", "--capture=sys", "--tb=short", "-q"]
    for plugin, words in (("xdist", ["-n0"]), ("pytest_cov", ["--no-cov"]),
                          ("pytest_randomly", ["-p", "no:randomly"])):  # fmt: skip
        # Where plugins are not loaded by themselves, their options may not be known.
        if not os.environ.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD") and importlib.util.find_spec(
            plugin
        ):
            options += words

    class Plugin:
        refusal = "pytest collected nothing"

        @pytest.hookimpl(tryfirst=True)  # type: ignore[untyped-decorator]
        def pytest_runtestloop(self, session: Any) -> bool:
            if session.testsfailed and not session.config.option.continue_on_collection_errors:
                self.refusal = f"{session.testsfailed} errors while tests were collected"
            elif session.items:
                use(_PytestTests(session))
            return True

    ours = Plugin()
    sys.argv = ["pytest", *arguments]
    if pytest.main([*arguments, *options], plugins=[ours]) == pytest.ExitCode.USAGE_ERROR:
        raise Refused(f"pytest does not understand or find {' '.join(arguments)!r}")
    raise Refused(ours.refusal)


class _PytestTests:
    def __init__(self, session: Any) -> None:
        self._items = session.items
        self._manager = session.config.pluginmanager
        self.names = [each.nodeid for each in self._items]
        self.files = [str(getattr(each, "path", "")) for each in self._items]

    def run(self, numbers: Sequence[int], outcomes: Outcomes, reach: Reach | None = None) -> None:
        """See :class:`Tests`."""
        reports: list[Any] = []
        if reach is not None:
            threshold = _Threshold(numbers[0], outcomes, reach)
            self._manager.register(threshold.plugin(self._items[numbers[0]]), "stripe-threshold")
            threshold.in_test_cases()

        class Listener:
            def pytest_runtest_logreport(self, report: Any) -> None:
                reports.append(report)

        self._manager.register(Listener(), "stripe-suspects")
        items = [self._items[number] for number in numbers]
        for number, item, following in zip(numbers, items, [*items[1:], None], strict=True):
            reports.clear()
            # To show a failure to nobody takes longer than most tests.
            item.repr_failure = item._repr_failure_py = lambda *_, **__: "failed"
            outcomes.begin(number)
            began = time.perf_counter()
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            if not outcomes.end(number, _verdict(reports), time.perf_counter() - began):
                return


class _Threshold:
    """Where a test's function is called: ``reach`` is, before."""

    def __init__(self, number: int, outcomes: Outcomes, reach: Reach) -> None:
        self._number = number
        self._outcomes = outcomes
        self._reach = reach

    def call(self, function: Callable[[], Any]) -> Any:
        """Call it; why it fails is told in short: all of it takes longer than most tests."""
        self._reach()
        began = time.perf_counter()
        try:
            return function()
        except BaseException as error:
            self._outcomes.end(self._number, FAILED, time.perf_counter() - began, why(error))
            os._exit(0)

    def in_test_cases(self) -> None:
        """Be there in methods of ``unittest``, if they are called as usual."""
        unittest: Any = sys.modules.get("unittest.case")
        if unittest is None:
            return
        plain = unittest.TestCase._callTestMethod

        def _callTestMethod(case: Any, method: Any) -> None:  # noqa: N802 - unittest's name
            unittest.TestCase._callTestMethod = plain
            self.call(lambda: plain(case, method))

        unittest.TestCase._callTestMethod = _callTestMethod

    def plugin(self, item: Any) -> Any:
        """Be there in functions of ``pytest``, if nobody else wants to call them."""
        pytest: Any = sys.modules["pytest"]
        rewriting: Any = sys.modules.get("_pytest.assertion.util")
        threshold = self

        class Plugin:
            @pytest.hookimpl(tryfirst=True)  # type: ignore[untyped-decorator]
            def pytest_pyfunc_call(self, pyfuncitem: Any) -> bool | None:
                names = pyfuncitem._fixtureinfo.argnames
                arguments = {name: pyfuncitem.funcargs[name] for name in names}
                function = pyfuncitem.obj
                if pyfuncitem is not item or _waits(function):
                    return None
                if rewriting is not None:  # what differs, in words
                    rewriting._reprcompare = None
                threshold.call(lambda: function(**arguments))
                return True

        return Plugin()


def why(error: BaseException) -> str:
    """What tells a failure from others: its kind, its first words, and where it left the test."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None and _between(trace.tb_frame.f_globals):
        trace = trace.tb_next
    line = 0 if trace is None else trace.tb_lineno
    try:
        words = str(error)[:LONGEST]
    except Exception:
        words = "?"
    return f"{line} {type(error).__name__} {_ADDRESS.sub('0x', words)}"


def _between(names: dict[str, Any]) -> bool:
    """Whether a module is one of those that call tests, by its global variables."""
    return names is globals() or names.get("__name__") == "unittest.case"


def _waits(function: Any) -> bool:
    """Whether a function is a coroutine's, or a generator's: others know how to call it."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code is None or bool(code.co_flags & (0x20 | 0x80 | 0x100 | 0x200))


def _verdict(reports: list[Any]) -> str:
    """A test has passed only if it was called, to its end, and its fixtures ended well."""
    if any(each.failed for each in reports):
        return FAILED
    phases = {each.when for each in reports if each.passed and not hasattr(each, "wasxfail")}
    return PASSED if phases >= {"setup", "call", "teardown"} else OTHER


def under_unittest(arguments: list[str], use: Callable[[Tests], None]) -> None:
    """Collect tests as ``python -m unittest`` does, and ``use`` them.

    Raises :class:`Refused`.
    """
    import unittest

    class Runner:
        def run(self, suite: Any) -> Any:
            tests = _UnittestTests(suite)
            failed = [each for each in tests.names if "_FailedTest" in each]
            if failed:
                raise Refused(f"tests cannot be loaded: {', '.join(failed)}")
            if tests.names:
                use(tests)
            return unittest.TestResult()

    sys.argv = ["python -m unittest", *arguments]
    runner: Any = Runner()
    try:
        unittest.main(module=None, argv=sys.argv, testRunner=runner, exit=False)
    except SystemExit:
        raise Refused("unittest does not understand the arguments") from None
    raise Refused("unittest found no tests")


class _UnittestTests:
    def __init__(self, suite: Any) -> None:
        self._tests = list(_flat(suite))
        self.names = [each.id() for each in self._tests]
        modules = [sys.modules.get(type(each).__module__) for each in self._tests]
        self.files = [str(getattr(each, "__file__", "")) for each in modules]

    def run(self, numbers: Sequence[int], outcomes: Outcomes, reach: Reach | None = None) -> None:
        """See :class:`Tests`."""
        import unittest

        if reach is not None:
            _Threshold(numbers[0], outcomes, reach).in_test_cases()

        by_test = {id(self._tests[number]): number for number in numbers}
        ended: dict[int, str] = {}

        class Result(unittest.TestResult):
            began = 0.0

            def startTest(self, test: Any) -> None:  # noqa: N802 - unittest's name
                super().startTest(test)
                outcomes.begin(by_test[id(test)])
                self.began = time.perf_counter()

            def stopTest(self, test: Any) -> None:  # noqa: N802
                super().stopTest(test)
                number = by_test[id(test)]
                verdict = ended.get(number, OTHER)
                if not outcomes.end(number, verdict, time.perf_counter() - self.began):
                    self.stop()

            def addSuccess(self, test: Any) -> None:  # noqa: N802
                super().addSuccess(test)
                ended.setdefault(by_test[id(test)], PASSED)

            def addFailure(self, test: Any, error: Any) -> None:  # noqa: N802
                super().addFailure(test, error)
                ended[by_test.get(id(test), -1)] = FAILED

            def addError(self, test: Any, error: Any) -> None:  # noqa: N802
                super().addError(test, error)
                ended[by_test.get(id(test), -1)] = FAILED

            def addSubTest(self, test: Any, subtest: Any, error: Any) -> None:  # noqa: N802
                super().addSubTest(test, subtest, error)
                if error is not None:
                    ended[by_test[id(test)]] = FAILED

        unittest.TestSuite([self._tests[number] for number in numbers]).run(Result())


def _flat(suite: Any) -> Any:
    try:
        inner = iter(suite)
    except TypeError:
        yield suite
        return
    for each in inner:
        yield from _flat(each)
