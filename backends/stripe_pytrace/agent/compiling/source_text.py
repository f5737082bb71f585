"""The text of source files, as Python reads them.

``tokenize.detect_encoding`` tells the same, and takes as long to import as the agent does.
"""

from __future__ import annotations

from codecs import BOM_UTF8

NAME = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")


def decoded(source: bytes) -> str:
    """The source as Unicode; what cannot be decoded is replaced."""
    if source.startswith(BOM_UTF8):
        return source.decode("utf-8-sig", "replace")
    return source.decode(declared(source), "replace")


def declared(source: bytes) -> str:
    """The encoding that a comment in the first two lines tells (PEP 263)."""
    for line in source.splitlines()[:2]:
        code, hash, comment = line.partition(b"#")
        if code.strip(b" \t\f"):
            break
        if hash and (name := told(comment)):
            return name
    return "utf-8"


def told(comment: bytes) -> str:
    """The name behind the first ``coding:`` or ``coding=`` that one follows; or nothing."""
    while True:
        _, found, comment = comment.partition(b"coding")
        if not found:
            return ""
        if comment[:1] in (b":", b"="):
            rest = comment[1:].lstrip(b" \t")
            length = next((at for at, each in enumerate(rest) if each not in NAME), len(rest))
            if length:
                return normal(rest[:length].decode("ascii"))


def normal(name: str) -> str:
    """The codec's name: to Python, one that Emacs would know (``utf-8-unix``) is a name as well."""
    short = name[:12].lower().replace("_", "-") + "-"
    if short.startswith("utf-8-"):
        return "utf-8"
    if short.startswith(("latin-1-", "iso-8859-1-", "iso-latin-1-")):
        return "iso-8859-1"
    return name
