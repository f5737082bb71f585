"""STRIPE for pytest: the critical slice of each failing test.

This package imports nothing of STRIPE, and pytest nothing of this package but
:mod:`stripe_pytest.plugin`: the tests' own process never sees the package ``stripe``, so that
they find the payment library of that name if they use it.
"""

from __future__ import annotations

__version__ = "0.2.0"
