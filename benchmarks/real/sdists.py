"""Source distributions from PyPI: fetched from the package index, unpacked, kept."""

from __future__ import annotations

import hashlib
import json
import re
import tarfile
import urllib.request
from pathlib import Path
from typing import Any

from tests.support.caching import cache_folder

ACCEPT = "application/vnd.pypi.simple.v1+json"


def unpacked(name: str, version: str = "", sha256: str = "") -> tuple[str, Path]:
    """The version and the folder of a source distribution; the newest, unless told.

    ``sha256``: what it has to be, whatever the index says.  Raises OSError
    where it cannot be had, LookupError where there is none.
    """
    kept = cache_folder("sdists")
    kept.mkdir(parents=True, exist_ok=True)
    folder = kept / f"{name}-{version}"
    if version and folder.exists():
        return version, folder
    found = [each for each in _listed(name) if not version or version == _version(each)]
    if not found:
        raise LookupError(f"no source distribution of {name} {version}")
    newest = max(found, key=lambda each: str(each.get("upload-time", "")))
    version = _version(newest)
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


def releases(name: str) -> list[str]:
    """The versions of which there are source distributions, newest first; no previews of one."""
    versions = {_version(each): each for each in _listed(name)}
    final = [each for each in versions if re.fullmatch(r"\d+(\.\d+)*", each)]
    return sorted(final, key=lambda each: [int(part) for part in each.split(".")], reverse=True)


def _listed(name: str) -> list[dict[str, Any]]:
    """What the index says of each source distribution of a package."""
    from pip._internal.models.index import PyPI

    request = urllib.request.Request(f"{PyPI.simple_url}/{name}/", headers={"Accept": ACCEPT})
    with urllib.request.urlopen(request, timeout=60) as stream:
        files: list[dict[str, Any]] = json.load(stream)["files"]
    return [each for each in files if each["filename"].endswith(".tar.gz")]


def _version(listed: dict[str, Any]) -> str:
    return str(listed["filename"].removesuffix(".tar.gz").rpartition("-")[2])
