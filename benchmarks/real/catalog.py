"""Programs nobody here wrote: tools of the standard library, and packages from PyPI at work."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.real.trial import Program
from tests.support.caching import cache_folder

DATA = Path(__file__).parents[1] / "data" / "real"
_PROGRAMS: dict[str, Any] = tomllib.loads((DATA / "programs.toml").read_text("utf-8"))

FILES: Mapping[str, str] = _PROGRAMS["files"]
"""What the scripts read, by name."""

STANDARD: Mapping[str, dict[str, Any]] = _PROGRAMS["standard"]
"""By name: which modules of the standard library count, and a script that leans on them."""

PACKAGES: Mapping[str, dict[str, Any]] = _PROGRAMS["packages"]
"""By name: which of the package's files and folders count, and a script that leans on them."""


def installed() -> Path:
    """A folder with all packages; fetched if they are not there.

    Raises CalledProcessError where they cannot be had.
    """
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    folder = cache_folder(f"real-{version}")
    wanted = [each.get("requirement", name) for name, each in PACKAGES.items()]
    done = folder / ".done"
    if not done.exists() or not set(wanted) <= set(done.read_text().split()):
        pip = [sys.executable, "-m", "pip", "install", "-q", "--upgrade", "--target", str(folder)]
        subprocess.run([*pip, *wanted], check=True, capture_output=True)
        done.write_text("\n".join(wanted))
    return folder


def standard() -> Iterator[Program]:
    """Those that lean on the standard library alone."""
    for name, used in STANDARD.items():
        code = []
        for module in used.get("code", [name]):
            spec = importlib.util.find_spec(module)
            if spec is not None and spec.origin is not None:
                path = Path(spec.origin)
                code.append(path.parent if path.name == "__init__.py" else path)
        files = {**FILES, "use_it.py": used["script"]}
        yield Program(f"std:{name}", "use_it.py", files=files, code=code)


def packages() -> Iterator[Program]:
    """Those that lean on packages from PyPI."""
    folder = installed()
    for name, used in PACKAGES.items():
        code = [
            path
            for part in used.get("code", [name])
            for path in [folder / part, folder / f"{part}.py"]
            if path.exists()
        ]
        files = {**FILES, "use_it.py": used["script"]}
        yield Program(name, "use_it.py", files=files, code=code, paths=[folder])
