"""What users set in their editor: the configuration section ``stripe``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stripe.errors import UsageError

SEE = "docs/editors.md says what there is to set."

type Kinds = Mapping[str, str]
"""For each key, what kind of value it has; see :func:`fits`."""

KEYS: Kinds = {
    "python": "a text",
    "maxTime": "a number above 0",
    "maxTests": "a whole number from 1",
    "timeout": "a number above 0",
    "jobs": "a whole number from 1",
    "control": "a text",
    "values": "a text",
    "configurations": "a list of objects",
}

CONFIGURATION: Kinds = {
    "name": "a text",
    "program": "a text",
    "args": "a list of texts",
    "input": "a text",
    "expect": "a text",
    "check": "a text or a list of texts",
    "cwd": "a text",
    "module": "true or false",
    "python": "a text",
}


@dataclass(frozen=True, slots=True)
class Configuration:
    """One way to run a program, as the user has named it; paths as they were given."""

    name: str
    program: str
    args: tuple[str, ...] = ()
    input: str = ""
    expect: str | None = None
    check: tuple[str, ...] = ()
    cwd: str = ""
    module: bool = False
    python: str | None = None


@dataclass(frozen=True, slots=True)
class EditorSettings:
    """The section as a whole; times in seconds."""

    python: str | None = None
    max_time: float = 60.0
    max_tests: int | None = None
    timeout: float | None = None
    jobs: int = 1
    control: str = "trace"
    values: str = "auto"
    configurations: tuple[Configuration, ...] = ()

    def configuration(self, name: str) -> Configuration:
        """The configuration called ``name``; raises ``UsageError`` ``no-configuration``."""
        for each in self.configurations:
            if each.name == name:
                return each
        names = ", ".join(repr(each.name) for each in self.configurations) or "none"
        raise UsageError(
            "no-configuration",
            f"There is no configuration {name!r} in stripe.configurations; there is {names}.",
            SEE,
        )


def read(section: Any) -> tuple[EditorSettings, list[str]]:
    """The settings in what a client sent, and a sentence for each part that is of no use.

    ``section`` may be wrapped in ``{"stripe": ...}``.  What cannot be used counts as not set.
    """
    if isinstance(section, Mapping) and isinstance(section.get("stripe"), Mapping):
        section = section["stripe"]
    if not isinstance(section, Mapping):
        return EditorSettings(), []
    complaints: list[str] = []
    values = known(section, KEYS, "stripe", complaints, strict=False)
    return EditorSettings(
        python=values.get("python") or None,
        max_time=float(values.get("maxTime", 60.0)),
        max_tests=values.get("maxTests"),
        timeout=values.get("timeout"),
        jobs=values.get("jobs", 1),
        control=values.get("control", "trace"),
        values=values.get("values", "auto"),
        configurations=configurations(values.get("configurations", ()), complaints),
    ), complaints


def configurations(
    given: Sequence[Mapping[str, Any]], complaints: list[str]
) -> tuple[Configuration, ...]:
    """Those of use."""
    found = []
    for number, each in enumerate(given):
        place = f"stripe.configurations[{number}]"
        values = known(each, CONFIGURATION, place, complaints)
        if not values.get("name") or not values.get("program"):
            complaints.append(f"{place} needs a name and a program.")
            continue
        values["args"] = tuple(values.get("args", ()))
        values["check"] = texts(values.get("check", ()))
        values["python"] = values.get("python") or None
        found.append(Configuration(**values))
    return tuple(found)


def known(
    given: Mapping[str, Any],
    kinds: Kinds,
    place: str,
    complaints: list[str],
    *,
    strict: bool = True,
) -> dict[str, Any]:
    """What of ``given`` has a known key and a value of its kind; ``null`` is not given.

    Without ``strict``, keys we do not know are somebody else's, such as those of an extension.
    """
    found = {}
    for key, value in given.items():
        kind = kinds.get(key)
        if kind is None:
            if strict:
                complaints.append(f"{place} has no {key!r}; there is {', '.join(kinds)}.")
        elif value is not None:
            if fits(value, kind):
                found[key] = value
            else:
                complaints.append(f"{place}: {key!r} must be {kind}, not {value!r}.")
    return found


def fits(value: Any, kind: str) -> bool:
    """Whether ``value`` is of a kind of :data:`KEYS`."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    match kind:
        case "a text":
            return isinstance(value, str)
        case "true or false":
            return isinstance(value, bool)
        case "a number above 0":
            return number and 0 < value < math.inf
        case "a whole number from 1":
            return number and isinstance(value, int) and value >= 1
        case "a list of texts":
            return isinstance(value, list) and all(isinstance(each, str) for each in value)
        case "a text or a list of texts":
            return fits(value, "a text") or fits(value, "a list of texts")
        case "a list of objects":
            return isinstance(value, list) and all(isinstance(each, Mapping) for each in value)
    raise AssertionError(kind)


def texts(value: str | Sequence[str]) -> tuple[str, ...]:
    """One text, or several, as a tuple."""
    return (value,) if isinstance(value, str) else tuple(value)
