"""Packages of others that stripe needs, where a copy of it may be without them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from stripe.errors import UsageError


@contextmanager
def library(lost: str) -> Iterator[None]:
    """A context that imports a package; ``lost`` says what is not possible without it.

    Raises UsageError: ``no-library``.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        raise UsageError(
            "no-library",
            f"{lost}: the package {name}, which does it, is not installed with stripe.",
            "Install stripe again with pip, pipx or uv; in a checkout, get pip or uv, then: "
            "make demo",
        ) from None
