"""Source distributions from PyPI: fetched from the package index, unpacked, kept."""

from __future__ import annotations

import hashlib
import json
import tarfile
import urllib.request
from pathlib import Path

from tests.real.catalog import cache

ACCEPT = "application/vnd.pypi.simple.v1+json"


def unpacked(name: str, version: str = "", sha256: str = "") -> tuple[str, Path]:
    """The version and the folder of a source distribution; the newest, unless told.

    ``sha256``: what it has to be, whatever the index says.  Raises OSError
    where it cannot be had, LookupError where there is none.
    """
    kept = cache() / "sdists"
    kept.mkdir(parents=True, exist_ok=True)
    folder = kept / f"{name}-{version}"
    if version and folder.exists():
        return version, folder
    from pip._internal.models.index import PyPI

    request = urllib.request.Request(f"{PyPI.simple_url}/{name}/", headers={"Accept": ACCEPT})
    with urllib.request.urlopen(request, timeout=60) as stream:
        files = json.load(stream)["files"]
    found = [each for each in files if each["filename"].endswith(".tar.gz")]
    found = [each for each in found if not version or version in each["filename"]]
    if not found:
        raise LookupError(f"no source distribution of {name} {version}")
    newest = max(found, key=lambda each: str(each.get("upload-time", "")))
    version = newest["filename"].removesuffix(".tar.gz").rpartition("-")[2]
    folder = kept / f"{name}-{version}"
    if folder.exists():
        return version, folder
    with urllib.request.urlopen(newest["url"], timeout=120) as stream:
        data = stream.read()
    if hashlib.sha256(data).hexdigest() != (sha256 or newest["hashes"]["sha256"]):
        raise OSError(f"{newest['filename']} is damaged")
    archive = kept / newest["filename"]
    archive.write_bytes(data)
    fresh = folder.with_suffix(".new")
    with tarfile.open(archive) as tar:
        tar.extractall(fresh, filter="data")
    [top] = fresh.iterdir()
    top.rename(folder)
    fresh.rmdir()
    archive.unlink()
    return version, folder
