"""Has VS Code show a slice, and a session of the debugger, and takes pictures."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.editors.code_server import HERE as SCRIPTS
from tests.editors.code_server import editor, look, why_no_editor

HERE = Path(__file__).parent


def picture_of_editor(work: Path, file: str, check: str, picture: Path) -> None:
    """Open ``work``, have the slice searched, and take the picture."""
    settings = {
        "workbench.activityBar.location": "hidden",
        "stripe.configurations": [{"name": "south", "program": file, "check": check}],
    }
    with editor(_home(work), settings) as address:
        look(HERE / "editor.mjs", address, work, file, "south", picture)


def picture_of_debugger(work: Path, picture: Path) -> None:
    """What the test of the debugger sees after a step back; ``work`` has its programs."""
    with editor(_home(work)) as address:
        look(SCRIPTS / "debug.mjs", address, work, picture)


def _home(work: Path) -> Path:
    if why := why_no_editor():
        sys.exit(why)
    home = work.with_name(f"{work.name}-editor")
    home.mkdir()
    return home
