"""Takes the pictures of the documentation anew, all or those named.

usage: python docs/pictures/refresh.py [NAME ...]

What runs is the interpreter's own ``stripe``, in a copy of ``examples/sample_programs``.  Terminals
are drawn as SVG.  Pictures of the page need Chromium, node and npm, as ``tests/browser`` does;
those of an editor code-server as well, as ``.ci/editors`` builds it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SAMPLES = ROOT / "examples" / "sample_programs"
sys.path.insert(0, str(ROOT))

from docs.pictures.editor import picture_of_debugger, picture_of_editor  # noqa: E402
from docs.pictures.history import make_history  # noqa: E402
from docs.pictures.terminal import drawn  # noqa: E402
from tests.browser.browser import chromium, missing, modules  # noqa: E402
from tests.editors.test_code_server import write_programs  # noqa: E402

COLUMNS = 88

TERMINALS = {
    "pytest": "pytest --stripe --stripe-report full failing_test",
    "shops": "stripe trace shops.py --check 'stdout:/^south has/' --show source",
    "input": "stripe input readings.txt --check 'stdout:/^warmest/' -- python3 read_file.py",
    "native": "stripe trace labels.c --check 'stdout:/^from/' --show source",
}


ONLY = {"pytest": ("critical slice", "summary"), "input": ("still fails", "summary")}
"""Words of the first line that is shown, and of the first that no longer is."""

PAGES = {"crash": (["crash.py"], 44)}
"""The program, and which event is chosen."""


CHANGES = {"changes": (["v1.0", "HEAD", "--test", "python3 test.py"], 1160)}
"""What is compared in :mod:`docs.pictures.history`, and how high the page is."""


STATES = {
    "causes": ["shell_sort.py", "--fail", "11 14", "--pass", "9 8 7", "--at", "shell_sort.py:33",
               "--check", 'cmd:grep -q ^0 "$STRIPE_STDOUT"'],
}  # fmt: skip
"""What causes are found in, of which the states are drawn."""


EDITORS = {"editor": ("shops.py", "stdout:/^south has/")}
"""The program, and the check."""


DEBUGGERS = ("debugger",)
"""A session that ``tests/editors`` has."""


def terminal(name: str, work: Path) -> str:
    """The picture of a command in a terminal."""
    command = TERMINALS[name]
    path = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    environment = {**os.environ, "PATH": path, "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS)}
    # Other plugins say nothing in what is shown, nor do suspects, which are looked for as long as
    # there is time: so without them.
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    environment["PYTEST_ADDOPTS"] = "-p stripe_pytest.plugin --stripe-suspects=0"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=work,
        env=environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8",
        check=name != "pytest",
    )  # fmt: skip
    lines = done.stdout.rstrip().splitlines()
    if name in ONLY:
        first, behind = (next(i for i, line in enumerate(lines) if word in line)
                         for word in ONLY[name])  # fmt: skip
        lines = [*["..."][: bool(first)], *lines[first:behind], "..."]
    return drawn(command, lines, COLUMNS)


def page(options: list[str], event: int, work: Path, picture: Path) -> None:
    """The picture of a page, with an event chosen."""
    made = make_page(work, "trace", *options)
    look(f"{made.as_uri()}#e{event}", 700, "h1", picture)


def page_of_changes(options: list[str], height: int, work: Path, picture: Path) -> None:
    """The picture of a page of changes."""
    make_history(work / "history")
    look(
        make_page(work / "history", "changes", *options).as_uri(),
        height,
        "#answer details:last-of-type",
        picture,
    )


def states(options: list[str], work: Path, picture: Path) -> None:
    """The picture of states that stripe itself draws."""
    words = [sys.executable, "-P", "-m", "stripe", "causes", *options, "-q", "--force"]
    subprocess.run(
        [*words, "--picture", str(picture)], cwd=work, stdout=subprocess.DEVNULL, check=True
    )


def make_page(work: Path, *words: str) -> Path:
    """The page that a verb of stripe writes."""
    stripe = [sys.executable, "-P", "-m", "stripe", *words, "-q", "--html", "page.html"]
    subprocess.run(stripe, cwd=work, stdout=subprocess.DEVNULL, check=True)
    return work / "page.html"


def look(address: str, height: int, selector: str, picture: Path) -> None:
    """Take a picture of a page from an element on."""
    if why := missing():
        sys.exit(why)
    subprocess.run(
        ["node", HERE / "look.mjs", address, "1200", str(height), selector, picture],
        env={**os.environ, "STRIPE_NODE_MODULES": str(modules()),
             "STRIPE_CHROMIUM": str(chromium())},
        check=True,
    )  # fmt: skip


def main(names: list[str]) -> int:
    with tempfile.TemporaryDirectory(prefix="stripe-pictures-") as folder:
        work = Path(shutil.copytree(SAMPLES, Path(folder, "sample_programs")))
        for name in names or [*TERMINALS, *PAGES, *CHANGES, *STATES, *EDITORS, *DEBUGGERS]:
            if name in EDITORS:
                picture_of_editor(work, *EDITORS[name], HERE / f"{name}.png")
            elif name in DEBUGGERS:
                (failing := Path(folder, "failing")).mkdir()
                write_programs(failing)
                picture_of_debugger(failing, HERE / f"{name}.png")
            elif name in STATES:
                states(STATES[name], work, HERE / f"{name}.svg")
            elif name in CHANGES:
                page_of_changes(*CHANGES[name], work, HERE / f"{name}.png")
            elif name in PAGES:
                page(*PAGES[name], work, HERE / f"{name}.png")
            else:
                text = terminal(name, work)
                (HERE / f"{name}.svg").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
