"""Makes this checkout a package, with its command, in the environment of the Python that runs this.

As an editable install, but without installer and network. An installer that comes later finds a
RECORD, and can replace it.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import tomllib
from pathlib import Path

root = Path(__file__).resolve().parent.parent
settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
project = settings["project"]
hatch = settings["tool"]["hatch"]
found: dict[str, str] = {}
exec((root / hatch["version"]["path"]).read_text("utf-8"), found)

site = Path(sysconfig.get_path("purelib"))
stem = project["name"].replace("-", "_")
info = site / f"{stem}-{found['__version__']}.dist-info"
info.mkdir(parents=True, exist_ok=True)

folders = [root / each for each in hatch["build"]["targets"]["wheel"]["dev-mode-dirs"]]
points = {"console_scripts": project["scripts"], **project["entry-points"]}
sections = [
    "\n".join([f"[{group}]", *(f"{name} = {what}" for name, what in each.items()), ""])
    for group, each in points.items()
]
extras = project["optional-dependencies"]
metadata = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {found['__version__']}"]
metadata += [f"Requires-Dist: {each}" for each in project["dependencies"]]
for extra, wanted in extras.items():
    metadata.append(f"Provides-Extra: {extra}")
    metadata += [f"Requires-Dist: {each}; extra == '{extra}'" for each in wanted]
files = {
    site / f"_{stem}.pth": "".join(f"{folder}\n" for folder in folders),
    info / "METADATA": "\n".join(metadata) + "\n",
    info / "entry_points.txt": "\n".join(sections),
    info / "INSTALLER": "make\n",
}
for name, what in project["scripts"].items():
    module, function = what.split(":")
    script = Path(sys.prefix) / "bin" / name
    # By way of the shell: an interpreter's path may be too long for a first line, or have spaces.
    files[script] = f"""#!/bin/sh
'''exec' "{sys.executable}" "$0" "$@"
' '''
import sys
from {module} import {function}
sys.exit({function}())
"""
for path, text in files.items():
    path.write_text(text, "utf-8")
    if path.parent.name == "bin":
        path.chmod(0o755)

record = info / "RECORD"
names = [os.path.relpath(path, site) for path in (*files, record)]
record.write_text("".join(f"{name},,\n" for name in names), "utf-8")
