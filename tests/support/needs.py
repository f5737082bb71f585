"""Packages that a test needs and an environment may be without: it is skipped there, and says so.

They are left out where this Python has no wheel for them (tools/environment). Modules of tests that
import one at their top use ``pytest.importorskip(name, reason=LEFT_OUT)``.
"""

from __future__ import annotations

from importlib.util import find_spec

import pytest

LEFT_OUT = "needs a package that this environment was made without"


def needs(*modules: str) -> pytest.MarkDecorator:
    """Skip a test where one of these modules is not installed."""
    gone = [module for module in modules if find_spec(module) is None]
    return pytest.mark.skipif(bool(gone), reason=f"{LEFT_OUT}: {', '.join(gone)}")


needs_dask = needs("distributed")
needs_syntax = needs("tree_sitter")
