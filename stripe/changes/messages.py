"""Which names a build or a test complains of: the beginning of failure resolution (section 5.2)."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

_PATTERNS = (
    # Python
    r"NameError: (?:free variable |name )'(?P<name>\w+)'",
    r"cannot import name '(?P<name>\w+)' from '(?:[\w.]*\.)?(?P<other>\w+)'",
    r"has no attribute '(?P<name>\w+)'",
    r"No module named '(?:[\w.]*\.)?(?P<name>\w+)'",
    r"unexpected keyword argument '(?P<name>\w+)'",
    r"(?P<name>\w+)\(\) (?:takes|missing|got)",
    # gcc, clang, the linker
    r"(?:undeclared|undefined|unknown|implicit|not declared|no member|has no|incomplete|conflicting"
    r"|redefinition|too (?:few|many) arguments|static declaration|multiple definition"
    r"|(?:type for|passing) argument \d+)[^\n]*?[‘'`\"](?P<name>\w+)[’'`\"]",
    r"[‘'`\"](?P<name>\w+)(?:\([^)\n]*\))?[’'`\"] (?:undeclared|was not declared|has no member"
    r"|does not name|is not a|redeclared|not found|is undefined)",
    r"undefined reference to [`‘'](?:\w+::)*(?P<name>\w+)",
    r"fatal error: (?:.*/)?(?P<name>\w+)\.\w+: No such file",
    # TypeScript, javac, go, rustc
    r"Cannot find (?:name|module) '(?:[^'\n]*/)?(?P<name>\w+)'",
    r"Property '(?P<name>\w+)' (?:does not exist|is missing)",
    r"has no exported member '(?P<name>\w+)'",
    r"symbol:\s+(?:class|variable|method|interface)?\s*(?P<name>\w+)",
    r"package (?:\w+\.)*(?P<name>\w+) does not exist",
    r"undefined: (?:\w+\.)?(?P<name>\w+)",
    r"has no field or method (?P<name>\w+)",
    r"(?P<name>\w+) redeclared",
    r"cannot find (?:\w+ ){1,3}`(?P<name>\w+)`",
    r"(?:unresolved import|no (?:\w+ ){1,3}named) `(?:\w+::)*(?P<name>\w+)`",
)
_COMPLAINTS = [re.compile(pattern) for pattern in _PATTERNS]

_LOOKED_AT = 1 << 18


_IN_FUNCTION = re.compile(
    r"^[^\n]*: (?:In (?:\w+ )*?(?:function|constructor|destructor) "
    r"[‘'`\"](?P<head>[^’'`\"\n]+)[’'`\"]|At (?:top level|global scope)):$",
    re.MULTILINE,
)
"""gcc's heading of all that it says of a function."""


class Complaint(NamedTuple):
    """A name that somebody complains of; ``function``: where, or "" if that is not said."""

    name: bytes
    function: str = ""


def complaints_in(said: bytes) -> list[Complaint]:
    """What messages of compilers and interpreters complain of, each once."""
    text = said[:_LOOKED_AT].decode("utf-8", "replace")
    headings = [(0, "")]
    for heading in _IN_FUNCTION.finditer(text):
        before = re.match(r"[^(]*?(?P<name>~?\w+)\s*(?:\(|$)", heading["head"] or "")
        headings.append((heading.start(), before["name"] if before else ""))
    starts = [start for start, _ in headings]
    found: dict[Complaint, None] = {}
    for pattern in _COMPLAINTS:
        for match in pattern.finditer(text):
            function = headings[bisect_right(starts, match.start()) - 1][1]
            for name in match.groupdict().values():
                if name is not None and not name.isdigit():
                    found[Complaint(name.encode(), function)] = None
    return list(found)
