"""Tests of unittest: loaded as ``python -m unittest`` does it, and run by number."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..values.subjects import (
    MOST_TOLD,
    Course,
    Outcomes,
    Reach,
    Refused,
    Tests,
    Threshold,
    Uncollected,
    denial,
)
from ..values.verdicts import FAILED, OTHER, PASSED

PREFIX = "unittest.loader._FailedTest."
"""How the names of what cannot be loaded begin."""


def under_unittest(arguments: list[str], use: Callable[[Tests], None], course: Course) -> None:
    """Collect tests as ``python -m unittest`` does, and ``use`` them.

    Raises :class:`~.faces.Refused`.
    """
    import unittest

    loader = _loader(unittest, course)

    class Runner:
        def run(self, suite: Any) -> Any:
            tests = _UnittestTests(suite, loader.parts)
            if tests.names or tests.failed:
                use(tests)
            return unittest.TestResult()

    sys.argv = ["python -m unittest", *arguments]
    runner: Any = Runner()
    course.start()
    try:
        unittest.main(module=None, argv=sys.argv, testRunner=runner, testLoader=loader, exit=False)
    except SystemExit:
        raise Refused("unittest does not understand the arguments") from None
    raise Refused("unittest found no tests")


def _loader(unittest: Any, course: Course) -> Any:
    """A loader that tells what it loads; ``parts``: the tests of each module or argument."""

    class Loader(unittest.TestLoader):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.parts: dict[str, Any] = {}

        def _get_module_from_name(self, name: str) -> Any:
            """In discovery, a module is imported."""
            if not course.wanted(PREFIX + name):
                raise unittest.SkipTest("not asked for")
            course.enter(PREFIX + name, _file(name))
            return super()._get_module_from_name(name)

        def loadTestsFromModule(self, module: Any, *, pattern: Any = None) -> Any:  # noqa: N802 - unittest's name
            found = super().loadTestsFromModule(module, pattern=pattern)
            self.parts[PREFIX + module.__name__] = found
            return found

        def loadTestsFromName(self, name: str, module: Any = None) -> Any:  # noqa: N802
            if not course.wanted(PREFIX + name):
                return self.suiteClass([])
            try:
                course.enter(PREFIX + name, _file(name))
                found = super().loadTestsFromName(name, module)
            except (Exception, SystemExit) as error:  # python -m unittest would end with it
                found = self.suiteClass((_failure(unittest, name, error),))
            self.parts[PREFIX + name] = found
            for each in _flat(found):  # it says less than what was asked for
                if type(each).__name__ == "_FailedTest":
                    each._testMethodName = name
            return found

    return Loader()


def _failure(unittest: Any, name: str, error: BaseException) -> Any:
    """The test that stands for what cannot be loaded."""
    import traceback

    told = "".join(traceback.format_exception(error))
    return unittest.loader._FailedTest(name, ImportError(told))


def _file(name: str) -> str:
    """The file of a module that may fail, or of something in it."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        path = os.path.join(*parts[:count])
        for place in sys.path:
            for end in (".py", f"{os.sep}__init__.py"):
                full = os.path.join(place or os.getcwd(), path + end)
                if os.path.isfile(full):
                    return os.path.normpath(full)
    return ""


class _UnittestTests:
    def __init__(self, suite: Any, parts: Mapping[str, Any]) -> None:
        loaded = list(_flat(suite))
        self._parts = parts
        self._tests = []
        failed: dict[str, Uncollected] = {}
        for each in loaded:
            if type(each).__name__ != "_FailedTest":
                self._tests.append(each)
                continue
            name, error = each.id(), each._exception
            if isinstance(error, AttributeError):
                raise Refused(f"tests cannot be loaded: {error}")
            path = _file(name.removeprefix(PREFIX))
            failed[name] = Uncollected(name, path, str(error)[-MOST_TOLD:])
        self.failed: Mapping[str, Uncollected] = failed
        self.names = [each.id() for each in self._tests]
        modules = [sys.modules.get(type(each).__module__) for each in self._tests]
        self.files = [str(getattr(each, "__file__", "")) for each in modules]

    def found(self, name: str) -> list[int]:
        """See :class:`~.faces.Tests`."""
        own = {id(each) for each in _flat(self._parts.get(name, ()))}
        return [n for n, each in enumerate(self._tests) if id(each) in own]

    def run(self, numbers: Sequence[int], outcomes: Outcomes, reach: Reach | None = None) -> None:
        """See :class:`~.faces.Tests`."""
        import unittest

        if reach is not None:
            Threshold(numbers[0], outcomes, reach).in_test_cases()

        by_test = {id(self._tests[number]): number for number in numbers}
        ended: dict[int, str] = {}
        denials: dict[int, str] = {}

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
                seconds = time.perf_counter() - self.began
                if not outcomes.end(number, verdict, seconds, denials.get(number, "")):
                    self.stop()

            def addSuccess(self, test: Any) -> None:  # noqa: N802
                super().addSuccess(test)
                ended.setdefault(by_test[id(test)], PASSED)

            def addFailure(self, test: Any, error: Any) -> None:  # noqa: N802
                super().addFailure(test, error)
                outcomes.failed(error[1])
                ended[by_test.get(id(test), -1)] = FAILED

            def addError(self, test: Any, error: Any) -> None:  # noqa: N802
                super().addError(test, error)
                outcomes.failed(error[1])
                number = by_test.get(id(test), -1)
                ended[number] = FAILED
                denials.setdefault(number, denial(error[1]))

            def addSubTest(self, test: Any, subtest: Any, error: Any) -> None:  # noqa: N802
                super().addSubTest(test, subtest, error)
                if error is not None:
                    outcomes.failed(error[1])
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
