"""The nodes of the user's files, as the agent describes them (see ``agent/compiling/sites.py``)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from stripe.trace import Statement


class Nodes:
    """The nodes of all files, as parallel lists."""

    def __init__(self, files: Sequence[dict[str, Any]]) -> None:
        rows = [row for file in files for row in file["nodes"]]
        self.kind: list[str] = [row[0] for row in rows]
        self.function: list[int] = [row[5] for row in rows]
        self.parent: list[int] = [row[6] for row in rows]
        self.end: list[int] = [row[7] for row in rows]
        self.body_end: list[int] = [row[8] for row in rows]
        self.arms = [row[9] for row in rows]
        self.jumps = [row[10] for row in rows]
        self.site_kind = [site[0] for file in files for site in file["sites"]]
        self.site_node = [site[1] for file in files for site in file["sites"]]
        self.site_codes = [site[2] for file in files for site in file["sites"]]
        # Sites that report more than one statement, and where their instructions are.
        self.runs = {site: run for file in files for site, run in file["runs"].items()}
        # Functions, and the site where control is once they have started.
        self.leads = {function: site for file in files for function, site in file["leads"].items()}
        self._offsets = {
            function: offsets for file in files for function, offsets in file["offsets"].items()
        }
        self._starts = [0]
        for file in files:
            self._starts.append(self._starts[-1] + len(file["nodes"]))

    def node_at(self, function: int, offset: int) -> int:
        """The node of a run that the instruction at ``offset`` belongs to, or -1."""
        offsets = self._offsets.get(function, ())
        which = bisect_right(offsets, (offset, len(self.kind))) - 1
        return int(offsets[which][1]) if which >= 0 else -1

    def last_of_file(self, node: int) -> int:
        """The last node of the file that ``node`` is in."""
        return self._starts[bisect_right(self._starts, node)] - 1


def statements(files: Sequence[dict[str, Any]]) -> list[Statement]:
    """The statements of all files, numbered through."""
    functions = [name for file in files for name, _, _ in file["functions"]]
    found: list[Statement] = []
    for number, file in enumerate(files):
        flows = file["flows"] or [((), ())] * len(file["nodes"])
        for row, (reads, writes) in zip(file["nodes"], flows, strict=True):
            kind, line, header_end, end_line, column, function, parent, *_ = row
            where = (number, kind, line, header_end, end_line, column)
            name = functions[function]
            found.append(Statement(len(found), *where, name, parent, reads, writes))
    return found
