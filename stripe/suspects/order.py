"""In which order changes are tried: small ones on suspicious lines first, and some of each line."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from stripe.interventions import Intervention, Line

SLOW_PATTERN = 2.5
"""How many sizes a pattern is behind others whose trial takes a process of its own."""

SUSPICION = 4.0
"""How many sizes the least suspicious line is behind the most suspicious one."""

SELDOM = frozenset({"variable", "attribute", "method", "string", "conversion", "copy"})
"""There are many of these kinds, and few of them repair anything..."""

LATER = 1.0
"""...so they are so many sizes behind others."""

OTHERS_FIRST = 0.25
"""So many sizes is a change behind each time that those before it at its line are twice as many.

What repairs something is as likely at the next line as in the hundredth change of this one."""


def in_order(
    changes: Iterable[Intervention], suspicion: Mapping[Line, float]
) -> list[Intervention]:
    """All of them, those first that are to be tried first; ``suspicion``: of lines."""
    most = max(suspicion.values(), default=0.0) or 1.0

    def costs(change: Intervention) -> tuple[bool, float, int]:
        score = suspicion.get(change.at) or suspicion.get(Line(change.at.file, change.first), 0.0)
        # Of what is slow, patterns are mistaken most often: before something is inserted.
        pattern = change.slow and change.kind == "pattern"
        size = change.size + SLOW_PATTERN * pattern + LATER * (change.kind in SELDOM)
        return change.slow and not pattern, size + SUSPICION * (1.0 - score / most), change.at.line

    before: Counter[Line] = Counter()
    found = []
    for (slow, size, line), change in sorted(
        ((costs(each), each) for each in changes), key=lambda item: item[0]
    ):
        before[change.at] += 1
        found.append(((slow, size + OTHERS_FIRST * math.log2(before[change.at]), line), change))
    return [change for _, change in sorted(found, key=lambda item: item[0])]
