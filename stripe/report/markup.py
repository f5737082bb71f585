"""Markup from the templates beside this module (Jinja2).

Invariant: a text that a template is given becomes a text of the document, and nothing invisible or
controlling is left in it.  Only what stands in the templates, and in the styles and scripts that
they include, is markup: nothing is ever marked as safe.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from stripe.libraries import library
from stripe.report.style import cut, duration, middle, plural, printable

with library("Pages and pictures cannot be written"):
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
    from markupsafe import Markup


def template(name: str) -> Template:
    """A template by its path below this folder; ``render`` makes the document."""
    return _ENVIRONMENT.get_template(name)


def remembered(name: str, macro: str) -> Callable[..., str]:
    """A macro of a template that is asked the same very often."""
    return cache(getattr(template(name).module, macro))


def _visible(value: object) -> object:
    """What a template shows: of texts, which markup is none of, without anything invisible."""
    return printable(value) if type(value) is str else value


def _lines(texts: Iterable[str]) -> Markup:
    """Texts one below the other, where a document keeps ends of lines."""
    return Markup("\n").join(map(printable, texts))


def _digest(text: str) -> str:
    """How a Content-Security-Policy names an inline style or script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _units(number: float) -> str:
    """A length of a picture, to a tenth of its unit."""
    return f"{number:.1f}".removesuffix(".0")


def _doubled(text: str) -> str:
    """A text within quotes of Graphviz, where a backslash begins an escape."""
    return printable(text).replace("\\", "\\\\")


_ENVIRONMENT = Environment(
    autoescape=True,
    auto_reload=False,
    finalize=_visible,
    keep_trailing_newline=True,
    loader=FileSystemLoader(Path(__file__).parent),
    lstrip_blocks=True,
    trim_blocks=True,
    undefined=StrictUndefined,
)
_ENVIRONMENT.filters |= {
    "cut": cut,
    "digest": _digest,
    "doubled": _doubled,
    "duration": duration,
    "lines": _lines,
    "middle": middle,
    "plural": plural,
    "units": _units,
}
_ENVIRONMENT.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "ensure_ascii": True}
