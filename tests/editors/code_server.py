"""code-server, which is VS Code in a browser, with our extension in it.

It is built of npm packages, with the Node.js it needs among them, and kept in the tests' cache:
about 800 MB, some minutes.  Tests that need it are skipped where it was not built; ``.ci/editors``
builds it.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.browser.browser import chromium, missing, modules
from tests.editors.extension import PACKAGE, built_extension, npm
from tests.support.caching import cache_folder, locked
from tests.support.patience import wait_until

HERE = Path(__file__).parent
VERSION, NODE_VERSION = "4.139.1", "24.21.0"
NODE = f"node-linux-{'arm64' if platform.machine() == 'aarch64' else 'x64'}"

EXPLORER = HERE / "explorer"
MANIFEST = """\
<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata><Identity Language="en-US" %s/></Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Assets>
<Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json"/>
</Assets>
</PackageManifest>
"""

SETTINGS: dict[str, Any] = {
    "workbench.startupEditor": "none",
    "workbench.colorTheme": "Default Light Modern",
    "workbench.layoutControl.enabled": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.tips.enabled": False,
    "window.commandCenter": False,
    "chat.disableAIFeatures": True,
    "chat.commandCenter.enabled": False,
    "security.workspace.trust.enabled": False,
    "telemetry.telemetryLevel": "off",
    "debug.openDebug": "openOnDebugBreak",
    "debug.internalConsoleOptions": "neverOpen",
    "editor.minimap.enabled": False,
    "editor.fontFamily": "DejaVu Sans Mono",
    "editor.scrollBeyondLastLine": False,
    "editor.guides.indentation": False,
}
MACHINE_SETTINGS: dict[str, Any] = {
    "stripe.command": str(Path(sysconfig.get_path("scripts"), "stripe")),
    "stripe.python": sys.executable,
}


def why_no_editor() -> str:
    """Why VS Code cannot be looked at here; empty if it can."""
    if not folder_of_editor().is_dir():
        return "no code-server has been built (.ci/editors builds one)"
    return missing()


def folder_of_editor() -> Path:
    return cache_folder("code-server") / f"{VERSION}-{NODE_VERSION}"


def build_editor() -> None:
    """Install it, if that has not been done; of the packages' scripts, those that compile run."""
    kept = folder_of_editor()
    with locked(kept.parent), tempfile.TemporaryDirectory(dir=kept.parent) as scratch:
        if kept.exists():
            return
        folder = Path(scratch, "built")
        folder.mkdir()
        quiet = "--no-audit", "--no-fund", "--omit=dev", "--ignore-scripts"
        npm(folder, "install", *quiet, f"{NODE}@{NODE_VERSION}", f"code-server@{VERSION}")
        node = folder / "node_modules" / NODE
        server = folder / "node_modules" / "code-server" / "lib" / "vscode"
        for each in (server, server / "extensions"):
            npm(each, "install", *quiet)
        npm(
            server, "rebuild", "@vscode/spdlog", "@vscode/native-watchdog", "node-pty",
            npm_config_nodedir=str(node), PATH=f"{node / 'bin'}{os.pathsep}{os.environ['PATH']}",
        )  # fmt: skip
        folder.rename(kept)


@contextmanager
def editor(home: Path, settings: dict[str, Any] | None = None) -> Iterator[str]:
    """The address of a server, which ends in the end; it writes to ``home``, an empty folder."""
    modules_ = folder_of_editor() / "node_modules"
    program = [modules_ / NODE / "bin" / "node", modules_ / "code-server" / "out/node/entry.js"]
    more = settings or {}
    # Those of the user do not name programs of the machine that the server is on.
    for of, given in {"User": SETTINGS | more, "Machine": MACHINE_SETTINGS | more}.items():
        (home / "data" / of).mkdir(parents=True)
        (home / "data" / of / "settings.json").write_text(json.dumps(given))
    (home / "config.yaml").write_text("auth: none\ncert: false\n")
    folders = {"config": "config.yaml", "user-data-dir": "data", "extensions-dir": "extensions"}
    options = [f"--{name}={home / folder}" for name, folder in folders.items()]
    command: list[str | Path] = [
        *program,
        *options,
        "--disable-telemetry",
        "--disable-update-check",
    ]
    environment = {**os.environ, "HOME": str(home), "XDG_RUNTIME_DIR": str(home)}
    packages = built_extension() / PACKAGE, _packed(EXPLORER, home / "explorer.vsix")
    installed = subprocess.run(
        [*command, *(word for each in packages for word in ("--install-extension", each))],
        env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
    )  # fmt: skip
    assert installed.returncode == 0, installed.stdout + installed.stderr
    port = _free_port()
    server = _start(home, [*command, f"--bind-addr=127.0.0.1:{port}"], environment)

    def answers() -> bool:
        nonlocal server
        if server.poll() is not None:
            # It gives its own child ten seconds to begin, which is little on a busy machine.
            server = _start(home, server.args, environment)
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", port)) == 0

    try:
        wait_until(answers, lambda: (home / "log").read_text())
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()
        with suppress(ProcessLookupError):  # what it started ends by itself, a little later
            os.killpg(server.pid, signal.SIGKILL)


def _packed(folder: Path, package: Path) -> Path:
    """Package an extension of plain JavaScript, as ``--install-extension`` takes it."""
    facts = json.loads((folder / "package.json").read_text())
    identity = 'Id="{name}" Publisher="{publisher}" Version="{version}"'.format(**facts)
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr("extension.vsixmanifest", MANIFEST % identity)
        for each in folder.iterdir():
            archive.write(each, f"extension/{each.name}")
    return package


def _start(home: Path, command: Any, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    with (home / "log").open("ab") as log:
        return subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            start_new_session=True,
        )  # fmt: skip


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def look(script: Path, *words: str | Path) -> str:
    """What a script that drives Chromium prints."""
    # Of a short name: Chromium has a socket in it, whose path is of 107 characters at most.
    with tempfile.TemporaryDirectory(prefix="look-") as scratch:
        done = subprocess.run(
            [shutil.which("node") or "node", script, *words],
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
            env={**os.environ, "STRIPE_NODE_MODULES": str(modules()),
                 "STRIPE_CHROMIUM": str(chromium()), "TMPDIR": scratch},
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


if __name__ == "__main__":
    build_editor()
