"""Whether the folder of this package holds nothing but its own files.

The payment library's package has the same name.  Installed into one environment, each overwrites
files of the other, and takes them along when it is uninstalled.
"""

from __future__ import annotations

from pathlib import Path

from stripe.errors import UsageError

FOLDER = Path(__file__).parent

OF_PAYMENT = ("_stripe_object.py", "stripe_object.py")
"""Modules of the payment library: at least one of these is in all its versions since 1.0."""

SHARED = ("__init__.py", "version.py")
"""Modules that both packages have, in one version or another."""


def require_own_files(folder: Path = FOLDER) -> None:
    """Raise :class:`~stripe.errors.UsageError` if files of the payment library are, or were, here.

    ``payment-library``: it is installed as well; ``files-missing``: it was, and has gone.
    """
    if has_payment_library(folder):
        raise UsageError(
            "payment-library",
            f"The payment library of the same name is installed in {folder}, too: each has "
            "overwritten files of the other.",
            "Remove STRIPE, repair the library, and install STRIPE into an environment of its "
            "own:\n    pip uninstall stripe-trace\n    pip install --force-reinstall stripe\n"
            "    uv tool install stripe-trace",
        )
    gone = [name for name in SHARED if folder.is_dir() and not (folder / name).exists()]
    if gone:
        raise UsageError(
            "files-missing",
            f"STRIPE is not whole: {' and '.join(gone)} of {folder} went with the payment library "
            "of the same name, which was installed there, too.",
            "Install STRIPE again, into an environment of its own:\n"
            "    pip uninstall stripe-trace\n    uv tool install stripe-trace",
        )


def has_payment_library(folder: Path = FOLDER) -> bool:
    """Whether files of the payment library are among ours."""
    return any((folder / name).exists() for name in OF_PAYMENT)
