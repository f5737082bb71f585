"""What this machine has of what STRIPE can use, and what to do about what it has not.

Each backend speaks for what its own runs depend on (:class:`stripe.backend.Examined`).
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stripe.backend import Examined, Finding, State, backends
from stripe.files import caches
from stripe.sandbox.layers import find_layer, forget_layers, try_layer
from stripe.sandbox.walls import Layer, no_sandbox
from stripe.version import __version__

DISTRIBUTION = "stripe-trace"

MOST = 4
"""Packages that are named of those an extra lacks."""


def examine() -> Iterator[Finding]:
    """All findings, the most important first."""
    python = platform.python_version()
    yield Finding("stripe", State.GOOD, f"{__version__}, run by {sys.executable} (Python {python})")
    yield sandbox()
    yield from self_tests()
    for backend in backends():
        if isinstance(backend, Examined):
            yield from backend.examine()
    yield from extras()
    yield cache()


def as_json(findings: list[Finding]) -> dict[str, Any]:
    """The findings for other programs."""
    return {
        "stripe": __version__,
        "findings": [
            {
                "about": each.about,
                "state": each.state.value,
                "says": each.says,
                "advice": each.advice,
            }
            for each in findings
        ],
    }


def sandbox() -> Finding:
    """What keeps runs from reaching outside."""
    forget_layers()  # it is to be tried, not remembered
    layer, why = find_layer()
    if layer is Layer.NAMESPACES:
        return Finding("sandbox", State.GOOD, layer.described)
    advice = no_sandbox("", why).hint
    if layer is Layer.NONE:
        return Finding("sandbox", State.BAD, f"none: {why}", advice)
    says = f"{layer.described}; no better one: {why}" if why else layer.described
    return Finding("sandbox", State.LESS, says, f"{advice.partition('--unsafe')[0].rstrip()}")


def self_tests() -> Iterator[Finding]:
    """What runs can do in each layer, a row for each."""
    for layer in (Layer.NAMESPACES, Layer.LANDLOCK):
        tried = try_layer(layer)
        says = [f"not to be had: {tried.refused}"] if tried.refused else []
        says += [f"{task}: {f'no ({why})' if why else 'yes'}" for task, why in tried.tasks.items()]
        good = not tried.refused and not any(tried.tasks.values())
        yield Finding(f"in {layer.value}", State.GOOD if good else State.LESS, "; ".join(says))


def extras() -> Iterator[Finding]:
    """The optional parts that the installed distribution names, and which packages they lack."""
    try:
        metadata = importlib.metadata.metadata(DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError:
        yield Finding(
            "extras",
            State.LESS,
            "unknown: STRIPE runs from its sources and is not installed",
            "Install it: uv tool install . in its checkout.",
        )
        return
    required = metadata.get_all("Requires-Dist") or []
    for extra in sorted(metadata.get_all("Provides-Extra") or []):
        marked = re.compile(rf"extra\s*==\s*['\"]{re.escape(extra)}['\"]")
        wanted = [each for each in required if marked.search(each)]
        names = [re.split(r"[^\w.-]", each, maxsplit=1)[0] for each in wanted]
        lacking = sorted(name for name in names if not installed(name))
        if lacking:
            more = f" and {len(lacking) - MOST} more" if len(lacking) > MOST else ""
            yield Finding(
                f"extra {extra}",
                State.LESS,
                f"not installed: {', '.join(lacking[:MOST])}{more}",
                f"If you want it: pip install '{DISTRIBUTION}[{extra}]'.",
            )
        else:
            yield Finding(f"extra {extra}", State.GOOD, "installed")


def installed(name: str) -> bool:
    """Whether a distribution is there."""
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def cache() -> Finding:
    """What is kept between runs, and where."""
    folder = caches()
    nearest = next(each for each in (folder, *folder.parents) if each.exists())
    if not (nearest.is_dir() and os.access(nearest, os.W_OK)):
        return Finding(
            "cache folder",
            State.LESS,
            f"{folder} cannot be written: nothing is kept for --resume",
            "Set XDG_CACHE_HOME to a folder of yours.",
        )
    sizes = [size for size in map(_size, folder.rglob("*")) if size is not None]
    says = f"{folder}: {len(sizes)} files, {sum(sizes) / 2**20:.1f} MiB"
    advice = (
        "It may be removed; --resume then has no earlier search to go on with, and reports written "
        "earlier are replaced with --force only."
    )
    return Finding("cache folder", State.GOOD, says, advice)


def _size(path: Path) -> int | None:
    """The bytes of a file, ``None`` if it is none or has just gone."""
    try:
        return path.lstat().st_size if path.is_file() else None
    except OSError:
        return None
