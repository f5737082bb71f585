"""A page as a document of its own: nothing in it comes from elsewhere, and nothing goes there.

Its Content-Security-Policy allows exactly the style and the script in it, by their digests, and no
request.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from html import escape
from importlib.resources import files

from stripe.report.style import printable


def document(title: str, style: str, script: str, body: Iterable[str]) -> Iterator[str]:
    """The whole page; ``body`` is what stands before the script."""
    allowed = f"script-src '{digest(script)}'; " if script else ""
    policy = (
        f"default-src 'none'; {allowed}style-src '{digest(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield '<meta name="color-scheme" content="light dark">\n'
    yield '<meta name="generator" content="stripe">\n'
    yield f"<title>{escape(printable(title))}</title>\n"
    yield f"<style>{style}</style>\n</head>\n<body>\n"
    yield from body
    yield f"<script>{script}</script>\n" if script else ""
    yield "</body>\n</html>\n"


def asset(name: str) -> str:
    """A file that stands beside this one."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """How a Content-Security-Policy names an inline style or script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
