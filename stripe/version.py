"""Which stripe this is."""

from __future__ import annotations


def installed_version() -> str | None:
    """The version that is installed; ``None`` in a checkout that is not."""
    # Takes longer to import than most commands need for all else.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("stripe-trace")
    except PackageNotFoundError:
        return None
