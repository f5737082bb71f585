"""What changes need of each other, read from the names in them: section 5.1 of the paper.

A name that no file of the good version has comes with the change that defines it; a change that
uses it needs that one.  The other way round, what removes the last definition of a name needs all
that remove its uses.  That is a guess, for a name may stand in a comment: searches use it to keep
together what probably belongs together, and the answer is tested without.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from stripe.changes.universe import Universe

type Needs = Mapping[int, Iterable[int]]

IDENTIFIER = re.compile(rb"[A-Za-z_]\w*")

MOST = 4
"""A name that is defined in more hunks says little about which one is needed."""

_DEFINED = (
    rb"\b(?:def|class|struct|enum|union|fn|func|function|let|const|var|val|type|interface|trait|mod"
    rb"|module|namespace|define|typedef|import|from|as|using|macro_rules!)\b[^\n]*?\b%s\b"
    rb"|\b%s\s*(?::[^=\n]*)?=(?!=)|^[A-Za-z_][^\n=;]*\b%s\s*\([^;]*$|^\s*%s\s*:"
)


def words_of(texts: Iterable[bytes]) -> set[bytes]:
    """The names in lines."""
    return {word for text in texts for word in IDENTIFIER.findall(text)}


def needs_of(universe: Universe) -> dict[int, set[int]]:
    """For each edit those it probably needs, by names; without those of ``universe.requires``."""
    good, bad = (words_of(_contents(universe, chosen)) for chosen in ((), universe.deltas))
    adds: dict[bytes, list[int]] = {}
    removes: dict[bytes, list[int]] = {}
    for number in universe.deltas:
        new, old = universe.texts(number)
        for word in words_of(new) - good:
            adds.setdefault(word, []).append(number)
        for word in words_of(old) - bad:
            removes.setdefault(word, []).append(number)
    needs: dict[int, set[int]] = {}
    for word, users in adds.items():
        defining = _defining(universe, word, users, new=True)
        for user in users:
            needs.setdefault(user, set()).update(defining)
    for word, users in removes.items():
        for definer in _defining(universe, word, users, new=False):
            needs.setdefault(definer, set()).update(users)
    for number, others in needs.items():
        others.discard(number)
    return {number: others for number, others in needs.items() if others}


def _contents(universe: Universe, chosen: Sequence[int]) -> Iterable[bytes]:
    return (content for _, content in universe.tree(chosen).values())


def _defining(universe: Universe, word: bytes, users: list[int], *, new: bool) -> list[int]:
    """The edits among ``users`` that define a name, if they are few."""
    if len({universe.edits[user].hunk for user in users}) == 1:
        return users[:1]
    pattern = re.compile(_DEFINED.replace(b"%s", re.escape(word)), re.MULTILINE)
    found = [
        user
        for user in users
        if any(pattern.search(text) for text in universe.texts(user)[0 if new else 1])
    ]
    hunks = {universe.edits[each].hunk for each in found}
    return found if len(hunks) <= MOST else []


def closure(wanted: Iterable[int], *needs: Needs) -> set[int]:
    """What is wanted, and all it needs."""
    found = set(wanted)
    pending = list(found)
    while pending:
        each = pending.pop()
        for need in needs:
            for other in need.get(each, ()):
                if other not in found:
                    found.add(other)
                    pending.append(other)
    return found
