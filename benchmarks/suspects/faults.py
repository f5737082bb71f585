"""The collection: seeded faults in programs and packages, each a text that replaces another one.

Each collection has a file of mistakes that somebody thought of, and one of what ``making`` drew.
Of the first half of each kind of each source is set aside by the digests of their names, once and
for all.  The later ones were made when those before had been looked at, and are set aside whole.
"""

from __future__ import annotations

import ast
import hashlib
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

from benchmarks.suspects.subjects import DATA, Subject, subject

FIRST = "first"
COLLECTIONS = {
    FIRST: ("by_hand.toml", "mutations.toml"),
    "later": ("later.toml", "later_mutations.toml"),
    "third": ("third.toml", "third_mutations.toml"),
    "fourth": ("fourth.toml", "fourth_mutations.toml"),
}
"""The files of each, by hand and drawn, in the order in which they were made."""
SOME_PASS = {"third", "fourth"}
"""Collections with no fault that makes all tests fail; the others have a few."""


@dataclass(frozen=True)
class Fault:
    """A fault: in ``file`` of a subject, ``before`` (it occurs once) is replaced by ``after``.

    ``made``: by hand or by mutation; ``wrong``: what is wrong, in words.
    """

    subject: str
    file: str
    made: str
    kind: str
    wrong: str
    before: str
    after: str

    @property
    def name(self) -> str:
        """Depends on what is changed alone."""
        words = "\0".join((self.subject, self.file, self.before, self.after))
        stem = self.file.removesuffix("/__init__.py").removesuffix(".py").rpartition("/")[2]
        return f"{stem}-{hashlib.sha256(words.encode()).hexdigest()[:6]}"

    @property
    def of(self) -> Subject:
        """What it is seeded in."""
        return subject(self.subject)

    @property
    def stratum(self) -> tuple[str, str]:
        """Its source and how it was made: each is halved by itself."""
        return ("packages" if self.of.package else "programs"), self.made

    def seeded(self, right: str) -> str:
        """The file with the fault."""
        if (count := right.count(self.before)) != 1:
            raise ValueError(f"{self.name}: the text before occurs {count} times in {self.file}")
        return right.replace(self.before, self.after)


@cache
def collection(name: str = FIRST) -> tuple[Fault, ...]:
    """The faults of a collection, by name; none is to be tuned with but a half of the first."""
    faults = [fault for file in COLLECTIONS[name] for fault in read(DATA / file)]
    return tuple(sorted(faults, key=lambda fault: fault.name))


def before(name: str) -> tuple[Fault, ...]:
    """The faults of the collections that were made before this one."""
    names = list(COLLECTIONS)
    return tuple(fault for other in names[: names.index(name)] for fault in collection(other))


def read(path: Path) -> list[Fault]:
    """The faults of a file."""
    return [Fault(**entry) for entry in tomllib.loads(path.read_text("utf-8"))["fault"]]


def normal(text: str) -> str:
    """Equal for texts that differ in layout, comments and brackets only."""
    return ast.unparse(ast.parse(text))


def aside(faults: Iterable[Fault]) -> set[str]:
    """The names of those that are not looked at before the end."""
    strata = defaultdict(list)
    for fault in faults:
        strata[fault.stratum].append(fault.name)
    return {
        name
        for names in strata.values()
        for name in sorted(names, key=lambda each: hashlib.sha256(each.encode()).digest())[::2]
    }


def faulty_lines(right: str, wrong: str) -> set[int]:
    """The lines, in the wrong text, of all statements that differ; where something is missing, of
    the statements before and after it."""
    spans = _spans(wrong)
    lines = wrong.splitlines()
    found: set[int] = set()
    changes = SequenceMatcher(None, right.splitlines(), lines, autojunk=False).get_opcodes()
    for kind, _, _, first, last in changes:
        if kind == "delete":
            before = [number for number in range(1, first + 1) if lines[number - 1].strip()]
            after = [
                number for number in range(first + 1, len(lines) + 1) if lines[number - 1].strip()
            ]
            found |= {*before[-1:], *after[:1]}
        elif kind != "equal":
            found |= set(range(first + 1, last + 1))
    return {each for line in found for each in spans.get(line, {line})}


def body_lines(text: str, lines: Iterable[int]) -> int:
    """The lines of code of the innermost function around the first of some lines; 0 if none."""
    first = min(lines)
    size = 0
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            if node.lineno <= first <= node.end_lineno:
                body = node.body[1:] if ast.get_docstring(node) is not None else node.body
                if body:
                    own = text.splitlines()[body[0].lineno - 1 : node.end_lineno]
                    here = sum(
                        bool(line.strip()) and not line.strip().startswith("#") for line in own
                    )
                    size = min(size or here, here)
    return size


def _spans(text: str) -> dict[int, set[int]]:
    """For each line the lines of its statement, of a compound one those of its head."""
    spans: dict[int, set[int]] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt):
            assert node.end_lineno is not None
            body = getattr(node, "body", None)
            last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno
            if not body or not any(
                isinstance(node, kind) for kind in (ast.ClassDef, ast.FunctionDef)
            ):
                for line in range(node.lineno, last + 1):
                    spans[line] = set(range(node.lineno, last + 1))
    return spans
