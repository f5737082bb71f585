"""What holds for all tests: their order, and how Hypothesis runs."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import signal
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.order import LONG

# What is collected stays: it is not looked through again and again meanwhile.
gc.disable()

# What the tests leave in the user's caches is not for the user.
os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="stripe-test-caches-")
atexit.register(shutil.rmtree, os.environ["XDG_CACHE_HOME"], ignore_errors=True)

# What is started thousands of times is compiled once.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# What programs print is buffered as usual, whatever whoever starts the tests prefers.
os.environ.pop("PYTHONUNBUFFERED", None)

# A program in Rust that panics would read all of its debug information, in each run of a search.
os.environ["RUST_BACKTRACE"] = "0"

# Commands that the tests start run programs with what runs the tests; a pyenv's python3 would go
# through a dozen scripts each time to find the interpreter.
os.environ["VIRTUAL_ENV"] = sys.prefix
os.environ["PATH"] = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"

# Who starts the tests in the background may have signals ignored, which programs then inherit: a
# test that presses Ctrl-C would wait for ever.
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(
            number,
            signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL,
        )

# No deadline: no test asserts a time. Replays start processes, so data generation may be slow.
settings.register_profile(
    "default", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
# The same examples every time, so that a red run can be repeated.
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.fixture(autouse=True, scope="session")
def few_plugins() -> Iterator[None]:
    """A pytest that a test starts loads what it is told to: our own plugins take half a second.

    Not before there are workers, which need theirs.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        yield


@pytest.fixture(autouse=True)
def interrupts() -> Iterator[None]:
    """Whatever a test leaves of Ctrl-C, the next one finds it as it was: some wait for it."""
    before = signal.getsignal(signal.SIGINT)
    yield
    if signal.getsignal(signal.SIGINT) is not before:
        signal.signal(signal.SIGINT, before)


def pytest_collection_finish() -> None:
    # A third of what a process of the suite did was to look through its tests. They are not frozen:
    # what is frozen is not found by who asks for an object's referrers.
    gc.set_threshold(50_000)
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest (``tests/support/order.py``)."""
    tests = Path(__file__).parent
    order = {tests / f"{name}.py": place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: order.get(item.path, len(order)))
