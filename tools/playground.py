"""Builds the playground: a folder of static files that needs no server and no network.

usage: python -m tools.playground FOLDER

Pyodide is fetched by npm, in the version of ``docs/playground/package.json``, into
``.venv/playground/``; the libraries that STRIPE imports there are those of this environment.
"""

from __future__ import annotations

import base64
import gzip
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "playground"
KEPT = ROOT / ".venv" / "playground"
PYODIDE = KEPT / "node_modules" / "pyodide"
PARTS = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
SCRIPTS = ("interpreter.js", "session.js", "worker.js")
STATIC = ("index.html", "playground.css", "playground.js", "exercises.js")

PACKAGES = {
    "stripe": ROOT / "stripe",
    "stripe_pytrace": ROOT / "backends" / "stripe_pytrace",
    "stripe_wasm": ROOT / "backends" / "stripe_wasm",
}
LIBRARIES = ("jinja2", "markupsafe", "platformdirs", "pygments", "rich")
NEEDED = (".py", ".jinja", ".css", ".js", ".json")
LEFT_OUT = ("stripe/lsp", "stripe/mcp", "stripe/debug", "pygments/lexers", "pygments/styles")
"""Folders of which only what ``KEPT_OF_THEM`` names is needed."""

KEPT_OF_THEM = ("__init__", "_mapping", "python", "default")


def files_of(name: str, folder: Path) -> Iterator[tuple[str, Path]]:
    """The files of a package that are needed, by their names in the archive."""
    for path in sorted(folder.rglob("*")):
        inside = f"{name}/{path.relative_to(folder).as_posix()}"
        left_out = inside.startswith(LEFT_OUT) and path.stem not in KEPT_OF_THEM
        if path.suffix in NEEDED and not left_out and "__pycache__" not in path.parts:
            yield inside, path


def folder_of(name: str) -> Path:
    """Where a library of this environment is.  Raises ModuleNotFoundError if it is not."""
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(f"{name} is needed to build the playground")
    return Path(found.origin).parent


def archive(target: Path, files: Iterator[tuple[str, Path]], *cached: str) -> None:
    """Write an archive whose Python files are compiled by Pyodide."""
    source = target.with_suffix(".source")
    with zipfile.ZipFile(source, "w") as made:
        for name, path in files:
            made.write(path, name)
    script = ROOT / "tools" / "compile_in_pyodide.mjs"
    subprocess.run(["node", script, PYODIDE, source, target, *cached], check=True, timeout=600)
    source.unlink()


def fetch() -> None:
    """Have npm install Pyodide, unless it is there in this version."""
    wanted = PAGE / "package.json"
    known = KEPT / "package.json"
    if PYODIDE.is_dir() and known.is_file() and known.read_bytes() == wanted.read_bytes():
        return
    KEPT.mkdir(parents=True, exist_ok=True)
    shutil.copy(wanted, known)
    command = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--silent"]
    subprocess.run(command, cwd=KEPT, check=True, timeout=600)


def asset(content: bytes, name: str) -> str:
    """A script that hands over a file: a page from a folder may load nothing but scripts."""
    packed = base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()
    return f'playgroundAsset("{name}", "{packed}");\n'


def program(name: str) -> str:
    """The text of a program that can be chosen."""
    places = (ROOT / "docs" / "course" / "programs", ROOT / "examples" / "sample_programs")
    return next(each / name for each in places if (each / name).is_file()).read_text("utf-8")


def build(folder: Path) -> None:
    """Make the folder anew."""
    fetch()
    shutil.rmtree(folder, ignore_errors=True)
    assets = folder / "assets"
    assets.mkdir(parents=True)
    libraries = [(name, folder_of(name)) for name in LIBRARIES]
    whole = folder / "stripe.zip"
    archive(whole, (each for item in [*PACKAGES.items(), *libraries] for each in files_of(*item)))
    agent = folder / "agent.zip"
    agent_folder = PACKAGES["stripe_pytrace"] / "agent"
    below = ((name.removeprefix("agent/"), path) for name, path in files_of("agent", agent_folder))
    archive(agent, below, "cached")
    sources = {
        **{part: PYODIDE / part for part in PARTS},
        **{part: PAGE / part for part in SCRIPTS},
        "guest.py": PACKAGES["stripe_wasm"] / "guest.py",
        "stripe.zip": whole,
        "agent.zip": agent,
    }
    for name, path in sources.items():
        (assets / f"{name}.js").write_text(asset(path.read_bytes(), name), encoding="ascii")
    whole.unlink()
    agent.unlink()
    # None of Pyodide's packages is here, but it asks which version they would be of.
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_bytes())
    locked = json.dumps({"info": lock["info"], "packages": {}}).encode()
    (assets / "lock.json.js").write_text(asset(locked, "lock.json"), encoding="ascii")
    chosen = re.findall(r'file: "(.*?)"', (PAGE / "exercises.js").read_text(encoding="utf-8"))
    programs = {name: program(name) for name in sorted(set(chosen))}
    text = f"const PROGRAMS = {json.dumps(programs)};\n"
    (assets / "programs.js").write_text(text, encoding="utf-8")
    for name in STATIC:
        shutil.copy(PAGE / name, folder)
    shutil.copy(PYODIDE / "package.json", assets / "pyodide.json")  # which version, and its licence


def main(words: list[str]) -> int:
    """Build into the folder that is named."""
    if len(words) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    build(Path(words[0]))
    print(f"file://{Path(words[0]).resolve()}/index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
