"""Has VS Code show a slice, and takes a picture: code-server is VS Code in a browser."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

from tests.browser.browser import chromium, modules

HERE = Path(__file__).parent
EXTENSION = HERE.parents[1] / "editors" / "vscode"

SETTINGS = {
    "workbench.startupEditor": "none",
    "workbench.colorTheme": "Default Light Modern",
    "workbench.activityBar.location": "hidden",
    "workbench.layoutControl.enabled": False,
    "window.commandCenter": False,
    "security.workspace.trust.enabled": False,
    "telemetry.telemetryLevel": "off",
    "editor.minimap.enabled": False,
    "editor.fontFamily": "DejaVu Sans Mono",
    "editor.scrollBeyondLastLine": False,
    "editor.guides.indentation": False,
}


def picture_of_editor(work: Path, file: str, check: str, picture: Path) -> None:
    """Open ``work`` in a code-server of its own, have the slice searched, and take the picture.

    ``STRIPE_CODE_SERVER`` is its command (``npm install code-server``); it ends in the end.
    """
    command = os.environ.get("STRIPE_CODE_SERVER") or shutil.which("code-server")
    if command is None:
        sys.exit("no code-server: set STRIPE_CODE_SERVER")
    home = work.parent / "code-server"
    (home / "data" / "User").mkdir(parents=True)
    settings = SETTINGS | {
        "stripe.command": str(Path(sysconfig.get_path("scripts"), "stripe")),
        "stripe.configurations": [{"name": "south", "program": file, "check": check}],
    }
    (home / "data" / "User" / "settings.json").write_text(json.dumps(settings))
    folders = ["--user-data-dir", str(home / "data"), "--extensions-dir", str(home / "extensions")]
    start: list[str | Path] = [command, *folders]
    environment = {**os.environ, "HOME": str(home)}
    subprocess.run([*start, "--install-extension", packaged(home)], env=environment, check=True)
    port = free_port()
    server = subprocess.Popen(
        [*start, "--auth", "none", "--bind-addr", f"127.0.0.1:{port}", work], env=environment
    )
    try:
        wait_for(port)
        subprocess.run(
            ["node", HERE / "editor.mjs", f"http://127.0.0.1:{port}", work, file, "south", picture],
            env={**os.environ, "STRIPE_NODE_MODULES": str(modules()),
                 "STRIPE_CHROMIUM": str(chromium())},
            check=True,
        )  # fmt: skip
    finally:
        server.terminate()
        server.wait()


def packaged(home: Path) -> Path:
    """The extension, made from this checkout."""
    unwanted = shutil.ignore_patterns("node_modules", "out", "*.vsix")
    folder = Path(shutil.copytree(EXTENSION, home / "vscode", ignore=unwanted))
    for words in (["ci", "--no-audit", "--no-fund", "--silent"], ["run", "--silent", "package"]):
        subprocess.run(["npm", *words], cwd=folder, check=True)
    return folder / "stripe-trace.vsix"


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def wait_for(port: int) -> None:
    """Wait until somebody answers there."""
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.1)
    sys.exit("code-server does not answer")
