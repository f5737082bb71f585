"""The command, also as ``python -m stripe``.

Nothing that the payment library could have overwritten is imported before
:func:`stripe.installation.require_own_files` has looked.
"""

from __future__ import annotations

import sys

from stripe.errors import UsageError
from stripe.installation import require_own_files


def main() -> int:
    """Run the command, if all its files are there; the exit status."""
    try:
        require_own_files()
    except UsageError as error:
        from stripe.cli.output import say  # lazy

        say(f"stripe: {error.message} [{error.slug}]", error.hint)
        return error.exit_status
    from stripe.cli.main import main as run  # lazy

    return run()


if __name__ == "__main__":
    sys.exit(main())
