"""Tests of pytest: collected as ``python -m pytest`` does it, and run by number."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
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

MOST_SAID = 600
"""Characters at the end of what pytest complains of."""


def under_pytest(arguments: list[str], use: Callable[[Tests], None], course: Course) -> None:
    """Collect tests as ``python -m pytest`` does, and ``use`` them.

    Raises :class:`~.faces.Refused`.
    """
    import importlib.util

    try:
        pytest: Any = importlib.import_module("pytest")  # the user's
    except ImportError:
        raise Refused("pytest is not installed for this interpreter") from None
    # What is executed to show what a failed assert compared is none of the test's.
    options = ["-p", "no:cacheprovider", "--capture=sys", "--tb=short", "-q", "--maxfail=0",
               "--assert=plain"]  # fmt: skip
    for plugin, words in (("xdist", ["-n0"]), ("pytest_cov", ["--no-cov"]),
                          ("pytest_randomly", ["-p", "no:randomly"])):  # fmt: skip
        # Where plugins are not loaded by themselves, their options may not be known.
        if not os.environ.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD") and importlib.util.find_spec(
            plugin
        ):
            options += words

    ours = _plugin(pytest, use, course)
    sys.argv = ["pytest", *arguments]
    complaints = io.StringIO()
    with contextlib.redirect_stderr(complaints):
        status = pytest.main([*arguments, *options], plugins=[ours])
    said = ": ".join(line.strip() for line in complaints.getvalue().splitlines() if line.strip())
    said = said and f" ({said[-MOST_SAID:]})"
    if status == pytest.ExitCode.USAGE_ERROR:
        if ours.failed:  # a conftest.py of where tests are
            use(_PytestTests((), None, ours.failed))
        raise Refused(f"pytest does not understand or find {' '.join(arguments)!r}{said}")
    if status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise Refused("pytest collected nothing")
    raise Refused(f"pytest ended before it had collected tests{said}")


def _plugin(pytest: Any, use: Callable[[Tests], None], course: Course) -> Any:
    """What pytest tells of collecting."""
    failed: dict[str, Uncollected] = {}

    class Plugin:
        def __init__(self) -> None:
            self.failed = failed

        @pytest.hookimpl(hookwrapper=True, tryfirst=True)  # type: ignore[untyped-decorator]
        def pytest_load_initial_conftests(self) -> Iterator[None]:
            outcome: Any = yield
            error = outcome.excinfo and outcome.excinfo[1]
            path = getattr(error, "path", None)  # ConftestImportFailure has it
            if path is not None:
                _note(failed, os.path.relpath(path), str(path), _cause(error))

        @pytest.hookimpl(hookwrapper=True, tryfirst=True)  # type: ignore[untyped-decorator]
        def pytest_collection(self, session: Any) -> Iterator[None]:
            course.start()
            given = list(session.config.args)
            _restrict(session, course)
            outcome: Any = yield
            if failed and outcome.excinfo is not None:  # names of tests in what failed
                session.config.args = _others(session, given, failed)
                if session.config.args:
                    session.perform_collect()
                use(_PytestTests(session.items, session.config.pluginmanager, failed))

        def pytest_ignore_collect(self, collection_path: Any, config: Any) -> bool | None:
            paths = (_path(config, each) for each in course.without)
            return True if str(collection_path) in paths else None

        @pytest.hookimpl(hookwrapper=True)  # type: ignore[untyped-decorator]
        def pytest_make_collect_report(self, collector: Any) -> Iterator[None]:
            path = str(getattr(collector, "path", ""))
            try:
                course.enter(collector.nodeid, path)
            except RuntimeError as error:
                collector.collect = _raising(error)
            outcome: Any = yield
            if outcome.excinfo is not None and isinstance(outcome.excinfo[1], SystemExit):
                told = f"SystemExit: {outcome.excinfo[1]}"  # importing it ends the process
                report = pytest.CollectReport(collector.nodeid, "failed", told, [])
                outcome.force_result(report)
            if outcome.excinfo is None and (report := outcome.get_result()).failed:
                _note(failed, collector.nodeid, path, str(report.longrepr))

        @pytest.hookimpl(tryfirst=True)  # type: ignore[untyped-decorator]
        def pytest_runtestloop(self, session: Any) -> bool:
            if session.items or failed:
                use(_PytestTests(session.items, session.config.pluginmanager, failed))
            return True

    return Plugin()


def _note(failed: dict[str, Uncollected], name: str, path: str, detail: str) -> None:
    failed.setdefault(name, Uncollected(name, path, detail[-MOST_TOLD:]))


def _cause(error: Any) -> str:
    """Why a conftest.py cannot be imported."""
    cause = getattr(error, "cause", None) or error.__cause__ or error
    where, trace = "", cause.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        where = f"{code.co_filename}:{trace.tb_lineno}: in {code.co_name}\n"
        trace = trace.tb_next
    return f"{where}{type(cause).__name__}: {cause}"


def _raising(error: Exception) -> Callable[[], Any]:
    def collect() -> Any:
        raise error

    return collect


def _path(config: Any, name: str) -> str:
    """The file of a test, or of what consists of tests."""
    return os.path.normpath(os.path.join(config.rootpath, name.partition("::")[0]))


def _given(config: Any, argument: str) -> str:
    """The file or folder that an argument names."""
    path = argument.partition("::")[0]
    return os.path.normpath(os.path.join(config.invocation_params.dir, path))


def _restrict(session: Any, course: Course) -> None:
    """Collect no more than what is asked for."""
    config = session.config
    if course.without:
        left = _others(session, config.args, course.without)
        config.args = left or config.args
    conftest = any(os.path.basename(each) == "conftest.py" for each in course.only or ())
    if course.only is None or conftest or config.option.pyargs:
        return
    left = []
    for file in dict.fromkeys(_path(config, each) for each in course.only):
        for argument in config.args:
            given = _given(config, argument)
            if given == file:
                left.append(argument)
            elif file.startswith(given + os.sep) and file not in left:
                left.append(file)
    config.args = left or config.args


def _others(session: Any, arguments: Sequence[str], without: Any) -> list[str]:
    """The arguments that do not name what fails."""
    config = session.config
    paths = {_path(config, each) for each in without}
    return [each for each in arguments if _given(config, each) not in paths]


class _PytestTests:
    def __init__(
        self, items: Sequence[Any], manager: Any, failed: Mapping[str, Uncollected]
    ) -> None:
        self._items = items
        self._manager = manager
        self.failed = failed
        self.names = [each.nodeid for each in items]
        self.files = [str(getattr(each, "path", "")) for each in items]

    def found(self, name: str) -> list[int]:
        """See :class:`~.faces.Tests`."""
        if name in ("", ".") or os.path.basename(name) == "conftest.py":
            return list(range(len(self.names)))
        within = f"{name}::", f"{name}/"
        return [n for n, each in enumerate(self.names) if each.startswith(within)]

    def run(self, numbers: Sequence[int], outcomes: Outcomes, reach: Reach | None = None) -> None:
        """See :class:`~.faces.Tests`."""
        reports: list[Any] = []
        denials: list[str] = []
        if reach is not None:
            threshold = Threshold(numbers[0], outcomes, reach)
            self._manager.register(
                _at_function(threshold, self._items[numbers[0]]), "stripe-threshold"
            )
            threshold.in_test_cases()

        class Listener:
            def pytest_runtest_logreport(self, report: Any) -> None:
                reports.append(report)

        def failed(info: Any, *_: Any, **__: Any) -> str:
            outcomes.failed(info.value)
            denials.append(denial(info.value))
            return "failed"

        listener = Listener()
        self._manager.register(listener)
        items = [self._items[number] for number in numbers]
        for number, item, following in zip(numbers, items, [*items[1:], None], strict=True):
            reports.clear()
            denials.clear()
            # To show a failure to nobody takes longer than most tests.
            item.repr_failure = item._repr_failure_py = failed
            outcomes.begin(number)
            began = time.perf_counter()
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            seconds = time.perf_counter() - began
            if not outcomes.end(number, _verdict(reports), seconds, "".join(denials[:1])):
                break
        self._manager.unregister(listener)


def _at_function(threshold: Threshold, item: Any) -> Any:
    """Be there in functions of ``pytest``, if nobody else wants to call them."""
    pytest: Any = sys.modules["pytest"]
    rewriting: Any = sys.modules.get("_pytest.assertion.util")

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
