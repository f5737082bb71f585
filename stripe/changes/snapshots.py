"""Versions of a program as trees of files, wherever they come from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

FILE = 0o100644
EXECUTABLE = 0o100755
LINK = 0o120000
SUBMODULE = 0o160000

type Tree = dict[str, tuple[int, bytes]]
"""Files by path: mode as git writes it, and content; of a link, where it points."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a version: its ``mode``, and a ``name`` of its content, equal for equal content."""

    mode: int
    name: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A version: the files by path, and what reads the content that an entry names."""

    entries: Mapping[str, Entry]
    read: Callable[[str], bytes] = field(repr=False)

    def content(self, path: str) -> bytes:
        """The content of a file."""
        return self.read(self.entries[path].name)


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a history: a commit, or what stands for one.

    - ``name``: a short name, such as an abbreviated hash; ``subject``: one line
    - ``parents``: the places of the steps it comes after, in the history
    - ``side``: 1 if only the bad version has it, -1 if only the good one, 0 if both do
    """

    name: str
    subject: str
    author: str
    date: str
    parents: tuple[int, ...]
    side: int
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class History:
    """How one version became the other.

    - ``root`` comes before all ``steps``, which are in an order in which parents come first
    - ``good``, ``bad``: what the two versions are called
    - ``directory``: where the user has the program
    """

    root: Snapshot
    steps: tuple[Step, ...]
    good: str
    bad: str
    directory: str
    notes: tuple[str, ...] = ()


def name_of(content: bytes) -> str:
    """The name that git has for content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def kind_of(mode: int) -> int:
    """Whether it is a file, a link, a submodule: the mode without who may execute it."""
    return mode & 0o170000


def is_text(content: bytes) -> bool:
    """Whether it is changed line by line; as git has it, a null byte tells."""
    return b"\0" not in content[:8000]


def digest_of(tree: Tree) -> str:
    """A short text that stands for files, equal for equal ones."""
    digest = hashlib.sha256()
    for path in sorted(tree):
        mode, content = tree[path]
        digest.update(b"%o %d " % (mode, len(content)))
        digest.update(path.encode("utf-8", "surrogateescape") + b"\0")
        digest.update(content)
    return digest.hexdigest()


def folders_of(path: str) -> Iterator[str]:
    """The folders that a path is in, those above first."""
    end = path.find("/")
    while end >= 0:
        yield path[:end]
        end = path.find("/", end + 1)
