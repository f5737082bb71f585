"""ccache, where it is installed: what a build has compiled in a place before, it does not again.

A search goes back and forth between versions, and so does what make thinks is out of date.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

COMPILERS = ("cc", "gcc", "c++", "g++", "clang", "clang++")

SIZE = "2G"
"""What a cache may grow to."""


def with_ccache(links: Path, cache: Path) -> Mapping[bytes, bytes]:
    """Variables with which compilers are asked for through ccache; none where it is not installed.

    Args:
        links: a folder to be made, that tests cannot write in: compilers are found there first.
        cache: a folder of a place, to keep what was compiled.
    """
    ccache = shutil.which("ccache")
    if ccache is None or "CCACHE_DISABLE" in os.environ:
        return {}
    links.mkdir()
    for name in COMPILERS:
        if shutil.which(name):
            (links / name).symlink_to(ccache)
    variables = {
        "PATH": f"{links}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "CCACHE_DIR": str(cache),
        "CCACHE_TEMPDIR": str(cache / "tmp"),
        "CCACHE_MAXSIZE": SIZE,
        "CCACHE_CONFIGPATH": os.devnull,
    }
    return {os.fsencode(name): os.fsencode(value) for name, value in variables.items()}
