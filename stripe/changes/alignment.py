"""Which line of a new text takes the place of which one of the old text."""

from __future__ import annotations

import re
from collections.abc import Sequence

ALIKE = 0.5
"""From such a part of equal words on, a line is another form of the other one."""

MOST = 4000
"""How many pairs of lines are compared; longer stretches are not matched."""

_WORD = re.compile(rb"\w+|[^\w\s]")

type Pair = tuple[int | None, int | None]


def matched(old: Sequence[bytes], new: Sequence[bytes]) -> list[Pair]:
    """Pairs of an old line and the new one in its place, or one of them alone; both in order.

    As many as possible are matched whose words are alike.
    """
    if len(old) == len(new) == 1:
        return [(0, 0)]
    if not old or not new or len(old) * len(new) > MOST:
        return [*((i, None) for i in range(len(old))), *((None, j) for j in range(len(new)))]
    words = [[frozenset(_WORD.findall(line)) for line in lines] for lines in (old, new)]
    alike = [[_alike(one, other) for other in words[1]] for one in words[0]]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + alike[i][j])
    pairs: list[Pair] = []
    i = j = 0
    while i < len(old) and j < len(new):
        if alike[i][j] and best[i][j] == best[i + 1][j + 1] + alike[i][j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            pairs.append((i, None))
            i += 1
        else:
            pairs.append((None, j))
            j += 1
    pairs += [(rest, None) for rest in range(i, len(old))]
    return pairs + [(None, rest) for rest in range(j, len(new))]


def _alike(one: frozenset[bytes], other: frozenset[bytes]) -> float:
    """How much of two lines is the same; 0 if that is too little."""
    union = len(one | other)
    part = len(one & other) / union if union else 0.0
    return part if part >= ALIKE else 0.0
