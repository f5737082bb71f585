"""Starts a command behind walls: ``python -I -S enter.py OPTIONS COMMAND...`` (``guard.py``).

Nothing else is here, as this file is compiled anew each time.
"""

from __future__ import annotations

import os
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from inside import guard  # type: ignore[import-not-found]

guard.main()
