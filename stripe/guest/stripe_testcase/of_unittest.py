"""Runs one test of unittest, and ends with the exception it failed with: what STRIPE traces.

    python -m stripe_testcase.of_unittest TEST

``TEST`` is what ``unittest`` calls it: module, class and method.
"""

from __future__ import annotations

import os
import sys
import unittest


def main() -> None:
    sys.path.insert(0, os.getcwd())  # as python -m unittest has it
    suite = unittest.defaultTestLoader.loadTestsFromName(sys.argv[1])
    sys.audit("stripe_testcase.begins")
    suite.debug()  # which catches nothing


if __name__ == "__main__":
    main()
