"""Files that have another name in the next version."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath

from stripe.changes.snapshots import Entry, Snapshot, is_text, kind_of
from stripe.changes.weave import split

ALIKE = 0.5
"""From such a part of equal lines on, a file is another one with a new name, as git has it."""

MOST = 10_000
"""How many pairs of files are compared at most; with more, only equal content counts."""


def renamed(
    gone: Sequence[str],
    new: Sequence[str],
    before: Mapping[str, Entry],
    after: Snapshot,
    old: Callable[[str], bytes],
) -> dict[str, str]:
    """The former path of each new file that has one.

    Args:
        gone: paths of the version before that the next one lacks.
        new: paths that only the next one has.
        before: the files of the version before.
        after: the next one.
        old: the content of a file of the version before.
    """
    left, found = dict.fromkeys(gone), {}
    for path in sorted(new):
        same = [each for each in left if before[each] == after.entries[path]]
        if same:
            found[path] = _nearest(path, same)
            del left[found[path]]
    rest = [path for path in new if path not in found]
    if not left or len(left) * len(rest) > MOST:
        return found
    lines = {path: Counter(split(old(path))) for path in left}
    pairs: list[tuple[float, str, str]] = []
    for path in rest:
        content = after.content(path)
        if not is_text(content):
            continue
        here = Counter(split(content))
        for other, there in lines.items():
            if kind_of(before[other].mode) == kind_of(after.entries[path].mode):
                most = max(here.total(), there.total())
                pairs.append(((here & there).total() / most if most else 0.0, path, other))
    for alike, path, other in sorted(pairs, key=lambda pair: (-pair[0], pair[1:])):
        if alike >= ALIKE and path not in found and other in left:
            found[path] = other
            del left[other]
    return found


def _nearest(path: str, others: Sequence[str]) -> str:
    """The one with the same name, or in the same folder, if there is one."""
    here = PurePath(path)
    return max(
        others,
        key=lambda other: (
            PurePath(other).name == here.name,
            PurePath(other).parent == here.parent,
        ),
    )
