"""Runs one test of unittest, and ends with the exception it failed with: what STRIPE traces.

    python -m stripe_testcase.of_unittest TEST

``TEST`` is what ``unittest`` calls it: module, class and method.
"""

from __future__ import annotations

import os
import sys
import unittest

from .process_end import end


def main() -> None:
    sys.path.insert(0, os.getcwd())  # as python -m unittest has it
    suite = unittest.defaultTestLoader.loadTestsFromName(sys.argv[1])
    sys.audit("stripe_testcase.begins")
    failure = None
    try:
        suite.debug()  # which catches nothing
    except Exception as error:
        failure = error
    end(failure, 0)


if __name__ == "__main__":
    main()
