"""A plugin of pytest that has each test draw the same random numbers in every run."""

from __future__ import annotations

import random
import sys

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    random.seed(0)
    numpy = sys.modules.get("numpy.random")
    if numpy is not None:
        numpy.seed(0)
