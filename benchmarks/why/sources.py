"""Source distributions of pinned releases, which pip fetches and nothing builds.

pip asks the build backend of a source distribution for its metadata, which runs code of strangers
and needs their backends.  A backend of ours stands in for all of them: it answers from PKG-INFO.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from tests.support.caching import cache_folder

BACKEND = '''
"""Answers a build frontend from PKG-INFO."""

import pathlib


class Backend:
    def get_requires_for_build_wheel(self, config_settings=None):
        return []

    def prepare_metadata_for_build_wheel(self, metadata_directory, config_settings=None):
        lines = pathlib.Path("PKG-INFO").read_text("utf-8", "replace").splitlines()
        name, version = (
            next(line.partition(":")[2].strip() for line in lines if line.startswith(field))
            for field in ("Name:", "Version:")
        )
        # By the name of the folder older versions of pip know what it is about.
        stem = name.replace("-", "_").replace(".", "_")
        info = pathlib.Path(metadata_directory, stem + "-" + version + ".dist-info")
        info.mkdir()
        (info / "METADATA").write_bytes(pathlib.Path("PKG-INFO").read_bytes())
        (info / "WHEEL").write_text("Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\n")
        return info.name

    def build_wheel(self, *given, **more):
        raise SystemExit("not built")


__legacy__ = Backend()
build_wheel = __legacy__.build_wheel
get_requires_for_build_wheel = __legacy__.get_requires_for_build_wheel
prepare_metadata_for_build_wheel = __legacy__.prepare_metadata_for_build_wheel
'''

BACKENDS = (
    "flit_core/buildapi.py",
    "flit/buildapi.py",
    "hatchling/build.py",
    "pdm/backend.py",
    "pdm/pep517/api.py",
    "poetry/core/masonry/api.py",
    "poetry/masonry/api.py",
    "poetry_dynamic_versioning/backend.py",
    "setuptools/build_meta.py",
    "uv_build.py",
)
"""The modules that ``pyproject.toml`` of a project may name."""


def unpacked(package: str, version: str, sha256: str = "") -> Path:
    """The folder of a release's source distribution, which is kept from run to run.

    ``sha256``: that of the archive.  Raises OSError where it cannot be had or is another one.
    """
    place = cache_folder("why") / "sources" / f"{package}-{version}"
    if not place.is_dir():
        with tempfile.TemporaryDirectory(prefix="why-") as scratch:
            archive = download(package, version, sha256, Path(scratch))
            place.parent.mkdir(parents=True, exist_ok=True)
            fresh = Path(tempfile.mkdtemp(dir=place.parent))
            with tarfile.open(archive) as tar:
                tar.extractall(fresh, filter="data")
            (top,) = fresh.iterdir()
            (top / ".sha256").write_text(_digest(archive))
            try:
                top.rename(place)
            except OSError:
                if not place.is_dir():  # else another one was quicker
                    raise
            shutil.rmtree(fresh)
    known = (place / ".sha256").read_text()
    if sha256 and known != sha256:
        raise OSError(f"{package} {version} has the digest {known}, not {sha256}")
    return place


def digest(package: str, version: str) -> str:
    """The SHA-256 of the archive of a release."""
    return (unpacked(package, version) / ".sha256").read_text()


def releases(package: str) -> list[str]:
    """The versions that pip knows, newest first, without previews.  Raises OSError."""
    words = [sys.executable, "-m", "pip", "index", "versions", package]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    found = re.search(r"^Available versions: (.*)$", ended.stdout, re.MULTILINE)
    if found is None:
        raise OSError(f"{package}: {ended.stderr.strip()[-200:]}")
    return found[1].split(", ")


def download(package: str, version: str, sha256: str, scratch: Path) -> Path:
    for name in BACKENDS:
        module = scratch / "backends" / name
        module.parent.mkdir(parents=True, exist_ok=True)
        module.write_text(BACKEND)
    pinned = f"{package}=={version}" + (f" --hash=sha256:{sha256}" if sha256 else "")
    (scratch / "wanted.txt").write_text(pinned)
    options = ["--quiet", "--no-deps", "--no-binary", ":all:", "--no-build-isolation"]
    words = [sys.executable, "-m", "pip", "download", *options, "--use-pep517"]
    words += ["--ignore-requires-python", "--dest", str(scratch), "-r", str(scratch / "wanted.txt")]
    environment = os.environ | {"PYTHONPATH": str(scratch / "backends")}
    ended = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    archives = list(scratch.glob("*.tar.gz"))
    if len(archives) != 1:
        raise OSError(f"{package} {version} cannot be had: {ended.stderr.strip()[-300:]}")
    return archives[0]


def _digest(archive: Path) -> str:
    return hashlib.sha256(archive.read_bytes()).hexdigest()
