"""``python -m stripe``: the command, for an interpreter whose scripts are not on the path."""

from __future__ import annotations

import sys

from stripe.cli.main import main

sys.exit(main())
